"""Random writes against every invariant, and against a model that applies the rules of standing without any of our structures."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from support.claims_model import Model
from support.claims_writes import ANN, DOMAINS, Picks, some_write

from loom.core.claims import checks
from loom.core.claims import writes as w
from loom.core.claims.acceptance import corroborated, everything
from loom.core.claims.history import Move
from loom.core.claims.network import Change, Network
from loom.core.claims.records import Entry, Signal
from loom.core.claims.standing import Standing
from loom.core.claims.tables import opened, tables


class Machine(RuleBasedStateMachine):
    operations = 0
    """Writes of all runs of the machine."""
    refused: dict[str, int] = {}  # noqa: RUF012 (counted over all runs)
    reached: set[Standing] = set()  # noqa: RUF012

    def __init__(self) -> None:
        super().__init__()
        self.network = Network()
        self.model = Model()
        self.moves: list[Move] = []
        self.index: dict[str, set[str]] = {}
        self.read: set[str] = set()

    @initialize(accepts=st.sampled_from((None, corroborated, everything)))
    def begin(self, accepts: Callable[..., bool] | None) -> None:
        self.network.rule = accepts
        first = [w.AddEntry(Entry(f"e{n}", f"s{n % 3}")) for n in range(3)]
        self.commit([*first, *(w.AddSignal(Signal(f"n{n}", f"e{n}", domains=frozenset({DOMAINS[n]}))) for n in range(3))])

    def commit(self, writes: list[w.Write]) -> Change:
        batch = w.Batch(tuple(writes))
        change = self.network.commit(batch)
        self.model.take(batch, change)
        self.moves += change.moves
        for each in change.homes:
            for domain in each.before - each.after:
                self.index[domain].discard(each.claim)
            for domain in each.after - each.before:
                self.index.setdefault(domain, set()).add(each.claim)
        for move in change.moves:
            (self.read.add if self.network.readable(move.claim) else self.read.discard)(move.claim)
            Machine.reached.add(move.after)
        Machine.operations += len(writes)
        for refusal in change.refusals:
            assert refusal.reason in w.REASONS
            Machine.refused[refusal.reason] = Machine.refused.get(refusal.reason, 0) + 1
        assert not checks.bounded(self.network, change)
        return change

    def write(self, kind: int, picks: Picks) -> w.Write:
        return some_write(self.network, kind, picks, str(Machine.operations))

    @rule(seed=st.integers(0, 2**31), count=st.integers(2, 8))
    def some_writes(self, seed: int, count: int) -> None:
        draw = Random(seed)
        self.commit(
            [
                self.write(draw.randrange(27), (draw.randrange(40), draw.randrange(40), draw.randrange(40), draw.randrange(40)))
                for _ in range(count)
            ]
        )

    @rule(kind=st.integers(0, 26), picks=st.tuples(*[st.integers(0, 11)] * 4))
    def one_write(self, kind: int, picks: Picks) -> None:
        self.commit([self.write(kind, picks)])

    @rule(picks=st.sets(st.integers(0, 5), min_size=1, max_size=3))
    def entries_go_and_come_back(self, picks: set[int]) -> None:
        """I4, I5: exactly what lost its support goes, and exactly that comes back."""
        entries = list(self.network.state.sources.entries)
        gone = [entries[pick % len(entries)] for pick in sorted(picks)]
        gone = [each for each in dict.fromkeys(gone) if each not in self.model.withdrawn]
        if not gone:
            return
        before = checks.standings(self.network)
        lost = self.commit([w.WithdrawEntry(each) for each in gone])
        assert not checks.minimal(before, self.network, lost)
        assert not lost.refusals
        change = self.commit([w.RestoreEntry(each) for each in gone])
        assert not checks.restored(before, lost, self.network, change)
        assert all(move.after is not Standing.ACCEPTED for move in change.moves if move.before is Standing.RETRACTED)

    @rule(pick=st.integers(0, 30), other=st.integers(0, 30))
    def two_claims_conflict(self, pick: int, other: int) -> None:
        """I6."""
        claims = [each for each in self.network.claims() if not each.startswith("lifted:")]
        if claims:
            one, two = claims[pick % len(claims)], claims[other % len(claims)]
            assert not checks.local(self.commit([w.Contradict(one, two, "claim", ANN)]), one, two)

    @rule(pick=st.integers(0, 30))
    def a_claim_is_rejected(self, pick: int) -> None:
        """I7: what relied on it alone goes with it."""
        claims = list(self.network.claims())
        if claims:
            before = checks.standings(self.network)
            assert not checks.minimal(before, self.network, self.commit([w.Reject(claims[pick % len(claims)], ANN)]))

    @rule(seed=st.integers(0, 2**31))
    def order_of_events_does_not_matter(self, seed: int) -> None:
        """I2, on two copies of the network."""
        state = self.network.state
        withdrawn = [w.RestoreEntry(e) if e in self.model.withdrawn else w.WithdrawEntry(e) for e in state.sources.entries]
        rejected = [
            w.Readmit(c, ANN) if c in self.model.rejected else w.Reject(c, ANN) for c in list(self.network.claims())[-4:]
        ]
        events: list[w.Write] = [*withdrawn[-4:], *rejected]
        one, other = (Network(opened(tables(state))) for _ in range(2))
        for event in events:
            one.commit(w.Batch((event,)))
        Random(seed).shuffle(events)
        for event in events:
            other.commit(w.Batch((event,)))
        assert not checks.same_support(one, other)
        assert not checks.labelled(one) and not checks.labelled(other)

    @invariant()
    def labels_are_those_of_the_model(self) -> None:
        supported = self.model.supported()
        for name in self.network.state.names:
            assert self.network.supported(name) == (name in supported), name
            assert self.network.home(name) == self.model.home(name), name
        for claim, standing in self.model.standing.items():
            assert self.network.standing(claim) is standing, claim
            assert {each.id for each in self.network.preconditions(claim)} == self.model.context.get(claim, set())

    @invariant()
    def every_invariant_holds(self) -> None:
        network = self.network
        assert not checks.well_founded(network)
        assert not checks.labelled(network)
        assert not checks.lifted(network)
        assert not checks.acyclic(network)
        assert not checks.homed(network, self.index)
        assert not checks.unread(network, self.read)
        assert {claim for claim in network.claims() if network.readable(claim)} == self.read
        assert not checks.replayed(network, self.moves)

    @invariant()
    def tables_give_the_same_network(self) -> None:
        again = opened(tables(self.network.state))
        assert again.labels == self.network.state.labels
        assert [again.homes.domains(n) for n in range(len(again.names))] == [
            self.network.state.homes.domains(n) for n in range(len(again.names))
        ]


def _run(examples: int, steps: int) -> None:
    Machine.operations = 0
    chosen = settings(
        max_examples=examples, stateful_step_count=steps, deadline=None, suppress_health_check=list(HealthCheck), database=None
    )
    run_state_machine_as_test(Machine, settings=chosen)


def test_every_invariant_over_random_writes() -> None:
    _run(examples=60, steps=50)
    assert Machine.operations >= 3_000
    assert Machine.reached == set(Standing) - {Standing.NONE}
    assert {"cycle", "nothing", "kind", "unknown", "standing", "unsupported", "agent", "order"} <= Machine.refused.keys()


@pytest.mark.slow
@pytest.mark.timeout(3_600)
def test_every_invariant_over_a_hundred_thousand_writes() -> None:
    _run(examples=1_600, steps=60)
    assert Machine.operations >= 100_000
    assert set(w.REASONS) - {"known"} <= Machine.refused.keys()
