"""Pairs of claims that a domain's axes do not explain: close in words, and ranked far apart for the questions that people graded (seed
001 §6). They are what a judge is to propose axes from.

No standing is read (I13): every claim of the sample is ranked, by its vector and its positions, and nothing is taken off for standing.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from loom.claims.drafting import Draft
from loom.claims.fitting import placed
from loom.claims.gathering import RRF
from loom.claims.judges import Judges
from loom.core.claims.dimensions.dimension import Dimension
from loom.core.claims.dimensions.discovery import Material, residuals
from loom.core.claims.dimensions.distance import Axes
from loom.core.claims.dimensions.positions import Positions, asked
from loom.core.claims.dimensions.rerank import phi
from loom.core.claims.dimensions.rules import DEFAULT, Rules


async def unexplained(
    draft: Draft,
    given: Material,
    dimensions: Sequence[Dimension],
    places: Positions,
    weights: Mapping[str, float],
    queries: Sequence[str],
    judges: Judges,
    rules: Rules = DEFAULT,
) -> tuple[tuple[str, str], ...]:
    """The texts of the pairs, worst explained first; none without graded queries. `places` are the sample's positions on the
    dimensions, `weights` what they weigh by their ids."""
    if len(given.claims) < 2 or not queries:
        return ()
    axes = Axes.of([each.contract for each in dimensions]) if dimensions else None
    weigh = np.array([weights.get(each.id, 0.0) for each in dimensions])
    scores = np.zeros((len(queries), len(given.claims)))
    for row, (query, vector) in enumerate(zip(queries, await judges.vectors(queries), strict=True)):
        order = np.argsort(-(given.vectors @ vector), kind="stable")
        scores[row, order] = 1.0 / (RRF + 1.0 + np.arange(len(order)))
        if axes is not None:
            scores[row] += phi(axes, asked(dimensions, *await placed(draft, query, dimensions, judges)), places, rules) @ weigh
    texts = dict(zip(given.claims, given.texts, strict=True))
    return tuple((texts[each.first], texts[each.second]) for each in residuals(given, scores))
