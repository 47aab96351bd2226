"""A process that fills a store with made conversations and says how quick it is: `python -m loom_adapters.memory.measured PLACE TURNS`.

PLACE is a file, or the URL of a PostgreSQL. Sizes of conversations follow a power law: 10,000 for a million turns, the largest of
50,000. A turn has some twenty words, of a vocabulary by the law of Zipf and Mandelbrot, and says something of its speaker and, every
other time, of another person. Figures are printed as one line of JSON, in milliseconds and megabytes; how far it is,
on standard error.
"""

import asyncio
import json
import os
import resource
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter, process_time
from typing import IO

import numpy as np

from loom.core.errors import LoomError
from loom.core.memory.policy import Recalls
from loom.core.memory.recall import recall
from loom.core.memory.values import NOBODY, Person, Piece, Reading, Said, Scope, Sentence, View
from loom.ports import Memories

CALLERS, NAMES, WORDS, BATCH, SEED = 100, ("Anna", "Ben", "Clara"), 20, 250, 11
VOCABULARY, FLATTER = 30_000, 20.0
APPENDS, QUERIES, OF_LARGEST = 1000, 2000, 300


def sizes(turns: int) -> np.ndarray:
    """Turns of each conversation, the largest first, which has a twentieth of them."""
    ranks = np.arange(1, max(20, turns // 100) + 1, dtype=float)
    low, high = 0.0, 3.0
    for _ in range(60):
        power = (low + high) / 2
        low, high = (power, high) if (ranks**-power).sum() > 20 else (low, power)
    return np.maximum(1, np.round(turns / 20 * ranks**-low)).astype(int)


class Making:
    """Turns and questions, the same every time."""

    def __init__(self) -> None:
        self._draw = np.random.default_rng(SEED)
        worth = np.cumsum(1.0 / (np.arange(VOCABULARY) + FLATTER))
        self._worth = worth / worth[-1]

    def words(self, count: int) -> list[str]:
        return [f"w{rank}" for rank in self._worth.searchsorted(self._draw.random(count)).tolist()]

    def turns(self, first: int, count: int) -> list[Said]:
        words = iter(self.words(WORDS * count))
        made = []
        for number in range(first, first + count):
            said = " ".join(next(words) for _ in range(WORDS))
            made.append(Said(NAMES[number % 2], said, "2024-05-01", f"t{number}"))
        return made

    def question(self) -> str:
        return f"What did {NAMES[int(self._draw.integers(3))]} say about {' and '.join(self.words(5))}?"


def read(view: View, turn: int, said: Said) -> Reading:
    """Two thirds of a turn are of its speaker; the rest is of a third person or a question, which stands beside the next turn."""
    words, speaker = said.text.split(), said.speaker.lower()
    cut = len(said.text) * 2 // 3
    before = view.said([turn - 1]).get(turn - 1)
    beside = Counter(before.text.split()[-WORDS // 3 :]) if before and turn % 2 else {}
    other = NAMES[2].lower() if turn % 2 else NOBODY
    first, rest = words[: WORDS * 2 // 3], words[WORDS * 2 // 3 :]
    pieces = [Piece(turn, speaker, (Sentence(0, cut),), Counter(first), beside)]
    pieces.append(Piece(turn, other, (Sentence(cut, len(said.text)),), Counter(rest), beside if other else {}))
    people = [Person(speaker, said.speaker, (), True)] + [Person(other, NAMES[2])] * bool(other)
    return Reading(turn, tuple(sorted(pieces, key=lambda piece: piece.subject)), tuple(people))


async def measured(memories: Memories, turns: int) -> dict[str, float]:
    making, counts = Making(), sizes(turns)
    appends, queries, of_largest = (min(each, turns // 20) for each in (APPENDS, QUERIES, OF_LARGEST))
    scopes = [Scope(f"caller {number % CALLERS}", f"talk {number}") for number in range(len(counts))]
    began = perf_counter()
    kept, told = 0, 0
    for scope, size in zip(scopes, counts.tolist(), strict=True):
        for at in range(0, size, BATCH):
            await memories.append(scope, making.turns(at, min(BATCH, size - at)), read)
            kept += min(BATCH, size - at)
            if kept * 20 // counts.sum() > told:
                told = kept * 20 // counts.sum()
                print(f"{kept:,} of {counts.sum():,} turns are kept", file=sys.stderr, flush=True)
    found = {
        "turns": float(counts.sum()),
        "conversations": float(len(counts)),
        "filling": (perf_counter() - began) / counts.sum() * 1000,
    }
    draw = np.random.default_rng(SEED)
    busy = draw.choice(len(counts), appends, p=counts / counts.sum())
    grown = Counter(dict(enumerate(counts.tolist())))
    for name, chosen in (("append", busy.tolist()), ("append_largest", [0] * of_largest)):
        taken, synced, took = [], [], 0.0
        with tempfile.NamedTemporaryFile(dir=".") as file:
            for number in chosen:
                (said,) = making.turns(grown[number], 1)
                grown[number] += 1
                synced.append(_synced(file))
                start, began_work = perf_counter(), process_time()
                await memories.append(scopes[number], [said], read)
                taken.append(perf_counter() - start)
                took += process_time() - began_work
        found |= _figures(name, taken)
        if name == "append":
            found |= _figures("sync", synced) | {"append_processor": took / len(taken) * 1000}
    by_turns = draw.choice(len(counts), queries, p=counts / counts.sum()).tolist()
    for name, chosen in (("query", by_turns), ("query_largest", [0] * of_largest)):
        taken = []
        for number in chosen:
            question = making.question()

            def work(view: View, question: str = question) -> int:
                hits = recall(view, question, Recalls()).hits
                return len(view.said([hit.turn for hit in hits])) + len(view.pieces([(hit.turn, hit.subject) for hit in hits]))

            start = perf_counter()
            await memories.look(scopes[number], work)
            taken.append(perf_counter() - start)
        found |= _figures(name, taken)
    taken = []
    for number in range(20):
        start = perf_counter()
        await memories.forget(scopes[0], [f"t{number}"])
        taken.append(perf_counter() - start)
    found |= _figures("forget", taken)
    found["resident"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    return found


def _synced(file: IO[bytes]) -> float:
    """Seconds that one write of 4 KB which is on the disk takes here, without any store; beside each append, since a disk that others
    use is quicker at one time than at another."""
    start = perf_counter()
    file.write(b"x" * 4096)
    file.flush()
    os.fsync(file.fileno())
    return perf_counter() - start


def _figures(name: str, taken: Sequence[float]) -> dict[str, float]:
    ordered = sorted(taken)
    return {f"{name}_p50": ordered[len(ordered) // 2] * 1000, f"{name}_p99": ordered[int(len(ordered) * 0.99)] * 1000}


async def main(place: str, turns: int) -> None:
    memories: Memories
    if "://" in place:
        from loom_adapters.memory.postgres import PostgresMemories

        memories = PostgresMemories(place)
    else:
        from loom_adapters.memory.sqlite import SqliteMemories

        memories = SqliteMemories(Path(place))
    found = await measured(memories, turns)
    await memories.aclose()
    if "://" not in place:
        found["file"] = os.path.getsize(place) / 1e6
    print(json.dumps(found))


if __name__ == "__main__":
    try:
        asyncio.run(main(sys.argv[1], int(sys.argv[2])))
    except LoomError as error:
        sys.exit(error.message)
