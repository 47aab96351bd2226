"""A process of writers, readers and deleters of one store, to be killed: `python memory_worker.py KIND PLACE NAME TASKS SAID FAULTS`.

A writer appends batches of turns to shared conversations, and sends one again that was refused; a deleter takes batches of this
process out again; both write into SAID what they begin to delete and what was acknowledged. A reader notes what is half there.
"""

import asyncio
import os
import random
import sys
import time
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from support.remembering import read

from loom.core.errors import LoomError
from loom.core.memory.values import Said, Scope, View
from loom.ports import Memories

SCOPES = [Scope(f"caller {number % 2}", f"talk {number}") for number in range(4)]
KEPT, FORGETTING, FORGOT, LOOKED = "kept", "forgetting", "forgot", "looked"
WINDOW = 40
WHO = ("anna", "ben", "clara", "")


def batch(name: str, number: int, size: int) -> list[Said]:
    """Turns that say of which batch they are, and of how many; all share the word of their batch."""
    speakers = ("Anna", "Ben")
    return [
        Said(
            speakers[at % 2],
            f"I keep {word(name, number)}. Clara has {at} of {size} cups. Is it tea?",
            "",
            f"{name}-{number}-{at}-{size}",
        )
        for at in range(size)
    ]


def word(name: str, number: int) -> str:
    return f"batch{name}x{number}"


def wrong(view: View) -> str:
    """What is half there in a view, "" where nothing is: batches of which a part is there, and turns, pieces, postings and counts of
    which one is there without the other."""
    turns = list(view.turns(-1, 1 << 30))
    if view.size().turns != len(turns):
        return f"{view.size().turns} turns are counted, and {len(turns)} are there"
    window = turns[-WINDOW:]
    said = view.said(window)
    if list(said) != window:
        return f"of the turns {window} only {sorted(said)} can be read"
    batches: dict[str, tuple[int, int]] = {}
    for each in said.values():
        name, number, _, size = each.id.rsplit("-", 3)
        batches[word(name, int(number))] = (int(size), batches.get(word(name, int(number)), (0, 0))[1] + 1)
    terms = [*batches, "keep", "clara", "tea"]
    found = view.postings(terms)
    frequency = view.frequency(terms)
    oldest = next(iter(batches), "")
    for term, (size, seen) in batches.items():
        if frequency.get(term) != size or (seen != size and term != oldest):
            return f"of {size} turns of {term} {seen} are there, and {frequency.get(term)} have postings"
    pieces = view.pieces([(turn, who) for turn in window for who in WHO])
    if len(pieces) != 3 * len(window):
        return f"{len(pieces)} pieces of {len(window)} turns"
    for term in terms:
        expected = sorted(
            (turn, who, piece.own.get(term, 0), piece.beside.get(term, 0))
            for (turn, who), piece in pieces.items()
            if term in piece.own or term in piece.beside
        )
        rows = found.get(term)
        columns = [] if rows is None else [getattr(rows, name).tolist() for name in ("turn", "who", "own", "beside")]
        posted = (
            [(turn, rows.subjects[who], own, beside) for turn, who, own, beside in zip(*columns, strict=True)] if rows else []
        )
        if sorted(row for row in posted if window and row[0] >= window[0]) != expected:
            return f"the postings of {term} are {posted[-8:]}, and its pieces say {expected[-8:]}"
        if stray := {row[0] for row in posted} - set(turns):
            return f"{term} has postings of turns that are not there: {sorted(stray)[:5]}"
        if frequency.get(term, 0) != len({row[0] for row in posted if row[2]}):
            return f"{term} is in {frequency.get(term, 0)} turns, and its postings are of others"
    return ""


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


async def main(kind: str, place: str, name: str, tasks: int, said: str, faults: str) -> None:
    while True:
        try:
            memories = store(kind, place)
            break
        except LoomError:  # the server is starting again
            await asyncio.sleep(0.1)
    numbers = iter(range(1 << 30))
    draw = random.Random(name)
    mine: list[tuple[int, int, int]] = []

    async def writing() -> None:
        while True:
            at, number, size = draw.randrange(len(SCOPES)), next(numbers), draw.choice((1, 1, 2, 5))
            while True:
                try:
                    await memories.append(SCOPES[at], batch(name, number, size), read)
                    break
                except LoomError:  # the server is starting again
                    await asyncio.sleep(0.05)
            note(said, f"{KEPT} {at} {name} {number} {size}")
            mine.append((at, number, size))
            if draw.random() < 0.3:
                await deleting()

    async def deleting() -> None:
        at, number, size = mine.pop(draw.randrange(len(mine)))
        note(said, f"{FORGETTING} {at} {name} {number} {size}")
        try:
            await memories.forget(SCOPES[at], [each.id for each in batch(name, number, size)])
        except LoomError:  # it may be deleted, or not
            return
        note(said, f"{FORGOT} {at} {name} {number} {size}")

    async def reading() -> None:
        while True:
            at, began = draw.randrange(len(SCOPES)), time.monotonic()
            try:
                fault = await memories.look(SCOPES[at], wrong)
            except LoomError:
                await asyncio.sleep(0.05)
                continue
            note(said, f"{LOOKED} {at} {name}")
            if fault:
                note(faults, fault)
            # Readers leave nine tenths of the time to who writes, however many they are.
            await asyncio.sleep(0.05 + 9 * (time.monotonic() - began))

    await asyncio.gather(*(writing() if at % 2 else reading() for at in range(tasks)))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:4], int(sys.argv[4]), *sys.argv[5:7]))  # type: ignore[misc,call-arg]
