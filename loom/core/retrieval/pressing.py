"""How the `text` part is pressed: the terms of every unit, counted by field, and what each is worth to its unit.

A field's counts are damped by its own length before they are added (BM25F), so that a long page does not drown a definition, and the
sum is saturated. The worth of a term is that times its weight: its inverse document frequency among names and definitions (free
text mentions everything), halved for the words that are most common in everyday speech, since of two words equally frequent here
the one that is rare elsewhere tells more.
"""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from loom.core.concepts import blob
from loom.core.retrieval.stem import pieces, stem, term
from loom.core.retrieval.text import TITLE_WEIGHT, ZIPF_STEPS, idf, saturated, spoken_key
from loom.core.text import slug_of, words
from loom.core.values import Concept, Iri, Ref

CHAMPIONS = 4_096
COMMON, RARE = 7.0, 2.3
"""Zipf values of the commonest words and of words that are as good as unknown."""

MOST_COUNTED = 255
BATCH = 1 << 20


@dataclass(frozen=True, slots=True)
class Field:
    """What a field's words weigh, how far a long field is damped (0 to 1), and whether it counts towards what is frequent."""

    weight: float
    damping: float
    told: bool = False


TITLE, DEFINITION, PROSE, PARENTS, TARGETS, BACKLINKS = range(6)
FIELDS = (
    Field(TITLE_WEIGHT, 0.4, told=True),
    Field(2.0, 0.4, told=True),
    Field(0.5, 0.75),
    Field(0.5, 0.4),
    Field(1.0, 0.75),
    Field(0.5, 0.75),
)


def press_text(
    concepts: Sequence[Concept], everyday: Mapping[str, float], champions: int = CHAMPIONS
) -> dict[str, bytes | np.ndarray]:
    """The files of the part. Concepts come in the order of their IRIs; `everyday` gives the Zipf values of everyday words;
    postings keep `champions` rows of a term.

    A deprecated concept has no terms, so nothing finds it."""
    numbers = _Numbers()
    counted = _Counted()
    for fields in _texts(concepts, numbers):
        counted.add(fields)
    vocabulary = sorted(numbers.terms)
    renumbered = np.empty(len(vocabulary), dtype=np.int32)
    renumbered[np.array([numbers.terms[word] for word in vocabulary], dtype=np.int64)] = np.arange(
        len(vocabulary), dtype=np.int32
    )
    row, number, counts, lengths = counted.all()
    number = renumbered[number]
    unit_ptr = np.concatenate(([0], np.cumsum(np.bincount(row, minlength=len(concepts)))))
    unit_term = number[np.lexsort((number, row))]
    order = np.argsort(number, kind="stable")
    row, number, counts = row[order], number[order], counts[order]
    told = counts[:, [field.told for field in FIELDS]].any(axis=1)
    weight = _weights(vocabulary, np.bincount(number[told], minlength=len(vocabulary)), len(concepts), everyday)
    worth = (weight[number] * saturated(_frequency(row, counts, lengths))).astype(np.float32)
    holding = np.bincount(number, minlength=len(vocabulary))
    kept = _champions(worth, holding, champions)
    text, offsets = blob(word + "\n" for word in vocabulary)
    keys, zipf = _spoken(everyday)
    return {
        "words.txt": text,
        "words.off.npy": offsets,
        "weight.npy": weight,
        "post.ptr.npy": np.concatenate(([0], np.cumsum(np.minimum(holding, champions)))).astype(np.uint64),
        "post.row.npy": row[kept],
        "post.worth.npy": worth[kept],
        "unit.ptr.npy": unit_ptr.astype(np.uint64),
        "unit.term.npy": unit_term,
        "spoken.key.npy": keys,
        "spoken.zipf.npy": zipf,
    }


class _Numbers(dict[str, int]):
    """The number of each piece's term, by first sight; -1 of a piece that only asks."""

    def __init__(self) -> None:
        super().__init__()
        self.terms: dict[str, int] = {}

    def __missing__(self, piece: str) -> int:
        found = term(piece)
        number = self[piece] = self.terms.setdefault(found, len(self.terms)) if found else -1
        return number

    def of(self, text: str) -> list[int]:
        return list(map(self.__getitem__, pieces(text))) if text else []


