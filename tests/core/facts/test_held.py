"""What every `Held` promises, in memory as sealed."""

import random
from decimal import Decimal

import pytest
from support import held_bases as tv
from support.held_bases import sealed_held

from loom.core.facts.memory_held import MemoryHeld
from loom.core.facts.values import Held


@pytest.fixture(params=["memory", "sealed"])
def held(request: pytest.FixtureRequest) -> Held:
    if request.param == "sealed":
        return sealed_held([tv.content()])
    draw = random.Random(7)
    facts, spans, readings, rows = tv.facts(), tv.spans(), tv.readings(), tv.rows()
    draw.shuffle(facts)
    draw.shuffle(readings)
    draw.shuffle(rows)
    draw.shuffle(spans)
    return MemoryHeld([tv.base()], facts, spans, readings, rows)


def test_a_base_is_given_as_it_was_declared(held: Held) -> None:
    assert list(held.bases) == [tv.base()]


def test_facts_are_filtered_and_come_by_iri(held: Held) -> None:
    assert list(held.facts()) == sorted(tv.facts(), key=lambda fact: fact.iri)
    assert [fact.value for fact in held.facts(source=tv.RATINGS, metric=tv.SHARE, statistic="max")] == ["37.50"]
    assert [fact.statistic for fact in held.facts(metric=tv.SHARE)] == ["count", "max", "min"]
    assert not held.facts(source=tv.TALK)
    assert not held.facts(metric="urn:none")
    assert not held.facts(statistic="median")


def test_a_fact_is_found_by_its_iri_alone(held: Held) -> None:
    fact = held.fact(tv.PEAK)
    assert fact is not None
    assert (fact.value, fact.position, fact.row, fact.ties, fact.skipped) == ("37.50", "30.0", 4, 0, 2)
    assert held.fact(tv.PEAK + "x") is None


@pytest.mark.parametrize(
    ("position", "number"),
    [
        *(("0", 1), ("10.4999", 1), ("10.5", 2), ("19.99", 2), ("20", None), ("24.9999999", None), ("25", 3), ("30", 4)),
        *(("34.9", 4), ("35", 3), ("40", 5), ("1e9", 5), ("99999999999999999999999.5", 5), ("-0.0001", None), ("-1e30", None)),
    ],
)
def test_a_point_belongs_to_the_unit_that_begins_last(held: Held, position: str, number: int | None) -> None:
    span = held.at(tv.TALK, Decimal(position))
    assert (span.iri if span else None) == (f"{tv.BASE}span/a-talk.txt/{number}" if number else None)


@pytest.mark.parametrize(
    ("start", "end", "numbers"),
    [
        *(("10.5", "25", [2]), ("10.4", "25.001", [1, 2, 3]), ("20", "25", []), ("33", "34", [3, 4]), ("35", "41", [3, 5])),
        *(("50", "60", [5]), ("-5", "0", []), ("0", "1e30", [1, 2, 3, 4, 5]), ("-1e30", "0.00000001", [1])),
    ],
)
def test_a_window_gives_all_units_that_overlap_it(held: Held, start: str, end: str, numbers: list[int]) -> None:
    found = [span.iri.rsplit("/", 1)[1] for span in held.window(tv.TALK, Decimal(start), Decimal(end))]
    assert found == [str(number) for number in numbers]


def test_the_last_unit_of_another_source_is_closed_where_it_says_so(held: Held) -> None:
    assert held.at(tv.SHORT, Decimal(9)) is None
    assert [span.text for span in held.spans(tv.SHORT)] == ["Boats in the harbour."]
    assert not held.spans("urn:none")
    assert held.at("urn:none", Decimal(1)) is None
    assert not held.window("urn:none", Decimal(1), Decimal(2))


def test_spans_come_by_start_and_are_found_by_iri(held: Held) -> None:
    mine = [span for span in tv.spans() if span.source == tv.TALK]
    assert list(held.spans(tv.TALK)) == mine
    assert list(held.spans(tv.TALK)[1:3]) == mine[1:3]
    assert len(held.spans(tv.TALK)) == len(mine)
    assert [held.span(span.iri) for span in mine] == mine
    assert held.span("urn:none") is None


def test_a_reading_is_the_lowest_row_at_exactly_that_position(held: Held) -> None:
    reading = held.reading(tv.RATINGS, tv.SHARE, Decimal("12.00"))
    assert reading is not None
    assert (reading.value, reading.position, reading.row) == ("19.20", "12", 2)
    assert reading.span == f"{tv.BASE}span/a-talk.txt/2"
    assert [held.reading(tv.RATINGS, tv.SHARE, Decimal(at)) for at in ("0", "30", "22")] == [
        one for one in tv.readings() if one.row in (1, 4, 5)
    ]
    assert held.reading(tv.RATINGS, tv.SHARE, Decimal("12.01")) is None
    assert held.reading(tv.RATINGS, "urn:none", Decimal(12)) is None
    assert held.reading(tv.TALK, tv.SHARE, Decimal(12)) is None


