"""A series as compact arrays, in the order of its positions: what point queries and alignment look up, and a part writes down.

A row of ten million costs about thirty bytes: a whole number for its position, a float that only says where to look, the number of
its row, and its value's text.
"""

from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from loom.core.errors import BadInput
from loom.core.facts.numerals import EXACT

FARTHEST = 1 << 62
"""Positions times ten to their scale stay below it."""


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """Texts one behind another: `ends` (n + 1, uint64) are the places in `blob` (utf-8) where each begins and the last ends."""

    blob: bytes
    ends: np.ndarray

    def __len__(self) -> int:
        return len(self.ends) - 1

    def __getitem__(self, at: int) -> str:
        return self.blob[int(self.ends[at]) : int(self.ends[at + 1])].decode()


@dataclass(frozen=True, slots=True, eq=False)
class SeriesColumns:
    """The readable rows of a series by position, those of one position by row.

    `keys` (n, int64) are positions times ten to the `scale`; `rows` (n, uint32) their rows in the source; `values` what stands in
    their cells; `positions` how the source writes them, None where that is the key itself. `numbers` (n, float64) are the values
    rounded to floats: an order, never to be shown.
    """

    keys: np.ndarray
    scale: int
    rows: np.ndarray
    values: Texts
    numbers: np.ndarray
    positions: Texts | None = None

    def __len__(self) -> int:
        return len(self.keys)

    def value(self, at: int) -> str:
        return self.values[at]

    def row(self, at: int) -> int:
        return int(self.rows[at])

    def position(self, at: int) -> str:
        """The position as the source writes it."""
        return str(int(self.keys[at])) if self.positions is None else self.positions[at]

    def at(self, at: int) -> Decimal:
        """The position as a number."""
        return EXACT.scaleb(Decimal(int(self.keys[at])), -self.scale)

    def key_range(self, at: int) -> range:
        """The places of all rows at the position of the one at `at`."""
        return self._of_key(self.keys[at])

    def _of_key(self, key: np.int64) -> range:
        return range(int(np.searchsorted(self.keys, key, "left")), int(np.searchsorted(self.keys, key, "right")))

    def find(self, position: Decimal) -> range:
        """The places of all rows at exactly this position; empty where there is none."""
        scaled = EXACT.scaleb(position, self.scale)
        if scaled != scaled.to_integral_value() or abs(scaled) >= 1 << 63:
            return range(0)
        return self._of_key(np.int64(int(scaled)))


def key_of(position: Decimal, scale: int) -> int | None:
    """A position times ten to the scale, where that is whole and fits; else None."""
    scaled = EXACT.scaleb(position, scale)
    whole = int(scaled)
    return whole if whole == scaled and abs(whole) < FARTHEST else None


def too_far(scale: int) -> BadInput:
    return BadInput(
        f"The positions of a series reach too far for {scale} decimals, which one of them has; write them in fewer digits."
    )
