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
from itertools import takewhile
from typing import ClassVar, Self

import numpy as np

from loom.core.concepts import Blob, blob, remember
from loom.core.generation import PartFiles
from loom.core.matching.held import MULTIPLIER, NAMES_HELD, NO_SPANS, SHORT, HeldNames, Spans
from loom.core.values import Row

MEMO = 8_192
WORDS_HELD = 200_000
LONG = 5

# A text of more distinct words than this is read in bulk, and nothing of it is remembered.
MANY = 120

_SLUG_PIECE = re.compile(r"[a-z0-9]+")

Words = Callable[[str], list[str]]


@dataclass(frozen=True, slots=True)
class Entry:
    """One row as a lexicon sees it: its title, its further names, its slug (empty: not searched), and its definition, which may
    state an abbreviation of the title."""

    title: str
    names: tuple[str, ...] = ()
    slug: str = ""
    definition: str = ""


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


def vocabulary_of(files: Mapping[str, bytes | np.ndarray]) -> dict[str, int]:
    """Word numbers of a lexicon's files as `press` makes them."""
    lines = bytes(files["words.txt"]).decode("utf-8").split("\n")[:-1]
    return {word: number for number, word in enumerate(lines)}


class Lexicon:
    """A mapped lexicon. Word numbers and the postings of recently asked words are the only things it keeps in memory."""

    KIND: ClassVar[str] = "lexicon"

    asking: frozenset[int] = frozenset()
    """Numbers plus one of the words that ask rather than name."""

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
        self._piece_bytes = np.frombuffer(files.blob("pieces.txt"), dtype=np.uint8)
        self._piece_off = files.array("pieces.off.npy")
        self._piece_ptr = files.array("piece.ptr.npy")
        self._piece_row = files.array("piece.row.npy")
        self.held = HeldNames(self.name_key, self.name_row) if len(self.name_key) <= NAMES_HELD else None
        self._postings: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        self._substrings: dict[str, np.ndarray] = {}

    @classmethod
    def open(cls, files: PartFiles) -> Self:
        return cls(files)

    def number(self, words: Iterable[str]) -> np.ndarray:
        """Word numbers plus one as u64, 0 for words that no name or slug has."""
        get = self.numbers.get
        return as_in_texts([get(word, -1) for word in words])

    def names_in(self, numbers: np.ndarray) -> Spans:
        """Every name at every place; `numbers` as `number` gives them.

        Runs of one and two words are all looked up; a longer run only where a longer name begins like it.
        """
        if self.held is not None and len(numbers) <= SHORT:
            return self.held.spans(numbers.tolist())
        found: list[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]] = []
        known = numbers.nonzero()[0]
        if len(known) and len(self.name_key):
            pairs = known[:-1][known[1:] == known[:-1] + 1]
            starts = np.concatenate((known, pairs))
            words = np.ones(len(starts), dtype=np.int64)
            words[len(known) :] = 2
            ones = MULTIPLIER + numbers
            keys = np.concatenate((ones[known], ones[pairs] * MULTIPLIER + numbers[pairs + 1]))
            while len(keys):
                left = self.name_key.searchsorted(keys)
                hit = (self.name_key.take(left, mode="clip") == keys).nonzero()[0]
                if not len(hit):
                    break
                first, starts, words = left[hit], starts[hit], words[hit]
                begins = self.name_row[first] < 0
                found.append((starts, words, first + begins, self.name_key.searchsorted(keys[hit], side="right")))
                longer = (begins & (words > 1) & (starts + words < len(numbers))).nonzero()[0]
                starts, words = starts[longer], words[longer] + 1
                keys = keys[hit[longer]] * MULTIPLIER + numbers[starts + words - 1]
        if not found:
            return NO_SPANS
        spans = found[0] if len(found) == 1 else [np.concatenate(arrays) for arrays in zip(*found, strict=True)]
        named = (spans[2] < spans[3]).nonzero()[0]
        return Spans(*(array[named] for array in spans))

    def worth(self, words: np.ndarray | int, rows: np.ndarray) -> np.ndarray:
        """What a word is worth to each row whose title holds it."""
        raise NotImplementedError

    def spread(self, number: int) -> int:
        """How many titles hold a word."""
        return int(self.post_ptr[number + 1]) - int(self.post_ptr[number])

    def postings(self, numbers: Sequence[int]) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """For each word in turn the rows whose titles hold it, and what it is worth to them. Many words are gathered at once
        and not remembered."""
        if len(numbers) > MANY:
            rows, sizes = _gather(self.post_ptr, self.post_row, numbers)
            return [rows], [self.worth(np.repeat(np.array(numbers), sizes), rows)]
        found = [self._postings.get(number) or self._remembered(number) for number in numbers]
        return [rows for rows, _ in found], [worth for _, worth in found]

    def _remembered(self, number: int) -> tuple[np.ndarray, np.ndarray]:
        start, end = self.post_ptr[number : number + 2].tolist()
        rows = self.post_row[start:end].astype(np.int64)
        return remember(self._postings, number, (rows, self.worth(number, rows)), MEMO)

    def containing(self, terms: Sequence[str]) -> list[np.ndarray]:
        """For each term (at least five characters) the rows whose slug contains it, each once a term."""
        if len(terms) > MANY:
            return self._containing(terms)
        return [self._contained(term) for term in terms]

    def _contained(self, term: str) -> np.ndarray:
        rows = self._substrings.get(term)
        if rows is None:
            rows = remember(self._substrings, term, np.concatenate(self._containing((term,))), MEMO)
        return rows

    def _containing(self, terms: Sequence[str]) -> list[np.ndarray]:
        get = self.numbers.get
        numbers = [get(term, -1) for term in terms]
        known, _ = _gather(self.sub_ptr, self.sub_row, [number for number in numbers if number >= 0])
        return [known, self._containing_unknown([term for term, number in zip(terms, numbers, strict=True) if number < 0])]

    def _containing_unknown(self, terms: Sequence[str]) -> np.ndarray:
        """Rows whose slugs contain terms that no title and no whole slug piece is."""
        encoded = [term.encode("ascii") for term in terms]
        low = np.array([int.from_bytes(term[:8].ljust(8, b"\0"), "big") for term in encoded], dtype=np.uint64)
        high = np.array([int.from_bytes(term[:8].ljust(8, b"\xff"), "big") for term in encoded], dtype=np.uint64)
        left = self._suffix_key.searchsorted(low)
        sizes = self._suffix_key.searchsorted(high, side="right") - left
        if not sizes.any():
            return np.empty(0, dtype=np.int64)
        suffixes = runs(left, sizes)
        term = np.repeat(np.arange(len(terms)), sizes)
        piece, at = self._suffix_piece[suffixes].astype(np.int64), self._suffix_at[suffixes].astype(np.int64)
        held = self._begin_with(encoded, term, piece, at)
        pieces = len(self._piece_off) - 1
        distinct = np.unique(term[held] * pieces + piece[held])
        rows, sizes = _gather(self._piece_ptr, self._piece_row, distinct % pieces)
        return np.asarray(np.unique(np.repeat(distinct // pieces, sizes) * self.count + rows) % self.count)

    def _begin_with(self, terms: Sequence[bytes], term: np.ndarray, piece: np.ndarray, at: np.ndarray) -> np.ndarray:
        """Which suffixes, known to share a term's first eight bytes, share all of it."""
        lengths = np.array([len(each) for each in terms])
        ends = np.cumsum(lengths)
        begin = self._piece_off[piece].astype(np.int64) + at
        held: np.ndarray = (begin + lengths[term] <= self._piece_off[piece + 1].astype(np.int64)).nonzero()[0]
        letters = np.frombuffer(b"".join(terms), dtype=np.uint8)
        for place in range(8, int(lengths.max())):
            longer = lengths[term[held]] > place
            if not longer.any():
                break
            here = held[longer]
            same = self._piece_bytes[begin[here] + place] == letters[(ends - lengths)[term[here]] + place]
            held = np.concatenate((held[~longer], here[same]))
        return held


def as_in_texts(numbers: Sequence[int]) -> np.ndarray:
    """Word numbers plus one as u64; of -1, an unknown word, 0."""
    return np.array(numbers, dtype=np.int64).view(np.uint64) + np.uint64(1)


def runs(starts: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """The numbers from each start on, as many as its size, end to end."""
    return np.repeat(starts - (np.cumsum(sizes) - sizes), sizes) + np.arange(int(sizes.sum()))


def _gather(ptr: np.ndarray, rows: np.ndarray, numbers: Sequence[int] | np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All rows of several lists end to end, and their sizes, without a Python step a list."""
    chosen = np.array(numbers, dtype=np.int64)
    starts = ptr[chosen].astype(np.int64)
    sizes = ptr[chosen + 1].astype(np.int64) - starts
    return rows[runs(starts, sizes)].astype(np.int64), sizes


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
    lengths = sorted({len(word) for word in known})
    holders: dict[str, set[Row]] = {}
    for name in names:
        for length in takewhile(len(name).__ge__, lengths):
            for start in range(len(name) - length + 1):
                if name[start : start + length] in known:
                    holders.setdefault(name[start : start + length], set()).update(pieces[name])
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
