"""The Useful screen: does an axis earn a weight, and does the ranking gain by it on queries that its fit did not see (seed §5.4)?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from loom.core.claims.dimensions.fit import gradient, solved, steepened, steepness
from loom.core.claims.dimensions.gain import gains, mean
from loom.core.claims.dimensions.judged import Judged, Pairs, pairs
from loom.core.claims.dimensions.registry import Floats
from loom.core.claims.dimensions.rules import DEFAULT, Rules
from loom.core.errors import BadInput


@dataclass(frozen=True, slots=True)
class Screened:
    """In how many folds the axis had a weight, in how many the held-out queries were ranked better with it (a tie is none), and its
    mean weight over the folds."""

    nonzero: int
    higher: int
    weight: float
    useful: bool


def folds(queries: Sequence[str], count: int) -> NDArray[np.int64]:
    """The fold of each query, by its hash: as even as may be, and the same in any order of the queries."""
    order = sorted(range(len(queries)), key=lambda at: (sha256(queries[at].encode()).digest(), queries[at]))
    found = np.empty(len(queries), np.int64)
    found[order] = np.arange(len(queries)) % count
    return found


def screen(
    judged: Sequence[Judged], active: Sequence[int], candidates: Sequence[int], rules: Rules = DEFAULT
) -> Mapping[int, Screened] | None:
    """The outcome of each axis by its column: of an active one with all active against all but it, of a candidate with it against
    the active alone. None where the domain has too few queries. Raises BadInput for a query or a column that is given twice."""
    if len(judged) < rules.queries:
        return None
    names = [each.query for each in judged]
    if len(set(names)) != len(names) or len({*active, *candidates}) != len(active) + len(candidates):
        raise BadInput("Expected every query and every column once.", param="judged")
    columns = [*active, *candidates]
    made = pairs(judged)
    # With an axis and without it, a fit is as steep.
    wide = [replace(each, features=each.features[:, columns]) for each in judged]
    steep = steepness(made.over(columns), wide, rules.sparsity)
    made = steepened(made, steep)
    fold = folds(names, rules.folds)
    outcomes: dict[int, list[tuple[float, bool]]] = {column: [] for column in (*active, *candidates)}
    for number in range(rules.folds):
        held = [each for each, at in zip(judged, fold.tolist(), strict=True) if at == number]
        train = made.of(fold != number)
        whole = _fitted(train, active, rules)
        base = _reached(held, whole / steep)
        slope = gradient(train, whole, rules.sparsity)
        for column in active:
            others = [each for each in active if each != column]
            # An axis without a weight can go, and nothing else moves: that is a tie.
            better = bool(whole[column] > 0) and base > _reached(held, _fitted(train, others, rules, whole) / steep)
            outcomes[column].append((float(whole[column]) / steep, better))
        for column in candidates:
            # Where its weight would not even begin to grow, the optimum with it is the one without it.
            more = _fitted(train, [*active, column], rules, whole) if slope[column] < 0 else whole
            outcomes[column].append((float(more[column]) / steep, more is not whole and _reached(held, more / steep) > base))
    return {column: _outcome(found, rules) for column, found in outcomes.items()}


def _fitted(train: Pairs, columns: Sequence[int], rules: Rules, start: Floats | None = None) -> Floats:
    """(w …, λ) over all columns; those that are not among `columns` are 0."""
    kept = [*columns, train.axes]
    found, _, _ = solved(train.over(columns), rules.sparsity, None if start is None else start[kept])
    wide = np.zeros(train.axes + 1)
    wide[kept] = found
    return wide


def _reached(held: Sequence[Judged], found: Floats) -> float:
    return mean(gains(held, found[:-1], float(found[-1])))


def _outcome(found: list[tuple[float, bool]], rules: Rules) -> Screened:
    nonzero = sum(weight > 0 for weight, _ in found)
    higher = sum(better for _, better in found)
    weight = float(np.mean([weight for weight, _ in found]))
    return Screened(nonzero, higher, weight, nonzero >= rules.majority and higher >= rules.majority)
