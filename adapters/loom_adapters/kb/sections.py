"""Documents: markdown by sections, plain text by paragraphs. Section n lies at [n, n + 1).

Sections are the headings of the highest level of which a document has more than one, with all that is below them; a title above
them and what stands before the first belong to section 0. They are counted from 1, unless every one of them states its own number
("## 4. Costs", "## Scene 4") and the numbers rise.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import NamedTuple

from loom.core.facts.days import day_of
from loom_adapters.kb.units import Fault, Read, Unit, in_order
from loom_adapters.kb.wording import sentence, shown

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_NUMBERED = re.compile(r"(?:(?P<word>[^\W\d]+)\s+)?(?:§\s*)?(?P<number>\d{1,6})(?=$|[.):\s–—-])(?!\.\d)")


class _Heading(NamedTuple):
    level: int
    title: str
    line: int


def read_sections(text: str, name: str, words: Collection[str] = (), *, dates: bool = False) -> Read:
    """The sections of a markdown document. `name` is what a section is called in labels; `words` may stand before a number. With
    `dates` they lie at the days that their headings begin with; those without one are remarked on and left out."""
    lines = text.split("\n")
    begun = _front(lines)
    headings = _headings(lines, begun)
    level = _level(headings)
    heads = [heading for heading in headings if heading.level == level]
    if dates:
        return _dated(lines, heads, name)
    stated = _stated(heads, {name, *words})
    faults = list(_falling(stated, heads, name))
    numbers = stated if stated and not faults else list(range(1, len(heads) + 1))
    units = []
    first = heads[0].line - 1 if heads else len(lines)
    if preamble := "\n".join(lines[begun:first]).strip():
        at = 0 if heads else 1
        units.append(_unit(at, name, preamble, begun + 1))
    ends = [*(heading.line - 1 for heading in heads[1:]), len(lines)][: len(heads)]
    for heading, number, end in zip(heads, numbers, ends, strict=True):
        units.append(_unit(number, name, "\n".join(lines[heading.line - 1 : end]).strip(), heading.line))
    return units, faults


def _dated(lines: Sequence[str], heads: Sequence[_Heading], name: str) -> Read:
    units: list[Unit] = []
    faults: list[Fault] = []
    ends = [*(heading.line - 1 for heading in heads[1:]), len(lines)]
    for heading, end in zip(heads, ends[: len(heads)], strict=True):
        day = day_of(heading.title[:10])
        if day is None:
            came = f"this one is {shown(heading.title)}"
            said = sentence("a heading that begins with a date such as 2026-03-12", came, "write the date before it")
            faults.append(Fault("kb-cue", said, heading.line))
            continue
        said = "\n".join(lines[heading.line - 1 : end]).strip()
        units.append(Unit(Decimal(day), Decimal(day + 1), f"{name} {heading.title[:10]}", said, heading.line))
    return in_order(units, faults)


def read_paragraphs(text: str, name: str) -> Read:
    """Paragraphs of a text, set off by empty lines and counted from 1."""
    units: list[Unit] = []
    held: list[str] = []
    for number, line in enumerate((*text.split("\n"), ""), 1):
        if line.strip():
            held.append(line.rstrip())
        elif held:
            units.append(_unit(len(units) + 1, name, "\n".join(held), number - len(held)))
            held = []
    return units, []


def _unit(number: int, name: str, text: str, line: int) -> Unit:
    return Unit(Decimal(number), Decimal(number + 1), f"{name} {number}", text, line)


def _front(lines: Sequence[str]) -> int:
    """Where a document begins behind its front matter."""
    if lines and lines[0].rstrip() == "---":
        for number, line in enumerate(lines[1:], 1):
            if line.rstrip() in ("---", "..."):
                return number + 1
    return 0


def _headings(lines: Sequence[str], begun: int) -> list[_Heading]:
    """Headings outside of code."""
    found: list[_Heading] = []
    fence = ""
    for number, line in enumerate(lines[begun:], begun + 1):
        mark = _FENCE.match(line)
        if fence:
            fence = "" if mark and mark[1].startswith(fence) and not line.strip(" \t`~") else fence
        elif mark:
            fence = mark[1]
        elif heading := _HEADING.fullmatch(line):
            found.append(_Heading(len(heading[1]), heading[2], number))
    return found


def _level(headings: Sequence[_Heading]) -> int:
    """The highest level that occurs more than once, else the highest."""
    levels = sorted({heading.level for heading in headings})
    several = [level for level in levels if sum(heading.level == level for heading in headings) > 1]
    return (several or levels or [0])[0]


def _stated(heads: Sequence[_Heading], words: Collection[str]) -> list[int]:
    """The numbers that the headings state, where all do; else none."""
    known = {word.casefold() for word in words}
    numbers: list[int] = []
    for heading in heads:
        found = _NUMBERED.match(heading.title)
        if found is None or (found["word"] and found["word"].casefold() not in known):
            return []
        numbers.append(int(found["number"]))
    return numbers


def _falling(numbers: Sequence[int], heads: Sequence[_Heading], name: str) -> Iterator[Fault]:
    """Numbers that do not rise: headings are counted then, and a number that one states is not its own."""
    for (before, number), heading in zip(pairwise(numbers), heads[1:], strict=False):
        if number <= before:
            came = f"{name} {number} comes after {name} {before}"
            remedy = "correct the numbers; until then they are counted from 1"
            yield Fault("kb-order", sentence("numbers of headings that rise", came, remedy), heading.line)
