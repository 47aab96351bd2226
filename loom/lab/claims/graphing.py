"""The arm that adds a graph of entities (seed 001 §10.1 vii): signals on the entities of the best hits join the candidates."""

from collections.abc import Mapping, Sequence

from loom.lab.claims.pooling import Pooled
from loom.lab.claims.worlds.planted import Query, World
from loom.lab.claims.worlds.words import entity
from loom.lab.statistics import ndcg

RRF = 60


class Neighbours:
    """Entities are matched by name: those that a query names, else those of its best hits."""

    def __init__(self, pools: Mapping[str, Pooled], world: World) -> None:
        self._pools = pools
        self._names = [entity(number) for number in sorted({each.entity for each in world.facts})]

    def order(self, query: Query, weight: float, seeds: int) -> list[str]:
        """The candidates with the rank among the neighbours' signals added to their score."""
        pool = self._pools[query.id]
        named = {name for name in self._names if name in query.text}
        named = named or {name for text in pool.texts[:seeds] for name in self._names if text.startswith(name)}
        near = [
            at for at, text in enumerate(pool.texts) if not pool.claims[at] and any(text.startswith(name) for name in named)
        ]
        score = pool.base.copy()
        for rank, at in enumerate(near):
            score[at] += weight / (RRF + rank)
        return [pool.ids[at] for at in sorted(range(len(score)), key=lambda at: (-score[at], at))]

    def tuned(
        self,
        validation: Sequence[Query],
        held: Sequence[Query],
        grades: Mapping[str, Mapping[str, int]],
        settings: Sequence[tuple[float, int]],
    ) -> dict[str, Sequence[str]]:
        """The held-out rankings under the best of some settings on the validation queries."""
        best, top = settings[0], -1.0
        for setting in settings:
            reached = sum(ndcg(self.order(each, *setting), grades[each.id], 10) for each in validation)
            if reached > top:
                best, top = setting, reached
        return {each.id: self.order(each, *best) for each in held}
