"""What is written into a conversation, and taken out of it again, inside one transaction of either database."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Self, TypeVar

from loom.core.errors import BadInput, Unwritable
from loom.core.memory.values import NOBODY, Person, Reading, Said, Scope, Size
from loom.ports import Kept, Read
from loom_adapters.memory.chunks import HELD, MOST_TURNS, Row, fits, full, packed, posted, without
from loom_adapters.memory.chunks import turns as turns_of
from loom_adapters.memory.erasing import Subject, alone, cut, freed
from loom_adapters.memory.keys import digest, term_key
from loom_adapters.memory.scopes import Numbers, make
from loom_adapters.memory.session import CUT, GONE, WHOLE, Session, Values, among, parts
from loom_adapters.memory.view import PERSON, SUBJECT, StoredView
from loom_adapters.memory.written import person_json, said_of, turn_json, turn_of

Name = TypeVar("Name", str, Person)

PLACES = 1 << 16
"""Places that a turn has for the people it names; its own number times this is the first."""

PAGE = 500
_HERE = "caller = ? and conversation = ?"
_COUNTS = f"select next, names, turns, pieces, length, width from counts where {_HERE}"


class Conversation(StoredView):
    """The view of a conversation while it is written. `flush` writes what was held back, and belongs before the commit."""

    def __init__(self, session: Session, numbers: Numbers, counts: Values) -> None:
        super().__init__(session, *numbers)
        self._here = numbers
        self.next, self._names, *size = counts
        self._size = Size(*size)

    @classmethod
    def there(cls, session: Session, numbers: Numbers | None) -> Self | None:
        """The conversation with these numbers, None where there is none, or somebody deleted it since they were read."""
        if numbers is None:
            return None
        # PostgreSQL lets one writer at a time past this row; SQLite has one anyway.
        rows = session.all(_COUNTS + session.locking, numbers)
        return cls(session, numbers, rows[0]) if rows else None

    @classmethod
    def made(cls, session: Session, scope: Scope) -> Self:
        """The conversation of a scope, which is a new one where there is none."""
        for _ in range(2):
            if (found := cls.there(session, make(session, scope))) is not None:
                return found
        raise Unwritable("The memory holds a conversation without its counts; it was not written by this program alone.")

    @property
    def deleted(self) -> int:
        """As `view.deleted`: numbers that no turn has."""
        return int(self.next) - self._size.turns

    def size(self) -> Size:
        return self._size

    def append(self, turns: Sequence[Said], read: Read) -> list[Kept]:
        """Keep turns in their order. Raises BadInput for an id whose turn says something else."""
        known = self._known([digest(said.id) for said in turns])
        found = []
        for said in turns:
            before = known.get(digest(said.id))
            if before is None:
                turn = self.next
                self.put(turn, said, read(self, turn, said))
                known[digest(said.id)] = (turn, WHOLE, said)
                found.append(Kept(turn, "new"))
                continue
            turn, state, held = before
            if state == WHOLE and held != said:
                raise BadInput(
                    f"Expected the turn {said.id!r:.80} as it was kept, but it says something else; give a changed turn another id.",
                    param="id",
                )
            found.append(Kept(turn, "gone" if state == GONE else "known"))
        return found

    def put(self, turn: int, said: Said, reading: Reading, state: int = WHOLE) -> None:
        """Write a turn under a number that is free."""
        if turn > MOST_TURNS or len(reading.people) >= PLACES:
            raise BadInput(f"Expected at most {MOST_TURNS:,} turns, with fewer than {PLACES:,} people each.", param="turns")
        body = turn_json(said, reading)
        subjects = self._numbers(SUBJECT, {each.subject: each.subject.encode() for each in reading.pieces if each.subject})
        people = self._numbers(PERSON, {each: person_json(each) for each in reading.people})
        rows: dict[int, list[Row]] = {}
        for piece in reading.pieces:
            fits(piece)
            who = subjects[piece.subject] if piece.subject else 0
            for term, (_, _, own, beside, length, width) in piece.postings():
                rows.setdefault(term_key(term), []).append((turn, who, own, beside, length, width))
        for key, found in rows.items():
            self.pending.setdefault(key, []).extend(found)
        self.session.many(
            "insert into turns (caller, conversation, turn, id, state, body) values (?, ?, ?, ?, ?, ?)",
            [(*self._here, turn, digest(said.id), state, body)],
        )
        places = [(*self._here, SUBJECT, number, turn * PLACES) for number in subjects.values()]
        places += [
            (*self._here, PERSON, people[each], turn * PLACES + at) for at, each in enumerate(dict.fromkeys(reading.people))
        ]
        if places:
            self.session.many("insert into mentions (caller, conversation, kind, number, place) values (?, ?, ?, ?, ?)", places)
        self._count(reading, 1)
        self.next = max(self.next, turn + 1)

    def take(self, turn: int) -> None:
        """Take a turn out, with all that it says. Its number and the digest of its id stay."""
        self.flush(whole=True)
        body = self._body(turn)
        if body is None:
            return
        _, reading = turn_of(turn, body)
        terms = {term for piece in reading.pieces for term in (*piece.own, *piece.beside)}
        self._unpost(turn, {term_key(term) for term in terms})
        self._count(reading, -1)
        self._unmention(turn, SUBJECT, {digest(each.subject) for each in reading.pieces if each.subject})
        self._unmention(turn, PERSON, {digest(person_json(each)) for each in reading.people})
        self.session.mute(f"{_HERE} and turn = ?", (*self._here, turn))

    def replace(self, turn: int, said: Said, reading: Reading, state: int) -> None:
        """Another text or reading in the place of the old one, in a row of its own: the old one must not move about the pages."""
        self.take(turn)
        self.session.erase("turns", f"{_HERE} and turn = ?", (*self._here, turn))
        self.put(turn, said, reading, state)
        self._post(between=True)

    def forget(self, ids: Sequence[str]) -> int:
        """Take turns out by their ids; how many were there."""
        known = self._known([digest(each) for each in ids])
        turns = sorted(turn for turn, state, _ in known.values() if state != GONE)
        for turn in turns:
            self.take(turn)
        for turn in turns:
            self._stand_alone(turn + 1)
        return len(turns)

    def forget_subject(self, subject: str, read: Read) -> int:
        """Take out all that a subject said and all that was said of it; how many turns changed."""
        wanted = Subject(subject, self.people())
        changed: set[int] = set()
        for turn, state, found in self.bodies():
            body = self._body(turn) if turn - 1 in changed else found
            assert body is not None
            said, reading = turn_of(turn, body)
            left = cut(said, reading, wanted)
            known = any(each.subject == subject for each in reading.pieces) or any(
                each.key == subject for each in reading.people
            )
            if left is said and not known:
                continue
            changed.add(turn)
            if left is None:
                self.take(turn)
            elif left is said:
                self.replace(turn, said, freed(reading, subject), state)
            else:
                self.take(turn)
                self.replace(turn, left, freed(read(self, turn, left), subject), CUT)
            self._stand_alone(turn + 1)
        # A number is left out, since a turn that was only cut would not show that something was deleted.
        self.next += bool(changed)
        return len(changed)

    def bodies(self) -> Iterator[tuple[int, int, bytes]]:
        """Number, state and body of each turn that is there, in order."""
        after = -1
        statement = (
            f"select turn, state, body from turns where {_HERE} and turn > ? and body is not null order by turn limit {PAGE}"
        )
        while rows := self.session.all(statement, (*self._here, after)):
            yield from rows
            after = rows[-1][0]

    def erase(self) -> int:
        """Take out everything; how many turns were there."""
        for table in ("turns", "names"):
            self.session.erase(table, _HERE, self._here)
        for table in ("mentions", "postings", "waiting", "counts"):
            self.session.many(f"delete from {table} where {_HERE}", [self._here])
        self.session.erase("conversations", "caller = ? and seq = ?", self._here)
        self.pending.clear()
        self.held = None
        return self._size.turns

    def flush(self, *, whole: bool = False) -> None:
        """Write the postings that were held back, and the counts. With `whole` all postings are in chunks afterwards."""
        fresh = {row[0] for rows in self.pending.values() for row in rows}
        if fresh and not whole:
            ((held,),) = self.session.all(f"select count(*) from waiting where {_HERE}", self._here)
            whole = held + len(fresh) >= HELD
        if whole:
            self._merge()
        elif fresh:
            self._hold()
        size = self._size
        self.session.many(
            f"update counts set next = ?, names = ?, turns = ?, pieces = ?, length = ?, width = ? where {_HERE}",
            [(self.next, self._names, size.turns, size.pieces, size.length, size.width, *self._here)],
        )

    def _hold(self) -> None:
        """Let the postings that are new wait: one row a turn."""
        bodies: dict[int, list[bytes]] = {}
        for term, rows in self.pending.items():
            for row in rows:
                bodies.setdefault(row[0], []).append(posted(term, row))
        self.session.many(
            "insert into waiting (caller, conversation, turn, body) values (?, ?, ?, ?)",
            [(*self._here, turn, b"".join(body)) for turn, body in sorted(bodies.items())],
        )
        self.pending.clear()
        self.held = None

    def _merge(self) -> None:
        """Put the postings that waited, and those that are new, into chunks."""
        waiting = self.waiting()
        if len(waiting):
            merged: dict[int, list[Row]] = {}
            for term, row in waiting.tolist():
                merged.setdefault(term, []).append(row)
            for term, rows in self.pending.items():
                merged.setdefault(term, []).extend(rows)
            self.pending = merged
            self.session.many(f"delete from waiting where {_HERE}", [self._here])
            self.held = None
        if self.pending:
            self._post()

    def _post(self, *, between: bool = False) -> None:
        """Write the postings that were held back; `between` says that they are of one turn that others come after."""
        wanted = [(term, rows[0][0]) for term, rows in self.pending.items()]
        held: dict[int, tuple[int, int, bytes]] = {}
        for part in parts(wanted):
            held.update((term, tuple(rest)) for term, *rest in self.session.latest(*self._here, part))
        written = []
        for term, rows in self.pending.items():
            chunk, before, body = held.get(term, (rows[0][0], 0, b""))
            for row in rows:
                if full(body, row[0]):
                    written.append((*self._here, term, chunk, before, body))
                    chunk, before, body = row[0], before + turns_of(body), b""
                body += packed([row])
            written.append((*self._here, term, chunk, before, body))
        self.session.many(
            "insert into postings (caller, conversation, term, chunk, before, body) values (?, ?, ?, ?, ?, ?) on conflict "
            "(caller, conversation, term, chunk) do update set before = excluded.before, body = excluded.body",
            written,
        )
        if between:
            # Of a term that opened a chunk, the last: what stands before that one was counted just now.
            last = {row[2]: row[3] for row in written if any(each[2] for each in self.pending[row[2]])}
            self._shift(1, list(last.items()))
        self.pending.clear()

    def _unpost(self, turn: int, terms: set[int]) -> None:
        where = f"{_HERE} and term = ? and chunk = ?"
        for part in parts(sorted(terms)):
            left: list[Values] = []
            gone: list[Values] = []
            fewer = []
            for term, chunk, _, body in self.session.latest(*self._here, [(term, turn) for term in part]):
                rest = without(body, turn)
                if rest:
                    left.append((rest, *self._here, term, chunk))
                else:
                    gone.append((*self._here, term, chunk))
                if turns_of(rest) < turns_of(body):
                    fewer.append((term, chunk))
            self.session.many(f"update postings set body = ? where {where}", left)
            self.session.many(f"delete from postings where {where}", gone)
            self._shift(-1, fewer)

    def _shift(self, by: int, places: Sequence[tuple[int, int]]) -> None:
        """Count the turns before the chunks that come after these (term, chunk) anew."""
        self.session.many(
            f"update postings set before = before + ? where {_HERE} and term = ? and chunk > ?",
            [(by, *self._here, *place) for place in places],
        )

    def _stand_alone(self, turn: int) -> None:
        """Let the pieces of a turn stand alone: the turn before it is gone, or not what it was."""
        body = self._body(turn)
        if body is None:
            return
        said, reading = turn_of(turn, body)
        if any(piece.beside for piece in reading.pieces):
            ((state,),) = self.session.all(f"select state from turns where {_HERE} and turn = ?", (*self._here, turn))
            self.replace(turn, said, alone(reading), state)

    def _body(self, turn: int) -> bytes | None:
        rows = self.session.all(f"select body from turns where {_HERE} and turn = ?", (*self._here, turn))
        return rows[0][0] if rows else None

    def _known(self, ids: Sequence[bytes]) -> dict[bytes, tuple[int, int, Said | None]]:
        found = {}
        for part in parts(ids):
            marks, values = among(part)
            statement = f"select id, turn, state, body from turns where {_HERE} and id in {marks}"
            for id, turn, state, body in self.session.all(statement, (*self._here, *values)):
                found[bytes(id)] = (turn, state, None if body is None else said_of(body))
        return found

    def _numbers(self, kind: int, bodies: Mapping[Name, bytes]) -> dict[Name, int]:
        """The number of each name, a new one where it has none."""
        keys = {digest(body): each for each, body in bodies.items()}
        found = {keys[id]: number for id, number in self._numbered(kind, list(keys))}
        made = []
        for id, each in keys.items():
            if each not in found:
                found[each] = self._names
                made.append((*self._here, kind, self._names, id, bodies[each]))
                self._names += 1
        if made:
            self.session.many(
                "insert into names (caller, conversation, kind, number, id, body) values (?, ?, ?, ?, ?, ?)", made
            )
        return found

    def _numbered(self, kind: int, ids: Sequence[bytes]) -> Iterator[tuple[bytes, int]]:
        for part in parts(ids):
            marks, values = among(part)
            statement = f"select id, number from names where {_HERE} and kind = ? and id in {marks}"
            for id, number in self.session.all(statement, (*self._here, kind, *values)):
                yield bytes(id), int(number)

    def _unmention(self, turn: int, kind: int, ids: set[bytes]) -> None:
        """Take a turn from the names that it gives, and the names out that no turn gives any more."""
        numbers = [number for _, number in self._numbered(kind, sorted(ids))]
        where = f"{_HERE} and kind = ? and number = ?"
        span = (turn * PLACES, (turn + 1) * PLACES)
        self.session.many(
            f"delete from mentions where {where} and place >= ? and place < ?",
            [(*self._here, kind, number, *span) for number in numbers],
        )
        for number in numbers:
            if not self.session.all(f"select 1 from mentions where {where} limit 1", (*self._here, kind, number)):
                self.session.erase("names", where, (*self._here, kind, number))

    def _count(self, reading: Reading, sign: int) -> None:
        mine = [piece for piece in reading.pieces if piece.subject != NOBODY]
        size = self._size
        self._size = Size(
            size.turns + sign,
            size.pieces + sign * len(mine),
            size.length + sign * sum(piece.length for piece in mine),
            size.width + sign * sum(piece.width for piece in mine),
        )
