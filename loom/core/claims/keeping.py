"""What one batch changed in a network, as rows: a store writes them as they are, and knows no rule of standing.

Nodes, justifications and antecedents are only ever appended and keep their numbers, so a network that is opened from a store is the
one that was committed. Of everything else the present rows of what the batch touched are given, whole.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from loom.core.claims import writes as w
from loom.core.claims.applying import LIFTED
from loom.core.claims.history import Move
from loom.core.claims.network import Change, Network
from loom.core.claims.records import (
    NETWORK,
    SLOW_PATH,
    Agent,
    Claim,
    Derivation,
    Entry,
    Justification,
    Migration,
    Precondition,
    Signal,
)
from loom.core.claims.state import State

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Mark:
    """How long the columns of a network were before a batch."""

    entries: int
    nodes: int
    justifications: int
    antecedents: int


def mark(network: Network) -> Mark:
    state = network.state
    return Mark(len(state.sources.source), len(state.names), len(state.graph.owner), len(state.graph.edge_node))


@dataclass(frozen=True, slots=True)
class NodeRow:
    """A node with its present labels; `entry` is -1 for claims, `lifted` the signal that a lifted one restates and else -1."""

    number: int
    id: str
    entry: int
    lifted: int
    since: int
    standing: int
    supported: bool
    settled: bool
    fallen: bool
    home: frozenset[str]


@dataclass(frozen=True, slots=True)
class JustificationRow:
    number: int
    claim: int
    verdict: bool
    derivation: Derivation


@dataclass(frozen=True, slots=True)
class ConflictRow:
    """A pair, the lower number first; no branches where a person found it spurious."""

    one: int
    other: int
    branches: tuple[str, ...]
    by: Agent


@dataclass(frozen=True, slots=True)
class WriteRow:
    """A write for the journal; `reason` where it was refused."""

    kind: str
    subject: str
    object: str
    agent: Agent
    reason: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Delta:
    """What a store has to write for one batch.

    `nodes` are those that are new or changed in anything; `disputed` are the claims whose conflicts were touched: `conflicts` holds
    every edge that they have now. So do `superseders` for the claims named in it, `contexts` and `migrations`."""

    batch: int
    at: str
    entries: tuple[tuple[int, Entry], ...] = ()
    withdrawn: dict[int, bool] = field(default_factory=dict)
    nodes: tuple[NodeRow, ...] = ()
    signals: tuple[tuple[int, Signal], ...] = ()
    claims: tuple[tuple[int, Claim], ...] = ()
    justifications: tuple[JustificationRow, ...] = ()
    antecedents: tuple[tuple[int, int, int], ...] = ()
    """(number, justification, node)"""
    contexts: dict[int, tuple[Precondition, ...]] = field(default_factory=dict)
    migrations: dict[int, tuple[Migration, ...]] = field(default_factory=dict)
    disputed: frozenset[int] = frozenset()
    conflicts: tuple[ConflictRow, ...] = ()
    superseders: dict[int, tuple[tuple[int, Agent], ...]] = field(default_factory=dict)
    rejected: dict[int, Agent | None] = field(default_factory=dict)
    """None where a rejection was taken back"""
    replaced: tuple[Pair, ...] = ()
    """(later signal, earlier signal)"""
    moves: tuple[Move, ...] = ()
    journal: tuple[WriteRow, ...] = ()


def delta(network: Network, before: Mark, batch: w.Batch, change: Change) -> Delta:
    """The rows of a batch that was just committed to a network; `before` is its mark from before."""
    state = network.state
    refused = {each.position: each for each in change.refusals}
    rows = _Rows(state, before)
    for position, write in enumerate(batch.writes):
        if position not in refused:
            rows.take(write, batch.at)
    rows.finish()
    touched = {
        *range(before.nodes, len(state.names)),
        *(state.numbers[each.claim] for each in change.moves),
        *(state.numbers[each.claim] for each in change.homes),
        *(state.numbers[each] for each in change.supports),
        *rows.named,
    }
    return Delta(
        batch=change.batch,
        at=change.at,
        entries=tuple(rows.entries),
        withdrawn=rows.withdrawn,
        nodes=tuple(_node(state, each) for each in sorted(touched)),
        signals=tuple(rows.signals),
        claims=tuple(rows.claims),
        justifications=tuple(rows.justifications),
        antecedents=tuple(
            (edge, state.graph.edge_just[edge], state.graph.edge_node[edge])
            for edge in range(before.antecedents, len(state.graph.edge_node))
        ),
        contexts={each: state.context.get(each, ()) for each in sorted(rows.contexts)},
        migrations={each: state.migrated[each] for each in sorted(rows.migrated) if each in state.migrated},
        disputed=frozenset(rows.disputed),
        conflicts=tuple(_conflicts(state, rows)),
        superseders={
            old: tuple(
                (new, rows.by.get(("supersedes", new, old), NETWORK)) for new in sorted(state.disputes.superseders.get(old, ()))
            )
            for old in sorted(rows.superseded)
        },
        rejected={each: rows.by.get(("rejected", each, each)) for each in sorted(rows.rejected)},
        replaced=tuple(rows.replaced),
        moves=change.moves,
        journal=tuple(_journal(batch, refused)),
    )


def _node(state: State, number: int) -> NodeRow:
    labels = state.labels
    return NodeRow(
        number=number,
        id=state.names[number],
        entry=state.sources.entry[number],
        lifted=state.lifted.get(number, -1),
        since=state.since[number],
        standing=labels.standing[number],
        supported=bool(labels.supported[number]),
        settled=bool(labels.settled[number]),
        fallen=bool(labels.fallen[number]),
        home=state.homes.domains(number),
    )


def _conflicts(state: State, rows: "_Rows") -> Iterable[ConflictRow]:
    disputes = state.disputes
    pairs = {(min(one, other), max(one, other)) for one in rows.disputed for other in disputes.partners(one)}
    for pair in sorted(pairs | (rows.spurious & disputes.spurious)):
        yield ConflictRow(*pair, tuple(sorted(disputes.branches(*pair))), rows.by.get(("conflict", *pair), NETWORK))


def _journal(batch: w.Batch, refused: dict[int, w.Refusal]) -> Iterable[WriteRow]:
    for position, write in enumerate(batch.writes):
        refusal = refused.get(position)
        if refusal is None and isinstance(write, w.AddEntry | w.AddSignal | w.AddClaim):
            continue  # its row says as much
        reason, why = (refusal.reason, refusal.why) if refusal else ("", "")
        yield WriteRow(type(write).__name__, *_said(write), reason, why)


def _said(write: w.Write) -> tuple[str, str, Agent]:
    """Subject, object and agent of a write."""
    match write:
        case w.AddEntry(entry):
            return entry.id, "", NETWORK
        case w.AddSignal(signal):
            return signal.id, signal.entry, NETWORK
        case w.AddClaim(claim):
            return claim.id, "", claim.justifications[0].derivation.agent
        case w.WithdrawEntry(entry) | w.RestoreEntry(entry):
            return entry, "", NETWORK
        case w.FileSignal(signal, domains):
            return signal, " ".join(sorted(domains)), NETWORK
        case w.Support(claim, node, derivation):
            return claim, node, derivation.agent
        case w.Justify(claim, justification):
            return claim, " ".join(justification.antecedents), justification.derivation.agent
        case w.Migrate(claim, precondition, _, _):
            return claim, precondition, SLOW_PATH
        case w.TakeOver(claim, lifted):
            return claim, lifted, SLOW_PATH
        case w.ReplaceSignal(new, old):
            return new, old, SLOW_PATH
        case w.Contradict(new, target, _, by):
            return new, target, by
        case w.DropConflict(one, other, by):
            return one, other, by
        case w.Supersede(new, old, by) | w.DropSupersede(new, old, by):
            return new, old, by
        case w.Accept(claim, by) | w.Reject(claim, by) | w.Readmit(claim, by):
            return claim, "", by


class _Rows:
    """Walks the writes that were applied, and counts as the network counted."""

    def __init__(self, state: State, before: Mark) -> None:
        self._state = state
        self._entry, self._node, self._just = before.entries, before.nodes, before.justifications
        self.entries: list[tuple[int, Entry]] = []
        self.withdrawn: dict[int, bool] = {}
        self.signals: list[tuple[int, Signal]] = []
        self.claims: list[tuple[int, Claim]] = []
        self.justifications: list[JustificationRow] = []
        self.contexts: set[int] = set()
        self.migrated: set[int] = set()
        self.named: set[int] = set()
        self.disputed: set[int] = set()
        self.spurious: set[Pair] = set()
        self.superseded: set[int] = set()
        self.rejected: set[int] = set()
        self.replaced: list[Pair] = []
        self.by: dict[tuple[str, int, int], Agent] = {}

    def take(self, write: w.Write, at: str) -> None:
        numbers = self._state.numbers
        match write:
            case w.AddEntry(entry):
                self.entries.append((self._entry, entry))
                self._entry += 1
            case w.WithdrawEntry(entry):
                self.withdrawn[self._state.sources.entries[entry]] = True
            case w.RestoreEntry(entry):
                self.withdrawn[self._state.sources.entries[entry]] = False
            case w.AddSignal(signal):
                self.signals.append((self._node, signal))
                self._node += 1
            case w.FileSignal(signal):
                self.named.add(numbers[signal])
            case w.ReplaceSignal(new, old):
                self.named |= {numbers[new], numbers[old]}
                self.replaced.append((numbers[new], numbers[old]))
            case w.AddClaim(claim):
                self._claim(claim)
            case w.Support(claim, _, derivation):
                self._justified(numbers[claim], Justification((write.node,), derivation), verdict=True)
            case w.Justify(claim, justification, assumes):
                self._justified(numbers[claim], justification)
                if assumes:
                    self.contexts.add(numbers[claim])
            case w.Migrate(claim):
                self.named.add(numbers[claim])
                self.contexts.add(numbers[claim])
                self.migrated.update(self._state.graph.justifications(numbers[claim]))
            case w.Contradict():
                self._contradicted(write, at)
            case w.TakeOver(claim, lifted):
                one, other = numbers[claim], numbers[lifted]
                self._disputed(one, other, SLOW_PATH)
                self._superseded(one, other, SLOW_PATH)
            case w.DropConflict(one, other, by):
                self._disputed(numbers[one], numbers[other], by)
                self.spurious.add(_pair(numbers[one], numbers[other]))
            case w.Supersede(new, old, by) | w.DropSupersede(new, old, by):
                self._superseded(numbers[new], numbers[old], by)
            case w.Reject(claim, by):
                self.named.add(numbers[claim])
                self.rejected.add(numbers[claim])
                self.by["rejected", numbers[claim], numbers[claim]] = by
            case w.Readmit(claim):
                self.named.add(numbers[claim])
                self.rejected.add(numbers[claim])
                self.by.pop(("rejected", numbers[claim], numbers[claim]), None)

    def finish(self) -> None:
        """Raises ValueError where the walk and the network disagree: then the rows would belong to other nodes."""
        state = self._state
        counted = (self._entry, self._node, self._just)
        if counted != (len(state.sources.source), len(state.names), len(state.graph.owner)):
            raise ValueError("expected the batch that the network committed last, with the mark from before it")

    def _claim(self, claim: Claim) -> None:
        number = self._node
        self.claims.append((number, claim))
        self._node += 1
        self.contexts.add(number)
        for justification in claim.justifications:
            self._justified(number, justification)

    def _justified(self, claim: int, justification: Justification, *, verdict: bool = False) -> None:
        derivation = justification.derivation
        row = JustificationRow(self._just, claim, verdict or derivation.kind == "supports", derivation)
        self.justifications.append(row)
        self.migrated.add(self._just)
        self.named.add(claim)
        self._just += 1

    def _contradicted(self, write: w.Contradict, at: str) -> None:
        state = self._state
        new = state.numbers[write.new]
        if not state.graph.claim[new]:
            new = state.numbers[LIFTED + write.new]
            if new == self._node:
                derivation = Derivation("lifted", NETWORK, at)
                just = Justification((write.new,), derivation)
                self._claim(Claim(LIFTED + write.new, (just,), lifted=True))
            else:
                if state.disputes.superseded(new):
                    self.disputed.add(new)
                    new = min(state.disputes.superseders[new])
        self._disputed(new, state.numbers[write.target], write.by)

    def _disputed(self, one: int, other: int, by: Agent) -> None:
        self.named |= {one, other}
        self.disputed |= {one, other}
        self.by["conflict", *_pair(one, other)] = by

    def _superseded(self, new: int, old: int, by: Agent) -> None:
        self.named |= {new, old}
        self.superseded.add(old)
        self.by["supersedes", new, old] = by


def _pair(one: int, other: int) -> Pair:
    return (min(one, other), max(one, other))
