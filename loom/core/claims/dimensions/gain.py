"""nDCG@10 over judged queries (linear gain, discount 1 / log2(rank + 1)), and what a fit gains of it."""

from collections.abc import Sequence

import numpy as np

from loom.core.claims.dimensions.judged import Judged
from loom.core.claims.dimensions.registry import Floats
from loom.core.claims.dimensions.rerank import ranked

DEPTH = 10


def ndcg(found: Floats, judged: Judged) -> float:
    """Of the order that these scores give the candidates; not a number where no candidate has a label above 0."""
    ideal = _discounted(-np.sort(-judged.labels))
    if ideal == 0:
        return float("nan")
    return _discounted(judged.labels[ranked(found, judged.base)]) / ideal


def gains(judged: Sequence[Judged], weights: Floats, penalty: float) -> Floats:
    """nDCG@10 of each query under these coefficients, f64 (queries,)."""
    return np.array([ndcg(each.base + each.features @ weights - penalty * each.unsettled, each) for each in judged], np.float64)


def mean(values: Floats) -> float:
    """Over the queries that have one; 0 where none has."""
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else 0.0


def _discounted(labels: Floats) -> float:
    top = labels[:DEPTH]
    return float(top @ (1.0 / np.log2(np.arange(2, len(top) + 2))))
