"""What the built-in reader says of what a plan shows: the reply of a node without a model, and of one whose model's words cannot go out."""

from loom.answer.plan import Plan
from loom.core.reader.extract import answer


def said_of(plan: Plan) -> str:
    """Quoted from the block, each line with the number of its unit; a sentence of its own where the block is empty."""
    return answer(plan.question.text, plan.block.served)
