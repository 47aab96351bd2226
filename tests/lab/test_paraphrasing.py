"""Paraphrases: whatever leaks is refused, however it is written; each try is told why; what stays unresolved is listed."""

import asyncio
import json
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from loom.core.matching.stopwords import DEFAULT
from loom.core.values import Json
from loom.lab.asking import FakeAsker, Said
from loom.lab.paraphrasing import Subject, leaks, paraphrase, subject_of, tally
from loom.lab.question import LabQuestion, Target

EMULSION = LabQuestion(
    "q1",
    "What does Emulsion Polymerisation require?",
    (Target("Emulsifier Molecule"), Target("GraphQL"), Target("AI")),
    set="lab",
    class_slugs=("emulsion-polymerisation",),
)
SUBJECT = Subject(("Emulsion Polymerisation", "Latex Making"), "Making long chains inside droplets.")
CLEAN = "For growing long chains inside tiny droplets of one liquid in another, what has to be at hand?"


def leaking(text: str) -> set[str]:
    return {refusal.reason for refusal in leaks(text, EMULSION, SUBJECT)}


def test_a_clean_paraphrase_passes() -> None:
    assert leaks(CLEAN, EMULSION, SUBJECT) == ()


@pytest.mark.parametrize(
    "leak",
    [
        "Emulsifier Molecule", "emulsifier-molecules", "EMULSIFIERMOLECULE", "Ｅｍｕｌｓｉｆｉｅｒ Molecule", "graph QL", "graphql",
        "Graph-QL", "Emulsifier\u200b Molecule", "ＧｒａｐｈＱＬ", "an AI",
    ],
)  # fmt: skip
def test_gold_is_found_in_every_form(leak: str) -> None:
    assert "gold" in leaking(f"{CLEAN} Is it {leak}?")


@pytest.mark.parametrize(
    "leak",
    [
        "emulsion", "EMULSIONS", "emulsion's", "emuls", "emulsify", "emulsified", "polymer", "polymerisations", "polymerising",
        "emulsionlike", "e-mulsion", "emul sion", "emul\u00adsion", "еmulsion", "emulsión", "nanoemulsion", "latex", "latexes",
        "making", "ｌａｔｅｘ",
    ],
)  # fmt: skip
def test_the_subjects_words_and_those_of_its_aliases_are_found_in_every_form(leak: str) -> None:
    said = "For growing long chains inside tiny droplets, what has to be at hand?"
    assert leaking(said) == set()
    assert "subject" in leaking(f"{said} Think of {leak}.")


@pytest.mark.parametrize(
    "leak",
    ["APIs", "an API", "REST-APIs", "TimeSeriesForecasting", "DecentralisedIdentity", "decentralizedidentity", "BéchamelSauce"],
)
def test_short_and_run_together_gold_is_found_in_every_form(leak: str) -> None:
    gold = tuple(map(Target, ["API", "Time Series Forecasting", "Decentralised Identity", "Béchamel Sauce"]))
    said = leaks(f"What has to be at hand, {leak} perhaps?", LabQuestion("q", "What does it require?", gold), Subject(("Zyx",)))
    assert [refusal.reason for refusal in said] == ["gold"]


@pytest.mark.parametrize(("text", "refused"), [("AIs", True), ("a DID", True), ("two DIDs", True), ("what it did", False)])
def test_abbreviations_are_found_unless_they_are_everyday_words(text: str, refused: bool) -> None:
    found = leaks(f"Whatever {text} for us?", LabQuestion("q", "What?", ()), Subject(("AI Thing", "DID Method")))
    assert bool(found) is refused


@pytest.mark.parametrize("said", ['{"question": 5}', '{"answer": "What?"}', "[]", '```json\n{"text": 1}\n```'])
def test_json_of_another_shape_is_no_question(said: str) -> None:
    asker = FakeAsker(lambda model, messages: said)
    done = asyncio.run(paraphrase(asker, "w", "j", EMULSION, SUBJECT))
    assert done.text is None and {attempt.refusals[0].reason for attempt in done.tries} == {"empty"}


@pytest.mark.parametrize("word", ["maintain", "the", "of", "carry", "late", "molecular", "politics"])
def test_words_that_give_nothing_away_are_left_alone(word: str) -> None:
    question = LabQuestion("q", "What does a Car of the Future require?", (Target("AI"),))
    assert leaks(f"What must be there to {word} it?", question, Subject(("Car of the Future",))) == ()


WORDS = st.text(st.characters(categories=("Ll", "Lu"), max_codepoint=0x24F), min_size=5, max_size=10)
NAMES = st.lists(WORDS, min_size=1, max_size=3).map(" ".join)
SHAPES = (
    str.upper,
    str.lower,
    str.title,
    lambda name: name + "s",
    lambda name: name.replace(" ", "-"),
    lambda name: f"«{name}»,",
)


@given(NAMES, NAMES, st.sampled_from(SHAPES), st.integers(0, 12), st.booleans())
def test_a_random_title_leaks_at_any_place_in_any_case(gold: str, subject: str, shape: object, at: int, whole: bool) -> None:
    question = LabQuestion("q", "?", (Target(gold),))
    leak = shape(gold if whole else subject.split()[0])  # type: ignore[operator]
    text = CLEAN.split()
    said = " ".join([*text[:at], leak, *text[at:]])
    found = leaks(said, question, Subject((subject,)))
    assert ("gold" if whole else "subject") in {refusal.reason for refusal in found}


