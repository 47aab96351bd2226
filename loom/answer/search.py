"""Search over the names of concepts, ranked by how well a name matches; no query language, so nothing can be injected.

Seven ways to match, best first: the whole name, its first words, its first letters, whole words in any order, beginnings of
words, anywhere inside, and only some of the words. Inside a way, the share of the name that the needle covers decides, a title counts more than an alias and an
alias more than a slug, and what is left equal is ordered by row, which is the order of the IRIs.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import islice

import numpy as np

from loom.answer.plan import Pin
from loom.core.concepts import Concepts
from loom.core.errors import BadInput, NotFound
from loom.core.facets import FIELDS, Facets
from loom.core.names import KINDS, Names, fold_name
from loom.core.text import words as split_words
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

DEFINED, _DEFINED_MOST, LEAST_SHARE = 2.0, 12.0, 0.5
"""What a definition is worth that holds words of the needle: less than a name that has as many of them. Fewer than half of the
words, by rarity, are no match."""

VALUES_MOST = 50
"""Values of one facet that a response lists."""

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


@dataclass(frozen=True, slots=True)
class Found:
    """The best hits, how many concepts matched in all, and how often each value of a facet is among them.

    The counts of a facet are those without its own filter, so that they say what another choice would find.
    """

    hits: list[Hit]
    total: int = 0
    facets: Mapping[str, Sequence[tuple[str, int]]] = field(default_factory=dict)

    def as_json(self) -> dict[str, Json]:
        return {
            "results": [hit.as_json() for hit in self.hits],
            "total": self.total,
            "facets": {
                name: [{"value": value, "count": count} for value, count in pairs[:VALUES_MOST]]
                for name, pairs in self.facets.items()
            },
        }


def search(pin: Pin, text: str, limit: int = LIMIT_DEFAULT) -> list[Hit]:
    """The `limit` best concepts for a text. Raises BadInput for a text without letters or digits, or a limit out of range."""
    return narrowed(pin, text, limit).hits


def narrowed(pin: Pin, text: str, limit: int = LIMIT_DEFAULT, filters: Mapping[str, Sequence[str]] | None = None) -> Found:
    """The best concepts for a text among those whose facets have one of the values that `filters` names for each."""
    needle = _checked(text, limit)
    names, concepts = pin.generation.part(Names), pin.generation.part(Concepts)
    if names is None or concepts is None or not names.count:
        return Found([])
    entries, ways = _matches(names, needle.encode())
    scores = np.round(ways + 10.0 * _cover(names, entries, needle) - 2.0 * names.kinds[entries], 4)
    facets = pin.generation.part(Facets)
    rows, defined = names.rows[entries], np.zeros(0, np.int32)
    if facets is not None:
        defined, worth = _defined(facets, dict.fromkeys(split_words(text)))
        rows, scores = np.concatenate([rows, defined]), np.concatenate([scores, worth])
    order = np.lexsort((np.arange(len(rows)), rows, -scores))
    best = order[np.sort(np.unique(rows[order], return_index=True)[1])]
    kept, counts = _narrowed(facets, rows[best], filters or {})
    hits = []
    for at in best[kept][:limit].tolist():
        if at < len(entries):
            hits.append(_hit(names, concepts, int(entries[at]), float(ways[at]), float(scores[at])))
        else:
            row = int(rows[at])
            hits.append(Hit(concepts.iri(row), concepts.title(row), float(scores[at]), "words of the definition"))
    return Found(hits, int(kept.sum()), counts)


def _defined(facets: Facets, wanted: Iterable[str]) -> tuple[np.ndarray, np.ndarray]:
    """Rows whose definition holds wanted words, and what that is worth: the share of them, each weighed by its rarity."""
    found, most = np.zeros(facets.count), 0.0
    for word in islice(wanted, WORDS_MOST):
        rows = facets.defined_with(word.encode())
        rarity = math.log((facets.count + 2) / (len(rows) + 1))
        found[rows] += rarity
        most += rarity
    rows = np.flatnonzero(found)
    share = found[rows] / most if most else found[rows]
    kept = share >= LEAST_SHARE
    return rows[kept].astype(np.int32), np.round(DEFINED + _DEFINED_MOST * share[kept], 4)


def _narrowed(
    facets: Facets | None, rows: np.ndarray, filters: Mapping[str, Sequence[str]]
) -> tuple[np.ndarray, dict[str, list[tuple[str, int]]]]:
    """Which of the rows pass every filter, and the counts of each facet under the filters of the others."""
    if facets is None:
        if filters:
            raise NotFound(
                "The generation has no facets to narrow a search by; build it again with this version.", param="domain"
            )
        return np.ones(len(rows), bool), {}
    passed = {name: facets.with_values(name, wanted)[rows] for name, wanted in filters.items()}
    kept = np.logical_and.reduce([np.ones(len(rows), bool), *passed.values()])
    counts: dict[str, list[tuple[str, int]]] = {}
    for name in FIELDS:
        others = [chosen for other, chosen in passed.items() if other != name]
        counts[name] = facets.counts(name, rows[np.logical_and.reduce([np.ones(len(rows), bool), *others])])
    return kept, counts


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
