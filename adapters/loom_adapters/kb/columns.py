"""What the columns of a table probably are, told by their names and values: the head of a file is read, and nothing is decided."""

import csv
import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from loom.core.facts.days import day_of
from loom.core.facts.numerals import number_of, position_of
from loom.core.names import fold_name
from loom_adapters.kb.found import DELIMITERS, PARQUET, encoding_of, ending, parquet_head

SEEN = 500
"""Rows that are looked at."""
LONGEST = 100
"""Characters of a column's name; what is longer is no name."""
AXES = {
    "second": (
        "s",
        {"second": 1, "seconds": 1, "minute": 60, "minutes": 60},
        "s sec secs second seconds t time secondo secondi",
    ),
    "minute": ("min", {"minute": 1, "minutes": 1, "hour": 60, "hours": 60}, "min mins minute minutes minuto minuti"),
    "hour": ("h", {"hour": 1, "hours": 1, "day": 24, "days": 24}, "h hr hour hours ora ore"),
    "day": ("d", {"day": 1, "days": 1, "week": 7, "weeks": 7}, "d day days giorno giorni tag"),
}
"""Attributes that a column's name tells: unit, words with factors, names of columns."""
_AXIS_OF = {name: axis for axis, (_, _, names) in AXES.items() for name in names.split()}
_UNITS = {"pct": "%", "percent": "%", "c": "°C", "celsius": "°C", "degc": "°C", "kg": "kg", "g": "g", "m": "m", "cm": "cm", "mm": "mm",
          "km": "km", "kn": "kn", "db": "dB", "v": "V", "w": "W", "kw": "kW", "kwh": "kWh", "hz": "Hz", "pa": "Pa", "hpa": "hPa",
          "bar": "bar", "l": "l", "ml": "ml", "eur": "€", "usd": "$", "gbp": "£", "ms": "ms"}  # fmt: skip
_BRACKETED = re.compile(r"(.+?)\s*[\[(]\s*([^\])]{1,12}?)\s*[\])]")
_KEYS = frozenset("id key no nr num number code index row".split())
_MARKED = re.compile(r"[+-]?[\d.,]*\d([.,])\d+(?:[eE][+-]?\d+)?")
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:[.,]\d{3})+")
_NONE = frozenset(("", "nan", "na", "n/a", "null", "none", "-", "n.d."))


@dataclass(frozen=True, slots=True)
class Table:
    """A table as it seems to be: `position` is a column that tells every row from the others ("" has none), `axis` the attribute it is told
    to be by its name, `dates` says that it holds days, `numbers` are the other columns of numbers and `texts` those of words, with the cells seen."""

    delimiter: str
    decimal: str
    encoding: str
    position: str
    axis: str
    numbers: tuple[str, ...]
    texts: tuple[tuple[str, tuple[str, ...]], ...]
    dates: bool = False


@dataclass(frozen=True, slots=True)
class Measured:
    """A column of numbers: the id, name and unit of the metric that it probably holds."""

    id: str
    name: str
    unit: str


def told(folder: Path, path: str) -> Table:
    """What the table at a path seems to be."""
    if ending(path) in PARQUET:
        columns, rows = parquet_head(folder / path, SEEN) or ([], [])
        delimiter, encoding = ",", "utf-8"
    else:
        encoding = encoding_of(folder, path)
        delimiter, columns, rows = _csv(folder / path, encoding)
    decimal = _mark(rows, delimiter)
    columns = [name if len(name) <= LONGEST else "" for name in columns]
    cells = [tuple(row[at].strip() if at < len(row) else "" for row in rows) for at in range(len(columns))]
    numeric = [at for at in range(len(columns)) if _is_numeric(cells[at], decimal)]
    position = _position(columns, cells, decimal)
    dated = next((at for at in range(len(columns)) if columns[at] and _are_days(cells[at])), None) if position is None else None
    position = dated if position is None else position
    axis = "" if position is None or dated is not None else "second" if _is_clock(cells[position]) else _axis(columns[position])
    return Table(
        delimiter,
        decimal,
        encoding,
        columns[position] if position is not None else "",
        axis,
        tuple(columns[at] for at in numeric if at != position and fold_name(columns[at]) not in _KEYS and columns[at]),
        tuple((columns[at], cells[at]) for at in range(len(columns)) if at not in numeric and at != position and columns[at]),
        dated is not None,
    )


