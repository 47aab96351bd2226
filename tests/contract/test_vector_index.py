"""What every vector index does: the nearest rows and their cosines, best first, whatever it keeps them in."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from loom.core.errors import BadInput
from loom.core.retrieval.vectors import unit_rows
from loom.ports import VectorIndex
from loom_adapters.vector_exact import ExactVectors, FakeVectors
from loom_adapters.vector_hnswlib import HnswVectors
from loom_adapters.vector_qdrant import Qdrant, QdrantVectors, push
from loom_adapters.vector_usearch import UsearchVectors

WIDTH = 8


def mapped(vectors: np.ndarray, folder: Path) -> np.ndarray:
    np.save(folder / "vectors.npy", vectors)
    return np.asarray(np.load(folder / "vectors.npy", mmap_mode="r" if len(vectors) else None))


def in_qdrant(vectors: np.ndarray, folder: Path) -> VectorIndex:
    """The client's own engine in this process, which never waits."""
    qdrant = Qdrant.at(":memory:")
    try:
        push(vectors, qdrant, "0" * 64).send(None)
    except StopIteration:
        return QdrantVectors(mapped(vectors, folder), qdrant, "0" * 64, deadline=30)
    raise RuntimeError("the client's own engine waited for something")


MADE: dict[str, Callable[[np.ndarray, Path], VectorIndex]] = {
    "fake": lambda vectors, folder: FakeVectors(vectors),
    "exact": lambda vectors, folder: ExactVectors(mapped(vectors, folder)),
    "hnswlib": lambda vectors, folder: HnswVectors(mapped(vectors, folder), None),
    "hnswlib, kept": lambda vectors, folder: HnswVectors(mapped(vectors, folder), folder / "cache"),
    "usearch": lambda vectors, folder: UsearchVectors(mapped(vectors, folder), None),
    "usearch, kept": lambda vectors, folder: UsearchVectors(mapped(vectors, folder), folder / "cache"),
    "qdrant": in_qdrant,
}


@pytest.fixture(params=MADE)
def made(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[np.ndarray], VectorIndex]:
    if request.param.startswith("hnswlib"):
        pytest.importorskip("hnswlib", reason="needs hnswlib: pip install 'loom-node[hnsw]'")
    return lambda vectors: MADE[request.param](vectors, tmp_path)


def some(count: int, seed: int = 1) -> np.ndarray:
    return unit_rows(np.random.default_rng(seed).normal(size=(count, WIDTH)))


def axis(number: int) -> np.ndarray:
    vector = np.zeros(WIDTH, dtype=np.float32)
    vector[number] = 1
    return vector


async def test_the_nearest_come_first_with_their_cosines(made: Callable[[np.ndarray], VectorIndex]) -> None:
    vectors, asked = some(300), some(1, seed=2)[0]
    index = made(vectors)
    rows, cosines = await index.search(asked, 10)
    truth = vectors.astype(np.float64) @ asked.astype(np.float64)
    assert rows.dtype == np.int64 and cosines.dtype == np.float64
    assert list(rows) == list(np.argsort(-truth)[:10])
    assert np.allclose(cosines, truth[rows], atol=1e-6)
    assert np.array_equal(index.cosines(asked, rows), cosines)
    index.close()


async def test_cosines_keep_the_order_of_the_rows(made: Callable[[np.ndarray], VectorIndex]) -> None:
    vectors = some(40)
    rows = np.asarray([7, 3, 39, 3])
    index = made(vectors)
    assert np.allclose(index.cosines(vectors[3], rows), (vectors @ vectors[3])[rows], atol=1e-6)
    assert len(index.cosines(vectors[3], rows[:0])) == 0
    index.close()