def test_a_stated_table_keeps_its_rows_in_order(held: Held) -> None:
    assert list(held.table(tv.PACKAGES)) == tv.rows()
    assert list(held.table(tv.PACKAGES)[1:]) == tv.rows()[1:]
    assert held.table(tv.PACKAGES)[-1] == tv.rows()[-1]
    assert not held.table(tv.RATINGS)


def test_search_finds_words_in_texts_rows_and_names(held: Held) -> None:
    assert [iri for iri, _ in held.search(["ledger"], 5)] == [f"{tv.BASE}span/a-talk.txt/{number}" for number in (2, 3)]
    assert held.search(["Gold"], 5)[0][0] == tv.STATED
    assert [iri for iri, _ in held.search(["Silver"], 5)] == [tv.PACKAGES]  # a row that states no value is its table's
    assert {iri for iri, _ in held.search(["quota"], 5)} == {tv.SHARE}
    assert {iri for iri, _ in held.search(["Aceri"], 5)} == {tv.TALK, tv.MAPLE}
    assert not held.search(["nothing"], 5)
    assert not held.search([], 5)


def test_search_is_held_to_sources(held: Held) -> None:
    only = frozenset({tv.SHORT})
    assert {iri for iri, _ in held.search(["harbour"], 9, only)} == {f"{tv.BASE}span/b-talk.srt/1", tv.SHORT}
    assert not held.search(["harbour"], 9, frozenset())
    scores = [score for _, score in held.search(["harbour", "ledger"], 9)]
    assert scores == sorted(scores, reverse=True)
    assert len(held.search(["harbour", "ledger"], 2)) == 2


def test_hits_are_what_a_search_gives_with_the_source_of_each(held: Held) -> None:
    for words in (["harbour", "ledger"], ["lamps"], ["gold", "price"], ["nowhere"], []):
        for sources in (frozenset((tv.TALK,)), frozenset((tv.TALK, tv.SHORT, tv.PACKAGES)), frozenset(("urn:none",))):
            hits = held.hits(words, 4, sources)
            assert [(iri, score) for iri, _, score in hits] == list(held.search(words, 4, sources))
            for iri, source, _ in hits:
                span, fact = held.span(iri), held.fact(iri)
                assert source == (span.source if span else fact.source if fact else iri)


@pytest.mark.parametrize(
    ("start", "end", "ends", "rows"),
    [
        *(("0", "30", "[]", [1, 2, 3, 5, 4]), ("0", "30", "[)", [1, 2, 3, 5]), ("12", "22", "[]", [2, 3, 5])),
        *(("0.1", "11.99", "[]", []), ("11.99", "12.01", "[]", [2, 3]), ("30.0", "30", "[]", [4]), ("30", "30", "[)", [])),
        *(("-1e30", "1e30", "[]", [1, 2, 3, 5, 4]), ("40", "30", "[]", []), ("22.5", "29.9999999999", "[]", [])),
        *(("12", "30", "(]", [5, 4]), ("11.999", "30", "(]", [2, 3, 5, 4]), ("30", "30", "(]", [])),
    ],
)
def test_a_stretch_gives_the_rows_of_a_window_in_its_order(
    held: Held, start: str, end: str, ends: str, rows: list[int]
) -> None:
    found = held.stretch(tv.RATINGS, tv.SHARE, None, Decimal(start), Decimal(end), 9, ends=ends)
    assert [one.row for one in found.readings] == rows
    assert found.count == len(rows)
    assert all(one in tv.readings() for one in found.readings)
    assert held.stretch(tv.RATINGS, tv.SHARE, tv.MAPLE, Decimal(start), Decimal(end), 9, ends=ends) == found


@pytest.mark.parametrize(
    ("most", "near", "rows"),
    [
        *((3, None, [1, 2, 4]), (2, None, [1, 4]), (1, None, [1]), (4, None, [1, 2, 5, 4])),
        *((3, "22", [3, 5, 4]), (3, "23", [3, 5, 4]), (1, "12", [2]), (3, "-5", [1, 2, 3]), (3, "12", [1, 2, 3])),
    ],
)
def test_of_many_rows_the_ends_are_given_or_those_next_to_a_point(
    held: Held, most: int, near: str | None, rows: list[int]
) -> None:
    found = held.stretch(tv.RATINGS, tv.SHARE, None, Decimal(0), Decimal(30), most, Decimal(near) if near else None)
    assert ([one.row for one in found.readings], found.count) == (rows, 5)


def test_who_has_no_series_has_no_stretch(held: Held) -> None:
    for source, metric, entity in (
        (tv.TALK, tv.SHARE, None),
        (tv.RATINGS, "urn:none", None),
        (tv.RATINGS, tv.SHARE, "urn:none"),
    ):
        assert held.stretch(source, metric, entity, Decimal(0), Decimal(30), 9).count == 0
