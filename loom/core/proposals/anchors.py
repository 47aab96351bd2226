"""Where in a page a section may stand: under a heading that is there once, or after everything else; or nowhere, and then why."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from loom.core.errors import BadInput
from loom.core.proposals.lines import STEP, Line, lines

_HEADING = re.compile(r"^[ \t]*([-*] )?(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_UNDER = re.compile(r"^ {0,3}(=+|-+)[ \t]*$")
_RULE = re.compile(r"^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$")
_ANCHOR = re.compile(r"^[ \t]*(?:[-*] )?(#{0,6})[ \t]*(.*?)(?:[ \t]+#+)?[ \t]*$")
_OUTLINED = re.compile(r"^[ \t]*[-*] #")


class Unplaceable(BadInput):
    """A section for which a page has no one place."""

    code = "bad_input"


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: its level, its words, where its line begins, and where the next one does. `deep`: it is an item so far in that it can
    end no part of the page."""

    level: int
    title: str
    start: int
    end: int
    deep: bool = False


def headings(text: str) -> list[Heading]:
    """The headings of a page in order, those with a line of = or - under them among them; those in front matter, code, comments,
    elements and formulas apart. Raises Unplaceable where one of these never ends: what is written behind it would be inside."""
    found = list[Heading]()
    for first, last, level, title in _headings(text):
        found.append(Heading(level, title, first.start, last.end, first.indent >= STEP))
    return found


def _headings(text: str) -> Iterator[tuple[Line, Line, int, str]]:
    """First and last line, level and words of each."""
    paragraph, apart, left = list[Line](), False, ""
    for line in lines(text):
        left = line.open
        match = None if line.inside else _HEADING.match(line.text)
        if match and (match[1] or line.indent < STEP):
            yield line, line, len(match[2]), " ".join((match[3] or "").split())
            paragraph, apart = [], False
        elif not line.inside and paragraph and (under := _UNDER.match(line.text)):
            yield (
                paragraph[0],
                line,
                1 if under[1][0] == "=" else 2,
                " ".join(" ".join(each.text for each in paragraph).split()),
            )
            paragraph = []
        elif line.inside or not line.text.strip() or _RULE.match(line.text):
            paragraph, apart = [], False
        elif line.listed or line.text.lstrip().startswith((">", "|", "<!--", "%%")) or apart or (line.indent and not paragraph):
            paragraph, apart = [], True  # what follows without a blank line may belong to it, and is no heading for sure
        else:
            paragraph.append(line)
    if left:
        raise Unplaceable(
            f"Expected every {left} of the page to end, but one never does; close it, then try again.", param="page"
        )


def place(text: str, anchor: str, own: frozenset[int] = frozenset(), bounds: tuple[int, ...] = ()) -> int:
    """Where a section goes in: behind the last line that is not blank, of the part under the anchor, or of the page where the anchor
    is "". `own` are the starts of headings that are no anchors, `bounds` further places where a part ends. Raises Unplaceable where
    there is no such heading, or more than one."""
    there = [each for each in headings(text) if each.start not in own]
    if not anchor.strip():
        return _behind(text, len(text))
    heading = _meant(there, anchor)
    if _OUTLINED.match(text[heading.start : heading.end]):
        raise Unplaceable(
            f"Expected the anchor {anchor.strip()!r} to be a heading by itself, but it is an item of an outline, whose parts are told by "
            "their indentation; leave the anchor out.",
            param="anchor",
        )
    ends = [each.start for each in there if each.start > heading.start and each.level <= heading.level and not each.deep]
    ends += [bound for bound in bounds if bound >= heading.end]
    return max(_behind(text, min(ends, default=len(text))), heading.end)


def in_full(text: str, anchor: str) -> str:
    """An anchor as the page writes its heading, so that one heading is one anchor. Raises Unplaceable as `place`."""
    if not anchor.strip():
        return ""
    heading = _meant(headings(text), anchor)
    return f"{'#' * heading.level} {heading.title}"


def _meant(there: list[Heading], anchor: str) -> Heading:
    match = _ANCHOR.match(anchor.strip())
    level, title = (len(match[1]), " ".join(match[2].split())) if match else (0, anchor.strip())
    named = [each for each in there if each.title == title and level in (0, each.level)]
    if len(named) != 1:
        some = ", ".join(repr(each.title) for each in there[:6]) or "none"
        came = f"it has {len(named)} of them" if named else f"it has none (its headings: {some})"
        raise Unplaceable(
            f"Expected the page to have the heading {anchor.strip()!r} once, but {came}; nothing was written.", param="anchor"
        )
    return named[0]


def _behind(text: str, end: int) -> int:
    """Behind the last line before `end` that is not blank, its line feed among it."""
    kept = len(text[:end].rstrip())
    feed = text.find("\n", kept, end)
    return end if feed < 0 else feed + 1
