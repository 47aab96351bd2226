"""What a message asks by itself, what it leans on, and which earlier turns may hold its topic.

Pure and cheap: some tens of microseconds for a message that was not read before, and earlier turns are read only
where it leans.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from loom.core.retrieval.leaning import Leans, leaning
from loom.core.retrieval.switches import part_that_asks
from loom.core.values import Turn

__all__ = [
    "ANSWER",
    "ASIDE",
    "OLDER",
    "QUESTION",
    "TURNS",
    "TURN_READ",
    "Leans",
    "Query",
    "Reading",
    "query",
    "reads",
    "topics",
]

TURNS, TURN_READ = 12, 2_000
"""How many turns back a topic is looked for, and the code points that are read of each."""

QUESTION, OLDER, ANSWER, ASIDE = 1.0, 0.6, 0.5, 0.4
"""Weights of what may hold the topic: the question that set it, or may have; one before a question that may have; the last answer; a
question on the way that leaned itself."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One message, read by itself.

    `own` is the part that asks: without greeting or thanks before it, and from after a phrase that changes the topic; "" where
    nothing is asked. `first` is the place in `own` of the first word that points at something outside it, -1 where none does:
    a name that was used before that place may be what the word means. `carries`: what is asked of the thing stands in an
    earlier question ("and Paxos?").
    """

    own: str
    switched: bool = False
    leans: Leans = Leans.NOT
    first: int = -1
    carries: bool = False


@dataclass(frozen=True, slots=True)
class Query:
    """What retrieval reads of a message and of the turns before it.

    `text` is the message as given, or the part of it that asks where it leans or changes the topic. `topics` are texts with
    weights up to 1, most recent first; there are none where the message does not lean. `asked` holds the words in which to look
    for the relation that is asked for; `set_by` is the last turn that set the topic, or may have, as it was said, "" where none did. Two messages
    with equal queries are given the same.
    """

    text: str
    leans: Leans = Leans.NOT
    first: int = -1
    topics: tuple[tuple[str, float], ...] = ()
    asked: str = ""
    set_by: str = ""


def reads(text: str) -> Reading:
    """What a message asks and how far it leans. A message that leaves the topic leans on nothing."""
    return _reads(text) if len(text) <= TURN_READ else _reads.__wrapped__(text)


@lru_cache(maxsize=1024)
def _reads(text: str) -> Reading:
    """Kept, since a conversation is sent anew with every turn."""
    if len(text) < 40 and _ASSENT.match(text):
        return Reading(text.strip(), leans=Leans.FULLY)
    own, switched, turned = part_that_asks(text)
    if not own:
        return Reading("", switched)
    if switched:
        return Reading(own, True)
    leans, first, carries = leaning(own)
    if turned and leans is not Leans.FULLY:
        return Reading(own, True)
    return Reading(own, False, leans, first, carries)


_ASSENT = re.compile(
    r"\s*(?:(?:yes|yeah|yep|sure|ok(?:ay)?)[\s,]+)?(?:yes|sure|(?:yes\s+)?please(?:\s+do)?|go\s+(?:on|ahead)|do\s+(?:it|so|that)|carry\s+on|continue)"
    r"(?:[\s,]+please)?[\s.!]*\Z",
    re.IGNORECASE,
)


def topics(before: Sequence[Turn]) -> list[tuple[str, float]]:
    """Texts of earlier turns that may hold the topic, with weights, most recent first.

    They are the last answer and the user's questions back to the one that set the topic: the first, going back, that does not
    lean itself. One that may name its own topic counts as much, and those before it less. Nothing from before a change of topic is among them, and neither are thanks and what was answered to them.
    """
    return _topics(before)[0]


def _topics(before: Sequence[Turn]) -> tuple[list[tuple[str, float]], str]:
    """The topics, and the last turn that set them, or may have, as it was said."""
    found: list[tuple[str, float]] = []
    answer, answered, set_by = "", False, ""
    for turn in reversed(before[-TURNS:]):
        text = turn.text[:TURN_READ]
        if turn.role != "user":
            answer = answer or text
            continue
        reading = reads(text)
        if not reading.own:
            answer = ""
            if reading.switched:
                break
            continue
        if answer and not answered:
            found.append((answer, ANSWER))
        answered = True
        if reading.leans is Leans.FULLY:
            found.append((reading.own, ASIDE))
            continue
        found.append((reading.own, OLDER if set_by else QUESTION))
        set_by = set_by or text
        if reading.leans is Leans.NOT:
            break
    if answer and not answered:
        found.append((answer, ANSWER))
    return found, set_by


def query(text: str, before: Sequence[Turn]) -> Query:
    """What retrieval reads of a message after the turns before it; the message as it is where it neither leans nor switches."""
    if not before:
        own, switched, turned = part_that_asks(text)
        own = own if switched or turned else text
        return Query(own, asked=own)
    reading = reads(text)
    if reading.leans is Leans.NOT:
        own = reading.own if reading.switched else text
        return Query(own, asked=own)
    found, set_by = _topics(before)
    asked = reading.own
    if reading.carries and (question := next((said for said, weight in found if weight != ANSWER), "")):
        asked = f"{asked} {question}"
    return Query(reading.own, reading.leans, reading.first, tuple(found), asked, set_by)
