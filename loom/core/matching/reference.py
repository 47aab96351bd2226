"""The reference matcher: scores equal, float for float, to the v1 scaffold format (reference §3.3).

score = 8·n for every occurrence of a name of n ≤ 4 words
      + 2/length for every distinct term that the title holds
      + 0.75 for every distinct term of five characters or more that the slug contains
added in that order; kept from 2.0; ties by quality, then by row (rows are in the order of IRIs, and so of slugs).
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from loom.core.matching.lexicon import LONG, Entry, Lexicon, press
from loom.core.matching.match import Match, best, totals
from loom.core.matching.stopwords import REFERENCE
from loom.core.text import ascii_words, slugify
from loom.core.values import Row

LONGEST_NAME = 4
FLOOR = 2.0
NAME, OVERLAP, SUBSTRING = 8.0, 2.0, 0.75


class ReferenceLexicon(Lexicon):
    KIND: ClassVar[str] = "lexicon.reference"

    def worth(self, words: np.ndarray | int, rows: np.ndarray) -> np.ndarray:
        return np.asarray(OVERLAP / self.scale[rows])


def press_reference(entries: Sequence[Entry], order: Sequence[Row]) -> dict[str, bytes | np.ndarray]:
    """The lexicon's files. `order` lists rows in the source's order: of several titles with one slug the first wins."""
    by_title: dict[str, Row] = {}
    for row in order:
        by_title.setdefault(slugify(entries[row].title), row)
    names: dict[tuple[str, ...], dict[Row, int]] = {}
    for row, entry in enumerate(entries):
        if _can_be_named(entry.slug):
            names[tuple(entry.slug.split("-"))] = {row: 0}
    for slug, row in by_title.items():
        if _can_be_named(slug):
            names[tuple(slug.split("-"))] = {row: 0}
    return press(entries, ascii_words, names=names, substrings=True)


def _can_be_named(slug: str) -> bool:
    """Whether some run of at most four query words, joined by hyphens, can equal this slug."""
    words = slug.split("-")
    if not all(ascii_words(word) == [word] for word in words) or len(words) > LONGEST_NAME:
        return False
    return len(words) > 1 or (len(slug) > 1 and slug not in REFERENCE)


def search(lexicon: Lexicon, quality: np.ndarray, text: str, limit: int) -> list[Match]:
    """The best `limit` rows for a text, best first."""
    words = ascii_words(text)
    if not words:
        return []
    numbers = lexicon.number(words)
    spans = lexicon.names_in(numbers)
    exact: dict[Row, int] = {}
    for row, n in zip(lexicon.name_row[spans.first].tolist(), spans.words.tolist(), strict=True):
        exact[row] = exact.get(row, 0) + n
    terms = {
        word: number
        for word, number in dict(zip(words, numbers.tolist(), strict=True)).items()
        if len(word) >= 2 and word not in REFERENCE
    }
    addressed, worth = _contributions(lexicon, exact, terms)
    rows, scores = totals(addressed, worth, lexicon.count, FLOOR)
    return [
        Match(row, score, row in exact, how="name" if row in exact else "words")
        for row, score in best(rows, scores, quality, limit)
    ]


def _contributions(lexicon: Lexicon, exact: Mapping[Row, int], terms: Mapping[str, int]) -> tuple[np.ndarray, np.ndarray]:
    """Rows and what each is given, in the order in which the reference adds: names, then overlaps, then substrings."""
    named = np.array(list(exact), dtype=np.int64)
    names = np.array(list(exact.values()), dtype=np.float64) * NAME
    holding, overlaps = lexicon.postings([number - 1 for number in terms.values() if number])
    inside = lexicon.containing([term for term in terms if len(term) >= LONG])
    substrings = np.full(sum(map(len, inside)), SUBSTRING)
    return np.concatenate([named, *holding, *inside]), np.concatenate([names, *overlaps, substrings])
