"""How far two judges, or two raters, agree."""

from collections.abc import Sequence

from loom.core.values import Json
from loom.lab.statistics import RESAMPLES, SEED, kappa


def agreement(
    first: Sequence[Json],
    second: Sequence[Json],
    *,
    ordered: Sequence[Json] | None = None,
    seed: int = SEED,
    resamples: int = RESAMPLES,
) -> dict[str, Json]:
    """Agreement of two lists of verdicts on the same things. `ordered` is the scale where verdicts have an order: weighted κ, the
    share within one step and the mean difference (first - second) are then told, too. Null where there is nothing to agree on, and
    κ where all verdicts are one."""
    n = len(first)

    def weighed(name: str, weights: str = "none") -> dict[str, Json]:
        if not n:
            return {name: None, f"{name}_ci95": None}
        scale = None if weights == "none" else ordered
        found = kappa(first, second, weights=weights, categories=scale, seed=seed, resamples=resamples)
        return {name: found.kappa, f"{name}_ci95": found.ci and list(found.ci)}

    told: dict[str, Json] = {
        "n": n,
        "agreement": sum(a == b for a, b in zip(first, second, strict=True)) / n if n else None,
        **weighed("kappa"),
    }
    if ordered is None:
        return told
    steps = [ordered.index(a) - ordered.index(b) for a, b in zip(first, second, strict=True)]
    return {
        **told,
        "within_one": sum(abs(step) <= 1 for step in steps) / n if n else None,
        **weighed("kappa_linear", "linear"),
        **weighed("kappa_quadratic", "quadratic"),
        "mean_difference": sum(steps) / n if n else None,
    }
