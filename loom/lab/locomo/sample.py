"""A sample of questions, even over conversations and categories."""

from collections.abc import Sequence
from random import Random

from loom.lab.locomo.dataset import Question
from loom.lab.locomo.scorer import CATEGORIES


def drawn(questions: Sequence[Question], limit: int | None, seed: int) -> list[int]:
    """The places of so many questions, in their order; of all where there is no limit. One of each conversation and category is taken in
    turn, as long as there are any. A larger sample holds the smaller one of the same seed."""
    if limit is None or limit >= len(questions):
        return list(range(len(questions)))
    cells: dict[tuple[int, int], list[int]] = {}
    for at, question in enumerate(questions):
        cells.setdefault((question.talk, question.category), []).append(at)
    for (talk, category), places in cells.items():
        Random(f"{seed}:locomo-sample:{talk}:{category}").shuffle(places)
    talks = sorted({talk for talk, _ in cells})
    categories = list(CATEGORIES)
    Random(f"{seed}:locomo-sample:talks").shuffle(talks)
    Random(f"{seed}:locomo-sample:categories").shuffle(categories)
    # Along the diagonals, so that the first few are of other conversations and of other categories, too.
    order = [
        (talk, categories[(at + step) % len(categories)]) for step in range(len(categories)) for at, talk in enumerate(talks)
    ]
    found: list[int] = []
    while len(found) < limit:
        for cell in order:
            if cells.get(cell) and len(found) < limit:
                found.append(cells[cell].pop())
    return sorted(found)
