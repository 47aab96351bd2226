"""A second, slow reading of the rules of standing: plain sets, and a fixpoint that is sought anew behind every batch."""

from dataclasses import dataclass, field

from loom.core.claims import writes as w
from loom.core.claims.network import Change
from loom.core.claims.standing import Standing


@dataclass
class Model:
    """It takes what a commit did not refuse, so it says nothing of what may be written, and all of what follows from it."""

    source: dict[str, str] = field(default_factory=dict)
    withdrawn: set[str] = field(default_factory=set)
    entry: dict[str, str] = field(default_factory=dict)
    domains: dict[str, frozenset[str]] = field(default_factory=dict)
    replaced: set[tuple[str, str]] = field(default_factory=set)
    claims: dict[str, list[set[str]]] = field(default_factory=dict)
    conflicts: set[frozenset[str]] = field(default_factory=set)
    rejected: set[str] = field(default_factory=set)
    supersedes: set[tuple[str, str]] = field(default_factory=set)
    lifted: dict[str, str] = field(default_factory=dict)
    context: dict[str, set[str]] = field(default_factory=dict)
    standing: dict[str, Standing] = field(default_factory=dict)
    settled: set[str] = field(default_factory=set)

    def take(self, batch: w.Batch, change: Change) -> None:
        refused = {each.position for each in change.refusals}
        accepted = []
        for position, write in enumerate(batch.writes):
            if position not in refused:
                accepted += self._apply(write)
        self._label()
        accepted += [move.claim for move in change.moves if move.cause == "automatic"]
        for claim in accepted:
            assert self.standing[claim] is Standing.PROPOSED
            self.standing[claim] = Standing.ACCEPTED
            self.settled.add(claim)

    def _apply(self, write: w.Write) -> list[str]:
        match write:
            case w.AddEntry(entry):
                self.source[entry.id] = entry.source
            case w.WithdrawEntry(entry):
                self.withdrawn.add(entry)
            case w.RestoreEntry(entry):
                self.withdrawn.discard(entry)
            case w.AddSignal(signal):
                self.entry[signal.id] = signal.entry
                self.domains[signal.id] = signal.domains
            case w.ReplaceSignal(new, old):
                self.replaced.add((new, old))
            case w.FileSignal(signal, domains):
                self.domains[signal] = domains
            case w.AddClaim(claim):
                self.claims[claim.id] = [set(just.antecedents) for just in claim.justifications]
                self.context[claim.id] = {each.id for each in claim.context}
            case w.Support(claim, node):
                self.claims[claim].append({node})
            case w.Justify(claim, justification):
                self.claims[claim].append(set(justification.antecedents))
            case w.Migrate(claim, precondition, node):
                self.context[claim].remove(precondition)
                for just in self.claims[claim]:
                    just.add(node)
            case w.Contradict(new, target):
                self.conflicts.add(frozenset({self._stated(new), target}))
            case w.TakeOver(claim, lifted):
                moved = {pair for pair in self.conflicts if lifted in pair}
                self.conflicts -= moved
                others = {other for pair in moved for other in pair if other not in (lifted, claim)}
                self.conflicts |= {
                    frozenset({claim, other}) for other in others if frozenset({claim, other}) not in self.spurious
                }
                self.supersedes.add((claim, lifted))
            case w.DropConflict(one, other):
                self.conflicts.remove(frozenset({one, other}))
                self.spurious.add(frozenset({one, other}))
            case w.Supersede(new, old):
                self.supersedes.add((new, old))
            case w.DropSupersede(new, old):
                self.supersedes.remove((new, old))
            case w.Reject(claim):
                self.rejected.add(claim)
            case w.Readmit(claim):
                self.rejected.remove(claim)
            case w.Accept(claim):
                return [claim]
        return []

    spurious: set[frozenset[str]] = field(default_factory=set)

    def _stated(self, name: str) -> str:
        if name in self.claims:
            return name
        claim = f"lifted:{name}"
        if claim not in self.claims:
            self.claims[claim] = [{name}]
            self.lifted[claim] = name
        if over := sorted(new for new, old in self.supersedes if old == claim):
            claim = over[0] if len(over) == 1 else self.first(over)
        return claim

    def first(self, claims: list[str]) -> str:
        """The one that was written first."""
        return min(claims, key=list(self.claims).index)

    def counts(self, signal: str) -> bool:
        later, waiting = set[str](), [signal]
        while waiting:
            for new in {new for new, old in self.replaced if old == waiting[-1]} - later:
                later.add(new)
                waiting.insert(0, new)
            waiting.pop()
        return self.entry[signal] not in self.withdrawn and all(self.entry[each] in self.withdrawn for each in later)

    def supported(self) -> set[str]:
        overridden = self.rejected | {old for _, old in self.supersedes}
        found = {signal for signal in self.entry if self.counts(signal)}
        while more := {
            claim
            for claim, justs in self.claims.items()
            if claim not in found | overridden and any(just <= found for just in justs)
        }:
            found |= more
        return found

    def home(self, node: str) -> frozenset[str]:
        if node in self.domains:
            return self.domains[node]
        return frozenset[str]().union(*(self.home(each) for just in self.claims[node] for each in just))

    def _label(self) -> None:
        supported = self.supported()
        for claim in self.claims:
            partners = {other for pair in self.conflicts if claim in pair for other in pair - {claim}}
            if claim in self.rejected:
                now = Standing.RETRACTED
            elif any(old == claim for _, old in self.supersedes):
                now = Standing.SUPERSEDED
            elif claim not in supported:
                now = Standing.RETRACTED
            elif partners & supported:
                now = Standing.CONTESTED
            else:
                now = Standing.ACCEPTED if claim in self.settled else Standing.PROPOSED
            self.standing[claim] = now
            if now is Standing.RETRACTED:
                self.settled.discard(claim)
