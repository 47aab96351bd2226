"""Porter's first English stemmer with the extensions of NLTK, by which the scorer of LoCoMo compares words (specs/memory.md §2).

M. F. Porter, An algorithm for suffix stripping, Program 14.3 (1980); the extensions are those of NLTK's default mode, so that stems
are the same, letter by letter. `core.retrieval.stem` is the second stemmer, with British spelling made one: its stems differ.
"""

import itertools
from functools import lru_cache

_WHOLE = {
    "sky": "sky", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news", "innings": "inning",
    "inning": "inning", "outings": "outing", "outing": "outing", "cannings": "canning", "canning": "canning", "howe": "howe",
    "proceed": "proceed", "exceed": "exceed", "succeed": "succeed",
}  # fmt: skip

_SECOND = (
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"), ("bli", "ble"), ("alli", "al"),
    ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("ization", "ize"), ("ation", "ate"), ("ator", "ate"), ("alism", "al"),
    ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"), ("aliti", "al"), ("iviti", "ive"), ("biliti", "ble"),
    ("fulli", "ful"), ("logi", "log"),
)  # fmt: skip
_THIRD = (("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", ""))
_FOURTH = tuple(
    "al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize".split()
)  # the first that ends the word decides


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """A word without its English endings, in lower case."""
    lower = word.lower()
    if lower in _WHOLE:
        return _WHOLE[lower]
    if len(word) <= 2:
        return lower
    return _tidied(_fourth(_replaced(_second(_y(_verbal(_plural(lower)))), _THIRD)))


def _flags(word: str) -> list[bool]:
    """For each letter whether it is a consonant; a y is one where the letter before it is none."""
    flags: list[bool] = []
    for letter in word:
        flags.append(letter not in "aeiou" and (letter != "y" or not flags or not flags[-1]))
    return flags


def _measure(word: str) -> int:
    """How often a vowel is followed by a consonant."""
    flags = _flags(word)
    return sum(after and not before for before, after in itertools.pairwise(flags))


def _short(word: str) -> bool:
    """Whether it ends in consonant, vowel, consonant other than w, x, y; or is a vowel and a consonant."""
    flags = _flags(word)
    if len(word) == 2:
        return not flags[0] and flags[1]
    return flags[-3:] == [True, False, True] and word[-1] not in "wxy"


def _plural(word: str) -> str:
    if word.endswith("ies"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("sses"):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _verbal(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        left = word.removesuffix(ending)
        if left != word and not all(_flags(left)):
            break
    else:
        return word
    if left.endswith(("at", "bl", "iz")):
        return left + "e"
    if len(left) > 1 and left[-1] == left[-2] and _flags(left)[-1]:
        return left if left[-1] in "lsz" else left[:-1]
    return left + "e" if _measure(left) == 1 and _short(left) else left


def _y(word: str) -> str:
    if word.endswith("y") and len(word) > 2 and _flags(word[:-1])[-1]:
        return word[:-1] + "i"
    return word


def _second(word: str) -> str:
    while word.endswith("alli") and _measure(word[:-4]) > 0:
        word = word[:-2]
    return _replaced(word, _SECOND)


def _replaced(word: str, endings: tuple[tuple[str, str], ...]) -> str:
    """The first ending of the list that the word has is replaced, where a vowel and a consonant are left before it."""
    for ending, instead in endings:
        if word.endswith(ending):
            kept = word[:-3] if ending == "logi" else word[: len(word) - len(ending)]
            return word[: len(word) - len(ending)] + instead if _measure(kept) > 0 else word
    return word


def _fourth(word: str) -> str:
    for ending in _FOURTH:
        if word.endswith(ending):
            left = word[: len(word) - len(ending)]
            return left if _measure(left) > 1 and (ending != "ion" or left[-1] in "st") else word
    return word


def _tidied(word: str) -> str:
    if word.endswith("e"):
        left = word[:-1]
        measure = _measure(left)
        if measure > 1 or (measure == 1 and not _short(left)):
            word = left
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
