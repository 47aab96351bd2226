"""Series as columns: the values of one metric of one entity in one source, in the order of their rows.

Ten million readings as objects would take gigabytes; as columns they take some thirty bytes each.
"""

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from loom.core.facts.aligning import MOST_DIGITS, Scaled, digits_of, floor_of, too_fine
from loom.core.facts.values import Reading
from loom.core.values import Iri


class Texts:
    """Short texts end to end; grows, and is read once."""

    def __init__(self) -> None:
        self.data = bytearray()
        self._ends = array("Q")

    def add(self, text: str) -> None:
        self.data += text.encode("utf-8", "replace")
        self._ends.append(len(self.data))

    def __len__(self) -> int:
        return len(self._ends)

    def __getitem__(self, at: int) -> str:
        return self.data[self._ends[at - 1] if at else 0 : self._ends[at]].decode()

    def ends(self) -> np.ndarray:
        """u64: where each text ends."""
        return np.frombuffer(self._ends, np.uint64) if self._ends else np.zeros(0, np.uint64)


@dataclass(frozen=True, slots=True)
class Series:
    """One series. `positions` are whole numbers at one scale (i64); `written` holds them as the source writes them where that is
    not how `plain` writes them, else nothing; `rows` (u32) counts rows of the source from 1."""

    source: Iri
    entity: Iri
    metric: Iri
    unit: str
    positions: Scaled
    written: Texts
    values: Texts
    rows: np.ndarray


def plain(value: int, digits: int) -> str:
    """A scaled number as a text: "146" at 0 digits, "146.50" at 2."""
    if not digits:
        return str(value)
    figures = f"{abs(value):0{digits + 1}d}"
    return f"{'-' if value < 0 else ''}{figures[:-digits]}.{figures[-digits:]}"


class SeriesColumns:
    """A series in the making. Readings come in the order of their rows."""

    def __init__(self, first: Reading) -> None:
        self._first = first
        self._digits = 0
        self._positions = array("q")
        self._written: Texts | None = None
        self._values = Texts()
        self._rows = array("I")
        self._largest = 0

    def add(self, reading: Reading) -> None:
        position = Decimal(reading.at or reading.position)
        digits = digits_of(position)
        self._fits(position, max(digits, self._digits))
        if digits > self._digits:
            self._finer(digits)
        value = floor_of(position, self._digits)
        self._largest = max(self._largest, abs(value))
        self._positions.append(value)
        if self._written is not None:
            self._written.add(reading.position)
        elif reading.position != plain(value, self._digits):
            self._write_out(len(self._positions) - 1)
            self._written_so_far().add(reading.position)
        self._values.add(reading.value)
        self._rows.append(reading.row)

    def _fits(self, position: Decimal, digits: int) -> None:
        if position and position.adjusted() + digits >= MOST_DIGITS:
            raise too_fine(position, digits)
        if self._largest * 10 ** (digits - self._digits) >= 10**MOST_DIGITS:
            raise too_fine(Decimal(self._largest).scaleb(-self._digits), digits)

    def _finer(self, digits: int) -> None:
        """Positions so far at a finer scale; they were written at the coarser one."""
        if self._written is None:
            self._write_out(len(self._positions))
        factor = 10 ** (digits - self._digits)
        self._positions = (
            array("q", (np.frombuffer(self._positions, np.int64) * factor).tobytes()) if self._positions else array("q")
        )
        self._largest *= factor
        self._digits = digits

    def _write_out(self, count: int) -> None:
        """From now on positions are kept as they are written: the first `count` were as `plain` writes them."""
        if count or self._digits:
            self._written = Texts()
            for value in self._positions[:count]:
                self._written.add(plain(value, self._digits))

    def _written_so_far(self) -> Texts:
        if self._written is None:
            self._written = Texts()
        return self._written

    def done(self) -> Series:
        one = self._first
        positions = Scaled(self._digits, np.array(self._positions, np.int64))
        return Series(
            one.source, one.entity, one.metric, one.unit, positions, self._written or Texts(), self._values,
            np.array(self._rows, np.uint32),
        )  # fmt: skip


def collected(readings: Iterable[Reading]) -> list[Series]:
    """Readings as series, by source, metric and entity."""
    making: dict[tuple[Iri, Iri, Iri], SeriesColumns] = {}
    for reading in readings:
        key = (reading.source, reading.metric, reading.entity)
        if key not in making:
            making[key] = SeriesColumns(reading)
        making[key].add(reading)
    return [making[key].done() for key in sorted(making)]