class _Counted:
    """The terms of units as they come, counted by row and field a batch at a time."""

    def __init__(self) -> None:
        self._numbers = array("i")
        self._sizes = array("i")
        self._rows = 0
        self._batches: list[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]] = []

    def add(self, fields: Sequence[Sequence[int]]) -> None:
        for numbers in fields:
            self._numbers.extend(numbers)
            self._sizes.append(len(numbers))
        if len(self._numbers) > BATCH:
            self._count()

    def _count(self) -> None:
        sizes = np.array(self._sizes, dtype=np.int64)
        numbers = np.array(self._numbers, dtype=np.int64)
        place = np.repeat(np.arange(len(sizes)), sizes)[numbers >= 0]
        row, field = np.divmod(place, len(FIELDS))
        keys, held = np.unique((row << 32 | numbers[numbers >= 0]) << 3 | field, return_counts=True)
        pairs, pair = np.unique(keys >> 3, return_inverse=True)
        counts = np.zeros((len(pairs), len(FIELDS)), dtype=np.uint8)
        counts[pair, keys & 7] = np.minimum(held, MOST_COUNTED)
        lengths = np.bincount(place, minlength=len(sizes)).reshape(-1, len(FIELDS)).astype(np.int32)
        row = ((pairs >> 32) + self._rows).astype(np.int32)
        self._batches.append((row, (pairs & 0xFFFFFFFF).astype(np.int32), counts, lengths))
        self._rows += len(lengths)
        self._numbers, self._sizes = array("i"), array("i")

    def all(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Row and term of each pair, in row order; its count in each field; and the length of every field of every row."""
        self._count()
        row, number, counts, lengths = (np.concatenate(arrays) for arrays in zip(*self._batches, strict=True))
        return row, number, counts, lengths


def _frequency(row: np.ndarray, counts: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """The weighted count of each term in its row, every field damped by its length there."""
    total = np.zeros(len(row), dtype=np.float64)
    for at, field in enumerate(FIELDS):
        length = lengths[:, at]
        if length.any():
            average = int(length.sum(dtype=np.int64)) / int((length > 0).sum())
            damped = field.weight / (1 - field.damping + field.damping * length / average)
            total += counts[:, at] * damped[row]
    return total


def _texts(concepts: Sequence[Concept], numbers: _Numbers) -> Iterator[Sequence[Sequence[int]]]:
    """The terms of each concept, field by field."""
    titles = {concept.iri: concept.title for concept in concepts}
    known: dict[Iri, list[int]] = {}

    def named(refs: Iterable[Ref]) -> list[int]:
        """The terms of the titles of what is referred to, each once."""
        found: list[int] = []
        for iri, label in {ref.iri: ref.label for ref in refs}.items():
            held = known.get(iri)
            if held is None:
                held = known[iri] = numbers.of(titles.get(iri) or label or slug_of(iri))
            found += held
        return found

    for concept in concepts:
        if concept.deprecated:
            yield [()] * len(FIELDS)
            continue
        yield (
            [number for name in (concept.title, *concept.aliases) for number in numbers.of(name)],
            numbers.of(concept.full or concept.definition),
            numbers.of(concept.prose),
            named(concept.parents),
            named(ref for _, refs in concept.relations for ref in refs),
            named(Ref(iri) for iri in concept.backlinks),
        )


def _weights(vocabulary: Sequence[str], holding: np.ndarray, count: int, everyday: Mapping[str, float]) -> np.ndarray:
    """How much each term tells, given how many names and definitions hold it."""
    numbers = {word: number for number, word in enumerate(vocabulary)}
    common = [0.0] * len(vocabulary)
    for word, zipf in everyday.items():
        if zipf > RARE:
            number = numbers.get(stem("".join(words(word))), -1)
            if number >= 0:
                common[number] = max(common[number], min(zipf, COMMON))
    return np.array(
        [
            round(idf(max(1, held), count) * (1 - max(0.0, zipf - RARE) / (COMMON - RARE) / 2), 6)
            for held, zipf in zip(holding.tolist(), common, strict=True)
        ],
        dtype=np.float64,
    )


def _champions(worth: np.ndarray, holding: np.ndarray, champions: int) -> np.ndarray:
    """The postings that are kept, in order: of a term that too many rows hold, those to which it is worth most (ties by row)."""
    kept = np.ones(len(worth), dtype=bool)
    ends = np.cumsum(holding)
    for number in (holding > champions).nonzero()[0].tolist():
        end = int(ends[number])
        start = end - int(holding[number])
        kept[start + np.argsort(-worth[start:end], kind="stable")[champions:]] = False
    return np.asarray(kept.nonzero()[0])


def _spoken(everyday: Mapping[str, float]) -> tuple[np.ndarray, np.ndarray]:
    values: dict[int, int] = {}
    for word, zipf in everyday.items():
        key, steps = spoken_key("".join(words(word))), min(255, round(zipf * ZIPF_STEPS))
        values[key] = max(steps, values.get(key, 0))
    hashed = sorted(values.items())
    return np.array([key for key, _ in hashed], dtype=np.uint64), np.array([zipf for _, zipf in hashed], dtype=np.uint8)
