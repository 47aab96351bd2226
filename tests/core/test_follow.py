"""What a message in a conversation leans on, where it points, and which turns before it may hold its topic."""

import json
import time
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import real
from support.turns import LEANING, LEANING_ELSEWHERE, STANDING, STANDING_ELSEWHERE

from loom.core.retrieval.follow import (
    ANSWER,
    ASIDE,
    OLDER,
    QUESTION,
    TURN_READ,
    TURNS,
    Leans,
    Query,
    Reading,
    query,
    reads,
    topics,
)
from loom.core.values import Turn


def handed(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in real.question_set(name).read_text(encoding="utf-8").splitlines()]


TALK = (Turn("user", "What is Raft?"), Turn("assistant", "A consensus algorithm with a leader."))


def leans(text: str) -> Leans:
    return reads(text).leans


# -- whole lists ---------------------------------------------------------------------------------------------------------------


def test_the_lists_are_long_enough_to_tell() -> None:
    assert len(LEANING) > 200 and len(STANDING) > 250 and not set(LEANING) & set(STANDING)


def test_messages_that_lean_are_told() -> None:
    missed = [text for text in LEANING if leans(text) is not Leans.FULLY]
    unseen = [text for text in missed if leans(text) is Leans.NOT]
    assert len(missed) <= len(LEANING) * 0.04 and len(unseen) <= len(LEANING) * 0.005, missed


def test_messages_that_stand_by_themselves_are_left_alone() -> None:
    dragged = [text for text in STANDING if leans(text) is Leans.FULLY]
    unsure = [text for text in STANDING if leans(text) is Leans.PERHAPS]
    assert len(dragged) <= len(STANDING) * 0.01 and len(unsure) <= len(STANDING) * 0.04, (dragged, unsure)


def test_other_languages() -> None:
    assert [text for text in LEANING_ELSEWHERE if leans(text) is not Leans.FULLY] == []
    assert [text for text in STANDING_ELSEWHERE if leans(text) is not Leans.NOT] == []


@pytest.mark.data
def test_handed_conversations() -> None:
    for case in handed("followups.jsonl"):
        *before, last = [Turn(turn["role"], turn["content"]) for turn in case["messages"]]
        asked = query(last.text, before)
        if case["kind"] == "followup":
            assert asked.leans is Leans.FULLY and asked.topics, case["id"]
        else:
            assert (asked.leans, asked.topics, asked.set_by) == (Leans.NOT, (), ""), case["id"]


@pytest.mark.data
def test_first_questions_stand_by_themselves_whatever_was_said_before() -> None:
    """Questions that were written to be asked alone; a long description may leave open what it points at."""
    texts = [case["prompt"] for name in ("gate-set.jsonl", "paraphrases.jsonl", "surface-forms.jsonl") for case in handed(name)]
    texts += [case["prompt"] for case in handed("questions.jsonl")]
    assert [text for text in texts if leans(text) is Leans.FULLY] == []
    assert sum(leans(text) is Leans.PERHAPS for text in texts) <= len(texts) * 0.01
    for text in texts:
        assert query(text, ()) == Query(text, asked=text)
        assert leans(text) or query(text, TALK) == query(text, ())


# -- rules ---------------------------------------------------------------------------------------------------------------------

POINTS = {
    "a pronoun": ("and what does it need?", "it"),
    "a pronoun after what is asked for": ("Which open standards describe it?", "it"),
    "after a noun of the same clause": ("Is there an open standard for that?", "that"),
    "one": ("Which sensors go into one?", "one"),
    "an ordered one": ("what does the older one require?", "older"),
    "an ordered kind": ("Who would guarantee the first kind?", "first"),
    "the latter": ("Does the latter scale?", "latter"),
    "a possessive": ("who sells its parts?", "its"),
    "two": ("what is the difference between the two?", "two"),
    "a place": ("who lives there?", "there"),
    "what is built on those": ("what standard are those built on", "those"),
}


@pytest.mark.parametrize("case", POINTS)
def test_what_points_outside(case: str) -> None:
    text, word = POINTS[case]
    reading = reads(text)
    assert reading.leans is Leans.FULLY
    assert reading.own[reading.first :].lower().startswith(word)


