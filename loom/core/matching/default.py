"""The default matcher: Unicode words, whole names, no growth by repetition.

A name counts once however often it occurs, and a name inside a longer one counts for little, so that a pasted document cannot
outscore a question and "Stock" is not what "Stock Pot" asks for. The rest of a score is the share of a title's weight (rare
words weigh more) that the text holds:

    score = 8·min(words, 4) for a name that stands on its own, 2 for one inside a longer name, + 6·share
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import ClassVar, NamedTuple

import numpy as np

from loom.core.generation import PartFiles
from loom.core.matching.held import SHORT, HeldNames, Spans
from loom.core.matching.lexicon import Entry, Lexicon, as_in_texts, press, runs
from loom.core.matching.match import Match, best, totals
from loom.core.matching.stopwords import DEFAULT
from loom.core.text import words
from loom.core.values import Row

LONGEST_NAME = 24
NAME, INNER, SHARE = 8.0, 2.0, 6.0
COUNTED_WORDS = 4
FLOOR = 3.0

_CAPITALS = re.compile(r"\b[A-Z]{2,5}\b")


class DefaultLexicon(Lexicon):
    KIND: ClassVar[str] = "lexicon.default"

    def __init__(self, files: PartFiles) -> None:
        super().__init__(files)
        self.asking = frozenset(self.numbers.get(word, -1) + 1 for word in ASKING)

    def worth(self, words: np.ndarray | int, rows: np.ndarray) -> np.ndarray:
        return np.asarray(SHARE * self.weight[words] / self.scale[rows])


@lru_cache(maxsize=65_536)
def singular(word: str) -> str:
    """The form in which an English word and its plural are one; the same on both sides, so that a wrong guess costs nothing but
    a collision. After a hiss or an o a plural is -es, so that the e is taken from the singular too: `glaze`, `glazes`, `box`,
    `boxes`."""
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    if len(word) > 3 and word.endswith("ie"):
        return word[:-2] + "y"
    if len(word) > 3 and word.endswith(("che", "she", "xe", "ze", "se", "oe")):
        return word[:-1]
    return word


ASKING = DEFAULT | frozenset(map(singular, DEFAULT))
_ENDINGS = "se"


def plain_words(text: str) -> list[str]:
    """The words by which this matcher compares."""
    return [singular(word) if word[-1] in _ENDINGS else word for word in words(text)]


def press_default(entries: Sequence[Entry]) -> dict[str, bytes | np.ndarray]:
    """The lexicon's files. Titles and further names alike are names; several rows may share one."""
    names: dict[tuple[str, ...], dict[Row, int]] = {}
    for row, entry in enumerate(entries):
        for name in (entry.title, *entry.names):
            written = words(name)
            key = tuple(map(singular, written))
            if len(key) == 1 and key[0] in ASKING and name.isupper():
                key = (_shouted(key[0]),)
            if _can_be_named(key):
                names.setdefault(key, {}).setdefault(row, _form(written))
    return press(entries, plain_words, names=names, weighted=True)


def _shouted(word: str) -> str:
    """An everyday word that is a name only in capitals ("IT", "DID"), as the lexicon keeps it."""
    return f"^{word}"


def _form(written: Sequence[str]) -> int:
    return int.from_bytes(blake2b(" ".join(written).encode(), digest_size=8).digest(), "little")


class Naming(NamedTuple):
    """Names found in a text, one a row that is named: the word at which the name starts, its words, and whether longer names
    cover it."""

    rows: np.ndarray
    start: np.ndarray
    words: np.ndarray
    inner: np.ndarray


def names_in(lexicon: Lexicon, written: Sequence[str], numbers: np.ndarray | None = None) -> Naming:
    """Every name in these words. Of names that differ in a plural only, those written so are meant."""
    if numbers is None:
        numbers = numbers_of(lexicon, written)
    spans = lexicon.names_in(numbers)
    start, words, entries = spans.start, spans.words, spans.first
    inner = _covered(start, words, len(written))
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
    return Naming(lexicon.name_row[entries], start, words, inner)


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
    form = _form(name)
    return [entry for entry in entries if lexicon.name_form[entry] == form] or entries


Place = tuple[Row, int, int, bool]


def places_of(lexicon: Lexicon, written: Sequence[str]) -> list[Place]:
    """As `names_in`: each name as its row, the word at which it starts, its words, and whether longer names cover it."""
    if lexicon.held is not None and len(written) <= SHORT:
        return _places_short(lexicon, lexicon.held, written, _numbers(lexicon, written))
    names = names_in(lexicon, written)
    return list(zip(names.rows.tolist(), names.start.tolist(), names.words.tolist(), names.inner.tolist(), strict=True))


def _places_short(lexicon: Lexicon, held: HeldNames, written: Sequence[str], numbers: Sequence[int]) -> list[Place]:
    runs = held.runs(numbers)
    inner = _covered_short([run[0] for run in runs], [run[1] for run in runs], len(written))
    found: list[Place] = []
    for (start, n, first, last), within in zip(runs, inner, strict=True):
        if last - first == 1:
            found.append((held.rows[first], start, n, within))
        else:
            entries = _written_so(lexicon, written[start : start + n], range(first, last))
            found += [(held.rows[entry], start, n, within) for entry in entries]
    return found


