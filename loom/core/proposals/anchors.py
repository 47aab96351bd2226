"""Where in a page a section may stand: under a heading that is there once, or after everything else; or nowhere, and then why."""

import re
from dataclasses import dataclass

from loom.core.errors import BadInput

_HEADING = re.compile(r"^[ \t]*(?:[-*] )?(#{1,6})[ \t]+(.+?)[ \t#]*$")
_FENCE = re.compile(r"^[ \t]*(?:[-*] )?(`{3,}|~{3,})(.*)$")
_ANCHOR = re.compile(r"^[ \t]*(?:[-*] )?(#{0,6})[ \t]*(.*?)[ \t#]*$")
_OUTLINED = re.compile(r"^[ \t]*[-*] #")


class Unplaceable(BadInput):
    """A section for which a page has no one place."""

    code = "bad_input"


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: its level, its words, where its line begins, and where the next one does."""

    level: int
    title: str
    start: int
    end: int


def headings(text: str) -> list[Heading]:
    """The headings of a page in order, those in front matter, code and comments apart. Raises Unplaceable where one of these never ends:
    what is written behind it would be inside."""
    found: list[Heading] = []
    at, fence, comment = 0, "", ""
    front = text.removeprefix("\ufeff").startswith("---") and _bare(text.split("\n", 1)[0].removeprefix("\ufeff")) == "---"
    inside_front = False
    for number, raw in enumerate(text.split("\n")):
        line, start = raw.removesuffix("\r"), at
        at += len(raw) + 1
        if front and number == 0:
            inside_front = True
        elif inside_front:
            inside_front = _bare(line) not in ("---", "...")
        elif fence:
            fence = "" if _closes(line, fence) else fence
        elif not comment and (opening := _FENCE.match(line)) and not (opening[1][0] == "`" and "`" in opening[2]):
            fence = opening[1]
        else:
            before = comment
            comment = _commented(line, comment)
            match = None if before or comment else _HEADING.match(line)
            if match:
                found.append(Heading(len(match[1]), " ".join(match[2].split()), start, min(at, len(text))))
    for kind, open_ in (("front matter", inside_front), ("code", fence), ("comment", comment)):
        if open_:
            raise Unplaceable(
                f"Expected every {kind} of the page to end, but one never does; close it, then try again.", param="page"
            )
    return found


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
    ends = [each.start for each in there if each.start > heading.start and each.level <= heading.level]
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


def _bare(line: str) -> str:
    return line.rstrip()


def _closes(line: str, fence: str) -> bool:
    bare = line.strip()
    return len(bare) >= len(fence) and set(bare) == {fence[0]}


def _commented(line: str, comment: str) -> str:
    """The mark that ends the comment in which a line leaves off, "" where it is in none."""
    at = 0
    while True:
        if comment:
            end = line.find(comment, at)
            if end < 0:
                return comment
            at, comment = end + len(comment), ""
            continue
        starts = [(found, mark) for mark, end in (("<!--", "-->"), ("%%", "%%")) if (found := line.find(mark, at)) >= 0]
        if not starts:
            return ""
        start, mark = min(starts)
        at, comment = start + len(mark), "-->" if mark == "<!--" else "%%"
