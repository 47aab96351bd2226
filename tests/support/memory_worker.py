"""A process of writers and readers of one store, to be killed: `python memory_worker.py KIND PLACE NAME TASKS ACKNOWLEDGED FAULTS`.

A writer appends batches of turns to shared conversations and notes each that was acknowledged; a reader notes what is half there.
"""

import asyncio
import os
import random
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from support.remembering import read

from loom.core.errors import LoomError
from loom.core.memory.values import Said, Scope, View
from loom.ports import Memories

SCOPES = [Scope(f"caller {number % 2}", f"talk {number}") for number in range(4)]


def batch(name: str, number: int, size: int) -> list[Said]:
    """Turns that say of which batch they are, and of how many; all share the word of their batch."""
    speakers = ("Anna", "Ben")
    return [
        Said(
            speakers[at % 2],
            f"I keep batch{name}x{number}. Clara has {at} of {size} cups. Is it tea?",
            "",
            f"{name}-{number}-{at}-{size}",
        )
        for at in range(size)
    ]


def wrong(view: View) -> str:
    """What is half there in a view, "" where nothing is."""
    turns = view.size().turns
    said = view.said(range(max(0, turns - 40), turns))
    if any(turn not in said for turn in range(max(0, turns - 40), turns)):
        return f"of {turns} turns only {sorted(said)} can be read"
    batches: dict[str, int] = {}
    for each in said.values():
        name, number, _, size = each.id.rsplit("-", 3)
        batches[f"batch{name}x{number}".lower()] = int(size)
    oldest = said[min(said)].id.rsplit("-", 3)[:2] if said else None
    found = view.frequency([*batches, "keep"])
    for word, size in batches.items():
        if found.get(word) != size and word != f"batch{oldest[0]}x{oldest[1]}".lower():  # type: ignore[index]
            return f"{found.get(word)} of {size} turns have postings of {word}"
    if found.get("keep", 0) != turns:
        return f"{found.get('keep')} of {turns} turns have postings"
    pieces = view.pieces([(turn, who) for turn in said for who in ("anna", "ben", "clara", "")])
    return "" if len(pieces) == 3 * len(said) else f"{len(pieces)} pieces of {len(said)} turns"


def store(kind: str, place: str) -> Memories:
    if kind == "sqlite":
        from loom_adapters.memory.sqlite import SqliteMemories

        return SqliteMemories(Path(place))
    from loom_adapters.memory.postgres import PostgresMemories

    return PostgresMemories(place, connections=4)


def note(path: str, line: str) -> None:
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(file, f"{line}\n".encode())
    os.close(file)


async def main(kind: str, place: str, name: str, tasks: int, acknowledged: str, faults: str) -> None:
    while True:
        try:
            memories = store(kind, place)
            break
        except LoomError:  # the server is starting again
            await asyncio.sleep(0.1)
    numbers = iter(range(1 << 30))
    draw = random.Random(name)

    async def writing() -> None:
        while True:
            number, size, scope = next(numbers), draw.choice((1, 1, 2, 5)), draw.choice(SCOPES)
            try:
                await memories.append(scope, batch(name, number, size), read)
            except LoomError:  # the server is starting again
                await asyncio.sleep(0.05)
                continue
            note(acknowledged, f"{SCOPES.index(scope)} {name} {number} {size}")

    async def reading() -> None:
        while True:
            try:
                fault = await memories.look(draw.choice(SCOPES), wrong)
            except LoomError:
                await asyncio.sleep(0.05)
                continue
            if fault:
                note(faults, fault)
            await asyncio.sleep(0.02)

    await asyncio.gather(*(writing() if at % 2 else reading() for at in range(tasks)))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:4], int(sys.argv[4]), *sys.argv[5:7]))  # type: ignore[misc,call-arg]
