"""What the built-in reader says of what a plan shows: the reply of a node without a model, and of one whose model's words cannot go out."""

from loom.answer.plan import Plan
from loom.core.reader.extract import answer
from loom.core.values import Role


def said_of(plan: Plan) -> str:
    """Quoted from the block, each line with the number of its unit; a sentence of its own where the block is empty."""
    return answer(plan.question.text, plan.block.served)


def answers(plan: Plan) -> bool:
    """Whether the block answers the question, as far as its lines say: nothing in it says that what is asked for is absent, and
    some line states it."""
    roles = {stated.role for each in plan.block.served for stated in each.evidence.stated[: len(each.lines)] if stated}
    return Role.ABSENT not in roles and (Role.ANSWER in roles or not roles)
