"""Holm's correction over a family of tests."""

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import numpy as np

from loom.core.errors import BadInput
from loom.lab.statistics.checks import numbers

K = TypeVar("K")


def holm(p_values: Iterable[Any]) -> list[float]:
    """Adjusted p in the order given: the running maximum of (m - rank) p over ascending p, at most 1. Raises BadInput."""
    found = numbers(p_values, "p", least=0)
    if ((found < 0) | (found > 1)).any():
        raise BadInput("Expected every p to be between 0 and 1.", param="p")
    order = np.argsort(found, kind="stable")
    adjusted = np.empty(len(found))
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(found[order] * np.arange(len(found), 0, -1)))
    return [float(p) for p in adjusted]


def holm_of(p_values: Mapping[K, float | None]) -> dict[K, float | None]:
    """The same under names; where there is no p there is no test, and the family is the smaller for it."""
    tested = {name: p for name, p in p_values.items() if p is not None}
    adjusted = dict(zip(tested, holm(tested.values()), strict=True))
    return {name: adjusted.get(name) for name in p_values}
