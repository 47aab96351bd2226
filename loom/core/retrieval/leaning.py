"""How far a message leans on what was said before it, by its words alone."""

import re
from collections.abc import Sequence
from enum import IntEnum

from loom.core.retrieval.pointing import READ, STOPS, english, other, plain_tokens, tokens
from loom.core.retrieval.tongues import ENGLISH, Tongue, tongue_of

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


def leaning(own: str) -> tuple[Leans, int, bool]:
    """How far the part of a message that asks leans, where its first word that points outside begins (-1: none does), and whether
    what is asked of the thing stands in an earlier question."""
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
