"""How far two judges, or two raters, agree."""

from collections.abc import Sequence

from loom.core.values import Json
from loom.lab.statistics import kappa


def agreement(first: Sequence[Json], second: Sequence[Json], *, ordered: Sequence[Json] | None = None) -> dict[str, Json]:
    """Agreement of two lists of verdicts on the same things. `ordered` is the scale where verdicts have an order: weighted κ, the
    share within one step and the mean difference (first - second) are then told, too. Null where there is nothing to agree on, and
    κ where all verdicts are one."""
    n = len(first)
    told: dict[str, Json] = {
        "n": n,
        "agreement": sum(a == b for a, b in zip(first, second, strict=True)) / n if n else None,
        **_kappa("kappa", first, second),
    }
    if ordered is None:
        return told
    steps = [ordered.index(a) - ordered.index(b) for a, b in zip(first, second, strict=True)]
    return {
        **told,
        "within_one": sum(abs(step) <= 1 for step in steps) / n if n else None,
        **_kappa("kappa_linear", first, second, "linear", ordered),
        **_kappa("kappa_quadratic", first, second, "quadratic", ordered),
        "mean_difference": sum(steps) / n if n else None,
    }


def _kappa(
    name: str, first: Sequence[Json], second: Sequence[Json], weights: str = "none", scale: Sequence[Json] | None = None
) -> dict[str, Json]:
    if not first:
        return {name: None, f"{name}_ci95": None}
    found = kappa(first, second, weights=weights, categories=scale)
    return {name: found.kappa, f"{name}_ci95": found.ci and list(found.ci)}
