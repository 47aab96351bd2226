"""Dimensions for tests: contracts of every kind, claims with planted positions, and queries whose labels follow from them."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from loom.core.claims.dimensions.contract import Contract, Procedure, Prototype
from loom.core.claims.dimensions.dimension import Dimension
from loom.core.claims.dimensions.distance import Axes
from loom.core.claims.dimensions.judged import Judged, Pairs, Seen, pairs
from loom.core.claims.dimensions.positions import Positions
from loom.core.claims.dimensions.spaces import Binary, Category, Ordinal, Scalar, Space

FEASIBLE = ("blocked", "constrained", "feasible", "ready")


def contract(space: Space | None = None, name: str = "implementation feasibility", **parts: object) -> Contract:
    """A contract that goes together: the paper's example, or one over another space."""
    space = Ordinal(FEASIBLE) if space is None else space
    listed = () if isinstance(space, Scalar) else space.values
    metric, normalizer = {
        "ordinal": ("rank", "steps"), "scalar": ("difference", "range"), "binary": ("match", "identity"),
        "category": ("match", "identity"),
    }[space.kind]  # fmt: skip
    given: dict[str, object] = {
        "name": name,
        "definition": f"How far {name} goes.",
        "space": space,
        "procedure": Procedure("judged"),
        "metric": metric,
        "normalizer": normalizer,
        "prototypes": tuple(Prototype(each, f"It is {each}.") for each in listed),
    }
    return Contract(**(given | parts))  # type: ignore[arg-type]


def dimension(name: str, *, state: str = "active", weight: float = 0.0, activated: int = 0, **parts: object) -> Dimension:
    made: dict[str, object] = {
        "id": name, "domain": "climate", "contract": contract(name=name), "state": state, "weight": weight,
        "activated": activated,
    }  # fmt: skip
    return Dimension(**(made | parts))  # type: ignore[arg-type]


NAMES = st.lists(st.text("abcdef", min_size=1, max_size=4), min_size=2, max_size=6, unique=True).map(tuple)
SPACES: st.SearchStrategy[Space] = st.one_of(
    st.builds(Ordinal, NAMES),
    st.builds(Category, NAMES),
    st.builds(Binary, NAMES.map(lambda each: each[:2])),
    st.builds(
        lambda low, width: Scalar(low, low + width),
        st.floats(-1e6, 1e6),
        st.floats(1e-3, 1e6),
    ),
)


def codes(space: Space, size: int, rng: np.random.Generator) -> np.ndarray:
    """Positions by chance."""
    if isinstance(space, Scalar):
        return rng.uniform(space.low, space.high, size)
    return rng.integers(0, len(space.values), size).astype(np.float64)


@dataclass(frozen=True)
class World:
    """A domain whose labels follow from positions on the first `telling` axes; the others tell nothing."""

    contracts: tuple[Contract, ...]
    axes: Axes
    claims: Positions
    queries: tuple[Seen, ...]

    def judged(self) -> list[Judged]:
        return [each.judged(self.axes, self.claims) for each in self.queries]


def world(seed: int, *, queries: int = 120, claims: int = 400, candidates: int = 30, axes: int = 6, telling: int = 2) -> World:
    rng = np.random.default_rng(seed)
    kinds: Sequence[Space] = (Ordinal(FEASIBLE), Scalar(0.0, 10.0), Category(("a", "b", "c")), Binary())
    contracts = tuple(contract(kinds[at % len(kinds)], f"axis {at}") for at in range(axes))
    made = Axes.of(contracts)
    table = np.column_stack([codes(each.space, claims, rng) for each in contracts])
    relevance = rng.uniform(0.3, 1.0, table.shape)
    missing = rng.random(table.shape) < 0.2
    held = Positions(np.where(missing, np.nan, table), np.where(missing, np.nan, relevance))
    found = []
    for number in range(queries):
        place = Positions(np.array([[codes(each.space, 1, rng)[0] for each in contracts]]), rng.uniform(0.4, 1.0, (1, axes)))
        rows = rng.choice(claims, candidates, replace=False)
        near = 1.0 - made.delta(place.codes, table[rows])
        wish = near[:, :telling].mean(axis=1) if telling else rng.random(candidates)
        unsettled = (rng.random(candidates) < 0.2).astype(np.float64)
        labels = np.clip(np.round(3 * wish + rng.normal(0, 0.4, candidates) - 0.5 * unsettled), 0, 3)
        base = 0.3 * labels / 3 + rng.normal(0, 0.5, candidates)
        found.append(Seen(f"q{number}", rows, place, base, unsettled, labels))
    return World(contracts, made, held, tuple(found))


def problem(draw: random.Random) -> tuple[Pairs, float]:
    """Pairs and a sparsity by chance: few or many axes, features that agree, that are constant, or that separate the labels."""
    rng = np.random.default_rng(draw.randrange(2**32))
    width, count = draw.randrange(0, 9), draw.randrange(1, 12)
    scale = 10.0 ** draw.uniform(-2, 1)
    judged = []
    for number in range(count):
        size = draw.randrange(2, 20)
        labels = rng.integers(0, 4, size).astype(np.float64)
        features = rng.random((size, width)) * scale
        if width and draw.random() < 0.3:
            features[:, 0] = labels / 3
        if width > 1 and draw.random() < 0.3:
            features[:, 1] = features[:, 0]
        if width > 2 and draw.random() < 0.2:
            features[:, 2] = 0.0
        unsettled = (rng.random(size) < draw.choice((0.0, 0.3, 1.0))).astype(np.float64)
        judged.append(Judged(f"q{number}", rng.normal(0, draw.choice((0.1, 1.0, 5.0)), size), features, unsettled, labels))
    return pairs(judged), draw.choice((0.0, 0.001, 0.01, 0.1, 1.0))
