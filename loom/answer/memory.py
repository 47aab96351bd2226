"""The memory of a node: a store that is opened when it is first needed, and what is asked of it for one caller and conversation.

Without a caller and a conversation there is no `Scope`, so nothing can be asked of everybody's memory.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeVar
from weakref import WeakSet

from loom.answer.taking import restored, taken
from loom.core.errors import BadInput, LoomError, NotFound, Unreachable
from loom.core.memory.imported import Imported, Reader
from loom.core.memory.incremental import read
from loom.core.memory.latest import latest
from loom.core.memory.minting import absence, address, name_of, nothing, remembered
from loom.core.memory.people import Names, key_of
from loom.core.memory.pointing import NAMED, OPEN, Pointed, pointed
from loom.core.memory.policy import Recalls
from loom.core.memory.recall import decided, ranked
from loom.core.memory.values import NOBODY, Hit, Recall, Said, Scope, View
from loom.core.memory.words import words_in
from loom.core.values import Candidate, Evidence, Json, Question, Tier
from loom.ports import Kept, Memories, Since

T = TypeVar("T")

SERVES = Recalls(several=True)
"""How questions are recalled when serving: one about two people is about both."""
SOURCE = "memory"
ABOUT, ANYWHERE, ABSENT = "about", "anywhere", "absent"
"""Why an address is proposed: it is of whom the question asks about, it was found among all that was said, or nothing was."""
PATIENCE = 2.0
"""Seconds that a request waits for turns that are on their way into its caller's memory."""
PAGE = 512
"""Turns that are looked through at a time."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One turn of a conversation: its number, what was said, and the keys of whom it speaks of."""

    turn: int
    said: Said
    subjects: tuple[str, ...]

    def as_json(self) -> dict[str, Json]:
        given = {"date": self.said.date, "caption": self.said.caption}
        return {
            "turn": self.turn,
            "id": self.said.id,
            "speaker": self.said.speaker,
            "text": self.said.text,
            **{name: value for name, value in given.items() if value},
            "subjects": list(self.subjects),
        }


@dataclass(frozen=True, slots=True)
class Recalled:
    """What a question was given: the question as it was read, the recall, the names of its subjects, and the turns of its hits. `sure`
    is whether it names somebody who speaks or was introduced: any other name may be a thing's."""

    question: Pointed
    recall: Recall
    names: tuple[str, ...]
    sure: bool
    said: dict[int, Said] = field(default_factory=dict)

    def as_json(self) -> dict[str, Json]:
        recall = self.recall
        return {
            "subjects": list(recall.subjects),
            "confidence": round(recall.confidence, 4),
            "silent": recall.silent or None,
            "hits": [_hit(hit, self.said[hit.turn]) for hit in recall.hits if hit.turn in self.said],
        }


def _hit(hit: Hit, said: Said) -> dict[str, Json]:
    return {
        "turn": hit.turn,
        "id": said.id,
        "subject": hit.subject,
        "speaker": said.speaker,
        "date": said.date or None,
        "cover": round(hit.cover, 4),
    }


@dataclass(eq=False, slots=True, weakref_slot=True)
class Begun:
    """A request that may keep what is said in it. `over` is set once anything of its conversation is deleted after it began: what it
    was shown, or what was said before, would come back with it. `since` tells the same of what other processes delete."""

    scope: Scope
    since: Since | None = None
    over: bool = False


def _unread(data: bytes) -> Imported | None:
    """No export but our own is read."""


