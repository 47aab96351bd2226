"""The slow path: what waits in the queue becomes one version of the claims (seed 001 §§3.4, 7; specs/claims.md §§4, 5).

Order within a batch: intake → derive → project → check → propagate → commit. Dimensions are those that were active before the batch.
One process holds the lease and the network; where another takes it, this one opens the network again before its next batch.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from loom.claims.acting import act, describe, shape
from loom.claims.asks import Act, Cycle, Derive, Describe, Shape, State, TakeIn, Wish, Withdraw, ask_of, wish_of
from loom.claims.axes import active
from loom.claims.checking import check_claims, check_signals
from loom.claims.cycle import cycle
from loom.claims.deriving import derive, enter, migrate
from loom.claims.drafting import Draft, row
from loom.claims.intake import refile, take_in
from loom.claims.judges import Judges
from loom.claims.projecting import project_again, project_new
from loom.core.claims.acceptance import AcceptanceRule, corroborated, everything
from loom.core.claims.dimensions.rules import DEFAULT, Rules
from loom.core.claims.judging.calls import Unjudged
from loom.core.claims.keeping import delta, mark
from loom.core.claims.network import Change, Network
from loom.core.claims.parts import Parts
from loom.core.claims.standing import Standing
from loom.core.claims.stored import LEASE, Ask, CallRow, Commit, Lease, Notes, Queued
from loom.core.claims.tables import opened
from loom.core.claims.view import ClaimView
from loom.core.claims.writes import RestoreEntry, WithdrawEntry
from loom.core.errors import BadInput, LoomError, NotFound, Unwritable
from loom.ports import ClaimStore

log = logging.getLogger(__name__)

RULES: Mapping[str, AcceptanceRule | None] = {"off": None, "corroborated": corroborated, "everything": everything}
DAYS = 30
"""A claim that lost its standing is derived anew where it was shown in so many days."""
HOLD = 60.0
"""Seconds that a lease lasts; it is renewed before each commit."""
AT_ONCE = 500
"""Asks of one batch."""
SIZE = 8_000_000
"""Characters of the asks of one batch; one that is larger comes alone."""


@dataclass(frozen=True, slots=True)
class Flushed:
    """What one batch came to. `version` is the one it made, the one before where nothing waited. `said` is what is said of each ask
    by its key, `again` are the claims that were put up to be derived anew."""

    version: int
    asks: int = 0
    signals: int = 0
    claims: int = 0
    projections: int = 0
    migrated: int = 0
    refiled: int = 0
    calls: int = 0
    change: Change | None = None
    said: Mapping[str, object] = field(default_factory=dict)
    again: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Owed:
    """Calls that were paid for, and are in no version. Where a commit went unheard, `key` is an ask that it answered, with `version`."""

    at: str
    calls: tuple[CallRow, ...]
    key: str = ""
    version: int = 0


class SlowPath:
    """The one writer. `holder` names it in the lease. It keeps the network between batches."""

    def __init__(
        self,
        store: ClaimStore,
        judges: Judges,
        holder: str,
        *,
        parts: Parts | None = None,
        rules: Rules = DEFAULT,
    ) -> None:
        self._store = store
        self._judges = judges
        self._holder = holder
        self.parts = parts or Parts()
        self._rules = rules
        self._network: Network | None = None
        self._version = -1
        self._behind: dict[str, str] = {}
        """How far the claims of each domain were looked through for positions that they lack."""
        self._lease: Lease | None = None
        self._owed: list[Owed] = []

    async def aclose(self) -> None:
        """Lets go of the lease, so that another need not wait for its end."""
        if self._lease is not None:
            await self._store.release(self._lease)
        self._lease = None
        self._network = None

    async def flush(self, now: datetime, *, only: Sequence[str] = (), spare: int = 0) -> Flushed:
        """Turns what waits into one version, and gives what it came to; `only` bounds the kinds of asks, `spare` is how many claims
        may be projected anew beside. `now` is stated with its zone.

        Raises Unjudged where a model could not be asked, Unwritable where the store or its lease is not to be had: then no version
        was made, and everything still waits. What was paid is in the log, and what a model said is not asked again.
        """
        at = now.isoformat(timespec="milliseconds")
        await self._hold(now)
        await self._log()
        queue = await self._store.look(lambda view: view.queue(AT_ONCE, only, SIZE))
        if not queue and not spare:
            return Flushed(self._version)
        draft = Draft(self._version, at, f"run-{self._version + 1}")
        try:
            refiled, migrated = await self._drafted(draft, queue, spare)
        except LoomError as failure:
            paid = [row(call, "failed", draft.run, at) for call in failure.calls] if isinstance(failure, Unjudged) else []
            await self._owe(Owed(at, (*draft.calls, *paid)))
            raise
        if not queue and not draft.projections:
            return Flushed(self._version)
        return await self._committed(draft, queue, now, refiled, migrated)

    async def renew(self, now: datetime) -> None:
        """Keeps the lease while a batch is long. Raises Unwritable where it was taken by another."""
        if self._lease is not None:
            self._lease = await self._store.renew(self._lease, now=now.timestamp(), seconds=HOLD)

    async def _hold(self, now: datetime) -> None:
        """The lease, and the network of the newest version."""
        seconds = now.timestamp()
        try:
            if self._lease is None:
                self._lease = await self._store.lease(self._holder, now=seconds, seconds=HOLD)
            else:
                self._lease = await self._store.renew(self._lease, now=seconds, seconds=HOLD)
        except Unwritable as error:
            self._lease = None
            self._network = None
            if error.param != LEASE:
                raise
            self._lease = await self._store.lease(self._holder, now=seconds, seconds=HOLD)
        version = await self._store.look(lambda view: view.version)
        if self._network is None or version != self._version:
            self._version, tables = await self._store.look(lambda view: (view.version, view.network()))
            self._network = Network(opened(tables), rule=RULES[self.parts.acceptance])

    async def _drafted(self, draft: Draft, queue: Sequence[Queued], spare: int) -> tuple[int, int]:
        wishes: list[tuple[int, Wish]] = []
        for each in queue:
            try:
                wishes.append((each.number, wish_of(each.ask)))
            except BadInput as error:
                draft.refuse(each.number, error.message)
        store, judges, parts, rules = self._store, self._judges, self.parts, self._rules
        domains, rows = await store.look(lambda view: (list(view.domains()), list(view.dimensions())))
        dimensions = active(rows)
        described = [(number, wish) for number, wish in wishes if isinstance(wish, Describe)]
        changed = [describe(draft, number, wish, domains) for number, wish in described]
        domains = sorted({**{each.id: each for each in domains}, **draft.domains}.values(), key=lambda each: each.id)
        refiled = await refile(draft, store, judges, domains) if any(changed) else 0
        taken = [(number, wish) for number, wish in wishes if isinstance(wish, TakeIn)]
        sent = {each.entry.id: number for number, each in reversed(taken)}
        gone = [(number, wish) for number, wish in wishes if isinstance(wish, Withdraw)]
        _withdraw(draft, [each for each in gone if each[0] < sent.get(each[1].entry, each[0] + 1)])
        await take_in(draft, taken, store, judges, parts, domains)
        # What was sent and taken back within one batch.
        _withdraw(draft, [each for each in gone if each[0] > sent.get(each[1].entry, each[0] + 1)])
        await check_signals(draft, store, judges, parts, rules)
        for number, wish in wishes:
            await self._one(draft, number, wish)
        if parts.dimensions or parts.positions:
            await project_new(draft, store, judges, dimensions, rules)
        await check_claims(draft, store, judges, parts, dimensions, rules)
        migrated = await migrate(draft, store, judges)
        for number, wish in wishes:
            if isinstance(wish, Shape):
                try:
                    shape(draft, number, wish, rows, domains)
                except (BadInput, NotFound) as error:
                    draft.refuse(number, error.message)
        for number, wish in wishes:
            if isinstance(wish, Cycle):
                await cycle(draft, number, wish, rows, domains, store, judges, parts, rules)
        if spare and (parts.dimensions or parts.positions):
            await project_again(draft, store, judges, dimensions, rules, limit=spare, behind=self._behind)
        return refiled, migrated

    async def _one(self, draft: Draft, number: int, wish: Wish) -> None:
        """A question, a person's claim, or what a person does; what is wrong with it is said of it alone."""
        try:
            match wish:
                case Derive():
                    await derive(draft, number, wish, self._store, self._judges, self.parts)
                case State():
                    domains = {each.id: each for each in await self._store.look(lambda view: list(view.domains()))}
                    await enter(draft, number, wish, self._store, self._judges, list({**domains, **draft.domains}.values()))
                case Act():
                    act(draft, number, wish)
        except (BadInput, NotFound) as error:
            draft.refuse(number, error.message)

    async def _committed(self, draft: Draft, queue: Sequence[Queued], now: datetime, refiled: int, migrated: int) -> Flushed:
        network = self._network
        assert network is not None and self._lease is not None
        before, batch = mark(network), draft.batch()
        change = network.commit(batch)
        numbers = [each.number for each in queue]
        done = draft.done(numbers, [(each.position, each.why) for each in change.refusals])
        try:
            asks = await self._to_derive_anew(change, draft.at, now)
            commit = Commit(
                after=self._version,
                at=draft.at,
                delta=delta(network, before, batch, change),
                domains=list(draft.domains.values()),
                dimensions=list(draft.dimensions.values()),
                projections=draft.projections,
                vectors=draft.vectors,
                calls=draft.calls,
                done=done,
                asks=asks,
                escalated=draft.logged,
            )
            version = await self._store.commit(self._lease, commit)
        except LoomError as failure:
            self._network = None  # it is ahead of the store
            if failure.param == LEASE:
                self._lease = None  # else it is kept: let go of, it would keep this process out, too
            heard = failure.param == LEASE or not queue
            await self._owe(Owed(draft.at, tuple(draft.calls), "" if heard else queue[0].ask.key, self._version + 1))
            raise
        self._version = version
        keys = {each.number: each.ask.key for each in queue}
        return Flushed(
            version,
            len(queue),
            len(draft.signals),
            len(draft.claims),
            len(draft.projections),
            migrated,
            refiled,
            len(draft.calls),
            change,
            {keys[each.number]: each.outcome for each in done},
            tuple(wish.again for wish in map(wish_of, asks) if isinstance(wish, Derive)),
        )

    async def _owe(self, owed: "Owed") -> None:
        """Calls of a batch that came to nothing go into the log at once, or with the next batch where the store does not take them."""
        if not owed.calls:
            return
        self._owed.append(owed)
        try:
            await self._log()
        except LoomError as error:
            log.error("Calls of models that were paid for are not in the log yet: %s", error.message)

    async def _log(self) -> None:
        while self._owed:
            first = self._owed[0]
            answered = await self._store.look(lambda view: view.asked([self._owed[0].key]))
            # A commit that raised may have been made all the same: then its calls are in the log with it.
            if not any(each.version == first.version for each in answered.values()):
                await self._store.note(Notes(first.at, calls=first.calls))
            self._owed.pop(0)

    async def _to_derive_anew(self, change: Change, at: str, now: datetime) -> list[Ask]:
        """Asks for what loses its standing with this change and was shown lately (§4)."""
        gone = (Standing.RETRACTED, Standing.CONTESTED)
        last = {move.claim: move.after for move in change.moves}
        lost = {
            move.claim: None
            for move in change.moves
            if move.after in gone and last[move.claim] in gone and move.before is not Standing.NONE and move.cause != "rejected"
        }
        if not lost:
            return []
        since = (now - timedelta(days=DAYS)).isoformat()
        wishes = await self._store.look(lambda view: _again(view, list(lost), since))
        return [ask_of(each, at, once=f"version {self._version + 1}") for each in wishes]


def _withdraw(draft: Draft, wishes: Sequence[tuple[int, Withdraw]]) -> None:
    for number, wish in wishes:
        draft.write(RestoreEntry(wish.entry) if wish.back else WithdrawEntry(wish.entry), number)


def _again(view: ClaimView, lost: Sequence[str], since: str) -> list[Derive]:
    shown = view.shown(lost)
    claims = view.claims([id for id in lost if id in shown and shown[id].at >= since])
    found = []
    for id, each in claims.items():
        derived = [just.derivation for just in each.claim.justifications if just.derivation.kind == "derived"]
        if derived and not each.lifted:
            found.append(Derive(derived[0].request, derived[0].request, again=id))
    return found
