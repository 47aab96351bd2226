"""What a reader keeps to search, against searches that look at everything."""

from math import log1p
from random import Random

import numpy as np
import pytest
from support.trying import every_world

from loom.core.claims.filed import Filed
from loom.core.claims.index import K1, B, Cut, Index, Item, nearest
from loom.core.claims.nearness import CHUNK
from loom.core.claims.postings import LATE
from loom.core.errors import BadInput
from loom.core.retrieval.stem import terms

WORDS = "harbour bridge ship ferry storm cargo crane quay".split()
DOMAINS = ("law", "money", "roads")
WIDTH = 6
HOMES = [frozenset(each for at, each in enumerate(DOMAINS) if bits >> at & 1) for bits in range(8)]
"""Every home, by its number."""


def unit(draw: Random) -> np.ndarray:
    values = np.array([draw.gauss(0, 1) for _ in range(WIDTH)])
    return np.asarray(values / np.linalg.norm(values), np.float32)


class Plain:
    """Everything of one version, looked at one by one."""

    def __init__(self, items: dict[int, Item], texts: dict[int, str], vectors: dict[int, np.ndarray]) -> None:
        self.items, self.texts, self.vectors = dict(items), dict(texts), dict(vectors)

    def may(self, number: int, domains: frozenset[str]) -> bool:
        item = self.items[number]
        return item.live and (not domains or bool(HOMES[item.home] & domains))

    def near(self, vector: np.ndarray, k: int, domains: frozenset[str]) -> tuple[set[int], set[int]]:
        """Those among the k nearest, and all that may be found."""
        may = [n for n in self.vectors if self.may(n, domains)]
        may.sort(key=lambda n: (-float(self.vectors[n].astype(np.float64) @ vector), n))
        return set(may[:k]), set(may)

    def words(self, text: str, k: int, domains: frozenset[str]) -> list[tuple[int, float]]:
        living = {n: terms(self.texts[n]) for n, item in self.items.items() if item.live}
        mean = max(1.0, sum(map(len, living.values())) / max(1, len(living)))
        scores: dict[int, float] = {}
        for term in sorted(set(terms(text))):
            holding = [n for n, found in living.items() if term in found]
            for n in holding:
                count = living[n].count(term)
                weight = log1p((len(living) - len(holding) + 0.5) / (len(holding) + 0.5))
                norm = K1 * (1 - B + B * len(living[n]) / mean)
                scores[n] = scores.get(n, 0.0) + weight * count * (K1 + 1) / (count + norm)
        found = [(n, round(score, 9)) for n, score in scores.items() if self.may(n, domains)]
        return sorted(found, key=lambda each: (-each[1], each[0]))[:k]


def step(draw: Random, index: Index, version: int, plain: Plain) -> tuple[Cut, Plain]:
    """A version with new rows, and old ones that changed."""
    changed = draw.sample(sorted(plain.items), min(len(plain.items), draw.randrange(4)))
    new = list(range(index.last + 1 + draw.randrange(2), index.last + 2 + draw.randrange(5)))
    now = Plain(plain.items, plain.texts, plain.vectors)
    items = []
    for number in sorted({*changed, *new}):
        text = " ".join(draw.choices(WORDS, k=draw.randrange(1, 7))) if number in new else None
        vector = unit(draw) if draw.random() < (0.7 if number in new else 0.4) else None
        home = draw.randrange(len(HOMES))
        items.append(Item(number, draw.random() < 0.7, home, text, vector))
        now.items[number] = items[-1]
        if text is not None:
            now.texts[number] = text
        if vector is not None:
            now.vectors[number] = vector
    return index.update(version, items), now


