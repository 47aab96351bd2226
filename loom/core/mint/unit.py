"""Units of the `default` policy: one relation a line, what the question asks for first, no name twice, nothing cut inside a line.

A unit is its heading and definition, what was asked for, what is above it, its other relations, its prose, and what its
neighbours are. The beginning up to what was asked for is its lead, the neighbours are spare. Where many units share a block,
each says less: a shorter definition, fewer names of what was asked for.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from loom.core.concepts import ANCESTOR, IS_A, Concepts
from loom.core.mint.asked import NARROWER, asked_for
from loom.core.mint.make import make
from loom.core.mint.neutral import neutral, neutral_name, neutral_sentence
from loom.core.mint.reference import Line, heading
from loom.core.text import fold, slug_of, truncate
from loom.core.values import LEAD, Candidate, Evidence, Row

FEW = 4
DEFINITION, SHORT_DEFINITION, NEIGHBOUR_TEXT, PROSE_TEXT = 420, 240, 160, 1200
PARENTS, ANCESTORS, TARGETS, NEIGHBOURS = 6, 8, 6, 2
ASKED_TARGETS, SHORT_ASKED_TARGETS = 40, 12


def mint(
    concepts: Concepts, admitted: Sequence[tuple[Row, Candidate]], question: str, *, hops: int, prose: bool
) -> tuple[Evidence, ...]:
    """One unit an admitted row, in the order given."""
    asked = asked_for(concepts.predicates, question)
    sketches = [concepts.remembered(row, _sketch) for row, _ in admitted]
    few = len(admitted) <= FEW
    stating = _stating(asked, ASKED_TARGETS if few else SHORT_ASKED_TARGETS)
    told: set[str] = set()
    made = []
    for at, ((row, candidate), sketch) in enumerate(zip(admitted, sketches, strict=True)):
        wanted, rest = concepts.remembered(row, stating)
        lines = [(sketch.heading, (sketch.title,)), *_definition(sketch, told, few=few), *wanted]
        lead = max(LEAD, len(lines))
        lines += rest
        if prose:
            lines += _prose(concepts, row)
        spare = _neighbours(concepts, sketch, asked, {row for row, _ in admitted}, sketches) if at == 0 and hops >= 1 else []
        made.append(
            make(
                iri=candidate.iri,
                title=sketch.title,
                lines=lines + spare,
                home=candidate.home,
                weight=candidate.score,
                lead=lead,
                spare=len(spare),
                found=candidate,
            )
        )
    return tuple(made)


@dataclass(frozen=True, slots=True)
class Group:
    """What a row points at by one relation: its number, the label of the line, the first names, how many there are."""

    number: int
    label: str
    names: tuple[str, ...]
    count: int
    usual: int


@dataclass(frozen=True, slots=True)
class Sketch:
    """What the unit of a row can show, whatever the question."""

    title: str
    heading: str
    definition: str
    groups: tuple[Group, ...]
    targets: tuple[tuple[int, tuple[int, ...]], ...]


def _sketch(concepts: Concepts, row: Row) -> Sketch:
    record = concepts.record(row)
    links = concepts.links(row)
    title = neutral_name(record["title"])
    definition = neutral_sentence(record.get("full") or record.get("definition", ""))
    groups = [
        _group(concepts, IS_A, "is-a", links.parents, PARENTS),
        _group(concepts, ANCESTOR, "ancestors", links.ancestors, ANCESTORS),
        *(
            _group(concepts, number, neutral_sentence(concepts.predicates[number]), targets, TARGETS)
            for number, targets in links.relations
        ),
    ]
    return Sketch(
        title,
        neutral(heading(record)),
        "" if fold(definition).rstrip(".") == fold(title) else truncate(definition, DEFINITION),
        tuple(group for group in groups if group.names),
        links.relations,
    )


def _group(concepts: Concepts, number: int, label: str, targets: Iterable[int], usual: int) -> Group:
    """Names are the first `ASKED_TARGETS`, none of them twice, be it one target or two that read alike."""
    names: dict[str, None] = {}
    left = list(dict.fromkeys(targets))
    left.reverse()
    while left and len(names) < ASKED_TARGETS:
        target = left.pop()
        names[neutral_name(concepts.title(target)) or neutral_name(slug_of(concepts.iri(target)))] = None
    return Group(number, label, tuple(names), len(names) + len(left), usual)


def _narrower(concepts: Concepts, row: Row) -> Group:
    return _group(concepts, NARROWER, "narrower", concepts.children(row), ASKED_TARGETS)


def _definition(sketch: Sketch, told: set[str], *, few: bool) -> list[Line]:
    """The definition, unless a unit before has told the same and this one has more to say."""
    text = sketch.definition if few else truncate(sketch.definition, SHORT_DEFINITION)
    if not text or (text in told and sketch.groups):
        return []
    told.add(text)
    return [(text, ())]


@lru_cache(maxsize=512)
def _stating(asked: frozenset[int], most: int) -> Callable[[Concepts, Row], tuple[Sequence[Line], Sequence[Line]]]:
    """What states of a row what was asked for, and the rest: one function for the same question, so that its work is remembered."""

    def stating(concepts: Concepts, row: Row) -> tuple[Sequence[Line], Sequence[Line]]:
        sketch = concepts.remembered(row, _sketch)
        wanted = _wanted(concepts, row, sketch, asked, most)
        return wanted, _rest(sketch, asked, wanted)

    return stating


def _wanted(concepts: Concepts, row: Row, sketch: Sketch, asked: frozenset[int], most: int) -> list[Line]:
    """What was asked for, each with its first `most` names, and how many more there are."""
    groups = [group for group in sketch.groups if group.number in asked]
    if NARROWER in asked:
        groups.insert(0, concepts.remembered(row, _narrower))
    lines: list[Line] = []
    for group in groups:
        names = group.names[:most]
        more = f" … and {group.count - len(names)} more" if group.count > len(names) else ""
        if names:
            lines.append((f"{group.label}: {', '.join(names)}{more}", names))
    return lines


def _rest(sketch: Sketch, asked: frozenset[int], wanted: Sequence[Line]) -> list[Line]:
    """What was not asked for, without the names that the unit has shown already; a line that leaves out any ends in an ellipsis."""
    shown = {sketch.title, *(name for _, names in wanted for name in names)}
    lines: list[Line] = []
    for group in sketch.groups:
        if group.number not in asked:
            names = [name for name in group.names[: group.usual] if name not in shown]
            shown.update(names)
            if names:
                lines.append((f"{group.label}: {', '.join(names)}{' …' if len(names) < group.count else ''}", names))
    return lines


def _prose(concepts: Concepts, row: Row) -> list[Line]:
    text = concepts.record(row).get("prose")
    return [(f"prose: {truncate(neutral_sentence(text), PROSE_TEXT)}", ())] if text else []


def _neighbours(
    concepts: Concepts, sketch: Sketch, asked: frozenset[int], seeds: set[Row], sketches: Sequence[Sketch]
) -> list[Line]:
    """Definitions of the first targets, those of the relation that was asked for before others, and none that a unit gives."""
    told = {truncate(each.definition, NEIGHBOUR_TEXT) for each in sketches}
    order = sorted(sketch.targets, key=lambda relation: relation[0] not in asked)
    lines: list[Line] = []
    for target in dict.fromkeys(target for _, targets in order for target in targets):
        if target in seeds or target >= concepts.count:
            continue
        title, text = concepts.remembered(target, _as_neighbour)
        if text and text not in told:
            told.add(text)
            lines.append((f"- {title}: {text}", (title,)))
        if len(lines) == NEIGHBOURS:
            break
    return lines


def _as_neighbour(concepts: Concepts, row: Row) -> tuple[str, str]:
    """How a row is named and defined beside another's unit."""
    record = concepts.record(row)
    return neutral_name(record["title"]), truncate(neutral_sentence(record.get("definition", "")), NEIGHBOUR_TEXT)
