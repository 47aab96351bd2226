"""Weights and penalty of a domain from graded queries: what a read would have found for each, where it is, and what a fit makes of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from loom.claims.axes import held
from loom.claims.drafting import Draft
from loom.claims.gathering import SETTLED, Wants, fused
from loom.claims.judges import Judges
from loom.core.claims.dimensions.dimension import Dimension
from loom.core.claims.dimensions.distance import Axes
from loom.core.claims.dimensions.fit import fit
from loom.core.claims.dimensions.fitted import Fitted
from loom.core.claims.dimensions.judged import Judged
from loom.core.claims.dimensions.judging import axis_of
from loom.core.claims.dimensions.positions import asked, positions
from loom.core.claims.dimensions.projection import Projection
from loom.core.claims.dimensions.rerank import phi
from loom.core.claims.dimensions.rules import DEFAULT, Rules
from loom.core.claims.judging.asked import Placing
from loom.core.claims.judging.given import Placed
from loom.core.claims.stored import ProjectionRow
from loom.core.claims.view import ClaimView
from loom.ports import ClaimStore


@dataclass(frozen=True, slots=True)
class Asked:
    """A graded query with what a read finds for it: ids with s₀, which of them are claims (with their texts), and which are unsettled."""

    query: str
    ids: tuple[str, ...]
    base: np.ndarray
    texts: Mapping[str, str]
    unsettled: np.ndarray
    labels: np.ndarray


async def found(graded: Mapping[str, Mapping[str, float]], domain: str, store: ClaimStore, judges: Judges) -> list[Asked]:
    """What a read of the newest version finds for each graded query in a domain; a query that finds nothing is left out."""
    queries = list(graded)
    vectors = await judges.vectors(queries)
    made = []
    for query, vector in zip(queries, vectors, strict=True):
        grades = graded[query]
        one = await store.look(lambda view, q=query, v=vector, g=grades: _found(view, q, v, domain, g))  # type: ignore[misc]
        if one.ids:
            made.append(one)
    return made


def _found(view: ClaimView, query: str, vector: np.ndarray, domain: str, grades: Mapping[str, float]) -> Asked:
    base = fused(view, Wants(query, domains=(domain,)), vector, (domain,))
    claims = view.claims(base)
    # Nobody graded the signals that came beside: against them, any axis would win by being one of claims alone.
    ids = sorted((id for id in base if id in claims or id in grades), key=lambda id: (-base[id], id))
    return Asked(
        query,
        tuple(ids),
        np.array([base[id] for id in ids], np.float64),
        {id: each.claim.proposition for id, each in claims.items()},
        np.array([id in claims and claims[id].standing not in SETTLED for id in ids], np.float64),
        np.array([grades.get(id, 0.0) for id in ids], np.float64),
    )


async def judged(
    draft: Draft,
    given: Sequence[Asked],
    dimensions: Sequence[Dimension],
    store: ClaimStore,
    judges: Judges,
    rules: Rules = DEFAULT,
) -> list[Judged]:
    """The queries with the features of these dimensions, of which validated ones are read on trial."""
    axes = Axes.of([each.contract for each in dimensions]) if dimensions else None
    rows = await store.look(lambda view: view.projections(sorted({id for each in given for id in each.texts})))
    known = [_projection(row) for several in rows.values() for row in several if row.value is not None]
    known += [_projection(row) for row in draft.projections if row.value is not None]
    made = []
    for each in given:
        features = np.zeros((len(each.ids), len(dimensions)))
        if axes is not None:
            place = await _placed(draft, each.query, dimensions, judges)
            features = phi(axes, asked(dimensions, *place), positions(each.ids, dimensions, known, rules, trial=True), rules)
        made.append(Judged(each.query, each.base, features, each.unsettled, each.labels))
    return made


def fitted(
    domain: str,
    dimensions: Sequence[Dimension],
    given: Sequence[Judged],
    columns: Sequence[int],
    at: str,
    rules: Rules,
    *,
    axes: bool,
) -> Fitted:
    """The coefficients of a domain whose active dimensions are these columns."""
    over = [Judged(each.query, each.base, each.features[:, list(columns)], each.unsettled, each.labels) for each in given]
    made = fit(over, rules, axes=axes and bool(columns))
    weights = made.weights if axes and len(columns) and not made.unfit else np.zeros(len(columns))
    named = {dimensions[column].id: float(weight) for column, weight in zip(columns, weights, strict=True)}
    return Fitted(domain, named, made.penalty, made.unfit, made.queries, made.residual, at)


async def _placed(draft: Draft, query: str, dimensions: Sequence[Dimension], judges: Judges) -> tuple[np.ndarray, np.ndarray]:
    codes, relevance = np.full(len(dimensions), np.nan), np.full(len(dimensions), np.nan)
    places = [(at, each) for at, each in enumerate(dimensions) if each.distilled]
    if judges.queries is not None and places:
        judging = await judges.queries.project([Placing(axis_of(each.contract), query) for _, each in places])
        answers: Sequence[Placed] = draft.take(judging, "upkeep")
        for (at, each), placed in zip(places, answers, strict=True):
            value = held(each.contract, placed)
            if value is not None:
                codes[at], relevance[at] = each.contract.space.code(value), placed.relevance
    return codes, relevance


def _projection(row: ProjectionRow) -> Projection:
    assert row.value is not None and not isinstance(row.value, list | dict)
    return Projection(row.claim, row.dimension, row.version, row.projector, row.value, row.relevance, row.at)
