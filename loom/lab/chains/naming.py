"""Whether texts name things, by whichever matcher a study may score with: a control must hold under each of them."""

from collections.abc import Iterable
from functools import lru_cache

from loom.core.exposure import READERS
from loom.core.exposure.names import Text


def names_any(text: str, titles: Iterable[str]) -> bool:
    """Whether any matcher finds any of the names in a text."""
    found = tuple(titles)
    return any(len(read.lacks(found)) < len(found) for read in _read(text))


@lru_cache(maxsize=256)
def _read(text: str) -> tuple[Text, ...]:
    """The text as each matcher reads it; A's and B's are held against every unit that is drawn."""
    return tuple(READERS[matcher](text) for matcher in sorted(READERS))


def apart(some: Iterable[str], others: Iterable[str]) -> bool:
    """Whether no name of one side is found in one of the other, whichever way round."""
    ours, theirs = tuple(some), tuple(others)
    return not any(names_any(name, theirs) for name in ours) and not any(names_any(name, ours) for name in theirs)
