"""Positions in questions, by declared attributes alone."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loom.core.facts.positions import read_positions
from loom.core.facts.tokens import normal, tokens_of
from loom.core.facts.values import Attribute, Base, Metric

SECOND = Attribute(
    "second",
    "s",
    (
        ("seconds", "1"),
        ("minute", "60"),
        ("minutes", "60"),
        ("secondo", "1"),
        ("minuto", "60"),
        ("minuti", "60"),
        ("Minute", "60"),
    ),
    clock=True,
)
SCENE = Attribute("scene", "", (("scenes", "1"), ("Szene", "1")))
FILMS = Base("urn:f:", "f", "Films", attributes=(SECOND, SCENE))
TICKS = Base("urn:t:", "t", "Ticks", attributes=(Attribute("tick", "", (("media tick", "10"),)),))


def found(text: str, *bases: Base, language: str = "en") -> list[tuple[str, str, str | None, bool]]:
    text = normal(text)
    read = read_positions(text, tokens_of(text), bases or (FILMS, TICKS), language)
    return [
        (p.attribute, format(p.start.normalize(), "f"), None if p.end is None else format(p.end.normalize(), "f"), p.around)
        for p, _, _ in read
    ]


@pytest.mark.parametrize(
    ("text", "attribute", "start"),
    [
        ("at second 146", "second", "146"),
        ("at second no. 146", "second", "146"),
        ("at [02:26] please", "second", "146"),
        ("at 2:26", "second", "146"),
        ("at 2:26?", "second", "146"),
        ("at 1:02:26.", "second", "3746"),
        ("at 02:26,5", "second", "146.5"),
        ("in minute 2", "second", "120"),
        ("in minute 2.5", "second", "150"),
        ("146 seconds in", "second", "146"),
        ("146s in", "second", "146"),
        ("the 146th second", "second", "146"),
        ("2 minutes and 26 seconds in", "second", "146"),
        ("2 minutes 26 seconds in", "second", "146"),
        ("minute 2 second 26", "second", "146"),
        ("minute 2, second 26", "second", "146"),
        ("second 1,740", "second", "1740"),
        ("al minuto 2", "second", "120"),
        ("in scene 3", "scene", "3"),
        ("the 3rd scene", "scene", "3"),
        ("SCENE #3", "scene", "3"),
        ("tick 7", "tick", "7"),
        ("media tick 7", "tick", "70"),
        ("in scene three", "scene", "3"),
        ("in the third scene", "scene", "3"),
        ("the twenty-first scene", "scene", "21"),
        ("at minute two", "second", "120"),
        ("al minuto due", "second", "120"),
        ("at minute two, second twenty-six", "second", "146"),
        ("one hundred and forty-six seconds in", "second", "146"),
        ("al secondo centoquarantasei", "second", "146"),
        ("146 s in", "second", "146"),
        ("two minutes and twenty-six seconds in", "second", "146"),
        ("one minute and twenty seconds in", "second", "80"),
        ("two minutes in", "second", "120"),
        ("after two minutes", "second", "120"),
        ("minute two and a half", "second", "150"),
        ("minute 2 and a half", "second", "150"),
        ("minute 2 1/2", "second", "150"),
        ("al minuto due e mezzo", "second", "150"),
        ("at second -5", "second", "-5"),
        ("at second −5", "second", "-5"),
        ("at second 1.46e2", "second", "146"),
        ("at second 1e1?", "second", "10"),
    ],
)
def test_a_point(text: str, attribute: str, start: str) -> None:
    assert found(text) == [(attribute, start, None, False)]


@pytest.mark.parametrize(("text", "start"), [("secondo 1.740", "1740"), ("secondo 1,5", "1.5")])
def test_marks_are_read_by_the_language(text: str, start: str) -> None:
    assert found(text, language="it") == [("second", start, None, False)]


@pytest.mark.parametrize(
    "text",
    [
        *("around 2:26", "about second 146", "at around the 146th second", "circa al secondo 146", "intorno a 2:26", "~2:26"),
        *("attorno al secondo 146", "gegen 2:26", "um 2:26 herum", "vers 2:26", "autour de 2:26", "hacia 2:26", "near [02:26]"),
    ],
)
def test_around(text: str) -> None:
    assert found(text) == [("second", "146", None, True)]


@pytest.mark.parametrize(
    ("text", "attribute", "start", "end"),
    [
        ("from 2:00 to 2:30", "second", "120", "150"),
        ("2:00-2:30", "second", "120", "150"),
        ("[02:00]–[02:30]", "second", "120", "150"),
        ("between 2:00 and 2:30", "second", "120", "150"),
        ("between minute 2 and minute 4", "second", "120", "240"),
        ("from second 10 to 20", "second", "10", "20"),
        ("from 10 to 20 seconds", "second", "10", "20"),
        ("between 2 and 4 minutes", "second", "120", "240"),
        ("from the 2nd minute to the 4th minute", "second", "120", "240"),
        ("from 2:30 to 2:00", "second", "120", "150"),
        ("dalle 2:00 alle 2:30", "second", "120", "150"),
        ("dal minuto 2 al minuto 4", "second", "120", "240"),
        ("tra 2:00 e 2:30", "second", "120", "150"),
        ("von 2:00 bis 2:30", "second", "120", "150"),
        ("de 2:00 à 2:30", "second", "120", "150"),
        ("scenes 3 to 5", "scene", "3", "6"),
        ("scenes 3-5", "scene", "3", "6"),
        ("scenes three to five", "scene", "3", "6"),
        ("between minute two and minute four", "second", "120", "240"),
    ],
)
def test_a_range(text: str, attribute: str, start: str, end: str) -> None:
    assert found(text) == [(attribute, start, end, False)]


@pytest.mark.parametrize(
    "text",
    [
        *(
            "at 146",
            "in 2024",
            "37.5 %",
            "chapter 3",
            "for 30 seconds",
            "every 2 minutes",
            "the first 30 seconds",
            "a 30-second gap",
        ),
        *(
            "seconds",
            "2:26:11:40",
            "12:345",
            "v1.2.3",
            "second",
            "scene",
            "two scenes",
            "one minute",
            "at minute 2½x",
            "a thirty-second gap",
            "third",
            "for 30s",
            "for 30 s",
            "second 1e99",
            "scene one-way",
            "minute -",
            "2:60",
            "http://x:80",
            "a2:26b",
            "١٢ seconds",
        ),
    ],
)
def test_what_is_no_position(text: str) -> None:
    assert found(text) == []


def test_without_a_declaration_there_is_no_position() -> None:
    assert found("second 146 at 2:26 in scene 3", TICKS) == []
    assert found("tick 7", FILMS) == []
    assert found("at 2:26", Base("urn:n:", "n", "N", attributes=(Attribute("second", "s"),))) == []


def test_a_unit_apart_is_a_position_where_nothing_is_measured_in_it() -> None:
    laps = replace(FILMS, metrics=(Metric("urn:f:metric/lap", "urn:f:", "lap", "s"),))
    assert found("a lap of 90 s", laps) == []
    assert found("at 90 s", FILMS) == found("at 90s", laps) == [("second", "90", None, False)]
    days = Base("urn:d:", "d", "D", attributes=(Attribute("day", "d"),))
    assert found("5 d di pane", days) == []


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("at minutes 2, 4 and 6?", ["120", "240", "360"]),
        ("at seconds 30 and 45 of the show", ["30", "45"]),
        ("in den Szenen 3 und 5", []),
        ("in Szene 3 oder 5?", ["3", "5"]),
        ("nella scene tre, cinque e sette", ["3", "5", "7"]),
        ("in scene 3 and 4 actors", ["3"]),
        ("at second 30 and 45 % of it", ["30"]),
        ("in scene 3, 2024 viewers", ["3"]),
    ],
)
def test_a_list_of_positions_is_all_of_them(text: str, starts: list[str]) -> None:
    assert [start for _, start, _, _ in found(text)] == starts


def test_two_points_stay_two_and_every_axis_that_reads_one_has_it() -> None:
    assert [start for _, start, _, _ in found("scene 3 and scene 5")] == ["3", "5"]
    other = Base("urn:a:", "a", "A", attributes=(Attribute("minute", "min"),))
    assert found("minute 2", FILMS, other) == [("minute", "2", None, False), ("second", "120", None, False)]
    assert found("minute 2", other, FILMS) == found("minute 2", FILMS, other)


@settings(max_examples=2000, deadline=None)
@given(
    st.one_of(
        st.text(max_size=120),
        st.lists(
            st.sampled_from(
                [*("second", "minutes", "scene", "to", "from", "between", "and", "around", "2:26", "[", "]", "-", "–", ",", "."),
                 *("99999999999999999999", "1.2.3", "0", "7", "3rd", "s", "1e9", ":", "12:", ":30", "~", "bis", "alle", "146s")]
            ),
            max_size=14,
        ).map(" ".join),
    )
)  # fmt: skip
def test_every_text_has_its_positions(text: str) -> None:
    spoken = normal(text)
    for position, start, end in read_positions(spoken, tokens_of(spoken), (FILMS, TICKS)):
        assert 0 <= start < end <= len(spoken)
        assert position.text == spoken[start:end]
        assert position.end is None or position.start <= position.end
        assert position.start >= 0 or set(position.text) & set("-–−")


@settings(max_examples=500, deadline=None)
@given(st.integers(0, 35999))
def test_a_clock_and_a_count_say_the_same(seconds: int) -> None:
    clock = f"{seconds // 60}:{seconds % 60:02}"
    for text in (f"at {clock}", f"at [{clock}]", f"second {seconds}", f"{seconds} seconds in"):
        assert [start for _, start, _, _ in found(text)] == [format(Decimal(seconds).normalize(), "f")]
