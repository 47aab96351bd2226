"""The body of a vault page: its first paragraph defines, the rest is prose."""

import re
from collections.abc import Iterable, Iterator, Sequence

from loom.core.outline import PROSE_LIMIT, rendered

_HEADING = re.compile(r"^[ \t]*(?:- )?#{1,6}[ \t]+(.+?)[ \t#]*$")
_BULLET = re.compile(r"^[ \t]*(?:[-*+]|\d+[.)])[ \t]+")
_QUOTE = re.compile(r"^[ \t]*>[ \t]?")
_COMMENT = re.compile(r"<!--.*?-->|%%.*?%%", re.S)
_MADE = re.compile(r"^<!-- loom:section .*?^<!-- /loom:section .*?$", re.S | re.M)
_NO_TEXT = re.compile(r"^[ \t]*(?:\||!\[|```|~~~|(?:-{3,}|\*{3,}|_{3,})[ \t]*$)")

Paragraph = tuple[str, tuple[str, ...]]


def split_body(lines: Iterable[str], title: str, *, stated: bool) -> tuple[str, str, bool]:
    """(definition, prose, whether the prose was cut). With `stated` the definition is known, and all text is prose.

    The definition is the first paragraph under a heading "Definition", else the first paragraph of text at all; what is made from the
    assertion ledger defines nothing.
    """
    body = "\n".join(lines)
    paragraphs = list(_paragraphs(_COMMENT.sub("", body).split("\n")))
    chosen = None if stated else _definition(paragraphs)
    if chosen is not None and _MADE.search(body):
        curated = list(_paragraphs(_COMMENT.sub("", _MADE.sub("", body)).split("\n")))
        first = _definition(curated)
        chosen = next((at for at, (_, text) in enumerate(paragraphs) if first is not None and text == curated[first][1]), None)
    prose: list[str] = []
    used, shown = 0, ""
    for at, (heading, text) in enumerate(paragraphs):
        if at == chosen:
            continue
        pieces = list(text)
        if heading != shown and heading and heading != title:
            pieces.insert(0, heading)
        shown = heading
        for piece in pieces:
            if used + len(piece) + 1 > PROSE_LIMIT:
                return _joined(paragraphs, chosen), "\n".join(prose), True
            prose.append(piece)
            used += len(piece) + 1
    return _joined(paragraphs, chosen), "\n".join(prose), False


def _joined(paragraphs: Sequence[Paragraph], chosen: int | None) -> str:
    if chosen is None:
        return ""
    return " ".join(_BULLET.sub("", _QUOTE.sub("", line)).strip() for line in paragraphs[chosen][1])


def _definition(paragraphs: Sequence[Paragraph]) -> int | None:
    texts = [at for at, (_, lines) in enumerate(paragraphs) if not _NO_TEXT.match(lines[0])]
    under = [at for at in texts if paragraphs[at][0].lower() == "definition"]
    return (under or texts or [None])[0]  # type: ignore[list-item]


def _paragraphs(lines: Sequence[str]) -> Iterator[Paragraph]:
    """(heading above, lines) of each paragraph; each item of a list is one, and so is a fenced block."""
    heading, fence = "", ""
    held: list[str] = []
    for raw in lines:
        line = rendered(raw).rstrip() if not fence else raw.rstrip()
        mark = line.lstrip()[:3]
        if mark in ("```", "~~~") and (not fence or mark == fence):
            if not fence and held:
                yield heading, tuple(held)
                held = []
            fence = "" if fence else mark
            held.append(line)
            if not fence:
                yield heading, tuple(held)
                held = []
            continue
        match = None if fence else _HEADING.match(line)
        if not fence and (match or not line.strip() or _BULLET.match(line)) and held:
            yield heading, tuple(held)
            held = []
        if match:
            heading = match[1].strip()
        elif line.strip():
            held.append(line if fence else line.strip())
    if held:
        yield heading, tuple(held)
