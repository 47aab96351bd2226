"""Where a text writes names: whole names at word boundaries, the longest at each place, each word counted once.

It says how much of a text is names; whether a text names a title at all is for the matchers of `core.exposure` alone.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from loom.core.matching.default import plain_words


class Place(NamedTuple):
    """A name in a text: the number of its first word, how many words it has, and the name."""

    start: int
    words: int
    name: str


class NameIndex:
    """Names by their first word, read as the default matcher reads words."""

    __slots__ = ("_by_word",)

    def __init__(self, names: Iterable[str]) -> None:
        self._by_word: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        seen: set[tuple[str, ...]] = set()
        for name in names:
            words = tuple(plain_words(name))
            if words and words not in seen:
                seen.add(words)
                self._by_word.setdefault(words[0], []).append((words, name))
        for held in self._by_word.values():
            held.sort(key=lambda each: (-len(each[0]), each[0]))

    def places(self, words: Sequence[str]) -> list[Place]:
        """The names in a text's words, in order; none overlaps another."""
        found: list[Place] = []
        at = 0
        while at < len(words):
            for name_words, name in self._by_word.get(words[at], ()):
                if tuple(words[at : at + len(name_words)]) == name_words:
                    found.append(Place(at, len(name_words), name))
                    at += len(name_words) - 1
                    break
            at += 1
        return found
