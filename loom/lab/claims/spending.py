"""The ledger of a replay (seed 001 §10.4): work from the log, the alternative at parity, break-even, its bound and its grid.

Work is in dollars of either tier as the log has them, with a price of 1 for both: each line is exact, and the grid multiplies what was
spent on the large model.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum

import numpy as np

from loom.core.claims.stored import CallRow
from loom.core.values import Json
from loom.lab.claims.bound import Bound, Measured, bound
from loom.lab.claims.ledger import Prices, Spend, Work, breakeven, grid, slope
from loom.lab.claims.replaying import Replay, line_of
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
    """`prices`: what a call of either tier cost on average. `parity`: the cheapest arm that the system is not significantly better than;
    `log` and `ledger` are dollars of the same calls."""

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


@dataclass(frozen=True, slots=True)
class Misrouted:
    """What a router in use does to costs: the share of reads that it sends to the slow path, and of slow-path requests that it serves with
    a read."""

    slowed: float
    shortened: float


@dataclass(frozen=True, slots=True)
class Costs:
    """What was measured, in dollars: `runs` what each slow-path request wrote, `reads` and `rereads` one read each, here and by the
    alternative. `actions` a slow-path request leaves to people, with `minutes` of each kind."""

    runs: Sequence[float]
    reads: Sequence[float]
    rereads: Sequence[float]
    actions: Mapping[str, float]
    minutes: Mapping[str, Sequence[float]]
    wage: float

    @property
    def prices(self) -> Prices:
        return Prices(1.0, 1.0, self.wage)


def spending(
    found: Replay,
    ranked: Retrieval,
    world: World,
    automatic: float,
    misrouted: Misrouted | None,
    seed: int,
    cycle: Sequence[CallRow] = (),
) -> Spending:
    """The ledgers. `automatic` is the share of acceptances that the rule makes; `misrouted` None where the router is not in use; `cycle`
    the calls of one evaluation cycle of the dimensions, of which there is one in the window of the log."""
    calls = [*found.clean, *(call for read in found.reads for call in read)]
    average = average_prices([*calls, *cycle], WAGE)
    by_line = lines_of(found.clean)
    signals = sum(call.component == "extraction" and not call.cached for call in found.clean)
    read = paid([call for each in found.reads for call in each])
    runs, reads = found.runs, len(found.reads)
    parity = "reasoning" if ranked.contrasts["system"].significant else "signals only"
    one = over(read, reads)
    reread = one if parity == "signals only" else Spend(small=2 * average.small, frontier=average.frontier)
    requests = max(1, sum(world.writes.values()))
    work = Work(
        writes=over(by_line["writes"], runs),
        upkeep=plus(over(by_line["upkeep"], runs), over(paid(cycle), requests)),
        signal=over(by_line["ingest"], max(1, signals)),
        signals=signals / runs,
        people=Spend(),
        once=Spend(frontier=REASONED * average.frontier),
        read=plus(one, Spend(small=average.small)),  # the decision call of the router
        reread=reread,
    )
    observed = sum(world.reads.values()) / requests
    decided = average.small
    costs = Costs(
        runs_of(found.clean, runs),
        [sum(call.price for call in each) + decided for each in found.reads],
        [reread.at(Prices(1.0, 1.0, WAGE))] * reads,
        {"accept": 1.0, "resolve": 0.1, "describe": len(world.domains) / max(1, runs)},
        world.minutes,
        WAGE,
    )
    made = ledgers(work, costs, automatic, misrouted, observed, seed)
    log = fsum(call.price for call in (*calls, *cycle))
    total = fsum(each.at(costs.prices) for each in (*by_line.values(), read, paid(cycle)))
    first = made[0].work
    return Spending(average, parity, made, list(grid(first, costs.prices)), slope(first, costs.prices), log, total)


def ledgers(
    work: Work, costs: Costs, automatic: float, misrouted: Misrouted | None, observed: float, seed: int
) -> list[Ledger]:
    """With every acceptance by a person and with the rule's share by itself; by labels and, where it is in use, by the router."""
    made = []
    for acceptance in ("people", "automatic"):
        accepts = costs.actions.get("accept", 0.0) * (1.0 if acceptance == "people" else 1.0 - automatic)
        actions = {**costs.actions, "accept": accepts}
        for way in ("labels", *(("router",) if misrouted is not None else ())):
            mine = replace(work, people=Spend(minutes=_minutes(actions, costs.minutes)))
            each = replace(costs, actions=actions)
            if misrouted is not None and way == "router":
                mine, each = _routed(mine, each, misrouted)
            made.append(_ledger(f"acceptance by {acceptance}, routed by {way}", mine, each, observed, seed))
    return made


