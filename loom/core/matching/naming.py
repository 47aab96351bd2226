"""The names in a text, each where it stands and as it is written there."""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

import numpy as np

from loom.core.matching.cover import covered, covered_short
from loom.core.matching.held import SHORT, HeldNames, Spans
from loom.core.matching.lexicon import Lexicon, as_in_texts
from loom.core.matching.spelling import form
from loom.core.values import Row


def written_hash(written: Sequence[str]) -> int:
    """What tells names apart that differ in plurals or spelling only."""
    return _hash(" ".join(written))


@lru_cache(maxsize=16_384)
def _hash(name: str) -> int:
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "little")


class Naming(NamedTuple):
    """Names found in a text, one a row that is named: its entry in the lexicon's names, the word at which the name starts, its
    words, and whether longer names cover it."""

    entries: np.ndarray
    start: np.ndarray
    words: np.ndarray
    inner: np.ndarray


def names_in(lexicon: Lexicon, written: Sequence[str], numbers: np.ndarray | None = None) -> Naming:
    """Every name in these words. Of names that differ in a plural only, those written so are meant."""
    if numbers is None:
        numbers = numbers_of(lexicon, written)
    spans = lexicon.names_in(numbers)
    start, words, entries = spans.start, spans.words, spans.first
    inner = covered(start, words, len(written))
    shared = (spans.last - entries > 1).nonzero()[0].tolist()
    if shared:
        entries = entries.copy()
        further: list[tuple[int, int]] = []
        for at, meant in zip(shared, _meant(lexicon, spans, shared, written), strict=True):
            entries[at] = meant[0]
            further += [(at, entry) for entry in meant[1:]]
        if further:
            places = np.concatenate((np.arange(len(entries)), [at for at, _ in further]))
            entries = np.concatenate((entries, [entry for _, entry in further]))
            start, words, inner = start[places], words[places], inner[places]
    return Naming(entries, start, words, inner)


def _meant(lexicon: Lexicon, spans: Spans, shared: Sequence[int], written: Sequence[str]) -> list[Sequence[int]]:
    """Of each name that several rows share, the entries that are written as it stands in the text; all, where none is."""
    known: dict[tuple[str, ...], Sequence[int]] = {}
    found = []
    for at in shared:
        start = int(spans.start[at])
        name = tuple(written[start : start + int(spans.words[at])])
        entries = known.get(name)
        if entries is None:
            entries = known[name] = _written_so(lexicon, name, range(int(spans.first[at]), int(spans.last[at])))
        found.append(entries)
    return found


def _written_so(lexicon: Lexicon, name: Sequence[str], entries: range) -> Sequence[int]:
    form = written_hash(name)
    return [entry for entry in entries if lexicon.name_form[entry] == form] or entries


Place = tuple[int, int, int, bool]
"""One name as in `Naming`."""


def as_places(names: Naming) -> list[Place]:
    """The same, name by name."""
    return list(zip(*(array.tolist() for array in names), strict=True))


def places_of(lexicon: Lexicon, written: Sequence[str]) -> list[tuple[Row, int, int, bool]]:
    """As `names_in`: each name as its row, the word at which it starts, its words, and whether longer names cover it."""
    if lexicon.held is not None and len(written) <= SHORT:
        rows = lexicon.held.rows
        places = places_short(lexicon, lexicon.held, written, few_numbers(lexicon, written))
        return [(rows[entry], start, n, inner) for entry, start, n, inner in places]
    names = names_in(lexicon, written)
    rows = lexicon.name_row[names.entries].tolist()
    return list(zip(rows, names.start.tolist(), names.words.tolist(), names.inner.tolist(), strict=True))


def places_short(lexicon: Lexicon, held: HeldNames, written: Sequence[str], numbers: Sequence[int]) -> list[Place]:
    """As `names_in`, for few words."""
    runs = held.runs(numbers)
    inner = covered_short([run[0] for run in runs], [run[1] for run in runs], len(written))
    found: list[Place] = []
    for (start, n, first, last), within in zip(runs, inner, strict=True):
        if last - first == 1:
            found.append((first, start, n, within))
        else:
            entries = _written_so(lexicon, written[start : start + n], range(first, last))
            found += [(entry, start, n, within) for entry in entries]
    return found


def few_numbers(lexicon: Lexicon, written: Sequence[str]) -> list[int]:
    """As `numbers_of`, for few words."""
    get = lexicon.numbers.get
    return [get(form(word), -1) + 1 for word in written]


def numbers_of(lexicon: Lexicon, written: Sequence[str]) -> np.ndarray:
    """Word numbers as `Lexicon.number` gives them, of words as `words` writes them."""
    get = lexicon.numbers.get
    return as_in_texts([get(form(word), -1) for word in written])
