"""How good a ranking is: nDCG, recall at k, reciprocal rank. A ranking is ids, best first; gains are by id."""

from collections.abc import Collection, Hashable, Mapping, Sequence
from math import fsum, isfinite, log2

from loom.core.errors import BadInput

Relevant = Collection[Hashable] | Mapping[Hashable, float]


def ndcg(ranked: Sequence[Hashable], relevant: Relevant, k: int | None = None) -> float:
    """Normalised discounted cumulative gain (linear gain, discount 1 / log2(rank + 1)). Raises BadInput."""
    gains = _gains(ranked, relevant)
    _depth(k)
    ideal = _discounted(sorted(gains.values(), reverse=True)[:k])
    return _discounted([gains.get(id, 0.0) for id in ranked[:k]]) / ideal


def recall_at(ranked: Sequence[Hashable], relevant: Relevant, k: int | None = None) -> float:
    """The share of the relevant ids among the first k. Raises BadInput."""
    wanted = {id for id, gain in _gains(ranked, relevant).items() if gain > 0}
    _depth(k)
    return len(wanted.intersection(ranked[:k])) / len(wanted)


def reciprocal_rank(ranked: Sequence[Hashable], relevant: Relevant) -> float:
    """1 / the rank of the first relevant id, 0 where none comes. Raises BadInput."""
    gains = _gains(ranked, relevant)
    return next((1 / rank for rank, id in enumerate(ranked, 1) if gains.get(id, 0.0) > 0), 0.0)


def mrr(rankings: Sequence[tuple[Sequence[Hashable], Relevant]]) -> float:
    """The mean reciprocal rank over (ranked, relevant) pairs. Raises BadInput."""
    if not rankings:
        raise BadInput("Expected at least one ranking.", param="rankings")
    return fsum(reciprocal_rank(ranked, relevant) for ranked, relevant in rankings) / len(rankings)


def _gains(ranked: Sequence[Hashable], relevant: Relevant) -> Mapping[Hashable, float]:
    if isinstance(ranked, str) or isinstance(relevant, str):
        raise BadInput("Expected lists of ids, but got one string.", param="ranked")
    if len(set(ranked)) != len(ranked):
        raise BadInput("Expected every id to come once in a ranking.", param="ranked")
    gains = relevant if isinstance(relevant, Mapping) else dict.fromkeys(relevant, 1.0)
    if not all(isfinite(gain) and gain >= 0 for gain in gains.values()) or not any(gain > 0 for gain in gains.values()):
        raise BadInput("Expected at least one relevant id with a gain above 0, and no gain below it.", param="relevant")
    return gains


def _depth(k: int | None) -> None:
    if k is not None and k < 1:
        raise BadInput(f"Expected k to be at least 1, but got {k}.", param="k")


def _discounted(gains: Sequence[float]) -> float:
    return fsum(gain / log2(rank + 1) for rank, gain in enumerate(gains, 1))
