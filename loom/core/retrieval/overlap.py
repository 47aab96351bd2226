"""Rank-biased overlap: how far two rankings agree, their beginnings counting most."""

from collections.abc import Sequence

PATIENCE = 0.8
"""The chance that a reader goes on to the next item (p); at .8 the first five carry two thirds of the weight."""


def overlap(one: Sequence[int], other: Sequence[int], patience: float = PATIENCE) -> float:
    """Agreement of two lists without repeats, 0 to 1, extrapolated to what lies beyond the shorter one.

    Webber, Moffat & Zobel, "A similarity measure for indefinite rankings" (2010), equation 32; 0 where a list is empty.
    """
    if not one or not other:
        return 0.0
    short, long = sorted((one, other), key=len)
    seen_short: set[int] = set()
    seen_long: set[int] = set()
    shared, total, discount = 0, 0.0, 1.0
    shared_at_short = 0
    for depth in range(1, len(long) + 1):
        discount *= patience
        if depth <= len(short):
            seen_short.add(short[depth - 1])
            shared += short[depth - 1] in seen_long
        seen_long.add(long[depth - 1])
        shared += long[depth - 1] in seen_short
        if depth == len(short):
            shared_at_short = shared
        agreement = shared / depth
        if depth > len(short):
            agreement += shared_at_short * (depth - len(short)) / (len(short) * depth)
        total += discount * agreement
    beyond = (shared - shared_at_short) / len(long) + shared_at_short / len(short)
    return min(1.0, (1 - patience) / patience * total + beyond * discount)
