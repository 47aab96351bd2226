"""Names written together that the corpus parts, and parted that it writes together: "eyetracking", "web RTC", "3 D asset".

Parted words are joined, and count where the whole is a word of titles. Of a word written together the parts are looked up: every two
neighbours in a name, and every name of more words as a whole. What comes of it must be a name, so that letters alone never are.

    pair.*.npy    a table of `strings`: the letters of two neighbours; `row` and `note` are their numbers in the vocabulary
    whole.*.npy   a table of `strings`: the letters of a name of three words and more, and its row
    pair.known.npy  i32 the words of the vocabulary that are such letters too, in order
"""

import itertools
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from loom.core.concepts import Blob
from loom.core.generation import PartFiles
from loom.core.matching.lexicon import MappedWords
from loom.core.matching.spelling import form
from loom.core.matching.stopwords import DEFAULT
from loom.core.matching.strings import Standing, Stood, Strings, press_strings
from loom.core.values import Row

FEWEST, MOST = 4, 63
"""Letters of the shortest and of the longest word that is parted."""

NEAR = 16
"""Lines of the vocabulary that are read one by one before the next that goes on otherwise is searched for."""

PARTS = 3
"""Words that are joined to one at most."""

OPENING = 4
"""Letters of an asking word that may open a parted name ("over fitting"); a shorter one may not ("the rapist")."""


def press_joined(names: Iterable[tuple[Row, Sequence[str]]], numbers: Mapping[str, int]) -> dict[str, bytes | np.ndarray]:
    """The files for names as `words` cuts them; `numbers` is the vocabulary of the forms of their words."""
    pairs: dict[tuple[str, str], None] = {}
    wholes = []
    for row, written in names:
        pairs |= dict.fromkeys(itertools.pairwise(written))
        if len(written) > 2:
            letters = "".join(written)
            if len(letters) <= MOST:
                wholes.append(Standing(form(letters), row, len(written)))
    parted = [
        Standing(form(one + other), numbers[form(one)], 2, numbers[form(other)])
        for one, other in pairs
        if FEWEST <= len(one) + len(other) <= MOST and form(one) in numbers and form(other) in numbers
    ]
    known = sorted({numbers[each.text] for each in (*parted, *wholes) if each.text in numbers})
    return press_strings("pair", parted) | press_strings("whole", wholes) | {"pair.known.npy": np.array(known, dtype=np.int32)}


class Joined:
    """The mapped tables."""

    def __init__(self, files: PartFiles) -> None:
        self._pairs = Strings(files, "pair")
        self._wholes = Strings(files, "whole")
        self.known = frozenset(files.array("pair.known.npy").tolist())

    def parts(self, word: str) -> list[tuple[int, int]]:
        """The numbers of the two words that a word joins."""
        return [(found.row, found.note) for found in self._pairs.find([form(word)])]

    def wholes(self, word: str) -> list[Stood]:
        """The names of three words and more that a word joins."""
        return self._wholes.find([form(word)])


def tails(words: Blob, word: str) -> frozenset[str]:
    """How longer words of the vocabulary go on that begin with this one, by one letter and by two: what may follow it in a name
    that the corpus writes together. `words` are the vocabulary's lines in code-point order."""
    if word in DEFAULT and len(word) < OPENING:
        return frozenset()
    beginning = word.encode("utf-8", "replace")
    at = _after(words, beginning + b"\n")
    found: set[str] = set()
    while at < len(words) and words.bytes(at).startswith(beginning):
        tail = words.text(at)[len(word) : -1][:2]
        found |= {tail[:1], tail}
        following = at + NEAR
        if len(tail) == 2 and following < len(words) and words.bytes(following).startswith(beginning + tail.encode()):
            at = _after(words, beginning + tail.encode() + b"\xff")
        else:
            at += 1
    return frozenset(found)


def _after(words: Blob, line: bytes) -> int:
    """The place of the first line that comes after one."""
    low, high = 0, len(words)
    while low < high:
        middle = (low + high) // 2
        if words.bytes(middle) <= line:
            low = middle + 1
        else:
            high = middle
    return low


def joinable(written: Sequence[str], at: int, numbers: Mapping[str, int] | MappedWords) -> list[tuple[int, int]]:
    """Words from a place on that together are a word of titles: how many they are, and its number."""
    found = []
    letters = written[at]
    for parts, word in enumerate(written[at + 1 : at + PARTS], 2):
        if word in DEFAULT:
            break
        letters += word
        number = numbers.get(form(letters), -1)
        if number >= 0:
            found.append((parts, number))
    return found
