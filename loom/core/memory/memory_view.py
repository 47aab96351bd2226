"""A conversation in memory: the `View` of the lab, and the pattern for those of the stores."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from loom.core.memory.people import merged
from loom.core.memory.values import NOBODY, Person, Piece, Posting, Postings, Reading, Said, Size

Key = tuple[int, str]


class MemoryView:
    """`View` over dicts. `add` takes a turn and what was read in it; `delete` takes both away again."""

    def __init__(self) -> None:
        self._said: dict[int, Said] = {}
        self._readings: dict[int, Reading] = {}
        self._pieces: dict[Key, Piece] = {}
        self._postings: dict[str, dict[Key, Posting]] = {}
        self._columns: dict[str, Postings] = {}
        self._frequency: dict[str, int] = {}
        self._people: tuple[Person, ...] | None = None
        self._size = Size()
        self.next = 0
        """The number of the next turn."""

    def add(self, said: Said, reading: Reading) -> None:
        """Keep a turn, whose number is `self.next`, with what was read in it."""
        if reading.turn != self.next:
            raise ValueError(f"Expected turn {self.next}, but got {reading.turn}.")
        self.next += 1
        self._said[reading.turn] = said
        self._readings[reading.turn] = reading
        self._people = None
        self._size = replace(self._size, turns=self._size.turns + 1)
        for piece in reading.pieces:
            self._put(piece)

    def delete(self, turn: int) -> None:
        """Forget a turn: its text, its pieces, what it said of people, and what stood beside the pieces of the turn after it."""
        if self._said.pop(turn, None) is None:
            return
        self._people = None
        self._size = replace(self._size, turns=self._size.turns - 1)
        for piece in self._readings.pop(turn).pieces:
            self._take(piece)
        after = self._readings.get(turn + 1)
        if after is not None:
            alone = tuple(replace(piece, beside={}) for piece in after.pieces)
            for old, new in zip(after.pieces, alone, strict=True):
                self._take(old)
                self._put(new)
            self._readings[turn + 1] = replace(after, pieces=alone)

    def size(self) -> Size:
        return self._size

    def people(self) -> Sequence[Person]:
        if self._people is None:
            self._people = merged(person for turn in sorted(self._readings) for person in self._readings[turn].people)
        return self._people

    def postings(self, terms: Sequence[str]) -> Mapping[str, Postings]:
        found = {}
        for term in terms:
            rows = self._postings.get(term)
            if rows:
                if term not in self._columns:
                    self._columns[term] = Postings.of(rows[key] for key in sorted(rows))
                found[term] = self._columns[term]
        return found

    def frequency(self, terms: Sequence[str]) -> Mapping[str, int]:
        for term in terms:
            if term not in self._frequency:
                rows = self._postings.get(term, {})
                self._frequency[term] = len({turn for (turn, _), posting in rows.items() if posting.own})
        return {term: self._frequency[term] for term in terms}

    def said(self, turns: Sequence[int]) -> Mapping[int, Said]:
        return _of(self._said, turns)

    def turns(self, after: int, most: int) -> Sequence[int]:
        return sorted(turn for turn in self._said if turn > after)[:most]

    def pieces(self, keys: Sequence[Key]) -> Mapping[Key, Piece]:
        return _of(self._pieces, keys)

    def every(self) -> Iterable[tuple[Key, Piece]]:
        """All pieces with their keys, in order; beyond what a `View` gives."""
        return ((key, self._pieces[key]) for key in sorted(self._pieces))

    def _put(self, piece: Piece) -> None:
        key = (piece.turn, piece.subject)
        self._pieces[key] = piece
        self._count(piece, 1)
        for term, posting in piece.postings():
            self._postings.setdefault(term, {})[key] = posting
            self._columns.pop(term, None)
            self._frequency.pop(term, None)

    def _take(self, piece: Piece) -> None:
        key = (piece.turn, piece.subject)
        del self._pieces[key]
        self._count(piece, -1)
        for term, _ in piece.postings():
            del self._postings[term][key]
            self._columns.pop(term, None)
            self._frequency.pop(term, None)

    def _count(self, piece: Piece, sign: int) -> None:
        if piece.subject != NOBODY:
            size = self._size
            self._size = replace(
                size,
                pieces=size.pieces + sign,
                length=size.length + sign * piece.length,
                width=size.width + sign * piece.width,
            )


def _of(held: Mapping[Any, Any], keys: Sequence[Any]) -> dict[Any, Any]:
    return {key: held[key] for key in keys if key in held}
