"""Drawing an audit's sample: stratified by the matcher's cell, then in proportion over template and gold type, then over models,
then at random without replacement (lab spec, "Judging"; seed 000 §10.2)."""

import random
from collections.abc import Mapping, Sequence
from typing import TypeVar

from loom.core.errors import BadInput
from loom.lab.judging.units import CELLS, Frame

K = TypeVar("K", bound=tuple[str, ...])

SIZES = {"n11": 240, "n10": 120, "n00": 60}
"""Units of each cell in the published audit; n01 is taken whole."""


def sizes_of(text: str | None) -> dict[str, int]:
    """Sizes as a flag states them: one total (parted 4 : 2 : 1), or n11=240,n10=120,n00=60. Raises BadInput."""
    if text is None:
        return dict(SIZES)
    wrong = BadInput(
        f"Expected --sample to be a number of units, 1 or more, or n11=240,n10=120,n00=60, but got {text!r}; n01 is always taken whole.",
        param="sample",
    )
    if text.strip().isdecimal():
        if not int(text):
            raise wrong
        parts = apportioned({(cell,): size for cell, size in SIZES.items()}, int(text), 0, "sizes", capped=False)
        return {cell: parts[(cell,)] for cell in SIZES}
    sizes = dict.fromkeys(SIZES, 0)
    for piece in text.split(","):
        cell, equals, number = piece.partition("=")
        if not equals or cell.strip() not in sizes or not number.strip().isdecimal():
            raise wrong
        sizes[cell.strip()] = int(number)
    if not any(sizes.values()):
        raise wrong
    return sizes


def apportioned(sizes: Mapping[K, int], n: int, seed: int, purpose: str, *, capped: bool = True) -> dict[K, int]:
    """`n` parted in proportion to sizes by largest remainders, no part larger than its size. Equal remainders fall by a seeded
    draw, so that no key is favoured for its name."""
    total = sum(sizes.values())
    if capped:
        n = min(n, total)
    if not total:
        return dict.fromkeys(sizes, 0)
    keys = sorted(sizes)
    order = list(keys)
    random.Random(f"{seed}:{purpose}").shuffle(order)
    rank = {key: place for place, key in enumerate(order)}
    parts = {key: n * sizes[key] // total for key in keys}
    rest = n - sum(parts.values())
    for key in sorted(keys, key=lambda key: (-(n * sizes[key] % total), rank[key]))[:rest]:
        parts[key] += 1
    return parts


def drawn(frame: Frame, sizes: Mapping[str, int], seed: int) -> dict[tuple[int, int], str]:
    """Places of the sampled units, each with its cell: n01 whole, of the other cells as many as asked for and there are."""
    places: dict[tuple[int, int], str] = {}
    for cell in CELLS:
        strata = {stratum: found for stratum, found in sorted(frame.strata.items()) if stratum[0] == cell}
        wanted = frame.counts[cell] if cell == "n01" else min(sizes.get(cell, 0), frame.counts[cell])
        groups: dict[tuple[str, str, str], dict[tuple[str, str, str, str], int]] = {}
        for stratum, found in strata.items():
            groups.setdefault(stratum[:3], {})[stratum] = len(found)
        parts = apportioned({group: sum(of.values()) for group, of in groups.items()}, wanted, seed, f"cells {cell}")
        for group, part in parts.items():
            for stratum, n in apportioned(groups[group], part, seed, f"models {' '.join(group)}").items():
                for at in chosen(len(strata[stratum]), n, seed, " ".join(stratum)):
                    places[strata[stratum][at]] = cell
    return places


def chosen(size: int, n: int, seed: int, purpose: str) -> Sequence[int]:
    """`n` of `size` places at random without replacement, in order."""
    return sorted(random.Random(f"{seed}:units {purpose}").sample(range(size), n))
