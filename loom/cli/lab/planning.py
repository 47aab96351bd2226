"""The serving path of a node for the lab, and the arms of a study planned over it."""

import sys
from collections.abc import Sequence
from contextlib import suppress

from loom import compose
from loom.answer.plan import Pin
from loom.cli.progress import tracked
from loom.core.errors import BadInput, MissingExtra
from loom.core.values import Options
from loom.lab.arms import Planned, plan_arms
from loom.lab.arms.arm import GRAPH
from loom.lab.ground import Ground
from loom.lab.question import LabQuestion


def ground(
    node: compose.Node,
    pin: Pin,
    *,
    policy: str | None = None,
    wrapper: str | None = None,
    budget: int | None = None,
    options: Options | None = None,
) -> Ground:
    """The serving path of a node for the lab; what is None is the node's own setting."""
    retrieval = node.settings.retrieval
    chosen = policy or retrieval.policy
    if chosen not in node.policies:
        raise BadInput(f"Expected a policy among {', '.join(node.policies)}, but got {chosen!r}.", param="policy")
    return Ground(
        pin,
        node.finders,
        node.policies,
        chosen,
        wrapper or retrieval.wrapper,
        retrieval.budget if budget is None else budget,
        options or Options(),
    )


async def planned_arms(using: Ground, questions: Sequence[LabQuestion], arms: Sequence[str], *, seed: int, pin: Pin) -> Planned:
    """What the arms show for the questions; arms that cannot be had are told on standard error. Raises BadInput where none can."""
    steps = tracked(range(2 * len(questions)), "plan", 2 * len(questions), plain=False)
    graph = None
    if GRAPH in arms:
        with suppress(MissingExtra, ImportError):
            graph = compose.rows(pin.generation)
    planned = await plan_arms(using, questions, arms, seed=seed, graph=graph, done=lambda: next(steps, None))
    next(steps, None)
    for arm, reason in planned.unavailable.items():
        print(f"loom lab: {arm} cannot be had: {reason}", file=sys.stderr)
    if not planned.arms:
        raise BadInput("Expected at least one arm that can be had, but there is none.", param="arms")
    return planned