WITHIN = [
    "is proof of work wasteful and why does it use so much power",
    "What is Raft, and which systems use it?",
    "How does a kiln keep its heat?",
    "Kilns crack. Why do they?",
    "A reversible chain of states at rest: what does that condition enable?",
    "Is Paxos older than Raft, or is it younger?",
]


@pytest.mark.parametrize("text", WITHIN)
def test_what_points_inside(text: str) -> None:
    assert leans(text) is Leans.NOT


NOTHING_MEANT = [
    "is it true that bees dance",
    "what is it called when two chains split",
    "it is raining in Leeds",
    "how long does it take to fire a kiln",
    "is there a bridge to Solana",
    "one of the wheels is bent",
    "something that turns speech into text",
    "what follows from the fact that kilns are hot",
    "which films come out this week",
]


@pytest.mark.parametrize("text", NOTHING_MEANT)
def test_words_that_point_at_nothing(text: str) -> None:
    assert leans(text) is Leans.NOT


@pytest.mark.parametrize(
    "text", ["why?", "how so", "examples?", "any alternatives?", "tell me more", "which is faster?", "and the parts?", "go on"]
)
def test_what_says_nothing_of_its_own_leans(text: str) -> None:
    assert leans(text) is Leans.FULLY


@pytest.mark.parametrize(
    "text", ["what about Paxos?", "so who provides the money?", "And how are kilns fired?", "what's the block size?"]
)
def test_what_may_go_on_or_not(text: str) -> None:
    assert leans(text) is Leans.PERHAPS


@pytest.mark.parametrize(
    "text", ["thanks!", "ok", "hello", "who are you?", "how are you?", "that's all, thank you", "", " \n", "?!"]
)
def test_talk_that_asks_nothing(text: str) -> None:
    assert leans(text) is Leans.NOT


SWITCHES = {
    "ok forget that. what's SPARQL?": "what's SPARQL?",
    "Ta, got it. Switching topic, how do tides work?": "how do tides work?",
    "Leaving that aside, who won in 1966?": "who won in 1966?",
    "Actually never mind that, I need to know what a NeRF is.": "I need to know what a NeRF is.",
    "New question: what does it take to fly?": "what does it take to fly?",
    "How do tides work? (Unrelated to the above.)": "How do tides work?",
    "Moving on to kilns, how are they fired?": "to kilns, how are they fired?",
    "never mind": "",
    "by the way, who won in 1966?": "who won in 1966?",
    "Thanks for explaining Raft. How do tides work?": "How do tides work?",
    "That's all I needed on Raft. How do tides work?": "How do tides work?",
    "Not about Raft this time: how do tides work?": "how do tides work?",
}


@pytest.mark.parametrize("text", SWITCHES)
def test_a_change_of_topic_leaves_all_before_it(text: str) -> None:
    assert reads(text) == Reading(SWITCHES[text], True)
    assert query(text, TALK) == query(text, ()) == Query(SWITCHES[text], asked=SWITCHES[text])


@pytest.mark.parametrize(
    "text",
    [
        "Forget gates: what is in them?",
        "Did you forget that Raft has a leader?",
        "How is a topic changed?",
        "Are these unrelated?",
        "Leave no trace: what is that?",
    ],
)
def test_such_words_in_a_question_change_no_topic(text: str) -> None:
    assert not reads(text).switched and reads(text).own == text


def test_by_the_way_may_go_on_with_the_topic() -> None:
    assert reads("by the way, what does it cost?") == Reading("what does it cost?", leans=Leans.FULLY, first=10)


def test_courtesies_are_no_part_of_what_leans() -> None:
    assert reads("Thanks, very clear! And what does it need?").own == "And what does it need?"
    assert reads("ok so what does it need?").own == "so what does it need?"


# -- topics --------------------------------------------------------------------------------------------------------------------


def user(text: str) -> Turn:
    return Turn("user", text)


def answer(text: str) -> Turn:
    return Turn("assistant", text)


def test_the_topic_is_in_the_question_and_less_so_in_the_answer() -> None:
    assert topics(TALK) == [(TALK[1].text, ANSWER), ("What is Raft?", QUESTION)] and ASIDE < ANSWER < QUESTION


