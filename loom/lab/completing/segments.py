"""A proposed block in the pieces that a reader would see: headings, stated relations, sentences and bare lines, and what is hidden.

Markdown as pages and vaults write it, a unit as it is served, outlines, front matter, fenced JSON-LD: told apart line by line.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from loom.core.policy.packing import FOOTER, HEADER
from loom.lab.completing.hidden import parted
from loom.lab.completing.labels import OWL, folded, lists, states
from loom.lab.completing.records import leaves
from loom.lab.completing.saying import begins_list, is_verb

HEADING, TYPED, RECORD, TEXT, HIDDEN = "heading", "typed", "record", "text", "hidden"
"""Kinds. A record is what a member of fenced JSON states of a relation: typed, and naturally said more than once."""

_HEADING = re.compile(r"^[ \t]*(?:[-*+][ \t]+)?(#{1,6})[ \t]+(.+?)[ \t#]*$")
_ITEM = re.compile(r"^[ \t]*(?:[-*+•–]|\d{1,3}[.)])[ \t]+")
_QUOTE = re.compile(r"^[ \t]*>[ \t]?")
_LABEL = re.compile(r"^([^\s:][^:\n]{0,60}?)[ \t]*(?:::?|→|->|=>)(?:[ \t]+(.*))?$")
_BEHIND = re.compile(r"^[^()]+\(([A-Za-z -]{3,30})\)$")
_SEE = re.compile(r"^(?:See|Cf\.?)(?: also)?:? \[\[")
_LINKED = re.compile(r"^([A-Za-z][\w -]{1,40}?)[ \t]+\[\[")
_STRONG = re.compile(r"\*\*|__|(?<!\w)[*_]|[*_](?!\w)|`")
_BETWEEN = re.compile(r"(?<=[.!?…])[\"')\]]*\s+(?=[\"'(\[]*[\w\[])|\s*;\s+(?=[A-Z])")
_ENDS = tuple(".!?…:;")
_RULE = re.compile(r"^\s*(?:[-*_=]\s*){3,}$|^[\s|:-]+$")


SCRAP = 5
"""Words of a piece between full stops that is hardly a sentence: a paragraph of such is read as lines are."""


@dataclass(frozen=True, slots=True)
class Segment:
    """One piece; `level` is a heading's (1 to 6), else 0; `whole` says that it is a whole line, item or paragraph."""

    kind: str
    text: str
    level: int = 0
    whole: bool = True


def segments(block: str, further: frozenset[str] = frozenset()) -> list[Segment]:
    """The pieces in order, hidden ones last. `further` are folded labels that state a relation in this corpus."""
    shown, unseen = parted(block)
    return [*_Reader(further).read(shown), *(Segment(HIDDEN, text) for text in unseen if text.strip())]


class _Reader:
    """Reads lines. `_under` says that a list which follows belongs to a stated relation, `_section` that the section does,
    `_columns` that the table has a column which states one (None outside a table)."""

    def __init__(self, further: frozenset[str]) -> None:
        self._further = further
        self._held: list[str] = []
        self._section = False
        self._under = False
        self._columns: bool | None = None

    def read(self, text: str) -> Iterator[Segment]:
        lines = text.split("\n")
        at = 0
        while at < len(lines):
            line = lines[at]
            if (mark := line.strip().removeprefix("- ")[:3]) in ("```", "~~~") or (at == 0 and line.lstrip()[:1] in "{["):
                fenced = mark in ("```", "~~~")
                end = next((n for n in range(at + 1, len(lines)) if lines[n].strip().startswith(mark)), len(lines))
                body = lines[at + 1 : end] if fenced else lines
                stated = leaves("\n".join(body), lambda label: states(label, self._further))
                if stated is not None:
                    yield from self._flushed()
                    yield from (Segment(RECORD if typed else TEXT, leaf) for typed, leaf in stated)
                    at = end + 1 if fenced else len(lines)
                    continue
                if fenced:
                    at += 1
                    continue
            yield from self._line(line)
            at += 1
        yield from self._flushed()

    def _line(self, raw: str) -> Iterator[Segment]:
        line = _QUOTE.sub("", raw)
        bare = line.strip()
        if not bare.startswith("|"):
            self._columns = None
        elif not _RULE.match(bare) and self._row(bare):
            yield from self._flushed()
            yield Segment(TYPED, bare)
            return
        if not bare or bare in (HEADER, FOOTER) or _RULE.match(bare):
            yield from self._flushed()
            return
        if heading := _HEADING.match(line):
            yield from self._flushed()
            title = _STRONG.sub("", heading[2]).strip(" :")
            self._section = self._under = lists(title, self._further)
            yield Segment(HEADING, title, len(heading[1]))
            return
        marked = _ITEM.match(line)
        text = _STRONG.sub("", line[marked.end() :] if marked else bare).strip()
        if self._stated(text):
            yield from self._flushed()
            self._under = self._section or text.endswith(":")
            yield Segment(TYPED, text)
            return
        if marked:
            yield from self._flushed()
            if self._under:
                yield Segment(TYPED, text)
                return
        else:
            self._under = self._section
            if self._held and self._held[-1].endswith(_ENDS):
                yield from self._flushed()
        self._held.append(text)

    def _row(self, line: str) -> bool:
        """Whether a row of a table states a relation: it has a cell with the verb, or its table a column of that name."""
        cells = [_STRONG.sub("", cell).strip() for cell in line.strip("|").split("|")]
        verb = len(cells) > 1 and any(is_verb(cell) or folded(cell) in self._further for cell in cells)
        if self._columns is None:
            self._columns = verb
        return verb or self._columns

    def _stated(self, text: str) -> bool:
        """Whether a line states a relation: by a label before it, before a link, or as an axiom."""
        found = _LABEL.match(text) or _LINKED.match(text) or _BEHIND.match(text)
        return bool((found and (states(found[1], self._further) or begins_list(found[1]))) or OWL.match(text))

    def _flushed(self) -> Iterator[Segment]:
        """The paragraph or item that was read last, sentence by sentence."""
        whole, self._held = " ".join(self._held), []
        pieces = [piece for piece in _BETWEEN.split(whole) if piece and piece.strip()]
        scraps = all(len(piece.split()) <= SCRAP for piece in pieces)
        for piece in pieces:
            yield Segment(TYPED if _SEE.match(piece) else TEXT, piece, whole=len(pieces) == 1 or scraps)
