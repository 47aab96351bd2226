"""The true block with its sentences in another order: what depends on order alone (seed §5.4).

A matcher reads on past the end of a sentence, so that two neighbours may make a name together. Sentences that do so in the true
block stay together, and an order in which others would is drawn again: both blocks expose the same names.
"""

import re
from collections.abc import Sequence
from itertools import groupby, pairwise
from random import Random

from loom.core.exposure import READERS, shown_names
from loom.core.mint.make import make
from loom.core.policy.packing import FOOTER, HEADER, NOTHING
from loom.core.values import Block
from loom.lab.arms.basis import Base, Basis
from loom.lab.arms.crossing import Crossing, of_titles
from loom.lab.arms.fitting import Line, shown, whole

DRAWS = 200

# A sentence ends at a stop before a space; not at the stop of an abbreviation or of an initial.
_END = re.compile(
    r"(?<=[.!?。！？])(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bcf\.)(?<!\bvs\.)(?<!\betc\.)(?<!\bapprox\.)(?<!\b[A-Z]\.)\s+"
)


def sentences(block: Block) -> list[Line]:
    """The sentences of a block's body, in order, each with the names that it shows; a line ends a sentence."""
    found: list[Line] = []
    for served in block.served:
        for line, names in zip(served.lines, served.evidence.names[: len(served.lines)], strict=True):
            parts = [part for part in _END.split(line) if part.strip()]
            held = [shown(part, names) if len(parts) > 1 else tuple(names) for part in parts]
            lost = tuple(name for name in names if not any(name in each for each in held))
            found += [
                (part, (*own, *(lost if at == 0 else ()))) for at, (part, own) in enumerate(zip(parts, held, strict=True))
            ]
    return found


def shuffled(base: Base, item: Basis, seed: int) -> tuple[Block, str]:
    """The block in another order, and what is wrong with it: there is no other order, or none was found that exposes the same
    names as the true block under every matcher; "" where nothing is."""
    lines = sentences(item.true)
    if not lines:
        return NOTHING, ""
    stated = (*shown_names(item.true), *item.gold, *(target.title for target in item.question.gold_extra))
    sources = (base.ground.concepts.remembered(0, of_titles), Crossing(stated))
    made = [_crossing(sources, first, second) for (first, _), (second, _) in pairwise(lines)]
    groups = _together(lines, [False, *map(bool, made)])
    if len(groups) < 2:
        return _block(item, groups), "there is only one sentence"
    there = frozenset().union(*made, *_ends(sources, lines[0], lines[-1]))
    rng = Random(f"{seed}:shuffled:{item.key}")
    best = item.true
    for _ in range(DRAWS):
        order = rng.sample(groups, len(groups))
        if order != groups:
            best = _block(item, order)
            met = frozenset().union(
                *(_crossing(sources, first[-1][0], second[0][0]) for first, second in pairwise(order)),
                *_ends(sources, order[0][0], order[-1][-1]),
            )
            if all(_alike(item.true.text, best.text, name) for name in sorted(met | there)):
                return best, ""
    return best, "other names are exposed"


def _crossing(sources: Sequence[Crossing], before: str, after: str) -> frozenset[str]:
    return frozenset(name for source in sources for name in source.names(before, after))


def _ends(sources: Sequence[Crossing], first: Line, last: Line) -> tuple[frozenset[str], frozenset[str]]:
    return _crossing(sources, HEADER, first[0]), _crossing(sources, last[0], FOOTER)


def _alike(true: str, other: str, name: str) -> bool:
    return all(READERS[matcher](true).names(name) == READERS[matcher](other).names(name) for matcher in sorted(READERS))


def _together(lines: Sequence[Line], bound: Sequence[bool]) -> list[tuple[Line, ...]]:
    """Runs of sentences of which each is bound to the one before it."""
    number, numbers = 0, []
    for tied in bound:
        number += not tied
        numbers.append(number)
    return [tuple(line for line, _ in run) for _, run in groupby(zip(lines, numbers, strict=True), key=lambda pair: pair[1])]


def _block(item: Basis, groups: Sequence[Sequence[Line]]) -> Block:
    first = item.true.served[0].evidence
    return whole([make(iri=first.iri, title=first.title, lines=[line for group in groups for line in group], home=first.home)])
