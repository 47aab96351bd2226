"""The five criteria that make a candidate a validated dimension, over repeated projections of a sample (specs/claims.md §6).

Seed 001 §5.4 lost their thresholds; ours are in `Rules`. Each criterion is taken over the claims that concern the axis in the sets of
positions that it compares, and none is met where too few do.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations, islice

import numpy as np

from loom.core.claims.dimensions.agreement import agreement, association
from loom.core.claims.dimensions.contract import Criterion, Validation
from loom.core.claims.dimensions.gate import Flags
from loom.core.claims.dimensions.registry import Floats
from loom.core.claims.dimensions.rules import DEFAULT, Rules
from loom.core.claims.dimensions.spaces import Scalar, Space
from loom.core.errors import BadInput

AT_ONCE = 10_000
"""Claims that are drawn from together."""
PER_VALUE = 5
"""Claims for each value without order, under which labels that go together by chance look like redundancy."""
BINS = 10


@dataclass(frozen=True, slots=True)
class Readings:
    """One run of one projector over a sample: codes and relevances, f64 (n,), not a number where it gave nothing."""

    codes: Floats
    relevance: Floats

    def __post_init__(self) -> None:
        if self.codes.ndim != 1 or self.codes.shape != self.relevance.shape:
            raise BadInput(
                f"Expected a code and a relevance for each claim, but got {self.codes.shape} and {self.relevance.shape}.",
                param="readings",
            )

    def relevant(self, rules: Rules) -> Flags:
        """Which claims concern the axis and have a position."""
        return np.asarray((self.relevance >= rules.relevance) & ~np.isnan(self.codes))


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An active dimension of the domain and where it has the sample."""

    name: str
    space: Space
    readings: Readings


def sampled(claims: Iterable[str], rules: Rules = DEFAULT, seed: int = 42) -> tuple[str, ...]:
    """The claims to validate on, sorted: all, or a draw by hash that no order and no other claim changes much."""
    drawn: list[tuple[bytes, str]] = []
    rest = iter(claims)
    while some := {(sha256(f"{seed}:{each}".encode()).digest(), each) for each in islice(rest, AT_ONCE)}:
        drawn = sorted(some.union(drawn))[: rules.sample]
    return tuple(sorted(each for _, each in drawn))


def measurable(space: Space, runs: Sequence[Readings], rules: Rules = DEFAULT) -> Criterion:
    """Two projectors, or two runs of one, agree: the least agreement of any two."""
    return _agreeing("measurable", space, list(combinations(runs, 2)), rules.measurable, rules)


def stable(space: Space, first: Readings, paraphrased: Readings, rules: Rules = DEFAULT) -> Criterion:
    """Positions stay when propositions are said in other words."""
    return _agreeing("stable", space, [(first, paraphrased)], rules.stable, rules)


def discriminating(space: Space, first: Readings, rules: Rules = DEFAULT) -> Criterion:
    """No value has nearly all relevant claims; of a scalar, no tenth of its range."""
    codes = first.codes[first.relevant(rules)]
    if isinstance(space, Scalar):
        codes = np.minimum(np.floor((codes - space.low) / (space.high - space.low) * BINS), BINS - 1)
    if len(codes) < rules.overlap:
        return _few("discriminating", rules.discriminating, len(codes), rules)
    share = float(np.unique(codes, return_counts=True)[1].max() / len(codes))
    said = f"the most frequent value has {share:.0%} of {len(codes)} relevant claims"
    return Criterion("discriminating", share, rules.discriminating, share <= rules.discriminating, said)


def distinct(space: Space, first: Readings, active: Sequence[Neighbour], rules: Rules = DEFAULT) -> Criterion:
    """Non-redundant: no active axis tells nearly the same. Axes that share too few claims concern different ones."""
    worst, name = 0.0, ""
    for each in active:
        shared = first.relevant(rules) & each.readings.relevant(rules)
        a, b = first.codes[shared], each.readings.codes[shared]
        loose = sum(len(np.unique(codes)) for one, codes in ((space, a), (each.space, b)) if not one.ordered)
        if np.count_nonzero(shared) < max(rules.overlap, PER_VALUE * loose):
            continue
        found = association(space, a, each.space, b)
        if found is not None and found > worst:
            worst, name = found, each.name
    said = f"nearest to {name}" if name else "no active dimension shares enough claims with it and tells anything of it"
    return Criterion("non-redundant", worst, rules.redundant, worst < rules.redundant, said)


def relevant(first: Readings, rules: Rules = DEFAULT) -> Criterion:
    """Enough of the domain's claims concern the axis."""
    share = float(np.mean(first.relevant(rules))) if len(first.codes) else 0.0
    return Criterion("relevant", share, rules.relevant, share >= rules.relevant, f"of {len(first.codes)} claims")


def validation(
    space: Space,
    runs: Sequence[Readings],
    paraphrased: Readings,
    active: Sequence[Neighbour] = (),
    *,
    version: int = 1,
    projectors: Sequence[str] = (),
    at: str = "",
    rules: Rules = DEFAULT,
) -> Validation:
    """The record of all five over one sample; `runs` are at least two, the first of them the projector that is used.

    Raises BadInput where the sets of positions are of different samples. A sample under the minimum meets nothing."""
    if len(runs) < 2:
        raise BadInput(f"Expected two runs of projectors to compare, but got {len(runs)}.", param="runs")
    first, size = runs[0], len(runs[0].codes)
    for each in (*runs, paraphrased, *(one.readings for one in active)):
        if len(each.codes) != size:
            raise BadInput(f"Expected positions of the same {size} claims, but got {len(each.codes)}.", param="readings")
    if size < rules.minimum:
        said = f"{size} claims are sampled, fewer than {rules.minimum}"
        criteria: tuple[Criterion, ...] = (Criterion("sample", float(size), float(rules.minimum), False, said),)
    else:
        criteria = (
            measurable(space, runs, rules),
            discriminating(space, first, rules),
            stable(space, first, paraphrased, rules),
            distinct(space, first, active, rules),
            relevant(first, rules),
        )
    return Validation(version, size, criteria, tuple(projectors), at)


def _agreeing(name: str, space: Space, pairs: Sequence[tuple[Readings, Readings]], bar: float, rules: Rules) -> Criterion:
    least, size = 1.0, 0
    for one, other in pairs:
        shared = one.relevant(rules) & other.relevant(rules)
        size = int(np.count_nonzero(shared))
        if size < rules.overlap:
            return _few(name, bar, size, rules)
        found = agreement(space, one.codes[shared], other.codes[shared])
        if found is None:
            return Criterion(name, None, bar, False, f"all of {size} relevant claims have one value")
        least = min(least, found)
    return Criterion(name, least, bar, least >= bar, f"over {size} claims that both find relevant")


def _few(name: str, bar: float, size: int, rules: Rules) -> Criterion:
    return Criterion(name, None, bar, False, f"{size} claims are relevant, fewer than {rules.overlap}")
