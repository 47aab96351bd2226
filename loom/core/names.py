"""Every name of every concept, folded and sorted, in mapped arrays: what search and look-up by name read.

A name is a title, an alias or the slug of an IRI. Folding makes names comparable: case and
accents are dropped, and every run of characters that are neither letters nor digits becomes one space.

Files of the part: `names.txt` holds the folded names, sorted, each between line feeds (it begins with one), so that one scan
of the bytes finds every occurrence of a needle and tells where words and names begin; `names.off.npy` (u64, n + 1) is where
each name begins; `names.row.npy` (i32) is its concept; `names.kind.npy` (u8) is 0 title, 1 alias, 2 slug.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar, Self

import numpy as np

from loom.core.generation import PartFiles
from loom.core.text import fold, slug_of
from loom.core.values import Concept, Row

TITLE, ALIAS, SLUG = 0, 1, 2
KINDS = ("title", "alias", "slug")

_BREAK = re.compile(r"[\W_]+")


def fold_name(name: str) -> str:
    """The form in which two spellings of one name are equal; "" where a name has neither letter nor digit."""
    return _BREAK.sub(" ", fold(name.encode("utf-8", "replace").decode())).strip()


def press(concepts: Sequence[Concept]) -> dict[str, bytes | np.ndarray]:
    """The files of the part. Concepts come in any order; equal names of one concept are kept once, under the first kind."""
    ordered = sorted(concepts, key=lambda concept: concept.iri)
    entries = sorted(entry for row, concept in enumerate(ordered) for entry in _names(row, concept))
    encoded = [name.encode() for name, _, _ in entries]
    offsets = np.zeros(len(entries) + 1, np.uint64)
    offsets[0] = 1
    if encoded:
        offsets[1:] = 1 + np.cumsum([len(name) + 1 for name in encoded], dtype=np.uint64)
    return {
        "names.txt": b"\n" + b"".join(name + b"\n" for name in encoded),
        "names.off.npy": offsets,
        "names.row.npy": np.array([row for _, row, _ in entries], np.int32),
        "names.kind.npy": np.array([kind for _, _, kind in entries], np.uint8),
    }


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


class Names:
    """Folded names in sorted order. An `entry` counts names from 0; several entries may lead to one row."""

    KIND: ClassVar[str] = "names"

    def __init__(self, text: memoryview, offsets: np.ndarray, rows: np.ndarray, kinds: np.ndarray) -> None:
        self.text = text
        self.offsets = offsets
        self.rows = rows
        self.kinds = kinds
        self.count = len(rows)

    @classmethod
    def open(cls, files: PartFiles) -> Self:
        return cls(
            files.blob("names.txt"), files.array("names.off.npy"), files.array("names.row.npy"), files.array("names.kind.npy")
        )

    def name(self, entry: int) -> bytes:
        """The folded name of an entry, in UTF-8."""
        return bytes(self.text[int(self.offsets[entry]) : int(self.offsets[entry + 1]) - 1])

    def first(self, folded: bytes) -> int:
        """The first entry whose name is not before `folded` in code point order (which is byte order in UTF-8)."""
        low, high = 0, self.count
        while low < high:
            middle = (low + high) // 2
            if self.name(middle) < folded:
                low = middle + 1
            else:
                high = middle
        return low

    def exactly(self, folded: str) -> list[tuple[int, Row]]:
        """(kind, row) of each concept with this folded name: titles before aliases before slugs, then by row."""
        wanted = folded.encode("utf-8", "replace")
        entry, found = self.first(wanted), []
        while entry < self.count and self.name(entry) == wanted:
            found.append((int(self.kinds[entry]), int(self.rows[entry])))
            entry += 1
        return sorted(found)

    def entries_at(self, starts: np.ndarray) -> np.ndarray:
        """The entries that hold these byte positions of the text."""
        return np.searchsorted(self.offsets, starts.astype(np.uint64), side="right") - 1
