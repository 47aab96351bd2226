"""Values within a window of positions: rows as they stand, and nothing computed of them."""

import random
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loom.core.facts.absence import NO_CONTENT, NO_STATISTIC, NO_VALUE
from loom.core.facts.asked import Ask
from loom.core.facts.assembling import CUT, SKELETON, Ways, assemble
from loom.core.facts.choosing import Chosen, choose
from loom.core.facts.fetching import fetch
from loom.core.facts.hydrating import fetches
from loom.core.facts.inventory import inventory_of
from loom.core.facts.memory_held import MemoryHeld
from loom.core.facts.minting import fact_line, window_lines
from loom.core.facts.reading import read
from loom.core.facts.routing import route
from loom.core.facts.series import MOST
from loom.core.facts.thinning import kept
from loom.core.facts.values import Attribute, Base, Entity, Fact, Held, Metric, Reading, SourceFile
from loom.core.policy.packing import pack_lines
from loom.core.values import Evidence, Iri, Role

BASE = "urn:kb:tv:"
AMBER, CEDAR, FILE, OTHER, SHARE, HEAT = (
    BASE + name for name in ("entity/amber", "entity/cedar", "a.csv", "c.csv", "metric/share", "metric/heat")
)


def held(rows: int = 200, *, unit: str = "s", window: str = "10") -> MemoryHeld:
    """Two programmes of as many rows as are wanted, one a second; the first is lowest at 150 and highest at 20."""

    def value(source: Iri, at: int) -> str:
        return f"{(at * 37 + (11 if source == OTHER else 0)) % 97}.5"

    base = Base(
        BASE,
        "tv",
        "Television",
        "en",
        attributes=(
            Attribute("second", unit, (("second", "1"), ("seconds", "1"), ("minute", "60")), clock=True, window=window),
        ),
        sources=(
            SourceFile(FILE, BASE, "a.csv", "Amber Quay ratings", "series", (), "second", (AMBER,)),
            SourceFile(OTHER, BASE, "c.csv", "Cedar Lane ratings", "series", (), "second", (CEDAR,)),
        ),
        entities=(
            Entity(AMBER, BASE, "Amber Quay", (), (FILE,)),
            Entity(CEDAR, BASE, "Cedar Lane", (), (OTHER,)),
        ),
        metrics=(
            Metric(SHARE, BASE, "audience share", "%", (("en", "share"),), derived=("difference",)),
            Metric(HEAT, BASE, "heat", "K", (("en", "warmth"),)),
        ),
    )
    readings = [
        Reading(source, entity, SHARE, str(at), value(source, at), "%", at + 1)
        for source, entity in ((FILE, AMBER), (OTHER, CEDAR))
        for at in range(rows)
    ]
    facts = []
    for source, entity in ((FILE, AMBER), (OTHER, CEDAR)):
        mine = [one for one in readings if one.source == source]
        for name, best in (("max", max), ("min", min)):
            one = best(mine, key=lambda each: Decimal(each.value))
            iri = f"{source}/{name}"
            facts.append(
                Fact(
                    iri,
                    BASE,
                    source,
                    entity,
                    SHARE,
                    name,
                    one.value,
                    "%",
                    one.position,
                    one.row,
                    number=one.value,
                    at=one.position,
                )
            )
    return MemoryHeld([base], facts, (), readings)


def asked(text: str, bases: Held | None = None, **more: int) -> tuple[Ask, Chosen, list[Evidence]]:
    here = bases or held()
    stock, ask = inventory_of(here.bases), read(here, text)
    chosen = choose(here, stock, ask, route(here, ask))
    return ask, chosen, assemble(here, stock, ask, chosen, Ways(**more))


def answers(evidence: list[Evidence]) -> list[str]:
    return [
        line
        for each in evidence
        for line, stated in zip(each.lines, each.stated, strict=False)
        if stated and stated.role in (Role.ANSWER, Role.ABSENT)
    ]


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        *(("between 1:40 and 1:50", 100, 110), ("from second 100 to second 110", 100, 110), ("around 0:30", 20, 40)),
        *(("1:40-1:50", 100, 110), ("around second 5", 0, 15), ("between 3:10 and 9:00", 190, 199)),
    ],
)
def test_the_rows_of_a_window_are_given_with_both_of_its_ends(said: str, first: int, last: int) -> None:
    _, chosen, evidence = asked(f"What was the share of Amber Quay {said}?")
    (window,) = chosen.windows
    assert [int(one.position) for one in window.readings] == list(range(first, last + 1))
    assert window.count == last - first + 1
    told = [line for line in answers(evidence)]
    assert len(told) == window.count
    assert told[0].startswith("Amber Quay, audience share: ")
    assert all(line.endswith("[source: a.csv]") for line in told)
    assert not any("maximum" in line or "minimum" in line for line in told)


@pytest.mark.parametrize("word", ["highest", "lowest", "peak", "average", "last", "how many values of"])
def test_nothing_computed_of_a_whole_series_answers_within_a_window(word: str) -> None:
    ask, chosen, evidence = asked(f"What was the {word} share of Amber Quay between 1:00 and 1:20?")
    assert ask.windowed
    assert [note.kind for note in chosen.notes if "within" in note.text] == [NO_STATISTIC]
    told = answers(evidence)
    assert sum(line.startswith("Amber Quay, audience share: ") for line in told) == 21
    assert not any(fact_line(inventory_of(held().bases), fact)[0] in told for fact in chosen.facts)
    # What was computed of all of it is there, and says so by its position.
    assert any("maximum: " in line for each in evidence for line in each.lines)


