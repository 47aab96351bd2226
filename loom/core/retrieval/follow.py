"""What a message asks by itself, what it leans on, and which earlier turns may hold its topic.

Pure and cheap: some microseconds for a message, nothing where there were no turns before it, and earlier turns are read only
where it leans.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from loom.core.retrieval.pointing import READ, STOPS, english, other, plain_tokens, tokens
from loom.core.retrieval.switches import part_that_asks
from loom.core.retrieval.tongues import ENGLISH, Tongue, tongue_of
from loom.core.values import Turn

TURNS, TURN_READ = 12, 2_000
"""How many turns back a topic is looked for, and the code points that are read of each."""

QUESTION, ANSWER, ASIDE = 1.0, 0.5, 0.4
"""Weights of what may hold the topic: the question that set it, the last answer, a question on the way that leaned itself."""


MUCH = 7
"""From as many words that name something, a message mostly says itself what it is about."""


class Leans(IntEnum):
    """How far a message can be understood without what was said before it.

    NOT: by itself; earlier turns must not change what it is given. PERHAPS: it may go on with the topic or name its own, as
    "so who provides the money?" and "what about Paxos?" do: earlier turns count only where its own words name nothing, and then
    only for units that its own words bear out. FULLY: it points back ("what does it need?") or says nothing of its own ("why?").
    """

    NOT = 0
    PERHAPS = 1
    FULLY = 2


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
    for the relation that is asked for; `set_by` is the turn that set the topic, as it was said, "" where none did. Two messages
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
    if len(text) < 40 and _ASSENT.match(text):
        return Reading(text.strip(), leans=Leans.FULLY)
    own, switched, turned = part_that_asks(text)
    if not own:
        return Reading("", switched)
    if switched:
        return Reading(own, True)
    leans, first, carries = _leaning(own)
    if turned and leans is not Leans.FULLY:
        return Reading(own, True)
    return Reading(own, False, leans, first, carries)


_ASSENT = re.compile(
    r"\s*(?:(?:yes|yeah|yep|sure|ok(?:ay)?)[\s,]+)?(?:yes|sure|(?:yes\s+)?please(?:\s+do)?|go\s+(?:on|ahead)|do\s+(?:it|so|that)|carry\s+on|continue)"
    r"(?:[\s,]+please)?[\s.!]*\Z",
    re.IGNORECASE,
)


def _leaning(own: str) -> tuple[Leans, int, bool]:
    if len(own) > READ:
        return Leans.NOT, -1, False
    words = tokens(own)
    tongue = tongue_of([word.text for word in words])
    if tongue is not ENGLISH:
        words = plain_tokens(own)
    pointing = english(words) if tongue is ENGLISH else other(tongue, words, own)
    said = [word.text for word in words if word.text not in STOPS]
    naming = [word for word in said if word not in tongue.small and word not in tongue.light]
    if pointing.sure:
        return Leans.FULLY if len(naming) < MUCH else Leans.PERHAPS, pointing.first, False
    about = next((phrase for phrase in tongue.about if _begins(said, phrase, tongue)), ())
    opened = bool(said) and said[0] in tongue.opens
    if not naming:
        return _nothing_named(tongue, said, own), -1, False
    if tongue is ENGLISH and (leans := _compares(said, naming)):
        return leans, -1, False
    if about or (opened and len(said) <= 5 and _is_fragment(tongue, said[1:])):
        return Leans.PERHAPS, -1, len(naming) <= 4
    if pointing.first >= 0:
        return Leans.PERHAPS, pointing.first, False
    if opened and len(naming) <= 4:
        return Leans.PERHAPS, -1, False
    if tongue is ENGLISH and (_A_KNOWN_ONE.match(own) or (len(naming) <= 3 and _something_else(said))):
        return Leans.PERHAPS, -1, False
    return Leans.NOT, -1, False


def _something_else(said: list[str]) -> bool:
    """Whether other things are asked for than those spoken of."""
    if "else" in said[1:]:
        return said[said.index("else", 1) - 1] in ("what", "who", "where", "how", "anything", "which")
    return said[-1] == "instead"


_ASKING = frozenset(
    "what which who whom whose how why when where do does did is are was were can could will would should has have".split()
)
_MORE = frozenset("why more how which else when where who whats what's".split())
_GO_ON = frozenset(
    "explain elaborate expand continue clarify describe compare define example examples more go on detail details".split()
)
_YOU = frozenset("you your you're yours i me my we".split())
_A_KNOWN_ONE = re.compile(
    r"(?:(?:and|so|but|then)\s+)?what(?:['’]?s|\s+is|\s+are)\s+the\s+[\w'’-]+(?:\s+[\w'’-]+)?\s*[?.!]*\Z", re.IGNORECASE
)
_DEFINED = re.compile(
    r"(?:what(?:'s|’s|\s+is|\s+are)|define|explain|describe)\s+(?:an?\s+)?(?!the\b)[\w'’-]+\s*[?.!]*\Z", re.IGNORECASE
)
_DEGREES = frozenset(
    "better worse more less fewer further easier cheaper safer faster slower bigger smaller larger stronger weaker older newer quicker "
    "simpler harder lighter heavier higher lower longer shorter cleaner greener closer nearer richer younger hotter colder warmer denser "
    "thinner thicker wider deeper smarter healthier cooler tougher smoother".split()
)
_SECOND = frozenset("than or between versus vs among".split())


def _begins(said: list[str], phrase: tuple[str, ...], tongue: Tongue) -> bool:
    start = 0
    while start < len(said) and said[start] in tongue.opens and said[start] != phrase[0]:
        start += 1
    return tuple(said[start : start + len(phrase)]) == phrase


def _is_fragment(tongue: Tongue, said: list[str]) -> bool:
    """Whether a few words are no sentence: nothing in them asks."""
    return tongue is ENGLISH and _ASKING.isdisjoint(said)


def _nothing_named(tongue: Tongue, said: list[str], own: str) -> Leans:
    """How far a message leans that names nothing: fully, unless it defines a word, or is talk between the two."""
    if not said:
        return Leans.NOT
    if tongue is not ENGLISH:
        small = len(said) <= 2 and not tongue.marks.isdisjoint(said)
        return Leans.FULLY if small or not tongue.light.isdisjoint(said) else Leans.NOT
    light = [word for word in said if word in ENGLISH.light]
    if not _YOU.isdisjoint(said):
        asks = own.endswith("?") or said[0] in _ASKING or said[0] in ENGLISH.light
        told = asks and (_GO_ON.intersection(said) or any(word not in _HELP for word in light))
        return Leans.FULLY if told else Leans.NOT
    if _DEFINED.match(own) and light:
        return Leans.PERHAPS if light[-1].endswith("s") else Leans.NOT
    if light and len(said) == 1 and not light[0].endswith("s") and light[0] not in _GO_ON and not _compares(said, ()):
        return Leans.PERHAPS
    if not light and _MORE.isdisjoint(said):
        return Leans.FULLY if said[0] in ENGLISH.opens and own.endswith("?") else Leans.NOT
    return Leans.FULLY


_HELP = frozenset("help do think say know want going go work working mean see understand right good sure name".split())


def _compares(said: Sequence[str], naming: Sequence[str]) -> Leans:
    """How far a comparison leans: fully where one of its terms is missing."""
    if not said:
        return Leans.NOT
    start = 1 if said[0] in ENGLISH.opens and len(said) > 1 else 0
    if said[start] in ("compared", "versus", "vs") or (said[start] in _DEGREES and "than" in said[: start + 4]):
        return Leans.FULLY
    if _DEGREES.isdisjoint(said):
        return Leans.NOT
    if said[start : start + 1] == ["which"] and _SECOND.isdisjoint(said) and len(naming) <= 2:
        return (
            Leans.FULLY if said[start + 1] in _ASKING or said[start + 1] in ("one", "of") or len(naming) <= 1 else Leans.PERHAPS
        )
    return Leans.NOT


def topics(before: Sequence[Turn]) -> list[tuple[str, float]]:
    """Texts of earlier turns that may hold the topic, with weights, most recent first.

    They are the last answer and the user's questions back to the one that set the topic: the first, going back, that does not
    lean itself. Nothing from before a change of topic is among them, and neither are thanks and what was answered to them.
    """
    return _topics(before)[0]


def _topics(before: Sequence[Turn]) -> tuple[list[tuple[str, float]], str]:
    """The topics, and the turn that set them as it was said."""
    found: list[tuple[str, float]] = []
    answer, answered = "", False
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
        set_here = reading.leans is Leans.NOT
        found.append((reading.own, ASIDE if not set_here else QUESTION))
        if set_here:
            return found, text
    if answer and not answered:
        found.append((answer, ANSWER))
    return found, ""


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
