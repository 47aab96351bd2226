"""The ledger of a replay (seed 001 §10.4): work from the log, the alternative at parity, break-even, its bound and its grid."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum

import numpy as np

from loom.core.claims.stored import CallRow
from loom.core.values import Json
from loom.lab.claims.bound import Bound, Measured, bound
from loom.lab.claims.ledger import Prices, Spend, Work, breakeven, grid, slope
from loom.lab.claims.replaying import Replay
from loom.lab.claims.retrieval import Retrieval
from loom.lab.claims.worlds.planted import World

WAGE = 60.0
LARGE = "large"
REASONED = 2
"""Calls of the large model with which the alternative serves a slow-path request: to derive, and to write it down."""
RESAMPLES = 2000


@dataclass(frozen=True, slots=True)
class Ledger:
    """One computation: people's minutes with and without automatic acceptance, requests routed by their labels or by the router."""

    name: str
    work: Work
    lines: Mapping[str, float]
    reads: float | None
    bound: Bound
    observed: float

    @property
    def within(self) -> bool:
        return self.bound.within(self.observed)

    def as_json(self) -> dict[str, Json]:
        return {
            "name": self.name,
            "lines": dict(self.lines),
            "break_even": self.reads,
            "upper_bound": self.bound.upper,
            "without_break_even": self.bound.none,
            "observed_reads_a_request": self.observed,
            "pays": self.within,
        }


@dataclass(frozen=True, slots=True)
class Spending:
    """`parity`: the cheapest arm that the system is not significantly better than; `log` and `ledger` are dollars of the same calls."""

    prices: Prices
    parity: str
    ledgers: Sequence[Ledger]
    grid: Sequence[Mapping[str, Json]]
    slope: float | None
    log: float
    ledger: float

    def as_json(self) -> dict[str, Json]:
        return {
            "prices": {"small": self.prices.small, "frontier": self.prices.frontier, "wage": self.prices.wage},
            "parity": self.parity,
            "ledgers": [each.as_json() for each in self.ledgers],
            "grid": [dict(each) for each in self.grid],
            "more_reads_for_each_signal_a_request": self.slope,
            "log_total": self.log,
            "ledger_total": self.ledger,
        }


def spending(found: Replay, ranked: Retrieval, world: World, automatic: float, misrouted: float | None, seed: int) -> Spending:
    """The ledgers. `automatic` is the share of acceptances that the rule makes; `misrouted` the share of reads that the router sends to
    the slow path, None where the router is not in use."""
    prices = _prices([*found.clean, *(call for read in found.reads for call in read)])
    by_line = {line: _spend([call for call in found.clean if _line(call) == line]) for line in ("writes", "upkeep", "ingest")}
    signals = sum(call.component == "extraction" and not call.cached for call in found.clean)
    read = _spend([call for each in found.reads for call in each])
    runs, reads = found.runs, len(found.reads)
    parity = "reasoning" if ranked.contrasts["system"].significant else "signals only"
    rereads = Spend(small=read.small / reads) if parity == "signals only" else Spend(small=2, frontier=1)
    base = Work(
        writes=_over(by_line["writes"], runs),
        upkeep=_over(by_line["upkeep"], runs),
        signal=_over(by_line["ingest"], max(1, signals)),
        signals=signals / runs,
        people=Spend(),
        once=Spend(frontier=REASONED),
        read=Spend(small=read.small / reads + 1, frontier=read.frontier / reads),
        reread=rereads,
    )
    observed = sum(world.reads.values()) / max(1, sum(world.writes.values()))
    made = []
    for acceptance in ("people", "automatic"):
        accepts = 1.0 if acceptance == "people" else 1.0 - automatic
        actions = {"accept": accepts, "resolve": 0.1, "describe": len(world.domains) / max(1, runs)}
        for way in ("labels", *(("router",) if misrouted is not None else ())):
            more = (misrouted or 0.0) if way == "router" else 0.0
            slow = base.writes.at(prices)
            work = replace(base, read=replace(base.read, dollars=more * slow), people=Spend(minutes=_minutes(actions, world)))
            made.append(
                _ledger(f"acceptance by {acceptance}, routed by {way}", work, prices, found, world, actions, observed, seed)
            )
    log = fsum(call.price for call in (*found.clean, *(call for each in found.reads for call in each)))
    total = fsum(each.at(prices) for each in (*by_line.values(), read))
    work = made[0].work
    return Spending(prices, parity, made, list(grid(work, prices)), slope(work, prices), log, total)


def _ledger(
    name: str, work: Work, prices: Prices, found: Replay, world: World, actions: Mapping[str, float], observed: float, seed: int
) -> Ledger:
    """With the bound over resampled requests, reads and timings."""
    runs: dict[str, float] = {}
    for call in found.clean:
        if _line(call) in ("writes", "upkeep") and isinstance(call.of, dict):
            runs[str(call.of.get("request") or call.of.get("run"))] = (
                runs.get(str(call.of.get("request") or call.of.get("run")), 0.0) + call.price
            )
    spent = np.zeros(found.runs)
    for at, value in enumerate(sorted(runs.values())):
        spent[at % found.runs] += value
    ahead = work.signals * work.signal.at(prices) - work.once.at(prices)
    extra = work.read.dollars + prices.small
    measured = Measured(
        requests=(spent + ahead).tolist(),
        reads=[sum(call.price for call in each) + extra for each in found.reads],
        rereads=[work.reread.at(prices)] * len(found.reads),
        actions=actions,
        minutes=world.minutes,
        wage=prices.wage,
    )
    return Ledger(
        name,
        work,
        work.lines(prices),
        breakeven(work.ahead(prices), work.saved(prices)),
        bound(measured, seed=seed, resamples=RESAMPLES),
        observed,
    )


def _prices(calls: Sequence[CallRow]) -> Prices:
    """What a call of either tier cost on average, so that work at these prices is the log."""
    found = {}
    for large in (False, True):
        own = [call.price for call in calls if (call.tier == LARGE) is large and not call.cached]
        found[large] = sum(own) / len(own) if own else 0.0
    return Prices(found[False], found[True], WAGE)


def _spend(calls: Sequence[CallRow]) -> Spend:
    paid = [call for call in calls if not call.cached]
    large = sum(call.tier == LARGE for call in paid)
    return Spend(small=len(paid) - large, frontier=large)


def _over(spend: Spend, many: int) -> Spend:
    return Spend(small=spend.small / many, frontier=spend.frontier / many, dollars=spend.dollars / many)


def _minutes(actions: Mapping[str, float], world: World) -> float:
    return sum(many * float(np.median(world.minutes[kind])) for kind, many in actions.items())


def _line(call: CallRow) -> str:
    return str(call.of.get("line", "")) if isinstance(call.of, dict) else ""
