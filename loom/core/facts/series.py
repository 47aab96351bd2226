"""Rows of series at the positions that a question states: at its points, and within its windows (R5).

Within a window rows are shown and nothing is computed: no lowest, no highest, no mean of them (seed 003 §3). A window holds both of its
ends, since who says "from 2:00 to 3:00" means the row at 3:00 too; where whole things are counted it ends with the last of them.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import chain, islice
from typing import TypeVar

from loom.core.facts.asked import Ask, Edge, Position
from loom.core.facts.inventory import Inventory
from loom.core.facts.numerals import number_of
from loom.core.facts.thinning import kept
from loom.core.facts.valued import counts
from loom.core.facts.values import CLOSED, OPEN_END, OPEN_START, Held, Reading, Stretch
from loom.core.values import Iri

MOST = 40
"""Rows of one window; of more, the first and the last are given, or those nearest to the point that it lies around."""
MOST_WINDOWS = 48
"""Windows of one question."""
FARTHEST = Decimal(10) ** 30
"""Beyond every position."""

P = TypeVar("P", Position, Edge)


@dataclass(frozen=True, slots=True)
class Window:
    """Rows of one series that stand from `start` to `end`, of which there are `count`. `near` is the point that they lie around, None
    where a range is asked for."""

    source: Iri
    metric: Iri
    entity: Iri | None
    start: Decimal
    end: Decimal
    near: Decimal | None
    readings: tuple[Reading, ...]
    count: int

    def thinned(self, most: int) -> "Window":
        """With so many of its rows at the most."""
        if len(self.readings) <= most:
            return self
        return replace(self, readings=tuple(self.readings[at] for at in kept(len(self.readings), most, self._middle)))

    @property
    def _middle(self) -> int | None:
        """The number of the first row at the point or behind it."""
        if self.near is None:
            return None
        return sum(Decimal(one.at or one.position) < self.near for one in self.readings)


def at_points(held: Held, stock: Inventory, ask: Ask, sources: Iterable[Iri]) -> Iterator[Reading]:
    """The rows at named points, of the asked metrics, or of all that the source has unless a passage is what is asked for.
    Where rows state different values for a point, each is given.

    Where a series tells of several entities, each of those that are asked for has its own row there, and each of all where none is.
    """
    for source, metric, entity, point in _series(held, stock, ask, sources, [at for at in ask.positions if not at.wide]):
        yield from there(held, source, metric, entity, point.start)


def there(held: Held, source: Iri, metric: Iri, entity: Iri | None, position: Decimal) -> Sequence[Reading]:
    """The rows of a series at exactly this position: one, or where several state different values one of each, the lowest rows, since
    none of them is the value there more than another (R32)."""
    found = held.reading(source, metric, position, entity)
    if found is None:
        return ()
    same = held.stretch(source, metric, found.entity, position, position, MOST).readings
    values = {_value(found): found}
    for one in same:
        values.setdefault(_value(one), one)
    return tuple(values.values())


def _value(reading: Reading) -> tuple[str, Decimal | str]:
    """What is one value: 19.2 is 19.20."""
    for mark in ".,":
        if (number := number_of(reading.value, mark)) is not None:
            return mark, number
    return "", reading.value


def within(held: Held, stock: Inventory, ask: Ask, sources: Iterable[Iri]) -> Iterator[Window]:
    """The rows within named windows; of the same series as at points."""
    listed = list(sources)
    asked = (window(held, stock, *one) for one in _series(held, stock, ask, listed, [at for at in ask.positions if at.wide]))
    at_ends = (_at_end(held, *one) for one in _series(held, stock, ask, listed, ask.edges))
    yield from islice((found for found in chain(asked, at_ends) if found), MOST_WINDOWS)


def window(held: Held, stock: Inventory, source: Iri, metric: Iri, entity: Iri | None, asked: Position) -> Window | None:
    """The rows of one series within a window; None where none stand there."""
    start, end, ends = bounds(stock, asked)
    near = asked.start if asked.around else None
    return _window(
        source, metric, entity, start, end, near, held.stretch(source, metric, entity, start, end, MOST, near, ends), ends
    )


def _window(
    source: Iri, metric: Iri, entity: Iri | None, start: Decimal, end: Decimal, near: Decimal | None, rows: Stretch, ends: str
) -> Window | None:
    """What stands there; where an end does not belong to it, up to its last row."""
    if not rows.readings:
        return None
    first, last = _at(rows.readings[0]), _at(rows.readings[-1])
    start = first if ends == OPEN_START or start <= -FARTHEST else start
    end = last if ends == OPEN_END or end >= FARTHEST else end
    return Window(source, metric, entity, start, end, near, rows.readings, rows.count)


def _at_end(held: Held, source: Iri, metric: Iri, entity: Iri | None, edge: Edge) -> Window | None:
    """The rows of one series at its beginning or its end: as long as is asked for, the row beyond it left out."""
    ends = held.stretch(source, metric, entity, -FARTHEST, FARTHEST, 2).readings
    if not ends:
        return None
    first, last = _at(ends[0]), _at(ends[-1])
    start, end = (last - edge.length, last) if edge.last else (first, first + edge.length)
    open_at = OPEN_START if edge.last else OPEN_END
    rows = held.stretch(source, metric, entity, start, end, MOST, ends=open_at)
    return _window(source, metric, entity, start, end, None, rows, open_at)


def _at(reading: Reading) -> Decimal:
    return Decimal(reading.at or reading.position)


def bounds(stock: Inventory, asked: Position) -> tuple[Decimal, Decimal, str]:
    """Where a position begins and ends, and which ends belong to it: what counts whole things is said up to the end of the last."""
    attribute = stock.attributes.get((asked.base, asked.attribute))
    if asked.end is not None:
        whole = asked.end > asked.start and not (attribute and attribute.unit and not attribute.dates)
        return asked.start, asked.end, OPEN_END if whole else CLOSED
    if asked.toward == "after":
        return asked.start, FARTHEST, CLOSED
    if asked.toward:
        return -FARTHEST, asked.start, OPEN_END if asked.toward == "before" else CLOSED
    wide = Decimal(attribute.window) if attribute and asked.around else Decimal(0)
    return asked.start - wide, asked.start + wide, CLOSED


def whose(held: Held, source: Iri, metric: Iri, ask: Ask, *, strict: bool) -> Sequence[Iri | None]:
    """The entities whose rows of a series are meant; None for a series that tells of one thing."""
    told = held.marks.entities(source, metric)
    if len(told) < 2:
        return (None,)
    return [entity for entity in told if entity in ask.entities] or ([] if strict else told)


def shared(stock: Inventory, ask: Ask, source: Iri) -> bool:
    """Whether a file tells of several things, and is addressed for the sake of one that is named: the others' values are not its."""
    file = stock.sources[source]
    named = source in (*ask.sources, *ask.carried) or file.base in ask.bases
    return not named and len(file.entities) > 1 and not set(ask.entities).isdisjoint(file.entities)


def _series(
    held: Held, stock: Inventory, ask: Ask, sources: Iterable[Iri], places: Sequence[P]
) -> Iterator[tuple[Iri, Iri, Iri | None, P]]:
    """The series of sources that a question means, each with each of the places on its axis."""
    for source in sources if places else ():
        here = [place for place in places if counts(stock.sources[source], place)]
        if not here or (ask.passage and not ask.metrics):
            continue
        strict = shared(stock, ask, source)
        for metric in sorted(ask.metrics) or held.marks.metrics(source):
            for place in here:
                for entity in whose(held, source, metric, ask, strict=strict):
                    yield source, metric, entity, place
