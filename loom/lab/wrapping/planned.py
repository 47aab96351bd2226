"""What is shown: for each question whose block leaves out some of its gold, that block under each wrapper."""

from collections.abc import Callable, Sequence

from loom.answer.receipt import decision_json
from loom.core.errors import BadInput
from loom.core.exposure import READERS
from loom.core.policy.packing import NOTHING
from loom.core.policy.wrappers import WRAPPERS, wrap
from loom.core.values import Block
from loom.lab.ground import Ground
from loom.lab.question import LabQuestion
from loom.lab.showing import Showing

PREFIX = "wrapper/"
WRAPPERS_ASKED = ("authoritative", "incomplete", "supplement", "neutral", "bare")
RAW = "raw"
"""The arm without a block, beside the wrappers where it is asked for: what the model reaches by itself (§10.4)."""


def _nothing() -> None:
    return None


def omitted(question: LabQuestion, block: Block, matcher: str, wrappers: Sequence[str] = WRAPPERS_ASKED) -> tuple[str, ...]:
    """The gold that no wrapper's input exposes: neither the block, nor the question, nor a sentence around it."""
    titles = tuple(dict.fromkeys(question.titles))
    for wrapper in wrappers:
        titles = READERS[matcher](f"{wrap(wrapper, block.text)} {question.prompt}").lacks(titles)
    return titles


async def plan_wrappers(
    ground: Ground,
    questions: Sequence[LabQuestion],
    wrappers: Sequence[str] = WRAPPERS_ASKED,
    *,
    matcher: str | None = None,
    raw: bool = False,
    done: Callable[[], object] = _nothing,
) -> list[Showing]:
    """Showings in the order of questions and wrappers, only of questions that engage and have gold left out; `raw` adds the arm
    without a block. `notes.omitted` are the targets, `notes.alternatives` says that another target of an `any` question is shown,
    so that leaving these out is no fault. `done` is called after each question."""
    for wrapper in wrappers:
        if wrapper not in WRAPPERS:
            raise BadInput(f"Expected a wrapper among {', '.join(WRAPPERS)}, but got {wrapper!r}.", param="wrapper")
    reader = matcher or ground.matcher
    found: list[Showing] = []
    for question in questions:
        plan = await ground.plan(question.prompt) if question.gold else None
        done()
        if plan is None or not plan.block.text:
            continue
        left = omitted(question, plan.block, reader, wrappers)
        if not left:
            continue
        notes = {
            "omitted": list(left),
            "matcher": reader,
            "alternatives": question.gold_type == "any" and len(left) < len(set(question.titles)),
        }
        arms = [(f"{PREFIX}{wrapper}", plan.block, wrapper) for wrapper in wrappers]
        arms += [(RAW, NOTHING, "bare")] if raw else []
        found += [
            Showing(question, arm, block, wrapper, engaged=True, decision=decision_json(plan.decision), notes=notes)
            for arm, block, wrapper in arms
        ]
    return found
