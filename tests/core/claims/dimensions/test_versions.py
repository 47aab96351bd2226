"""Which change makes what stale, which makes a version only, and what is projected again first."""

from dataclasses import replace

import pytest
from support.claims_axes import contract, dimension

from loom.core.claims.dimensions.contract import Contract, Criterion, Procedure, Prototype, Validation
from loom.core.claims.dimensions.dimension import effect, revised
from loom.core.claims.dimensions.projection import Projection, current, stale, waiting
from loom.core.claims.dimensions.spaces import Binary, Ordinal
from loom.core.errors import BadInput

RECORD = Validation(1, 40, (Criterion("relevant", 0.4, 0.1, True),))
BEFORE = contract(Binary(), metric="match", normalizer="identity", validation=RECORD)


def _made(version: int = 1, claim: str = "c", axis: str = "one") -> Projection:
    return Projection(claim, axis, version, "small", "blocked", 0.9, "2026-01-01")


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (BEFORE, "none"),
        (replace(BEFORE, validation=None), "none"),
        (replace(BEFORE, metric="rank"), "bump"),
        (replace(BEFORE, normalizer="steps"), "bump"),
        (replace(BEFORE, definition="Another."), "stale"),
        (replace(BEFORE, name="another"), "stale"),
        (replace(BEFORE, space=Binary(("never", "ever"))), "stale"),
        (replace(BEFORE, space=Ordinal(BEFORE.space.values)), "stale"),  # type: ignore[union-attr]
        (replace(BEFORE, procedure=Procedure("nearest")), "stale"),
        (replace(BEFORE, prototypes=(*BEFORE.prototypes, Prototype("no", "Never."))), "stale"),
        (replace(BEFORE, metric="rank", definition="Another."), "stale"),
    ],
)
def test_what_a_change_does(after: Contract, expected: str) -> None:
    assert effect(BEFORE, after) == expected


def test_versions_and_the_positions_that_hold() -> None:
    first = dimension("one", contract=BEFORE, distilled=True)
    noted = revised(first, replace(BEFORE, validation=replace(RECORD, sample=50)))
    assert (noted.version, noted.valid_from, noted.distilled) == (1, 1, True)
    bumped = revised(first, replace(BEFORE, metric="rank"))
    assert (bumped.version, bumped.valid_from, bumped.distilled) == (2, 1, True)
    assert bumped.contract.validation == RECORD
    assert current(_made(1), bumped) and not stale(_made(1), bumped)
    changed = revised(bumped, replace(bumped.contract, definition="Another."))
    assert (changed.version, changed.valid_from, changed.distilled, changed.contract.validation) == (3, 3, False, None)
    assert [stale(_made(version), changed) for version in (1, 2, 3)] == [True, True, False]
    again = revised(changed, replace(changed.contract, normalizer="steps"))
    assert [stale(_made(version), again) for version in (2, 3, 4)] == [True, False, False]


def test_a_revision_is_checked() -> None:
    with pytest.raises(BadInput, match="parts go together"):
        revised(dimension("one"), contract(metric="difference"))
    with pytest.raises(BadInput, match="called two already"):
        revised(dimension("one"), contract(name="two"), ["two"])


@pytest.mark.parametrize("state", ["candidate", "validated", "parked", "retired"])
def test_only_what_is_active_is_read(state: str) -> None:
    assert current(_made(), dimension("one"))
    assert not current(_made(), dimension("one", state=state))
    assert not current(_made(axis="two"), dimension("one"))


@pytest.mark.parametrize("relevance", [-0.1, 1.1, float("nan")])
def test_a_relevance_is_a_share(relevance: float) -> None:
    with pytest.raises(BadInput, match="relevance"):
        replace(_made(), relevance=relevance)


def test_what_is_projected_again_first() -> None:
    axes = {
        "one": replace(dimension("one"), version=3, valid_from=2),
        "two": replace(dimension("two"), version=2, valid_from=2),
        "old": dimension("old", state="retired", version=2, valid_from=2),
    }
    made = [_made(1, claim, axis) for claim in "abcd" for axis in ("one", "two", "old")]
    made += [_made(2, "a", "one"), _made(3, "b", "one"), _made(1, "e", "gone")]
    found = waiting(made, axes, retrieved=["d", "b", "d"], reads={"c": 5, "a": 2})
    assert found == [("d", "one"), ("d", "two"), ("b", "two"), ("c", "one"), ("c", "two"), ("a", "two")]
    assert waiting(made, axes)[:2] == [("a", "two"), ("b", "two")]
