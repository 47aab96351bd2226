"""Computed facts and stated rows that an address or a metric leads to, and stated values that contradict one another.

What is asked for is given whole (R3). What is shown beside it while it fits is read up to as many as could fit, and counted beyond.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Generic, NamedTuple, TypeVar

from loom.core.facts.asked import Ask, Edge, Position
from loom.core.facts.inventory import Inventory
from loom.core.facts.values import STATISTICS, Fact, Held, SourceFile, StatedRow
from loom.core.values import Iri

MOST_BESIDE = 600
"""Values that are read of those that are shown while they fit, unless a window says that fewer could."""
MOST_TOGETHER, MOST_RIVALRIES = 40, 8
"""Values of one rivalry that are told, more are a list and no contradiction; rivalries among rows that need not be shown."""

T = TypeVar("T")


class Read(NamedTuple, Generic[T]):
    """What was read, and how many more there are."""

    kept: tuple[T, ...] = ()
    left: int = 0


def counts(source: SourceFile, position: Position | Edge) -> bool:
    """Whether a position is one of the source's attribute."""
    return source.base == position.base and source.attribute == position.attribute


def facts(
    held: Held,
    stock: Inventory,
    ask: Ask,
    sources: Iterable[Iri],
    most: int | None = None,
    only: Collection[Iri] | None = None,
) -> Read[Fact]:
    """Computed facts of the asked metrics, or of all where none is asked; what is asked for first, then in a fixed order. Of a source
    that tells of named entities, theirs. With `only`, those of these entities."""
    wanted = {statistic: place for place, statistic in enumerate(ask.statistics)}
    kept: list[Fact] = []
    left: list[Iri] = []

    def order(fact: Fact) -> tuple[Iri, Iri, int, int, Iri]:
        last = len(wanted)
        return (fact.entity, fact.metric, wanted.get(fact.statistic, last), STATISTICS.index(fact.statistic), fact.iri)

    for source in sources:
        if most is not None and len(kept) >= most:
            left.append(source)
            continue
        # A table of a million stated rows is not walked through for what was computed of it.
        if stock.sources[source].kind == "table" and not held.marks.computed((source,)):
            continue
        names = STATISTICS if stock.sources[source].kind == "table" else (None,)
        asked = tuple(sorted(ask.metrics)) or (None,)
        found = [
            one for metric in asked for name in names for one in held.facts(source, metric, name) if one.statistic != "stated"
        ]
        about = [one for one in found if one.entity in ask.entities] or found
        kept += sorted((one for one in about if only is None or one.entity in only), key=order)
    over = max(0, len(kept) - most) if most is not None else 0
    beyond = held.marks.computed(left, sorted(ask.metrics), only or ask.entities, alone=only is not None) if left else 0
    return Read(tuple(kept[: len(kept) - over]), over + beyond)


def rows(
    held: Held, stock: Inventory, ask: Ask, sources: Iterable[Iri], most: int, only: Collection[Iri] | None = None
) -> Read[StatedRow]:
    """Stated rows that hold an asked metric, at an asked position where one is asked; all of a source where no metric is."""
    kept: list[StatedRow] = []
    left = 0
    for source in sources:
        file = stock.sources[source]
        if file.kind != "table":
            continue
        at = tuple((one.start, one.end) for one in ask.positions if counts(file, one))
        found = held.stated(source, sorted(ask.metrics), frozenset(ask.entities), at)
        if not len(found) or (only is not None and found[0].entity not in only):
            continue
        taken = found[: max(0, most - len(kept))]
        kept += taken
        left += len(found) - len(taken)
    return Read(tuple(kept), left)


def rivals(held: Held, rows: Sequence[StatedRow]) -> Iterator[tuple[Fact, ...]]:
    """Stated values of the rows that contradict one another: of one metric, entity and position, and not one number (R32).

    Rows without a position, in a file that is about one entity, are a list of things: they are no rivals.
    """
    groups: dict[tuple[Iri, Iri, str], list[Fact]] = {}
    for source in sorted({row.source for row in rows}):
        for fact in held.rivals(source, sorted({row.row for row in rows if row.source == source})):
            groups.setdefault((fact.metric, fact.entity, fact.at or fact.position), []).append(fact)
    for key in sorted(groups):
        found = sorted(groups[key], key=lambda fact: (fact.source, fact.row))
        differ = len({Decimal(fact.number) if fact.number else fact.value for fact in found}) > 1
        if differ and len(found) <= MOST_TOGETHER:
            yield tuple(found)
