"""Where observations meet content: the interval join between positions and units of one axis (seed 003 §4; R5, R6).

Units are half-open, [start, end); an end of None is open. Where units overlap, a position belongs to the one that begins last, of
those that begin together to the one that was given last.
"""

import heapq
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import NamedTuple

import numpy as np

from loom.core.errors import BadSource
from loom.core.facts.values import Base, SourceFile

NONE = -1
MOST_DIGITS = 18
FARTHEST = 1 << 62

Interval = tuple[Decimal, Decimal | None]


class Segments(NamedTuple):
    """The axis cut where the answer changes: from `starts[i]` up to the next start, positions belong to `units[i]` or to none."""

    starts: list[Decimal]
    units: list[int]

    def unit(self, position: Decimal) -> int:
        """The unit at a position, NONE in a gap."""
        at = bisect_right(self.starts, position) - 1
        return self.units[at] if at >= 0 else NONE


def segments(units: Sequence[Interval]) -> Segments:
    """One sweep over the bounds of m units, O(m log m); an empty or reversed unit holds nothing."""
    order = sorted((start, number) for number, (start, end) in enumerate(units) if end is None or start < end)
    bounds = sorted({*(start for start, _ in order), *(end for _, end in units if end is not None)})
    starts: list[Decimal] = []
    found: list[int] = []
    begun: list[tuple[int, Decimal | None]] = []  # the place in `order`, negated: the last that began is on top
    following = 0
    for bound in bounds:
        while following < len(order) and order[following][0] == bound:
            heapq.heappush(begun, (-following, units[order[following][1]][1]))
            following += 1
        while begun and (end := begun[0][1]) is not None and end <= bound:
            heapq.heappop(begun)
        unit = order[-begun[0][0]][1] if begun else NONE
        if not found or found[-1] != unit:
            starts.append(bound)
            found.append(unit)
    return Segments(starts, found)


def join(positions: Iterable[Decimal], units: Sequence[Interval]) -> list[int]:
    """For each of n positions the unit that holds it, NONE in a gap. O((n + m) log m)."""
    cut = segments(units)
    return [cut.unit(position) for position in positions]


class Scaled(NamedTuple):
    """Decimal numbers as whole ones: number = value / 10 ** digits. `values` is i64."""

    digits: int
    values: np.ndarray


def digits_of(number: Decimal) -> int:
    """Digits behind the point, as it is written without an exponent."""
    exponent = number.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def floor_of(number: Decimal, digits: int) -> int:
    """The largest whole number that is not above number * 10 ** digits; held to FARTHEST, beyond which no position lies."""
    sign, figures, exponent = number.as_tuple()
    if not isinstance(exponent, int):
        raise ValueError(f"Expected a finite number, not {number}.")
    if number and number.adjusted() + digits > MOST_DIGITS:
        return -FARTHEST if sign else FARTHEST
    whole = int("".join(map(str, figures)) or "0") * (-1 if sign else 1)
    shift = exponent + digits
    if shift >= 0:
        whole *= int("1" + "0" * shift)
    elif -shift > len(figures) + 1:
        whole = -1 if whole < 0 else 0
    else:
        whole //= int("1" + "0" * -shift)
    return max(-FARTHEST, min(FARTHEST, whole))


def scaled(numbers: Sequence[Decimal], digits: int = 0) -> Scaled:
    """All numbers at the scale of the finest, or at `digits` where that is finer. Raises BadSource where that takes more digits than 64 bits hold."""
    digits = max(digits, *map(digits_of, numbers)) if numbers else digits
    for number in numbers:
        if number and number.adjusted() + digits >= MOST_DIGITS:
            raise too_fine(number, digits)
    return Scaled(digits, np.array([floor_of(number, digits) for number in numbers], np.int64))


def too_fine(number: Decimal, digits: int) -> BadSource:
    return BadSource(
        f"Expected positions of one source in at most {MOST_DIGITS} digits, but {number} beside others with {digits} digits behind "
        "the point takes more; round them, or count in a larger unit."
    )


def join_scaled(positions: Scaled, units: Sequence[Interval]) -> np.ndarray:
    """`join` for many positions at once: i32, NONE in a gap."""
    cut = segments(units)
    # Whole positions are at or after a bound exactly where they are at or after its ceiling.
    starts = np.array([-floor_of(-start, positions.digits) for start in cut.starts], np.int64)
    at = np.searchsorted(starts, positions.values, side="right") - 1
    units_at = np.array([*cut.units, NONE], np.int32)
    found: np.ndarray = units_at[at]
    return found


def joinable(base: Base, series: SourceFile, content: SourceFile) -> bool:
    """Whether two sources lie on one axis: one attribute of one base, and a thing that both are about, or an attribute that the
    manifest declares to be shared by all files of the base."""
    if not series.attribute or series.attribute != content.attribute or not series.base == content.base == base.iri:
        return False
    shared = any(attribute.shared for attribute in base.attributes if attribute.name == series.attribute)
    return shared or not set(series.entities).isdisjoint(content.entities)
