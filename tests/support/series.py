"""Random series as files, and what they hold by an oracle of its own: decimals, the standard writer, no line of the node's."""

import csv
import random
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

MISSING = ("", "NaN", "n/a", "-", "null", " ", "inf", "1_0", "12abc")


@dataclass(frozen=True, slots=True)
class Told:
    """A fact by the oracle: `position` is its number; `rows` are all rows that hold it there."""

    text: str
    position: Decimal
    ties: int
    rows: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A drawn series: how its file is written, and the rows of it that hold a value: (row, position, position text, number, text)."""

    mark: str
    delimiter: str
    clock: bool
    unit: str
    table: list[tuple[str, str]]
    readable: list[tuple[int, Decimal, str, Decimal, str]]

    def write(self, path: Path, end: str = "\n") -> Path:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, delimiter=self.delimiter, lineterminator=end)
            writer.writerow(["note, first", "position", "value"])
            writer.writerows([f'row "{at}"' if at % 5 == 0 else "", *cells] for at, cells in enumerate(self.table))
        return path

    def extreme(self, upward: bool) -> Told:
        best = (max if upward else min)(number for _, _, _, number, _ in self.readable)
        holding = [one for one in self.readable if one[3] == best]
        lowest = min(position for _, position, _, _, _ in holding)
        there = [one for one in holding if one[1] == lowest]
        text = min((text, written) for _, _, written, _, text in there)
        rows = tuple(row for row, _, written, _, value in there if (value, written) == text)
        return Told(text[0], lowest, len(holding) - 1, rows)

    def end(self, last: bool) -> Told:
        place = (max if last else min)(position for _, position, _, _, _ in self.readable)
        there = [one for one in self.readable if one[1] == place]
        number = min(one[3] for one in there)
        text = min((text, written) for _, _, written, value, text in there if value == number)
        rows = tuple(row for row, _, written, _, value in there if (value, written) == text)
        return Told(text[0], place, 0, rows)


def drawn(seed: int) -> Drawn:
    """A series of up to forty rows: gaps, ties, doubled and shuffled positions, both marks, groups, exponents, signs, units."""
    chance = random.Random(f"{seed}:series")
    mark = chance.choice(".,")
    clock = chance.random() < 0.3
    unit = chance.choice(["", "%", "%", "€"])
    plainly = chance.random() < 0.3
    places = chance.choice([0, 0, 1, 2])
    pool = [_number(chance, mark, unit, plainly) for _ in range(chance.choice([2, 5, 40]))]
    table: list[tuple[str, str]] = []
    readable = []
    for row in range(1, chance.randint(1, 40) + 1):
        position, written = _position(chance, mark, clock, 0 if plainly else places)
        number, text = chance.choice(pool)
        missing = not plainly and chance.random() < 0.15
        lost = not plainly and chance.random() < 0.05
        padding = "" if plainly else chance.choice(["", "", "", " ", "  "])
        cell = chance.choice(MISSING) if missing else padding + text + padding
        table.append(("soon" if lost else written, cell))
        if not missing and not lost:
            readable.append((row, position, written, number, text))
    return Drawn(mark, chance.choice(";|\t" if mark == "," else ",;\t"), clock, unit, table, readable)


def _number(chance: random.Random, mark: str, unit: str, plainly: bool) -> tuple[Decimal, str]:
    sign = chance.choice(["", "", "", "-"])
    digits = chance.choice([1, 2, 4, 7, 12, 25])
    whole = str(chance.randrange(10**digits))
    part = "".join(chance.choice("0123456789") for _ in range(chance.choice([0, 1, 2, 4, 18])))
    number = Decimal(f"{sign}{whole}.{part}")
    if plainly:
        return number, f"{sign}{whole}{mark if part else ''}{part}"
    shown = whole
    if chance.random() < 0.4:
        separator = chance.choice([one for one in (".", ",", " ", "\u00a0", "\u202f", "'", "’") if one != mark])
        shown = f"{int(whole):,}".replace(",", separator)
    text = f"{chance.choice(['', '+']) if not sign else chance.choice('-−')}{shown}{mark if part else ''}{part}"
    if chance.random() < 0.2:
        power = chance.randint(-12, 40)
        text += f"{chance.choice('eE')}{chance.choice(['', '+']) if power >= 0 else ''}{power}"
        number = Decimal(f"{sign}{whole}.{part}E{power}")
    if unit and chance.random() < 0.5:
        text += chance.choice(["", " "]) + unit
    return number, text


def _position(chance: random.Random, mark: str, clock: bool, places: int) -> tuple[Decimal, str]:
    second = chance.randrange(60)
    if clock and chance.random() < 0.7:
        minutes, seconds = divmod(second * 67, 60)
        return Decimal(second * 67), f"{minutes:02d}:{seconds:02d}"
    part = "".join(chance.choice("05") for _ in range(places))
    return Decimal(f"{second}.{part or '0'}"), f"{second}{mark if part else ''}{part}"