def measured(column: str) -> Measured:
    """The metric of a column: its unit may stand in brackets or at the end of its name."""
    found = _BRACKETED.fullmatch(column)
    name, unit = (found[1], found[2]) if found else (column, "")
    words = fold_name(name).split()
    if not found and len(words) > 1 and words[-1] in _UNITS:
        unit = _UNITS[words.pop()]
        name = re.split(r"[\W_]+(?=[^\W_]*[\W_]*$)", name)[0]
    id = re.sub(r"[^a-z0-9]+", "_", "_".join(words)).strip("_")
    return Measured(id, " ".join(re.split(r"[\s_]+", name)).strip(), unit)


def _axis(column: str) -> str:
    folded = fold_name(column)
    return next((_AXIS_OF[word] for word in (folded, *folded.split()) if word in _AXIS_OF), "")


def _position(columns: Sequence[str], cells: Sequence[tuple[str, ...]], mark: str) -> int | None:
    """A column of positions that all differ: one with the name of an attribute, at best growing; else a first one that grows."""
    placed = [_positions(column, mark) for column in cells]
    usable = [at for at, places in enumerate(placed) if columns[at] and len(places) > 1 and len(set(places)) == len(places)]
    growing = [at for at in usable if all(a < b for a, b in itertools.pairwise(placed[at]))]
    named = [at for at in (*growing, *usable) if _axis(columns[at]) or _is_clock(cells[at])]
    return next(iter((*named, *(at for at in growing if at == 0))), None)


def _positions(cells: Sequence[str], mark: str) -> list[Decimal]:
    """The cells as positions; none where one of them is none."""
    places = [place for cell in cells if (place := position_of(cell, mark, clock=True)) is not None]
    return places if len(places) == len(cells) else []


def _is_clock(cells: Sequence[str]) -> bool:
    return any(":" in cell for cell in cells)


def _are_days(cells: Sequence[str]) -> bool:
    """Whether cells are days, yyyy-mm-dd, of which all differ."""
    days = [day_of(cell) for cell in cells]
    return len(days) > 1 and None not in days and len(set(days)) == len(days)


def _is_numeric(cells: Sequence[str], mark: str) -> bool:
    stated = [cell for cell in cells if cell.lower() not in _NONE]
    return len(stated) > 0 and sum(number_of(cell, mark, "%") is not None for cell in stated) >= 0.8 * len(stated)


def _mark(rows: Sequence[Sequence[str]], delimiter: str) -> str:
    """The decimal mark: a comma where it parts no cells, and more cells have it than a point. Groups of three tell nothing."""
    cells = [cell.strip() for row in rows for cell in row]
    marks = [found[1] for cell in cells if (found := _MARKED.fullmatch(cell)) and not _GROUPED.fullmatch(cell)]
    return "," if delimiter != "," and marks.count(",") > marks.count(".") else "."


def _csv(path: Path, encoding: str) -> tuple[str, list[str], list[list[str]]]:
    """The delimiter that parts most rows into as many cells as the header, with what it gives."""
    best: tuple[int, str, list[list[str]]] = (-1, ",", [])
    with open(path, encoding="utf-8-sig" if encoding == "utf-8" else encoding, newline="", errors="replace") as file:
        head = "".join(itertools.islice(iter(lambda: file.readline(1 << 16), ""), SEEN + 1))
    for delimiter in ("\t",) if ending(str(path)) == "tsv" else DELIMITERS:
        try:
            rows = [row for row in csv.reader(head.splitlines(), delimiter=delimiter) if row]
        except csv.Error:
            continue
        width = len(rows[0]) if rows else 0
        score = sum(len(row) == width for row in rows) * (width > 1) * 100 + width
        best = max(best, (score, delimiter, rows), key=lambda one: one[0])
    _, delimiter, rows = best
    return delimiter, [name.strip() for name in rows[0]] if rows else [], rows[1:]
