"""What may be computed from values that were shown, where their metric declares it (R23)."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from itertools import combinations

from loom.core.facts.deriving import percent_change
from loom.core.facts.numerals import EXACT, ROUNDING, places

MOST = 32
"""Values of one metric between which anything is computed."""
LEAST_PLACES = 1
"""Decimals below which a rounded change is no longer the change: 38 is not 37.5."""


@dataclass(frozen=True, slots=True)
class Derivable:
    """Shown values of one metric, and which of `values.DERIVED` it declares."""

    values: tuple[Decimal, ...]
    rules: tuple[str, ...]


def follows(number: Decimal, signed: bool, derived: Sequence[Derivable]) -> bool:
    """Whether a number is a difference or a change in percent of two shown values. Without a sign either direction will do."""
    return any(
        _difference(number, each.values) if rule == "difference" else _change(number, signed, each.values)
        for each in derived
        for rule in each.rules
        if rule in ("difference", "percent_change")
    )


def _difference(number: Decimal, values: Sequence[Decimal]) -> bool:
    return any(abs(EXACT.subtract(one, other)) == number.copy_abs() for one, other in combinations(values[:MOST], 2))


def _change(number: Decimal, signed: bool, values: Sequence[Decimal]) -> bool:
    for one, other in combinations(values[:MOST], 2):
        for before, after in ((one, other), (other, one)):
            change = percent_change(before, after)
            if change is None:
                continue
            stated = Decimal(change)
            given = number if signed else number.copy_abs()
            if given == (stated if signed else stated.copy_abs()) or _rounded(given, before, after, signed):
                return True
    return False


def _rounded(number: Decimal, before: Decimal, after: Decimal, signed: bool) -> bool:
    """Whether a number with decimals is the change rounded to as many, in either of the two usual ways."""
    if not LEAST_PLACES <= places(number) <= 12:
        return False
    change = ROUNDING.divide(ROUNDING.multiply(ROUNDING.subtract(after, before), Decimal(100)), before.copy_abs())
    change = change if signed else change.copy_abs()
    step = Decimal(1).scaleb(-places(number))
    return any(change.quantize(step, rounding, ROUNDING) == number for rounding in (ROUND_HALF_EVEN, ROUND_HALF_UP))
