"""Blocks of a given size: evidence is taken whole while it fits, and the last piece is cut at a word."""

import math
from collections.abc import Iterable, Sequence

from loom.core.exposure.names import DefaultText
from loom.core.mint.make import make
from loom.core.policy.packing import FOOTER, HEADER, NOTHING, pack_lines
from loom.core.values import Block, Evidence
from loom.lab.arms.arm import TOLERANCE

FRAME = len(HEADER) + len(FOOTER) + 2
BETWEEN = 2
SCRAP = 24
"""Characters of a piece that are not worth beginning it for."""

Line = tuple[str, tuple[str, ...]]


def fitted(pieces: Iterable[Evidence], tokens: int) -> Block:
    """A block of so many tokens, header and footer counted, or of all the pieces where they are fewer."""
    most = 4 * tokens
    least = 4 * math.ceil(tokens * (1 - TOLERANCE)) - 3
    kept: list[Evidence] = []
    size = FRAME
    for piece in pieces:
        room = most - size - (BETWEEN if kept else 0)
        if room < 1 or (room < SCRAP and size >= least):
            break
        whole = sum(map(len, piece.lines)) + len(piece.lines) - 1
        if whole > room:
            needed = max(1, least - (most - room)) if size < least else 0
            if lines := cut(list(zip(piece.lines, piece.names, strict=True)), room, needed):
                kept.append(remade(piece, lines))
            break
        kept.append(piece)
        size = most - room + whole
    return pack_lines(kept, tokens) if kept else NOTHING


def cut(lines: Sequence[Line], room: int, least: int) -> list[Line]:
    """The beginning of these lines in so many characters: to a word, or where that leaves fewer than `least`, inside it."""
    kept: list[Line] = []
    size = 0
    for text, names in lines:
        left = room - size - bool(kept)
        if len(text) <= left:
            kept.append((text, names))
            size = room - left + len(text)
            continue
        begun = at_word(text, left)
        if (room - left + len(begun) if begun else size) < least and left > 0:
            begun = text[: left - 1].rstrip() + "…"
        if begun:
            kept.append((begun, shown(begun, names)))
        break
    return kept


def at_word(text: str, most: int) -> str:
    """The longest beginning of so many characters that ends with a word; "" where not even the first one fits."""
    if most >= len(text):
        return text
    if most < 1:
        return ""
    begun = text[:most]
    if not text[most].isspace() and not begun[-1].isspace():
        begun = begun.rsplit(None, 1)[0] if len(begun.split()) > 1 else ""
    return begun.rstrip()


def shown(text: str, names: Iterable[str]) -> tuple[str, ...]:
    """Those of the names that a text holds whole."""
    read = DefaultText(text)
    return tuple(name for name in names if read.holds(name))


def remade(piece: Evidence, lines: Sequence[Line]) -> Evidence:
    """The same evidence with other lines, all of which are shown."""
    return make(
        iri=piece.iri,
        title=piece.title,
        lines=lines,
        tier=piece.tier,
        home=piece.home,
        weight=piece.weight,
        source=piece.source,
        found=piece.found,
    )


def whole(pieces: Sequence[Evidence]) -> Block:
    """A block that holds all of these, however large."""
    size = FRAME + sum(sum(map(len, piece.lines)) + len(piece.lines) + 1 for piece in pieces)
    return pack_lines(pieces, size // 4 + 1)


def off_by(block: Block, tokens: int) -> float:
    """How far a block is off so many tokens, as a share of them."""
    return abs(block.tokens - tokens) / tokens if tokens else float(block.tokens > 0)
