"""Weights and penalty of a domain from graded queries: what a read would have found for each, where it is, and what a fit makes of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from loom.claims.axes import held
from loom.claims.drafting import Draft
from loom.claims.gathering import RERANKED, SETTLED, Wants, by_scores, fused
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
from loom.core.claims.stored import ProjectionRow, StoredClaim
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


async def found(
    draft: Draft, graded: Mapping[str, Mapping[str, float]], domain: str, store: ClaimStore, judges: Judges
) -> list[Asked]:
    """What a read of the newest version finds for each graded query in a domain, in the order of a cross-encoder where reads have one; a
    query that finds nothing is left out."""
    queries = list(graded)
    vectors = await judges.vectors(queries)
    made = []
    for query, vector in zip(queries, vectors, strict=True):
        held = await store.look(lambda view, q=query, v=vector: _candidates(view, q, v, domain))  # type: ignore[misc]
        one = _asked(query, await _reordered(draft, query, held, judges), graded[query])
        if one.ids:
            made.append(one)
    return made


@dataclass(frozen=True, slots=True)
class _Candidates:
    """What the searches found, in the order of s₀, and the texts of it all."""

    ids: Sequence[str]
    base: Sequence[float]
    texts: Mapping[str, str]
    claims: Mapping[str, StoredClaim]


def _candidates(view: ClaimView, query: str, vector: np.ndarray, domain: str) -> _Candidates:
    base = fused(view, Wants(query, domains=(domain,)), vector, (domain,))
    ids = sorted(base, key=lambda id: (-base[id], id))
    claims, signals = view.claims(ids), view.signals(ids)
    texts = {id: each.claim.proposition for id, each in claims.items()}
    texts |= {id: each.signal.proposition for id, each in signals.items()}
    ids = [id for id in ids if id in texts]
    return _Candidates(ids, [base[id] for id in ids], texts, claims)


async def _reordered(draft: Draft, query: str, held: _Candidates, judges: Judges) -> _Candidates:
    """The candidates as a read would have them: s₀ is handed out anew among the first."""
    first = held.ids[:RERANKED]
    if judges.reranking is None or len(first) < 2:
        return held
    scores = draft.take(await judges.reranking.rerank(query, [held.texts[id] for id in first]), "upkeep")
    if not scores:
        return held
    return replace(held, ids=[*(first[at] for at in by_scores(scores)), *held.ids[RERANKED:]])


def _asked(query: str, held: _Candidates, grades: Mapping[str, float]) -> Asked:
    # Nobody graded the signals that came beside: against them, any axis would win by being one of claims alone.
    kept = [(id, base) for id, base in zip(held.ids, held.base, strict=True) if id in held.claims or id in grades]
    return Asked(
        query,
        tuple(id for id, _ in kept),
        np.array([base for _, base in kept], np.float64),
        {id: each.claim.proposition for id, each in held.claims.items()},
        np.array([id in held.claims and held.claims[id].standing not in SETTLED for id, _ in kept], np.float64),
        np.array([grades.get(id, 0.0) for id, _ in kept], np.float64),
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
            place = await placed(draft, each.query, dimensions, judges)
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


async def placed(draft: Draft, query: str, dimensions: Sequence[Dimension], judges: Judges) -> tuple[np.ndarray, np.ndarray]:
    """Where a query is on each dimension that queries may be placed on: its code and relevance, not a number elsewhere."""
    codes, relevance = np.full(len(dimensions), np.nan), np.full(len(dimensions), np.nan)
    places = [(at, each) for at, each in enumerate(dimensions) if each.distilled]
    if judges.queries is not None and places:
        judging = await judges.queries.project([Placing(axis_of(each.contract), query) for _, each in places])
        answers: Sequence[Placed] = draft.take(judging, "upkeep")
        for (at, each), one in zip(places, answers, strict=True):
            value = held(each.contract, one)
            if value is not None:
                codes[at], relevance[at] = each.contract.space.code(value), one.relevance
    return codes, relevance


def _projection(row: ProjectionRow) -> Projection:
    assert row.value is not None and not isinstance(row.value, list | dict)
    return Projection(row.claim, row.dimension, row.version, row.projector, row.value, row.relevance, row.at)