async def test_rows_that_are_equally_near_are_in_their_order(made: Callable[[np.ndarray], VectorIndex]) -> None:
    index = made(np.stack([axis(1), axis(0), axis(1), axis(0), axis(0)]))
    rows, cosines = await index.search(axis(0), 4)
    assert list(rows) == [1, 3, 4, 0]
    assert list(cosines) == pytest.approx([1, 1, 1, 0])
    index.close()


@pytest.mark.parametrize("count", [1, 2, 5])
async def test_asked_for_more_than_there_are_it_gives_all(made: Callable[[np.ndarray], VectorIndex], count: int) -> None:
    index = made(some(count))
    rows, cosines = await index.search(axis(0), 100)
    assert sorted(rows) == list(range(count))
    assert list(cosines) == sorted(cosines, reverse=True)
    index.close()


@pytest.mark.parametrize("k", [0, -1])
async def test_asked_for_none_it_gives_none(made: Callable[[np.ndarray], VectorIndex], k: int) -> None:
    index = made(some(3))
    rows, cosines = await index.search(axis(0), k)
    assert (rows.shape, cosines.shape) == ((0,), (0,))
    index.close()


@pytest.mark.parametrize("vectors", [np.zeros((0, WIDTH), dtype=np.float32), np.zeros((3, WIDTH), dtype=np.float32)])
async def test_where_there_is_nothing_to_find_it_finds_nothing(
    made: Callable[[np.ndarray], VectorIndex], vectors: np.ndarray
) -> None:
    index = made(vectors)
    rows, cosines = await index.search(axis(0), 10)
    assert (rows.shape, cosines.shape) == ((0,), (0,))
    index.close()


async def test_rows_without_a_vector_are_never_found(made: Callable[[np.ndarray], VectorIndex]) -> None:
    vectors = some(30)
    vectors[[0, 4, 29]] = 0
    index = made(vectors)
    rows, _ = await index.search(-vectors[1], 30)
    assert len(rows) == 27 and not {0, 4, 29} & set(rows)
    assert list(index.cosines(vectors[1], np.asarray([0, 1]))) == pytest.approx([0, 1])
    index.close()


@pytest.mark.parametrize(
    "wrong",
    [
        np.full(WIDTH, np.nan, dtype=np.float32),
        np.full(WIDTH, np.inf, dtype=np.float32),
        axis(0) * 2,
        axis(0) * 0,
        axis(0)[:-1],
    ],
    ids=["nan", "infinite", "too long", "zero", "too narrow"],
)
async def test_what_is_no_unit_vector_of_its_width_is_refused(
    made: Callable[[np.ndarray], VectorIndex], wrong: np.ndarray
) -> None:
    index = made(some(5))
    with pytest.raises(BadInput, match="Expected a vector"):
        await index.search(wrong, 3)
    with pytest.raises(BadInput, match="Expected a vector"):
        index.cosines(wrong, np.asarray([0]))
    index.close()


async def test_several_may_ask_at_once(made: Callable[[np.ndarray], VectorIndex]) -> None:
    vectors = some(50)
    index = made(vectors)
    found = await asyncio.gather(*(index.search(vector, 1) for vector in vectors))
    assert [int(rows[0]) for rows, _ in found] == list(range(50))
    index.close()


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 2**32 - 1), st.integers(1, 40), st.integers(0, 45))
def test_any_index_of_few_rows_agrees_with_the_plain_one(
    made: Callable[[np.ndarray], VectorIndex], seed: int, count: int, k: int
) -> None:
    """Coarse numbers, so that there are ties."""
    numbers = np.random.default_rng(seed).integers(-1, 2, size=(count + 1, WIDTH)).astype(np.float64)
    numbers[-1, 0] += 0.5
    vectors = unit_rows(numbers)
    rows, cosines = asyncio.run(made(vectors[:-1]).search(vectors[-1], k))
    plain = asyncio.run(FakeVectors(vectors[:-1]).search(vectors[-1], k))
    assert np.allclose(cosines, plain[1], atol=1e-6)
    assert len(set(rows)) == len(plain[0])
