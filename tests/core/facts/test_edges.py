"""Stretches at an end, ranks, and statistics that nobody computes: what is asked is not what was computed, and is told apart from it."""

from dataclasses import replace
from decimal import Decimal

import pytest
from support.held_bases import MAPLE, SHARE, base, facts, readings, spans

from loom.core.facts.absence import NO_STATISTIC
from loom.core.facts.assembling import assemble
from loom.core.facts.choosing import choose
from loom.core.facts.inventory import inventory_of
from loom.core.facts.memory_held import MemoryHeld
from loom.core.facts.reading import read
from loom.core.facts.routing import route
from loom.core.facts.values import Attribute
from loom.core.values import Role

WORDS = (("second", "1"), ("seconds", "1"), ("minute", "60"), ("minutes", "60"))
BASE = replace(base(), attributes=(Attribute("second", "s", WORDS, clock=True),))
HELD = MemoryHeld([BASE], facts(), spans(), readings())


def answers(text: str) -> list[str]:
    stock, ask = inventory_of(HELD.bases), read(HELD, text)
    evidence = assemble(HELD, stock, ask, choose(HELD, stock, ask, route(HELD, ask)))
    return [
        line
        for each in evidence
        for line, stated in zip(each.lines, each.stated, strict=False)
        if stated and stated.role in (Role.ANSWER, Role.ABSENT)
    ]


@pytest.mark.parametrize(
    ("said", "length", "last"),
    [
        *(("first 20 seconds", "20", False), ("last minute", "60", True), ("last two minutes", "120", True)),
        *(("first half minute", "30", False), ("final 5 seconds", "5", True), ("opening minute", "60", False)),
    ],
)
def test_a_stretch_at_an_end_is_no_first_or_last_value(said: str, length: str, last: bool) -> None:
    ask = read(HELD, f"What was the share of Maple Street in the {said}?")
    (edge,) = ask.edges
    assert (edge.attribute, edge.length, edge.last, edge.text) == ("second", Decimal(length), last, said)
    assert (ask.statistics, ask.positions, ask.entities, ask.metrics) == ((), (), (MAPLE,), (SHARE,))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Com'era la quota di Via degli Aceri nei primi 20 seconds?", "primi 20 seconds"),
        ("Wie war die share von Maple Street in den letzten 20 seconds?", "letzten 20 seconds"),
        ("Quelle était la share de Maple Street dans les dernières 20 seconds ?", "dernières 20 seconds"),
        ("¿Cuál fue la share de Maple Street en los primeros 20 seconds?", "primeros 20 seconds"),
    ],
)
def test_stretches_are_said_in_five_languages(text: str, said: str) -> None:
    ask = read(HELD, text)
    assert [edge.text for edge in ask.edges] == [said]
    assert ask.statistics == ()


def test_the_first_or_last_single_unit_is_the_first_or_last_value() -> None:
    ask = read(HELD, "How did the share of Maple Street change from the first to the last second?")
    assert (ask.statistics, ask.edges) == (("first", "last"), ())


def test_the_rows_of_a_stretch_are_given_without_the_one_beyond_it() -> None:
    told = [line for line in answers("What was the share of Maple Street in the first 22 seconds?") if "rows" not in line]
    assert [line.split(": ")[1].split(" [")[0] for line in told] == [
        "20 % at second 0",
        "19.20 % at second 12",
        "19.2 % at second 12.0",
    ]
    told = answers("What was the share of Maple Street in the last 8 seconds?")
    assert [line.split(": ")[1].split(" [")[0] for line in told] == ["37.50 % at second 30.0"]


def test_a_statistic_of_a_stretch_is_told_not_to_be_computed() -> None:
    told = answers("What was the peak share of Maple Street in the first minute?")
    assert told[0] == 'The maximum of "audience share" is not computed for "Maple Street" within the first minute.'
    assert not any("maximum: " in line for line in told)
    assert len(told) == 6