class Memory:
    """The memory that a node keeps. `open` gives the store, and may take a moment: it is called in a thread, once."""

    def __init__(self, open: Callable[[], Memories], recalls: Recalls = SERVES, exports: Reader = _unread) -> None:
        """`exports` reads what `take_in` is given."""
        self.recalls = recalls
        self._exports = exports
        self._open = open
        self._opening: asyncio.Task[Memories] | None = None
        self._store: Memories | None = None
        self._coming: dict[Scope, set[asyncio.Future[None]]] = {}
        self._begun: WeakSet[Begun] = WeakSet()

    async def store(self) -> Memories:
        """The store. Whoever asks while it is being opened waits for the same attempt; one that failed is made again by who asks next.

        Raises Unreachable where there is none to be had, and MissingExtra."""
        if self._store is None:
            if self._opening is None:
                self._opening = asyncio.ensure_future(asyncio.to_thread(self._open))
                self._opening.add_done_callback(self._opened)
            try:
                return await asyncio.shield(self._opening)
            except BadInput as error:
                # It is wrong for whoever set the node up, not for who asks.
                raise Unreachable(error.message) from error
        return self._store

    def _opened(self, opening: "asyncio.Task[Memories]") -> None:
        self._opening = None
        if not opening.cancelled() and opening.exception() is None:
            self._store = opening.result()

    async def aclose(self) -> None:
        if self._opening is not None:
            await asyncio.wait([self._opening])
        store, self._store = self._store, None
        if store is not None:
            await store.aclose()

    async def add(self, scope: Scope, turns: Sequence[Said]) -> Sequence[Kept]:
        return await (await self.store()).append(scope, turns, read)

    async def begin(self, scope: Scope) -> Begun:
        """To be called before anything is looked up for a request that is to be kept."""
        begun = Begun(scope)
        self._begun.add(begun)
        with suppress(LoomError):  # what cannot be asked now costs no answer; nothing is kept of it
            begun.since = await (await self.store()).since(scope)
        return begun

    async def finish(self, begun: Begun, turns: Sequence[Said]) -> Sequence[Kept]:
        """Keep what was said in a request; nothing where some of its conversation was deleted while it was under way."""
        store = await self.store()
        if begun.since is None:
            raise Unreachable("The memory did not answer when the request began; see that its store can be read.")
        return [] if begun.over else await store.append(begun.scope, turns, read, begun.since)

    def coming(self, scope: Scope) -> "asyncio.Future[None]":
        """Say that turns will be added, of a request whose answer is not out yet; to be resolved once they are. Whatever is asked of
        that caller meanwhile waits for it, so that nobody misses what they were just told, and nothing comes after it was deleted."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._coming.setdefault(scope, set()).add(future)

        def over(_: object) -> None:
            held = self._coming.get(scope, set())
            held.discard(future)
            if not held:
                self._coming.pop(scope, None)

        future.add_done_callback(over)
        return future

    async def settled(self, caller: str) -> Memories:
        """The store, once all has been added that is on its way; what does not come in time is given up."""
        coming = [future for scope, held in self._coming.items() if scope.caller == caller for future in held]
        if coming:
            _, late = await asyncio.wait(coming, timeout=PATIENCE)
            for future in late:
                future.cancel()
        return await self.store()

    async def _ended(self, caller: str, conversation: str | None = None) -> Memories:
        """The store, to delete something of a conversation, or of all of a caller's: requests whose answers are not out yet keep
        nothing any more."""
        store = await self.settled(caller)
        for begun in self._begun:
            if begun.scope.caller == caller and conversation in (None, begun.scope.conversation):
                begun.over = True
        return store

    async def look(self, scope: Scope, work: Callable[[View], T]) -> T:
        return await (await self.settled(scope.caller)).look(scope, work)

    async def recall(self, scope: Scope, text: str, speaker: str, before: Sequence[str] = ()) -> Recalled:
        """What a conversation holds on a question that this speaker asks."""
        return await self.look(scope, lambda view: recalled(view, text, self.recalls, speaker, before))

    async def shown(self, scope: Scope, text: str, speaker: str) -> dict[str, Json]:
        """The same for who asks it directly, with the lines that a model would read as `context`."""

        def work(view: View) -> dict[str, Json]:
            found = recalled(view, text, self.recalls, speaker)
            lines = [line for each in evidence_of(view, scope.conversation, found) for line in each.lines]
            return {**found.as_json(), "context": "\n".join(lines)}

        return await self.look(scope, work)

    async def conversations(self, caller: str) -> list[dict[str, Json]]:
        """The conversations of a caller, oldest first, with how many turns each holds."""
        names = await (await self.settled(caller)).conversations(caller)
        return [
            {"conversation": name, "turns": (await self.look(Scope(caller, name), lambda view: view.size())).turns}
            for name in names
        ]

    async def turns(self, scope: Scope, after: int, limit: int, about: str = "") -> tuple[list[Listed], int | None]:
        """The turns behind this number, or those of them that speak of somebody; and the number to go on from, None at the end."""
        return await self.look(scope, lambda view: _listed(view, after, limit, about))

    async def subject(self, scope: Scope, name: str) -> str:
        """The key of whom a name means in a conversation; "" where it means nobody."""
        return await self.look(scope, lambda view: meant(view, name))

    async def forget_subject(self, scope: Scope, name: str) -> int:
        """Take out all that somebody said and all that was said of them. Raises NotFound for a name that means nobody."""
        key = await self.subject(scope, name)
        if not key:
            raise NotFound(f"This conversation knows nobody by the name {name!r:.80}; its turns say of whom they speak.")
        return await (await self._ended(scope.caller, scope.conversation)).forget_subject(scope, key, read)

    async def forget(self, scope: Scope, id: str) -> int:
        """Take out a turn."""
        return await (await self._ended(scope.caller, scope.conversation)).forget(scope, [id])

    async def forget_conversation(self, scope: Scope) -> int:
        return await (await self._ended(scope.caller, scope.conversation)).forget_conversation(scope)

    async def forget_caller(self, caller: str) -> int:
        return await (await self._ended(caller)).forget_caller(caller)

    async def take_in(self, caller: str, data: bytes, conversation: str = "") -> dict[str, Json]:
        """Keep the conversations of an export: how many turns of each, and what could not be read. Raises BadInput."""
        found = await asyncio.to_thread(self._exports, data)
        if found is None:
            return await restored(await self.store(), caller, data, conversation)
        return await taken(await self.store(), caller, found, conversation)

    async def export(self, caller: str, conversation: str | None = None) -> AsyncIterator[bytes]:
        """JSON lines of one conversation, or of all that a caller has."""
        store = await self.settled(caller)
        for name in [conversation] if conversation is not None else await store.conversations(caller):
            async for line in store.export(Scope(caller, name)):
                yield line


def recalled(view: View, text: str, recalls: Recalls, speaker: str, before: Sequence[str] = ()) -> Recalled:
    people = view.people()
    question = pointed(text, people, key_of(speaker), before, timed=recalls.timed)
    recall = decided(ranked(view, question.asked, recalls), recalls)
    if question.whole and (hits := latest(view, question.asked.subjects, recalls.k, question.asked.times)):
        recall = Recall(hits, question.asked.subjects, (), 1.0)
    known = {person.key: person for person in people}
    names = tuple(speaker if key == key_of(speaker) and key not in known else name_of(known, key) for key in recall.subjects)
    people_named = [known[key] for key in recall.subjects if key in known]
    sure = question.how == NAMED and any(person.speaks or person.aliases for person in people_named)
    return Recalled(question, recall, names, sure, dict(view.said([hit.turn for hit in recall.hits])))


def evidence_of(view: View, conversation: str, found: Recalled) -> Sequence[Evidence]:
    """What a question would be shown, were it shown all of it."""
    if found.recall.silent:
        note = Candidate(absence(conversation), 1.0, SOURCE, ABSENT)
        return (nothing(conversation, found.question.topic, found.names, note),)
    return remembered(view, conversation, candidates(conversation, found), tier_of(found))


def candidates(conversation: str, found: Recalled) -> tuple[Candidate, ...]:
    """The hits as addresses; why each is proposed says whether whom the question asks about was resolved."""
    why = ANYWHERE if found.question.how == OPEN else ABOUT
    return tuple(Candidate(address(conversation, hit.turn, hit.subject), hit.score, SOURCE, why) for hit in found.recall.hits)


def tier_of(found: Recalled) -> Tier:
    return Tier.DISCOVERED if found.question.how == OPEN else Tier.ADDRESSED


def scope_of(question: Question) -> Scope | None:
    """Whose memory a question is asked of; None where it asks for none."""
    conversation = question.scope.conversation
    return None if conversation is None else Scope(question.scope.caller, conversation)


def meant(view: View, name: str) -> str:
    """The key of a person by name, alias or key."""
    people = view.people()
    for key in (name, key_of(name)):
        if key and any(person.key == key for person in people):
            return key
    return Names(people).meant(tuple(word.form for word in words_in(name)))


def _listed(view: View, after: int, limit: int, about: str) -> tuple[list[Listed], int | None]:
    known = [person.key for person in view.people()]
    key = meant(view, about) if about else ""
    found: list[Listed] = []
    if about and not key:
        return found, None
    while True:
        numbers = view.turns(after, PAGE)
        said = view.said(numbers)
        pieces = view.pieces([(number, subject) for number in numbers for subject in known])
        subjects: dict[int, list[str]] = {}
        for number, subject in pieces:
            if subject != NOBODY:
                subjects.setdefault(number, []).append(subject)
        for number in numbers:
            of = tuple(sorted(subjects.get(number, ())))
            if not about or key in of or key_of(said[number].speaker) == key:
                if len(found) == limit:
                    return found, found[-1].turn
                found.append(Listed(number, said[number], of))
        if len(numbers) < PAGE:
            return found, None
        after = numbers[-1]
