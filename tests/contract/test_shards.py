"""What everybody who does pieces of work does: this process, processes of this machine, Ray."""

from collections.abc import Iterator
from importlib.util import find_spec

import pytest

from loom.core.errors import BadInput
from loom.core.exposure.ceiling import checked_matcher
from loom.core.text import slugify
from loom.ports import Shards
from loom_adapters.process_shards import FakeShards, ProcessShards

RAY = pytest.mark.skipif(find_spec("ray") is None, reason="needs ray: pip install 'loom-node[ray]'")


@pytest.fixture(scope="module", params=["fake", "processes", pytest.param("ray", marks=RAY)])
def shards(request: pytest.FixtureRequest) -> Iterator[Shards]:
    made: Shards
    if request.param == "fake":
        made = FakeShards()
    elif request.param == "processes":
        made = ProcessShards(2)
    else:
        from loom_adapters.ray_shards import RayShards

        made = RayShards(workers=2)
    yield made
    made.close()


def test_results_come_in_the_order_of_the_pieces(shards: Shards) -> None:
    pieces = [f"Piece {number}" for number in range(20)]
    assert list(shards.map(slugify, pieces)) == [slugify(piece) for piece in pieces]


def test_no_pieces_have_no_results(shards: Shards) -> None:
    assert list(shards.map(slugify, [])) == []


def test_a_fault_keeps_its_kind_and_words_and_what_came_before_it(shards: Shards) -> None:
    results = shards.map(checked_matcher, ["default", "loose", "reference"])
    assert next(results) == "default"
    with pytest.raises(BadInput, match="reference, default as matcher, not 'loose'") as fault:
        next(results)
    assert fault.value.param == "matcher"


def test_work_can_be_given_again_after_a_fault(shards: Shards) -> None:
    assert list(shards.map(slugify, ["Tide Kiln"])) == ["tide-kiln"]
