"""The contradiction check: new signals and claims against the claims that they may bear on (§4).

Verdicts of `supports` add a justification, those of `contradicts` a conflict edge, after the signal was lifted; others write nothing.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from loom.claims.drafting import NODE, Draft
from loom.claims.judges import Judges
from loom.core.claims.candidates import Candidates, Floors, K, Pool, Position, floor_of, for_claim, for_signal
from loom.core.claims.dimensions.dimension import Dimension
from loom.core.claims.dimensions.distance import delta
from loom.core.claims.dimensions.rules import DEFAULT, Rules
from loom.core.claims.judging.asked import Pair, Stated
from loom.core.claims.parts import Parts
from loom.core.claims.reach import meets, reach
from loom.core.claims.records import Branch
from loom.core.claims.stored import ProjectionRow, Wanted
from loom.core.claims.view import ClaimView
from loom.core.claims.writes import Contradict, Support
from loom.core.retrieval.nearest import UnitVectors
from loom.ports import ClaimStore

SAMPLE = 100
"""Signals of a domain that its floor is told from: the first that were written, so that it stays as more come."""


@dataclass(frozen=True, slots=True)
class Near:
    """The claims nearest to something, of a version and of the batch: enough of them to choose candidates from."""

    pool: Pool
    texts: Mapping[str, str]
    projections: Mapping[str, Sequence[ProjectionRow]]


async def check_signals(draft: Draft, store: ClaimStore, judges: Judges, parts: Parts, rules: Rules = DEFAULT) -> None:
    """New signals against claims that were there. Claims of this batch have read them already."""
    if not parts.signals or not draft.signals:
        return
    domains = sorted({domain for new in draft.signals.values() for domain in new.signal.domains})
    floors = await store.look(lambda view: Floors({domain: _floor(view, domain) for domain in domains}))
    pairs: list[tuple[str, str, Pair]] = []
    for id, new in draft.signals.items():
        near = await store.look(lambda view, new=new: _near(view, new.vector, new.signal.domains, K))  # type: ignore[misc]
        found = for_signal(near.pool, new.vector, new.signal.domains, floors) if len(near.pool.ids) else Candidates()
        stated = Stated(new.signal.proposition, new.signal.observed_at)
        pairs += [(id, claim, Pair(stated, Stated(near.texts[claim]))) for claim in found.ids]
    await _judge(draft, pairs, judges, parts, "signal", "ingest")


async def check_claims(
    draft: Draft,
    store: ClaimStore,
    judges: Judges,
    parts: Parts,
    dimensions: Sequence[Dimension],
    rules: Rules = DEFAULT,
) -> None:
    """New claims against those that were there, and against those of the batch that were written before."""
    axes = {each.id: each for each in dimensions if each.active}
    made: dict[str, list[ProjectionRow]] = {}
    for row in draft.projections:
        made.setdefault(row.claim, []).append(row)
    pairs: list[tuple[str, str, Pair]] = []
    before: list[str] = []
    for id, new in draft.claims.items():
        besides = (id, *_below(new.claim.justifications))
        # As many more as are left out: what a claim rests on is among its nearest.
        many = K + len(besides)
        near = await store.look(lambda view, new=new, k=many: _near(view, new.vector, new.home, k))  # type: ignore[misc]
        pool, texts = _with(draft, near, before, new.home)
        before.append(id)
        if not len(pool.ids):
            continue
        rows = {**near.projections, **made}
        found = for_claim(
            pool,
            new.vector,
            new.home,
            _positions(rows.get(id, ()), axes),
            (lambda other, rows=rows: _positions(rows.get(other, ()), axes)) if parts.positions else None,  # type: ignore[misc]
            (lambda axis, one, other: _apart(axes[axis], one, other)) if parts.positions else None,
            besides=besides,
            tau=rules.relevance,
            theta=rules.opposed,
        )
        stated = Stated(new.claim.proposition)
        pairs += [(id, claim, Pair(stated, Stated(texts[claim]))) for claim in found.ids]
    await _judge(draft, pairs, judges, parts, "claim", "writes")


async def _judge(
    draft: Draft, pairs: Sequence[tuple[str, str, Pair]], judges: Judges, parts: Parts, branch: Branch, line: str
) -> None:
    if not pairs:
        return
    opinions = draft.take(await judges.verdicts.verdicts([pair for _, _, pair in pairs]), line, branch=branch)
    for (new, claim, _), opinion in zip(pairs, opinions, strict=True):
        if opinion.verdict == "unrelated":
            continue
        contradicts = opinion.verdict == "contradicts"
        if (parts.conflicts if contradicts else parts.supports) == "log":
            draft.logged.append({"verdict": opinion.verdict, "new": new, "claim": claim, "why": opinion.why})
            continue
        draft.write(Contradict(new, claim, branch) if contradicts else Support(claim, new))
        if claim not in draft.claims:
            draft.touched.add(claim)


def _near(view: ClaimView, vector: np.ndarray, domains: Collection[str], k: int) -> Near:
    """The `k` nearest claims within the reach of each domain."""
    found: dict[str, None] = {}
    for domain in sorted(domains):
        found.update(dict.fromkeys(each.id for each in view.near("claim", vector, k, reach((domain,)))))
    claims = view.claims(found)
    ids = [id for id in found if id in claims]
    vectors = view.vectors(NODE, ids)
    rows = np.stack([vectors[id] for id in ids]) if ids else np.zeros((0, len(vector)), np.float32)
    homes = {
        domain: np.array([at for at, id in enumerate(ids) if meets((domain,), claims[id].home)], np.int64)
        for domain in sorted(domains)
    }
    texts = {id: claims[id].claim.proposition for id in ids}
    return Near(Pool(ids, UnitVectors(rows), homes), texts, view.projections(ids))


def _with(draft: Draft, near: Near, ids: Sequence[str], domains: Collection[str]) -> tuple[Pool, Mapping[str, str]]:
    """A pool with some claims of the batch in it."""
    own = [id for id in ids if meets(domains, draft.claims[id].home)]
    if not own:
        return near.pool, near.texts
    every = [*near.pool.ids, *own]
    rows = np.concatenate([near.pool.vectors.rows, np.stack([draft.claims[id].vector for id in own])])
    homes = {
        domain: np.concatenate(
            [
                near.pool.domains.get(domain, np.zeros(0, np.int64)),
                np.array(
                    [len(near.pool.ids) + at for at, id in enumerate(own) if meets((domain,), draft.claims[id].home)], np.int64
                ),
            ]
        )
        for domain in sorted(domains)
    }
    texts = {**near.texts, **{id: draft.claims[id].claim.proposition for id in own}}
    return Pool(every, UnitVectors(rows), homes), texts


def _positions(rows: Sequence[ProjectionRow], axes: Mapping[str, Dimension]) -> list[Position]:
    return [
        Position(row.dimension, row.value, row.relevance, row.version < axes[row.dimension].valid_from)
        for row in rows
        if row.dimension in axes and row.value is not None
    ]


def _apart(axis: Dimension, one: object, other: object) -> float:
    assert isinstance(one, str | float) and isinstance(other, str | float)
    return delta(axis.contract, one, other)


def _floor(view: ClaimView, domain: str) -> float:
    """The floor of a domain, told from its first signals."""
    ids = [each.signal.id for each in view.list_signals(Wanted(domain=domain, limit=SAMPLE)) if each.supported]
    vectors = view.vectors(NODE, ids)
    nearest = [view.near("claim", vectors[id], 1, reach((domain,))) for id in ids if id in vectors]
    return floor_of([found[0].score for found in nearest if found])


def _below(justifications: Sequence[object]) -> list[str]:
    return [name for just in justifications for name in getattr(just, "antecedents", ())]
