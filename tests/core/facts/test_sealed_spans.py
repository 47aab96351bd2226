"""Sealed spans answer points and windows as those in memory do, whatever their bounds."""

from decimal import Decimal
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st
from support import held_bases as tv
from support.held_bases import sealed_held

from loom.core.facts.content import BaseContent
from loom.core.facts.memory_held import MemoryHeld

BOUNDS = st.decimals(min_value=-50, max_value=50, places=2) | st.integers(-50, 50).map(Decimal)
UNITS = st.lists(st.tuples(BOUNDS, st.none() | BOUNDS, st.sampled_from([tv.TALK, tv.SHORT])), max_size=10)


@settings(max_examples=300, deadline=None)
@given(UNITS, st.lists(BOUNDS, min_size=2, max_size=6))
def test_points_and_windows(units: list[tuple[Decimal, Decimal | None, str]], asked: list[Decimal]) -> None:
    spans = [
        tv.span(number, str(start), None if end is None else str(end), f"unit {number}", source)
        for number, (start, end, source) in enumerate(units, 1)
    ]
    memory, sealed = MemoryHeld(spans=spans), sealed_held([BaseContent(tv.base(), spans=spans)])
    for source in (tv.TALK, tv.SHORT):
        assert list(sealed.spans(source)) == list(memory.spans(source))
        for start, end in pairwise(asked):
            assert sealed.at(source, start) == memory.at(source, start)
            assert sealed.window(source, start, end) == memory.window(source, start, end)


WORDS = st.lists(st.sampled_from("quay lamp storm ledger bell boat".split()), max_size=9).map(" ".join)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(WORDS, max_size=12),
    WORDS,
    st.integers(0, 6),
    st.none() | st.sampled_from([frozenset({tv.TALK}), frozenset({tv.SHORT})]),
)
def test_search(texts: list[str], asked: str, limit: int, only: frozenset[str] | None) -> None:
    spans = [tv.span(at, str(at), str(at + 1), text, (tv.TALK, tv.SHORT)[at % 2]) for at, text in enumerate(texts)]
    memory, sealed = MemoryHeld([tv.base()], spans=spans), sealed_held([BaseContent(tv.base(), spans=spans)])
    assert sealed.search(asked.split(), limit, only) == memory.search(asked.split(), limit, only)


def test_the_same_base_gives_the_same_bytes_in_any_order() -> None:
    from loom.core.facts.sealed import joined, press

    def pressed(content: BaseContent) -> dict[tuple[str, str], bytes]:
        ordered, found = joined([content])
        return {
            (part, name): data if isinstance(data, bytes) else data.tobytes()
            for part, files in press([content], ordered, found)
            for name, data in files.items()
        }

    one = tv.content()
    other = BaseContent(one.base, one.facts[::-1], sorted(one.spans, key=lambda span: span.text), one.series, one.rows[::-1])
    assert pressed(one) == pressed(other)
    assert len(pressed(one)) > 40
