"""The ledger of a real workspace (seed 001 §10.4): its replay at the prices of a file, the alternative as it was measured, people's minutes
as they were timed, and the reads that its log has."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from loom.core.claims.stored import CallRow
from loom.core.values import Json
from loom.lab.claims.labels import Labels
from loom.lab.claims.ledger import Prices, Spend, Work, grid, slope
from loom.lab.claims.real.pricing import Till, told
from loom.lab.claims.real.reading import ReadArms
from loom.lab.claims.real.rendering import Rendered
from loom.lab.claims.real.replay import RealReplay
from loom.lab.claims.spending import Costs, Misrouted, Spending, average_prices, ledgers, lines_of, over, paid, runs_of


@dataclass(frozen=True, slots=True)
class Log:
    """The workspace's own log, at the prices of the file. `signals` and `requests` are what came in and what was reasoned about; `unknown`
    counts requests of which nobody wrote down the tokens."""

    lines: Mapping[str, Json]
    total: float
    signals: int
    requests: int
    unknown: int

    def as_json(self) -> dict[str, Json]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def log_of(calls: Sequence[CallRow], till: Till, signals: int, requests: int) -> Log:
    """Raises BadInput for a model that has no price."""
    charged = till.charged(calls)
    return Log(told(charged), fsum(each.price for each in charged), signals, requests, len(till.unknown))


@dataclass(frozen=True, slots=True)
class Measured:
    """What the other experiments came to, for the ledger."""

    replay: RealReplay
    arms: ReadArms
    rendered: Rendered
    automatic: float
    misrouted: Misrouted | None
    domains: int


def lacking(labels: Labels, till: Till) -> str:
    """What a ledger of this workspace lacks, in a sentence; empty where nothing does."""
    if not till.prices.models:
        return "no model has a price: name one in the workspace's file or with --prices"
    if till.prices.wage is None:
        return "people's hour has no price: state the wage in the file of --prices"
    if not sum(labels.writes.values()):
        return "label how many reads and requests the sessions of the log have (use)"
    missing = [action for action in ("accept", "resolve") if not labels.minutes.get(action)]
    return (
        f"nobody timed how long it takes to {missing[0]} (action), and no decision in the log says its seconds"
        if missing
        else ""
    )


def account(log: Log, found: Measured, labels: Labels, till: Till, seed: int) -> Spending:
    """Where nothing lacks."""
    runs = found.replay.runs
    clean = till.charged(found.replay.clean)
    system = [till.charged(each) for each in found.arms.calls["system"]]
    other = {arm: [till.charged(each) for each in found.arms.calls[arm]] for arm in ("signals", "reasoning")}
    reads = len(system)
    cost = {arm: fsum(call.price for each in calls for call in each) / reads for arm, calls in other.items()}
    parity = found.arms.parity(cost)
    once = [till.charged(each) for each in found.rendered.calls["reasoned"]]
    by_line = lines_of(clean)
    read = paid([call for each in system for call in each])
    average = average_prices([*clean, *(call for each in system for call in each)], till.prices.wage or 0.0)
    ingest = log.lines.get("ingest") if isinstance(log.lines, dict) else None
    signal = Spend(small=float(ingest["dollars"]) / max(1, log.signals)) if isinstance(ingest, dict) else Spend()
    wage = till.prices.wage or 0.0
    requests = sum(labels.writes.values())
    work = Work(
        writes=over(by_line["writes"], runs),
        upkeep=over(by_line["upkeep"], runs),
        signal=signal,
        signals=log.signals / max(1, log.requests),
        people=Spend(),
        once=over(paid([call for each in once for call in each]), len(once)),
        read=over(read, reads),
        reread=over(paid([call for each in other[parity] for call in each]), reads),
    )
    actions = {"accept": found.replay.waiting / runs, "resolve": found.replay.disputed / 2 / runs}
    if labels.minutes.get("describe"):
        actions["describe"] = found.domains / requests
    costs = Costs(
        runs_of(clean, runs),
        [fsum(call.price for call in each) for each in system],
        [fsum(call.price for call in each) for each in other[parity]],
        actions,
        labels.minutes,
        wage,
    )
    observed = sum(labels.reads.values()) / requests
    made = ledgers(work, costs, found.automatic, found.misrouted, observed, seed)
    prices = Prices(1.0, 1.0, wage)
    total = fsum(each.at(prices) for each in (*by_line.values(), read))
    spent = fsum(call.price for call in (*clean, *(call for each in system for call in each)))
    first = made[0].work
    return Spending(average, parity, made, list(grid(first, prices)), slope(first, prices), spent, total)
