"""What the fast path finds for a query, before anything reads positions or standing; and what a fit is given of it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

import numpy as np

from loom.claims.axes import held
from loom.claims.fast import SETTLED
from loom.claims.gathering import DEPTH as SEARCHED
from loom.core.claims.dimensions.dimension import Dimension
from loom.core.claims.dimensions.distance import Axes
from loom.core.claims.dimensions.judged import Judged
from loom.core.claims.dimensions.judging import axis_of
from loom.core.claims.dimensions.positions import Positions, asked, positions
from loom.core.claims.dimensions.projection import Projection
from loom.core.claims.dimensions.rerank import phi
from loom.core.claims.dimensions.rules import Rules
from loom.core.claims.judging.asked import Placing
from loom.core.claims.standing import Standing
from loom.lab.claims.workspace import Workspace
from loom.lab.claims.worlds.planted import Query
from loom.ports import Projecting

DEPTH = 50
EVERY = 4 * SEARCHED
"""More than the four searches of a read find: whatever they do is ranked, as it is where reads are served."""
VALIDATION = 0.4


@dataclass(frozen=True, slots=True)
class Pooled:
    """The candidates of one query by s₀, best first; `claims` says which are claims, `standing` how they stand."""

    query: str
    scope: str
    ids: tuple[str, ...]
    base: np.ndarray
    texts: tuple[str, ...]
    claims: np.ndarray
    standing: tuple[Standing, ...]

    def signals(self) -> list[str]:
        """The signals among them, in their order: what a read without claims would find, since every search adds its own ranks."""
        return [id for id, claim in zip(self.ids, self.claims.tolist(), strict=True) if not claim]

    def without(self, gone: Collection[str]) -> "Pooled":
        """Without some candidates: claims that would leak, or whole kinds of them."""
        kept = [at for at, id in enumerate(self.ids) if id not in gone]
        return replace(
            self,
            ids=tuple(self.ids[at] for at in kept),
            base=self.base[kept],
            texts=tuple(self.texts[at] for at in kept),
            claims=self.claims[kept],
            standing=tuple(self.standing[at] for at in kept),
        )


def split(queries: Sequence[Query], seed: int) -> tuple[list[Query], list[Query]]:
    """Validation and held-out queries, 40 to 60 by session, so that no session spans both."""
    sessions = sorted({each.session for each in queries})
    Random(f"{seed}:split").shuffle(sessions)
    first = set(sessions[: round(len(sessions) * VALIDATION)])
    return [each for each in queries if each.session in first], [each for each in queries if each.session not in first]


async def pooled(workspace: Workspace, queries: Sequence[Query], *, scope: bool = True) -> dict[str, Pooled]:
    """By query: one read each through the fast path, with nothing but its four searches."""
    parts = replace(workspace.parts, dimensions=False, penalty=False, scope=scope)
    found = {}
    for query in queries:
        reading = await workspace.read(query.text, EVERY, parts=parts)
        hits = reading.hits
        found[query.id] = Pooled(
            query.id,
            reading.scope[0] if reading.scope else "",
            tuple(each.id for each in hits),
            np.array([each.base for each in hits]),
            tuple(each.text for each in hits),
            np.array([each.claim is not None for each in hits], np.bool_),
            tuple(each.standing for each in hits),
        )
    return found


@dataclass(frozen=True, slots=True)
class Placed:
    """Positions of the claims and of the queries of one domain on its dimensions."""

    dimensions: Sequence[Dimension]
    rows: Mapping[str, int]
    claims: Positions
    queries: Mapping[str, Positions]

    def shuffled(self, seed: int) -> "Placed":
        """Each claim's positions go to another claim of the domain, whole."""
        return replace(self, claims=self.claims.of(np.random.default_rng(seed).permutation(len(self.claims))))

    def judged(self, pool: Pooled, grades: Mapping[str, int], rules: Rules) -> Judged:
        """The candidates as a fit reads them."""
        place = np.array([self.rows.get(id, -1) for id in pool.ids], np.int64)
        features = np.zeros((len(pool.ids), len(self.dimensions)))
        known = np.flatnonzero(place >= 0)
        if len(known) and self.dimensions:
            axes = Axes.of([each.contract for each in self.dimensions])
            features[known] = phi(axes, self.queries[pool.query], self.claims.of(place[known]), rules)
        unsettled = [
            bool(claim) and standing not in SETTLED for claim, standing in zip(pool.claims.tolist(), pool.standing, strict=True)
        ]
        labels = np.array([grades.get(id, 0) for id in pool.ids], np.float64)
        return Judged(pool.query, pool.base, features, np.array(unsettled, np.float64), labels)


async def placed(workspace: Workspace, domain: str, queries: Sequence[Query]) -> Placed:
    """Where claims and queries of a domain are, as the store and the small projector say."""
    dimensions = [each for each in await workspace.dimensions() if each.domain == domain and each.active]
    claims = [id for id, each in (await workspace.claims()).items() if domain in each.home]
    stored = await workspace.store.look(lambda view: view.projections(claims))
    kept = [
        Projection(one.claim, one.dimension, one.version, one.projector, one.value, one.relevance, one.at)
        for rows in stored.values()
        for one in rows
        if one.value is not None
    ]
    found = {each.id: await asked_of(workspace.judges.queries, each.text, dimensions) for each in queries}
    return Placed(dimensions, {id: at for at, id in enumerate(claims)}, positions(claims, dimensions, kept), found)


async def asked_of(small: Projecting | None, text: str, dimensions: Sequence[Dimension]) -> Positions:
    codes, relevance = np.full(len(dimensions), np.nan), np.full(len(dimensions), np.nan)
    if small is not None:
        judged = await small.project([Placing(axis_of(each.contract), text) for each in dimensions])
        for at, (each, said) in enumerate(zip(dimensions, judged.value, strict=True)):
            value = held(each.contract, said)
            if value is not None:
                codes[at], relevance[at] = each.contract.space.code(value), said.relevance
    return asked(dimensions, codes, relevance)
