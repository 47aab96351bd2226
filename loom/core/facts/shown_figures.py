"""The figures of what was shown or said, to be looked up by what they state."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from decimal import Decimal

from loom.core.facts.axes import Axes
from loom.core.facts.figures import NUMBER, PERCENT, POSITION, Day, Figure, Reading
from loom.core.facts.scanning import figures_in

WRITTEN = "written"
"""The number of a position without its unit."""

_PERCENT_IN_LINE = re.compile(r"%|(?<![^\W\d_])(?:percent|per\s?cento?|pct|prozent)(?![^\W\d_])", re.IGNORECASE)


class ShownFigures:
    """The figures of a text. A number is found by its value, in whatever format.

    A number counts as a percentage too where its line speaks of percent and marks no number with it ("share_pct: 37.5").
    """

    def __init__(self, text: str, axes: Axes) -> None:
        self.text = text
        self._known: dict[tuple[str, str, Decimal], Figure] = {}
        self._days: list[tuple[Day, Figure]] = []
        self._years: dict[int, Figure] = {}
        self._worded: set[str] = set()
        lines = [at for at, letter in enumerate(text) if letter == "\n"]
        figures = figures_in(text, axes, shown=True)
        attached = {bisect_right(lines, each.start) for each in figures if each.kind == PERCENT}
        lent: dict[int, bool] = {}
        for figure in figures:
            line = bisect_right(lines, figure.start)
            if line not in lent:
                begins, ends = lines[line - 1] + 1 if line else 0, lines[line] if line < len(lines) else len(text)
                lent[line] = line not in attached and bool(_PERCENT_IN_LINE.search(text[begins:ends]))
            self._add(figure, lent[line])

    def _add(self, figure: Figure, in_percent: bool) -> None:
        for reading in figure.readings:
            if reading.day is not None:
                self._days.append((reading.day, figure))
                if reading.day[0] is not None:
                    self._years.setdefault(reading.day[0], figure)
                continue
            self._known.setdefault((reading.kind, reading.axis, reading.value), figure)
            if reading.kind == NUMBER and in_percent:
                self._known.setdefault((PERCENT, "", reading.value), figure)
        if figure.kind == POSITION:
            self._worded.update(reading.axis for reading in figure.readings)
        for number in figure.written:
            self._known.setdefault((WRITTEN, "", number), figure)
        for part in figure.parts:
            self._known.setdefault((NUMBER, "", part), figure)
            if in_percent:
                self._known.setdefault((PERCENT, "", part), figure)

    def find(self, figure: Figure) -> Figure | None:
        """The figure of this text that says the same as another; the first of them, None where none does."""
        for reading in figure.readings:
            found = self._on(reading.day) if reading.day else self._of(reading, figure.sign)
            if found is not None:
                return found
        pieces = [self._of(Reading(NUMBER, part), figure.sign) for part in figure.parts]
        return pieces[0] if pieces and all(piece is not None for piece in pieces) else None

    def _of(self, reading: Reading, sign: str) -> Figure | None:
        for kind, axis in self._kinds(reading):
            for value in (reading.value,) if sign else (reading.value, reading.value.copy_negate()):
                if (found := self._known.get((kind, axis, value))) is not None:
                    return found
        year = reading.value
        if reading.kind == NUMBER and year == year.to_integral_value() and 0 < year < 10_000:
            return self._years.get(int(year))
        return None

    def _on(self, day: Day) -> Figure | None:
        year, month, date = day
        for (its_year, its_month, its_date), figure in self._days:
            if its_month != month or (date is not None and date != its_date):
                continue
            if year in (None, its_year) or (its_year is None and self._of(Reading(NUMBER, Decimal(year or 0)), "")):
                return figure
        return None

    def _kinds(self, reading: Reading) -> Iterator[tuple[str, str]]:
        """Under which kinds a reading may stand here: a bare number, also without the unit that was shown beside it; a position, also
        as a bare number where no position of its axis is called by the axis's words (a table's column has its word at its head)."""
        yield reading.kind, reading.axis
        if reading.kind == NUMBER:
            yield PERCENT, ""
            yield WRITTEN, ""
        elif reading.kind == POSITION and reading.bare and reading.axis not in self._worded:
            yield NUMBER, ""
