"""Columns of a batch as numbers and positions: all at once where every cell is written plainly, else cell by cell.

Both ways read the same cells alike: what the quick one takes are only digits, a sign and the mark, of which the slow one makes the
same number.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

import numpy as np

from loom.core.facts.columns import FARTHEST, key_of, too_far
from loom.core.facts.days import day_of
from loom.core.facts.numerals import EXACT, LONGEST, clock_of, number_of, places

FINEST = 9
"""Decimals that a position may have."""


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """`floats` (n, float64) are the cells rounded; where `readable` (n, bool) is False they mean nothing. `texts` are the cells
    without white space around them."""

    floats: np.ndarray
    readable: np.ndarray
    texts: Sequence[str]


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """`keys` (n, int64) are positions times ten to the `scale`; `texts` None says that each is its key's text."""

    keys: np.ndarray
    scale: int
    readable: np.ndarray
    texts: Sequence[str] | None


def numbers_of(cells: Sequence[str], decimal: str, unit: str) -> Numbers:
    count = len(cells)
    plainly = _plainly(cells, f"0123456789+-{decimal}", LONGEST)
    if plainly is not None:
        points = plainly.replace(decimal, ".").split("\n") if decimal != "." else cells
        try:
            return Numbers(np.fromiter(map(float, points), np.float64, count), np.ones(count, bool), cells)
        except ValueError:
            pass
    quick = _quick(decimal)
    read = [cell.replace(decimal, ".") if quick(cell) else number_of(cell, decimal, unit) for cell in cells]
    return Numbers(
        np.fromiter((0.0 if number is None else float(number) for number in read), np.float64, count),
        np.fromiter((number is not None for number in read), bool, count),
        [cell.strip() for cell in cells],
    )


def decimals_of(texts: Sequence[str], decimal: str, unit: str) -> list[Decimal]:
    """Texts that `numbers_of` found readable, as exact numbers."""
    plainly = _plainly(texts, f"0123456789+-{decimal}", LONGEST)
    if plainly is not None:
        return list(map(Decimal, plainly.replace(decimal, ".").split("\n")))
    return [number for text in texts if (number := number_of(text, decimal, unit)) is not None]


def places_of(cells: Sequence[str], decimal: str, clock: bool, dates: bool = False) -> Places:
    """Raises BadInput where one is so fine that another, far away, has no room beside it."""
    if dates:
        days = [day_of(cell) for cell in cells]
        readable = np.fromiter((day is not None for day in days), bool, len(cells))
        return Places(np.array([day or 0 for day in days], np.int64), 0, readable, [cell.strip() for cell in cells])
    return _whole(cells) or _fixed(cells, decimal) or _careful(cells, decimal, clock)


def _whole(cells: Sequence[str]) -> Places | None:
    """Whole numbers written plainly."""
    plainly = _plainly(cells, "0123456789-", 18)
    if plainly is None:
        return None
    try:
        keys = np.fromiter(map(int, cells), np.int64, len(cells))
    except ValueError:
        return None
    texts = None if "\n".join(map(str, keys.tolist())) == plainly else cells
    return Places(keys, 0, np.ones(len(cells), bool), texts)


def _fixed(cells: Sequence[str], decimal: str) -> Places | None:
    """Decimals written plainly and so short that floats times a power of ten, rounded, are exact: below 2**50 the error of both is
    less than a half."""
    plainly = _plainly(cells, f"0123456789-{decimal}", 18)
    if plainly is None:
        return None
    points = plainly.replace(decimal, ".").split("\n")
    scale = max(len(cell) - cell.find(".") - 1 if "." in cell else 0 for cell in points)
    try:
        floats = np.fromiter(map(float, points), np.float64, len(cells)) * 10.0**scale
    except ValueError:
        return None
    if scale > FINEST or bool(np.any(np.abs(floats) >= 1 << 50)):
        return None
    keys = np.rint(floats).astype(np.int64)
    while scale and not np.any(keys % 10):
        keys //= 10
        scale -= 1
    return Places(keys, scale, np.ones(len(cells), bool), cells)


def _careful(cells: Sequence[str], decimal: str, clock: bool) -> Places:
    read = [clock_of(cell) if clock and ":" in cell else number_of(cell, decimal) for cell in cells]
    read = [_shortest(position) if isinstance(position, Decimal) else position for position in read]
    scale = max((places(position) for position in read if isinstance(position, Decimal)), default=0)
    factor = 10**scale
    whole = [_key(position, scale, factor) for position in read]
    if None in whole:
        raise too_far(scale)
    return Places(
        np.array(whole, np.int64),
        scale,
        np.fromiter((position is not None for position in read), bool, len(cells)),
        [cell.strip() for cell in cells],
    )


def _key(position: int | Decimal | None, scale: int, factor: int) -> int | None:
    if isinstance(position, Decimal):
        return key_of(position, scale)
    key = (position or 0) * factor
    return key if key < FARTHEST else None


@lru_cache(maxsize=8)
def _quick(decimal: str) -> Callable[[str], object]:
    return re.compile(rf"[-+]?[0-9]{{1,40}}(?:{re.escape(decimal)}[0-9]{{0,40}})?").fullmatch


def _plainly(cells: Sequence[str], allowed: str, longest: int) -> str | None:
    """The cells joined by line ends, where they hold allowed ASCII characters only and none is too long; else None."""
    joined = "\n".join(cells)
    if not cells or not joined.isascii() or joined.encode().translate(None, f"{allowed}\n".encode()):
        return None
    return joined if joined.count("\n") == len(cells) - 1 and max(map(len, cells)) <= longest else None


def _shortest(position: Decimal) -> Decimal | None:
    """A position without zeros at its end; None where it is too fine or too far."""
    position = EXACT.normalize(position)
    return position if places(position) <= FINEST and key_of(position, places(position)) is not None else None
