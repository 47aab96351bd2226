"""Whether a text names a title: the surface matchers of exposure (reference §9.1, and the default with word boundaries)."""

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import accumulate, chain
from typing import NamedTuple

from loom.core.matching.default import plain_words
from loom.core.matching.spelling import form
from loom.core.text import words

LONG, SHARE = 4, 0.8

_OTHER = re.compile(r"[^a-z0-9]+")


class ReferenceText:
    """A text as the reference matcher reads it: ASCII, containment anywhere."""

    __slots__ = ("_plain", "_words")

    def __init__(self, text: str) -> None:
        self._plain = reference_form(text)
        self._words: frozenset[str] | None = None

    def names(self, title: str) -> bool:
        """Containment of the normalised title, or four fifths of its long words as whole words."""
        plain = reference_form(title)
        if not plain:
            return False
        if plain in self._plain:
            return True
        long = [word for word in plain.split() if len(word) >= LONG]
        if not long:
            return False
        if self._words is None:
            self._words = frozenset(self._plain.split())
        return sum(word in self._words for word in long) / len(long) >= SHARE

    def lacks(self, titles: tuple[str, ...]) -> tuple[str, ...]:
        """The titles that it does not name."""
        return tuple([title for title in titles if not self.names(title)])


def reference_form(text: str) -> str:
    """A text as the reference matcher compares it: lower case, every run outside [a-z0-9] one space, none at the ends."""
    return _short_form(text) if len(text) < 200 else _OTHER.sub(" ", text.lower()).strip()


@lru_cache(maxsize=16_384)
def _short_form(text: str) -> str:
    return _OTHER.sub(" ", text.lower()).strip()


class Title(NamedTuple):
    """A title's words as they are compared, and as they are written, each run together; its long words."""

    joined: str
    written: str
    long: tuple[str, ...]


@lru_cache(maxsize=16_384)
def _title(title: str) -> Title:
    found = plain_words(title)
    return Title("".join(found), "".join(words(title)), tuple(word for word in found if len(word) >= LONG))


class Titles(NamedTuple):
    """What `_title` says of several titles, and all their long words."""

    joined: tuple[str, ...]
    written: tuple[str, ...]
    long: tuple[tuple[str, ...], ...]
    words: frozenset[str]


@lru_cache(maxsize=1_024)
def _titles(titles: tuple[str, ...]) -> Titles:
    joined, written, long = zip(*map(_title, titles), strict=True) if titles else ((), (), ())
    return Titles(joined, written, long, frozenset(chain.from_iterable(long)))


class DefaultText:
    """A text as the default matcher reads it: Unicode words without plural endings; spaced and run-together forms of a name are
    the same name.

    A word that is several run together has none of the endings of those inside it ("TimeSeriesModel" keeps both of its s), so that
    names are compared as they are written, too.
    """

    __slots__ = ("_bounds", "_found", "_joined", "_words", "_written", "_written_bounds", "_written_joined")

    def __init__(self, text: str) -> None:
        self._written = words(text)
        self._found = list(map(form, self._written))
        self._words = frozenset(self._found)
        self._joined = "".join(self._found)
        self._written_joined = "".join(self._written)
        self._bounds: set[int] | None = None
        self._written_bounds: set[int] | None = None

    def names(self, title: str) -> bool:
        """The whole title, or four fifths of its long words as whole words."""
        return not self.lacks((title,))

    def lacks(self, titles: tuple[str, ...]) -> tuple[str, ...]:
        """The titles that it does not name. Most have nothing in common with it, which is told of all at once."""
        read = _titles(titles)
        text = self._joined
        if (
            self._words.isdisjoint(read.words)
            and not any([joined in text for joined in read.joined])
            and not any([written in self._written_joined for written in read.written])
        ):
            return titles
        return tuple(
            [title for title, long in zip(titles, read.long, strict=True) if not self._shares(long) and not self.holds(title)]
        )

    def _shares(self, long: tuple[str, ...]) -> bool:
        return bool(long) and sum(map(self._words.__contains__, long)) / len(long) >= SHARE

    def holds(self, title: str) -> bool:
        """The title's words in order, between word boundaries."""
        joined, written, _ = _title(title)
        return self._compared(joined) or self._as_written(written)

    def _compared(self, joined: str) -> bool:
        if not joined or joined not in self._joined:
            return False
        if self._bounds is None:
            self._bounds = {0, *accumulate(map(len, self._found))}
        return _between(joined, self._joined, self._bounds)

    def _as_written(self, written: str) -> bool:
        if not written or written not in self._written_joined:
            return False
        if self._written_bounds is None:
            self._written_bounds = {0, *accumulate(map(len, self._written))}
        return _between(written, self._written_joined, self._written_bounds)


def _between(part: str, whole: str, bounds: set[int]) -> bool:
    """Whether a part of a text begins and ends at bounds of words."""
    at = whole.find(part)
    while at >= 0:
        if at in bounds and at + len(part) in bounds:
            return True
        at = whole.find(part, at + 1)
    return False


Text = ReferenceText | DefaultText

READERS: dict[str, Callable[[str], Text]] = {"reference": ReferenceText, "default": DefaultText}


def hit(title: str, text: str, matcher: str = "default") -> bool:
    """Whether the text names the title under a matcher."""
    return READERS[matcher](text).names(title)