def test_turns_that_lean_hand_on_their_topic() -> None:
    before = [user("What is Paxos?"), answer("Older."), *TALK, user("Is it fast?"), answer("Fast enough.")]
    assert topics(before) == [("Fast enough.", ANSWER), ("Is it fast?", ASIDE), ("What is Raft?", QUESTION)]


def test_a_question_that_may_have_set_a_topic_counts_before_older_ones() -> None:
    before = [*TALK, user("what about Paxos?"), answer("It is older.")]
    assert topics(before) == [("It is older.", ANSWER), ("what about Paxos?", QUESTION), ("What is Raft?", OLDER)]
    assert query("what does it need?", before).set_by == "what about Paxos?"


def test_thanks_and_what_answers_them_hold_no_topic() -> None:
    assert topics([*TALK, user("Thanks!"), answer("You're welcome.")]) == topics(TALK)


def test_a_change_of_topic_is_where_topics_begin() -> None:
    assert topics([*TALK, user("Forget that. Is it raining?"), answer("No.")]) == [
        ("No.", ANSWER),
        ("Is it raining?", QUESTION),
    ]
    assert topics([*TALK, user("never mind"), answer("All right.")]) == []


def test_an_answer_alone_may_hold_a_topic() -> None:
    assert topics([answer("Hello, I know all about Raft.")]) == [("Hello, I know all about Raft.", ANSWER)]
    assert topics([]) == [] and topics([user("thanks")]) == []


def test_only_so_much_is_read() -> None:
    before = [user("What is Raft?"), *[user("and why is it so?"), answer("Because.")] * TURNS]
    found = topics(before)
    assert len(found) == 1 + TURNS // 2 and QUESTION not in [weight for _, weight in found]
    assert topics([user("What is " + "Raft " * 9_000)]) == [(("What is " + "Raft " * 9_000)[:TURN_READ].strip(), QUESTION)]


def test_what_retrieval_reads_of_a_follow_up() -> None:
    asked = query("Thanks! What does it need?", TALK)
    assert asked == Query("What does it need?", Leans.FULLY, 10, tuple(topics(TALK)), "What does it need?", "What is Raft?")
    assert query("what about Paxos?", [user("What does Raft need?")]).asked == "what about Paxos? What does Raft need?"


# -- any text ------------------------------------------------------------------------------------------------------------------

TEXTS = st.one_of(
    st.text(max_size=200),
    st.sampled_from([*LEANING, *STANDING]),
    st.lists(st.sampled_from(" ".join([*LEANING[:60], *SWITCHES]).split()), max_size=30).map(" ".join),
)


@given(TEXTS)
def test_any_text_is_read(text: str) -> None:
    reading = reads(text)
    assert reading.own in text and -1 <= reading.first < max(1, len(reading.own))
    assert reading.leans is not Leans.NOT or reading.first == -1
    assert not (reading.switched and reading.leans)


@given(TEXTS, st.lists(st.builds(Turn, st.sampled_from(["user", "assistant"]), TEXTS), max_size=6))
def test_what_stands_by_itself_is_the_same_with_and_without_a_history(text: str, before: Sequence[Turn]) -> None:
    asked = query(text, before)
    if reads(text).leans is Leans.NOT:
        assert asked == query(text, ())
    else:
        assert list(asked.topics) == (topics(before))
    assert asked.set_by == "" or any(turn.text == asked.set_by for turn in before)


@pytest.mark.parametrize(
    "text",
    [
        "it " * 100_000,
        "forget " * 50_000,
        "leaving " * 50_000,
        " " * 400_000,
        "ok " * 100_000,
        "thanks for " * 30_000,
        "that's all " * 30_000 + "?",
        "what is the " * 20_000,
        "ok " * 130 + "topic",
        "also, so, and " * 25 + "question",
        "something, " * 40,
        "leaving a b c d e f g " * 18,
    ],
)
def test_odd_texts_cost_no_time(text: str) -> None:
    began = time.thread_time()
    query(text, TALK)
    assert time.thread_time() - began < 0.2
