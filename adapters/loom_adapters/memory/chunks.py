"""Postings as bytes: of each term of a conversation some rows, chunks, each with the postings of a stretch of turns.

A chunk is a row's worth, so that a term that is everywhere costs some hundred rows and not some ten thousand. The postings of the
last turns lie beside them, a row a turn, until there are so many that it pays to rewrite the chunks of their terms.
"""

import struct
from collections.abc import Sequence

import numpy as np

from loom.core.errors import BadInput
from loom.core.memory.values import Piece

RECORD = np.dtype([("turn", "<u4"), ("who", "<u4"), ("own", "<u2"), ("beside", "<u2"), ("length", "<u2"), ("width", "<u2")])
POSTED = np.dtype([("term", "<i8"), ("row", RECORD)])
"""A posting beside the digest of its term."""

HELD = 48
"""Turns whose postings wait to be put into chunks."""

_POSTED = struct.Struct("<qIIHHHH")
_RECORD = struct.Struct("<IIHHHH")
FULL = 56
"""Postings from which on a later turn opens another chunk: as many as a page of 4 KB keeps in itself, beside three others."""

MOST_TERMS, MOST_TURNS = 0xFFFF, 0xFFFF_FFFF
"""Terms of one piece with what stands beside it, and turns and names of one conversation, that a posting can count."""

Row = tuple[int, int, int, int, int, int]
"""turn, the number of the subject, own, beside, length, width."""


def fits(piece: Piece) -> None:
    """Raises BadInput for a piece whose terms a posting cannot count."""
    if piece.width > MOST_TERMS or min((*piece.own.values(), *piece.beside.values()), default=0) < 0:
        raise BadInput(
            f"Expected turns that say at most {MOST_TERMS:,} terms of one subject, but one says {piece.width:,}; divide it into "
            "several turns.",
            param="text",
        )


def packed(rows: Sequence[Row]) -> bytes:
    return b"".join(_RECORD.pack(*row) for row in rows)


def posted(term: int, row: Row) -> bytes:
    """A posting of RECORD behind its term: one of POSTED."""
    return _POSTED.pack(term, *row)


def without(body: bytes, turn: int) -> bytes:
    """A chunk without the postings of a turn."""
    held = np.frombuffer(body, dtype=RECORD)
    return bytes(held[held["turn"] != turn].tobytes())


def turns(body: bytes) -> int:
    """In how many turns of a chunk the term is said, not only beside them. No turn is in two chunks."""
    held = np.frombuffer(body, dtype=RECORD)
    return len(np.unique(held["turn"][held["own"] > 0]))


def full(body: bytes, turn: int) -> bool:
    """Whether the posting of this turn belongs into a chunk of its own: the one before is full, and this turn comes after it."""
    return len(body) >= FULL * RECORD.itemsize and turn > int(np.frombuffer(body, dtype=RECORD)["turn"].max())


def table(bodies: Sequence[bytes]) -> np.ndarray:
    """All postings of some chunks, (postings,) of RECORD."""
    return np.frombuffer(b"".join(bodies), dtype=RECORD)
