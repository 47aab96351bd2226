"""Every name of every concept, folded and sorted, in mapped arrays: what search and look-up by name read.

A name is a title, an alias or the slug of an IRI. Folding makes names comparable: case and
accents are dropped, and every run of characters that are neither letters nor digits becomes one space.

Both lists of the part, names and the words in them, are sorted, each item between line feeds (the file begins with one), so
that one scan of the bytes finds every occurrence of a needle and tells where items begin. Files:

    names.txt  names.off.npy            folded names; u64, n + 1: where each begins
    names.row.npy  names.kind.npy       i32 concept of each; u8: 0 title, 1 alias, 2 slug
    words.txt  words.off.npy            distinct words of names; u64
    words.ptr.npy  words.entry.npy      u64 word -> i32 names that hold it
"""

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar, Self

import numpy as np

from loom.core.generation import PartFiles
from loom.core.text import fold, slug_of
from loom.core.values import Concept, Row

TITLE, ALIAS, SLUG = 0, 1, 2
KINDS = ("title", "alias", "slug")

_PIECE = 1 << 22
_BREAK = re.compile(r"[\W_]+")


def fold_name(name: str) -> str:
    """The form in which two spellings of one name are equal; "" where a name has neither letter nor digit."""
    return _BREAK.sub(" ", fold(name.encode("utf-8", "replace").decode())).strip()


def press(concepts: Sequence[Concept]) -> dict[str, bytes | np.ndarray]:
    """The files of the part. Concepts come in any order; equal names of one concept are kept once, under the first kind.

    A deprecated concept has no name here: it is found by its IRI only."""
    ordered = sorted(concepts, key=lambda concept: concept.iri)
    entries = sorted(entry for row, concept in enumerate(ordered) if not concept.deprecated for entry in _names(row, concept))
    holding: dict[str, list[int]] = {}
    for entry, (name, _, _) in enumerate(entries):
        for word in dict.fromkeys(name.split()):
            holding.setdefault(word, []).append(entry)
    words = sorted(holding)
    names_text, names_off = between_lines(name for name, _, _ in entries)
    words_text, words_off = between_lines(words)
    return {
        "names.txt": names_text,
        "names.off.npy": names_off,
        "names.row.npy": np.array([row for _, row, _ in entries], np.int32),
        "names.kind.npy": np.array([kind for _, _, kind in entries], np.uint8),
        "words.txt": words_text,
        "words.off.npy": words_off,
        "words.ptr.npy": np.cumsum([0, *(len(holding[word]) for word in words)], dtype=np.uint64),
        "words.entry.npy": np.array([entry for word in words for entry in holding[word]], np.int32),
    }


def between_lines(items: Iterable[str]) -> tuple[bytes, np.ndarray]:
    """Strings for a `Sorted`: the bytes, and the u64 offset at which each begins and the last ends."""
    data, ends = bytearray(b"\n"), array("Q", [1])
    for item in items:
        data += item.encode()
        data += b"\n"
        ends.append(len(data))
    return bytes(data), np.array(ends, np.uint64)


def _names(row: Row, concept: Concept) -> Iterator[tuple[str, Row, int]]:
    seen = {""}
    stated: Iterable[tuple[int, str]] = (
        (TITLE, concept.title),
        *((ALIAS, alias) for alias in concept.aliases),
        (SLUG, slug_of(concept.iri)),
    )
    for kind, name in stated:
        folded = fold_name(name)
        if folded not in seen:
            seen.add(folded)
            yield folded, row, kind


class Sorted:
    """A mapped list of strings in code point order, which is byte order in UTF-8."""

    def __init__(self, text: memoryview, offsets: np.ndarray) -> None:
        self.text = text
        self.offsets = offsets

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, at: int) -> bytes:
        begin, end = self.offsets[at : at + 2].tolist()
        return bytes(self.text[begin : end - 1])

    def first(self, item: bytes) -> int:
        """Where the first string is that does not come before `item`."""
        low, high = 0, len(self)
        while low < high:
            middle = (low + high) // 2
            if self[middle] < item:
                low = middle + 1
            else:
                high = middle
        return low

    def beginning(self, start: bytes) -> tuple[int, int]:
        """The range of strings that begin with `start`."""
        return self.first(start), self.first(start + b"\xff")

    def holding(self, needle: bytes) -> np.ndarray:
        """The strings that hold the needle, in order, each once. Looked for in pieces, of which one is copied at a time."""
        found = []
        for start in range(0, len(self.text), _PIECE):
            piece = bytes(self.text[start : start + _PIECE + len(needle) - 1])
            at = piece.find(needle)
            while at >= 0:
                found.append(start + at)
                at = piece.find(needle, at + 1)
        return np.unique(np.searchsorted(self.offsets, np.array(found, np.uint64), side="right") - 1)


class Names:
    """Folded names in sorted order, and the words in them. An `entry` counts names from 0; several may lead to one row."""

    KIND: ClassVar[str] = "names"

    def __init__(self, files: PartFiles) -> None:
        self.names = Sorted(files.blob("names.txt"), files.array("names.off.npy"))
        self.rows = files.array("names.row.npy")
        self.kinds = files.array("names.kind.npy")
        self.words = Sorted(files.blob("words.txt"), files.array("words.off.npy"))
        self._pointers = files.array("words.ptr.npy")
        self._entries = files.array("words.entry.npy")
        self.count = len(self.rows)

    @classmethod
    def open(cls, files: PartFiles) -> Self:
        return cls(files)

    def with_word(self, word: bytes) -> np.ndarray:
        """Entries that hold a word, in order."""
        at = self.words.first(word)
        return self._of(at, at + 1) if at < len(self.words) and self.words[at] == word else np.zeros(0, np.int32)

    def with_word_beginning(self, start: bytes) -> np.ndarray:
        """Entries that hold a word which begins so; an entry may come more than once."""
        return self._of(*self.words.beginning(start))

    def with_word_holding(self, piece: bytes) -> np.ndarray:
        """Entries that hold a word in which this occurs; an entry may come more than once."""
        found = [self._of(at, at + 1) for at in self.words.holding(piece).tolist()]
        return np.concatenate(found) if found else np.zeros(0, np.int32)

    def _of(self, first: int, last: int) -> np.ndarray:
        begin, end = int(self._pointers[first]), int(self._pointers[last])
        entries: np.ndarray = self._entries[begin:end]
        return entries

    def exactly(self, folded: str) -> list[tuple[int, Row]]:
        """(kind, row) of each concept with this folded name: titles before aliases before slugs, then by row."""
        wanted = folded.encode("utf-8", "replace")
        first = self.names.first(wanted)
        last = self.names.first(wanted + b"\x00")
        return sorted(zip(self.kinds[first:last].tolist(), self.rows[first:last].tolist(), strict=True))
