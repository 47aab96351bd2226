"""What every statistic asks of its input: numbers that are numbers, lists that go together, shares between 0 and 1."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from loom.core.errors import BadInput

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]
MOST_RESAMPLES = 10_000_000


def numbers(values: Iterable[Any], name: str, *, least: int = 1) -> Floats:
    """Values as finite floats. Raises BadInput with the first that is none, or where there are fewer than `least`."""
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise BadInput(f"Expected {name} to be a list of numbers, but got {type(values).__name__}.", param=name)
    found: list[float] = []
    for place, value in enumerate(values):
        try:
            number = float(value) if not isinstance(value, str | bytes) else float("nan")
        except (TypeError, ValueError, OverflowError):
            number = float("nan")
        if not np.isfinite(number):
            raise BadInput(f"Expected a finite number at place {place} of {name}, but got {str(value)[:40]!r}.", param=name)
        found.append(number)
    if len(found) < least:
        raise BadInput(f"Expected at least {least} of {name}, but got {len(found)}.", param=name)
    return np.array(found, dtype=np.float64)


def truths(values: Iterable[Any], name: str) -> Truths:
    """Values that are 0 or 1 (or false or true). Raises BadInput."""
    found = numbers(values, name)
    if not np.isin(found, (0.0, 1.0)).all():
        raise BadInput(f"Expected {name} to hold 0 and 1 only, but got {found[~np.isin(found, (0.0, 1.0))][0]:g}.", param=name)
    held: Truths = found == 1.0
    return held


def together(name: str, length: int, other: str, its: int) -> None:
    """Raises BadInput where two lists that go together differ in length."""
    if length != its:
        raise BadInput(f"Expected {name} and {other} to be equally long, but got {length} and {its}.", param=other)


def labels(values: Iterable[Any], name: str) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Distinct labels in order of first appearance, and the place of each value among them. Raises BadInput."""
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise BadInput(f"Expected {name} to be a list of labels, but got {type(values).__name__}.", param=name)
    seen: dict[str, int] = {}
    places = [seen.setdefault(str(value), len(seen)) for value in values]
    return tuple(seen), np.array(places, dtype=np.int64)


def share(value: float, name: str, *, ends: bool = False) -> float:
    """A number between 0 and 1, the ends only where allowed. Raises BadInput."""
    if not (0.0 < value < 1.0 or (ends and value in (0.0, 1.0))):
        raise BadInput(f"Expected {name} to be between 0 and 1, but got {value}.", param=name)
    return value


def count(value: int, name: str, *, least: int = 0, most: int = 1_000_000_000) -> int:
    """A whole number within bounds. Raises BadInput."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not least <= value <= most:
        raise BadInput(f"Expected {name} to be a whole number from {least} to {most}, but got {value!r}.", param=name)
    return int(value)


def drawing(seed: int, resamples: int, confidence: float) -> None:
    """Raises BadInput where a bootstrap cannot be drawn like this."""
    count(seed, "seed", most=2**63 - 1)
    count(resamples, "resamples", least=1, most=MOST_RESAMPLES)
    share(confidence, "confidence")
