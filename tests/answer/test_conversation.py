"""What a question in a conversation is given: a follow-up its topic, anything else what it would be given alone."""

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from support.asking import POLICIES, TESTER, pinned
from support.worked import CLASSES

from loom.answer.pipeline import prepare
from loom.answer.plan import Pin, Plan
from loom.answer.shape import text_of, turns_of
from loom.core.mint.make import make
from loom.core.policy.policy import Policy
from loom.core.retrieval.follow import query
from loom.core.values import Candidate, Evidence, Finding, Options, Question

SHELF = {
    "kiln": ["A chamber.", "requires: Clay"],
    "raft": ["A consensus algorithm."],
    "paxos": ["An older one.", "requires: Majority"],
}


class Shelf:
    """Finds what is on the shelf by its name, in what retrieval reads: of a message that does not lean, the message alone."""

    name = "shelf"
    waits = False

    def __init__(self, confidence: float = 0.9) -> None:
        self.asked = 0
        self._confidence = confidence

    async def find(self, question: Question, pin: Pin, policy: Policy) -> Finding:
        self.asked += 1
        asked = query(question.text, question.before)
        texts = [asked.text, *(text for text, _ in asked.topics)]
        found = dict.fromkeys(name for text in texts for name in SHELF if name in text.lower())
        sure = self._confidence if asked.topics else 0.9
        return Finding(self.name, tuple(Candidate(f"urn:{name}", 1.0, self.name) for name in found), sure, reason="lexical")

    async def mint(self, question: Question, pin: Pin, policy: Policy, admitted: Sequence[Candidate]) -> Sequence[Evidence]:
        """Every line, in another order when they are asked for."""
        return [
            make(
                iri=each.iri,
                title=name,
                lines=[(line, ()) for line in (f"## {name}", *_ordered(name, question.text))],
                found=each,
            )
            for each in admitted
            for name in [each.iri.removeprefix("urn:")]
        ]


def _ordered(name: str, text: str) -> list[str]:
    lines = SHELF[name]
    return [*lines, "asked: much more"] if "everything" in text else lines[::-1] if "require" in text else lines


PIN = pinned(*CLASSES)


def chat(*said: str, pin: Pin | None = None, finder: Shelf | None = None, system: str = "", **options: Any) -> Plan:
    """The plan of the last message, in a conversation in which user and assistant spoke in turns."""
    messages: list[dict[str, Any]] = [
        {"role": "assistant" if place % 2 else "user", "content": text} for place, text in enumerate(said)
    ]
    if system:
        messages.insert(0, {"role": "system", "content": system})
    question = Question(
        text_of(messages), TESTER, {"messages": messages}, options=Options(**options), before=turns_of(messages)
    )
    return asyncio.run(prepare(question, pin or Pin(PIN.generation), (finder or Shelf(),), POLICIES))


TALK = ("What is Raft?", "It elects a leader.")


def test_a_follow_up_is_given_its_topic() -> None:
    assert chat("what does it require?").block.text == ""
    assert "## raft" in chat(*TALK, "what does it require?").block.text
    assert "## raft" in chat(*TALK, "why?", "So that it is simple.", "and the parts?").block.text


@pytest.mark.parametrize(
    "text", ["What is Paxos?", "How do I bake bread?", "Never mind. What is a kiln?", "thanks!", "never mind"]
)
@pytest.mark.parametrize("system", ["", "Be brief."])
def test_anything_else_is_given_what_it_is_given_alone(text: str, system: str) -> None:
    finder, pin = Shelf(), Pin(PIN.generation)
    alone = chat(text, pin=pin, finder=finder, system=system)
    after = chat(*TALK, text, pin=pin, finder=finder, system=system)
    assert (after.block, after.decision) == (alone.block, alone.decision) and "raft" not in after.block.text
    assert finder.asked == 1, "one question, looked up once"
    if after.block.text:
        assert after.prompt.body["messages"][0] == alone.prompt.body["messages"][0]


def test_the_same_follow_up_to_another_topic_is_another_question() -> None:
    pin = Pin(PIN.generation)
    first = chat(*TALK, "what does it require?", pin=pin)
    other = chat("What is Paxos?", "It is older.", "what does it require?", pin=pin)
    again = chat(*TALK, "what does it require?", pin=pin)
    assert "## raft" in first.block.text and "## paxos" in other.block.text and again.block == first.block


def test_what_was_sent_upstream_begins_what_is_sent_next() -> None:
    """The client sends its own history back, without our block; the model server has read all but the last two messages before."""
    sent: list[Any] = []
    said: list[str] = []
    for text, reply in (("What is a kiln?", "An oven."), ("what does it require?", "Clay."), ("why?", "Because.")):
        said.append(text)
        messages = chat(*said, system="Be brief.").prompt.body["messages"]
        assert messages[: len(sent)] == sent
        sent = [*messages, {"role": "assistant", "content": reply}]
        said.append(reply)
    assert sent[0]["content"].startswith("Be brief.\n\n") and sent[0]["content"].count("## kiln") == 1


def test_a_follow_up_that_needs_more_begins_as_its_topic_began() -> None:
    earlier = chat(*TALK[:1]).block
    later = chat(*TALK, "is it the same as paxos?").block
    assert [served.evidence.iri for served in later.served] == ["urn:raft", "urn:paxos"]
    assert later.text.startswith(earlier.text.removesuffix("\n[END ONTOLOGY CONTEXT]"))
    alone = chat("What is a kiln?").block
    more = chat("What is a kiln?", "An oven.", "tell me everything about it").block
    assert "asked: much more" in more.text and more.text != alone.text


def test_a_smaller_budget_is_kept() -> None:
    """A follow-up that is only half trusted has half the budget, which the block of its topic may not fit."""
    long = ("What is a kiln, and what are Raft and Paxos?", "An oven.", "which of them is older?")
    whole, part = chat(*long, budget=60), chat(*long, budget=60, finder=Shelf(0.4))
    assert whole.block == chat(long[0], budget=60).block
    assert 0 < part.block.tokens <= part.decision.budget == 30 < whole.block.tokens


def test_the_reference_policy_reads_the_question_alone() -> None:
    assert (
        chat(*TALK, "what does it require?", policy="reference").block
        == chat("what does it require?", policy="reference").block
    )


def test_what_is_off_stays_off() -> None:
    assert chat(*TALK, "what does it require?", off=True).decision.reason == "disabled"
