"""What a question is about, by all its names: the words that a paraphrase must do without."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from loom.core.concepts import Concepts
from loom.core.text import slug_of
from loom.core.values import Row
from loom.lab.question import LabQuestion


@dataclass(frozen=True, slots=True)
class Subject:
    """The names of what a question is about (titles and further names), and how the corpus defines it."""

    names: tuple[str, ...]
    definition: str = ""


def slugs_of(question: LabQuestion) -> tuple[str, ...]:
    """The slugs that a question states of its subject."""
    stated = question.more.get("subject_slug")
    return tuple(dict.fromkeys((*question.class_slugs, *([stated] if isinstance(stated, str) and stated else []))))


def by_slug(concepts: Concepts) -> Mapping[str, Row]:
    """The row of each slug; of a slug that comes twice the first."""
    found: dict[str, Row] = {}
    for row in range(concepts.count):
        found.setdefault(slug_of(concepts.iri(row)), row)
    return found


def subject_of(question: LabQuestion, concepts: Concepts | None = None, rows: Mapping[str, Row] | None = None) -> Subject:
    """A question's subject: as it states it, and by the records of a generation where one is given. `rows` is `by_slug`'s."""
    title = question.more.get("subject_title")
    names = [title] if isinstance(title, str) and title.strip() else []
    definitions: list[str] = []
    slugs = slugs_of(question)
    known = _rows(concepts, slugs, rows) if concepts is not None else []
    for row in known:
        record = concepts.record(row) if concepts is not None else {}
        names += [record["title"], *(record.get("aliases") or ())]
        definitions.append(str(record.get("definition") or ""))
    if not names:
        names = [slug.replace("-", " ").replace("_", " ") for slug in slugs]
    return Subject(tuple(dict.fromkeys(names)), "\n".join(text for text in definitions if text))


def _rows(concepts: Concepts, slugs: Sequence[str], rows: Mapping[str, Row] | None) -> list[Row]:
    table = by_slug(concepts) if rows is None else rows
    found = []
    for slug in slugs:
        row = concepts.row(slug) if ":" in slug else table.get(slug)
        if row is not None:
            found.append(row)
    return found
