"""Questions that are whole documents: read in the time of their length, and answered by no more notes than anybody reads."""

import random
import time

import pytest
from support import asked_bases as kb

from loom.core.facts.absence import MOST, notes
from loom.core.facts.asked import Ask
from loom.core.facts.assembling import NOTES, assemble
from loom.core.facts.choosing import choose
from loom.core.facts.inventory import inventory_of
from loom.core.facts.naming import Match, Names
from loom.core.facts.reading import LONGEST, read
from loom.core.facts.routing import route
from loom.core.facts.tokens import Token, normal, tokens_of
from loom.core.facts.values import Base, Entity, Metric, SourceFile
from loom.core.policy.packing import pack_lines

HELD = kb.held()
PIECES = (
    "peak share of Cuore in Ghiaccio and ",
    "2:26 37.5 ",
    'film "Nobody Home" said ',
    "Alpha Beta gamma. ",
    "from 1:00 to 2:00, about 3:00 ",
    "the programme the row of mills and ",
    "Harbour Lights' last 20 seconds ",
)


def seconds(text: str) -> float:
    best = 60.0
    for _ in range(3):
        began = time.perf_counter()
        read(HELD, text)
        best = min(best, time.perf_counter() - began)
    return best


@pytest.mark.parametrize("piece", PIECES)
def test_a_long_question_takes_the_time_of_its_length(piece: str) -> None:
    short, long = seconds((piece * 20_000)[:2_500]), seconds((piece * 20_000)[:20_000])
    assert long < 30 * short + 0.2, f"8 times as long took {long / short:.0f} times as long"


@pytest.mark.parametrize("piece", PIECES)
def test_a_long_question_is_no_reason_to_refuse(piece: str) -> None:
    draw = random.Random(piece)
    names = " ".join(f'"{draw.choice("ABCDE")}orn{draw.choice("aeiou")} {number}"' for number in range(400))
    stock, ask = inventory_of(HELD.bases), read(HELD, (piece + names) * 3)
    chosen = choose(HELD, stock, ask, route(HELD, ask))
    evidence = assemble(HELD, stock, ask, chosen)
    pack_lines(evidence, 4000)
    told = [each for each in evidence if each.iri == NOTES]
    assert sum(len(each.lines) for each in told) <= MOST + 1


@pytest.mark.parametrize("at", [0, 1])
def test_a_question_is_read_before_or_behind_a_document(at: int) -> None:
    document = "The weather was fine, and nothing of note was said. " * 5_000
    parts = ["What was the peak share of Heart in Ice?", document]
    ask = read(HELD, "\n\n".join(parts if at == 0 else parts[::-1]))
    assert (ask.entities, ask.metrics, ask.statistics) == ((kb.CUORE,), (kb.SHARE,), ("max",))
    assert len(ask.text) <= LONGEST + 2


def test_notes_beyond_those_that_are_told_are_counted() -> None:
    told = notes(HELD, Ask("", unowned=tuple(f"Name {number}" for number in range(40))))
    assert len(told) == MOST + 1
    assert told[-1].text == "28 further things that are asked for are not there, either."
    few = notes(HELD, Ask("", unowned=tuple(f"Name {number}" for number in range(MOST))))
    assert len(few) == MOST


def test_a_name_of_any_length_fits_its_note() -> None:
    ask = read(HELD, "What is the share of " + "Alpha Beta " * 1000 + "then?")
    assert all(len(name) < 300 for name in ask.unowned)
    long = f"Mister {'Xa' * 2000} Jones"
    ask = read(HELD, f"What is the share of {long} then?")
    assert ask.unowned == (long,)
    assert len(notes(HELD, ask)[0].text) < 400


def test_a_quotation_is_no_name() -> None:
    text = 'Who says "we sail at dawn and nobody on this quay shall stop us from leaving now"?'
    assert read(HELD, text).unowned == ()


def _one_by_one(names: Names, tokens: tuple[Token, ...], taken: list[bool]) -> list[Match]:
    """What is claimed where all words are looked through again after each claim."""
    busy, found = list(taken), list[Match]()
    while True:
        every = (*names._whole(tokens, busy), *names._partial(tokens, busy))
        best = min(every, key=lambda one: (one.start - one.end, not one.whole, one.start), default=None)
        if best is None:
            return sorted(found, key=lambda match: match.start)
        found.append(names._settled(names._with_entities(best, tokens, busy)))
        busy[best.start : best.end] = [True] * (best.end - best.start)


def test_the_longest_names_are_claimed_first_wherever_they_overlap() -> None:
    words = "amber Quay of the cedar Lane River delta AI ember fjord grove share Heron".split()
    claimed = 0
    for seed in range(1500):
        draw = random.Random(seed)

        def name(draw: random.Random = draw) -> str:
            return " ".join(draw.choice(words) for _ in range(draw.randint(1, 5)))

        bases = []
        for number in range(draw.randint(1, 3)):
            iri = f"urn:b{number}:"
            files = [SourceFile(f"{iri}s{at}", iri, f"f/{name().replace(' ', '-')}.csv", name(), "series") for at in range(3)]
            things = [Entity(f"{iri}e{at}", iri, name(), (("en", name()),)) for at in range(draw.randint(0, 4))]
            metrics = [Metric(f"{iri}m{at}", iri, name()) for at in range(draw.randint(0, 2))]
            bases.append(Base(iri, f"b{number}", name(), sources=tuple(files), entities=tuple(things), metrics=tuple(metrics)))
        names = Names(bases)
        tokens = tokens_of(normal(" ".join(draw.choice([*words, ",", "."]) for _ in range(draw.randint(1, 40)))))
        taken = [draw.random() < 0.15 for _ in tokens]
        found = names.find(tokens, taken)
        assert found == _one_by_one(names, tokens, taken), seed
        claimed += len(found)
        start = draw.randrange(len(tokens) + 1)
        end = draw.randrange(start, len(tokens) + 1)
        others = [not start <= place < end or taken[place] for place in range(len(tokens))]
        assert names.inside(tokens, start, end, taken) == _one_by_one(names, tokens, others), seed
    assert claimed > 4000
