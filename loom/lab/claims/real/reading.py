"""Read arms on the clean series (seed 001 §10.4): the fast path beside two that hold no claims, signals alone, and the reasoning model over
them. The cheapest that the system is not significantly better than sets what a read of the alternative costs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from loom.claims.drafting import row
from loom.core.claims.judging.asked import Inquiry, Known
from loom.core.claims.stored import CallRow
from loom.core.values import Json
from loom.lab.claims.real.ground import Ground
from loom.lab.claims.tested import Gain, gain
from loom.lab.claims.workspace import Workspace
from loom.lab.claims.worlds.planted import Query
from loom.lab.statistics import ndcg

TOP = 10
EVIDENCE = 24
ARMS = ("system", "signals", "reasoning")


@dataclass(frozen=True, slots=True)
class ReadArms:
    """nDCG and precision of each arm, cut at as many results as the reasoning arm cites for the same read; `over` is the gain of the system
    on either other arm, `calls` those of each of its reads."""

    ndcg: Mapping[str, Sequence[float]]
    precision: Mapping[str, Sequence[float]]
    over: Mapping[str, Gain]
    calls: Mapping[str, Sequence[Sequence[CallRow]]]

    def parity(self, costs: Mapping[str, float]) -> str:
        """By what a read of either arm costs; the reasoning arm where the system is better than both."""
        level = [arm for arm in ("signals", "reasoning") if not self.over[arm].significant]
        return min(level, key=lambda arm: costs[arm], default="reasoning")

    def as_json(self) -> dict[str, Json]:
        return {
            "ndcg": {arm: _mean(each) for arm, each in self.ndcg.items()},
            "precision": {arm: _mean(each) for arm, each in self.precision.items()},
            "system_over": {arm: each.as_json() for arm, each in self.over.items()},
        }


async def read_arms(
    workspace: Workspace, ground: Ground, reads: Sequence[Query], grades: Mapping[str, Mapping[str, int]], seed: int
) -> ReadArms:
    """Over what the clean series left. Nothing is written."""
    scores: dict[str, list[float]] = {arm: [] for arm in ARMS}
    precision: dict[str, list[float]] = {arm: [] for arm in ARMS}
    calls: dict[str, list[Sequence[CallRow]]] = {arm: [] for arm in ARMS}
    for each in reads:
        full = await workspace.read(each.text, TOP, penalty=ground.penalty)
        alone = await workspace.read(each.text, EVIDENCE, signals_only=True)
        inquiry = Inquiry(each.text, tuple(Known(hit.id, hit.text) for hit in alone.hits))
        judged = await workspace.judges.derivation.derive(inquiry)
        cites = list(dict.fromkeys(id for said in judged.value for id in said.antecedents))
        depth = max(1, len(cites))
        orders = {"system": [hit.id for hit in full.hits], "signals": [hit.id for hit in alone.hits], "reasoning": cites}
        mine = grades[each.id]
        for arm, order in orders.items():
            scores[arm].append(ndcg(order, mine, depth))
            precision[arm].append(sum(mine.get(id, 0) > 0 for id in order[:depth]) / depth)
        reasoned = [row(call, "reread", "read", "") for call in judged.calls]
        for arm, mades in (("system", full.calls), ("signals", alone.calls), ("reasoning", (*alone.calls, *reasoned))):
            calls[arm].append(mades)
    over = {arm: gain(scores["system"], scores[arm], seed=seed) for arm in ("signals", "reasoning")}
    return ReadArms(scores, precision, over, calls)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
