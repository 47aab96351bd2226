"""Who labels pairs (seed 001 §10.3): the small classifier beside the frontier model on the same candidates, and beside itself where every
accepted claim of the domain is compared."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from loom.core.claims.judging.asked import Pair, Stated
from loom.core.claims.judging.calls import Call, price_of
from loom.core.values import Json
from loom.lab.claims.tested import ALPHA, Share, above, share
from loom.lab.statistics import mcnemar
from loom.ports import Verdicts

Cost = Callable[[Sequence[Call]], float]
"""Dollars of some calls: what was paid, unless another book prices them."""
Edges = set[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Labeller:
    """One way of labelling. `recall` is of targets that are among its pairs and are seen; `precision` of pairs that it calls contradictions;
    `calls` pairs and `dollars` for each injected sentence."""

    recall: Share
    precision: Share
    calls: float
    dollars: float

    def as_json(self) -> dict[str, Json]:
        return {
            "recall": self.recall.as_json(),
            "precision": self.precision.as_json(),
            "calls": self.calls,
            "dollars": self.dollars,
        }


@dataclass(frozen=True, slots=True)
class Labellers:
    """`better`: p of the frontier model's being more often right where it sees a contradiction; `sees`: p by McNemar over the targets of its
    seeing others than the small one; `loses`: the same of comparing everything against the candidates alone."""

    small: Labeller
    frontier: Labeller
    exhaustive: Labeller
    better: float
    sees: float
    loses: float

    @property
    def moves(self) -> bool:
        """Whether labelling moves to the frontier model, at the cost that the ledger then carries."""
        return self.better <= ALPHA

    @property
    def candidates_lose(self) -> bool:
        """Whether the candidate step loses contradictions that the classifier would catch."""
        return self.loses <= ALPHA and self.exhaustive.recall.hits > self.small.recall.hits

    def as_json(self) -> dict[str, Json]:
        return {
            "small": self.small.as_json(),
            "frontier": self.frontier.as_json(),
            "exhaustive": self.exhaustive.as_json(),
            "frontier_more_precise_p": self.better,
            "frontier_sees_others_p": self.sees,
            "labelling_moves_to_the_frontier": self.moves,
            "exhaustive_against_candidates_p": self.loses,
            "candidates_lose_contradictions": self.candidates_lose,
        }


async def labellers(
    small: Verdicts,
    frontier: Any,
    compared: Mapping[str, Sequence[str]],
    every: Mapping[str, Sequence[str]],
    right: Mapping[str, str],
    cost: Cost = price_of,
) -> Labellers:
    """`compared` and `every` are texts of claims by injected sentence: its candidates, and all accepted claims of its domain; `right` the
    claim that each contradicting sentence contradicts."""
    seen, mine = await _labelled(small, compared, right, cost)
    others, theirs = await _labelled(frontier, compared, right, cost)
    all_of_it, whole = await _labelled(small, every, right, cost)
    return Labellers(
        mine,
        theirs,
        whole,
        above(theirs.precision.hits, theirs.precision.n, mine.precision.hits, mine.precision.n),
        _apart(others, seen, right),
        _apart(all_of_it, seen, right),
    )


async def _labelled(
    judge: Any, pairs: Mapping[str, Sequence[str]], right: Mapping[str, str], cost: Cost
) -> tuple[Edges, Labeller]:
    asked = [(text, claim) for text, claims in pairs.items() for claim in dict.fromkeys(claims)]
    judged = await judge.verdicts([Pair(Stated(text), Stated(claim)) for text, claim in asked])
    found = {pair for pair, said in zip(asked, judged.value, strict=True) if said.verdict == "contradicts"}
    hits = sum((text, claim) in found for text, claim in right.items())
    return found, Labeller(
        share(hits, len(right), 0.70, 0.80),
        share(sum(right.get(text) == claim for text, claim in found), len(found), 0.60, 0.70),
        len(asked) / max(1, len(pairs)),
        cost(judged.calls) / max(1, len(pairs)),
    )


def _apart(one: Edges, other: Edges, right: Mapping[str, str]) -> float:
    """McNemar's p over the targets."""
    pairs = list(right.items())
    return mcnemar(sum(each in one - other for each in pairs), sum(each in other - one for each in pairs)).p