def test_the_units_at_an_end_are_passages() -> None:
    stock, ask = inventory_of(HELD.bases), read(HELD, "What was said in the first 11 seconds of Maple Street?")
    chosen = choose(HELD, stock, ask, route(HELD, ask))
    assert [span.iri.rsplit("/", 1)[1] for passage in chosen.passages for span in passage.spans] == ["1", "2"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("What was the second highest share of Maple Street?", "second highest"),
        ("What was the third lowest share of Maple Street?", "third lowest"),
        ("What was the 2nd highest share of Maple Street?", "2nd highest"),
        ("What is the total share of Maple Street?", "total"),
        ("What were the top 3 share values of Maple Street?", "top 3"),
        ("What were the three highest share values of Maple Street?", "three highest"),
        ("What were the first three share values of Maple Street?", "first three"),
        ("What were the last 2 readings of the share of Maple Street?", "last 2"),
        ("What was the share of Maple Street five seconds after its peak?", "five seconds after its peak"),
        ("What was the share of Maple Street 5 seconds before the highest one?", "5 seconds before the highest"),
        ("What is the median share of Maple Street?", "median"),
        ("What do the shares of Maple Street come to in total, share by share?", "in total"),
        ("Qual è il secondo valore più alto della quota di Via degli Aceri?", "secondo più alto"),
        ("Qual è la somma della quota di Via degli Aceri?", "somma"),
        ("Was ist die zweithöchste share von Maple Street?", "zweithöchste"),
        ("Quelle est la deuxième maximale share de Maple Street ?", "deuxième maximale"),
        ("¿Cuál es la suma de la share de Maple Street?", "suma"),
    ],
)
def test_what_nobody_computes_is_told_and_nothing_is_given_in_its_place(text: str, said: str) -> None:
    ask = read(HELD, text)
    assert (ask.statistics, ask.uncomputed) == ((), (said,))
    assert answers(text) == [f'"{said}" of "audience share" is not computed for "Maple Street".']
    assert [note.kind for note in route(HELD, ask).notes] == [NO_STATISTIC]


@pytest.mark.parametrize(
    ("text", "statistics"),
    [
        ("What was Maple Street's top share?", ("max",)),
        ("What was the least share of Maple Street?", ("min",)),
        ("What was the share of Maple Street at the start?", ("first",)),
        ("What was the share of Maple Street at the end?", ("last",)),
        ("Qual era la quota di Via degli Aceri all'inizio?", ("first",)),
        ("How many share readings does Maple Street have?", ("count",)),
        ("How many share does Maple Street have?", ()),
        ("Secondo te, qual è la quota più alta di Via degli Aceri?", ("max",)),
        ("What was the share of Maple Street at the start of second 12?", ()),
        ("Qual era la quota media di Via degli Aceri?", ("mean",)),
        ("By how many percent did the share of Maple Street rise to its peak?", ("max",)),
        ("What did the baker say at the top of Maple Street?", ()),
        ("What was the most talked of thing on Maple Street, by share?", ()),
    ],
)
def test_words_that_ask_for_a_statistic_only_of_a_metric(text: str, statistics: tuple[str, ...]) -> None:
    ask = read(HELD, text)
    assert (ask.statistics, ask.uncomputed) == (statistics, ())


@pytest.mark.parametrize(
    ("said", "rows"),
    [
        *(("before second 12", ["20"]), ("until second 12", ["20", "19.20", "19.2"]), ("after second 20", ["33", "37.50"])),
        *(("from second 22 on", ["33", "37.50"]), ("since 0:22", ["33", "37.50"]), ("after 0:30", ["37.50"])),
        *(("after 30 seconds", ["37.50"]), ("before 0:00", []), ("after second 31", [])),
    ],
)
def test_a_position_may_be_one_end_of_a_window(said: str, rows: list[str]) -> None:
    told = [line for line in answers(f"What was the share of Maple Street {said}?") if "share: " in line]
    assert [line.split(": ")[1].split(" %")[0] for line in told] == rows
    if not rows:
        assert answers(f"What was the share of Maple Street {said}?") == [
            f'"Maple Street" has no value of "audience share" {said}.'
        ]


@pytest.mark.parametrize(
    ("text", "toward"),
    [
        ("la quota di Via degli Aceri prima di second 12", "before"),
        ("la quota di Via degli Aceri fino a second 12", "until"),
        ("la quota di Via degli Aceri da second 12 in poi", "after"),
        ("die share von Maple Street vor second 12", "before"),
        ("die share von Maple Street bis second 12", "until"),
        ("la share de Maple Street avant second 12", "before"),
        ("la share de Maple Street jusqu'à 0:12", "until"),
        ("la share de Maple Street antes de second 12", "before"),
        ("la share de Maple Street después de 0:12", "after"),
        ("the share of Maple Street at second 12", ""),
        ("the share of Maple Street around second 12", ""),
        ("the share of Maple Street 12 seconds after it began", ""),
    ],
)
def test_one_end_is_said_in_five_languages(text: str, toward: str) -> None:
    assert [one.toward for one in read(HELD, text).positions] == [toward]


def test_what_lies_before_the_beginning_is_a_position_there_and_nowhere_else() -> None:
    for text in ("at -5 seconds", "at second -5", "at second −5", "at −0:05"):
        (one,) = read(HELD, f"What was the share of Maple Street {text}?").positions
        assert (one.start, one.end) == (-5, None)
    assert [one.text for one in read(HELD, "the share of Maple Street, seconds 3 - 5").positions] != ["5"]
