"""What the claims layer costs beside its alternative, and from how many reads on it pays (seed 001 §10.4; specs/claims.md §9).

Costs are kept as what was done (calls of either tier, minutes of a person) and priced late, so that one measurement answers for any
price list:

    system(N)      = writes + upkeep + ingest + people + N · read
    alternative(N) = once + N · reread
    break-even N*  = (writes + upkeep + ingest + people − once) / (reread − read)

all of them a slow-path request, N in reads a slow-path request. The alternative reasons afresh for each request and keeps nothing.
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product

from loom.core.errors import BadInput
from loom.core.values import Json

RATIOS = (0.25, 0.5, 1.0, 2.0, 4.0)
"""By how much the price of the large model is multiplied in the grid; the paper's own factors are lost."""
WAGES = (0.5, 1.0, 2.0)
SIGNALS = (0.5, 1.0, 2.0)


def _amount(value: float, what: str) -> None:
    if not math.isfinite(value) or value < 0:
        raise BadInput(f"Expected {what} as a number of at least 0, but got {value!r}; give what was measured.", param=what)


@dataclass(frozen=True, slots=True)
class Prices:
    """US dollars a call of the small and of the large model, and an hour of the people who look after claims. Raises BadInput."""

    small: float
    frontier: float
    wage: float

    def __post_init__(self) -> None:
        for name in ("small", "frontier", "wage"):
            _amount(getattr(self, name), f"the price {name}")


@dataclass(frozen=True, slots=True)
class Spend:
    """What something takes: calls of the small and the large model, minutes of a person, and dollars that are what they are.
    Raises BadInput for what is negative or no number."""

    small: float = 0.0
    frontier: float = 0.0
    minutes: float = 0.0
    dollars: float = 0.0

    def __post_init__(self) -> None:
        for name in ("small", "frontier", "minutes", "dollars"):
            _amount(getattr(self, name), name)

    def at(self, prices: Prices) -> float:
        """In dollars."""
        models = self.small * prices.small + self.frontier * prices.frontier
        return models + self.minutes / 60 * prices.wage + self.dollars


@dataclass(frozen=True, slots=True)
class Work:
    """The work of a workspace. `writes` (derivation, evidence for preconditions, projection, checks), `upkeep` (re-derivation,
    re-projection), `people` and `once` (the alternative) are a slow-path request; `signal` is one signal taken in and `signals`
    how many come in a request; `read` and `reread` are one read, here and by the cheapest alternative of the same quality."""

    writes: Spend
    upkeep: Spend
    signal: Spend
    signals: float
    people: Spend
    once: Spend
    read: Spend
    reread: Spend

    def __post_init__(self) -> None:
        _amount(self.signals, "the signals a request")

    def ahead(self, prices: Prices) -> float:
        """What the layer has cost more before the first read, in dollars a slow-path request."""
        ingest = self.signals * self.signal.at(prices)
        return self.writes.at(prices) + self.upkeep.at(prices) + ingest + self.people.at(prices) - self.once.at(prices)

    def saved(self, prices: Prices) -> float:
        """What a read costs less, in dollars; below zero where it costs more."""
        return self.reread.at(prices) - self.read.at(prices)

    def breakeven(self, prices: Prices) -> float | None:
        """Reads a slow-path request from which on the layer pays; None where no number of reads repays it."""
        return breakeven(self.ahead(prices), self.saved(prices))

    def lines(self, prices: Prices) -> dict[str, float]:
        """Each line of the ledger in dollars; `signal` is ingest's slope: dollars a signal."""
        names = ("writes", "upkeep", "signal", "people", "once", "read", "reread")
        found = {name: getattr(self, name).at(prices) for name in names}
        return found | {"ingest": self.signals * found["signal"], "signals": self.signals}


def breakeven(ahead: float, saved: float) -> float | None:
    """The quotient of both, None where a read saves nothing (to a billionth of a dollar), and 0 where nothing was laid out."""
    if saved <= 1e-9:
        return None
    return max(0.0, ahead / saved)


def slope(work: Work, prices: Prices) -> float | None:
    """By how many reads the break-even rises with each further signal a request."""
    return breakeven(work.signal.at(prices), work.saved(prices))


def grid(
    work: Work,
    prices: Prices,
    *,
    ratios: Iterable[float] = RATIOS,
    wages: Iterable[float] = WAGES,
    signals: Iterable[float] = SIGNALS,
) -> Iterator[dict[str, Json]]:
    """The break-even for each combination of factors on the large model's price, the wage and the signals a request."""
    for ratio, wage, many in product(tuple(ratios), tuple(wages), tuple(signals)):
        then = replace(prices, frontier=prices.frontier * ratio, wage=prices.wage * wage)
        reads = replace(work, signals=work.signals * many).breakeven(then)
        yield {"frontier": ratio, "wage": wage, "signals": many, "reads": reads}


SUPPOSED = Prices(small=0.0005, frontier=0.025, wage=60.0)
"""The paper's supposed prices: nobody's list, and no estimate."""
ILLUSTRATION = Work(
    writes=Spend(frontier=20, small=8),
    upkeep=Spend(dollars=0.05),
    signal=Spend(small=21),
    signals=30,
    people=Spend(minutes=0.5),
    once=Spend(frontier=15),
    read=Spend(small=30),
    reread=Spend(frontier=1, small=2),
)
"""The paper's illustration. Its break-evens are 90, 31 at twice the large model's price (32 if upkeep doubles too), 136 at twice
the wage, none at half the price, and none where a read's decision call costs $0.011."""


def illustrated() -> dict[str, float | None]:
    """The break-even of each case of the illustration."""
    work, prices = ILLUSTRATION, SUPPOSED
    twice = replace(prices, frontier=prices.frontier * 2)
    return {
        "supposed prices": work.breakeven(prices),
        "decision call at $0.011": replace(work, read=replace(work.read, dollars=0.011)).breakeven(prices),
        "large model × 2": work.breakeven(twice),
        "large model × 2, upkeep × 2": replace(work, upkeep=Spend(dollars=0.10)).breakeven(twice),
        "wage × 2": work.breakeven(replace(prices, wage=prices.wage * 2)),
        "large model × ½": work.breakeven(replace(prices, frontier=prices.frontier / 2)),
    }


LINES = ("writes", "upkeep", "ingest", "once", "read", "hyde", "reread", "failed")
"""The lines of the ledger that calls of models belong to, as the log names them; people's minutes are no calls."""


def totals(calls: Iterable[Mapping[str, Json]]) -> dict[str, dict[str, float]]:
    """Dollars, calls and tokens by arm and line of a log: rows with arm, line, price (dollars; None is 0), in, out (tokens). The sum
    over all of it is the sum of the log. Raises BadInput for a line that the ledger has not."""
    sums: dict[str, dict[str, list[float]]] = {}
    counts: dict[str, dict[str, float]] = {}
    for call in calls:
        line, arm = str(call.get("line", "")), str(call.get("arm", ""))
        if line not in LINES:
            raise BadInput(f"Expected a call of one of {', '.join(LINES)}, but got {line!r}; name its line.", param="line")
        sums.setdefault(arm, {}).setdefault(line, []).append(float(call.get("price") or 0.0))
        count = counts.setdefault(arm, {})
        for name, many in (("calls", 1), ("tokens", int(call.get("in") or 0) + int(call.get("out") or 0))):
            count[name] = count.get(name, 0) + many
    return {arm: {line: math.fsum(sums[arm][line]) for line in sorted(sums[arm])} | counts[arm] for arm in sorted(sums)}
