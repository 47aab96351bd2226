"""Which index serves: the cheapest that is to be had, with its reason."""

import pytest

from loom.core.retrieval.choice import EXACT_MOST, choose

ALL = ("exact", "hnswlib", "usearch")
MANY = EXACT_MOST + 1


@pytest.mark.parametrize(
    ("rows", "workers", "installed", "measured", "kind", "because"),
    [
        (0, 1, ALL, None, "exact", "0"),
        (EXACT_MOST, 1, ALL, "hnswlib", "exact", "20,000"),
        (MANY, 1, ALL, None, "hnswlib", "one worker"),
        (MANY, 1, ALL, "hnswlib", "hnswlib", "one worker"),
        (MANY, 1, ALL, "usearch", "usearch", "one worker"),
        (MANY, 1, ("exact", "usearch"), None, "usearch", "one worker"),
        (MANY, 2, ALL, None, "usearch", "2 workers share it"),
        (MANY, 2, ALL, "hnswlib", "exact", "recall of usearch was not measured"),
        (MANY, 2, ("exact", "hnswlib"), None, "exact", "pip install 'loom-node[usearch]'"),
        (MANY, 1, ("exact",), None, "exact", "pip install 'loom-node[hnsw]'"),
        (MANY, 1, ALL, "exact", "exact", "loom embed --force"),
    ],
)
def test_left_to_itself_it_takes_what_costs_least(
    rows: int, workers: int, installed: tuple[str, ...], measured: str | None, kind: str, because: str
) -> None:
    choice = choose(rows, workers, installed=installed, measured=measured)
    assert choice.kind == kind
    assert because in choice.reason


@pytest.mark.parametrize("wanted", ["exact", "hnswlib", "usearch", "qdrant"])
def test_what_is_named_is_taken_whatever_it_costs(wanted: str) -> None:
    assert choose(MANY, 8, wanted, installed=("exact",), measured="exact") == (wanted, f"LOOM_VECTOR_INDEX is {wanted}")
