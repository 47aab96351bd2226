"""Transcripts of lines that begin with a time: `[mm:ss] words`.

A line belongs to the unit before it where it has no time of its own. A unit ends where the next begins, the last stays open; one
that states its end, `[00:10-00:25]`, ends there, and a time without words only ends the unit before it: both leave a gap.
"""

import re
from decimal import Decimal
from itertools import pairwise

from loom.core.facts.days import iso
from loom.core.facts.numerals import position_of
from loom_adapters.kb.units import Fault, Read, Unit, clock_label, in_order
from loom_adapters.kb.wording import sentence, shown

_CLOCK = r"\d{1,4}:\d{2}(?::\d{2})?(?:[.,]\d{1,9})?"
_BRACKETED = re.compile(rf"\s*[\[(]\s*({_CLOCK})\s*(?:(?:-->|[-–—])\s*({_CLOCK})\s*)?[\])]\s*[-–—:]?\s*(.*)", re.ASCII)
_DAY = r"\d{4}-\d{2}-\d{2}"
_DATED = re.compile(rf"\s*\[?\s*({_DAY})\s*(?:(?:-->|–|—|\.\.)\s*({_DAY})\s*)?\]?(?:\s*[-–—:]?\s+(.*)|\s*)", re.ASCII)
_BARE = re.compile(rf"\s*({_CLOCK})(?:\s*(?:-->|[-–—])\s*({_CLOCK}))?(?:\s+[-–—:]?\s*(.*)|\s*)", re.ASCII)


REMEDY = "correct it, or take the line away"


class _Line:
    """A time, the end that it states, and the lines that follow."""

    def __init__(self, start: Decimal, end: Decimal | None, words: str, line: int) -> None:
        self.start, self.end, self.words, self.line = start, end, [words], line

    @property
    def text(self) -> str:
        return "\n".join(self.words).strip()


def read_clocked(text: str, *, dates: bool = False) -> Read:
    """The units of a transcript. Where a line of it begins with a time in brackets, times without them are words. With `dates` lines
    begin with days, `[2026-03-12] words`."""
    lines = text.split("\n")
    pattern = _DATED if dates else _BRACKETED if any(map(_BRACKETED.fullmatch, lines)) else _BARE
    form = "[2026-03-12]" if dates else "[02:26]"
    said: list[_Line] = []
    faults: list[Fault] = []
    for number, line in enumerate(lines, 1):
        found = pattern.fullmatch(line)
        if found is None:
            if said:
                said[-1].words.append(line.rstrip())
            elif line.strip() and not faults:
                said_first = f"none stands before {shown(line.strip())}"
                faults.append(Fault("kb-cue", sentence(f"a time such as {form}", said_first, REMEDY), number))
            continue
        start = position_of(found[1], clock=True, dates=dates)
        end = position_of(found[2], clock=True, dates=dates) if found[2] else None
        if start is None or (found[2] and (end is None or end <= start)):
            expected = f"a time such as {form}, or two of which the first comes first"
            faults.append(Fault("kb-cue", sentence(expected, f"this line begins {shown(line.strip())}", REMEDY), number))
            continue
        if said and said[-1].start == start and said[-1].end == end:
            said[-1].words.append(found[3] or "")
        else:
            said.append(_Line(start, end, found[3] or "", number))
    return _ended(said, faults, dates)


def _ended(said: list[_Line], faults: list[Fault], dates: bool) -> Read:
    """Units with the ends that they state, else the start of what comes next on the axis."""
    starts = sorted({line.start for line in said})
    following = dict(pairwise(starts))
    units = [
        Unit(
            one.start,
            one.end or following.get(one.start),
            f"[{iso(one.start)}]" if dates else clock_label(one.start),
            one.text,
            one.line,
        )
        for one in said
        if one.text
    ]
    return in_order(units, faults)
