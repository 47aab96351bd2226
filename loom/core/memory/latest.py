"""The last that was said of somebody: for a question that asks who they are or what was of them at a time, and nothing else."""

from collections.abc import Sequence

from loom.core.memory.recall import timely
from loom.core.memory.values import Hit, View

LOOKED = 500
"""Turns at the end of a conversation that are looked through."""


def latest(view: View, subjects: Sequence[str], most: int, times: Sequence[str] = ()) -> tuple[Hit, ...]:
    """The last pieces of these subjects, the newest first, each as a hit that covers all of the question. Where there are `times`
    (`timing.Time.iso`), only those of one of them."""
    # No number is given twice, so the last turns have numbers from here on.
    numbers = view.turns(max(view.size().turns - LOOKED, 0) - 1, 1 << 30)[-LOOKED:]
    pieces = view.pieces([(number, subject) for number in reversed(numbers) for subject in subjects])
    keys = list(pieces)
    if times:
        keys = [key for key, same in zip(keys, timely(view, times, keys).tolist(), strict=True) if same]
    return tuple(Hit(turn, subject, 1.0, 1.0) for turn, subject in keys[:most])
