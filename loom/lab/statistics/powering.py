"""Power of a paired comparison: of the t test by formula, of the exact signed-rank test and of any pilot's differences by
simulation; and the pairs that a power takes, or the least effect that n pairs detect.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import isnan
from typing import Any

import numpy as np

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.statistics.bootstrapping import SEED
from loom.lab.statistics.checks import Floats, Truths, count, drawing, numbers, share
from loom.lab.statistics.distributions import scipy_stats
from loom.lab.statistics.signs import signed_rank, untied

TESTS = ("mean", "rank")
DRAWS = 2_000
MOST_PAIRS = 100_000
MOST_RANKED = 2_000
"""The most pairs for which rank tests are simulated."""


@dataclass(frozen=True, slots=True)
class Power:
    """What two-sided test at `alpha`, with `n` pairs, a true mean difference `effect` and a standard deviation `sd` of the
    differences, has which power. `draws` is None where it is by formula."""

    test: str
    n: int
    effect: float
    sd: float
    alpha: float
    power: float
    draws: int | None = None

    def as_json(self) -> dict[str, Json]:
        return {
            "test": self.test,
            "n": self.n,
            "effect": self.effect,
            "sd": self.sd,
            "alpha": self.alpha,
            "power": self.power,
            "draws": self.draws,
        }


@dataclass(frozen=True, slots=True)
class Design:
    """How differences are spread and tested. `pilot` are differences whose shape (about their mean) is resampled instead of a
    normal one; `sd` is then theirs."""

    sd: float
    test: str = "mean"
    alpha: float = 0.05
    draws: int = DRAWS
    seed: int = SEED
    pilot: tuple[float, ...] | None = None


def design(
    sd: float | None = None,
    *,
    pilot: Iterable[Any] | None = None,
    test: str = "mean",
    alpha: float = 0.05,
    draws: int = DRAWS,
    seed: int = SEED,
) -> Design:
    """A design from a standard deviation, or from a pilot's differences. Raises BadInput."""
    shape = None if pilot is None else numbers(pilot, "pilot", least=2)
    spread = sd if shape is None else float(shape.std(ddof=1))
    if spread is None or not 0 < spread < float("inf"):
        raise BadInput(f"Expected a standard deviation above 0, but got {spread}.", param="sd")
    if test not in TESTS:
        raise BadInput(f"Expected the test to be one of {', '.join(TESTS)}, but got {test!r}.", param="test")
    share(alpha, "alpha")
    drawing(seed, draws, 0.95)
    return Design(spread, test, alpha, draws, seed, None if shape is None else tuple(float(value) for value in shape))


def power(made: Design, effect: float, n: int) -> Power:
    """The power of n pairs for an effect. Raises BadInput."""
    most = MOST_PAIRS if made.test == "mean" and made.pilot is None else MOST_RANKED
    count(n, "n", least=2, most=most)
    if not np.isfinite(effect):
        raise BadInput(f"Expected the effect to be a number, but got {effect}.", param="effect")
    if made.test == "mean" and made.pilot is None:
        return Power("mean", n, effect, made.sd, made.alpha, _formula(effect / made.sd, n, made.alpha))
    share = float(np.mean(_rejects(_drawn(made, effect, n), made)))
    return Power(made.test, n, effect, made.sd, made.alpha, share, made.draws)


def pairs(made: Design, effect: float, wanted: float = 0.8) -> Power:
    """The fewest pairs with the power. Raises BadInput where the most that are tried do not have it."""
    share(wanted, "power")
    most = MOST_PAIRS if made.test == "mean" and made.pilot is None else MOST_RANKED
    if effect == 0 or power(made, effect, most).power < wanted:
        raise BadInput(f"{most:,} pairs do not detect {effect} with power {wanted}; expect a larger effect.", param="effect")
    return power(made, effect, _least(lambda n: power(made, effect, n).power >= wanted, 2, most))


def detectable(made: Design, n: int, wanted: float = 0.8) -> Power:
    """The least positive effect that n pairs detect with the power, to a thousandth of the standard deviation. Raises
    BadInput."""
    share(wanted, "power")
    step = made.sd / 1000
    most = 100_000
    if power(made, most * step, n).power < wanted:
        raise BadInput(f"No effect is detected by {n} pairs with power {wanted}; take more.", param="n")
    return power(made, step * _least(lambda steps: power(made, step * steps, n).power >= wanted, 1, most), n)


def _least(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The least whole number for which `holds`, which it does from some number on, at `high` for certain."""
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


def _formula(standardised: float, n: int, alpha: float) -> float:
    """The two-sided paired t test's, from the non-central t distribution."""
    stats = scipy_stats()
    bound, shift = float(stats.t.ppf(1 - alpha / 2, n - 1)), abs(standardised) * n**0.5
    upper, lower = float(stats.nct.sf(bound, n - 1, shift)), float(stats.nct.cdf(-bound, n - 1, shift))
    # Far out scipy's series gives no number: there the lower tail is nothing, and the upper one that of a normal.
    if isnan(upper):
        upper = float(stats.norm.sf(bound - shift))
    return min(1.0, upper + (0.0 if isnan(lower) else lower))


def _drawn(made: Design, effect: float, n: int) -> Floats:
    """Differences, draws × n. The same seed gives the same shape for every effect, so that power rises with it."""
    random = np.random.default_rng(made.seed)
    if made.pilot is None:
        return random.normal(size=(made.draws, n)) * made.sd + effect
    shape = np.array(made.pilot)
    return random.choice(shape - shape.mean(), size=(made.draws, n)) + effect


def _rejects(samples: Floats, made: Design) -> Truths:
    n = samples.shape[1]
    if made.test == "mean":
        bound = float(scipy_stats().t.ppf(1 - made.alpha / 2, n - 1))
        error = samples.std(axis=1, ddof=1) / n**0.5
        found: Truths = np.abs(samples.mean(axis=1)) > bound * error
        return found
    if made.pilot is not None:
        return np.array([signed_rank(sample).p <= made.alpha for sample in samples])
    # Without ties the null distribution is one and the same: how small the smaller rank sum must be is found once.
    ranks = np.abs(samples).argsort(axis=1).argsort(axis=1) + 1
    plus = np.where(samples > 0, ranks, 0).sum(axis=1)
    small: Truths = np.minimum(plus, n * (n + 1) // 2 - plus) <= critical(n, made.alpha)
    return small


def critical(n: int, alpha: float) -> int:
    """The greatest smaller rank sum of n untied differences that the exact test rejects; -1 where none is."""
    return int(np.searchsorted(untied(n), alpha, side="right")) - 1
