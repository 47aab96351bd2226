"""Words as text retrieval compares them: English endings taken off, British and American spelling made one, asking words left out.

Endings go by the steps of Porter's second English stemmer (https://snowballstem.org/algorithms/english/stemmer.html). Only words
in ASCII letters lose any; a word of another script stays as it is, and of a script that is written without spaces, neighbouring
characters make the terms, two and two.
"""

import re
from functools import lru_cache
from itertools import groupby, pairwise

from loom.core.matching.stopwords import DEFAULT
from loom.core.text import words

FIRST_UNSPACED = "\u0e01"

ASKING = DEFAULT | frozenset(
    "actually anything because call called could does doing done else exactly got idea kind kinds means meant ok really refer "
    "refers s say something sort sorts stuff t term thanks thing things understand way ways word words".split()
)
"""Words that carry the question rather than its subject."""

_REGION = re.compile(r"[aeiouy][^aeiouy]")
_OPENING = re.compile(r"gener|commun|arsen|univers|later|emerg|organ|inter")
_VOWEL = re.compile(r"[aeiouy]")
_SHORT_END = re.compile(r"(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy])$")
_DOUBLED = ("bb", "dd", "ff", "gg", "mm", "nn", "pp", "rr", "tt")

_WHOLE = {
    "skis": "ski", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "idly": "idl", "gently": "gentl",
    "ugly": "ugli", "early": "earli", "only": "onli", "singly": "singl", "sky": "sky", "news": "news", "howe": "howe",
    "atlas": "atlas", "cosmos": "cosmos", "bias": "bias", "andes": "andes", "inning": "inning", "outing": "outing",
    "canning": "canning", "herring": "herring", "earring": "earring", "proceed": "proceed", "exceed": "exceed",
    "succeed": "succeed", "business": "business",
}  # fmt: skip

_SECOND = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "abli": "able", "entli": "ent", "izer": "ize",
    "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al", "aliti": "al", "alli": "al", "fulness": "ful",
    "ousli": "ous", "ousness": "ous", "iveness": "ive", "iviti": "ive", "biliti": "ble", "bli": "ble", "ogi": "og",
    "fulli": "ful", "lessli": "less", "li": "",
}  # fmt: skip
_THIRD = {
    "ational": "ate", "tional": "tion", "alize": "al", "icate": "ic", "iciti": "ic", "ical": "ic", "ful": "", "ness": "",
    "ative": "",
}  # fmt: skip
_FOURTH = dict.fromkeys("al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize ion".split(), "")


def terms(text: str) -> list[str]:
    """The terms of a text in order, repeats kept; words that only ask are left out."""
    return [found for piece in pieces(text) if (found := term(piece))]


@lru_cache(maxsize=65_536)
def term(piece: str) -> str:
    """The term of one piece; "" where it only asks."""
    return "" if piece in ASKING else stem(piece)


def pieces(text: str) -> list[str]:
    """Words; of a run of single characters written without spaces, every two neighbours, or the one."""
    found = words(text)
    if text.isascii():
        return found
    parted: list[str] = []
    for apart, run in groupby(found, _unspaced):
        characters = list(run)
        parted += map("".join, pairwise(characters)) if apart and len(characters) > 1 else characters
    return parted


def _unspaced(word: str) -> bool:
    return len(word) == 1 and word >= FIRST_UNSPACED


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """A word, as `words` writes it, without its English endings."""
    if len(word) < 3 or not (word.isascii() and word.isalpha()):
        return word
    return _WHOLE.get(word) or _ended(_american(word))


def _american(word: str) -> str:
    """The American spelling of what British English spells otherwise; some words change that have no other spelling, the same on
    both sides."""
    word = re.sub(r"is(e[ds]?|ing|ers?|ations?|able)$", r"iz\1", word) if len(word) > 5 else word
    word = re.sub(r"ys(?:is|es)$", "yze", word) if len(word) > 6 else word
    word = re.sub(r"ys(e[ds]?|ing|ers?)$", r"yz\1", word)
    word = re.sub(r"(?<=[a-z]{2})our(?=(?:s|ed|ing|ful|less|ite|ites|able|ably|al|ally|ist|hood|er|ers)?$)", "or", word)
    word = re.sub(r"(?<=[a-z]{2}[bt])re(s?)$", r"er\1", word)
    return re.sub(r"ogue(s?)$", r"og\1", word)


def _ended(word: str) -> str:
    word = re.sub(r"(?<=[aeiouy])y|^y", "Y", word)
    first = _region(word, 0)
    opening = _OPENING.match(word)
    if opening:
        first = opening.end()
    second = _region(word, first)
    word = _plural(word)
    if word in _WHOLE:
        return _WHOLE[word]
    word = _verbal(word, first)
    if len(word) > 2 and word[-1] in "yY" and word[-2] not in "aeiouy":
        word = word[:-1] + "i"
    word = _derived(word, _SECOND, first, second)
    word = _derived(word, _THIRD, first, second)
    word = _derived(word, _FOURTH, second, second)
    if word.endswith("e"):
        if len(word) > second or (len(word) > first and not _SHORT_END.search(word[:-1])):
            word = word[:-1]
    elif word.endswith("ll") and len(word) > second:
        word = word[:-1]
    return word.lower()


def _region(word: str, start: int) -> int:
    """Where the part of a word begins that follows its first vowel and consonant from `start` on."""
    found = _REGION.search(word, start)
    return found.end() if found else len(word)


def _plural(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith(("ied", "ies")):
        return word[:-2] if len(word) > 4 else word[:-1]
    if word.endswith("s") and not word.endswith(("us", "ss")) and _VOWEL.search(word[:-2]):
        return word[:-1]
    return word


def _verbal(word: str, first: int) -> str:
    for ending in ("eedly", "eed"):
        if word.endswith(ending):
            return word[: len(word) - len(ending)] + "ee" if len(word) - len(ending) >= first else word
    for ending in ("ingly", "edly", "ing", "ed"):
        if word.endswith(ending):
            left = word.removesuffix(ending)
            if not _VOWEL.search(left):
                return word
            if left.endswith(("at", "bl", "iz", "yz")):
                return left + "e"
            if left.endswith(_DOUBLED):
                return left[:-1] if len(left) > 3 else left
            return left + "e" if len(left) <= first and _SHORT_END.search(left) else left
    return word


def _derived(word: str, endings: dict[str, str], start: int, second: int) -> str:
    """The longest of the endings replaced, where it lies in the region that begins at `start`."""
    for size in range(min(7, len(word)), 1, -1):
        ending = word[-size:]
        if ending in endings:
            left = word[:-size]
            if len(left) < start or not _allowed(left, ending, second):
                return word
            return left + endings[ending]
    return word


def _allowed(left: str, ending: str, second: int) -> bool:
    if ending == "li":
        return left.endswith(tuple("cdeghkmnrt"))
    if ending == "ogi":
        return left.endswith("l")
    if ending == "ion":
        return left.endswith(("s", "t"))
    return ending != "ative" or len(left) >= second