def test_two_windows_are_not_compared_by_what_was_computed() -> None:
    _, chosen, evidence = asked("Compare the peak share of Amber Quay and Cedar Lane between 1:00 and 1:05.")
    assert [window.source for window in chosen.windows] == [FILE, OTHER]
    assert not any("difference" in line for each in evidence for line in each.lines)


def test_a_window_without_rows_is_told_to_be_empty() -> None:
    _, chosen, evidence = asked("What was the share of Amber Quay between 8:00 and 9:00?")
    assert [note.kind for note in chosen.notes] == [NO_VALUE]
    assert answers(evidence) == ['"Amber Quay" has no value of "audience share" within 8:00 and 9:00.']


@pytest.mark.parametrize("said", ["at second 20", "at 0:20", "around 0:20", "between 0:20 and 0:30"])
def test_where_a_value_stands_no_text_is_missed(said: str) -> None:
    for metric in ("share of", "state of"):
        _, chosen, _ = asked(f"What was the {metric} Amber Quay {said}?")
        assert NO_CONTENT not in [note.kind for note in chosen.notes]


def test_of_many_rows_the_ends_are_given_and_the_others_counted() -> None:
    _, chosen, evidence = asked("What was the share of Amber Quay between 0:10 and 2:50?", None, budget=4000)
    (window,) = chosen.windows
    assert (window.count, len(window.readings)) == (161, MOST)
    assert [window.readings[at].position for at in (0, MOST // 2 - 1, MOST // 2, -1)] == ["10", "29", "151", "170"]
    heading = next(line for each in evidence for line in each.lines if "rows:" in line)
    assert heading == "Amber Quay, audience share, second 10 to 170, rows: 161, the first and the last of them [source: a.csv]"


def test_around_a_point_the_nearest_are_given() -> None:
    _, chosen, evidence = asked("What was the share of Amber Quay around 3:00?", held(400, window="60"), budget=4000)
    (window,) = chosen.windows
    assert (window.count, len(window.readings)) == (121, MOST)
    assert (window.readings[0].position, window.readings[-1].position) == ("160", "199")
    assert [one.position for one in window.thinned(3).readings] == ["179", "180", "181"]
    assert any("rows: 121, the nearest of them" in line for each in evidence for line in each.lines)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**9), st.integers(40, 2500))
def test_rows_take_what_room_there_is_and_are_never_the_reason_to_refuse(seed: int, budget: int) -> None:
    draw = random.Random(seed)
    start, length = draw.randrange(150), draw.randrange(1, 160)
    names = draw.choice(("Amber Quay", "Cedar Lane", "Amber Quay and Cedar Lane"))
    _, chosen, evidence = asked(
        f"What was the share of {names} between second {start} and second {start + length}?", budget=budget
    )
    assert chosen.windows
    here = inventory_of(held().bases)
    shown = [line for each in evidence for line in each.lines]
    for window in chosen.windows:
        heading = [line for line in shown if line.startswith(window_lines(here, window)[0][0].split(", rows")[0])]
        if not heading:
            assert any(each.iri == CUT for each in evidence)
            continue
        rows = [line for line in shown if line in {line for line, _, _ in window_lines(here, window)[1:]}]
        assert len(rows) == window.count or "the first and the last of them" in heading[0]
        assert 2 <= len(rows) <= MOST or len(rows) == window.count
    asked_of = sum(len(line) + 1 for each in evidence if each.must for line in each.lines)
    if asked_of < budget * 2:
        pack_lines(evidence, budget)


def test_a_position_of_no_named_source_is_read_of_those_that_have_the_metric() -> None:
    _, chosen, evidence = asked("What was the share at second 20?")
    assert [(one.source, one.position) for one in chosen.more_readings] == [(FILE, "20"), (OTHER, "20")]
    assert [line.split(",")[0] for line in answers(evidence)] == ["Amber Quay", "Cedar Lane"]
    _, chosen, _ = asked("What was the share around second 20?")
    assert [window.source for window in chosen.windows] == [FILE, OTHER]


def test_rows_that_no_address_led_to_answer_nobody_that_is_not_known() -> None:
    _, chosen, evidence = asked("What was the share of the lighthouse keeper at second 20?")
    assert not any(line.startswith(("Amber", "Cedar")) for line in answers(evidence)), chosen.notes


def test_whole_things_are_counted_up_to_the_end_of_the_last() -> None:
    _, chosen, _ = asked("What was the share of Amber Quay from second 3 to second 5?", held(unit=""))
    assert [one.position for one in chosen.windows[0].readings] == ["3", "4", "5"]


def test_a_directive_for_a_range_of_a_series_fetches_its_rows() -> None:
    here = held()
    stock, ask = inventory_of(here.bases), Ask("what was there")
    got = fetch(here, stock, ask, fetches("HYDRATE: a.csv@10-13", here))
    assert [one.position for window in got.windows for one in window.readings] == ["10", "11", "12", "13"]


def test_a_skeleton_has_the_rows_too() -> None:
    _, _, evidence = asked("What was the share of Amber Quay around 0:30?", None)
    here = held()
    ask = read(here, "What was the share of Amber Quay around 0:30?")
    chosen = choose(here, inventory_of(here.bases), ask, route(here, ask))
    assert answers(assemble(here, inventory_of(here.bases), ask, chosen, Ways(context=SKELETON))) == answers(evidence)


@given(st.integers(0, 200), st.integers(1, 60), st.none() | st.integers(-5, 220))
def test_as_many_are_kept_as_are_wanted(count: int, most: int, near: int | None) -> None:
    rows = list(kept(count, most, near))
    assert len(rows) == min(count, most)
    assert rows == sorted(set(rows)) and all(0 <= row < count for row in rows)
    if near is None and most > 1 and count > 1:
        assert (rows[0], rows[-1]) == (0, count - 1)
    elif near is not None and 0 <= near < count and most < count:
        assert near in rows
