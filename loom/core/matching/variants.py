"""Names that a text uses in another shape than the corpus: written together or apart, abbreviated, or with one letter wrong."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from loom.core.concepts import Blob, remember
from loom.core.generation import PartFiles
from loom.core.matching.abbreviations import abbreviated_in, abbreviations
from loom.core.matching.held import HeldNames
from loom.core.matching.joined import FEWEST, Joined, joinable, press_joined, tails
from loom.core.matching.lexicon import Entry, Lexicon
from loom.core.matching.spelling import form
from loom.core.matching.stopwords import DEFAULT
from loom.core.matching.strings import Stood, Strings, press_strings
from loom.core.matching.typos import Typos, press_typos
from loom.core.values import Row

REACH = 160
"""Words of the longest text in which variants are looked for: beyond, it is a document, which says its names as they are."""

SLIPS = 6
"""Words of a text that may be slips; a text with more unknown words is in another language, or about something else."""

LONG_NAME = 7
"""Letters of the shortest name that one wrong letter may still mean."""

SURE = 5
"""Letters of the shortest name whose parts may stand apart; those of a shorter one must be joined by hyphens ("wi-fi")."""

MEMO = 8_192
NAME_WORDS = 5
"""Words to either side that a name may have around a word in another shape."""

Known = Callable[[str], bool]


class Variant(NamedTuple):
    """A name in another shape: its row, the word of the text at which it starts, the words that it covers there, the words of the
    name itself, its shape, how many rows share it, and of an abbreviation whether the corpus states it."""

    row: Row
    start: int
    covered: int
    words: int
    how: str
    shared: int
    stated: bool = False


class Reading(NamedTuple):
    """What a word of a text may be besides a word of names: the first part of one, which goes on with one of `tails`; two
    together; a whole name; a word of names with one letter wrong."""

    tails: frozenset[str]
    parts: Sequence[tuple[int, int]]
    wholes: Sequence[Stood]
    near: Sequence[tuple[int, int]]


NOTHING = Reading(frozenset(), (), (), ())


def press_variants(
    entries: Sequence[Entry], names: Iterable[tuple[Row, Sequence[str]]], numbers: Mapping[str, int]
) -> dict[str, bytes | np.ndarray]:
    """The tables for entries in row order. `names` are all names as rows and words, `numbers` the lexicon's vocabulary."""
    named = list(names)
    short = [each for row, entry in enumerate(entries) for each in abbreviations(row, entry.title, entry.definition)]
    return (
        press_joined(named, numbers)
        | press_strings("short", short)
        | press_typos(sorted({word for _, written in named for word in written}), numbers)
    )


