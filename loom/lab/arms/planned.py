"""What each arm shows for each question, before any model is asked."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from loom.core.errors import BadInput
from loom.core.policy.packing import NOTHING
from loom.core.values import Block, Json
from loom.lab.arms import arm as named
from loom.lab.arms.arm import (
    ANSWER_DISJOINT,
    BARE,
    FLAT,
    GRAPH,
    IRRELEVANT,
    MATCHED_TO,
    NOISE,
    RAW,
    SHUFFLED,
    TOLERANCE,
    TRUE,
    chosen,
)
from loom.lab.arms.asking import asked_of_graph
from loom.lab.arms.basis import Base, Basis, base
from loom.lab.arms.donors import donors
from loom.lab.arms.entities import WithoutLinks, entities
from loom.lab.arms.fitting import off_by
from loom.lab.arms.flat import Flat
from loom.lab.arms.graph import Rows, graph_block
from loom.lab.arms.masked import masked
from loom.lab.arms.noise import noise
from loom.lab.arms.shuffled import shuffled
from loom.lab.arms.template import TemplateSeed
from loom.lab.ground import Ground
from loom.lab.question import LabQuestion
from loom.lab.showing import NO_BLOCK, NO_DONOR, Showing

SEEDED = frozenset((SHUFFLED, IRRELEVANT, NOISE, ANSWER_DISJOINT))
"""Arms that draw."""


def _nothing() -> None:
    return None


@dataclass(frozen=True, slots=True)
class Planned:
    """The showings of a study: questions in their order, for each the arms in theirs.

    `template_seeds` were removed before anything was paired; `unavailable` says why an arm that was asked for is not there;
    `items` are what the showings were made from.
    """

    showings: tuple[Showing, ...]
    arms: tuple[str, ...]
    items: tuple[Basis, ...]
    template_seeds: tuple[TemplateSeed, ...]
    unavailable: Mapping[str, str]
    seed: int

    def lines(self) -> Iterator[dict[str, Json]]:
        """The lines of `plan.jsonl`: a row without a model, and the seeds of its question, by which donors were told apart."""
        for at, showing in enumerate(self.showings):
            yield {**showing.as_line(), "seeds": sorted(self.items[at // len(self.arms)].seeds)}


async def plan_arms(
    ground: Ground,
    questions: Sequence[LabQuestion],
    arms: Sequence[str] | str,
    *,
    seed: int,
    graph: Rows | None = None,
    done: Callable[[], object] = _nothing,
) -> Planned:
    """What the arms show for the questions. `graph` asks the generation's triples; without it there is no graph-query.

    True, shuffled, masked, irrelevant, fluent-noise and answer-disjoint start from the block without template seeds; scaffold,
    always-inject and entity-only are the live path's as it is. `done` is called once for each plan and each question's arms.
    Raises BadInput for unknown arms and for questions without their own ids.
    """
    wanted = chosen(arms)
    if not questions:
        raise BadInput("Expected at least one question, but got none.", param="questions")
    keys = {(question.set, question.id) for question in questions}
    if len(keys) != len(questions):
        raise BadInput("Expected every question to have its own id in its set; two share one.", param="questions")
    found = await base(ground, questions, done)
    flat = Flat(ground)
    reasons = {arm: reason for arm in wanted if arm in FLAT and (reason := flat.lacks(arm))}
    if GRAPH in wanted and graph is None:
        reasons[GRAPH] = "the generation has no triples, or pyoxigraph is not installed (extra `sparql`)"
    there = tuple(arm for arm in wanted if arm not in reasons)
    given = {arm: donors(found.items, arm, seed) for arm in there if arm in (IRRELEVANT, ANSWER_DISJOINT)}
    planning = _Planning(found, flat, graph, given, seed, ground.gate_open(), WithoutLinks(ground.concepts))
    showings = []
    for at in range(len(found.items)):
        for arm in there:
            showings.append(await planning.showing(at, arm))
        done()
    return Planned(tuple(showings), there, found.items, found.template, reasons, seed)


@dataclass(frozen=True, slots=True)
class _Planning:
    base: Base
    flat: Flat
    graph: Rows | None
    donors: Mapping[str, Mapping[int, int]]
    seed: int
    open: Ground
    plain: WithoutLinks

    async def showing(self, at: int, arm: str) -> Showing:
        item = self.base.items[at]
        shown = Showing(
            item.question,
            arm,
            wrapper="bare" if arm in BARE or arm == RAW else item.live.wrapper,
            seed=self.seed if arm in SEEDED else None,
            engaged=item.engaged,
            decision=item.decision,
        )
        if arm in BARE and not item.true.served:
            return replace(shown, status=NO_BLOCK)
        if arm in self.donors:
            return self._lent(shown, arm, at)
        block, notes = await self._made(item, arm)
        if arm in MATCHED_TO:
            notes |= _matched(block, (item.true if MATCHED_TO[arm] == TRUE else item.live.block).tokens)
        return replace(shown, block=block, notes=notes)

    def _lent(self, shown: Showing, arm: str, at: int) -> Showing:
        donor = self.donors[arm].get(at)
        if donor is None:
            return replace(shown, status=NO_DONOR)
        lender = self.base.items[donor]
        notes = {"donor_set": lender.question.set} if lender.question.set != shown.question.set else {}
        return replace(shown, block=lender.true, donor=lender.question.id, notes=notes)

    async def _made(self, item: Basis, arm: str) -> tuple[Block, dict[str, Json]]:
        prompt, tokens = item.question.prompt, item.live.block.tokens
        match arm:
            case named.RAW:
                return NOTHING, {}
            case named.SCAFFOLD:
                return item.live.block, {}
            case named.TRUE:
                return item.true, {"template_removed": True} if item.true != item.live.block else {}
            case named.SHUFFLED:
                block, wrong = shuffled(self.base, item, self.seed)
                return block, {"order": wrong} if wrong else {}
            case named.MASKED:
                return masked(self.base, item), {}
            case named.NOISE:
                return await noise(self.base, item, self.seed), {}
            case named.ALWAYS:
                return await self._always(item)
            case named.ENTITIES:
                return entities(self.base, self.plain, item), {}
            case named.GRAPH:
                assert self.graph is not None
                asked = asked_of_graph(self.base.ground, prompt, self.base.removed)
                block = graph_block(self.graph, asked, tokens, self.base.called)
                return block, {"shape": asked.shape, "subjects": list(asked.subjects)}
            case _:
                return await self.flat.block(arm, prompt, tokens), {}

    async def _always(self, item: Basis) -> tuple[Block, dict[str, Json]]:
        plan = await self.open.plan(item.question.prompt)
        return plan.block, {"differs": plan.block != item.live.block}


def _matched(block: Block, tokens: int) -> dict[str, Json]:
    """What a matched arm notes: the tokens that it should have, and by how much it is off where that is too much."""
    off = off_by(block, tokens)
    return {"tokens_wanted": tokens, **({"off_by": round(off, 4)} if off > TOLERANCE else {})}
