"""Each write, checked and applied to a state: it is applied whole, or refused before anything changed."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from loom.core.claims import writes as w
from loom.core.claims.disputed import undisputed
from loom.core.claims.graph import Graph
from loom.core.claims.history import Cause
from loom.core.claims.moments import earlier
from loom.core.claims.propagation import stands
from loom.core.claims.records import Agent, Branch, Justification, Migration, Precondition
from loom.core.claims.state import State

LIFTED = "lifted:"
"""Before the id of a signal: the id of the claim that restates it."""


class Refused(Exception):
    """A write that is not applied, with one of `writes.REASONS`."""

    def __init__(self, reason: str, why: str) -> None:
        super().__init__(why)
        self.reason = reason
        self.why = why


@dataclass(slots=True)
class Touched:
    """What the writes of one batch touched: nodes whose support may have moved, claims whose conflicts did, whose antecedents did,
    and the causes of what moves with these claims themselves."""

    support: set[int] = field(default_factory=set)
    conflicts: set[int] = field(default_factory=set)
    homes: set[int] = field(default_factory=set)
    evidence: set[int] = field(default_factory=set)
    cause: dict[int, Cause] = field(default_factory=dict)
    lifted: list[int] = field(default_factory=list)
    accepted: list[tuple[int, w.Accept]] = field(default_factory=list)


def person(by: Agent, does: str) -> None:
    if by.kind != "person":
        raise Refused("agent", f"Only a person {does}, but the agent is the {by.kind.replace('_', ' ')}.")


def node_of(state: State, name: str) -> int:
    number = state.numbers.get(name)
    if number is None:
        raise Refused("unknown", f"There is no signal or claim {name}; give the id of one that is kept.")
    return number


def claim_of(state: State, name: str) -> int:
    number = node_of(state, name)
    if not state.graph.claim[number]:
        raise Refused("kind", f"Expected a claim, but {name} is a signal; give the id of a claim.")
    return number


def signal_of(state: State, name: str) -> int:
    number = node_of(state, name)
    if state.graph.claim[number]:
        raise Refused("kind", f"Expected a signal, but {name} is a claim; give the id of a signal.")
    return number


def ordinary(state: State, name: str) -> int:
    """A claim that is not lifted: the only kind that gains justifications, conflicts as a target, or acceptance."""
    number = claim_of(state, name)
    if number in state.lifted:
        raise Refused(
            "kind",
            f"The claim {name} is lifted: it restates a signal, and only stands against other claims; name one of these.",
        )
    return number


def antecedent(state: State, name: str) -> int:
    number = node_of(state, name)
    if number in state.lifted:
        raise Refused("kind", f"The claim {name} is lifted and justifies nothing; name the signal it restates.")
    return number


def unused(state: State, name: str) -> None:
    if name in state.numbers:
        raise Refused("known", f"There is a signal or claim {name} already; take another id.")
    if name.startswith(LIFTED):
        raise Refused("known", f"Ids that begin with {LIFTED} are those of lifted claims; name {name} otherwise.")


def _entry(state: State, name: str) -> int:
    number = state.sources.entries.get(name)
    if number is None:
        raise Refused("unknown", f"There is no entry {name}; give the id of one that was taken in.")
    return number


def add_entry(state: State, touched: Touched, write: w.AddEntry) -> None:
    if write.entry.id in state.sources.entries:
        raise Refused("known", f"There is an entry {write.entry.id} already.")
    state.sources.add_entry(write.entry.id, write.entry.source, withdrawn=bool(write.entry.withdrawn_at))


def withdraw_entry(state: State, touched: Touched, write: w.WithdrawEntry) -> None:
    _set_withdrawn(state, touched, write.entry, True)


def restore_entry(state: State, touched: Touched, write: w.RestoreEntry) -> None:
    _set_withdrawn(state, touched, write.entry, False)


def _set_withdrawn(state: State, touched: Touched, name: str, to: bool) -> None:
    entry = _entry(state, name)
    if state.sources.withdrawn[entry] == to:
        raise Refused(
            "nothing", f"The entry {name} is {'withdrawn already' if to else 'not withdrawn'}; nothing is to be done."
        )
    touched.support |= state.sources.withdraw(entry, to)


def add_signal(state: State, touched: Touched, write: w.AddSignal) -> None:
    signal = write.signal
    unused(state, signal.id)
    entry = _entry(state, signal.entry)
    number = state.add(signal.id, claim=False, entry=entry, domains=signal.domains)
    if signal.observed_at:
        state.sources.observed[number] = signal.observed_at
    touched.support.add(number)


def replace_signal(state: State, touched: Touched, write: w.ReplaceSignal) -> None:
    new, old = signal_of(state, write.new), signal_of(state, write.old)
    sources = state.sources
    if sources.source[sources.entry[new]] != sources.source[sources.entry[old]]:
        raise Refused("order", f"{write.new} and {write.old} are of two sources; a signal replaces one of its own source only.")
    before = earlier(sources.observed.get(new, ""), sources.observed.get(old, ""))
    if new == old or before or sources.replaced_by(new, old):
        raise Refused("order", f"{write.new} is not later than {write.old}, so it cannot replace it.")
    if new in sources.later.get(old, ()):
        raise Refused("nothing", f"{write.new} replaced {write.old} already.")
    touched.support |= sources.replace(new, old)


def file_signal(state: State, touched: Touched, write: w.FileSignal) -> None:
    signal = signal_of(state, write.signal)
    if state.homes.domains(signal) == write.domains:
        raise Refused("nothing", f"The signal {write.signal} is filed so already.")
    state.homes.file(signal, write.domains)
    touched.homes.update(state.graph.dependents(signal))


def add_claim(state: State, touched: Touched, write: w.AddClaim) -> None:
    claim = write.claim
    unused(state, claim.id)
    if claim.lifted:
        raise Refused(
            "kind", f"The claim {claim.id} is marked as lifted; a signal is lifted by the verdict that it contradicts."
        )
    found = [[antecedent(state, name) for name in _all(just)] for just in claim.justifications]
    number = _add(state, touched, claim.id)
    for just, nodes in zip(claim.justifications, found, strict=True):
        made = state.graph.add_justification(number, nodes, verdict=just.derivation.kind == "supports")
        if just.migrations:
            state.migrated[made] = just.migrations
    if claim.context:
        state.context[number] = claim.context


def _all(just: Justification) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*just.antecedents, *(each.node for each in just.migrations))))


def _add(state: State, touched: Touched, name: str) -> int:
    number = state.add(name, claim=True)
    touched.support.add(number)
    touched.homes.add(number)
    touched.evidence.add(number)
    touched.cause[number] = "written"
    return number


def _acyclic(graph: Graph, claim: int, nodes: list[int], name: str) -> None:
    if any(graph.rests_on(node, claim) for node in nodes):
        raise Refused("cycle", f"What would justify {name} rests on it.")


def _gained(state: State, touched: Touched, claim: int) -> None:
    """A claim has one more justification. One that is supported stays so by what it had, or is reached when that falls."""
    touched.homes.add(claim)
    touched.evidence.add(claim)
    if not state.labels.supported[claim]:
        touched.support.add(claim)


def support(state: State, touched: Touched, write: w.Support) -> None:
    claim, node = ordinary(state, write.claim), antecedent(state, write.node)
    graph = state.graph
    if node in graph.verdicts(claim):
        raise Refused("nothing", f"{write.node} supports {write.claim} already.")
    _acyclic(graph, claim, [node], write.claim)
    graph.add_justification(claim, [node], verdict=True)
    _gained(state, touched, claim)


def justify(state: State, touched: Touched, write: w.Justify) -> None:
    claim = ordinary(state, write.claim)
    nodes = [antecedent(state, name) for name in _all(write.justification)]
    graph = state.graph
    if any(set(graph.antecedents(just)) == set(nodes) for just in graph.justifications(claim)):
        raise Refused("nothing", f"{write.claim} has a justification with these antecedents already.")
    _acyclic(graph, claim, nodes, write.claim)
    made = graph.add_justification(claim, nodes, verdict=write.justification.derivation.kind == "supports")
    if write.justification.migrations:
        state.migrated[made] = write.justification.migrations
    if write.assumes:
        context: dict[str, Precondition] = {}
        for each in (*state.context.get(claim, ()), *write.assumes):
            context.setdefault(each.id, each)
        state.context[claim] = tuple(context.values())
    _gained(state, touched, claim)


def migrate(state: State, touched: Touched, write: w.Migrate, at: str = "") -> None:
    claim, node = ordinary(state, write.claim), antecedent(state, write.node)
    context = state.context.get(claim, ())
    if write.precondition not in [each.id for each in context]:
        raise Refused(
            "unknown", f"The claim {write.claim} has no open precondition {write.precondition}; name one that it has."
        )
    graph = state.graph
    _acyclic(graph, claim, [node], write.claim)
    if not stands(graph, state.sources, state.disputes, node):
        raise Refused("unsupported", f"{write.node} is not supported, so it is no evidence for {write.precondition}.")
    for just in tuple(graph.justifications(claim)):
        if node not in graph.antecedents(just):
            graph.add_antecedent(just, node)
        state.migrated[just] = (*state.migrated.get(just, ()), Migration(write.precondition, write.node, write.run, at))
    rest = tuple(each for each in context if each.id != write.precondition)
    if rest:
        state.context[claim] = rest
    else:
        del state.context[claim]
    touched.support.add(claim)
    touched.homes.add(claim)
    touched.evidence.add(claim)


def contradict(state: State, touched: Touched, write: w.Contradict) -> None:
    target = ordinary(state, write.target)
    new = node_of(state, write.new)
    lift = not state.graph.claim[new]
    if lift:
        name = LIFTED + write.new
        if name in state.numbers:
            new = claim_of(state, name)
            if state.disputes.superseded(new):
                new = min(state.disputes.superseders[new])
            lift = False
    elif new in state.lifted:
        raise Refused("kind", f"The claim {write.new} is lifted; name the signal it restates.")
    if new == target:
        raise Refused("nothing", f"{write.new} is, or is stated by, {write.target}: a claim does not contradict itself.")
    pair = (min(new, target), max(new, target))
    if not lift and pair in state.disputes.spurious and write.by.kind != "person":
        raise Refused(
            "spurious",
            f"A person found the conflict of {write.new} and {write.target} spurious; only a person writes it again.",
        )
    if not lift and write.branch in state.disputes.branches(*pair):
        raise Refused("nothing", f"{write.new} and {write.target} conflict already; nothing is to be done.")
    if lift:
        signal, new = new, _add(state, touched, LIFTED + write.new)
        state.graph.add_justification(new, [signal])
        state.lifted[new] = signal
        touched.lifted.append(new)
    _oppose(state, touched, new, target, write.branch)


def _oppose(state: State, touched: Touched, one: int, other: int, branch: Branch) -> None:
    if state.disputes.oppose(one, other, branch):
        touched.conflicts |= {one, other}


def take_over(state: State, touched: Touched, write: w.TakeOver) -> None:
    claim, lifted = ordinary(state, write.claim), claim_of(state, write.lifted)
    if lifted not in state.lifted:
        raise Refused("kind", f"Expected a lifted claim, but {write.lifted} is an ordinary one.")
    disputes = state.disputes
    if disputes.superseded(lifted):
        raise Refused("nothing", f"The conflicts of {write.lifted} were taken over already.")
    for partner in disputes.partners(lifted):
        branches = disputes.branches(lifted, partner)
        disputes.drop(lifted, partner)
        touched.conflicts |= {lifted, partner}
        if partner != claim and (min(claim, partner), max(claim, partner)) not in disputes.spurious:
            for branch in sorted(branches):
                _oppose(state, touched, claim, partner, branch)
    _override(state, touched, lifted, "superseded")
    disputes.supersede(claim, lifted)


def drop_conflict(state: State, touched: Touched, write: w.DropConflict) -> None:
    person(write.by, "takes a conflict back")
    one, other = claim_of(state, write.one), claim_of(state, write.other)
    if not state.disputes.branches(one, other):
        raise Refused("unknown", f"{write.one} and {write.other} do not conflict; name two that do.")
    state.disputes.drop(one, other)
    state.disputes.spurious.add((min(one, other), max(one, other)))
    touched.conflicts |= {one, other}


def supersede(state: State, touched: Touched, write: w.Supersede) -> None:
    new, old = ordinary(state, write.new), claim_of(state, write.old)
    if new == old or state.disputes.succeeds(old, new):
        raise Refused(
            "cycle",
            f"{write.new} is superseded by {write.old}, or is the same claim; take the other edge back first, or name another.",
        )
    if new in state.disputes.superseders.get(old, ()):
        raise Refused("nothing", f"{write.new} supersedes {write.old} already; nothing is to be done.")
    state.disputes.supersede(new, old)
    _override(state, touched, old, "superseded")


def drop_supersede(state: State, touched: Touched, write: w.DropSupersede) -> None:
    person(write.by, "takes a supersedes edge back")
    new, old = claim_of(state, write.new), claim_of(state, write.old)
    if new not in state.disputes.superseders.get(old, ()):
        raise Refused("unknown", f"{write.new} does not supersede {write.old}; name two of which one does.")
    state.disputes.unsupersede(new, old)
    _override(state, touched, old, "unsuperseded")


def _override(state: State, touched: Touched, claim: int, cause: Cause) -> None:
    touched.support.add(claim)
    touched.cause[claim] = touched.cause[claim] if touched.cause.get(claim) == "written" else cause


def accept(state: State, touched: Touched, write: w.Accept, position: int) -> None:
    person(write.by, "accepts a claim")
    ordinary(state, write.claim)
    touched.accepted.append((position, write))


def reject(state: State, touched: Touched, write: w.Reject) -> None:
    person(write.by, "rejects a claim")
    claim = claim_of(state, write.claim)
    if claim in state.disputes.rejected:
        raise Refused("nothing", f"The claim {write.claim} is rejected already; nothing is to be done.")
    if write.of is not None:
        other = claim_of(state, write.of) if write.of else None
        if refusal := undisputed(state, claim, other, write.claim, write.of):
            raise Refused(*refusal)
    state.disputes.rejected.add(claim)
    _override(state, touched, claim, "rejected")


def readmit(state: State, touched: Touched, write: w.Readmit) -> None:
    person(write.by, "takes a rejection back")
    claim = claim_of(state, write.claim)
    if claim not in state.disputes.rejected:
        raise Refused("nothing", f"The claim {write.claim} is not rejected; name one that a person rejected.")
    state.disputes.rejected.discard(claim)
    _override(state, touched, claim, "readmitted")


APPLIED: dict[type, Callable[[State, Touched, Any], None]] = {
    w.AddEntry: add_entry,
    w.WithdrawEntry: withdraw_entry,
    w.RestoreEntry: restore_entry,
    w.AddSignal: add_signal,
    w.ReplaceSignal: replace_signal,
    w.FileSignal: file_signal,
    w.AddClaim: add_claim,
    w.Support: support,
    w.Justify: justify,
    w.Contradict: contradict,
    w.TakeOver: take_over,
    w.DropConflict: drop_conflict,
    w.Supersede: supersede,
    w.DropSupersede: drop_supersede,
    w.Reject: reject,
    w.Readmit: readmit,
}
"""The writes that need no more than themselves; a migration takes the time of its batch, an acceptance its position."""