def _routed(work: Work, costs: Costs, misrouted: Misrouted) -> tuple[Work, Costs]:
    """Reads that are taken for requests cost a run beside; requests that are taken for reads cost a read instead of a run."""
    slow, fast = work.writes.at(costs.prices), work.read.at(costs.prices)
    more, less = misrouted.slowed * slow, misrouted.shortened
    return (
        replace(
            work,
            writes=plus(over(work.writes, 1, 1.0 - less), over(work.read, 1, less)),
            read=plus(work.read, over(work.writes, 1, misrouted.slowed)),
        ),
        replace(
            costs,
            runs=[(1.0 - less) * each + less * fast for each in costs.runs],
            reads=[each + more for each in costs.reads],
        ),
    )


def _ledger(name: str, work: Work, costs: Costs, observed: float, seed: int) -> Ledger:
    """With the bound over resampled requests, reads and timings."""
    prices = costs.prices
    ahead = work.upkeep.at(prices) + work.signals * work.signal.at(prices) - work.once.at(prices)
    measured = Measured(
        requests=[each + ahead for each in costs.runs],
        reads=costs.reads,
        rereads=costs.rereads,
        actions=costs.actions,
        minutes=costs.minutes,
        wage=costs.wage,
    )
    return Ledger(
        name,
        work,
        work.lines(prices),
        breakeven(work.ahead(prices), work.saved(prices)),
        bound(measured, seed=seed, resamples=RESAMPLES),
        observed,
    )


OF = {"writes": "writes", "failed": "writes", "ingest": "ingest", "read": "read", "hyde": "read"}
"""The line of the ledger that a line of the log is charged to; any other is upkeep."""


def lines_of(calls: Sequence[CallRow]) -> dict[str, Spend]:
    """Dollars of a log by line of the ledger."""
    names = ("writes", "upkeep", "ingest", "read")
    return {name: paid([call for call in calls if OF.get(line_of(call), "upkeep") == name]) for name in names}


def runs_of(calls: Sequence[CallRow], many: int) -> list[float]:
    """What each of so many slow-path requests wrote, in dollars. Runs that wrote nothing cost nothing."""
    spent: dict[str, float] = {}
    for call in calls:
        if OF.get(line_of(call)) == "writes" and isinstance(call.of, dict):
            name = str(call.of.get("request") or call.of.get("run"))
            spent[name] = spent.get(name, 0.0) + call.price
    made = np.zeros(many)
    for at, value in enumerate(sorted(spent.values())):
        made[at % many] += value
    found: list[float] = made.tolist()
    return found


def average_prices(calls: Sequence[CallRow], wage: float) -> Prices:
    """What a call of either tier cost on average."""
    found = {}
    for large in (False, True):
        own = [call.price for call in calls if (call.tier == LARGE) is large and not call.cached]
        found[large] = sum(own) / len(own) if own else 0.0
    return Prices(found[False], found[True], wage)


def paid(calls: Sequence[CallRow]) -> Spend:
    """Dollars by tier."""
    large = fsum(call.price for call in calls if call.tier == LARGE)
    return Spend(small=fsum(call.price for call in calls if call.tier != LARGE), frontier=large)


def over(spend: Spend, many: int, share: float = 1.0) -> Spend:
    """A share of a mean."""
    return Spend(*(getattr(spend, name) / max(1, many) * share for name in ("small", "frontier", "minutes", "dollars")))


def plus(one: Spend, other: Spend) -> Spend:
    return Spend(*(getattr(one, name) + getattr(other, name) for name in ("small", "frontier", "minutes", "dollars")))


def _minutes(actions: Mapping[str, float], minutes: Mapping[str, Sequence[float]]) -> float:
    return sum(many * float(np.median(minutes[kind])) for kind, many in actions.items() if many)
