"""The lines of a page, each with what it stands in: text, or something that is shown as it is written, hidden, or no text at all.

A heading, or the mark of a section, is one in text alone.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

TEXT, FRONT, CODE, COMMENT, ELEMENT, FORMULA = "", "front matter", "code", "comment", "element", "formula"

STEP = 4
"""Columns of a tab, and those from which on an indented line is code."""

_FENCE = re.compile(r"^[ \t]*(?:[-*] )?(`{3,}|~{3,})(.*)$")
_RAW = re.compile(r"^ {0,3}<(pre|script|style|textarea)(?=[\s>]|$)", re.IGNORECASE)
_BLOCK = re.compile(
    r"^ {0,3}</?(?:(?:address|article|aside|blockquote|body|caption|center|col|colgroup|dd|details|dialog|div|dl|dt|fieldset|"
    r"figcaption|figure|footer|form|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|nav|ol|p|section|summary|table|"
    r"tbody|td|tfoot|th|thead|title|tr|track|ul)(?=[\s/>]|$)|[a-z][\w-]*(?:\s[^<>]*)?/?>[ \t]*$)",
    re.IGNORECASE,
)
_LISTED = re.compile(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)")


@dataclass(frozen=True, slots=True)
class Line:
    """A line without its feed, where it begins, where the next one does, and what it stands in. `open` says that what it stands in
    goes on behind it."""

    text: str
    start: int
    end: int
    inside: str = TEXT
    open: str = TEXT

    @property
    def indent(self) -> int:
        """Columns before the first letter."""
        return indent(self.text)

    @property
    def listed(self) -> bool:
        return _LISTED.match(self.text) is not None


def lines(text: str) -> Iterator[Line]:
    """The lines of a page in order; of the last, `open` is what never ends. An element without an end of its own ends with a blank
    line, as renderers of Markdown have it; a fence that is indented like code is one in the items of an outline alone."""
    at, inside, end, edge = 0, TEXT, "", 0
    outline = False
    last = len(text)
    for number, raw in enumerate(text.split("\n")):
        line, start = raw.removesuffix("\r"), at
        at += len(raw) + 1
        within = inside
        if number == 0 and line.removeprefix("\ufeff").rstrip() == "---":
            within = inside = FRONT
        elif inside == FRONT:
            inside = TEXT if line.rstrip() in ("---", "...") else FRONT
        elif inside == CODE:
            inside = TEXT if _closes(line, end) and indent(line) < edge + STEP else CODE
        elif inside in (ELEMENT, FORMULA):
            inside = TEXT if (end in line.lower() if end else not line.strip()) else inside
        elif inside == TEXT and (fence := _fence(line)) and (outline or indent(line) < STEP):
            within, inside, end, edge = CODE, CODE, fence, indent(line)
            outline = outline if edge else _LISTED.match(line) is not None
        elif inside == TEXT and (found := _begun(line)):
            within, end = found
            opened = line.strip()[2:] if within == FORMULA else line.lower()
            inside = TEXT if end and end in opened else within
        else:
            end = _commented(line, end if inside == COMMENT else "")
            inside = COMMENT if end else TEXT
            within = within or inside
            if not within and line.strip() and indent(line) < STEP:
                outline = _LISTED.match(line) is not None or (outline and indent(line) > 0)
        yield Line(line, start, min(at, last), within, TEXT if inside == ELEMENT and not end else inside)


def _begun(line: str) -> tuple[str, str] | None:
    """The block that a line begins, and what ends it, "" for a blank line."""
    if raw := _RAW.match(line):
        return ELEMENT, f"</{raw[1].lower()}>"
    if line.strip().startswith("$$"):
        return FORMULA, "$$"
    return (ELEMENT, "") if _BLOCK.match(line) else None


def indent(line: str) -> int:
    bare = line.lstrip(" \t")
    return len(line[: len(line) - len(bare)].expandtabs(STEP))


def _fence(line: str) -> str:
    """The mark of a fence that a line opens, "" where it opens none."""
    found = _FENCE.match(line)
    return "" if found is None or (found[1][0] == "`" and "`" in found[2]) else found[1]


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
