"""Which index serves: the cheapest that is to be had, with its reason."""

import pytest

from loom.core.retrieval.choice import EXACT_MOST, choose

BOTH = ("exact", "hnswlib")
MANY = EXACT_MOST + 1


@pytest.mark.parametrize(
    ("rows", "workers", "installed", "measured", "kind", "because"),
    [
        (0, 1, BOTH, None, "exact", "0"),
        (EXACT_MOST, 1, BOTH, "hnswlib", "exact", "20,000"),
        (MANY, 1, BOTH, None, "hnswlib", "one worker"),
        (MANY, 1, BOTH, "hnswlib", "hnswlib", "one worker"),
        (MANY, 2, BOTH, "hnswlib", "exact", "each of 2 workers"),
        (MANY, 1, ("exact",), None, "exact", "pip install"),
        (MANY, 1, BOTH, "exact", "exact", "loom embed --force"),
    ],
)
def test_left_to_itself_it_takes_what_costs_least(
    rows: int, workers: int, installed: tuple[str, ...], measured: str | None, kind: str, because: str
) -> None:
    choice = choose(rows, workers, installed=installed, measured=measured)
    assert choice.kind == kind
    assert because in choice.reason


@pytest.mark.parametrize("wanted", ["exact", "hnswlib", "qdrant"])
def test_what_is_named_is_taken_whatever_it_costs(wanted: str) -> None:
    assert choose(MANY, 8, wanted, installed=("exact",), measured="exact") == (wanted, f"LOOM_VECTOR_INDEX is {wanted}")
