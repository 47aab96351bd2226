"""What each arm gives a question, by the path that answers it: no model is asked for any of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from loom.answer.asked import question_of
from loom.answer.finders.facts import FactsFinder
from loom.answer.pipeline import prepare
from loom.answer.plan import Finder, Plan
from loom.answer.route import ROUTED
from loom.core.errors import BudgetError
from loom.core.facts.assembling import Ways
from loom.core.facts.citing import cited
from loom.core.facts.sealed import held_of
from loom.core.facts.values import Base
from loom.core.policy.merge import merge
from loom.core.values import Block, Iri, Json, Options, Question, Tier, tokens_of
from loom.lab.battery.arm import Arm
from loom.lab.battery.flat_text import Embed, FlatText
from loom.lab.battery.question import BatteryQuestion
from loom.lab.ground import Ground
from loom.lab.showing import CALLER

MOST_ASKED = 4
"""Files that one directive may name."""


@dataclass(frozen=True, slots=True)
class Context:
    """What one arm gave one question. `plan` is None where the budget was refused, for the reason in `refused`; `fetched` is the
    directive behind a second context; `seconds` is what assembling took."""

    question: BatteryQuestion
    plan: Plan | None = None
    refused: str = ""
    fetched: str = ""
    seconds: float = 0.0

    @property
    def text(self) -> str:
        return self.plan.block.text if self.plan else ""

    @property
    def tokens(self) -> int:
        return self.plan.block.tokens if self.plan else 0

    @property
    def prompt(self) -> int:
        """Tokens of all messages that a model would be sent."""
        return sum(tokens_of(str(each.get("content") or "")) for each in self.plan.prompt.body["messages"]) if self.plan else 0

    @property
    def computed(self) -> str:
        """The computed evidence, without the rules, which name the layers beside it."""
        served = self.plan.block.served if self.plan else ()
        told = (each for each in served if each.evidence.tier is Tier.COMPUTED and not each.evidence.guides)
        return "\n\n".join("\n".join(each.lines) for each in told)

    @property
    def committed(self) -> bool:
        return self.plan is not None and self.plan.decision.only is not None

    @property
    def routed(self) -> dict[Iri, float]:
        """Scores of the routed bases."""
        found = self.plan.decision.of(FactsFinder.name) if self.plan else ()
        return {each.iri: each.score for each in found if each.why == ROUTED}

    @property
    def outlines(self) -> int:
        """Tokens of all outlines."""
        served = self.plan.block.served if self.plan else ()
        return sum(each.tokens for each in served if each.evidence.tier is Tier.STRUCTURE)

    @property
    def outlined(self) -> frozenset[Iri]:
        """Bases of whose outline anything is shown."""
        served = self.plan.block.served if self.plan else ()
        return frozenset(each.evidence.iri for each in served if each.evidence.tier is Tier.STRUCTURE)


@dataclass(frozen=True, slots=True)
class Bench:
    """A corpus that is built: the node's path over it, its bases, and its files as text by base and path."""

    ground: Ground
    texts: Mapping[str, str]
    outline: int
    embed: Embed | None = None
    monotonic: Callable[[], float] = lambda: 0.0

    @property
    def bases(self) -> Sequence[Base]:
        held = held_of(self.ground.pin.generation)
        return held.bases if held else ()


class Contexts:
    """The contexts of one arm over one corpus."""

    def __init__(self, bench: Bench, arm: Arm, flat: FlatText | None = None) -> None:
        self.arm = arm
        self.bench = bench
        self._flat = flat
        self._budget = arm.budget or bench.ground.budget
        self._ids = {base.iri: base.id for base in bench.bases}
        self._files = {source.iri: f"{base.id}/{source.name}" for base in bench.bases for source in base.sources}
        ways = ways_of(arm, self._budget, bench.outline)
        facts = FactsFinder(ways, readout=arm.readout, addressing=arm.addressing)
        self.finders: Sequence[Finder] = (*(one for one in bench.ground.finders if one.name != facts.name), facts)

    async def of(self, question: BatteryQuestion) -> Context:
        """The context of a question, after the directive for its sources where the arm asks and the context offers it."""
        began = self.bench.monotonic()
        try:
            plan = await self.plan(question)
            directive = asking(plan, question) if self.arm.asks else ""
            if directive:
                plan = await self.plan(question, directive)
        except BudgetError as error:
            return Context(question, refused=error.message, seconds=self.bench.monotonic() - began)
        return Context(question, plan, fetched=directive, seconds=self.bench.monotonic() - began)

    async def plan(self, question: BatteryQuestion, fetch: str = "") -> Plan:
        """The plan of the first round, or of the second, for what a model asked. Raises BudgetError."""
        return await self.planned(asked_of(question, fetch))

    async def planned(self, question: Question) -> Plan:
        """The plan of a question of the node under this arm. Raises BudgetError."""
        return self._flattened(await self.prepared(question))

    async def prepared(self, question: Question, finders: Sequence[Finder] | None = None) -> Plan:
        ground = self.bench.ground
        return await prepare(
            question,
            replace(ground.pin, grounded={}),
            finders or self.finders,
            ground.policies,
            policy=ground.policy,
            wrapper=ground.wrapper,
            budget=self._budget,
        )

    def _flattened(self, plan: Plan) -> Plan:
        if self._flat is None:
            return plan
        found = plan.decision.of(FactsFinder.name)
        route = frozenset(each.iri for each in found if each.why == ROUTED)
        block = self._flat.block(plan.question.text, route, plan.block.tokens or self._budget, self.arm.chunks)
        return with_block(plan, block)

    def base_ids(self, iris: frozenset[Iri] | dict[Iri, float]) -> list[str]:
        return sorted(self._ids.get(iri, iri) for iri in iris)

    def file_of(self, source: Iri) -> str:
        """A file by base and path."""
        return self._files.get(source, source)

    def sources(self, context: Context) -> list[str]:
        """The files that a context is made of, by base and path: where its evidence is at home, and what its lines cite."""
        served = context.plan.block.served if context.plan else ()
        found = {self._files[each.evidence.home] for each in served if each.evidence.home in self._files}
        routed = self.base_ids(context.routed) or sorted(self._ids.values())
        known = frozenset(self._files.values())
        found |= {f"{base}/{name}" for name in cited(context.text) for base in routed if f"{base}/{name}" in known}
        return sorted(found)


def ways_of(arm: Arm, budget: int, outline: int) -> Ways:
    """How an arm assembles."""
    return Ways(budget=budget, context=arm.context, flat=arm.uniform, outline=outline)


def asked_of(question: BatteryQuestion, fetch: str = "", more: Mapping[str, Json] | None = None) -> Question:
    """A question of the battery as the node reads the request that it stands in."""
    body = {**(more or {}), "messages": [dict(message) for message in question.messages]}
    asked, _ = question_of(body, CALLER, Options(), side_calls=False)
    return replace(asked, fetch=fetch)


def asking(plan: Plan, question: BatteryQuestion) -> str:
    """The directive of a model that knows what it needs; "" where the context offers none."""
    if plan.contract is None or not plan.contract.offered:
        return ""
    stretch: Sequence[int | None] = question.more.get("between") or ()
    span = "@" + "-".join(str(end) for end in stretch) if stretch and None not in stretch else ""
    paths = dict.fromkeys(source.partition("/")[2] for source in question.sources)
    return "\n".join(f"{plan.contract.prefix} {path}{span}" for path in list(paths)[:MOST_ASKED])


def with_block(plan: Plan, block: Block) -> Plan:
    return replace(plan, block=block, prompt=merge(plan.question, block, plan.wrapper), contract=None)
