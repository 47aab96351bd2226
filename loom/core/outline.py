"""Outline text as Logseq and Obsidian write it: fences, headings, links, and the prose that is left for a reader."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

PROSE_LIMIT = 4000

_FENCE = re.compile(r"[ \t]*(?:- )?(`{3,}|~{3,})[ \t]*([^\n`]*)(?:\n|\Z)")
_DATA = re.compile(r"(?:- )?(?:```|~~~)+[ \t]*json")
_HEADING = re.compile(r"^[ \t]*(?:[-*] )?#{1,6}[ \t]+(.+?)[ \t]*$", re.M)
_TITLE = re.compile(r"^(?:- )?# +(.+?)[ \t]*$", re.M)
_PROPERTY = re.compile(r"^[ \t]*(?:[-*] )?[A-Za-z][\w .-]*::")
_BULLET = re.compile(r"^[ \t]*(?:[-*+] +)*")
_ATTACHMENT = re.compile(r"!\[\[[^\[\]|#\n]*\.(?!md\b|markdown\b)\w{1,5}(?:[|#][^\[\]\n]*)?\]\]")
_WIKILINK = re.compile(r"!?\[\[([^\[\]|#\n]*)(#[^\[\]|\n]*)?(?:\|([^\[\]\n]*))?\]\]")
MACRO = re.compile(r"\{\{[^{}\n]*\}\}|\(\([0-9a-f-]{36}\)\)")
# Sections that a compiler writes or that repeat what the record states.
_MACHINE = re.compile(
    r"(?i)^(definition|semantic classification|provenance|metadata|annotations|class declaration|owl .*|references?|see also"
    r"|related concepts|.*relationships?( \(.*\))?|.*propert(y|ies)( .*)?|.*axioms?)$"
)
_MARKS = ("<!-- loom:section ", "<!-- /loom:section ")
"""What lines begin with that mark a part of a page which is made from the assertion ledger."""

_LANDSCAPE = re.compile(r"(?i)^current landscape")


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced block: what is written after the opening fence, its text, the line of its first text line, where it ends.

    `margin` says that it stands at the left margin (a list mark apart).
    """

    info: str
    text: str
    line: int
    start: int
    end: int
    closed: bool
    margin: bool


def fences(text: str) -> Iterator[Fence]:
    """Fenced blocks in order. A block that is never closed runs to the next data block at the margin, or to the end."""
    at, line, counted = 0, 1, 0
    tilde = text.find("~~~")
    while True:
        mark = text.find("```", at)
        if 0 <= tilde < at:
            tilde = text.find("~~~", at)
        if tilde >= 0 and (mark < 0 or tilde < mark):
            mark = tilde
        if mark < 0:
            return
        start = text.rfind("\n", 0, mark) + 1
        opening = _FENCE.match(text, start) if start >= at else None
        if opening is None or opening.start(1) != mark:
            at = mark + 3
            continue
        body, end, after = opening.end(), len(text), len(text)
        closed, seek = False, opening.end()
        while (found := text.find(opening[1], seek)) >= 0:
            close = text.rfind("\n", 0, found) + 1
            rest = text.find("\n", found)
            rest = len(text) if rest < 0 else rest
            if close >= body and not text[close:found].strip() and not text[found:rest].strip(opening[1][0] + " \t"):
                closed, end, after = True, close, min(rest + 1, len(text))
                break
            if close >= body and _DATA.match(text, close):
                end = after = close
                break
            seek = found + len(opening[1])
        line += text.count("\n", counted, body)
        counted = body
        yield Fence(opening[2].strip().lower(), text[body:end], line, start, after, closed, text[start] not in " \t")
        at = after


def first_heading(text: str) -> str:
    """The first heading of level one, "" where there is none."""
    found = _TITLE.search(text)
    return found[1].strip() if found else ""


def links(text: str) -> Iterator[tuple[str, str, int]]:
    """(target, label, offset) of each wikilink; headings are cut off, and a link to a heading of its own page is left out."""
    for found in _WIKILINK.finditer(text):
        target = found[1].strip().rstrip("\\")
        if target:
            yield target, (found[3] or "").strip(), found.start()


def rendered(text: str) -> str:
    """Wikilinks as the words that a reader sees; embedded attachments, macros and block references left out."""
    if "[[" in text:
        if "![[" in text:
            text = _ATTACHMENT.sub("", text)
        text = _WIKILINK.sub(lambda found: (found[3] or found[1] or (found[2] or "")[1:]).strip().rstrip("\\"), text)
    if "{{" in text or "((" in text:
        text = MACRO.sub("", text)
    return text


def prose(outline: str, definition: str, limit: int = PROSE_LIMIT) -> tuple[str, bool]:
    """The free text of an outline, and whether it was cut at `limit` code points (at a line end).

    A dated "Current Landscape" section comes first, then the others in order. Sections that repeat the record, property
    lines and the definition itself are left out; bullets and links become plain text.
    """
    sections = _sections(outline)
    ordered = [one for one in sections if _LANDSCAPE.match(one[0])] + [one for one in sections if not _LANDSCAPE.match(one[0])]
    kept: list[str] = []
    used = 0
    for heading, start, end in ordered:
        if _MACHINE.match(heading):
            continue
        pending = [heading] if heading and heading.lower() not in ("content", "overview") else []
        for raw in _lines(outline, start, end):
            line = _BULLET.sub("", rendered(raw)).strip()
            if not line or _PROPERTY.match(raw) or line == definition or raw.startswith(_MARKS):
                continue
            for piece in (*pending, line):
                if used + len(piece) + 1 > limit:
                    return "\n".join(kept), True
                kept.append(piece)
                used += len(piece) + 1
            pending = []
    return "\n".join(kept), False


def _lines(text: str, start: int, end: int) -> Iterator[str]:
    while start < end:
        stop = text.find("\n", start, end)
        stop = end if stop < 0 else stop
        yield text[start:stop]
        start = stop + 1


def _sections(outline: str) -> list[tuple[str, int, int]]:
    """(heading, start, end) of the text under each heading; the text before the first one has an empty heading."""
    found: list[tuple[str, int, int]] = []
    heading, start, at = "", 0, 0
    while (mark := outline.find("# ", at)) >= 0:
        line = outline.rfind("\n", 0, mark) + 1
        match = _HEADING.match(outline, line)
        if match and match.start(1) > mark:
            found.append((heading, start, line))
            heading, start = match[1].strip("*_ "), match.end()
            at = match.end()
        else:
            at = mark + 2
    found.append((heading, start, len(outline)))
    return found
