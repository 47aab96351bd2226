"""Which of the things that a generation states are a question's gold, and why the others are not.

A name that the question gives away is no gold, since whoever repeats the question would be credited with it; nor is one that
another gold name holds ("Flour" beside "Rye Flour"), since whoever names the longer is credited with both.
"""

from collections import Counter
from collections.abc import Iterable

from loom.core.concepts import Concepts
from loom.core.exposure import READERS
from loom.core.mint.neutral import neutral_name
from loom.core.text import slug_of
from loom.core.values import Row
from loom.lab.question import Target
from loom.lab.questions.subjects import name_key


def targets(
    concepts: Concepts, rows: Iterable[int], prompt: str, about: Iterable[Row], left: Counter[str], *, apart: bool = True
) -> tuple[Target, ...]:
    """The gold among `rows`, in their order. `left` counts what is left out; with `apart`, names inside others are."""
    asked, told, subjects = [READERS[matcher](prompt) for matcher in sorted(READERS)], set[str](), set(about)
    kept: list[tuple[int, str]] = []
    for row in dict.fromkeys(rows):
        title = neutral_name(concepts.title(row))
        key = name_key(title)
        why = (
            "target is the subject"
            if row in subjects
            else "target is not defined here"
            if row >= concepts.count
            else "target is deprecated"
            if concepts.record(row).get("deprecated")
            else "target has no name that can be matched"
            if not key
            else "target is named by the question"
            if any(text.names(title) for text in asked)
            else "target has the name of another"
            if key in told
            else ""
        )
        if why:
            left[why] += 1
            continue
        told.add(key)
        kept.append((row, title))
    if apart:
        outer = _outermost([title for _, title in kept])
        left["target is named by another"] += len(kept) - len(outer)
        kept = [each for each in kept if each[1] in outer]
    return tuple(Target(title, slug_of(concepts.iri(row)), concepts.iri(row)) for row, title in kept)


def _outermost(titles: list[str]) -> set[str]:
    """The titles that no other one names; of two that name each other, the first."""
    found: list[str] = []
    for title in sorted(titles, key=lambda title: (-len(name_key(title)), titles.index(title))):
        if not any(READERS[matcher](other).names(title) for other in found for matcher in sorted(READERS)):
            found.append(title)
    return set(found)
