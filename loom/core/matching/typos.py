"""Words one letter away from the words of names: one inserted, left out, replaced, or two that have changed places.

Two words are so close only if they are equal after at most one letter is taken from each. Every word is therefore kept under the
checksums of itself and of itself without each of its letters, and whatever shares one of those with the word written is compared with it.
The words are kept as they are written and as they are compared, so that a slip is found in either spelling.

    typo.words.txt  typo.words.off.npy   the words, in code-point order
    typo.number.npy                      i32 the number in the vocabulary of the form of each
    typo.key.npy  typo.word.npy          u32 checksums in order; i32 the word of each
"""

from collections.abc import Iterable, Mapping

import numpy as np

from loom.core.concepts import Blob, blob
from loom.core.generation import PartFiles
from loom.core.matching.spelling import form
from loom.core.matching.strings import checked

SHORTEST, LONGEST = 4, 24
CHOICES = 6


def press_typos(written: Iterable[str], numbers: Mapping[str, int]) -> dict[str, bytes | np.ndarray]:
    """The files for the words of names as written; `numbers` is the vocabulary of their forms."""
    forms = {word: form(word) for word in written}
    known = sorted(
        (word, numbers[each])
        for word, each in (forms | {each: each for each in forms.values()}).items()
        if SHORTEST <= len(word) <= LONGEST and word.isalpha() and each in numbers
    )
    keys = sorted({(key, at) for at, (word, _) in enumerate(known) for key in _keys(word)})
    text, offsets = blob(word for word, _ in known)
    return {
        "typo.words.txt": text,
        "typo.words.off.npy": offsets,
        "typo.number.npy": np.array([number for _, number in known], dtype=np.int32),
        "typo.key.npy": np.array([key for key, _ in keys], dtype=np.uint32),
        "typo.word.npy": np.array([at for _, at in keys], dtype=np.int32),
    }


def _keys(word: str) -> set[int]:
    return {checked(word), *(checked(word[:at] + word[at + 1 :]) for at in range(len(word)))}


class Typos:
    """The mapped words of names."""

    def __init__(self, files: PartFiles) -> None:
        self._words = Blob(files.blob("typo.words.txt"), files.array("typo.words.off.npy"))
        self._numbers = files.array("typo.number.npy")
        self._keys = files.array("typo.key.npy")
        self._word = files.array("typo.word.npy")

    def near(self, word: str) -> tuple[tuple[int, int], ...]:
        """The vocabulary's words one letter away, each as its number and its letters; at most `CHOICES`."""
        if not SHORTEST <= len(word) <= LONGEST or not word.isalpha() or not len(self._keys):
            return ()
        forms = sorted({word, form(word)})
        keys = np.array(sorted({key for each in forms for key in _keys(each)}), dtype=np.uint32)
        left, right = self._keys.searchsorted(keys), self._keys.searchsorted(keys, side="right")
        held = {int(at) for first, last in zip(left.tolist(), right.tolist(), strict=True) for at in self._word[first:last]}
        close: dict[int, int] = {}
        for at in sorted(held):
            candidate = self._words.text(at)
            if any(one_apart(each, candidate) for each in forms):
                close.setdefault(int(self._numbers[at]), len(candidate))
        return tuple(close.items())[:CHOICES]


def one_apart(one: str, other: str) -> bool:
    """Whether one edit makes one word the other: a letter inserted, left out or replaced, or two neighbours exchanged."""
    if one == other or abs(len(one) - len(other)) > 1:
        return False
    same = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        same += 1
    one, other = one[same:], other[same:]
    if len(one) != len(other):
        return one[1:] == other if len(one) > len(other) else one == other[1:]
    return one[1:] == other[1:] or (one[:1] == other[1:2] and one[1:2] == other[:1] and one[2:] == other[2:])
