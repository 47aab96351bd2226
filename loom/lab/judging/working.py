"""Working through what is to be judged: in a seeded order, several at a time, each verdict kept as it comes."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from loom.core.values import Json
from loom.lab.judging.book import Book, Key

GIVE_UP = 20
"""Failures in a row after which the rest is left: the judge is not there."""

Step = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Job:
    """One verdict that is wanted: its key in the book, the digest of its prompt, and how to get it. `get` gives the verdict's row,
    or why there is none."""

    key: Key
    prompt: str
    get: Callable[[], Awaitable[dict[str, Json] | str]]


@dataclass(slots=True)
class Worked:
    """How a judging went: verdicts given now, those that were there, and why others failed."""

    given: int = 0
    kept: int = 0
    left: int = 0
    failed: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Json]:
        return {"given": self.given, "kept": self.kept, "failed": len(self.failed), "left": self.left, "why": self.failed[:3]}


def shuffled(keys: Sequence[Key], seed: int, purpose: str) -> list[Key]:
    """Keys in an order that a seed and their own text fix, whatever order they came in."""
    return sorted(keys, key=lambda key: (drawn(seed, purpose, key), key))


def share(keys: Sequence[Key], part: float, seed: int, purpose: str) -> frozenset[Key]:
    """A seeded share of distinct keys, rounded to the nearest whole number of them."""
    distinct = list(dict.fromkeys(keys))
    return frozenset(shuffled(distinct, seed, purpose)[: round(part * len(distinct))])


def drawn(seed: int, purpose: str, key: Key) -> bytes:
    return sha256("\0".join((str(seed), purpose, *key)).encode("utf-8", "surrogatepass")).digest()


async def work(jobs: Sequence[Job], book: Book, seed: int, concurrency: int, kept: Step = lambda: None) -> Worked:
    """Do all jobs that the book has no verdict of. `kept` is called for each that is there."""
    done = Worked()
    by_key = {job.key: job for job in jobs}
    wanted: list[Job] = []
    for job in jobs:
        if book.has(job.key, job.prompt):
            done.kept += 1
            kept()
        else:
            wanted.append(job)
    queue = iter(shuffled([job.key for job in wanted], seed, "order"))
    in_a_row = 0

    async def worker() -> None:
        nonlocal in_a_row
        for key in queue:
            if in_a_row >= GIVE_UP:
                done.left += 1
                continue
            got = await by_key[key].get()
            if isinstance(got, str):
                done.failed.append(got)
                in_a_row += 1
            else:
                in_a_row = 0
                book.add(got)
                done.given += 1

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(max(1, concurrency)):
                group.create_task(worker())
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from None
    return done
