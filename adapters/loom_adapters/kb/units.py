"""Units of content: pieces of a file with the stretch of an ordered attribute that each lies at."""

from decimal import Decimal
from itertools import pairwise
from typing import NamedTuple

from loom_adapters.kb.wording import sentence


class Unit(NamedTuple):
    """A piece at [start, end); `end` is None where nothing says where it ends. `line` is where it begins, from 1."""

    start: Decimal
    end: Decimal | None
    label: str
    text: str
    line: int


class Fault(NamedTuple):
    """Something of a file that was not read as it stands: a kind of remark, what it is about, the line."""

    kind: str
    message: str
    line: int


Read = tuple[list[Unit], list[Fault]]


def clock_label(seconds: Decimal) -> str:
    """How a time reads: "[02:26]", "[1:02:03]", "[00:05.5]"."""
    whole = int(seconds)
    part = format(seconds - whole, "f").rstrip("0").partition(".")[2]
    minutes, second = divmod(whole, 60)
    hours, minute = divmod(minutes, 60)
    clock = f"{hours}:{minute:02d}:{second:02d}" if hours else f"{minute:02d}:{second:02d}"
    return f"[{clock}{'.' if part else ''}{part}]"


def in_order(units: list[Unit], faults: list[Fault]) -> Read:
    """Units by start; those that go backwards are remarked on."""
    for before, unit in pairwise(units):
        if unit.start < before.start:
            came = f"{unit.label} comes after {before.label}"
            faults.append(Fault("kb-order", sentence("times that go on", came, "correct one of them"), unit.line))
    return sorted(units, key=lambda unit: unit.start), faults
