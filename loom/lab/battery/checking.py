"""Whether a context is as its question wants it: needles and what is forbidden, the route, and what it has to be the same as."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from loom.answer.plan import Finder, Pin
from loom.core.facts.hydrating import fetches
from loom.core.facts.sealed import held_of
from loom.core.policy.policy import Policy
from loom.core.values import Candidate, Evidence, Finding, Json, Question
from loom.lab.battery.arm import Arm
from loom.lab.battery.contexts import Context, Contexts, asked_of
from loom.lab.battery.question import BatteryQuestion
from loom.lab.battery.scoring import Score, scored

CONTEXT, FACTS = "context", "facts"
CARRIED_OUT = 20
"""Of so many malformed replies one is carried out to its second context; all are read."""


@dataclass(frozen=True, slots=True)
class Checked:
    """One context of one arm. `wrong` says in words what else is not as it has to be; `starved` are routed bases of the best score of
    whose outline nothing is shown; `sources` the files that it is made of."""

    arm: Arm
    context: Context
    score: Score
    wrong: tuple[str, ...] = ()
    starved: tuple[str, ...] = ()
    routed: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        return self.score.passed and not self.wrong and not self.context.refused

    @property
    def bridged(self) -> tuple[int, int]:
        """Links between the sources of the question, and those of which both ends are named."""
        wanted = self.context.question.sources
        here = [source for source in wanted if source in self.sources]
        return len(here) * (len(here) - 1) // 2, len(wanted) * (len(wanted) - 1) // 2

    def as_json(self, seed: int) -> dict[str, Json]:
        """A row: the same under any hash seed, without times."""
        context, (linked, links) = self.context, self.bridged
        return {
            "seed": seed,
            "arm": self.arm.name,
            "class": context.question.kind,
            **self.score.as_json(),
            "passed": self.passed,
            "wrong": list(self.wrong),
            "refused": context.refused or None,
            "fetched": context.fetched or None,
            "tokens": context.tokens,
            "prompt": context.prompt,
            "committed": context.committed,
            "routed": list(self.routed),
            "starved": list(self.starved),
            "linked": [linked, links],
            "sha256": sha256(context.text.encode()).hexdigest(),
        }


def checked(contexts: Contexts, context: Context, twin: Context | None = None) -> Checked:
    """`twin` is the context of the same arm for the question that this one has to be the same as, where there is one."""
    sources = tuple(contexts.sources(context))
    found = scored(context.text, context.question, sources)
    routed = tuple(contexts.base_ids(context.routed))
    if contexts.arm.chunks:
        return Checked(contexts.arm, context, found, routed=routed, sources=sources)
    wrong = tuple(_wrong(contexts, context, twin))
    return Checked(contexts.arm, context, found, wrong, tuple(_starved(contexts, context)), routed, sources)


def _wrong(contexts: Contexts, context: Context, twin: Context | None) -> Iterator[str]:
    question = context.question
    committed = question.more.get("committed")
    if committed is not None and committed != context.committed and contexts.arm.addressing:
        yield "the route is not bound" if committed else "the route is bound"
    missing = sorted(set(question.bases) - set(contexts.base_ids(context.routed)))
    if missing and contexts.arm.addressing:
        yield f"not routed: {', '.join(missing)}"
    if twin and question.same == CONTEXT and twin.text != context.text:
        yield f"not the context of {question.same_as}"
    if twin and question.same == FACTS and twin.computed != context.computed:
        yield f"not the computed facts of {question.same_as}"


def _starved(contexts: Contexts, context: Context) -> Sequence[str]:
    routed = context.routed
    best = max(routed.values(), default=0.0)
    return contexts.base_ids(frozenset(iri for iri, score in routed.items() if score == best) - context.outlined)


class Yielding:
    """A finder that finds nothing, and lets others go on meanwhile: assemblies that are begun together really overlap."""

    name = "yielding"
    waits = True

    async def find(self, question: Question, pin: Pin, policy: Policy) -> Finding:
        await asyncio.sleep(0)
        return Finding(self.name)

    async def mint(self, question: Question, pin: Pin, policy: Policy, admitted: Sequence[Candidate]) -> Sequence[Evidence]:
        return ()


async def together(contexts: Contexts, questions: Sequence[BatteryQuestion], count: int) -> int:
    """How many of so many assemblies that are begun at once, each for one of the questions in turn, give other bytes than alone."""
    alone = [(await contexts.plan(question)).block.text for question in questions]
    finders: Sequence[Finder] = (*contexts.finders, Yielding())
    wanted = [number % len(questions) for number in range(count)]
    plans = await asyncio.gather(*(contexts.prepared(asked_of(questions[at]), finders) for at in wanted))
    return sum(plan.block.text != alone[at] for plan, at in zip(plans, wanted, strict=True))


async def asked_for(contexts: Contexts, question: BatteryQuestion) -> tuple[int, list[str]]:
    """How many replies of malformed directives were read, and what was wrong with any: a file was fetched that it does not name, or
    one was not that a well-formed one asks for. Some of them are answered to the end: a second context is made."""
    held = held_of(contexts.bench.ground.pin.generation)
    replies = question.more.get("replies") or ()
    wrong: list[str] = []
    if held is None:
        return 0, wrong
    for number, reply in enumerate(replies):
        said = str(reply["text"])
        found = {contexts.file_of(one.source) for one in fetches(said, held)}
        if found - set(reply["may"]):
            wrong.append(f"reply {number}: {', '.join(sorted(found - set(reply['may'])))} was fetched, and not asked for")
        if reply["must"] is not None and found != set(reply["must"]):
            wrong.append(f"reply {number}: {', '.join(sorted(set(reply['must']) - found))} was asked for, and not fetched")
        if number % CARRIED_OUT == 0:
            await contexts.plan(question, said)
    return len(replies), wrong
