"""Candidates of the contradiction check against a search that looks at everything."""

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import strategies as st
from support.trying import many

from loom.core.claims.candidates import (
    FEWEST,
    NO_FLOOR,
    TAU,
    THETA,
    Candidates,
    Floors,
    K,
    Pool,
    Position,
    floor_of,
    for_claim,
    for_signal,
)
from loom.core.errors import BadInput
from loom.core.retrieval.nearest import UnitVectors

WIDTH = 6


def pool_of(seed: int, count: int, domains: int = 3) -> tuple[Pool, np.ndarray]:
    draw = np.random.default_rng(seed)
    made = draw.integers(-2, 3, size=(count, WIDTH)).astype(np.float32) + np.float32(0.25)
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    held = draw.random((domains, count)) < 0.6
    rows = {f"d{at}": np.flatnonzero(line).astype(np.int64) for at, line in enumerate(held)}
    asked = made[0] if count else np.eye(1, WIDTH, dtype=np.float32)[0]
    return Pool([f"claim:{at:03}" for at in range(count)], UnitVectors(made.astype(np.float32)), rows), asked


def brute(pool: Pool, vector: np.ndarray, domains: Sequence[str], floors: Mapping[str, float], k: int) -> list[str]:
    kept = {}
    for domain in domains:
        for row in pool.domains.get(domain, np.zeros(0, dtype=np.int64)).tolist():
            cosine = float(pool.vectors.cosines(vector, np.array([row]))[0])
            if cosine >= floors.get(domain, NO_FLOOR):
                kept[pool.ids[row]] = cosine
    return sorted(kept, key=lambda id: (-kept[id], id))[:k]


@many(st.integers(0, 10**6), st.integers(0, 60), st.integers(1, 25), st.floats(-1, 1), st.floats(-1, 1))
def test_a_signal_is_compared_with_the_nearest_above_the_floor(
    seed: int, count: int, k: int, first: float, second: float
) -> None:
    pool, asked = pool_of(seed, count)
    floors = {"d0": first, "d1": second}
    found = for_signal(pool, asked, ["d1", "d0", "nowhere"], Floors(floors), k=k)
    assert list(found.ids) == brute(pool, asked, ["d0", "d1"], floors, k)
    assert list(found.cosines) == sorted(found.cosines, reverse=True) and len(set(found.ids)) == len(found.ids)
    assert found == for_signal(pool, asked, ["d0", "d1"], Floors(floors), k=k)


@many(st.integers(0, 10**6), st.integers(1, 60), st.integers(1, 25), st.integers(0, 6))
def test_positions_choose_among_the_nearest_unless_too_few_lie_apart(seed: int, count: int, k: int, fewest: int) -> None:
    pool, asked = pool_of(seed, count)
    draw = np.random.default_rng(seed + 1)
    told = {
        id: [
            Position(f"x{at}", int(draw.integers(0, 4)), float(draw.choice([0.4, 0.5, 0.9])), bool(draw.random() < 0.2))
            for at in range(2)
        ]
        for id in pool.ids
    }
    own = [Position("x0", 0, 0.9), Position("x1", 3, 0.5), Position("x2", 1, 0.9)]

    def distance(dimension: str, one: object, other: object) -> float:
        assert isinstance(one, int) and isinstance(other, int)
        return abs(one - other) / 3

    found = for_claim(pool, asked, ["d0", "d1"], own, told.__getitem__, distance, besides={pool.ids[0]}, k=k, fewest=fewest)
    everything = [id for id in brute(pool, asked, ["d0", "d1"], {}, count) if id != pool.ids[0]][:k]
    values = {each.dimension: each.value for each in own}
    apart = [
        id
        for id in everything
        if any(
            not each.stale and each.relevance >= TAU and distance(each.dimension, values[each.dimension], each.value) >= THETA
            for each in told[id]
        )
    ]
    assert list(found.ids) == (apart if len(apart) >= fewest else everything)
    assert found.positioned == (len(apart) >= fewest) and pool.ids[0] not in found.ids


def test_without_positions_similarity_alone_chooses() -> None:
    pool, asked = pool_of(1, 50)
    plain = for_claim(pool, asked, ["d0"])
    stale = for_claim(
        pool, asked, ["d0"], [Position("x", 0, 1.0, stale=True)], lambda id: [Position("x", 9, 1.0)], lambda *_: 1.0
    )
    nowhere = for_claim(pool, asked, ["d0"], [Position("x", 0, 1.0)], lambda id: [Position("x", None, 1.0)], lambda *_: 1.0)
    assert plain == stale == nowhere and not plain.positioned and len(plain.ids) == K


def test_five_that_lie_apart_are_enough() -> None:
    pool, asked = pool_of(2, 50)
    near = for_claim(pool, asked, ["d0"]).ids
    for count in (FEWEST - 1, FEWEST):
        apart = set(near[-count:])
        found = for_claim(
            pool,
            asked,
            ["d0"],
            [Position("x", 0, 1.0)],
            lambda id, apart=apart: [Position("x", int(id in apart), 1.0)],
            lambda _, a, b: float(a != b),
        )
        assert found.ids == (near if count < FEWEST else near[-count:])


def test_the_floor_is_the_lowest_decile() -> None:
    assert floor_of([0.1 * at for at in range(1, 11)]) == pytest.approx(0.1)
    values = [at / 100 for at in range(100)]
    floor = floor_of(values)
    assert sum(value < floor for value in values) / len(values) == pytest.approx(0.1, abs=0.011)
    assert floor_of([0.5] * 9) == NO_FLOOR, "a tenth of nine signals is nobody"


def test_below_the_floor_there_is_nothing_to_ask() -> None:
    pool, _ = pool_of(3, 30)
    away = np.eye(1, WIDTH, dtype=np.float32)[0]
    near = for_signal(pool, away, ["d0"]).cosines[0]
    found = for_signal(pool, away, ["d0"], Floors({"d0": near + 0.001}))
    assert found.ids == () and found.nearest == near
    assert for_signal(pool, away, ["d0"]).ids, "without a floor it is compared"
    assert for_signal(pool, away, ["nowhere"]) == Candidates()


def test_nothing_is_asked_of_no_candidates() -> None:
    pool, asked = pool_of(4, 5)
    with pytest.raises(BadInput, match="at least one candidate"):
        for_signal(pool, asked, ["d0"], k=0)
    with pytest.raises(BadInput, match="length 1"):
        for_claim(pool, asked * 2, ["d0"])
