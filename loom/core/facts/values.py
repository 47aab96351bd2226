"""Knowledge bases as values: what a producer declares of its files, and what is computed from them before anybody asks.

Values and positions keep their source text; arithmetic is decimal. The query plane knows no metric, unit or format by name: it
reads what is declared here (specs: seed 003 §3 to §5).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Protocol

from loom.core.values import Iri, Where

if TYPE_CHECKING:
    from loom.core.facts.marks import Marks

Names = tuple[tuple[str, str], ...]
"""(language, name) pairs; language is "" where it is not stated."""

KINDS = ("series", "transcript", "document", "text", "table")
STATISTICS = ("min", "max", "first", "last", "count", "mean")
"""Statistics that a metric may have; mean only where it is declared."""
DERIVED = ("difference", "percent_change")
"""What may be computed between two facts of a metric, where it is declared."""

NOWHERE = Where("")

Bounds = tuple[Decimal, Decimal | None]
"""Positions from a start up to an end, or the one at the start."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """An ordered attribute: what positions are counted in.

    `words` are (word, factor): a number beside such a word is a position of that many units ("minute", "60" where `name` is second).
    `clock` says whether mm:ss and h:mm:ss are positions too, `dates` that days are, and nothing else: yyyy-mm-dd in files, counted
    from 1970-01-01. `window` is what "around" means, in units to either side. `shared`
    says that all files of the base lie on one axis, whatever they are about.
    """

    name: str
    unit: str = ""
    words: tuple[tuple[str, str], ...] = ()
    clock: bool = False
    window: str = "30"
    shared: bool = False
    dates: bool = False


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of the inventory. `entities` are the IRIs of what it is about; `attribute` names its positions ("" has none).
    `kind` is one of KINDS."""

    iri: Iri
    base: Iri
    name: str
    title: str
    kind: str
    aliases: Names = ()
    attribute: str = ""
    entities: tuple[Iri, ...] = ()
    where: Where = NOWHERE


@dataclass(frozen=True, slots=True)
class Entity:
    """Something that files are about: a programme, a patient, a product. `concept` is its IRI in the ontology, "" where none; where
    the generation has that concept, `titled` is its title, and `labels` are its names that nobody declares."""

    iri: Iri
    base: Iri
    name: str
    aliases: Names = ()
    sources: tuple[Iri, ...] = ()
    concept: Iri = ""
    titled: str = ""
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Metric:
    """A declared metric. `words` are all of its surface forms, by language; `statistics` of STATISTICS, `derived` of DERIVED."""

    iri: Iri
    base: Iri
    name: str
    unit: str = ""
    words: Names = ()
    statistics: tuple[str, ...] = ("min", "max", "first", "last", "count")
    derived: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Base:
    """A knowledge base: its inventory, and what tells it from the others.

    `descriptor` are (term, weight) of its content, generic terms left out (R8); `threshold` is the activation that a region has to
    exceed, fixed at build by unrelated probes (R12).
    """

    iri: Iri
    id: str
    title: str
    language: str = ""
    aliases: Names = ()
    attributes: tuple[Attribute, ...] = ()
    sources: tuple[SourceFile, ...] = ()
    entities: tuple[Entity, ...] = ()
    metrics: tuple[Metric, ...] = ()
    descriptor: tuple[tuple[str, float], ...] = ()
    threshold: float = 0.0


@dataclass(frozen=True, slots=True)
class Fact:
    """One computed or stated value. `value` and `position` are as the source writes them; `row` is its row there, from 1.

    `statistic` is one of STATISTICS, or "stated" for a row of a stated table. `ties` counts further rows of the same value (the
    lowest position is given); `span` is the unit of content at its position, "" where there is none. `number` and `at` are the
    value and its position as plain decimals ("1.234,5" is "1234.5", "02:26" is "146"), for arithmetic and looking up, never for
    showing; "" where there is none. `skipped` counts rows of the series that hold no number or no position.
    """

    iri: Iri
    base: Iri
    source: Iri
    entity: Iri
    metric: Iri
    statistic: str
    value: str
    unit: str = ""
    position: str = ""
    row: int = 0
    ties: int = 0
    span: Iri = ""
    skipped: int = 0
    number: str = ""
    at: str = ""


@dataclass(frozen=True, slots=True)
class Span:
    """A unit of content at [start, end) of its source's attribute; `end` is None for the last, which is open.

    `label` is how its place reads ("[02:26]", "section 4"); `text` is verbatim.
    """

    iri: Iri
    base: Iri
    source: Iri
    start: Decimal
    end: Decimal | None
    label: str
    text: str
    where: Where = NOWHERE


@dataclass(frozen=True, slots=True)
class Reading:
    """One row of a series: the value at a position, as the source writes both; `span` is the unit there, "" where none. `at` is the
    position as a plain decimal, "" where `position` is one already."""

    source: Iri
    entity: Iri
    metric: Iri
    position: str
    value: str
    unit: str
    row: int
    span: Iri = ""
    at: str = ""


CLOSED, OPEN_END, OPEN_START = "[]", "[)", "(]"
"""Which ends of a window belong to it."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Rows of one series that stand in a window, by position and then by row: all of them, or as many as were wanted; `count` is how
    many there are."""

    readings: tuple[Reading, ...] = ()
    count: int = 0


@dataclass(frozen=True, slots=True)
class StatedRow:
    """A row of a stated table, verbatim; `row` is its number in the source."""

    source: Iri
    header: tuple[str, ...]
    cells: tuple[str, ...]
    row: int
    entity: Iri = ""


class Held(Protocol):
    """What the query plane may ask of the bases of a generation. Everything is by IRI and in a stated order (IRI, then position);
    nothing is found by likeness. The sealed parts give it, and `MemoryHeld` does in memory."""

    @property
    def bases(self) -> Sequence[Base]: ...
    def facts(self, source: Iri | None = None, metric: Iri | None = None, statistic: str | None = None) -> Sequence[Fact]: ...
    def fact(self, iri: Iri) -> Fact | None: ...
    def at(self, source: Iri, position: Decimal) -> Span | None: ...
    def window(self, source: Iri, start: Decimal, end: Decimal) -> Sequence[Span]: ...
    def spans(self, source: Iri) -> Sequence[Span]: ...
    def span(self, iri: Iri) -> Span | None: ...
    def reading(self, source: Iri, metric: Iri, position: Decimal, entity: Iri | None = None) -> Reading | None: ...
    def stretch(
        self,
        source: Iri,
        metric: Iri,
        entity: Iri | None,
        start: Decimal,
        end: Decimal,
        most: int,
        near: Decimal | None = None,
        ends: str = CLOSED,
    ) -> Stretch: ...
    def table(self, source: Iri) -> Sequence[StatedRow]: ...
    def row(self, source: Iri, number: int) -> StatedRow | None: ...
    def stated(
        self, source: Iri, metrics: Sequence[Iri], entities: frozenset[Iri], positions: Sequence[Bounds]
    ) -> Sequence[StatedRow]: ...
    def rivals(self, source: Iri, rows: Sequence[int]) -> Sequence[Fact]: ...
    @property
    def marks(self) -> "Marks": ...
    def search(
        self, terms: Sequence[str], limit: int, sources: frozenset[Iri] | None = None
    ) -> Sequence[tuple[Iri, float]]: ...
    def hits(self, terms: Sequence[str], limit: int, sources: frozenset[Iri]) -> Sequence[tuple[Iri, Iri, float]]: ...
