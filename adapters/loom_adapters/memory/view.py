"""The `View` of one conversation, over a transaction of either database."""

from collections.abc import Mapping, Sequence

import numpy as np
import orjson

from loom.core.memory.people import merged
from loom.core.memory.values import NOBODY, Person, Piece, Postings, Said, Size
from loom_adapters.memory.chunks import MOST_TURNS, POSTED, Row, packed, table
from loom_adapters.memory.chunks import turns as turns_of
from loom_adapters.memory.keys import term_key
from loom_adapters.memory.session import Rows, Session, among, parts
from loom_adapters.memory.written import person_of, said_of, turn_of

SUBJECT, PERSON = 0, 1
"""Kinds of names: a subject's key, by whose number postings name it; a person as one turn gave it."""

Key = tuple[int, str]
LAST = MOST_TURNS + 1

_NAMES = "select number, body from names where caller = ? and conversation = ? and kind = ? and number in "
_PEOPLE = """select body, (select min(place) from mentions where mentions.caller = names.caller and
mentions.conversation = names.conversation and mentions.kind = names.kind and mentions.number = names.number) as first
from names where caller = ? and conversation = ? and kind = ? order by first"""
_SIZE = "select turns, pieces, length, width from counts where caller = ? and conversation = ?"
_DELETED = "select next - turns from counts where caller = ? and conversation = ?"
_CHUNKS = "select term, chunk, body from postings where caller = ? and conversation = ? and term in "
_WAITING = "select body from waiting where caller = ? and conversation = ? order by turn"
_NUMBERS = """select turn from turns where caller = ? and conversation = ? and body is not null and turn > ?
order by turn limit ?"""
_TURNS = "select turn, body from turns where caller = ? and conversation = ? and body is not null and turn in "


def deleted(session: Session, caller: int, conversation: int) -> int:
    """How many deletions and deleted turns a conversation has had: it never falls."""
    rows = session.all(_DELETED, (caller, conversation))
    return int(rows[0][0]) if rows else 0


class StoredView:
    """`View` of the conversation with these two numbers; for as long as the transaction is open."""

    def __init__(self, session: Session, caller: int, conversation: int) -> None:
        self.session = session
        self.caller, self.conversation = caller, conversation
        self.held: np.ndarray | None = None
        """Postings that wait for their chunks, (postings,) of POSTED, once they were asked for."""
        self.pending: dict[int, list[Row]] = {}
        """Postings that this transaction has yet to write, by term."""
        self._subjects: dict[int, str] = {0: NOBODY}

    def size(self) -> Size:
        found = self.session.all(_SIZE, (self.caller, self.conversation))
        return Size(*found[0]) if found else Size()

    def people(self) -> Sequence[Person]:
        rows = self.session.all(_PEOPLE, (self.caller, self.conversation, PERSON))
        return merged(person_of(orjson.loads(body)) for body, _ in rows)

    def postings(self, terms: Sequence[str]) -> Mapping[str, Postings]:
        keys = {term_key(term): term for term in terms}
        chunks: dict[int, list[tuple[int, bytes]]] = {}
        for term, chunk, body in self._among(_CHUNKS, list(keys)):
            chunks.setdefault(term, []).append((chunk, body))
        for term in keys:
            if late := self._late(term):
                chunks.setdefault(term, []).append((LAST, late))
        held = {term: table([body for _, body in sorted(rows)]) for term, rows in chunks.items()}
        self._learn({int(who) for rows in held.values() for who in np.unique(rows["who"])})
        return {name: self._columns(held[term]) for term, name in keys.items() if term in held}

    def frequency(self, terms: Sequence[str]) -> Mapping[str, int]:
        keys = {term_key(term): term for term in terms}
        found = dict.fromkeys(terms, 0)
        for part in parts(list(keys)):
            for term, _, before, body in self.session.latest(self.caller, self.conversation, [(key, LAST) for key in part]):
                found[keys[term]] = before + turns_of(body)
        for term, name in keys.items():
            if late := self._late(term):
                found[name] += turns_of(late)
        return found

    def said(self, turns: Sequence[int]) -> Mapping[int, Said]:
        bodies: dict[int, bytes] = dict(self._among(_TURNS, list(dict.fromkeys(turns))))
        return {turn: said_of(bodies[turn]) for turn in turns if turn in bodies}

    def turns(self, after: int, most: int) -> Sequence[int]:
        return [turn for (turn,) in self.session.all(_NUMBERS, (self.caller, self.conversation, after, most))]

    def pieces(self, keys: Sequence[Key]) -> Mapping[Key, Piece]:
        bodies: dict[int, bytes] = dict(self._among(_TURNS, list(dict.fromkeys(turn for turn, _ in keys))))
        found = {}
        for turn, body in bodies.items():
            for piece in turn_of(turn, body)[1].pieces:
                found[turn, piece.subject] = piece
        return {key: found[key] for key in keys if key in found}

    def waiting(self) -> np.ndarray:
        """The postings that wait for their chunks, (postings,) of POSTED, in order of their turns."""
        if self.held is None:
            rows = self.session.all(_WAITING, (self.caller, self.conversation))
            self.held = np.frombuffer(b"".join(body for (body,) in rows), dtype=POSTED)
        return self.held

    def _late(self, term: int) -> bytes:
        """The postings of a term that are in no chunk yet."""
        waiting = self.waiting()
        return bytes(waiting["row"][waiting["term"] == term].tobytes()) + packed(self.pending.get(term, ()))

    def _columns(self, rows: np.ndarray) -> Postings:
        numbers, who = np.unique(rows["who"], return_inverse=True)
        keys = [self._subjects[int(number)] for number in numbers]
        order = sorted(range(len(keys)), key=keys.__getitem__)
        place = np.empty(len(keys), np.int64)
        place[order] = np.arange(len(keys))
        who, turn = place[who], rows["turn"].astype(np.int64)
        if (np.diff(turn * len(keys) + who) < 0).any():
            sorting = np.lexsort((who, turn))
            rows, who, turn = rows[sorting], who[sorting], turn[sorting]
        own, beside, length, width = (rows[name].astype(np.int64) for name in ("own", "beside", "length", "width"))
        return Postings(turn, who, own, beside, length, width, tuple(keys[each] for each in order))

    def _learn(self, numbers: set[int]) -> None:
        """The keys of these subjects."""
        for part in parts(sorted(numbers - self._subjects.keys())):
            marks, values = among(part)
            rows = self.session.all(_NAMES + marks, (self.caller, self.conversation, SUBJECT, *values))
            self._subjects.update((number, bytes(body).decode()) for number, body in rows)

    def _among(self, statement: str, values: Sequence[int]) -> Rows:
        found: Rows = []
        for part in parts(values):
            marks, padded = among(part)
            found += self.session.all(statement + marks, (self.caller, self.conversation, *padded))
        return found