@every_world
def test_every_version_finds_what_it_may(seed: int, draw: Random) -> None:
    filed = Filed()
    filed.grow(HOMES)
    index = Index(filed)
    versions: list[tuple[Cut, Plain]] = [(index.cut, Plain({}, {}, {}))]
    for version in range(1, 7):
        versions.append(step(draw, index, version, versions[-1][1]))
    assert len(index) == len(versions[-1][1].items)
    for cut, plain in versions:  # older ones, too, when all are there
        domains = frozenset(draw.sample(DOMAINS, draw.randrange(3)))
        vector, k = unit(draw), draw.randrange(1, 5)
        best, may = plain.near(vector, k, domains)
        found = nearest(cut, vector, k, domains).tolist()
        assert best <= set(found) <= may
        text = " ".join(draw.choices(WORDS, k=3))
        words = index.words(cut, text, k, domains)
        expected = plain.words(text, k, domains)
        assert [n for n, _ in words] == [n for n, _ in expected]
        assert [score for _, score in words] == pytest.approx([score for _, score in expected], abs=2e-9)


def test_many_texts_are_found_by_rare_words_and_by_frequent_ones() -> None:
    """More postings than are left without order, in several versions; frequent words beside rare ones, of which the rare decide."""
    draw, index = Random(7), Index()
    common, rare = [f"common{n}" for n in range(6)], [f"rare{n}" for n in range(400)]
    items: dict[int, Item] = {}
    texts: dict[int, str] = {}
    for version, count in ((1, LATE // 25), (2, 30), (3, LATE // 150), (4, 3)):
        first = len(items)
        for number in range(first, first + count):
            texts[number] = " ".join([*draw.choices(common, k=draw.randrange(20, 40)), *draw.choices(rare, k=2)])
            items[number] = Item(number, draw.random() < 0.9, 0, texts[number])
        cut = index.update(version, [items[number] for number in range(first, first + count)])
        plain = Plain(items, texts, {})
        for k in (1, 5, 60):
            asked = " ".join([*draw.sample(common, 3), *draw.sample(rare, draw.randrange(3)), "unheard"])
            found, expected = index.words(cut, asked, k), plain.words(asked, k, frozenset())
            assert [n for n, _ in found] == [n for n, _ in expected]
            assert [score for _, score in found] == pytest.approx([score for _, score in expected], abs=2e-9)


def test_frequent_words_are_read_only_where_rare_ones_leave_it_open() -> None:
    """The best by a rare word cannot be overtaken by what a word that is in every text adds."""
    index = Index()
    texts = [f"everywhere {'harbour ferry crane' if n < 5 else 'storm'}" for n in range(3_000)]
    cut = index.update(1, (Item(n, True, 0, text) for n, text in enumerate(texts)))
    scored: list[int] = []

    class Counting(Index):
        def _scored(self, cut: Cut, rows: np.ndarray, times: np.ndarray, weight: float) -> np.ndarray:
            scored.append(len(rows))
            return Index._scored(self, cut, rows, times, weight)

    counting = Counting()
    counting.__dict__.update(index.__dict__)
    assert [n for n, _ in counting.words(cut, "everywhere ferry", 5)] == [0, 1, 2, 3, 4]
    assert scored == [5, 5]


def test_rows_past_one_block_are_found() -> None:
    draw, index = Random(1), Index()
    vectors = [unit(draw) for _ in range(2 * CHUNK + 10)]
    cut = index.update(1, (Item(n, True, 0, "", vector) for n, vector in enumerate(vectors)))
    for wanted in (0, CHUNK - 1, CHUNK, 2 * CHUNK + 9):
        found = nearest(cut, vectors[wanted], 1)
        assert wanted in found and len(found) < 200
    before = cut.blocks[1]
    later = index.update(2, [Item(CHUNK, False, 0, None, vectors[0])])
    assert later.blocks[1] is not before and later.blocks[0] is cut.blocks[0]
    assert CHUNK in nearest(cut, vectors[CHUNK], 1) and CHUNK not in nearest(later, vectors[0], 5)


def test_what_does_not_fit_is_refused() -> None:
    index = Index()
    index.update(1, [Item(3, True, 0, "harbour", unit(Random(1)))])
    with pytest.raises(BadInput, match="6 numbers"):
        nearest(index.cut, np.ones(4, np.float32), 1)
    with pytest.raises(BadInput, match="6 numbers"):
        index.update(2, [Item(4, True, 0, "", np.ones(4, np.float32))])
    with pytest.raises(ValueError, match="number 2 came too late"):
        Index().update(1, [Item(3, True, 0, ""), Item(2, True, 0, "")])
