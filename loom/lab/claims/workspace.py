"""A workspace under experiment: the real slow and fast path over a store, with a clock that goes on by one interval a batch."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from loom.claims.asks import Describe, Shape, TakeIn, Wish, ask_of
from loom.claims.axes import dimensions_of, row_of
from loom.claims.fast import FastPath, Reading, Wants
from loom.claims.judges import Judges
from loom.claims.slow import Flushed, SlowPath
from loom.core.claims.dimensions.dimension import Dimension
from loom.core.claims.dimensions.fitted import Fitted
from loom.core.claims.dimensions.fitted import row_of as fitted_row
from loom.core.claims.dimensions.rules import Rules
from loom.core.claims.judging.asked import Pair
from loom.core.claims.judging.calls import Judged
from loom.core.claims.judging.given import Opinion
from loom.core.claims.parts import Parts
from loom.core.claims.stored import CallRow, Commit, StoredClaim, Wanted
from loom.lab.claims.worlds.planted import Fact, World
from loom.lab.claims.worlds.tables import Tables
from loom.ports import ClaimStore, Verdicts

START = datetime(2026, 5, 4, 9, tzinfo=UTC)
INTERVAL = timedelta(minutes=15)
RULES = Rules(gate=0.0)
"""Definitions of a generated axis share no words with claims, so that a gate by likeness would be chance."""
AT_ONCE = 120
PAGE = 500
BY = "lab"

Stores = Callable[[], ClaimStore]
Judging = Callable[[Tables], Judges]


def frontier_of(judges: Judges) -> Any:
    """The large model: that which derives. Asked for something else, it is the frontier arm of whatever small models are compared with."""
    return judges.derivation


class Overheard:
    """A judge of verdicts whose pairs are kept: which candidates each new text was compared with."""

    def __init__(self, judge: Verdicts) -> None:
        self.judge = judge
        self.candidates: dict[str, list[str]] = {}

    async def verdicts(self, pairs: Sequence[Pair]) -> Judged[Sequence[Opinion]]:
        for pair in pairs:
            self.candidates.setdefault(pair.new.text, []).append(pair.candidate.text)
        return await self.judge.verdicts(pairs)


class Workspace:
    """One store and who judges in it."""

    def __init__(
        self, stores: Stores, judging: Judging, tables: Tables, parts: Parts, *, now: datetime = START, rules: Rules = RULES
    ) -> None:
        self._stores, self._judging, self._tables, self._rules = stores, judging, tables, rules
        judges = judging(tables)
        self.heard = Overheard(judges.verdicts)
        self.judges = replace(judges, verdicts=self.heard)
        self.parts = parts
        self.now = now
        self.store = stores()
        self._slow = SlowPath(self.store, self.judges, "lab", parts=parts, rules=rules)

    async def do(self, wishes: Sequence[Wish], *, at_once: int = AT_ONCE) -> list[Flushed]:
        """Batches of so many wishes, in their order."""
        made = []
        for start in range(0, len(wishes), at_once):
            self.now += INTERVAL
            at = self.now.isoformat()
            asks = [ask_of(each, at, once=f"{at}#{place}") for place, each in enumerate(wishes[start : start + at_once])]
            await self.store.enqueue(asks)
            made.append(await self._slow.flush(self.now))
        return made

    async def read(
        self, text: str, k: int = 10, *, parts: Parts | None = None, penalty: float = 0.0, signals_only: bool = False
    ) -> Reading:
        """A read as it is served. `penalty` is what an unsettled standing costs in a domain that nothing was fitted in."""
        fast = FastPath(self.store, self.judges, parts=parts or self.parts, rules=self._rules, penalty=penalty)
        return await fast.read(Wants(text, k, claims=not signals_only), self.now.isoformat())

    async def copy(self, parts: Parts | None = None) -> "Workspace":
        """The same workspace in another store, whose judges have been asked nothing yet."""
        made = Workspace(self._stores, self._judging, self._tables, parts or self.parts, now=self.now, rules=self._rules)
        lines = [line async for line in self.store.export()]
        await made.store.restore(lines)
        return made

    def unasked(self) -> Judges:
        """Judges like those of this workspace, that have been asked nothing yet and pay for their answers."""
        return self._judging(self._tables)

    async def claims(self) -> dict[str, StoredClaim]:
        """All claims but lifted ones, by id."""
        found: dict[str, StoredClaim] = {}
        after = ""
        while page := await self.store.look(lambda view, after=after: view.list_claims(Wanted(after=after, limit=PAGE))):  # type: ignore[misc]
            found.update((each.claim.id, each) for each in page)
            after = page[-1].claim.id
        return found

    async def calls(self) -> list[CallRow]:
        """The log, whole."""
        found: list[CallRow] = []
        after = 0
        while page := await self.store.look(lambda view, after=after: view.calls(after)):  # type: ignore[misc]
            found += [row for _, row in page]
            after = page[-1][0]
        return found

    async def dimensions(self) -> list[Dimension]:
        return dimensions_of(await self.store.look(lambda view: view.dimensions()))

    async def settle(self, fits: Sequence[Fitted]) -> None:
        """What the end of an evaluation cycle writes: the fit of each domain, and that a small projector places queries on its axes."""
        await self._slow.aclose()
        weights = {axis: weight for each in fits for axis, weight in each.weights.items()}
        rows = [row_of(replace(each, weight=weights.get(each.id, 0.0), distilled=True)) for each in await self.dimensions()]
        lease = await self.store.lease("lab-cycle", now=self.now.timestamp(), seconds=60.0)
        version = await self.store.look(lambda view: view.version)
        rows += [fitted_row(each, version + 1) for each in fits]
        await self.store.commit(lease, Commit(version, self.now.isoformat(), dimensions=rows))
        await self.store.release(lease)

    async def aclose(self) -> None:
        await self._slow.aclose()
        await self.store.aclose()


async def founded(world: World, stores: Stores, judging: Judging, tables: Tables, parts: Parts) -> Workspace:
    """A workspace with the domains, the dimensions (active, since people pinned them) and the first signals of a world."""
    made = Workspace(stores, judging, tables, parts)
    await made.do([Describe(each.id, each.name, each.description, BY) for each in world.domains])
    await made.do([Shape(id, BY, domain, contract) for id, (domain, contract) in world.dimensions.items()])
    await made.do([Shape(id, BY, state="pin") for id in world.dimensions])
    await made.do(taken(world.facts), at_once=400)
    await made.settle(())
    return made


def taken(facts: Sequence[Fact]) -> list[Wish]:
    return [TakeIn(each.entry) for each in facts]
