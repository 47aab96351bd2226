"""What every line of a context says of itself, over many worlds: where it stands, and whether it is what was asked for."""

import random
from dataclasses import replace

import pytest
from support import fact_worlds
from support.asked_bases import held

from loom.core.facts.absence import NO_RELATION
from loom.core.facts.asked import Note
from loom.core.facts.assembling import Ways, assemble
from loom.core.facts.choosing import choose
from loom.core.facts.inventory import inventory_of
from loom.core.facts.minting import exactly
from loom.core.facts.reading import read
from loom.core.facts.routing import route
from loom.core.values import Role, Stated

WORLDS = 400


def told(seed: int) -> tuple[fact_worlds.World, list[tuple[str, Stated]]]:
    here = fact_worlds.world(seed)
    evidence = assemble(here.held, here.stock, here.ask, choose(here.held, here.stock, here.ask, here.route), Ways(100_000))
    return here, [(line, stated) for each in evidence for line, stated in zip(each.lines, each.stated, strict=True) if stated]


def test_every_line_says_what_it_states_to_the_letter() -> None:
    for seed in range(WORLDS):
        here, lines = told(seed)
        for line, stated in lines:
            if stated.statistic and stated.file:
                fact = here.held.fact(stated.iri)
                assert fact is not None, (seed, line)
                assert (stated.value, stated.row, stated.position) == (fact.value, fact.row, fact.position)
                assert exactly(fact.value) in line and here.stock.sources[fact.source].name == stated.file
            elif stated.file and stated.row:
                rows = {row.row: row for row in here.held.table(stated.source)}
                assert stated.metric or stated.value == " | ".join(rows[stated.row].cells)
            elif stated.line or (stated.start and stated.role is not Role.HEADING):
                span = here.held.span(stated.iri)
                assert span is not None and span.source == stated.source and span.label == stated.position


def test_a_value_answers_only_where_its_statistic_and_metric_are_asked_for() -> None:
    answered = 0
    for seed in range(WORLDS):
        here, lines = told(seed)
        for _, stated in lines:
            if stated.role is Role.ANSWER and stated.file and stated.statistic not in ("", "stated"):
                answered += 1
                assert not here.ask.statistics or stated.statistic in here.ask.statistics, seed
                assert not here.ask.metrics or stated.metric in here.ask.metrics, seed
                assert here.ask.statistics or not here.ask.positions, seed
        absent = [line for line, stated in lines if stated.role is Role.ABSENT]
        assert absent == [exactly(note.text) for note in here.route.notes], seed
    assert answered > WORLDS / 4


def test_where_no_relation_is_recorded_nothing_answers() -> None:
    draw = random.Random("relation")
    for seed in draw.sample(range(WORLDS), 60):
        here = fact_worlds.world(seed)
        chosen = choose(here.held, here.stock, here.ask, here.route)
        noted = replace(chosen, notes=(Note(NO_RELATION, 'Nothing is recorded that relates "A" to "B".'),))
        evidence = assemble(here.held, here.stock, here.ask, noted, Ways(100_000))
        roles = {stated.role for each in evidence for stated in each.stated if stated}
        assert not roles & {Role.ANSWER, Role.FOUND}, seed
        assert Role.ABSENT in roles or not chosen.anything, seed


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("What was the peak share of Harbour Lights?", {"max"}),
        ("What was the highest humidity of Harbour Lights?", set()),
        ("What was the peak share of the fishermen of the alley?", set()),
    ],
)
def test_a_statistic_of_what_nobody_declares_has_no_answer(question: str, values: set[str]) -> None:
    bases = held()
    ask = read(bases, question)
    routed = route(bases, ask)
    stock = inventory_of(bases.bases)
    lines = [
        stated
        for each in assemble(bases, stock, ask, choose(bases, stock, ask, routed), Ways(100_000))
        for stated in each.stated
        if stated
    ]
    assert {stated.statistic for stated in lines if stated.role is Role.ANSWER and stated.file} == values
