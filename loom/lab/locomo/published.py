"""What the seed published, with the tolerances of specs/memory.md §9, and the verdicts on a run."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from loom.core.values import Json

ANSWERABLE, ADVERSARIAL, AUC, REACH, EXACT, BOUND = 0.006, 0.02, 0.015, 0.02, 0.0005, 0.015


@dataclass(frozen=True, slots=True)
class Published:
    """A figure as published: where it stands (its keys, joined by a space), its value and how far off a run may be."""

    name: str
    value: float
    tolerance: float


_ARMS = {
    "vector": (0.144, 0.200, 0.514),
    "scoped": (0.144, 0.352, 0.635),
    "span": (0.151, 0.170, 0.514),
    "graph": (0.142, 0.502, 0.698),
    "graph+edge": (0.107, 0.484, None),
    "oracle": (0.202, 0.426, 0.503),
}
_UNBOUNDED = {"vector": (0.992, 0.964), "scoped": (0.885, 0.350), "span": (0.863, 0.916), "graph": (0.756, 0.269)}
_BOUNDS = {
    ("graph", "vector", "adversarial"): (0.303, 0.247, 0.347),
    ("graph", "vector", "answerable"): (-0.002, -0.010, 0.006),
    ("scoped", "vector", "adversarial"): (0.152, 0.106, 0.189),
    ("span", "vector", "adversarial"): (-0.029, -0.058, -0.004),
    ("graph", "scoped", "adversarial"): (0.150, 0.107, 0.190),
    ("oracle", "vector", "adversarial"): (0.226, 0.160, 0.275),
    ("oracle", "vector", "answerable"): (0.058, 0.048, 0.068),
}
_FACTORIAL = {"scope": 0.242, "span": 0.061, "interaction": 0.179}


def verdicts(result: Mapping[str, Json]) -> list[dict[str, Json]]:
    """For each published figure that the run has: what was published, what came, and whether that is within its tolerance."""
    found = []
    for figure, came in _came(result):
        if came is not None:
            off = abs(came - figure.value)
            found.append(
                {
                    "figure": figure.name,
                    "published": figure.value,
                    "came": came,
                    "tolerance": figure.tolerance,
                    "within": off <= figure.tolerance + 1e-9,
                }
            )
    return found


def _came(result: Mapping[str, Json]) -> Iterator[tuple[Published, float | None]]:
    arms = result["arms"]
    for arm, (answerable, adversarial, area) in _ARMS.items():
        if arm in arms:
            yield Published(f"{arm} answerable", answerable, ANSWERABLE), arms[arm]["answerable"]
            yield Published(f"{arm} adversarial", adversarial, ADVERSARIAL), arms[arm]["adversarial"]
            if area is not None:
                yield Published(f"{arm} AUC", area, AUC), arms[arm]["auc"]
    for arm, reach in _UNBOUNDED.items():
        if arm in result.get("unbounded", {}):
            for half, value in zip(("answerable", "adversarial"), reach, strict=True):
                yield Published(f"{arm} reach at k = 2000, {half}", value, REACH), result["unbounded"][arm][half]
    if "constant" in arms:
        for name, value in (("overall", 0.228), ("answerable", 0.004), ("adversarial", 1.0)):
            yield Published(f"constant {name}", value, EXACT), arms["constant"][name]
    yield from _bounds(result.get("differences") or ())
    factorial = result.get("factorial")
    if factorial:
        for name, value in _FACTORIAL.items():
            yield Published(f"factorial {name}, adversarial", value, ADVERSARIAL), factorial["adversarial"][name]


def _bounds(rows: Sequence[Mapping[str, Json]]) -> Iterator[tuple[Published, float | None]]:
    for row in rows:
        for half in ("adversarial", "answerable"):
            wanted = _BOUNDS.get((row["of"], row["against"], half))
            if wanted and row[half] and row[half]["ci"]:
                name = f"{row['of']} − {row['against']}, {half}"
                yield Published(f"{name}, low", wanted[1], BOUND), row[half]["ci"][0]
                yield Published(f"{name}, high", wanted[2], BOUND), row[half]["ci"][1]
