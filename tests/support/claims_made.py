"""Networks of claims, said shortly: signals with their entries and sources, claims with what justifies them."""

from loom.core.claims import writes as w
from loom.core.claims.network import Change, Network
from loom.core.claims.records import Agent, Claim, Entry, Justification, Precondition, Signal

ANN = Agent("person", "ann")


def just(*antecedents: str) -> Justification:
    return Justification(antecedents)


def claim(name: str, *alternatives: str, assumes: str = "") -> w.AddClaim:
    """`claim("c", "a b", "d")`: c by a and b together, or by d."""
    context = tuple(Precondition(each) for each in assumes.split())
    return w.AddClaim(Claim(name, tuple(just(*each.split()) for each in alternatives), context=context))


def signal(name: str, source: str = "", *domains: str) -> tuple[w.Write, ...]:
    """A signal with an entry of its own, whose id is that of the signal with "entry-" before it."""
    entry = Entry(f"entry-{name}", source or f"source-{name}")
    return w.AddEntry(entry), w.AddSignal(Signal(name, entry.id, domains=frozenset(domains)))


def made(*writes: w.Write | tuple[w.Write, ...]) -> Network:
    network = Network()
    assert not commit(network, *writes).refusals
    return network


def commit(network: Network, *writes: w.Write | tuple[w.Write, ...]) -> Change:
    flat = [each for write in writes for each in (write if isinstance(write, tuple) else (write,))]
    return network.commit(w.Batch(tuple(flat), at="2026-01-01"))


def moved(change: Change) -> dict[str, tuple[str, str]]:
    return {each.claim: (each.before.word, each.after.word) for each in change.moves}


def reason(change: Change) -> str:
    """The reason of the only refusal."""
    (refusal,) = change.refusals
    return refusal.reason
