"""Flags and tables that the statistics share."""

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path

from loom.cli.lab.tables import NONE, table
from loom.core.values import Json


def file_argument(parser: argparse.ArgumentParser, help: str) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help=help)


def arm_flags(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    parser.add_argument("--a", required=required, metavar="ARM", help="the arm that is tested; differences are a - b")
    parser.add_argument("--b", required=required, metavar="ARM", help="the arm that it is compared with")


def bootstrap_flags(parser: argparse.ArgumentParser, *, confidence: bool = True) -> None:
    parser.add_argument("--seed", type=int, default=42, metavar="N", help="seed of what is drawn (default: 42)")
    parser.add_argument(
        "--resamples",
        type=int,
        metavar="N",
        help="draw N resamples, also where the whole bootstrap distribution can be computed (default: 10,000, where it cannot)",
    )
    if confidence:
        parser.add_argument("--confidence", type=float, default=0.95, metavar="C", help="of intervals (default: 0.95)")


def told(value: Json, places: int = 4) -> str:
    """A cell of a table: numbers short, intervals in brackets, a dash for what is not defined."""
    if value is None:
        return NONE
    if isinstance(value, float):
        return f"{value:.{places}f}" if abs(value) >= 10**-places or value == 0 else f"{value:.1e}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(told(each, 3) for each in value)}]"
    return str(value)


def aligned(header: Sequence[str], rows: Iterable[Sequence[Json]]) -> None:
    """Print a table: the first column to the left, the others to the right."""
    table(header, [[told(cell) for cell in row] for row in rows])


def listed(result: dict[str, Json]) -> None:
    """Print a result as name and value, a line each."""
    width = max(len(name) for name in result)
    for name, value in result.items():
        print(f"{name:<{width}}  {told(value)}")
