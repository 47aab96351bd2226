"""What a workspace comes to at a moment: its version, what waits, how claims stand, what models cost so far."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from loom.core.claims.standing import Standing
from loom.core.claims.stored import CallRow
from loom.core.claims.view import ClaimView
from loom.ports import ClaimStore

LINES = ("ingest", "writes", "upkeep", "read", "hyde", "failed", "cycle")
"""Lines of the ledger; calls of any other are under `other`."""
PAGE = 5000


@dataclass(frozen=True, slots=True)
class Figures:
    """`calls` and `price` are by line."""

    version: int
    waiting: Mapping[str, int]
    standings: Mapping[str, int]
    calls: Mapping[str, int]
    price: Mapping[str, float]


class Counted:
    """The figures of a store, whose log is read once: each look goes on where the one before ended."""

    def __init__(self) -> None:
        self._after = 0
        self._calls: Counter[str] = Counter()
        self._price: dict[str, float] = {}

    async def look(self, store: ClaimStore) -> Figures:
        while page := await store.look(lambda view: view.calls(self._after, PAGE)):
            for _, call in page:
                line = line_of(call)
                self._calls[line] += 1
                self._price[line] = self._price.get(line, 0.0) + call.price
            self._after = page[-1][0]
        version, waiting, standings = await store.look(_now)
        return Figures(version, waiting, standings, dict(self._calls), dict(self._price))


def line_of(call: CallRow) -> str:
    """The line of the ledger that a call is under."""
    line = call.of.get("line") if isinstance(call.of, dict) else None
    return line if isinstance(line, str) and line in LINES else "other"


def _now(view: ClaimView) -> tuple[int, Mapping[str, int], Mapping[str, int]]:
    counts = view.counts()
    standings = {each.word: counts.get(each, 0) for each in Standing if each is not Standing.NONE}
    return view.version, view.waiting(), standings
