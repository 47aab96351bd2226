"""The gate, the cap of projections, and what projection costs."""

import random
from pathlib import Path

import numpy as np
import pytest
from support.claims_axes import dimension
from support.sources import ROOT
from support.trying import every_world

from loom.core.claims.dimensions.gate import capped, chosen, gate, preferred, projection_cost, write_costs
from loom.core.claims.dimensions.rules import Rules
from loom.core.errors import BadInput


def test_the_gate_is_the_thirtieth_percentile_of_the_domain() -> None:
    cosines = np.linspace(0, 1, 101).reshape(101, 1)
    assert gate(cosines) == pytest.approx(0.3)
    assert gate(cosines, Rules(gate=0.0)) == 0.0
    assert gate(np.zeros((0, 3))) == -1.0


def test_the_largest_weight_comes_first_then_the_oldest() -> None:
    axes = [
        dimension("c", weight=0.1, activated=2),
        dimension("b", weight=0.1, activated=1),
        dimension("a", weight=0.4, activated=9),
    ]
    assert preferred(axes) == [2, 1, 0]


@every_world
def test_a_claim_is_projected_within_home_gate_and_cap(seed: int, draw: random.Random) -> None:
    rng = np.random.default_rng(seed)
    rules = Rules(active=draw.randrange(1, 5))
    axes = [
        dimension(f"d{at}", state=draw.choice(("active", "active", "parked", "validated")), weight=draw.choice((0.0, 0.2, 0.5)),
                  activated=draw.randrange(3))
        for at in range(draw.randrange(1, 9))
    ]  # fmt: skip
    cosines = rng.uniform(-1, 1, (20, len(axes)))
    home = rng.random(cosines.shape) < 0.8
    gates = rng.uniform(-0.5, 0.5, len(axes)).tolist()
    made = chosen(cosines, home, axes, gates, rules)
    best = preferred(axes)
    for row in range(20):
        may = [at for at in best if home[row, at] and axes[at].state == "active" and cosines[row, at] >= gates[at]]
        assert np.flatnonzero(made[row]).tolist() == sorted(may[: rules.active])


def test_the_gate_comes_before_the_cap() -> None:
    """An axis that a claim does not concern takes no place of one that it does."""
    axes = [dimension("a", weight=0.9), dimension("b", weight=0.1)]
    home = np.ones((1, 2), np.bool_)
    assert chosen(np.array([[0.0, 1.0]]), home, axes, [0.5, 0.5], Rules(active=1)).tolist() == [[False, True]]
    assert capped(home, axes, Rules(active=1)).tolist() == [[True, False]]


def test_what_projection_costs() -> None:
    cosines = np.array([[0.1, 0.9], [0.5, 0.2], [0.7, 0.8]])
    cost = projection_cost(cosines, 0.5, 0.002)
    assert (cost.calls, cost.price, cost.bound) == (4, pytest.approx(0.008), pytest.approx(0.012))
    assert projection_cost(cosines, gate(cosines), 1.0).price < projection_cost(cosines, -1.0, 1.0).price == cost.bound / 0.002
    # The check of 30 signals a claim, at 21 calls of $0.0005, is the $0.315 of the paper; 8 projections at $0.001 are $0.008.
    assert write_costs(8, 0.001, 30, 21, 0.0005) == (pytest.approx(0.008), pytest.approx(0.315))


@pytest.mark.parametrize(
    "wrong",
    [{"relevance": 1.5}, {"gate": 101}, {"active": 0}, {"sparsity": -1}, {"folds": 1, "majority": 1}, {"majority": 6},
     {"queries": 2.5}, {"stable": float("nan")}, {"measurable": True}],
)  # fmt: skip
def test_rules_out_of_range(wrong: dict[str, float]) -> None:
    with pytest.raises(BadInput):
        Rules(**wrong)  # type: ignore[arg-type]


def test_the_documentation_has_the_thresholds() -> None:
    page = " ".join(Path(ROOT, "docs/claims/dimensions.md").read_text(encoding="utf-8").split())
    rules = Rules()
    for said in (
        f"{rules.active} active dimensions a domain",
        f"the {rules.gate:g}th percentile",
        f"up to {rules.sample} claims of the domain, at least {rules.minimum},",
        f"agree to at least {rules.measurable}",
        f"more than {rules.discriminating:.0%} of",
        f"agree to at least {rules.stable}",
        f"tells it to {rules.redundant} or more",
        f"at least {rules.relevant:.0%} of the sample has a relevance of {rules.relevance} or more",
        f"Fewer than {rules.overlap} claims",
        f"fewer than {rules.queries} judged queries",
        f"at least {rules.opposed} apart",
    ):
        assert said in page
