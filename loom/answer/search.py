"""Search over the names of concepts, ranked by how well a name matches; no query language, so nothing can be injected.

Seven ways to match, best first: the whole name, its first words, its first letters, whole words in any order, beginnings of
words, anywhere inside, and only some of the words. Inside a way, the share of the name that the needle covers decides, a title counts more than an alias and an
alias more than a slug, and what is left equal is ordered by row, which is the order of the IRIs.
"""

import math
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np

from loom.answer.plan import Pin
from loom.core.concepts import Concepts
from loom.core.errors import BadInput
from loom.core.names import KINDS, Names, fold_name
from loom.core.values import Iri, Json

LIMIT_DEFAULT = 20
LIMIT_MOST = 200
TEXT_MOST = 512
WORDS_MOST = 8
"""Needle words beyond this many are not looked for: a name has few words, and the cost of a search stays bounded."""

EXACT, PREFIX, BEGINNING, WORDS, WORD_STARTS, INSIDE, SOME = 100.0, 85.0, 72.0, 60.0, 45.0, 30.0, 5.0
_WAYS = (
    (EXACT, "exact"),
    (PREFIX, "prefix"),
    (BEGINNING, "beginning"),
    (WORDS, "words"),
    (WORD_STARTS, "word beginnings"),
    (INSIDE, "inside"),
    (SOME, "some words"),
)
_SOME_MOST = 20.0
"""Added to `SOME` by the share of the needle's words that the name has, each weighed by how few names have it."""

_SHORTEST_INSIDE = 3
"""A shorter needle is looked for at word beginnings only: inside words it is everywhere and means nothing."""


_BESIDE, _ALIKE = 100, 0.7
"""How many names to either side of where a text would sort are compared with it, and how alike is near (difflib's ratio)."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One concept found by name. `score` is comparable within one search; `why` says which name matched, and how."""

    iri: Iri
    title: str
    score: float
    why: str

    def as_json(self) -> dict[str, Json]:
        return {"iri": self.iri, "title": self.title, "score": self.score, "why": self.why}


def search(pin: Pin, text: str, limit: int = LIMIT_DEFAULT) -> list[Hit]:
    """The `limit` best concepts for a text. Raises BadInput for a text without letters or digits, or a limit out of range."""
    needle = _checked(text, limit)
    names, concepts = pin.generation.part(Names), pin.generation.part(Concepts)
    if names is None or concepts is None or not names.count:
        return []
    entries, ways = _matches(names, needle.encode())
    scores = np.round(ways + 10.0 * _cover(names, entries, needle) - 2.0 * names.kinds[entries], 4)
    rows = names.rows[entries]
    order = np.lexsort((entries, rows, -scores))
    first = np.sort(np.unique(rows[order], return_index=True)[1])[:limit]
    return [_hit(names, concepts, int(entries[at]), float(ways[at]), float(scores[at])) for at in order[first]]


def near(pin: Pin, text: str, limit: int = 3) -> list[Iri]:
    """Addresses whose names come near a text that no concept has: what is spelled alike and begins alike, then what search finds."""
    names, concepts = pin.generation.part(Names), pin.generation.part(Concepts)
    needle = fold_name(text[:TEXT_MOST])
    if names is None or concepts is None or not needle or not names.count:
        return []
    at, alike = names.names.first(needle.encode()), []
    for entry in range(max(0, at - _BESIDE), min(names.count, at + _BESIDE)):
        name = names.names[entry].decode()
        if name[:2] == needle[:2] and (ratio := SequenceMatcher(None, needle, name).ratio()) >= _ALIKE:
            alike.append((-ratio, entry))
    found = [concepts.iri(int(names.rows[entry])) for _, entry in sorted(alike)]
    return list(dict.fromkeys([*found, *(hit.iri for hit in search(pin, needle, limit))]))[:limit]


def _checked(text: str, limit: int) -> str:
    if not 1 <= limit <= LIMIT_MOST:
        raise BadInput(f"limit must be between 1 and {LIMIT_MOST}, not {limit}.", param="limit")
    if len(text) > TEXT_MOST:
        raise BadInput(
            f"The text to search for may have {TEXT_MOST} characters, not {len(text)}: search looks for names, not passages.",
            param="text",
        )
    needle = fold_name(text)
    if not needle:
        raise BadInput("The text to search for needs at least one letter or digit.", param="text")
    return needle


def _matches(names: Names, needle: bytes) -> tuple[np.ndarray, np.ndarray]:
    """Entries that match in any way, each with the weight of its best way."""
    words = list(dict.fromkeys(needle.split()))[:WORDS_MOST]
    whole, at_start = np.zeros(names.count, np.int16), np.zeros(names.count, np.int16)
    some, most = np.zeros(names.count), 0.0
    for word in words:
        having = names.with_word(word)
        rarity = math.log((names.count + 2) / (len(having) + 1))
        whole[having] += 1
        some[having] += rarity
        most += rarity
        at_start[np.unique(names.with_word_beginning(word))] += 1
    best = np.where(whole > 0, SOME + _SOME_MOST * some / most, 0.0)
    if len(needle.decode()) >= _SHORTEST_INSIDE:
        best[names.with_word_holding(needle) if len(words) == 1 else names.names.holding(needle)] = INSIDE
    best[at_start == len(words)] = WORD_STARTS
    best[whole == len(words)] = WORDS
    first, last = names.names.beginning(needle)
    best[first:last] = BEGINNING
    best[slice(*names.names.beginning(needle + b" "))] = PREFIX
    best[first : names.names.first(needle + b"\x00")] = EXACT
    entries = np.flatnonzero(best)
    return entries, best[entries]


def _cover(names: Names, entries: np.ndarray, needle: str) -> np.ndarray:
    """The share of each name that the needle could cover, at most 1; in bytes, which is near enough for an order."""
    lengths = (names.names.offsets[entries + 1] - names.names.offsets[entries] - 1).astype(np.float64)
    covered: np.ndarray = np.minimum(1.0, len(needle.encode()) / np.maximum(1.0, lengths))
    return covered


def _hit(names: Names, concepts: Concepts, entry: int, way: float, score: float) -> Hit:
    row, kind = int(names.rows[entry]), KINDS[int(names.kinds[entry])]
    name = names.names[entry].decode()
    return Hit(concepts.iri(row), concepts.title(row), score, f"{kind} {_label(way)}: {name}")


def _label(way: float) -> str:
    return next(label for least, label in _WAYS if way >= least)
