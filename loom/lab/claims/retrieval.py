"""Retrieval (seed 001 §10.1): seven arms over one retrieval stage, their contrasts, and the controls.

i hybrid · ii and the standing penalty · iii and dimensions · iv iii with positions shuffled · v hybrid without claims · vi hybrid
everywhere · vii hybrid with neighbours in a graph of entities
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, log
from random import Random

import numpy as np

from loom.core.claims.dimensions.controls import oracle_gain
from loom.core.claims.dimensions.fit import Fit, fit, solved
from loom.core.claims.dimensions.gain import gains, mean
from loom.core.claims.dimensions.judged import Judged, pairs
from loom.core.claims.dimensions.rerank import ranked
from loom.core.claims.dimensions.rules import Rules
from loom.core.values import Json
from loom.lab.claims.building import leaky
from loom.lab.claims.graphing import Neighbours
from loom.lab.claims.pooling import Placed, Pooled, placed, pooled, split
from loom.lab.claims.tested import Gain, gain
from loom.lab.claims.workspace import RULES, Workspace
from loom.lab.claims.worlds.planted import Query, World
from loom.lab.statistics import holm_of, ndcg, recall_at, reciprocal_rank

CONFIGURATIONS = 20
"""Configurations that each arm with settings is tuned over on the validation queries."""
SHUFFLES = 2
CONTRASTS = {
    "dimensions": ("iii", "ii"),
    "standing": ("ii", "i"),
    "claims in index": ("i", "v"),
    "system": ("iii", "v"),
    "scoping": ("i", "vi"),
    "graph": ("iii", "vii"),
}
SECONDARY = ("system", "scoping", "graph", "standing")


@dataclass(frozen=True, slots=True)
class Setting:
    """One configuration: of the fit (how sparse, how steep, from which relevance on, whether proposed claims are unsettled), of the
    graph. `steep` is what s₀ is multiplied by while coefficients are fitted, which are divided by it then: differences of reciprocal
    ranks are so small that a loss of unit width would not see them."""

    sparsity: float
    steep: float
    relevance: float
    proposed: bool
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
    weights: Mapping[str, float]
    penalty: float
    unfit: tuple[str, ...]
    leaks: int
    validation: int
    held: int
    calls: float
    """Calls of the small projector that a query takes."""

    def as_json(self) -> dict[str, Json]:
        return {
            "ndcg@10": {arm: float(np.mean(each)) for arm, each in self.scores.items()},
            "recall@50": dict(self.recall),
            "mrr (exploratory)": dict(self.mrr),
            "contrasts": {name: each.as_json() for name, each in self.contrasts.items()},
            "holm": dict(self.holm),
            "shuffled_keeps": self.kept,
            "oracle_gain": self.oracle,
            "weights": dict(self.weights),
            "penalty": self.penalty,
            "unfit": list(self.unfit),
            "leaks_removed": self.leaks,
            "queries": {"validation": self.validation, "held": self.held},
            "projections_a_query": self.calls,
            "tuned_over": {"ii": CONFIGURATIONS, "iii": CONFIGURATIONS, "iv": CONFIGURATIONS, "vii": CONFIGURATIONS},
        }


async def retrieval(workspace: Workspace, world: World, seed: int) -> Retrieval:
    """The arms on the held-out queries, tuned and fitted on the others. Writes nothing but what the fast path notes."""
    validation, held = split(world.queries, seed)
    claims = await workspace.claims()
    gone = leaky(claims, world.held_out({each.session for each in held}))
    pools = {name: each.without(gone) for name, each in (await pooled(workspace, world.queries)).items()}
    signals = await pooled(workspace, held, signals_only=True)
    everywhere = {name: each.without(gone) for name, each in (await pooled(workspace, held, scope=False)).items()}
    domains = sorted({each.domain for each in await workspace.dimensions()})
    places = {domain: await placed(workspace, domain, world.queries) for domain in domains}
    grades = {
        each.id: {id: grade for id, grade in world.grades[each.id].items() if id in claims or id.startswith("signal:")}
        for each in world.queries
    }
    grades = {name: {id: grade for id, grade in each.items() if id not in gone} for name, each in grades.items()}
    test = _Test(pools, places, grades, validation, held, _settings(seed))
    alone, full = test.tuned(axes=False), test.tuned()
    shuffled = [test.orders(test.tuned(shuffle=turn), held, turn) for turn in range(1, SHUFFLES + 1)]
    graph = Neighbours(pools, world)
    found: dict[str, dict[str, Sequence[str]]] = {
        "i": {each.id: pools[each.id].ids for each in held},
        "ii": test.orders(alone, held),
        "iii": test.orders(full, held),
        "v": {each.id: signals[each.id].ids for each in held},
        "vi": {each.id: everywhere[each.id].ids for each in held},
        "vii": graph.tuned(validation, held, grades, [(each.neighbours, each.seeds) for each in test.settings]),
    }
    scores = {arm: [_ndcg(order[each.id], grades[each.id]) for each in held] for arm, order in found.items()}
    noise = [[_ndcg(order[each.id], grades[each.id]) for each in held] for order in shuffled]
    scores["iv"] = np.mean(noise, axis=0).tolist()
    made = {name: gain(scores[a], scores[b], seed=seed) for name, (a, b) in CONTRASTS.items()}
    kept = float(np.mean(scores["iv"]) - np.mean(scores["ii"]))
    weights = {
        axis.id: float(weight)
        for domain, (chosen, _) in full.items()
        for axis, weight in zip(places[domain].dimensions, chosen.weights.tolist(), strict=True)
    }
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
        weights,
        max((chosen.penalty for chosen, _ in full.values()), default=0.0),
        tuple(domain for domain, (chosen, _) in full.items() if chosen.unfit),
        len(gone),
        len(validation),
        len(held),
        float(
            np.mean([len(places[pools[each.id].scope].dimensions) if pools[each.id].scope in places else 0 for each in held])
        ),
    )


Chosen = dict[str, tuple[Fit, Setting]]


@dataclass(frozen=True, slots=True)
class _Test:
    """What the fitted arms share: pools, positions, labels and the split."""

    pools: Mapping[str, Pooled]
    places: Mapping[str, Placed]
    grades: Mapping[str, Mapping[str, int]]
    validation: Sequence[Query]
    held: Sequence[Query]
    settings: Sequence[Setting]

    def tuned(self, *, axes: bool = True, shuffle: int = 0) -> Chosen:
        """By domain the fit of the best of all configurations on the validation queries; the first of several that are as good."""
        best: Chosen = {}
        for domain, place in self.places.items():
            place = place.shuffled(shuffle) if shuffle else place
            top = -1.0
            for read in dict.fromkeys((each.relevance, each.proposed) for each in self.settings):
                group = [each for each in self.settings if (each.relevance, each.proposed) == read]
                for made, setting in self._fitted(domain, place, group, axes):
                    judged = self._judged(domain, place, self.validation, setting)
                    reached = mean(gains(judged, made.weights, made.penalty)) if judged else 0.0
                    if reached > top:
                        best[domain], top = (made, setting), reached
        return best

    def _fitted(self, domain: str, place: Placed, group: Sequence[Setting], axes: bool) -> Iterator[tuple[Fit, Setting]]:
        """Fits of configurations that read the same features, each begun where the last one ended: the optimum is one."""
        judged = self._judged(domain, place, self.validation, group[0])
        if len(judged) < RULES.queries:
            yield fit(judged, RULES), group[0]
            return
        given = pairs(judged) if axes else pairs(judged).over(())
        start = None
        for setting in sorted(group, key=lambda each: each.steep):
            steeper = replace(given, ahead=given.ahead * setting.steep)
            start, residual, steps = solved(steeper, setting.sparsity, start)
            found = start / setting.steep
            weights = found[:-1] if axes else np.zeros(len(place.dimensions))
            yield Fit(weights, float(found[-1]), False, len(judged), residual, steps), setting

    def orders(self, chosen: Chosen, queries: Sequence[Query], shuffle: int = 0) -> dict[str, Sequence[str]]:
        found: dict[str, Sequence[str]] = {}
        for query in queries:
            pool = self.pools[query.id]
            if pool.scope not in chosen:
                found[query.id] = pool.ids
                continue
            made, setting = chosen[pool.scope]
            place = self.places[pool.scope].shuffled(shuffle) if shuffle else self.places[pool.scope]
            each = place.judged(pool, self.grades[query.id], _rules(setting), proposed=setting.proposed)
            score = each.base + each.features @ made.weights - made.penalty * each.unsettled
            found[query.id] = [pool.ids[at] for at in ranked(score, each.base).tolist()]
        return found

    def oracle(self) -> float | None:
        """The least gain over the domains of an axis that knows the labels, fitted and read on the validation queries; None where all
        domains are unfit."""
        found = []
        for domain, place in self.places.items():
            judged = self._judged(domain, place, self.validation, self.settings[0])
            if len(judged) >= RULES.queries:
                found.append(oracle_gain(judged, judged, RULES))
        return min(found, default=None)

    def _judged(self, domain: str, place: Placed, queries: Sequence[Query], setting: Setting) -> list[Judged]:
        return [
            place.judged(self.pools[each.id], self.grades[each.id], _rules(setting), proposed=setting.proposed)
            for each in queries
            if self.pools[each.id].scope == domain
        ]


def _settings(seed: int) -> list[Setting]:
    """Configurations drawn from what may be set; the same for every arm."""
    random = Random(f"{seed}:settings")
    return [
        Setting(
            exp(random.uniform(log(1e-4), log(3e-2))),
            exp(random.uniform(log(30), log(2000))),
            random.choice((0.3, 0.5, 0.7)),
            random.random() < 0.5,
            random.uniform(0.1, 1.0),
            random.randint(1, 8),
        )
        for _ in range(CONFIGURATIONS)
    ]


def _rules(setting: Setting) -> Rules:
    return replace(RULES, sparsity=setting.sparsity, relevance=setting.relevance)


def _ndcg(order: Sequence[str], grades: Mapping[str, int]) -> float:
    return ndcg(order, grades, 10)
