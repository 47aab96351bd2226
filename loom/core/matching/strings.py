"""Strings that stand for rows, in mapped arrays: found by a checksum, told from others of that checksum by a hash.

    <name>.sum.npy    u32 CRC-32 of each string, in order
    <name>.hash.npy   u64 BLAKE2b hash of it
    <name>.row.npy    i32 the row that it stands for
    <name>.words.npy  u8 the words of the name that it stands for, at most 255
    <name>.note.npy   u64 what the kind of string keeps with it

A checksum costs a tenth of a hash, and nearly every string that is looked for stands for nothing.
"""

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import NamedTuple
from zlib import crc32

import numpy as np

from loom.core.generation import PartFiles
from loom.core.matching.held import NAMES_HELD
from loom.core.values import Row

MOST = 255


class Standing(NamedTuple):
    """One string, the row for which it stands, the words of that name, and a note."""

    text: str
    row: Row
    words: int
    note: int = 0


class Stood(NamedTuple):
    """What was found: which of the strings looked for, the row, the words of its name, and the note."""

    at: int
    row: Row
    words: int
    note: int


def hashed(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "little")


def checked(text: str) -> int:
    return crc32(text.encode("utf-8", "replace"))


def press_strings(name: str, standing: Iterable[Standing]) -> dict[str, bytes | np.ndarray]:
    """The files of a table. Of a string that stands for a row twice with one note, the first is kept."""
    distinct: dict[tuple[str, Row, int], int] = {}
    for text, row, words, note in standing:
        distinct.setdefault((text, row, note), min(words, MOST))
    lines = sorted((checked(text), hashed(text), row, words, note) for (text, row, note), words in distinct.items())
    columns: Sequence[Sequence[int]] = list(zip(*lines, strict=True)) if lines else [()] * 5
    kinds = {"sum": np.uint32, "hash": np.uint64, "row": np.int32, "words": np.uint8, "note": np.uint64}
    return {
        f"{name}.{column}.npy": np.array(values, dtype=kind)
        for (column, kind), values in zip(kinds.items(), columns, strict=True)
    }


class Strings:
    """A table as `press_strings` makes it. The checksums of a small one are held in memory."""

    def __init__(self, files: PartFiles, name: str) -> None:
        self._sums = files.array(f"{name}.sum.npy")
        self._hashes = files.array(f"{name}.hash.npy")
        self._rows = files.array(f"{name}.row.npy")
        self._words = files.array(f"{name}.words.npy")
        self._notes = files.array(f"{name}.note.npy")
        self._held = set(self._sums.tolist()) if len(self._sums) <= NAMES_HELD else None

    def find(self, texts: Sequence[str]) -> list[Stood]:
        """Every entry of every string, in the order of `texts`."""
        sums = [checked(text) for text in texts]
        if self._held is not None:
            held = self._held
            hits = [at for at, each in enumerate(sums) if each in held]
        else:
            wanted = np.array(sums, dtype=np.uint32)
            left = self._sums.searchsorted(wanted)
            hits = (self._sums.take(left, mode="clip") == wanted).nonzero()[0].tolist() if len(self._sums) else []
        return [found for at in hits for found in self._entries(at, texts[at], sums[at])]

    def _entries(self, at: int, text: str, sum: int) -> list[Stood]:
        wanted = np.array([sum], dtype=np.uint32)
        first, last = int(self._sums.searchsorted(wanted)[0]), int(self._sums.searchsorted(wanted, side="right")[0])
        same = hashed(text)
        return [
            Stood(at, int(self._rows[entry]), int(self._words[entry]), int(self._notes[entry]))
            for entry in range(first, last)
            if int(self._hashes[entry]) == same
        ]
