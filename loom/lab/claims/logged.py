"""The ledger of a real workspace, as far as its log tells it: calls of models by line, people's minutes, slow-path requests."""

from collections import Counter
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from math import fsum

from loom.claims.figures import line_of
from loom.core.claims.stored import Queued
from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.claims.ledger import breakeven
from loom.lab.claims.people import KINDS, Timed, timed
from loom.ports import ClaimStore

PAGE = 2000
READ = "read"


@dataclass(frozen=True, slots=True)
class Alternative:
    """What the alternative takes that keeps nothing, in dollars: once a slow-path request, and a read. Raises BadInput."""

    once: float
    reread: float

    def __post_init__(self) -> None:
        for name in ("once", "reread"):
            if not 0 <= getattr(self, name) < float("inf"):
                raise BadInput(f"Expected --{name} as dollars of at least 0, but got {getattr(self, name)!r}.", param=name)


@dataclass(frozen=True, slots=True)
class Logged:
    """`calls` and `prices` by line of the ledger; `requests` are questions that the slow path answered for the first time."""

    calls: Mapping[str, int]
    prices: Mapping[str, float]
    people: Mapping[str, Timed]
    requests: int

    @property
    def minutes(self) -> float:
        """Minutes of people, of all actions that any timing is known of."""
        return fsum(each.spent or 0.0 for each in self.people.values())

    @property
    def untimed(self) -> list[str]:
        """Actions that people did and nobody timed: the human term lacks them."""
        return [name for name, each in self.people.items() if each.spent is None]

    def as_json(self, wage: float, reads: int, other: Alternative | None) -> dict[str, Json]:
        """With the break-even, in reads a slow-path request, where the alternative and the number of reads are known. Raises
        BadInput."""
        if not 0 <= wage < float("inf"):
            raise BadInput(f"Expected --wage as dollars an hour of at least 0, but got {wage!r}.", param="wage")
        people = self.minutes / 60 * wage
        told: dict[str, Json] = {
            "requests": self.requests,
            "lines": {line: {"calls": self.calls[line], "price": self.prices[line]} for line in sorted(self.calls)},
            "people": {name: each.as_json() for name, each in self.people.items()},
            "minutes": self.minutes,
            "wage": wage,
            "price_of_people": people,
            "untimed": list(self.untimed),
        }
        if other is None or not reads or not self.requests:
            return told
        laid_out = fsum((*(price for line, price in self.prices.items() if line != READ), people)) / self.requests
        saved = other.reread - self.prices.get(READ, 0.0) / reads
        return told | {
            "break_even": breakeven(laid_out - other.once, saved), "observed_reads_a_request": reads / self.requests,
        }  # fmt: skip


async def logged(store: ClaimStore) -> Logged:
    """Reads the log of a store from its beginning, page by page."""
    calls: Counter[str] = Counter()
    prices: dict[str, list[float]] = {}
    after = 0
    while rows := await store.look(lambda view, after=after: view.calls(after, PAGE)):  # type: ignore[misc]
        for _, call in rows:
            calls[line_of(call)] += 1
            prices.setdefault(line_of(call), []).append(call.price)
        after = rows[-1][0]
    requests = sum([not _again(each) async for each in _done(store, ("question",))])
    return Logged(dict(calls), {line: fsum(each) for line, each in prices.items()}, await acted(store), requests)


async def acted(store: ClaimStore) -> Mapping[str, Timed]:
    """What people did in a workspace, by the name of the action."""
    return timed([each async for each in _done(store, KINDS)])


async def _done(store: ClaimStore, kinds: tuple[str, ...]) -> AsyncIterator[Queued]:
    """The asks of some kinds that were done, page by page."""
    after = 0
    while page := await store.look(lambda view, after=after: view.done(kinds, after, PAGE)):  # type: ignore[misc]
        for each in page:
            yield each
        after = page[-1].number


def _again(done: Queued) -> bool:
    """Whether a question was asked by the slow path itself, of a claim that lost its standing."""
    return isinstance(done.ask.body, dict) and bool(done.ask.body.get("again"))
