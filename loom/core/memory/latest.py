"""The last that was said of somebody: for a question that asks who they are, and nothing else."""

from collections.abc import Sequence

from loom.core.memory.values import Hit, View

LOOKED = 500
"""Turns at the end of a conversation that are looked through."""


def latest(view: View, subjects: Sequence[str], most: int) -> tuple[Hit, ...]:
    """The last pieces of these subjects, the newest first, each as a hit that covers all of the question."""
    # No number is given twice, so the last turns have numbers from here on.
    numbers = view.turns(max(view.size().turns - LOOKED, 0) - 1, 1 << 30)[-LOOKED:]
    pieces = view.pieces([(number, subject) for number in reversed(numbers) for subject in subjects])
    return tuple(Hit(turn, subject, 1.0, 1.0) for turn, subject in list(pieces)[:most])
