"""Agreement of raters beyond chance: Cohen's κ for two, plain or weighted, and Fleiss' κ for several."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.statistics.bootstrapping import CHUNK, RESAMPLES, SEED
from loom.lab.statistics.checks import drawing, together
from loom.lab.statistics.percentiles import drawn

WEIGHTS = ("none", "linear", "quadratic")


@dataclass(frozen=True, slots=True)
class Kappa:
    """`kappa` is None where chance alone explains full agreement (all raters gave one label); `ci` is None there, and where a
    resample is of that kind. `agreement` is the share of item-wise agreeing pairs of raters."""

    kappa: float | None
    agreement: float
    n: int
    raters: int
    categories: tuple[str, ...]
    weights: str = "none"
    ci: tuple[float, float] | None = None

    def as_json(self) -> dict[str, Json]:
        return {
            "kappa": self.kappa,
            "agreement": self.agreement,
            "n": self.n,
            "raters": self.raters,
            "categories": list(self.categories),
            "weights": self.weights,
            "ci95": self.ci and list(self.ci),
        }


def kappa(
    a: Iterable[Any],
    b: Iterable[Any],
    *,
    weights: str = "none",
    categories: Sequence[Any] | None = None,
    seed: int = SEED,
    resamples: int = RESAMPLES,
) -> Kappa:
    """Cohen's κ of two raters' labels of the same items, with a bootstrap interval over items.

    Weighted by the distance of categories in their order: `categories`, else by number where all are numbers, else by name.
    Raises BadInput.
    """
    drawing(seed, resamples, 0.95)
    first, second = _labels(a, "a"), _labels(b, "b")
    together("a", len(first), "b", len(second))
    if weights not in WEIGHTS:
        raise BadInput(f"Expected weights to be one of {', '.join(WEIGHTS)}, but got {weights!r}.", param="weights")
    order = _ordered([*first, *second]) if categories is None else [str(each) for each in categories]
    unknown = next((label for label in (*first, *second) if label not in order), None)
    if unknown is not None:
        raise BadInput(f"Expected labels among {', '.join(order)}, but got {unknown!r}.", param="categories")
    place, many = {label: at for at, label in enumerate(order)}, len(order)
    cells = np.array([place[x] * many + place[y] for x, y in zip(first, second, strict=True)])
    apart = np.abs(np.subtract.outer(np.arange(many), np.arange(many))).astype(float)
    cost = {"none": (apart > 0).astype(float), "linear": apart, "quadratic": apart**2}[weights]
    table = np.bincount(cells, minlength=many * many)[None, :]
    value = float(_kappas(table, cost)[0])
    random, draws = np.random.default_rng(seed), np.empty(resamples)
    at_once = max(1, CHUNK // (many * many))
    for start in range(0, resamples, at_once):
        rows = min(at_once, resamples - start)
        draws[start : start + rows] = _kappas(random.multinomial(len(first), table[0] / len(first), size=rows), cost)
    low, high = drawn(draws, 0.95)
    agreement = float(np.mean([x == y for x, y in zip(first, second, strict=True)]))
    return Kappa(
        None if np.isnan(value) else value,
        agreement,
        len(first),
        2,
        tuple(order),
        weights,
        None if np.isnan(low) else (low, high),
    )


def fleiss(ratings: Sequence[Sequence[Any]]) -> Kappa:
    """Fleiss' κ: each item's labels by the same number of raters, at least two. Raises BadInput."""
    items = [_labels(each, "ratings") for each in ratings]
    if not items or len(items[0]) < 2 or any(len(item) != len(items[0]) for item in items):
        raise BadInput("Expected items with the same number of ratings each, at least two.", param="ratings")
    raters, order = len(items[0]), _ordered([label for item in items for label in item])
    counts = np.array([[item.count(label) for label in order] for item in items], dtype=float)
    agreement = float(((counts * (counts - 1)).sum(axis=1) / (raters * (raters - 1))).mean())
    chance = float(((counts.sum(axis=0) / counts.sum()) ** 2).sum())
    value = None if len(order) == 1 else (agreement - chance) / (1 - chance)
    return Kappa(value, agreement, len(items), raters, tuple(order))


def _kappas(tables: NDArray[Any], cost: NDArray[np.float64]) -> NDArray[np.float64]:
    """κ of each table (flattened counts); NaN where no disagreement is expected."""
    many = len(cost)
    shaped = tables.reshape(-1, many, many).astype(float)
    total = shaped.sum(axis=(1, 2))
    expected = (shaped.sum(axis=2)[:, :, None] * shaped.sum(axis=1)[:, None, :] * cost).sum(axis=(1, 2)) / total
    found = (shaped * cost).sum(axis=(1, 2))
    beyond: NDArray[np.float64] = 1 - found / np.where(expected > 0, expected, np.nan)
    return beyond


def _labels(values: Iterable[Any], name: str) -> list[str]:
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise BadInput(f"Expected {name} to be a list of labels, but got {type(values).__name__}.", param=name)
    found = ["" if value is None else str(value) for value in values]
    if not found or "" in found:
        raise BadInput(f"Expected a label for every item of {name}, at least one.", param=name)
    return found


def _ordered(found: Sequence[str]) -> list[str]:
    distinct = sorted(set(found))
    try:
        return sorted(distinct, key=lambda label: (float(label), label))
    except ValueError:
        return distinct
