"""What the memories in a database have in common: everything but how a transaction is had, and how what is deleted leaves the disk."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from typing import TypeVar

from loom.core.errors import BadInput
from loom.core.memory.memory_view import MemoryView
from loom.core.memory.values import Said, Scope, View
from loom.ports import Kept, Read, Since
from loom_adapters.memory.conversation import Conversation
from loom_adapters.memory.keys import digest
from loom_adapters.memory.scopes import closed, conversations, find, named, strict
from loom_adapters.memory.session import CUT, GONE, WHOLE, Session
from loom_adapters.memory.transfer import Carried, carried, gone_line, head, turn_line
from loom_adapters.memory.view import StoredView, deleted
from loom_adapters.memory.written import turn_of

T = TypeVar("T")

PAGE = 500
_PAGE = f"""select turn, id, state, body from turns where caller = ? and conversation = ? and turn > ?
order by turn limit {PAGE}"""


class StoredMemories:
    """The methods of `Memories` over three of its own."""

    async def _write(self, work: Callable[[Session], T]) -> T:
        """Do this in one transaction that is on the disk when it returns."""
        raise NotImplementedError

    async def _read(self, work: Callable[[Session], T]) -> T:
        """Do this over one state of the database."""
        raise NotImplementedError

    async def _wipe(self) -> None:
        """See to it that no file holds what was deleted. Raises Unwritable where it cannot be done now."""
        raise NotImplementedError

    async def since(self, scope: Scope) -> Since:
        strict(scope)

        def within(session: Session) -> Since:
            found = find(session, scope)
            return Since() if found is None else Since(found[1], deleted(session, *found))

        return await self._read(within)

    async def append(self, scope: Scope, turns: Sequence[Said], read: Read, since: Since | None = None) -> Sequence[Kept]:
        checked(scope, turns)

        def work(session: Session) -> Sequence[Kept]:
            if since is not None and since.beginning:
                found = find(session, scope)
                if found is None or found[1] != since.beginning:
                    return []
            conversation = Conversation.made(session, scope)
            if since is not None and conversation.deleted != since.deleted:
                return []
            kept = conversation.append(turns, read)
            if any(each.state == "new" for each in kept):
                conversation.flush()
            return kept

        return await self._write(work) if turns else []

    async def look(self, scope: Scope, work: Callable[[View], T]) -> T:
        strict(scope)

        def within(session: Session) -> T:
            found = find(session, scope)
            return work(MemoryView() if found is None else StoredView(session, *found))

        return await self._read(within)

    async def forget(self, scope: Scope, ids: Sequence[str]) -> int:
        return await self._deleted(scope, lambda conversation: conversation.forget(ids))

    async def forget_subject(self, scope: Scope, subject: str, read: Read) -> int:
        named("subject", subject)
        return await self._deleted(scope, lambda conversation: conversation.forget_subject(subject, read))

    async def forget_conversation(self, scope: Scope) -> int:
        strict(scope)

        def work(session: Session) -> int:
            closed(session, scope.caller)
            conversation = Conversation.there(session, find(session, scope))
            if conversation is None:
                return 0
            session.wiping(conversation.conversation)
            gone = conversation.erase()
            if not conversations(session, scope.caller):
                session.erase("callers", "seq = ?", (conversation.caller,))
            return gone

        gone = await self._write(work)
        await self._wipe()
        return gone

    async def forget_caller(self, caller: str) -> int:
        named("caller", caller)

        def work(session: Session) -> int:
            closed(session, caller)
            gone = 0
            for *numbers, _ in conversations(session, caller):
                conversation = Conversation.there(session, (numbers[0], numbers[1]))
                if conversation is not None:
                    session.wiping(conversation.conversation)
                    gone += conversation.erase()
                session.erase("callers", "seq = ?", numbers[:1])
            return gone

        gone = await self._write(work)
        await self._wipe()
        return gone

    async def conversations(self, caller: str) -> Sequence[str]:
        named("caller", caller)
        return await self._read(lambda session: [name for _, _, name in conversations(session, caller)])

    async def export(self, scope: Scope) -> AsyncIterator[bytes]:
        strict(scope)
        after = -2
        while lines := await self._read(lambda session, after=after: _exported(session, scope, after)):  # type: ignore[misc]
            for _, line in lines:
                yield line
            after = lines[-1][0]

    async def restore(self, caller: str, lines: Iterable[bytes]) -> Sequence[str]:
        named("caller", caller)
        found: list[str] = []
        each = carried(lines)
        while (one := await asyncio.to_thread(next, each, None)) is not None:
            await self._write(lambda session, one=one: _restored(session, Scope(caller, one.conversation), one))  # type: ignore[misc]
            found.append(one.conversation)
        return found

    async def _deleted(self, scope: Scope, work: Callable[[Conversation], int]) -> int:
        strict(scope)

        def within(session: Session) -> int:
            conversation = Conversation.there(session, find(session, scope))
            if conversation is None:
                return 0
            gone = work(conversation)
            if gone:
                session.wiping(conversation.conversation)
                conversation.flush()
            return gone

        gone = await self._write(within)
        await self._wipe()
        return gone


def checked(scope: Scope, turns: Sequence[Said]) -> None:
    """Raises BadInput where the scope is not whole, or a turn has no id."""
    strict(scope)
    if any(not said.id for said in turns):
        raise BadInput("Expected an id for each turn, by which it is known when it comes again, but one has none.", param="id")


def _exported(session: Session, scope: Scope, after: int) -> list[tuple[int, bytes]]:
    """Lines with the numbers of their turns; the first page begins with the head."""
    found = find(session, scope)
    if found is None:
        return []
    lines = []
    if after < -1:
        ((next,),) = session.all("select next from counts where caller = ? and conversation = ?", found)
        lines.append((-1, head(scope.conversation, next)))
    for turn, id, state, body in session.all(_PAGE, (*found, after)):
        lines.append(
            (turn, gone_line(turn, bytes(id)) if body is None else turn_line(turn, *turn_of(turn, body), state == CUT))
        )
    return lines


def _restored(session: Session, scope: Scope, one: Carried) -> None:
    conversation = Conversation.made(session, scope)
    if conversation.next:
        raise BadInput(
            f"Expected a conversation that is not there yet, but {scope.conversation!r:.80} is; delete it first.",
            param="conversation",
        )
    seen = set()
    for line in one.lines:
        id = line.gone or digest(line.said.id if line.said else "")
        if id in seen or (line.said is not None and not line.said.id):
            raise BadInput(f"Turn {line.turn} has no id of its own.", param="lines")
        seen.add(id)
        if line.said is None or line.reading is None:
            session.many(
                "insert into turns (caller, conversation, turn, id, state) values (?, ?, ?, ?, ?)",
                [(conversation.caller, conversation.conversation, line.turn, id, GONE)],
            )
        else:
            conversation.put(line.turn, line.said, line.reading, CUT if line.cut else WHOLE)
        conversation.next = max(conversation.next, line.turn + 1)
    conversation.next = max(conversation.next, one.next)
    conversation.flush()
