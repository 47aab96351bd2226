"""Conversations taken in from an export: this node's own, or that of a chat program."""

from collections.abc import Iterable, Sequence

from loom.core.errors import BadInput
from loom.core.memory.imported import Imported, Talk
from loom.core.memory.incremental import read
from loom.core.memory.values import Said, Scope
from loom.core.values import Json
from loom.ports import Memories

BATCH = 500
OURS = "loom"


async def restored(store: Memories, caller: str, data: bytes, conversation: str) -> dict[str, Json]:
    """Take in an export of ours, whose conversations must not be there yet. Raises BadInput."""
    if conversation:
        raise BadInput("This export names its conversations itself; leave the name out.", param="conversation")
    names = await store.restore(caller, data.split(b"\n"))
    sizes = [(name, (await store.look(Scope(caller, name), lambda view: view.size())).turns) for name in names]
    taken = [{"conversation": name, "turns": turns, "new": turns} for name, turns in sizes]
    return {"format": OURS, "conversations": taken, "faults": []}


async def taken(store: Memories, caller: str, found: Imported, conversation: str) -> dict[str, Json]:
    """Take in what was read of another program's export, under this name or those that it gives. Raises BadInput."""
    talks = [talk for talk in found.talks if talk.turns]
    if conversation and len(talks) > 1:
        raise BadInput(
            f"This export holds {len(talks):,} conversations with names of their own; leave the name out.", param="conversation"
        )
    if not conversation and any(not talk.name for talk in talks):
        raise BadInput(
            "Expected the name of the conversation, since this export does not say which it is; give one.", param="conversation"
        )
    told: list[Json] = []
    for talk in talks:
        scope = Scope(caller, conversation or talk.name)
        new = sum([await _appended(store, scope, batch, found) for batch in _batches(talk)])
        told.append({"conversation": scope.conversation, "turns": len(talk.turns), "new": new})
    faults: list[Json] = [{"where": fault.where, "message": fault.message} for fault in found.faults]
    return {"format": found.format, "conversations": told, "faults": faults}


def _batches(talk: Talk) -> Iterable[Sequence[Said]]:
    return (talk.turns[at : at + BATCH] for at in range(0, len(talk.turns), BATCH))


async def _appended(store: Memories, scope: Scope, turns: Sequence[Said], found: Imported) -> int:
    """How many of these turns are new; one that does not go with what is kept is a fault, and the others are kept."""
    try:
        return sum(each.state == "new" for each in await store.append(scope, turns, read))
    except BadInput as error:
        if len(turns) == 1:
            found.fault(f"turn {turns[0].id[:80]}", error.message)
            return 0
    half = len(turns) // 2
    return await _appended(store, scope, turns[:half], found) + await _appended(store, scope, turns[half:], found)
