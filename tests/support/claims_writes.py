"""Writes at random, most of which fit the network that they are for."""

from loom.core.claims import writes as w
from loom.core.claims.network import Network
from loom.core.claims.records import Agent, Claim, Entry, Justification, Precondition, Signal

ANN = Agent("person", "ann")
DOMAINS = ("law", "money", "roads")
WRITES = 27
"""Kinds of writes."""

Picks = tuple[int, int, int, int]


def some_write(network: Network, kind: int, picks: Picks, stamp: str) -> w.Write:
    """A write of a kind below `WRITES`; `picks` say of what, counted back from what was made last. `stamp` tells apart what it makes
    from what was made with the same picks before."""
    names = network.state.names
    entries = list(network.state.sources.entries)
    claims = list(network.claims()) or ["n0"]
    lifted = [name for name in claims if name.startswith("lifted:")] or claims
    signals = [name for name in names if name not in set(claims)]
    a, b, c, d = picks

    def of(values: list[str], pick: int) -> str:
        return values[-1 - pick % len(values)]

    just = Justification(tuple(dict.fromkeys((of(names, a), of(names, b)))))
    made = f"n{len(names)}-{stamp}-{a}{b}"
    match kind:
        case 0:
            return w.AddEntry(Entry(f"e{len(entries)}", f"s{a % 3}"))
        case 1 | 2:
            return w.AddSignal(Signal(made, of(entries, a), domains=frozenset({DOMAINS[b % 3]})))
        case 3 | 4 | 5 | 6:
            other = Justification((of(signals, c),))
            context = (Precondition("p"), Precondition("q"))[: d % 3]
            return w.AddClaim(Claim(made, (just, other)[: 1 + d % 2], context=context))
        case 7 | 8:
            return w.Support(of(claims, a), of(names, b))
        case 9:
            return w.Justify(of(claims, c), just)
        case 10 | 11:
            return w.Migrate(of(claims, a), "pq"[b % 2], of(names, c), "run")
        case 12 | 13:
            return w.Contradict(
                of(signals if a % 2 else names, b),
                of(claims, c),
                "signal" if a % 2 else "claim",
                ANN if d % 4 == 0 else w.SLOW_PATH,
            )
        case 14:
            return w.TakeOver(of(claims, a), of(lifted, b))
        case 15:
            pairs = list(network.state.disputes.conflicts()) or [(0, 0)]
            one, other_ = pairs[a % len(pairs)]
            return w.DropConflict(names[one], names[other_], ANN if b % 5 else w.SLOW_PATH)
        case 16:
            return w.Supersede(of(claims, a), of(claims, b))
        case 17:
            held = sorted((new, old) for old, news in network.state.disputes.superseders.items() for new in news)
            new, old = held[a % len(held)] if held else (0, 0)
            return w.DropSupersede(names[new], names[old], ANN)
        case 18 | 19:
            return w.Accept(of(claims, a), ANN if b % 5 else w.SLOW_PATH)
        case 20:
            return w.Reject(of(claims, a), ANN)
        case 21:
            return w.Readmit(of(claims, a), ANN)
        case 22:
            return w.WithdrawEntry(of(entries, a))
        case 23 | 24:
            return w.RestoreEntry(of(entries, a))
        case 25:
            return w.FileSignal(of(signals, a), frozenset(DOMAINS[: b % 4]))
        case _:
            return w.ReplaceSignal(of(signals, a), of(signals, b))
