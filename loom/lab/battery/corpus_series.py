"""Series with planted features: a peak and a minimum at known positions, ties, rows without a number, and values that stand nowhere
else. Values are whole numbers of the last decimal until they are written."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from loom.lab.battery.truth import Point

HOLES = {",": ("", "NaN", "n.d."), ".": ("", "NaN", "n/a")}
"""What stands where a table has no number, by its decimal mark."""


@dataclass(frozen=True, slots=True)
class Plan:
    """`fixed` are values by position, all between `dip` and `peak`; noise keeps within `low` and `high` and off `taken`."""

    start: int
    length: int
    low: int
    high: int
    peak_at: int
    peak: int
    dip_at: int
    dip: int
    fixed: Mapping[int, int] = field(default_factory=dict)
    tie_at: int | None = None
    holes: int = 0


@dataclass(frozen=True, slots=True)
class Planted:
    """Values by position, None where the row has no number."""

    plan: Plan
    values: Mapping[int, int | None]

    def planted(self, position: int) -> int:
        value = self.values[position]
        assert value is not None, "a planted position has a number"
        return value

    @property
    def count(self) -> int:
        return sum(value is not None for value in self.values.values())


def draw(plan: Plan, taken: Collection[int], random: Random) -> Planted:
    positions = range(plan.start, plan.start + plan.length)
    planted = {**plan.fixed, plan.peak_at: plan.peak, plan.dip_at: plan.dip}
    if plan.tie_at is not None:
        planted[plan.tie_at] = plan.peak
    kept = {one + off for one in planted for off in (-1, 0, 1)} | {positions[0], positions[-1]}
    holes = set(random.sample([one for one in positions if one not in kept], plan.holes))
    values: dict[int, int | None] = {}
    level = random.randint(plan.low, plan.high)
    step = max(1, (plan.high - plan.low) // 20)
    for position in positions:
        level = _free(min(plan.high, max(plan.low, level + random.randint(-step, step))), plan, taken)
        values[position] = None if position in holes else planted.get(position, level)
    return Planted(plan, values)


def _free(level: int, plan: Plan, taken: Collection[int]) -> int:
    """The nearest value within bounds that nothing else has."""
    for off in range(plan.high - plan.low + 1):
        for near in (level + off, level - off):
            if plan.low <= near <= plan.high and near not in taken:
                return near
    raise ValueError("Expected a value that is free between the bounds, but all are taken.")


@dataclass(frozen=True, slots=True)
class Form:
    """How a file writes numbers: decimals, their mark, whether thousands are grouped, whether with an exponent."""

    places: int = 1
    mark: str = "."
    grouped: bool = False
    exponent: bool = False

    def value(self, value: int) -> str:
        if self.exponent:
            text = str(value)
            return f"{text[0]}.{text[1:]}e{len(text) - 1}"
        whole, part = divmod(value, 10**self.places)
        text = f"{whole:,}".replace(",", "." if self.mark == "," else ",") if self.grouped else str(whole)
        return f"{text}{self.mark}{part:0{self.places}d}" if self.places else text

    def number(self, value: int) -> str:
        """The same as a plain decimal."""
        whole, part = divmod(value, 10**self.places)
        return f"{whole}.{part:0{self.places}d}" if self.places and not self.exponent else str(value)


def clock(seconds: int) -> str:
    return f"{seconds // 60:02d}:{seconds % 60:02d}"


@dataclass(frozen=True, slots=True)
class Column:
    """A drawn series as one column of a file: its form, and which holes stand where."""

    drawn: Planted
    form: Form
    order: Sequence[int]
    """Positions in the order of the rows."""
    clocked: bool = False

    def cell(self, position: int) -> str:
        value = self.drawn.values[position]
        return HOLES[self.form.mark][position % 3] if value is None else self.form.value(value)

    def position(self, position: int) -> str:
        return clock(position) if self.clocked else str(position)

    def point(self, position: int, ties: int = 0) -> Point:
        value = self.drawn.planted(position)
        return Point(
            self.form.value(value),
            self.form.number(value),
            self.position(position),
            str(position),
            self.order.index(position) + 1,
            ties,
        )


def table(position: str, columns: Mapping[str, Column], delimiter: str = ",") -> str:
    """The text of a CSV file: a column of positions, then one for each series; no cell needs quotes."""
    first = next(iter(columns.values()))
    rows = [[position, *columns]]
    rows += ([first.position(one), *(column.cell(one) for column in columns.values())] for one in first.order)
    return "".join(delimiter.join(row) + "\n" for row in rows)
