"""Which question's block another one is shown: disjoint in seeds, and for the stricter placebo without any of the answer."""

from collections.abc import Sequence

import numpy as np

from loom.core.exposure import READERS
from loom.core.values import Iri
from loom.lab.arms.arm import ANSWER_DISJOINT, IRRELEVANT
from loom.lab.arms.basis import Basis
from loom.lab.arms.pairing import paired


def donors(items: Sequence[Basis], arm: str, seed: int) -> dict[int, int]:
    """The donor of each question by its place among `items`, where it has one; only those with a block give and take."""
    engaged = [at for at, item in enumerate(items) if item.true.served]
    some = [items[at] for at in engaged]
    admissible = seed_disjoint(some)
    if arm == ANSWER_DISJOINT:
        admissible &= answer_disjoint(some)
    else:
        assert arm == IRRELEVANT
    found = paired(admissible, [item.true.tokens for item in some], seed, arm)
    return {engaged[target]: engaged[donor] for target, donor in enumerate(found) if donor is not None}


def seed_disjoint(items: Sequence[Basis]) -> np.ndarray:
    """bool (n, n): whether two questions share no seed."""
    holding: dict[Iri, list[int]] = {}
    for at, item in enumerate(items):
        for iri in item.seeds:
            holding.setdefault(iri, []).append(at)
    disjoint = np.ones((len(items), len(items)), dtype=bool)
    for places in holding.values():
        disjoint[np.ix_(places, places)] = False
    return disjoint


def answer_disjoint(items: Sequence[Basis]) -> np.ndarray:
    """bool (n, n): whether the block of the second exposes no gold of the first, under any matcher that there is."""
    numbers: dict[str, int] = {}
    for item in items:
        for title in item.gold:
            numbers.setdefault(title, len(numbers))
    titles = tuple(numbers)
    exposed = np.zeros((len(items), len(titles)), dtype=bool)
    for at, item in enumerate(items):
        for matcher in sorted(READERS):
            lacking = READERS[matcher](item.true.text).lacks(titles)
            shown = np.ones(len(titles), dtype=bool)
            shown[[numbers[title] for title in lacking]] = False
            exposed[at] |= shown
    return np.array([~exposed[:, [numbers[title] for title in item.gold]].any(axis=1) for item in items], dtype=bool).reshape(
        len(items), len(items)
    )
