"""One verdict of one judge: asked at temperature 0, and once more where the reply cannot be used."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from loom.core.values import Json
from loom.lab.asking import Asker, Said
from loom.lab.judging.families import Judge, Writer, itself, kinship
from loom.lab.judging.fences import asked_again, prompt_digest
from loom.lab.showing import plain

Read = TypeVar("Read")


@dataclass(frozen=True, slots=True)
class Consulted(Generic[Read]):
    """What a judge said: `read` the usable reply or None, every reply in order, and why nothing came (`error`)."""

    sent: list[dict[str, Json]]
    said: tuple[Said, ...]
    read: Read | None
    error: str | None = None


async def ask(asker: Asker, judge: Judge, sent: Sequence[dict[str, Json]], purpose: str) -> Said:
    more = {"temperature": 0, "max_tokens": judge.allowance}
    return await asker.ask(judge.name, plain(*sent), purpose=purpose, more=more)


async def consult(
    asker: Asker,
    judge: Judge,
    sent: list[dict[str, Json]],
    read: Callable[[str], Read | None],
    correction: str,
    *,
    purpose: str,
    writer: Writer | None = None,
) -> Consulted[Read]:
    """Ask, and where `read` makes nothing of the reply ask once more with `correction`. A URL that turns out to be served by the
    writer's own model gives an error, not a verdict."""
    first = await ask(asker, judge, sent, purpose)
    if error := _fault(judge, first, writer):
        return Consulted(sent, (first,), None, error)
    if (found := read(first.text)) is not None:
        return Consulted(sent, (first,), found)
    second = await ask(asker, judge, asked_again(sent, first.text, correction), purpose)
    if error := _fault(judge, second, writer):
        return Consulted(sent, (first, second), None, error)
    return Consulted(sent, (first, second), read(second.text))


def _fault(judge: Judge, said: Said, writer: Writer | None) -> str | None:
    if said.error is not None:
        return said.error
    if writer is not None and said.model_reported and itself(Writer("", reported=said.model_reported), writer):
        return f"The URL of {judge.name} was answered by {said.model_reported}, the model that wrote the answer."
    return None


def signed(judge: Judge, rubric: str, consulted: Consulted[Read], writer: Writer | None = None) -> dict[str, Json]:
    """Who gave a verdict and to what: the members that every kind of verdict has. Replies are kept where one was of no use."""
    return {
        "judge": judge.name,
        "judge_requested": judge.model or judge.name,
        "judge_reported": consulted.said[-1].model_reported,
        "judge_family": "+".join(judge.families) or None,
        "kinship": kinship(judge, writer) if writer is not None else None,
        "rubric": rubric,
        "prompt": prompt_digest(consulted.sent),
        "asks": len(consulted.said),
        "calls": [said.key for said in consulted.said],
        "replies": [said.text for said in consulted.said] if consulted.read is None or len(consulted.said) > 1 else [],
    }
