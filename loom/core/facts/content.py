"""What a knowledge base holds, as a build takes it over from a reader."""

from collections.abc import Sequence
from dataclasses import dataclass

from loom.core.facts.columns import SeriesColumns
from loom.core.facts.values import Base, Fact, Span, StatedRow
from loom.core.values import Iri


@dataclass(frozen=True, slots=True, eq=False)
class HeldSeries:
    """The readings of one metric of one entity in one source."""

    source: Iri
    entity: Iri
    metric: Iri
    unit: str
    columns: SeriesColumns


@dataclass(frozen=True, slots=True, eq=False)
class BaseContent:
    """A base with everything that its files hold. Facts have no `span` yet: a build finds it when it joins them with the spans."""

    base: Base
    facts: Sequence[Fact] = ()
    spans: Sequence[Span] = ()
    series: Sequence[HeldSeries] = ()
    rows: Sequence[StatedRow] = ()
