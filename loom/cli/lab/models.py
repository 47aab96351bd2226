"""The models that a command line means, of a study or behind a URL, and how they are asked: through a book of kept answers."""

import os
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from loom import compose_lab
from loom.answer.plan import Pin
from loom.core.concepts import Concepts
from loom.core.errors import BadInput
from loom.lab.arms import ARMS
from loom.lab.running import BookAsker, Tally
from loom.lab.study import Member, Study, read
from loom.lab.study.member import ALLOWANCE, REASONING_ALLOWANCE, check_url
from loom.ports import AnswerBook, ModelBackend

PATIENCE = 300.0
"""Seconds for which a call that fails is tried again where no study says so."""


def study_at(path: Path) -> Study:
    """The study of a file. Raises BadInput."""
    return read(path, ARMS, reasons=compose_lab.reasons)


def named(members: Sequence[Member], names: Sequence[str], flag: str) -> tuple[Member, ...]:
    """The members of these names, each once, in the order of the names. Raises BadInput for a name that none has."""
    known = {member.name: member for member in members}
    for name in names:
        if name not in known:
            raise BadInput(f"Expected {flag} among {', '.join(known)}, but got {name!r}.", param=flag.lstrip("-"))
    return tuple(known[name] for name in dict.fromkeys(names))


def behind(url: str, name: str, *, flag: str, key_env: str = "") -> Member:
    """The model of this name behind a URL that a flag gave; whether it thinks is told by its name. Raises BadInput."""
    check_url(url, flag)
    reasoning = compose_lab.reasons(name)
    allowance = REASONING_ALLOWANCE if reasoning else ALLOWANCE
    return Member(name, "url", name, url=url, key_env=key_env, reasoning=reasoning, allowance=allowance)


def backends_of(members: Sequence[Member], pin: Pin | None = None) -> dict[str, ModelBackend]:
    """The models by name; nothing is opened yet. Raises BadInput where a key is missing, or where a scripted model lists the titles
    of a generation and there is no `pin`."""
    found = {}
    for member in members:
        key = os.environ.get(member.key_env, "") if member.key_env else ""
        if member.key_env and not key:
            raise BadInput(f"Expected the key of {member.name} in {member.key_env}, but it is not set.", param="key_env")
        found[member.name] = compose_lab.model_of_study(
            member.kind,
            url=member.url,
            key=key,
            profile=member.profile,
            timeout=member.timeout,
            script=member.script,
            titles=_titles(pin) if member.script.startswith("enumerates") else (),
        )
    return found


def _titles(pin: Pin | None) -> Sequence[str]:
    if pin is None:
        raise BadInput("Expected models that need no generation, but a scripted one enumerates its titles.", param="script")
    concepts = pin.generation.part(Concepts)
    return [] if concepts is None else [concepts.title(row) for row in range(concepts.count)]


@asynccontextmanager
async def asking(
    members: Sequence[Member], book: Path, *, concurrency: int, patience: float = PATIENCE, pin: Pin | None = None
) -> AsyncIterator[tuple[BookAsker, Tally, AnswerBook]]:
    """Who asks these models, what it comes to, and the book of kept answers, until the block ends. Raises BadInput as
    `backends_of`, and where another command holds the book."""
    backends = backends_of(members, pin)
    async with AsyncExitStack() as stack:
        for backend in backends.values():
            stack.push_async_callback(backend.aclose)
        answers = compose_lab.answer_book(book)
        stack.push_async_callback(answers.aclose)
        tally = Tally()
        asker = BookAsker(
            members, backends, answers, compose_lab.clock(), concurrency=concurrency, patience=patience, tally=tally
        )
        yield asker, tally, answers
