"""Whether a corpus built from its pages says the same as a compiled version 1 index, and if not, why."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from loom.core.concepts import RELATIONS
from loom.core.report import Report
from loom.core.text import slug_of
from loom.core.values import Concept, Json, Ref

# Which remarks of a build can be the reason of a difference in a field.
_REASONS: Mapping[str, tuple[str, ...]] = {
    "class": (
        "bad-file-name", "bad-iri", "bad-json-block", "binary-file", "duplicate-concept", "empty-file", "file-too-large",
        "no-class-block", "no-page-block", "not-public", "not-utf8", "open-fence", "second-block", "symbolic-link",
        "unreadable-file",
    ),
    "title": ("bad-value", "byte-order-mark", "duplicate-json-key", "lone-surrogate", "missing-title", "not-utf8"),
    "parent": ("bad-iri", "bad-reference", "duplicate-json-key", "repeated-parent", "root-parent"),
    "ancestor": ("bad-iri", "bad-reference", "dangling-parent", "duplicate-json-key", "parent-cycle", "root-parent"),
    "relation": ("bad-iri", "bad-reference", "bad-value", "duplicate-json-key", "empty-relation", "repeated-target"),
}  # fmt: skip
FIELDS = tuple(_REASONS)


@dataclass(frozen=True, slots=True)
class Difference:
    """One field of one class in which index and corpus disagree, and the kinds of remark that can explain it."""

    field: str
    slug: str
    index: str
    built: str
    reasons: tuple[str, ...]


@dataclass(slots=True)
class Agreement:
    """How many items were compared, by field, and every difference."""

    compared: Counter[str] = field(default_factory=Counter)
    differences: list[Difference] = field(default_factory=list)

    @property
    def unexplained(self) -> list[Difference]:
        return [one for one in self.differences if not one.reasons]


def compare(concepts: Iterable[Concept], classes: Mapping[str, Mapping[str, Json]], report: Report) -> Agreement:
    """Compare titles, parents, ancestors and known relations, each with its order of targets, class by class.

    `classes` is that member of the index as it is stated; slugs are compared as they are written.
    """
    agreement = Agreement()
    built = {slug_of(concept.iri): concept for concept in concepts}
    held = report.counts()
    for slug in sorted({*built, *classes}):
        agreement.compared["class"] += 1
        concept, stated = built.get(slug), classes.get(slug)
        if concept is None or stated is None:
            pairs: Iterable[tuple[str, str, str]] = [
                ("class", "absent" if stated is None else "there", "absent" if concept is None else "there")
            ]
        else:
            pairs = _fields(concept, stated, agreement.compared)
        for name, index, ours in pairs:
            if index != ours:
                reasons = tuple(kind for kind in _REASONS[name] if kind in held)
                agreement.differences.append(Difference(name, slug, index, ours, reasons))
    return agreement


def _fields(concept: Concept, stated: Mapping[str, Json], compared: Counter[str]) -> Iterator[tuple[str, str, str]]:
    yield "title", stated.get("t") or slug_of(concept.iri), concept.title
    yield "parent", _listed(stated.get("sup")), _slugs(concept.parents)
    yield "ancestor", _listed(stated.get("isup")), _slugs(concept.ancestors or ())
    compared["title"] += 1
    compared["parent"] += len(stated.get("sup") or ())
    compared["ancestor"] += len(stated.get("isup") or ())
    relations = dict(concept.relations)
    for name in RELATIONS:
        targets = (stated.get("rel") or {}).get(name)
        compared["relation"] += len(targets or ())
        yield "relation", f"{name}: {_listed(targets)}", f"{name}: {_slugs(relations.get(name, ()))}"


def _listed(targets: Sequence[str] | None) -> str:
    return ", ".join(slug_of(target) for target in targets or ())


def _slugs(refs: Sequence[Ref]) -> str:
    return ", ".join(slug_of(ref.iri) for ref in refs)
