"""Figures and tables as commands print them for people."""

from collections.abc import Sequence

from loom.core.values import Json
from loom.lab.columns import columns

NONE = "–"


def number(value: Json, digits: int = 3) -> str:
    """A figure; a dash where there is none."""
    return NONE if value is None else f"{value:.{digits}f}"


def signed(value: Json, digits: int = 3) -> str:
    """A difference, always with its sign; a dash where there is none."""
    return NONE if value is None else f"{value:+.{digits}f}"


def bounds(value: Json, digits: int = 3) -> str:
    """An interval; nothing where there is none."""
    return "" if value is None else f"[{value[0]:.{digits}f}, {value[1]:.{digits}f}]"


def table(head: Sequence[str], rows: Sequence[Sequence[object]], names: int = 1) -> None:
    """Print rows under a head: the first columns, which are `names`, to the left, the others to the right."""
    print("\n".join(columns([head, *rows], names)))
