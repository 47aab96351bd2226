"""Finds what was said in a conversation: addresses of turns by their subject, or that of the note that nothing is recorded.

A request takes part only where it names a conversation of its caller (seed 004; specs/memory.md §7, §9). Nothing is remembered between
finding and minting: both read the store, so that what was deleted is gone from the next context on.
"""

import logging
from collections.abc import Mapping, Sequence
from typing import cast

from loom.answer.memory import ABSENT, ANYWHERE, SOURCE, Memory, Recalled, candidates, recalled, scope_of
from loom.answer.plan import Pin
from loom.core.errors import LoomError
from loom.core.memory.minting import absence, home_of, nothing, remembered
from loom.core.memory.pointing import NAMED, OPEN
from loom.core.memory.values import View
from loom.core.policy.policy import Policy
from loom.core.values import Candidate, Evidence, Finding, Json, Question, Remembering, Tier

log = logging.getLogger(__name__)

REASON = "memory"
FULL = 0.55
"""Confidence from which what was found is given the whole budget."""
SPEAKER = Remembering("").speaker


class MemoryFinder:
    """What is remembered of a question's conversation."""

    name = SOURCE
    waits = True

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def concerns(self, question: Question) -> bool:
        return question.scope.conversation is not None

    async def find(self, question: Question, pin: Pin, policy: Policy) -> Finding:
        scope = scope_of(question)
        if scope is None or not question.text.strip():
            return Finding(self.name)
        try:
            found = await self._memory.recall(scope, question.text, _speaker(question), _before(question))
        except LoomError as error:
            log.error("The memory could not be read: %s", error.message)
            return Finding(self.name, reason="error", failure=error.message)
        return self._finding(scope.conversation, found)

    def _finding(self, conversation: str, found: Recalled) -> Finding:
        recall, how = found.recall, found.question.how
        floor = self._memory.recalls.floor
        told: Mapping[str, Json] = {"conversation": conversation, **found.as_json()}
        if not recall.silent:
            return Finding(
                self.name,
                candidates(conversation, found),
                confidence=recall.confidence,
                named=how == NAMED,
                reason=REASON,
                bands=(floor, max(FULL, floor)),
                path="address" if how != OPEN else "text",
                yields=how == OPEN,
                told=told,
            )
        if not found.question.asks or (not found.question.topic and not recall.subjects):
            return Finding(self.name, confidence=recall.confidence, told=told)
        note = Candidate(absence(conversation), 1.0, self.name, ABSENT, home_of(conversation))
        return Finding(
            self.name,
            (note,),
            confidence=recall.confidence,
            named=found.sure,
            reason=REASON,
            bands=(0.0, max(FULL, floor)),
            path="address" if how != OPEN else "text",
            yields=not found.sure,
            told=told,
        )

    async def mint(self, question: Question, pin: Pin, policy: Policy, admitted: Sequence[Candidate]) -> Sequence[Evidence]:
        scope = scope_of(question)
        mine = [each for each in admitted if each.retriever == self.name]
        if scope is None or not mine:
            return ()
        speaker, before, recalls = _speaker(question), _before(question), self._memory.recalls

        def minted(view: View) -> Sequence[Evidence]:
            if mine[0].why == ABSENT:
                found = recalled(view, question.text, recalls, speaker, before)
                return (nothing(scope.conversation, found.question.topic, found.names, mine[0]),)
            tier = Tier.DISCOVERED if mine[0].why == ANYWHERE else Tier.ADDRESSED
            return remembered(view, scope.conversation, mine, tier)

        return await self._memory.look(scope, minted)


def _speaker(question: Question) -> str:
    """Who asks."""
    memory = question.options.memory
    return memory.speaker if memory else SPEAKER


def _before(question: Question) -> list[str]:
    """What the user said before, oldest first."""
    return [turn.text for turn in question.before if turn.role == "user"]


def told_of(told: Sequence[tuple[str, Mapping[str, Json]]]) -> dict[str, Json] | None:
    """What the finder told of a question; None where it took no part."""
    return next((cast(dict[str, Json], dict(one)) for name, one in told if name == MemoryFinder.name), None)
