"""The graph of neighbours is derived: kept where it can be, built anew where it is missing or damaged, and wide enough."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from loom.core.retrieval.nearest import UnitVectors
from loom.core.retrieval.recall import probes, recall
from loom.core.retrieval.vectors import unit_rows
from loom_adapters.vector_graph import RECALL, GraphVectors
from loom_adapters.vector_hnswlib import HnswVectors
from loom_adapters.vector_usearch import UsearchVectors

Open = Callable[..., tuple[GraphVectors, "Told"]]
ROWS, WIDTH = 1200, 24
VECTORS = unit_rows(np.random.default_rng(3).normal(size=(ROWS, WIDTH)))
FEW = VECTORS[:150]


class Told:
    """Progress that is kept."""

    def __init__(self) -> None:
        self.steps: list[tuple[int, int]] = []

    def __call__(self, done: int, total: int) -> None:
        self.steps.append((done, total))


@pytest.fixture(params=[HnswVectors, UsearchVectors])
def opened(request: pytest.FixtureRequest) -> Open:
    if request.param is HnswVectors:
        pytest.importorskip("hnswlib", reason="needs hnswlib: pip install 'loom-node[hnsw]'")

    def graph(folder: Path | None, vectors: np.ndarray = FEW) -> tuple[GraphVectors, Told]:
        told = Told()
        return request.param(vectors, folder, told), told

    return graph


def files(folder: Path) -> list[Path]:
    return sorted(folder.iterdir())


def test_it_is_built_once_with_its_progress_and_then_read(opened: Open, tmp_path: Path) -> None:
    first, built = opened(tmp_path / "cache", VECTORS)
    second, read = opened(tmp_path / "cache", VECTORS)
    assert built.steps == [(1000, ROWS), (ROWS, ROWS)] and not read.steps
    assert second.tuned == first.tuned
    assert [file.suffix for file in files(tmp_path / "cache")] == [".bin", ".json"]


def test_two_builds_are_the_same_bytes(opened: Open, tmp_path: Path) -> None:
    opened(tmp_path / "one")
    opened(tmp_path / "two")
    assert [file.read_bytes() for file in files(tmp_path / "one")] == [file.read_bytes() for file in files(tmp_path / "two")]


async def test_a_kept_graph_finds_what_the_built_one_found(opened: Open, tmp_path: Path) -> None:
    first, _ = opened(tmp_path)
    second, _ = opened(tmp_path)
    for vector in VECTORS[::100]:
        (rows, cosines), (again, same) = await first.search(vector, 10), await second.search(vector, 10)
        assert np.array_equal(rows, again) and np.array_equal(cosines, same)


@pytest.mark.parametrize("suffix", [".bin", ".json"])
@pytest.mark.parametrize("damage", ["cut", "flipped", "gone", "other"])
def test_what_is_damaged_is_built_anew(opened: Open, tmp_path: Path, suffix: str, damage: str) -> None:
    _, _ = opened(tmp_path)
    whole = {file: file.read_bytes() for file in files(tmp_path)}
    file = next(file for file in whole if file.suffix == suffix)
    data = whole[file]
    if damage == "gone":
        file.unlink()
    else:
        middle = len(data) // 2
        file.write_bytes(
            {"cut": data[:middle], "flipped": data[:middle] + b"\xff" + data[middle + 1 :], "other": b"{}"}[damage]
        )
    _, told = opened(tmp_path)
    assert told.steps
    assert {file: file.read_bytes() for file in files(tmp_path)} == whole


def test_a_graph_of_other_vectors_is_not_used(opened: Open, tmp_path: Path) -> None:
    opened(tmp_path)
    _, told = opened(tmp_path, FEW[:-1])
    assert told.steps


@pytest.mark.parametrize("stated", [{"ef": 0}, {"ef": "64"}, {"more": 1}])
def test_what_is_stated_beside_a_graph_is_checked(opened: Open, tmp_path: Path, stated: dict[str, object]) -> None:
    opened(tmp_path)
    beside = next(file for file in files(tmp_path) if file.suffix == ".json")
    beside.write_text(json.dumps({**json.loads(beside.read_text()), **stated}))
    _, told = opened(tmp_path)
    assert told.steps


def test_a_folder_that_cannot_be_written_to_is_passed_over(opened: Open, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    index, told = opened(tmp_path / "file" / "cache")
    assert told.steps and index.tuned.rows == len(FEW)


async def test_it_is_searched_widely_enough_for_its_own_vectors(opened: Open) -> None:
    index, _ = opened(None, VECTORS)
    held = UnitVectors(VECTORS)
    asked = probes(held)
    found = [(await index.search(vector, 10))[0].tolist() for vector in asked]
    reached = recall(found, [held.search(vector, 10)[0].tolist() for vector in asked])
    assert index.tuned.recall >= RECALL
    assert reached >= RECALL


async def test_equal_vectors_that_part_the_graph_are_still_found(opened: Open) -> None:
    vectors = np.repeat(VECTORS[:2], 400, axis=0)
    index, _ = opened(None, vectors)
    rows, cosines = await index.search(vectors[0], 500)
    assert len(rows) == 500 and set(range(400)) <= set(rows.tolist())
    assert list(rows[:400]) == list(range(400)) and cosines[399] == cosines[0] > cosines[400]
