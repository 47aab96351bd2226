"""The gate is taught when a generation is built: from questions that the corpus gives rise to and from general ones."""

from functools import cache

import numpy as np
from support.kitchen import VAULT

from loom import compose
from loom.build.calibrating import calibrate
from loom.build.calibrating.general import groups
from loom.build.calibrating.questions import KINDS
from loom.build.checks import KINDS as REMARKS
from loom.build.seal import PressedFiles
from loom.core.matching.default import DefaultLexicon, press_default
from loom.core.matching.lexicon import Entry
from loom.core.report import Report
from loom.core.retrieval.confidence import Model
from loom.core.retrieval.look import LEXICAL, Views, features, look, standings
from loom.core.retrieval.pressing import press_text
from loom.core.retrieval.text import TextIndex
from loom.core.text import slug_of
from loom.core.values import Concept, Json


@cache
def kitchen() -> tuple[tuple[Concept, ...], Views]:
    concepts = tuple(sorted(compose.corpus_reader(VAULT).read(Report(REMARKS)), key=lambda concept: concept.iri))
    entries = [Entry(each.title, each.aliases, slug_of(each.iri), each.full or each.definition) for each in concepts]
    lexicon = DefaultLexicon.open(PressedFiles(press_default(entries)))
    text = TextIndex.open(PressedFiles(press_text(concepts, compose.everyday(("en",)))))
    return concepts, Views(lexicon, np.zeros(len(concepts)), text, lambda row: concepts[row].title)


@cache
def taught() -> dict[str, Json]:
    found = calibrate.lexical(*kitchen())
    assert found is not None
    return found


def confidence(question: str) -> float:
    views = kitchen()[1]
    seen = look(views, question)
    order = list(standings(seen))
    model = Model.read(taught()["lexical"], LEXICAL)
    assert model is not None
    return model.probability(features(views, seen, order))


def test_general_questions_are_many_and_none_is_asked_twice() -> None:
    asked = [question for questions in groups().values() for question in questions]
    assert len(asked) > 1_500 and len({question.casefold() for question in asked}) == len(asked)


def test_every_kind_of_question_is_made_and_always_the_same() -> None:
    concepts, views = kitchen()
    made = calibrate.examples(concepts, views)
    assert {example.kind for example in made} == set(KINDS)
    assert made == calibrate.examples(concepts, views)


def test_what_the_corpus_is_about_is_no_lesson_in_silence() -> None:
    assert {"cooking", "baking"} <= set(taught()["left_out"])
    assert "football-and-cricket" not in taught()["left_out"]


def test_a_corpus_too_small_to_learn_from_has_no_calibration() -> None:
    concepts, views = kitchen()
    assert calibrate.lexical(concepts[: calibrate.FEWEST - 1], views) is None


def test_what_was_learned_holds_on_questions_that_took_no_part() -> None:
    model = taught()["lexical"]
    assert model["features"] == list(LEXICAL)
    assert model["measured"]["ece"] < 0.1
    assert model["measured"]["spoke"]["general"] < 0.15 < 0.6 < model["measured"]["spoke"]["named"]


def test_a_name_is_trusted_more_than_the_same_word_in_everyday_speech() -> None:
    assert confidence("What does braising require?") > 0.7
    assert confidence("What does braising require?") > confidence("Which bus goes to the stadium on Sundays?") + 0.5
