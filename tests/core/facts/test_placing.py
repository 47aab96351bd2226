"""What was there at each observation: against comparing every reading with every unit, and never across programmes."""

from dataclasses import replace
from decimal import Decimal

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from support import held_bases as tv

from loom.core.facts.aligning import NONE
from loom.core.facts.content import BaseContent, HeldSeries
from loom.core.facts.gathering import ColumnsBuilder
from loom.core.facts.sealed import joined
from loom.core.facts.values import Attribute, Base, SourceFile

BOUNDS = st.integers(0, 60).map(lambda tenths: Decimal(tenths) / 10)
UNITS = st.lists(st.tuples(BOUNDS, st.none() | BOUNDS), max_size=6)
OTHER = tv.BASE + "entity/other"


def series(positions: list[int]) -> HeldSeries:
    builder = ColumnsBuilder()
    count = len(positions)
    keys = np.array(positions, np.int64)
    builder.add(keys, 1, [str(Decimal(at) / 10) for at in positions], np.arange(1, count + 1), ["1"] * count, np.ones(count))
    return HeldSeries(tv.RATINGS, tv.MAPLE, tv.SHARE, "%", builder.finish())


def base(*, about: str = tv.MAPLE, kinds: tuple[str, str] = ("transcript", "transcript"), shared: bool = False) -> Base:
    """A base with two content files: the first about the programme of the ratings, the second about `about`."""
    one = tv.base()
    talk, short = (
        SourceFile(iri, tv.BASE, iri[-5:], iri[-5:], kind, (), "second", (entity,))
        for iri, kind, entity in ((tv.TALK, kinds[0], tv.MAPLE), (tv.SHORT, kinds[1], about))
    )
    return replace(one, sources=(one.sources[0], talk, short), attributes=(Attribute("second", shared=shared),))


@settings(max_examples=400, deadline=None)
@given(st.lists(st.integers(0, 70), min_size=1, max_size=8), UNITS, UNITS, st.booleans(), st.booleans())
def test_readings_meet_the_first_file_that_has_a_unit_there(
    positions: list[int],
    talk: list[tuple[Decimal, Decimal | None]],
    short: list[tuple[Decimal, Decimal | None]],
    mine: bool,
    turned: bool,
) -> None:
    kinds = ("document", "transcript") if turned else ("transcript", "document")
    spans = [
        tv.span(at, str(start), None if end is None else str(end), "words", source)
        for source, units in ((tv.TALK, talk), (tv.SHORT, short))
        for at, (start, end) in enumerate(units, 1)
    ]
    held = series(positions)
    ordered, (placed,) = joined([BaseContent(base(about=tv.MAPLE if mine else OTHER, kinds=kinds), spans=spans, series=[held])])
    allowed = [tv.TALK, tv.SHORT] if mine else [tv.TALK]
    for key, number in zip(held.columns.keys.tolist(), placed.series[0].spans.tolist(), strict=True):
        position = Decimal(key) / 10
        holding = {
            source: [
                span
                for span in ordered
                if span.source == source and span.start <= position and (span.end is None or position < span.end)
            ]
            for source in (sorted(allowed, reverse=True) if turned else allowed)
        }
        first = next((found for found in holding.values() if found), None)
        assert (ordered[number] if number != NONE else None) == (first[-1] if first else None)


def test_an_axis_is_shared_where_the_manifest_says_so() -> None:
    unit = tv.span(1, "0", "5", "words", tv.SHORT)
    for shared in (False, True):
        _, (placed,) = joined([BaseContent(base(about=OTHER, shared=shared), spans=[unit], series=[series([10])])])
        assert placed.series[0].spans.tolist() == ([0] if shared else [NONE])
