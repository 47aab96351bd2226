"""Nodes that are measured: the one that serves, the same without one component, and the same with its gate open."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from loom import compose
from loom.answer.finders.switches import ALL, Switches
from loom.answer.plan import Pin, Plan
from loom.answer.replay import PLAIN, Asked, Given, given, question
from loom.core.concepts import Concepts
from loom.core.policy.gate import always
from loom.core.values import Options


@dataclass(frozen=True, slots=True)
class Answered:
    """What a node gave for one question, and the text of the units that it served."""

    asked: Asked
    given: Given
    unit_texts: tuple[str, ...]

    def serves(self, *members: str) -> bool:
        """Whether a concept that one of the row's members names is among the units."""
        return any(not self.asked.slugs(member).isdisjoint(self.given.keys) for member in members)

    def begins_with(self, *members: str) -> bool:
        """Whether the first unit is such a concept."""
        return any(bool(self.given.keys) and self.given.keys[0] in self.asked.slugs(member) for member in members)


def without(node: compose.Node, component: str) -> compose.Node:
    """The node with one component of retrieval off, by its name in `Switches`."""
    return switched(node, replace(ALL, **{component: False}))


def switched(node: compose.Node, switches: Switches) -> compose.Node:
    """The node with only some of the components of retrieval at work."""
    policies = {
        name: policy if switches.conversation else replace(policy, follows=False) for name, policy in node.policies.items()
    }
    return replace(node, finders=compose.finders(node.settings, switches), policies=policies)


def gate_open(node: compose.Node) -> compose.Node:
    """The node with a gate that lets everything pass that was found: what would have been served, whatever the confidence."""
    return replace(node, policies={name: replace(policy, decide=always) for name, policy in node.policies.items()})


def ask(node: compose.Node, pin: Pin, asked: Sequence[Asked], options: Options = PLAIN) -> list[Answered]:
    """Every question asked of the node along the path that serves; nothing is remembered between two calls."""
    fresh = replace(pin, grounded={})

    async def all_of_them() -> list[Answered]:
        return [_answered(await node.prepare(question(each, options), fresh), each) for each in asked]

    return asyncio.run(all_of_them())


def _answered(plan: Plan, asked: Asked) -> Answered:
    concepts = plan.pin.generation.part(Concepts)
    texts = []
    for served in plan.block.served:
        row = concepts.row(served.evidence.iri) if concepts else None
        record = concepts.record(row) if concepts and row is not None else {}
        stated = (record.get(name, "") for name in ("title", "definition", "full"))
        texts.append("\n".join([*stated, *record.get("aliases", ()), *served.lines]))
    return Answered(asked, given(plan, asked), tuple(texts))
