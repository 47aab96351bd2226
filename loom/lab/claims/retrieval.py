"""Retrieval (seed 001 §10.1): seven arms over one retrieval stage, their contrasts, and the controls.

i hybrid · ii and the standing penalty · iii and dimensions · iv iii with positions shuffled · v hybrid without claims · vi hybrid
everywhere · vii hybrid with neighbours in a graph of entities
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

import numpy as np

from loom.core.claims.dimensions.controls import oracle_gain
from loom.core.claims.dimensions.fit import Fit, fit, solved, steepened, unit
from loom.core.claims.dimensions.fitted import Fitted
from loom.core.claims.dimensions.gain import gains, mean
from loom.core.claims.dimensions.judged import Judged, pairs
from loom.core.claims.dimensions.rerank import ranked
from loom.core.claims.stored import StoredClaim
from loom.core.values import Json
from loom.lab.claims.building import leaky
from loom.lab.claims.graphing import Neighbours
from loom.lab.claims.looks import Looks, looked
from loom.lab.claims.pooling import Placed, Pooled, placed, pooled, split
from loom.lab.claims.tested import Gain, gain
from loom.lab.claims.workspace import RULES, Workspace
from loom.lab.claims.worlds.planted import Query, World
from loom.lab.statistics import holm_of, ndcg, recall_at, reciprocal_rank

CONFIGURATIONS = 20
"""Configurations that each arm with settings is tuned over on the validation queries."""
SHUFFLES = 5
"""Of positions: in a world where they are chance themselves, five are seldom half as good as they."""
CONTRASTS = {
    "dimensions": ("iii", "ii"),
    "positions": ("iii", "iv"),
    "standing": ("ii", "i"),
    "claims in index": ("i", "v"),
    "system": ("iii", "v"),
    "scoping": ("i", "vi"),
    "graph": ("iii", "vii"),
}
SECONDARY = ("system", "scoping", "graph", "standing")


@dataclass(frozen=True, slots=True)
class Setting:
    """One configuration: of the fit (how sparse; how steep, in mean leads of s₀), of the graph; of nothing that a read could not be
    served with."""

    sparsity: float
    steep: float
    neighbours: float
    seeds: int


@dataclass(frozen=True, slots=True)
class Retrieval:
    """nDCG@10 by arm and held-out query. `kept` is what of the gain of dimensions remains when positions are shuffled; `oracle` the
    gain of an axis that knows the labels, None where no domain is fit; `unfit` the domains with too few queries; `leaks` the claims that were removed."""

    scores: Mapping[str, Sequence[float]]
    recall: Mapping[str, float]
    mrr: Mapping[str, float]
    contrasts: Mapping[str, Gain]
    holm: Mapping[str, float | None]
    kept: float
    oracle: float | None
    fits: tuple[Fitted, ...]
    unfit: tuple[str, ...]
    leaks: int
    validation: int
    held: int
    calls: float
    """Calls of the small projector that a query takes."""
    looks: Looks | None = None
    """The primary contrast, dimensions, as it is decided."""
    bench: "Bench | None" = None
    """What the arms were tuned and ranked on, for other arms over the same."""
    lost: int = 0
    """Queries that were left out, since nothing that there is answers them."""

    def as_json(self) -> dict[str, Json]:
        return {
            "ndcg@10": {arm: float(np.mean(each)) for arm, each in self.scores.items()},
            "recall@50": dict(self.recall),
            "mrr (exploratory)": dict(self.mrr),
            "contrasts": {name: each.as_json() for name, each in self.contrasts.items()},
            "holm": dict(self.holm),
            "primary": self.looks.as_json() if self.looks else None,
            "shuffled_keeps": self.kept,
            "oracle_gain": self.oracle,
            "weights": {axis: weight for each in self.fits for axis, weight in each.weights.items()},
            "penalties": {each.domain: each.penalty for each in self.fits},
            "unfit": list(self.unfit),
            "leaks_removed": self.leaks,
            "queries": {"validation": self.validation, "held": self.held},
            "queries_left_out": self.lost,
            "projections_a_query": self.calls,
            "tuned_over": {"ii": CONFIGURATIONS, "iii": CONFIGURATIONS, "iv": CONFIGURATIONS, "vii": CONFIGURATIONS},
        }


async def retrieval(workspace: Workspace, world: World, seed: int) -> Retrieval:
    """The arms on the held-out queries, tuned and fitted on the others. Writes nothing but what the fast path notes."""
    left = left_of(world, await workspace.claims(), seed)
    validation, held, grades, gone = left.validation, left.held, left.grades, left.gone
    pools = {name: each.without(gone) for name, each in (await pooled(workspace, world.queries)).items()}
    everywhere = {name: each.without(gone) for name, each in (await pooled(workspace, held, scope=False)).items()}
    domains = sorted({each.domain for each in await workspace.dimensions()})
    places = {domain: await placed(workspace, domain, world.queries) for domain in domains}
    test = Bench(pools, places, grades, validation, held, settings_of(seed), gone)
    alone, full = test.tuned(axes=False), test.tuned()
    shuffled = [test.orders(test.tuned(shuffle=turn), held, turn) for turn in range(1, SHUFFLES + 1)]
    graph = Neighbours(pools, world)
    found: dict[str, dict[str, Sequence[str]]] = {
        "i": {each.id: pools[each.id].ids for each in held},
        "ii": test.orders(alone, held),
        "iii": test.orders(full, held),
        "v": {each.id: pools[each.id].signals() for each in held},
        "vi": {each.id: everywhere[each.id].ids for each in held},
        "vii": graph.tuned(validation, held, grades, [(each.neighbours, each.seeds) for each in test.settings]),
    }
    scores = {arm: [ndcg_at_ten(order[each.id], grades[each.id]) for each in held] for arm, order in found.items()}
    noise = [[ndcg_at_ten(order[each.id], grades[each.id]) for each in held] for order in shuffled]
    scores["iv"] = np.mean(noise, axis=0).tolist()
    made = {name: gain(scores[a], scores[b], seed=seed) for name, (a, b) in CONTRASTS.items()}
    kept = float(np.mean(scores["iv"]) - np.mean(scores["ii"]))
    fits = tuple(_row(domain, places[domain], chosen) for domain, (chosen, _) in sorted(full.items()))
    return Retrieval(
        {arm: scores[arm] for arm in ("i", "ii", "iii", "iv", "v", "vi", "vii")},
        {
            arm: float(np.mean([recall_at(order[each.id], grades[each.id], 50) for each in held]))
            for arm, order in found.items()
        },
        {
            arm: float(np.mean([reciprocal_rank(order[each.id], grades[each.id]) for each in held]))
            for arm, order in found.items()
        },
        made,
        holm_of({name: made[name].p for name in SECONDARY}),
        kept,
        test.oracle(),
        fits,
        tuple(domain for domain, (chosen, _) in full.items() if chosen.unfit),
        len(gone),
        len(validation),
        len(held),
        float(
            np.mean([len(places[pools[each.id].scope].dimensions) if pools[each.id].scope in places else 0 for each in held])
        ),
        looked(scores["iii"], scores["ii"], seed) if len(held) > 1 else None,
        test,
        left.lost,
    )


@dataclass(frozen=True, slots=True)
class Left:
    """The queries of both parts that something answers, their grades of what there is, and the claims that would leak; `lost` are queries
    that nothing answers any more."""

    validation: Sequence[Query]
    held: Sequence[Query]
    grades: Mapping[str, Mapping[str, int]]
    gone: Collection[str]
    lost: int


def left_of(world: World, claims: Mapping[str, StoredClaim], seed: int) -> Left:
    """What there is to rank: labels may name claims that are no more, and what alone answers a query may leak."""
    validation, held = split(world.queries, seed)
    gone = leaky(claims, world.held_out({each.session for each in held}))
    grades = {
        each.id: {
            id: grade
            for id, grade in world.grades[each.id].items()
            if id not in gone and (id in claims or id.startswith("signal:"))
        }
        for each in world.queries
    }
    there = {name for name, each in grades.items() if any(each.values())}
    parts = [[each for each in part if each.id in there] for part in (validation, held)]
    return Left(parts[0], parts[1], grades, gone, len(grades) - len(there))


Chosen = dict[str, tuple[Fit, Setting]]


@dataclass(frozen=True, slots=True)
class Bench:
    """What the fitted arms share: pools, positions, labels and the split."""

    pools: Mapping[str, Pooled]
    places: Mapping[str, Placed]
    grades: Mapping[str, Mapping[str, int]]
    validation: Sequence[Query]
    held: Sequence[Query]
    settings: Sequence[Setting]
    gone: Collection[str]
    """Claims that would leak."""

    @property
    def queries(self) -> list[Query]:
        return [*self.validation, *self.held]

    def tuned(self, *, axes: bool = True, shuffle: int = 0) -> Chosen:
        """By domain the fit of the best of all configurations on the validation queries; the first of several that are as good."""
        best: Chosen = {}
        for domain, place in self.places.items():
            place = place.shuffled(shuffle) if shuffle else place
            top = -1.0
            judged = self.judged(domain, place, self.validation)
            for made, setting in self._fitted(place, judged, axes):
                reached = mean(gains(judged, made.weights, made.penalty)) if judged else 0.0
                if reached > top:
                    best[domain], top = (made, setting), reached
        return best

    def _fitted(self, place: Placed, judged: Sequence[Judged], axes: bool) -> Iterator[tuple[Fit, Setting]]:
        """A fit of each configuration, begun where the last one ended: the optimum is one."""
        if len(judged) < RULES.queries:
            yield replace(fit(judged, RULES), weights=np.zeros(len(place.dimensions))), self.settings[0]
            return
        given = pairs(judged) if axes else pairs(judged).over(())
        start, mean_lead = None, unit(given)
        for setting in sorted(self.settings, key=lambda each: each.steep):
            steep = mean_lead * setting.steep
            start, residual, steps = solved(steepened(given, steep), setting.sparsity, start)
            found = start / steep
            weights = found[:-1] if axes else np.zeros(len(place.dimensions))
            yield Fit(weights, float(found[-1]), False, len(judged), residual, steps, steep), setting

    def orders(self, chosen: Chosen, queries: Sequence[Query], shuffle: int = 0) -> dict[str, Sequence[str]]:
        found: dict[str, Sequence[str]] = {}
        for query in queries:
            pool = self.pools[query.id]
            if pool.scope not in chosen:
                found[query.id] = pool.ids
                continue
            made, _ = chosen[pool.scope]
            place = self.places[pool.scope].shuffled(shuffle) if shuffle else self.places[pool.scope]
            each = place.judged(pool, self.grades[query.id], RULES)
            score = each.base + each.features @ made.weights - made.penalty * each.unsettled
            found[query.id] = [pool.ids[at] for at in ranked(score, each.base).tolist()]
        return found

    def oracle(self) -> float | None:
        """The least gain over the domains of an axis that knows the labels, fitted and read on the validation queries; None where all
        domains are unfit."""
        found = []
        for domain, place in self.places.items():
            judged = self.judged(domain, place, self.validation)
            if len(judged) >= RULES.queries:
                found.append(oracle_gain(judged, judged, RULES))
        return min(found, default=None)

    def judged(self, domain: str, place: Placed, queries: Sequence[Query]) -> list[Judged]:
        return [
            place.judged(self.pools[each.id], self.grades[each.id], RULES)
            for each in queries
            if self.pools[each.id].scope == domain
        ]


def settings_of(seed: int) -> list[Setting]:
    """Configurations drawn from what may be set, so that all of each range is covered; the same for every arm."""
    random = Random(f"{seed}:settings")

    def spread(low: float, high: float) -> list[float]:
        """A value from each of as many equal parts of the range, by ratio, in an order by chance."""
        parts = [(at + random.random()) / CONFIGURATIONS for at in range(CONFIGURATIONS)]
        random.shuffle(parts)
        return [low * (high / low) ** each for each in parts]

    drawn = zip(spread(1e-4, 1e-2), spread(1 / 32, 4), strict=True)
    return [Setting(sparse, steep, random.uniform(0.1, 1.0), random.randint(1, 8)) for sparse, steep in drawn]


def _row(domain: str, place: Placed, made: Fit) -> Fitted:
    """A fit as the end of a cycle writes it down."""
    weights = {axis.id: weight for axis, weight in zip(place.dimensions, made.weights.tolist(), strict=True)}
    return Fitted(domain, weights, made.penalty, made.unfit, made.queries, made.residual)


def ndcg_at_ten(order: Sequence[str], grades: Mapping[str, int]) -> float:
    return ndcg(order, grades, 10)
