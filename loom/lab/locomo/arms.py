"""The arms of the benchmark, each a policy (specs/memory.md §3 to §7), and what it does with it."""

from dataclasses import dataclass, replace

from loom.core.memory.policy import PUBLISHED, SPEAKER, TURN, Policy

RECALL, EDGE, ORACLE, CONSTANT = "recall", "edge", "oracle", "constant"


@dataclass(frozen=True, slots=True)
class Arm:
    """`kind` is RECALL, EDGE (the same, answered off the claim that fits), ORACLE (handed the annotated evidence) or CONSTANT (always
    silent).
    `derived` says whether what the seed's rule infers is among the pieces."""

    name: str
    policy: Policy
    kind: str = RECALL
    derived: bool = False


def _turns(policy: Policy) -> Policy:
    return replace(policy, reads=replace(policy.reads, unit=TURN))


def _flat(policy: Policy) -> Policy:
    return replace(policy, recalls=replace(policy.recalls, scope=False))


OURS = Policy()
ARMS = {
    arm.name: arm
    for arm in (
        Arm("vector", _flat(_turns(PUBLISHED))),
        Arm("scoped", _turns(PUBLISHED)),
        Arm("span", _flat(PUBLISHED)),
        Arm("graph", PUBLISHED),
        Arm("graph+edge", PUBLISHED, EDGE),
        Arm("speaker", replace(PUBLISHED, reads=replace(PUBLISHED.reads, subjects=SPEAKER, verbs=False))),
        Arm("oracle", _flat(_turns(PUBLISHED)), ORACLE),
        Arm("constant", PUBLISHED, CONSTANT),
        Arm("ours", OURS),
    )
}
