"""The lexicon of one matcher: a vocabulary, names as keys of word numbers, and postings, all in mapped arrays.

One format serves both matchers; they differ in how text becomes words. A name's key folds the numbers of its words, so that
every run of words in a question is looked up with one binary search over all of them. Files:

    words.txt  words.off.npy        the vocabulary in code-point order
    name.key.npy  name.row.npy      u64 keys in order; i32 row of each, -1 where the key only begins a longer name
    name.form.npy                   u64 hash of the name as written (several rows may share a key and differ in their plurals)
    post.ptr.npy  post.row.npy      word number -> rows whose titles hold the word
    scale.npy                       f64 per row: what a title's words are worth together (see each matcher)
    weight.npy                      f64 per word: inverse document frequency, rounded to 6 digits
    sub.ptr.npy  sub.row.npy        word number -> rows whose slug contains it (words of five characters and more)
    suffix.key.npy  suffix.piece.npy suffix.at.npy   first 8 bytes of every suffix of every slug piece; the piece; where in it
    pieces.txt  pieces.off.npy  piece.ptr.npy  piece.row.npy   slug pieces and the rows that have them
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from loom.core.concepts import Blob, blob, remember
from loom.core.generation import PartFiles
from loom.core.values import Row

MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
MEMO = 8_192
WORDS_HELD = 200_000
LONG = 5

_SLUG_PIECE = re.compile(r"[a-z0-9]+")

Words = Callable[[str], list[str]]


@dataclass(frozen=True, slots=True)
class Entry:
    """One row as a lexicon sees it: the words of its title, its further names, and its slug (empty: not searched)."""

    title: str
    names: tuple[str, ...] = ()
    slug: str = ""


class MappedWords:
    """Word numbers looked up in the mapped vocabulary, for one too large to be held; what was asked before is remembered."""

    def __init__(self, words: Blob) -> None:
        self._words = words
        self._known: dict[str, int] = {}

    def get(self, word: str, default: int = -1) -> int:
        number = self._known.get(word)
        if number is None:
            number = remember(self._known, word, self._find(word.encode("utf-8", "replace") + b"\n"), 8 * MEMO)
        return number if number >= 0 else default

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self.get(word) >= 0

    def __getitem__(self, word: str) -> int:
        number = self.get(word)
        if number < 0:
            raise KeyError(word)
        return number

    def _find(self, line: bytes) -> int:
        low, high = 0, len(self._words)
        while low < high:
            middle = (low + high) // 2
            if self._words.bytes(middle) < line:
                low = middle + 1
            else:
                high = middle
        return low if low < len(self._words) and self._words.bytes(low) == line else -1


def vocabulary(words: Blob) -> dict[str, int] | MappedWords:
    """Word numbers: held where there are few enough, since holding them is four times faster to ask."""
    if len(words) > WORDS_HELD:
        return MappedWords(words)
    return {word: number for number, word in enumerate(words.lines())}


class Lexicon:
    """A mapped lexicon. Word numbers and the postings of recently asked words are the only things it keeps in memory."""

    KIND: ClassVar[str] = "lexicon"

    def __init__(self, files: PartFiles) -> None:
        self.files = files
        self.numbers = vocabulary(Blob(files.blob("words.txt"), files.array("words.off.npy")))
        self.name_key = files.array("name.key.npy")
        self.name_row = files.array("name.row.npy")
        self.scale = files.array("scale.npy")
        self.weight = files.array("weight.npy")
        self.name_form = files.array("name.form.npy")
        self.count = len(self.scale)
        self.post_ptr = files.array("post.ptr.npy")
        self.post_row = files.array("post.row.npy")
        self.sub_ptr = files.array("sub.ptr.npy")
        self.sub_row = files.array("sub.row.npy")
        self._suffix_key = files.array("suffix.key.npy")
        self._suffix_piece = files.array("suffix.piece.npy")
        self._suffix_at = files.array("suffix.at.npy")
        self._pieces = Blob(files.blob("pieces.txt"), files.array("pieces.off.npy"))
        self._piece_ptr = files.array("piece.ptr.npy")
        self._piece_row = files.array("piece.row.npy")
        self._postings: dict[str, tuple[np.ndarray, np.ndarray]] = {}
        self._substrings: dict[str, np.ndarray] = {}

    @classmethod
    def open(cls, files: PartFiles) -> Self:
        return cls(files)

    def number(self, words: Sequence[str]) -> np.ndarray:
        """Word numbers plus one as u64, 0 for words that no name or slug has."""
        get = self.numbers.get
        return np.array([get(word, -1) for word in words], dtype=np.int64).view(np.uint64) + np.uint64(1)

    def names_in(self, numbers: np.ndarray) -> list[tuple[int, int, int]]:
        """Every name at every place, as (start, words, entry of `name_row`); `numbers` as `number` gives them.

        Runs of one and two words are all looked up; a longer run only where a longer name begins like it.
        """
        found: list[tuple[int, int, int]] = []
        if not len(numbers) or not len(self.name_key):
            return found
        ones = MULTIPLIER + numbers
        keys = np.concatenate((ones, ones[:-1] * MULTIPLIER + numbers[1:]))
        starts = np.arange(len(keys))
        starts[len(ones) :] -= len(ones)
        words = 0
        while len(keys):
            left = np.searchsorted(self.name_key, keys)
            hit = np.flatnonzero(self.name_key[np.minimum(left, len(self.name_key) - 1)] == keys)
            if not len(hit):
                break
            right = np.searchsorted(self.name_key, keys[hit], side="right")
            longer: list[int] = []
            for at, start, first, last in zip(hit.tolist(), starts[hit].tolist(), left[hit].tolist(), right.tolist(), strict=True):
                n = words or (1 if at < len(ones) else 2)
                if self.name_row[first] < 0:
                    if start + n < len(numbers) and n > 1:
                        longer.append(at)
                    first += 1
                found += [(start, n, entry) for entry in range(first, last)]
            words = (words or 2) + 1
            starts = starts[longer]
            keys = keys[longer] * MULTIPLIER + numbers[starts + words - 1]
        return found

    def postings(self, term: str) -> tuple[np.ndarray, np.ndarray]:
        """Rows whose titles hold the term, and the scale of each."""
        found = self._postings.get(term)
        if found is None:
            number = self.numbers.get(term, -1)
            start, end = self.post_ptr[number : number + 2].tolist() if number >= 0 else (0, 0)
            rows = self.post_row[start:end].astype(np.int64)
            found = remember(self._postings, term, (rows, self.scale[rows]), MEMO)
        return found

    def containing(self, term: str) -> np.ndarray:
        """Rows whose slug contains the term (at least five characters), each once."""
        rows = self._substrings.get(term)
        if rows is None:
            rows = remember(self._substrings, term, self._containing(term).astype(np.int64), MEMO)
        return rows

    def postings_of_many(self, terms: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        """The rows of many known terms end to end, and how many each term has; nothing is remembered."""
        return _gather(self.post_ptr, self.post_row, [self.numbers[term] for term in terms])

    def containing_many(self, terms: Sequence[str]) -> list[np.ndarray]:
        """As `containing`, for many terms at once and without remembering them."""
        numbers = self.numbers
        parts = [_gather(self.sub_ptr, self.sub_row, [numbers[term] for term in terms if term in numbers])[0]]
        unknown = [term for term in terms if term not in numbers]
        if unknown:
            left, right = self._suffix_ranges(unknown)
            for at in np.flatnonzero(right > left).tolist():
                parts.append(self._rows_of_suffixes(unknown[at], int(left[at]), int(right[at])))
        return parts

    def _containing(self, term: str) -> np.ndarray:
        number = self.numbers.get(term, -1)
        if number >= 0:
            start, end = self.sub_ptr[number : number + 2].tolist()
            return self.sub_row[start:end]
        left, right = self._suffix_ranges((term,))
        return self._rows_of_suffixes(term, int(left[0]), int(right[0]))

    def _suffix_ranges(self, terms: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        """For each term, the range of suffixes that share its first eight bytes."""
        low = np.array([int.from_bytes(term[:8].encode("ascii").ljust(8, b"\0"), "big") for term in terms], dtype=np.uint64)
        high = np.array([int.from_bytes(term[:8].encode("ascii").ljust(8, b"\xff"), "big") for term in terms], dtype=np.uint64)
        return np.searchsorted(self._suffix_key, low), np.searchsorted(self._suffix_key, high, side="right")

    def _rows_of_suffixes(self, term: str, left: int, right: int) -> np.ndarray:
        """Rows of the pieces whose suffixes in this range really begin with the term, each once."""
        pieces = set(self._suffix_piece[left:right].tolist())
        if len(term) > 8:
            pieces = {piece for piece in pieces if term in self._pieces.text(piece)}
        rows = [self._piece_row[self._piece_ptr[piece] : self._piece_ptr[piece + 1]] for piece in sorted(pieces)]
        if not rows:
            return self._piece_row[:0]
        return rows[0] if len(rows) == 1 else np.unique(np.concatenate(rows))


def _gather(ptr: np.ndarray, rows: np.ndarray, numbers: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """All rows of several lists end to end, and their sizes, without a Python step a list."""
    chosen = np.array(numbers, dtype=np.int64)
    starts = ptr[chosen].astype(np.int64)
    sizes = ptr[chosen + 1].astype(np.int64) - starts
    shift = np.repeat(starts - (np.cumsum(sizes) - sizes), sizes)
    return rows[shift + np.arange(len(shift))].astype(np.int64), sizes


def _csr(lists: Iterable[Sequence[int]]) -> tuple[np.ndarray, np.ndarray]:
    ptr, rows = [0], list[int]()
    for members in lists:
        rows.extend(members)
        ptr.append(len(rows))
    return np.array(ptr, dtype=np.uint64), np.array(rows, dtype=np.int32)


def press(
    entries: Sequence[Entry],
    words: Words,
    *,
    names: Mapping[tuple[str, ...], Mapping[Row, int]],
    weighted: bool = False,
    substrings: bool = False,
) -> dict[str, bytes | np.ndarray]:
    """The files of a lexicon over entries in row order. `names` says which runs of words name which rows, and the hash of the form in which each does.

    The scale of a row is the number of its title's words, or, `weighted`, the summed weight of the distinct ones.
    """
    titles = [words(entry.title) for entry in entries]
    pieces: dict[str, list[Row]] = {}
    if substrings:
        for row, entry in enumerate(entries):
            for piece in dict.fromkeys(_SLUG_PIECE.findall(entry.slug)):
                pieces.setdefault(piece, []).append(row)
    vocabulary = sorted({word for title in titles for word in title} | {word for name in names for word in name} | set(pieces))
    numbers = {word: number for number, word in enumerate(vocabulary)}

    postings: list[list[Row]] = [[] for _ in vocabulary]
    for row, title in enumerate(titles):
        for word in dict.fromkeys(title):
            postings[numbers[word]].append(row)
    weight = [round(math.log((len(entries) + 1) / (len(rows) + 1)) + 1, 6) for rows in postings]
    if weighted:
        scale = [round(math.fsum(weight[numbers[word]] for word in dict.fromkeys(title)), 6) or 1.0 for title in titles]
    else:
        scale = [float(max(1, len(title))) for title in titles]

    keyed = _keyed({tuple(numbers[word] for word in name): rows for name, rows in names.items()})
    words_blob, words_off = blob(word + "\n" for word in vocabulary)
    post_ptr, post_row = _csr(postings)
    files: dict[str, bytes | np.ndarray] = {
        "words.txt": words_blob,
        "words.off.npy": words_off,
        "name.key.npy": np.array([key for key, _, _ in keyed], dtype=np.uint64),
        "name.row.npy": np.array([row for _, row, _ in keyed], dtype=np.int32),
        "name.form.npy": np.array([form for _, _, form in keyed], dtype=np.uint64),
        "post.ptr.npy": post_ptr,
        "post.row.npy": post_row,
        "scale.npy": np.array(scale, dtype=np.float64),
        "weight.npy": np.array(weight, dtype=np.float64),
    }
    return files | _press_substrings(vocabulary, pieces)


def _keyed(names: Mapping[tuple[int, ...], Mapping[Row, int]]) -> list[tuple[int, Row, int]]:
    """(key, row, form) of every name, and (key, -1, 0) for every beginning of a longer one, in order."""
    runs: dict[tuple[int, ...], Mapping[Row, int]] = dict(names)
    begun = {name[:n] for name in names for n in range(2, len(name))}
    keys = {run: _key(run) for run in runs.keys() | begun}
    if len(set(keys.values())) != len(keys):
        raise ValueError("Two names share one 64-bit key; change MULTIPLIER in loom.core.matching.lexicon.")
    found = [(keys[run], row, form) for run, rows in runs.items() for row, form in rows.items()]
    return sorted(found + [(keys[run], -1, 0) for run in begun])


def _key(run: Sequence[int]) -> int:
    key = 1
    for number in run:
        key = (key * int(MULTIPLIER) + number + 1) % 2**64
    return key


def _press_substrings(vocabulary: Sequence[str], pieces: Mapping[str, Sequence[Row]]) -> dict[str, bytes | np.ndarray]:
    names = sorted(piece for piece in pieces if len(piece) >= LONG)
    suffixes = sorted(
        (name[at : at + 8].encode("ascii").ljust(8, b"\0"), number, at)
        for number, name in enumerate(names)
        for at in range(len(name) - LONG + 1)
    )
    known = {word for word in vocabulary if len(word) >= LONG}
    holders: dict[str, set[Row]] = {}
    for name in names:
        for start in range(len(name) - LONG + 1):
            for end in range(start + LONG, len(name) + 1):
                if name[start:end] in known:
                    holders.setdefault(name[start:end], set()).update(pieces[name])
    sub_ptr, sub_row = _csr(sorted(holders.get(word, ())) if len(word) >= LONG else () for word in vocabulary)
    text, offsets = blob(names)
    piece_ptr, piece_row = _csr(pieces[name] for name in names)
    return {
        "sub.ptr.npy": sub_ptr,
        "sub.row.npy": sub_row,
        "suffix.key.npy": np.array([int.from_bytes(key, "big") for key, _, _ in suffixes], dtype=np.uint64),
        "suffix.piece.npy": np.array([piece for _, piece, _ in suffixes], dtype=np.int32),
        "suffix.at.npy": np.array([at for _, _, at in suffixes], dtype=np.int32),
        "pieces.txt": text,
        "pieces.off.npy": offsets,
        "piece.ptr.npy": piece_ptr,
        "piece.row.npy": piece_row,
    }