@given(WORDS, st.integers(4, 9), st.text("abcdefgh", max_size=4))
def test_a_prefix_leaks_either_way(word: str, cut: int, tail: str) -> None:
    question = LabQuestion("q", "?", (Target("Nothing Of That"),))
    for said in (word[:cut], word + tail):
        assume(said.lower() not in DEFAULT)  # "with" gives nothing of Withania away
        assert leaks(f"Is it {said} then?", question, Subject((word,)))


LEAKS = {
    "verbatim": "What goes with it, an emulsifier molecule?",
    "prefix": "What do emulsions need?",
    "relation": "What is made possible by growing long chains inside droplets?",
}


def scripted(says: Sequence[str], verdict: object = None) -> FakeAsker:
    """A writer that says one thing after another, and a judge that knows which of them changes the relation."""

    def answer(model: str, messages: Sequence[Mapping[str, Json]]) -> str | Said:
        if model == "judge":
            return json.dumps(
                {"preserved": LEAKS["relation"] not in messages[-1]["content"], "why": "It asks what is enabled."}
            )
        return json.dumps({"question": says[min(sum(each["role"] == "assistant" for each in messages), len(says) - 1)]})

    return FakeAsker(answer)


def written(asker: FakeAsker, question: LabQuestion = EMULSION, **more: int) -> object:
    return asyncio.run(paraphrase(asker, "writer", "judge", question, SUBJECT, **more))


@pytest.mark.parametrize("kind", LEAKS)
def test_what_leaks_every_time_is_refused_four_times_and_stays_unresolved(kind: str) -> None:
    asker = scripted([LEAKS[kind]])
    done = asyncio.run(paraphrase(asker, "writer", "judge", EMULSION, SUBJECT))
    assert done.text is None and len(done.tries) == 4
    reason = {"verbatim": "gold", "prefix": "subject", "relation": "relation"}[kind]
    found = tally([done])
    assert found["refused"][reason] == 4 and sum(found["refused"].values()) == 4
    assert [each["id"] for each in found["unresolved"]] == ["q1"]
    assert found["mean_tries"] is None
    assert sum(model == "judge" for model, _ in asker.asked) == (4 if kind == "relation" else 0)


@given(st.lists(st.sampled_from(sorted(LEAKS)), max_size=5))
def test_leaks_are_refused_until_a_clean_one_comes(kinds: list[str]) -> None:
    done = asyncio.run(paraphrase(scripted([*(LEAKS[kind] for kind in kinds), CLEAN]), "writer", "judge", EMULSION, SUBJECT))
    assert done.text == (CLEAN if len(kinds) < 4 else None)
    assert len(done.tries) == min(len(kinds) + 1, 4)
    assert all(attempt.refusals for attempt in done.tries[: len(kinds)])


def test_each_try_is_told_why_the_last_was_refused() -> None:
    asker = scripted([LEAKS["prefix"], LEAKS["relation"], CLEAN])
    asyncio.run(paraphrase(asker, "writer", "judge", EMULSION, SUBJECT))
    last = [messages for model, messages in asker.asked if model == "writer"][-1]
    told = [each["content"] for each in last if each["role"] == "user"]
    assert "'emulsions'" in told[1] and "It asks what is enabled." in told[2]


def test_the_new_question_keeps_the_original_beside() -> None:
    done = asyncio.run(paraphrase(scripted([LEAKS["verbatim"], CLEAN]), "writer", "judge", EMULSION, SUBJECT))
    made = done.asked("writer", "judge")
    assert (made.prompt, made.set, made.gold) == (CLEAN, "lab-paraphrased", EMULSION.gold)
    assert made.more["original_prompt"] == EMULSION.prompt
    assert made.more["paraphrase"] == {"model": "writer", "judge": "judge", "tries": 2}
    assert tally([done])["mean_tries"] == 2.0


@pytest.mark.parametrize("verdict", ["", "yes", '{"preserved": "yes"}', '{"other": true}'])
def test_a_verdict_that_cannot_be_read_is_none(verdict: str) -> None:
    asker = FakeAsker(lambda model, _: verdict if model == "judge" else CLEAN)
    done = asyncio.run(paraphrase(asker, "writer", "judge", EMULSION, SUBJECT, tries=2))
    assert done.text is None and [attempt.refusals[0].reason for attempt in done.tries] == ["relation", "relation"]


def test_a_model_that_fails_is_told_as_an_error_and_an_empty_answer_is_refused() -> None:
    failed = asyncio.run(paraphrase(FakeAsker(lambda *_: Said("", error="refused")), "w", "j", EMULSION, SUBJECT))
    assert (failed.text, failed.error) == (None, "refused")
    empty = asyncio.run(paraphrase(FakeAsker(lambda *_: ""), "w", "j", EMULSION, SUBJECT))
    assert [attempt.refusals[0].reason for attempt in empty.tries] == ["empty"] * 4


def test_the_question_as_it_stood_is_no_paraphrase() -> None:
    question = LabQuestion("q", "What must be at hand for it?", (Target("Oil"),))
    assert [each.reason for each in leaks("what must be at hand for it", question, Subject(("Soap",)))] == ["unchanged"]


def test_a_subject_without_a_generation_is_what_the_question_states() -> None:
    assert subject_of(EMULSION).names == ("emulsion polymerisation",)
    stated = LabQuestion("q", "?", more={"subject_title": "Proof of Work", "subject_slug": "pow"})
    assert subject_of(stated).names == ("Proof of Work",)
