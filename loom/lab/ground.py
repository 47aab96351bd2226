"""The serving path as the lab uses it: a pinned generation with finders and policies, and the plan of any question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from loom.answer.pipeline import prepare
from loom.answer.plan import Finder, Pin, Plan
from loom.core.policy.policy import Policy
from loom.core.values import Options, Question
from loom.lab.showing import CALLER, user

AS_THE_NODE = Options()


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
        return self.policies[self.policy].matcher

    async def plan(self, prompt: str, options: Options | None = None) -> Plan:
        """What the live path gives for a question, by the same `prepare`."""
        body = {"messages": [dict(message) for message in user(prompt)]}
        question = Question(prompt, CALLER, body, options=self.options if options is None else options)
        return await prepare(
            question,
            self.pin,
            self.finders,
            self.policies,
            policy=self.policy,
            wrapper=self.wrapper,
            budget=self.budget,
        )

    def fresh(self) -> "Ground":
        """The same, remembering nothing."""
        return replace(self, pin=replace(self.pin, grounded={}))
