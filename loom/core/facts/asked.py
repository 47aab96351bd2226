"""What a question asks of the knowledge bases, read by declared names alone; and where it is answered from."""

from dataclasses import dataclass
from decimal import Decimal

from loom.core.values import Iri


@dataclass(frozen=True, slots=True)
class Position:
    """A position that a question states, in units of an attribute of `base`; `end` is None for a point. `around` widens a point by
    the attribute's window; `toward` is before, until or after where values on one side of a point are asked for. `text` is how the
    question says it."""

    base: Iri
    attribute: str
    start: Decimal
    end: Decimal | None = None
    around: bool = False
    text: str = ""
    toward: str = ""

    @property
    def wide(self) -> bool:
        """Whether it is a window, and no point."""
        return self.around or self.end is not None or bool(self.toward)


@dataclass(frozen=True, slots=True)
class Edge:
    """A stretch at the beginning or the end of something ("the first 20 WORD", "the last WORD"), in units of an attribute of `base`.
    `text` is how the question says it."""

    base: Iri
    attribute: str
    length: Decimal
    last: bool
    text: str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """A question as it was read (R4, R5, R9, R10, R15 to R17).

    `sources`, `bases` and `entities` are named ones; `sources` includes files of named entities only where a file itself is named.
    `metrics` are those whose declared words stand in the question, `statistics` those asked for ("when did it peak" asks for max),
    () where none is said. `compares` says whether values of several are to be held against one another; `passage` whether an event,
    scene or wording is asked for. `unowned` are named-looking references that nobody owns; `carried` are sources of earlier answers
    that an anaphoric follow-up means. `loose` are metrics that only words which anything may be called by stand for, and that no named
    base has: they are asked of what is named nowhere. `edges` are stretches at an end; `uncomputed` are statistics that are asked for
    and that nobody computes, as the question says them; `unplaced` are times beside a metric that no axis of what is named reads.
    """

    text: str
    language: str = ""
    bases: tuple[Iri, ...] = ()
    sources: tuple[Iri, ...] = ()
    entities: tuple[Iri, ...] = ()
    metrics: tuple[Iri, ...] = ()
    statistics: tuple[str, ...] = ()
    positions: tuple[Position, ...] = ()
    compares: bool = False
    passage: bool = False
    unowned: tuple[str, ...] = ()
    carried: tuple[Iri, ...] = ()
    loose: tuple[Iri, ...] = ()
    edges: tuple[Edge, ...] = ()
    uncomputed: tuple[str, ...] = ()
    unplaced: tuple[str, ...] = ()

    @property
    def windowed(self) -> bool:
        """Whether values within a window are asked for: what was computed of a whole series is none of them."""
        return bool(self.edges) or any(position.wide for position in self.positions)


@dataclass(frozen=True, slots=True)
class Note:
    """A deterministic sentence about what is not there: an absent source, a metric that a source has not, a position in a gap."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Route:
    """Where a question is answered from. `bases` are routed ones with their scores, best first, ties by IRI; `committed` says
    whether an address bound it to them (R11); `sources` is the address set that discovered fill is held to (R19), empty where
    nothing is addressed."""

    bases: tuple[tuple[Iri, float], ...] = ()
    committed: bool = False
    sources: frozenset[Iri] = frozenset()
    notes: tuple[Note, ...] = ()