def _numbers(lexicon: Lexicon, written: Sequence[str]) -> list[int]:
    """As `numbers_of`, for few words."""
    get = lexicon.numbers.get
    return [get(singular(word) if word[-1] in _ENDINGS else word, -1) + 1 for word in written]


def numbers_of(lexicon: Lexicon, written: Sequence[str]) -> np.ndarray:
    """Word numbers as `Lexicon.number` gives them, of words as `words` writes them."""
    get = lexicon.numbers.get
    return as_in_texts([get(singular(word) if word[-1] in _ENDINGS else word, -1) for word in written])


def _covered(start: np.ndarray, words: np.ndarray, length: int) -> np.ndarray:
    """Which names have every word inside longer names, or inside those and names of the same length that start earlier."""
    if length <= SHORT:
        return np.array(_covered_short(start.tolist(), words.tolist(), length), dtype=bool)
    inner = np.zeros(len(start), dtype=bool)
    inside = np.zeros(length + 1, dtype=np.int64)
    longest = True
    for n in sorted(set(words.tolist()), reverse=True):
        here = (words == n).nonzero()[0]
        begin = start[here]
        if n == 1:
            inner[here] = inside[begin]
            break
        if not longest:
            open_from = begin.copy()
            np.maximum(begin[1:], begin[:-1] + n, out=open_from[1:])
            before = np.cumsum(inside) - inside
            inner[here] = before[begin + n] - before[open_from] == begin + n - open_from
        longest = False
        for place in range(n):
            inside[begin + place] = 1
    return inner


def _covered_short(start: Sequence[int], words: Sequence[int], length: int) -> list[bool]:
    """As `_covered`, name by name."""
    inner = [False] * len(start)
    inside = bytearray(length)
    for n in sorted(set(words), reverse=True):
        here = [at for at, each in enumerate(words) if each == n]
        end = 0
        for at in here:
            begin = max(start[at], end)
            end = start[at] + n
            inner[at] = not inside.count(0, begin, end)
        for at in here:
            inside[start[at] : start[at] + n] = b"\1" * n
    return inner


def _can_be_named(key: Sequence[str]) -> bool:
    if not key or len(key) > LONGEST_NAME or all(word in ASKING for word in key):
        return False
    return len(key) > 1 or len(key[0]) > 1 or not key[0].isascii()


def search(lexicon: Lexicon, quality: np.ndarray, text: str, limit: int) -> list[Match]:
    """The best `limit` rows for a text, best first."""
    found = words(text)
    if not found:
        return []
    if lexicon.held is not None and len(found) <= SHORT:
        numbers = _numbers(lexicon, found)
        named = _worth_of_places(_places_short(lexicon, lexicon.held, found, numbers))
    else:
        every = numbers_of(lexicon, found)
        numbers = every.tolist()
        named = _worth_of_names(names_in(lexicon, found, every))
    acronyms = _acronyms(text)
    if acronyms:
        spans = lexicon.names_in(lexicon.number(acronyms))
        named |= dict.fromkeys(lexicon.name_row[runs(spans.first, spans.last - spans.first)].tolist(), NAME)
    terms = [number - 1 for number in dict.fromkeys(numbers) if number and number not in lexicon.asking]
    holding, shares = lexicon.postings(terms)
    addressed = np.concatenate([np.array(list(named), dtype=np.int64), *holding])
    worth = np.concatenate([np.array(list(named.values()), dtype=np.float64), *shares])
    rows, scores = totals(addressed, worth, lexicon.count, FLOOR)
    return [_match(row, score, named.get(row, 0.0)) for row, score in best(rows, scores, quality, limit)]


def _match(row: Row, score: float, name: float) -> Match:
    return Match(row, score, name >= NAME, min(1.0, (score - name) / SHARE))


def _acronyms(text: str) -> list[str]:
    """Everyday words that the text, not being all in capitals, writes in capitals; parted, since each stands for itself."""
    if text.isupper():
        return []
    marked = [_shouted(found.lower()) for found in dict.fromkeys(_CAPITALS.findall(text)) if found.lower() in DEFAULT]
    return [word for mark in marked for word in (mark, "")]


def _worth_of_names(names: Naming) -> dict[Row, float]:
    """What each named row is worth: by its longest name that no longer name covers, else as an inner name."""
    worth = np.where(names.inner, INNER, NAME * np.minimum(names.words, COUNTED_WORDS))
    order = np.argsort(worth, kind="stable")
    return dict(zip(names.rows[order].tolist(), worth[order].tolist(), strict=True))


def _worth_of_places(places: Sequence[Place]) -> dict[Row, float]:
    """As `_worth_of_names`."""
    named: dict[Row, float] = {}
    for row, _, n, inner in places:
        worth = INNER if inner else NAME * min(n, COUNTED_WORDS)
        if worth > named.get(row, 0.0):
            named[row] = worth
    return named