class Variants:
    """The mapped tables of a lexicon."""

    def __init__(self, files: PartFiles, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._joined = Joined(files)
        self._short = Strings(files, "short")
        self._typos = Typos(files)
        self._words = Blob(files.blob("words.txt"), files.array("words.off.npy"))
        self._readings: dict[str, Reading] = {}

    def find(
        self, text: str, written: Sequence[str], numbers: Sequence[int], known: Known | None, capitals: bool
    ) -> list[Variant]:
        """The variants in a text; a name as it stands there may cover some. `numbers` are those of the words plus one, 0 unknown;
        `capitals` as `has_capitals` says of the text."""
        found: list[Variant] = []
        slips: list[int] = []
        readings = self._readings
        for at, word in enumerate(written):
            reading = readings.get(word) or self._read(word)
            if reading is NOTHING:
                continue
            if reading.tails and at + 1 < len(written) and written[at + 1][:2] in reading.tails:
                found += self._parted(text, written, numbers, at)
            if reading.parts or reading.wholes:
                found += self._together(reading, numbers, at)
            if reading.near:
                slips.append(at)
        if capitals or known is not None:
            found += [
                Variant(row, start, 1, words, "abbreviation", shared, stated)
                for row, start, words, stated, shared in abbreviated_in(self._short, text, written, numbers, known, capitals)
            ]
        if not slips:
            return found
        explained = {start + at for _, start, covered, *_ in found for at in range(covered)}
        slips = [at for at in slips if at not in explained and not (known is not None and known(written[at]))]
        if len(slips) <= SLIPS:
            for at in slips:
                found += self._slip(written, numbers, at)
        return found

    def _read(self, word: str) -> Reading:
        number = self._lexicon.numbers.get(form(word), -1)
        parts: Sequence[tuple[int, int]] = ()
        wholes: Sequence[Stood] = ()
        near: Sequence[tuple[int, int]] = ()
        if len(word) >= FEWEST and word not in DEFAULT:
            if number < 0 or number in self._joined.known:
                parts, wholes = self._joined.parts(word), self._joined.wholes(word)
            if number < 0:
                near = self._typos.near(word)
        reading = Reading(tails(self._words, word), parts, wholes, near)
        return remember(self._readings, word, reading if any(reading) else NOTHING, MEMO)

    def _parted(self, text: str, written: Sequence[str], numbers: Sequence[int], at: int) -> list[Variant]:
        found: list[Variant] = []
        for parts, number in joinable(written, at, self._lexicon.numbers):
            for start, words, rows in self._names(numbers, at, parts, (number,)):
                covered = words - 1 + parts
                place = written[start : start + covered]
                if sum(map(len, place)) >= SURE or "-".join(place) in text.lower():
                    found += [Variant(row, start, covered, words, "joined", 1) for row in rows]
        return found

    def _together(self, reading: Reading, numbers: Sequence[int], at: int) -> list[Variant]:
        found = [Variant(row, at, 1, words, "joined", 1) for _, row, words, _ in reading.wholes]
        for parts in reading.parts:
            for start, words, rows in self._names(numbers, at, 1, parts):
                found += [Variant(row, start, words - 1, words, "joined", 1) for row in rows]
        return found

    def _slip(self, written: Sequence[str], numbers: Sequence[int], at: int) -> list[Variant]:
        """The longest names that hold a word near the one at a place, with their other words as they stand."""
        found: list[Variant] = []
        for number, letters in self._readings[written[at]].near:
            for start, words, rows in self._names(numbers, at, 1, (number,)):
                others = sum(len(written[place]) for place in range(start, start + words) if place != at)
                if letters + others >= LONG_NAME:
                    found += [Variant(row, start, words, words, "typo", len(rows)) for row in rows]
        most = max((each.covered for each in found), default=0)
        return [each for each in found if each.covered == most]

    def _names(
        self, numbers: Sequence[int], at: int, parts: int, instead: Sequence[int]
    ) -> list[tuple[int, int, Sequence[Row]]]:
        """The names that hold all of some words put in place of others in a text: start, words, rows."""
        held = self._lexicon.held
        if held is not None and not _possible(held, numbers, at, parts, instead):
            return []
        first = at
        while first > 0 and at - first < NAME_WORDS and numbers[first - 1]:
            first -= 1
        window = [*numbers[first:at], *(number + 1 for number in instead), *numbers[at + parts : at + parts + NAME_WORDS]]
        if held is not None:
            runs = held.runs(window)
            rows: Sequence[Row] | np.ndarray = held.rows
        else:
            spans = self._lexicon.names_in(np.array(window, dtype=np.uint64))
            runs = list(zip(*(array.tolist() for array in spans), strict=True))
            rows = self._lexicon.name_row
        return [
            (first + start, words, list(dict.fromkeys(map(int, rows[begin:end]))))
            for start, words, begin, end in runs
            if first + start <= at and at + len(instead) <= first + start + words
        ]


def _possible(held: HeldNames, numbers: Sequence[int], at: int, parts: int, instead: Sequence[int]) -> bool:
    """Whether there may be such names: told by two words where the two before are not both known."""
    one = instead[0] + 1
    after = instead[1] + 1 if len(instead) > 1 else numbers[at + parts] if at + parts < len(numbers) else 0
    if held.may_begin(one, after):
        return True
    if not at or not numbers[at - 1]:
        return False
    return (at > 1 and numbers[at - 2] > 0) or held.may_begin(numbers[at - 1], one)
