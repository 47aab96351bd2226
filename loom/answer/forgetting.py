"""What a process remembers of questions and answers so that they need not be worked out again, and how it forgets them.

Once something said is deleted, no memo may hold its words either: what was shown for a question, how its text was read, its vector.
"""

import sys
from collections.abc import Iterable
from functools import lru_cache

from loom.answer.plan import Finder, Forgetful, Pin

FEWEST = 64
"""Entries from which a memo of a function is one of texts; smaller ones hold what follows from generations."""
OURS = ("loom.", "loom_adapters.")
MEMO = type(lru_cache(int))


def forget(pin: Pin | None, finders: Iterable[Finder]) -> None:
    """Empty all of them."""
    if pin is not None:
        pin.grounded.clear()
    holders: tuple[object, ...] = (*finders, pin.semantics if pin else None)
    for holder in holders:
        if isinstance(holder, Forgetful):
            holder.forget()
    for name, module in list(sys.modules.items()):
        if name.startswith(OURS):
            for value in list(vars(module).values()):
                # By its type: among what a module holds are objects that answer to any name.
                if isinstance(value, MEMO) and (value.cache_parameters()["maxsize"] or 0) >= FEWEST:
                    value.cache_clear()
