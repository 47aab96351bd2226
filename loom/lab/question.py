"""Questions with gold: what a study asks, in the shape of its files (a JSON object a line)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.files import write_lines
from loom.lab.lines import lines

GOLD_TYPES = ("all", "any")


@dataclass(frozen=True, slots=True)
class Target:
    """One name that an answer may have to state. `slug` or `iri` says which concept it is, where that is known."""

    title: str
    slug: str = ""
    iri: str = ""

    def as_json(self) -> dict[str, Json]:
        stated = (("slug", self.slug), ("title", self.title), ("iri", self.iri))
        return {name: value for name, value in stated if value}


@dataclass(frozen=True, slots=True)
class LabQuestion:
    """One question of a set.

    `gold_type` is all (each target is asked for) or any (one is enough); `gold_extra` is never in a headline; `class_slugs` is
    what the question is about; `reference` is an answer that a judge may compare with; `more` keeps members of a file that
    are not named here.
    """

    id: str
    prompt: str
    gold: tuple[Target, ...] = ()
    gold_type: str = "all"
    set: str = ""
    key: str = ""
    template: str = ""
    domain: str = ""
    class_slugs: tuple[str, ...] = ()
    gold_extra: tuple[Target, ...] = ()
    reference: str = ""
    more: Mapping[str, Json] = field(default_factory=dict)

    @property
    def titles(self) -> tuple[str, ...]:
        return tuple(target.title for target in self.gold)

    def as_json(self) -> dict[str, Json]:
        """A line of a question file; empty members are left out."""
        stated: dict[str, Json] = {
            "id": self.id,
            "set": self.set,
            "key": self.key,
            "domain": self.domain,
            "template": self.template,
            "class_slugs": list(self.class_slugs),
            "prompt": self.prompt,
            "gold": [target.as_json() for target in self.gold],
            "gold_type": self.gold_type if self.gold else "",
            "gold_extra": [target.as_json() for target in self.gold_extra],
            "reference": self.reference,
            **self.more,
        }
        return {name: value for name, value in stated.items() if value not in ("", [], None)}


_NAMED = frozenset("id set key domain template class_slugs prompt text question gold gold_type gold_extra reference".split())


def question_of(row: Mapping[str, Json], where: str) -> LabQuestion:
    """A question from a line of a file; `where` names the line. Raises BadInput."""
    prompt = next((row[name] for name in ("prompt", "text", "question") if isinstance(row.get(name), str)), "")
    if not prompt.strip():
        raise BadInput(f"Expected a question as prompt, text or question in {where}, but there is none.", param="questions")
    kind = row.get("gold_type") or "all"
    if kind not in GOLD_TYPES:
        raise BadInput(f"Expected gold_type to be all or any in {where}, but got {kind!r}.", param="gold_type")
    return LabQuestion(
        id=str(row.get("id") or where),
        prompt=prompt,
        gold=_targets(row.get("gold"), "gold", where),
        gold_type=kind,
        set=str(row.get("set") or ""),
        key=str(row.get("key") or ""),
        template=str(row.get("template") or row.get("kind") or ""),
        domain=str(row.get("domain") or ""),
        class_slugs=_slugs(row.get("class_slugs"), where),
        gold_extra=_targets(row.get("gold_extra"), "gold_extra", where),
        reference=str(row.get("reference") or ""),
        more={name: value for name, value in row.items() if name not in _NAMED},
    )


def _slugs(value: Json, where: str) -> tuple[str, ...]:
    listed = [value] if isinstance(value, str) else value or ()
    if not isinstance(listed, list | tuple) or not all(isinstance(slug, str) for slug in listed):
        raise BadInput(
            f"Expected class_slugs to be a list of texts in {where}, but got {str(value)[:40]!r}.", param="class_slugs"
        )
    return tuple(slug for slug in listed if slug)


def _targets(value: Json, name: str, where: str) -> tuple[Target, ...]:
    if not isinstance(value, list | tuple | None):
        raise BadInput(f"Expected {name} to be a list of names in {where}, but got {value!r}.", param=name)
    found = []
    for each in value or ():
        stated = {"title": each} if isinstance(each, str) else each
        if not isinstance(stated, Mapping) or not isinstance(stated.get("title"), str) or not stated["title"].strip():
            raise BadInput(
                f"Expected a name, or an object with a title, in {name} of {where}, but got {str(each)[:60]!r}.", param=name
            )
        found.append(Target(stated["title"], str(stated.get("slug") or ""), str(stated.get("iri") or "")))
    return tuple(found)


def read(path: Path, set: str = "") -> tuple[LabQuestion, ...]:
    """The questions of a file. Raises BadInput with the first line that is none, or an id that comes twice."""
    found = tuple(_read(path, set))
    if not found:
        raise BadInput(f"Expected at least one question in {path}, but it has none.", param="questions")
    seen: dict[tuple[str, str], int] = {}
    for number, question in enumerate(found, 1):
        first = seen.setdefault((question.set, question.id), number)
        if first != number:
            raise BadInput(
                f"Expected every question of {path} to have its own id, but {question.id!r} stands in questions {first} and {number}.",
                param="questions",
            )
    return found


def _read(path: Path, set: str) -> Iterator[LabQuestion]:
    for number, row in lines(path, "questions"):
        question = question_of(row, f"line {number} of {path}")
        yield question if question.set or not set else question_of({**row, "set": set}, f"line {number} of {path}")


def write(path: Path, questions: Iterable[LabQuestion]) -> None:
    """The questions as a file, whole or not at all."""
    write_lines(path, (question.as_json() for question in questions))
