"""Makes what finders keep of a generation before it serves, so that no question waits for it."""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from loom.answer.pipeline import prepare
from loom.answer.plan import Finder, Pin, Warming
from loom.core.policy.policy import Policy
from loom.core.values import Question, Scope

NOBODY = Question("What is there, and how much of it?", Scope("node"))
"""A question whose answer nobody sees."""


def warm(finders: Sequence[Finder], policies: Mapping[str, Policy], pin: Pin) -> None:
    """May take a second: for the thread that opens a generation. Raises where a part cannot be opened."""
    for finder in finders:
        if isinstance(finder, Warming):
            finder.warm(pin)
    steps = prepare(NOBODY, pin, [finder for finder in finders if not finder.waits], policies)
    with suppress(StopIteration):
        steps.send(None)
    steps.close()
