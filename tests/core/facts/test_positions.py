"""Positions in questions, by declared attributes alone."""

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loom.core.facts.positions import read_positions
from loom.core.facts.tokens import normal, tokens_of
from loom.core.facts.values import Attribute, Base

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
            "scene three",
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
        assert position.start >= 0


@settings(max_examples=500, deadline=None)
@given(st.integers(0, 35999))
def test_a_clock_and_a_count_say_the_same(seconds: int) -> None:
    clock = f"{seconds // 60}:{seconds % 60:02}"
    for text in (f"at {clock}", f"at [{clock}]", f"second {seconds}", f"{seconds} seconds in"):
        assert [start for _, start, _, _ in found(text)] == [format(Decimal(seconds).normalize(), "f")]
