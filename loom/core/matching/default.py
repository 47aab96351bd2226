"""The default matcher: Unicode words, whole names, no growth by repetition.

A name counts once however often it occurs, and a name inside a longer one counts for little, so that a pasted document cannot
outscore a question and "Stock" is not what "Stock Pot" asks for. The rest of a score is the share of a title's weight (rare
words weigh more) that the text holds:

    score = 8·min(words, 4) for a name that stands on its own, 2 for one inside a longer name, + 6·share
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import ClassVar

import numpy as np

from loom.core.matching.lexicon import Entry, Lexicon, press
from loom.core.matching.match import Match, best, totals
from loom.core.matching.stopwords import DEFAULT
from loom.core.text import words
from loom.core.values import Row

LONGEST_NAME = 8
NAME, INNER, SHARE = 8.0, 2.0, 6.0
COUNTED_WORDS = 4
FLOOR = 3.0
MANY_TERMS = 120

_CAPITALS = re.compile(r"\b[A-Z]{2,5}\b")


class DefaultLexicon(Lexicon):
    KIND: ClassVar[str] = "lexicon.default"


@lru_cache(maxsize=65_536)
def singular(word: str) -> str:
    """An English plural ending taken off; the same on both sides, so that a wrong guess costs nothing but a collision."""
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes", "zes")):
        return word[:-2]
    return word[:-1]


def plain_words(text: str) -> list[str]:
    """The words by which this matcher compares."""
    return [singular(word) for word in words(text)]


def press_default(entries: Sequence[Entry]) -> dict[str, bytes | np.ndarray]:
    """The lexicon's files. Titles and further names alike are names; several rows may share one."""
    names: dict[tuple[str, ...], dict[Row, int]] = {}
    for row, entry in enumerate(entries):
        for name in (entry.title, *entry.names):
            written = words(name)
            key = tuple(map(singular, written))
            if len(key) == 1 and key[0] in DEFAULT and name.isupper():
                key = (_shouted(key[0]),)
            if _can_be_named(key):
                names.setdefault(key, {}).setdefault(row, _form(written))
    return press(entries, plain_words, names=names, weighted=True)


def _shouted(word: str) -> str:
    """An everyday word that is a name only in capitals ("IT", "DID"), as the lexicon keeps it."""
    return f"^{word}"


def _form(written: Sequence[str]) -> int:
    return int.from_bytes(blake2b(" ".join(written).encode(), digest_size=8).digest(), "little")


def names_in(lexicon: Lexicon, written: Sequence[str]) -> dict[tuple[int, int], list[Row]]:
    """Every name in these words: rows by (words, start). Of names that differ in a plural only, those written so are meant."""
    spans: dict[tuple[int, int], list[int]] = {}
    for start, n, entry in lexicon.names_in(lexicon.number([singular(word) for word in written])):
        spans.setdefault((n, start), []).append(entry)
    rows: dict[tuple[int, int], list[Row]] = {}
    for (n, start), entries in spans.items():
        if len(entries) > 1:
            form = _form(written[start : start + n])
            entries = [entry for entry in entries if lexicon.name_form[entry] == form] or entries
        rows[n, start] = lexicon.name_row[entries].tolist()
    return rows


def _can_be_named(key: Sequence[str]) -> bool:
    if not key or len(key) > LONGEST_NAME or all(word in DEFAULT for word in key):
        return False
    return len(key) > 1 or len(key[0]) > 1 or not key[0].isascii()


def search(lexicon: Lexicon, quality: np.ndarray, text: str, limit: int) -> list[Match]:
    """The best `limit` rows for a text, best first."""
    found = words(text)
    if not found:
        return []
    named = _named(names_in(lexicon, found))
    for _, _, entry in lexicon.names_in(lexicon.number(_acronyms(text))):
        named[int(lexicon.name_row[entry])] = NAME
    terms = [word for word in dict.fromkeys(map(singular, found)) if word not in DEFAULT and word in lexicon.numbers]
    parts = [np.array(list(named), dtype=np.int64)]
    worth = [np.array(list(named.values()), dtype=np.float64)]
    numbers = lexicon.numbers
    if len(terms) > MANY_TERMS:
        rows, sizes = lexicon.postings_of_many(terms)
        parts.append(rows)
        weights = np.repeat(lexicon.weight[[numbers[term] for term in terms]], sizes)
        worth.append(SHARE * weights / lexicon.scale[rows])
    else:
        for term in terms:
            rows, scale = lexicon.postings(term)
            parts.append(rows)
            worth.append(SHARE * lexicon.weight[numbers[term]] / scale)
    addressed = np.concatenate(parts)
    rows, scores = totals(addressed, np.concatenate(worth), lexicon.count, FLOOR)
    own = {row for row, value in named.items() if value >= NAME}
    return [
        Match(match.row, match.score, match.named, min(1.0, (match.score - named.get(match.row, 0.0)) / SHARE))
        for match in best(rows, scores, quality, limit, own)
    ]


def _acronyms(text: str) -> list[str]:
    """Everyday words that the text, not being all in capitals, writes in capitals; parted, since each stands for itself."""
    if text.isupper():
        return []
    marked = [_shouted(found.lower()) for found in dict.fromkeys(_CAPITALS.findall(text)) if found.lower() in DEFAULT]
    return [word for mark in marked for word in (mark, "")]


def _named(spans: Mapping[tuple[int, int], Sequence[Row]]) -> dict[Row, float]:
    """What each named row is worth: by its longest name that no longer name covers, else as an inner name."""
    worth: dict[Row, float] = {}
    covered: set[int] = set()
    for n, start in sorted(spans, key=lambda span: (-span[0], span[1])):
        places = range(start, start + n)
        value = INNER if covered.issuperset(places) else NAME * min(n, COUNTED_WORDS)
        covered.update(places)
        for row in spans[n, start]:
            if worth.get(row, 0.0) < value:
                worth[row] = value
    return worth
