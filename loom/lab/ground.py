"""The serving path as the lab uses it: a pinned generation with finders and policies, and the plan of any question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from loom.answer.pipeline import prepare
from loom.answer.plan import Finder, Pin, Plan
from loom.core.concepts import Concepts
from loom.core.errors import BadInput
from loom.core.policy.gate import always
from loom.core.policy.policy import Policy
from loom.core.values import Candidate, Evidence, Finding, Iri, Options, Question
from loom.lab.showing import CALLER, user

AS_THE_NODE = Options()


class Leaving:
    """A finder that does not propose some addresses; in all else as the one behind it."""

    def __init__(self, behind: Finder, out: frozenset[Iri]) -> None:
        self.name = behind.name
        self.waits = behind.waits
        self._behind = behind
        self._out = out

    async def find(self, question: Question, pin: Pin, policy: Policy) -> Finding:
        found = await self._behind.find(question, pin, policy)
        return replace(found, candidates=tuple(each for each in found.candidates if each.iri not in self._out))

    async def mint(self, question: Question, pin: Pin, policy: Policy, admitted: Sequence[Candidate]) -> Sequence[Evidence]:
        return await self._behind.mint(question, pin, policy, admitted)


@dataclass(frozen=True, slots=True)
class Ground:
    """What a study grounds by. `policy`, `wrapper` and `budget` are the study's; finders and policies those of a node."""

    pin: Pin
    finders: Sequence[Finder]
    policies: Mapping[str, Policy]
    policy: str = "default"
    wrapper: str = "authoritative"
    budget: int = 1500
    options: Options = AS_THE_NODE

    @property
    def matcher(self) -> str:
        return self.chosen.matcher

    async def plan(self, prompt: str, options: Options | None = None) -> Plan:
        """What the live path gives for a question, by the same `prepare`."""
        return await prepare(
            self._question(prompt, options),
            self.pin,
            self.finders,
            self.policies,
            policy=self.policy,
            wrapper=self.wrapper,
            budget=self.budget,
        )

    def _question(self, prompt: str, options: Options | None = None) -> Question:
        body = {"messages": [dict(message) for message in user(prompt)]}
        return Question(prompt, CALLER, body, options=self.options if options is None else options)

    @property
    def chosen(self) -> Policy:
        """The policy of the study."""
        return self.policies[self.options.policy or self.policy]

    @property
    def concepts(self) -> Concepts:
        """The concepts of the generation. Raises BadInput where it has none."""
        found = self.pin.generation.part(Concepts)
        if found is None:
            raise BadInput("Expected a generation that holds concepts, but this one has none.", param="generation")
        return found

    async def mint(self, prompt: str, candidates: Sequence[Candidate]) -> Sequence[Evidence]:
        """What the live renderer makes of addresses for a question: of the first finder that makes anything of them."""
        for finder in self.finders:
            if made := await finder.mint(self._question(prompt), self.pin, self.chosen, candidates):
                return made
        return ()

    def without(self, out: frozenset[Iri]) -> "Ground":
        """The same path, on which no finder proposes these addresses."""
        return replace(self, finders=tuple(Leaving(finder, out) for finder in self.finders)) if out else self

    def gate_open(self) -> "Ground":
        """The same path with a gate that lets everything pass that was found."""
        return replace(self, policies={name: replace(policy, decide=always) for name, policy in self.policies.items()})

    def fresh(self) -> "Ground":
        """The same, remembering nothing."""
        return replace(self, pin=replace(self.pin, grounded={}))
