"""Conversation memory in this process: for tests, and for nodes that are to remember nothing after they end."""

from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from typing import TypeVar

from loom.core.errors import BadInput
from loom.core.memory.memory_view import MemoryView
from loom.core.memory.values import Said, Scope, View
from loom.ports import Kept, Read, Since
from loom_adapters.memory.chunks import fits
from loom_adapters.memory.erasing import Subject, alone, cut, freed
from loom_adapters.memory.keys import digest
from loom_adapters.memory.scopes import named, strict
from loom_adapters.memory.stored import checked
from loom_adapters.memory.transfer import Line, carried, gone_line, head, turn_line
from loom_adapters.memory.written import turn_json

T = TypeVar("T")


class _Held:
    """One conversation: lines by turn, and the view of them."""

    def __init__(self, beginning: int = 0) -> None:
        self.beginning = beginning
        self.lines: dict[int, Line] = {}
        self.ids: dict[bytes, int] = {}
        self.view = MemoryView()

    def copy(self) -> "_Held":
        """The same, to be changed and put in its place, so that a failure changes nothing."""
        made = _Held(self.beginning)
        for line in self.lines.values():
            made.put(line)
        made.view.next = self.view.next
        return made

    def since(self) -> Since:
        return Since(self.beginning, self.view.next - self.view.size().turns)

    def put(self, line: Line) -> None:
        self.lines[line.turn] = line
        self.ids[line.gone or digest(line.said.id if line.said else "")] = line.turn
        if line.said is not None and line.reading is not None:
            self.view.next = line.turn
            turn_json(line.said, line.reading)  # what a database would refuse is refused here
            for piece in line.reading.pieces:
                fits(piece)
            self.view.add(line.said, line.reading)
        else:
            self.view.next = line.turn + 1

    def take(self, turn: int) -> None:
        said = self.lines[turn].said
        if said is not None:
            self.lines[turn] = Line(turn, None, None, False, digest(said.id))
            self.view.delete(turn)
            self.stand_alone(turn + 1)

    def stand_alone(self, turn: int) -> None:
        line = self.lines.get(turn)
        if line is not None and line.reading is not None:
            self.lines[turn] = line._replace(reading=alone(line.reading))

    def append(self, said: Said, read: Read) -> Kept:
        turn = self.ids.get(digest(said.id))
        if turn is None:
            turn = self.view.next
            self.put(Line(turn, said, read(self.view, turn, said), False))
            return Kept(turn, "new")
        line = self.lines[turn]
        if line.said is not None and not line.cut and line.said != said:
            raise BadInput(
                f"Expected the turn {said.id!r:.80} as it was kept, but it says something else; give a changed turn another id.",
                param="id",
            )
        return Kept(turn, "gone" if line.said is None else "known")


class FakeMemories:
    """The in-memory `Memories`."""

    def __init__(self) -> None:
        self._held: dict[tuple[str, str], _Held] = {}
        self._begun = 0

    async def since(self, scope: Scope) -> Since:
        strict(scope)
        held = self._held.get((scope.caller, scope.conversation))
        return held.since() if held else Since()

    async def append(self, scope: Scope, turns: Sequence[Said], read: Read, since: Since | None = None) -> Sequence[Kept]:
        checked(scope, turns)
        changed = self._of(scope).copy()
        if since is not None and (since.beginning or changed.beginning, since.deleted) != changed.since():
            return []
        kept = [changed.append(said, read) for said in turns]
        if turns:
            self._held[scope.caller, scope.conversation] = changed
        return kept

    async def look(self, scope: Scope, work: Callable[[View], T]) -> T:
        return work(self._of(scope).view)

    async def forget(self, scope: Scope, ids: Sequence[str]) -> int:
        held = self._of(scope)
        turns = [turn for each in dict.fromkeys(ids) if (turn := held.ids.get(digest(each))) is not None]
        gone = [turn for turn in turns if held.lines[turn].said is not None]
        for turn in gone:
            held.take(turn)
        self._renew(scope)
        return len(gone)

    async def forget_subject(self, scope: Scope, subject: str, read: Read) -> int:
        named("subject", subject)
        held = self._of(scope)
        wanted = Subject(subject, held.view.people())
        changed = 0
        for turn in list(held.lines):
            _, said, reading, was_cut, _ = held.lines[turn]
            if said is None or reading is None:
                continue
            left = cut(said, reading, wanted)
            if left is said and freed(reading, subject) == reading:
                continue
            changed += 1
            held.take(turn)
            if left is not None:
                reading = freed(reading if left is said else read(held.view, turn, left), subject)
                held.lines[turn] = Line(turn, left, reading, was_cut or left is not said)
            self._renew(scope)
            held = self._of(scope)
        held.view.next += bool(changed)
        return changed

    async def forget_conversation(self, scope: Scope) -> int:
        held = self._held.pop((strict(scope).caller, scope.conversation), None)
        return held.view.size().turns if held else 0

    async def forget_caller(self, caller: str) -> int:
        return sum([await self.forget_conversation(Scope(caller, each)) for each in await self.conversations(caller)])

    async def conversations(self, caller: str) -> Sequence[str]:
        return [conversation for name, conversation in self._held if name == named("caller", caller)]

    async def export(self, scope: Scope) -> AsyncIterator[bytes]:
        strict(scope)
        if (scope.caller, scope.conversation) not in self._held:
            return
        held = self._of(scope)
        yield head(scope.conversation, held.view.next)
        for turn, line in sorted(held.lines.items()):
            if line.said is None or line.reading is None:
                yield gone_line(turn, line.gone)
            else:
                yield turn_line(turn, line.said, line.reading, line.cut)

    async def restore(self, caller: str, lines: Iterable[bytes]) -> Sequence[str]:
        named("caller", caller)
        found = []
        for one in carried(lines):
            if (caller, one.conversation) in self._held:
                raise BadInput(
                    f"Expected a conversation that is not there yet, but {one.conversation!r:.80} is; delete it first.",
                    param="conversation",
                )
            held = self._new()
            for line in one.lines:
                held.put(line)
            if len(held.ids) != len(one.lines) or digest("") in held.ids:
                raise BadInput("Expected turns with ids of their own.", param="lines")
            held.view.next = max(held.view.next, one.next)
            self._held[caller, one.conversation] = held
            found.append(one.conversation)
        return found

    async def aclose(self) -> None:
        """Nothing is held open."""

    def _of(self, scope: Scope) -> _Held:
        return self._held.get((strict(scope).caller, scope.conversation)) or self._new()

    def _new(self) -> _Held:
        self._begun += 1
        return _Held(self._begun)

    def _renew(self, scope: Scope) -> None:
        """Make the view anew, of the lines as they are."""
        key = (scope.caller, scope.conversation)
        if key in self._held:
            self._held[key] = self._held[key].copy()
