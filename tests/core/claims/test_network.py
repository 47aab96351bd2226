"""What each write does to standings, one rule at a time (specs of the claims layer: §§1–4, traps in §12, §13)."""

import pytest
from support.claims_made import ANN, claim, commit, just, made, moved, reason, signal

from loom.core.claims import writes as w
from loom.core.claims.acceptance import corroborated, everything
from loom.core.claims.checks import labelled
from loom.core.claims.moments import earlier
from loom.core.claims.network import Network
from loom.core.claims.records import NETWORK, SLOW_PATH, Agent, Claim, Derivation, Entry, Justification, Precondition, Signal
from loom.core.claims.standing import Standing
from loom.core.claims.tables import opened, tables
from loom.core.errors import BadInput, NotFound


def test_a_claim_is_proposed_and_a_person_accepts_it() -> None:
    network = made(signal("a"), claim("c", "a"))
    assert network.standing("c") is Standing.PROPOSED
    assert moved(commit(network, w.Accept("c", ANN))) == {"c": ("proposed", "accepted")}


@pytest.mark.parametrize("by", [SLOW_PATH, NETWORK, Agent("slow_path", "ann")])
def test_nobody_else_accepts_or_takes_back(by: Agent) -> None:
    network = made(signal("a"), claim("c", "a"), claim("d", "a"), w.Contradict("c", "d"), w.Supersede("c", "d"))
    for write in (
        w.Accept("c", by),
        w.Reject("c", by),
        w.Readmit("c", by),
        w.DropConflict("c", "d", by),
        w.DropSupersede("c", "d", by),
    ):
        change = commit(network, write)
        assert (reason(change), change.moves) == ("agent", ())


def test_what_arrives_without_support_is_retracted_and_contests_nobody() -> None:
    network = made(signal("a"), signal("b"), claim("c", "a"), w.WithdrawEntry("entry-b"))
    change = commit(network, claim("d", "b"), w.Contradict("d", "c"))
    assert moved(change) == {"d": ("none", "retracted")}
    assert moved(commit(network, w.RestoreEntry("entry-b"))) == {
        "c": ("proposed", "contested"),
        "d": ("retracted", "contested"),
    }


def test_contest_does_not_travel() -> None:
    network = made(signal("a"), signal("b"), claim("c", "a"), claim("d", "c"), claim("e", "b"), w.Accept("d", ANN))
    assert set(moved(commit(network, w.Contradict("e", "c")))) == {"c", "e"}
    assert network.standing("d") is Standing.ACCEPTED


def test_contested_then_resolved_is_accepted_again_and_restored_is_not() -> None:
    network = made(signal("a"), signal("b"), claim("c", "a"), claim("e", "b"), w.Accept("c", ANN))
    commit(network, w.Contradict("e", "c"))
    assert moved(commit(network, w.Reject("e", ANN))) == {"c": ("contested", "accepted"), "e": ("contested", "retracted")}
    commit(network, w.WithdrawEntry("entry-a"))
    assert moved(commit(network, w.RestoreEntry("entry-a"))) == {"c": ("retracted", "proposed")}


def test_superseded_then_revived_is_accepted_again() -> None:
    network = made(signal("a"), claim("c", "a"), claim("d", "a"), w.Accept("c", ANN))
    assert moved(commit(network, w.Supersede("d", "c"))) == {"c": ("accepted", "superseded")}
    commit(network, w.WithdrawEntry("entry-a"))
    assert network.standing("c") is Standing.SUPERSEDED
    commit(network, w.RestoreEntry("entry-a"))
    assert moved(commit(network, w.DropSupersede("d", "c", ANN))) == {"c": ("superseded", "accepted")}


def test_a_chain_of_supersedes_edges_revives_one_link() -> None:
    network = made(
        signal("a"), claim("c1", "a"), claim("c2", "a"), claim("c3", "a"), w.Supersede("c2", "c1"), w.Supersede("c3", "c2")
    )
    assert moved(commit(network, w.DropSupersede("c3", "c2", ANN))) == {"c2": ("superseded", "proposed")}
    assert reason(commit(network, w.Supersede("c1", "c2"))) == "cycle"
    assert reason(commit(network, w.Supersede("c1", "c1"))) == "cycle"


def test_rejection_goes_before_supersession_and_retracts_what_relied_on_it_alone() -> None:
    network = made(signal("a"), signal("b"), claim("c", "a"), claim("d", "c"), claim("e", "c", "b"), claim("n", "a"))
    commit(network, w.Supersede("n", "c"))
    assert network.standing("d") is Standing.RETRACTED and network.standing("e") is Standing.PROPOSED
    assert moved(commit(network, w.Reject("c", ANN))) == {"c": ("superseded", "retracted")}
    assert moved(commit(network, w.Readmit("c", ANN))) == {"c": ("retracted", "superseded")}


def test_every_way_to_close_a_cycle_is_refused() -> None:
    network = made(signal("a"), claim("c", "a", assumes="p"), claim("d", "c"), claim("e", "d"))
    assert reason(commit(network, w.Support("c", "e"))) == "cycle"
    assert reason(commit(network, w.Support("c", "c"))) == "cycle"
    assert reason(commit(network, w.Justify("c", just("a", "d")))) == "cycle"
    assert reason(commit(network, w.Migrate("c", "p", "e"))) == "cycle"
    assert network.preconditions("c") == (Precondition("p"),)


def test_two_writes_of_one_batch_close_no_cycle_together() -> None:
    network = made(signal("a"), claim("c", "a"), claim("d", "a"))
    change = commit(network, w.Support("c", "d"), w.Support("d", "c"))
    assert [each.position for each in change.refusals] == [1]
    change = commit(network, claim("e", "c"), w.Support("d", "e"))
    assert reason(change) == "cycle"


def test_a_verdict_of_support_is_written_once_and_only_adds() -> None:
    network = made(signal("a"), signal("b"), claim("c", "a"))
    assert commit(network, w.Support("c", "b")).moves == ()
    assert reason(commit(network, w.Support("c", "b"))) == "nothing"
    assert network.justifications("c") == (("a",), ("b",))
    assert commit(network, w.WithdrawEntry("entry-a")).moves == ()


def test_what_supports_a_claim_is_known_whatever_wrote_it_and_when() -> None:
    many = [signal(f"s{at}") for at in range(30)]
    network = made(*many, claim("c", "s0"), w.Support("c", "s1"))
    supported = Derivation("supports")
    assert not commit(
        network, w.Justify("c", Justification(("s2",), supported)), *(w.Support("c", f"s{at}") for at in range(3, 30))
    ).refusals
    for held in (network, Network(opened(tables(network.state)))):
        again = commit(held, *(w.Support("c", f"s{at}") for at in range(1, 30)))
        assert {each.reason for each in again.refusals} == {"nothing"} and len(again.refusals) == 29
        assert not commit(held, w.Support("c", "s0")).refusals, "what it was derived from was no verdict"


def test_a_verdict_is_the_same_after_a_migration() -> None:
    network = made(
        signal("a"), signal("b"), signal("p1"), claim("c", "a", assumes="p"), w.Support("c", "b"), w.Migrate("c", "p", "p1")
    )
    assert network.justifications("c") == (("a", "p1"), ("b", "p1"))
    assert reason(commit(network, w.Support("c", "b"))) == "nothing"
    again = Network(opened(tables(network.state)))
    assert reason(commit(again, w.Support("c", "b"))) == "nothing"


def test_a_migration_joins_every_justification_and_narrows_support() -> None:
    network = made(signal("a"), signal("b"), signal("p1"), claim("c", "a", "b", assumes="p q"))
    assert commit(network, w.Migrate("c", "p", "p1", "run 7")).moves == ()
    assert network.preconditions("c") == (Precondition("q"),)
    kept = network.state.migrated
    assert {(each.run, each.at, each.node) for migrations in kept.values() for each in migrations} == {
        ("run 7", "2026-01-01", "p1")
    }
    assert moved(commit(network, w.WithdrawEntry("entry-p1"))) == {"c": ("proposed", "retracted")}
    assert reason(commit(network, w.Migrate("c", "q", "p1"))) == "unsupported"
    assert reason(commit(network, w.Migrate("c", "p", "a"))) == "unknown"


def test_evidence_of_the_same_batch_counts_for_a_migration() -> None:
    network = made(signal("a"), claim("c", "a", assumes="p"))
    assert not commit(network, signal("b"), claim("d", "b"), w.Migrate("c", "p", "d")).refusals
    assert (
        reason(
            commit(
                made(signal("a"), claim("c", "a", assumes="p")),
                signal("b"),
                w.WithdrawEntry("entry-b"),
                w.Migrate("c", "p", "b"),
            )
        )
        == "unsupported"
    )


def test_a_contradicting_signal_is_lifted_and_holds_its_target_while_it_stands() -> None:
    network = made(signal("a"), signal("b"), claim("c", "a"), w.Accept("c", ANN))
    change = commit(network, w.Contradict("b", "c", "signal"))
    assert change.lifted == ("lifted:b",)
    assert network.standing("c") is Standing.CONTESTED
    assert not network.readable("lifted:b") and network.readable("c")
    assert moved(commit(network, w.WithdrawEntry("entry-b"))) == {
        "c": ("contested", "accepted"),
        "lifted:b": ("contested", "retracted"),
    }
    commit(network, w.RestoreEntry("entry-b"))
    assert network.standing("c") is Standing.CONTESTED


def test_a_lifted_claim_justifies_nothing_and_is_no_target() -> None:
    network = made(signal("a"), signal("b"), claim("c", "a"), w.Contradict("b", "c", "signal"))
    for write in (
        claim("d", "lifted:b"), w.Support("c", "lifted:b"), w.Support("lifted:b", "a"), w.Accept("lifted:b", ANN),
        w.Contradict("c", "lifted:b"), w.Contradict("lifted:b", "c"), w.Supersede("lifted:b", "c"), w.TakeOver("lifted:b", "lifted:b"),
        w.TakeOver("c", "c"), w.AddClaim(Claim("x", (just("a"),), lifted=True)), w.FileSignal("c", frozenset()), w.Support("a", "b"),
    ):  # fmt: skip
        assert reason(commit(network, write)) == "kind", write
    assert reason(commit(network, claim("lifted:z", "a"))) == "known"


def test_one_lifted_claim_for_a_signal() -> None:
    network = made(signal("a"), signal("b"), claim("c", "a"), claim("d", "a"), w.Contradict("b", "c", "signal"))
    assert commit(network, w.Contradict("b", "d", "signal")).lifted == ()
    assert network.partners("lifted:b") == ("c", "d")
    assert reason(commit(network, w.Contradict("b", "d", "signal"))) == "nothing"


def test_an_ordinary_claim_takes_the_conflicts_of_a_lifted_one_over() -> None:
    network = made(signal("a"), signal("b"), claim("c", "a"), w.Contradict("b", "c", "signal"))
    change = commit(network, claim("n", "b"), w.TakeOver("n", "lifted:b"))
    assert moved(change) == {"n": ("none", "contested"), "lifted:b": ("contested", "superseded")}
    assert network.partners("c") == ("n",) and network.partners("lifted:b") == ()
    commit(network, claim("d", "a"), w.Contradict("b", "d", "signal"))
    assert network.partners("d") == ("n",)
    assert reason(commit(network, w.TakeOver("n", "lifted:b"))) == "nothing"


def test_what_supersedes_the_claim_that_states_a_signal_does_not_contradict_in_its_place() -> None:
    network = made(signal("a"), signal("s"), claim("c", "a"), claim("d", "a"), claim("same", "s"), claim("other", "a"))
    commit(network, w.Contradict("s", "c", "signal"), w.TakeOver("same", "lifted:s"), w.Supersede("other", "same"))
    assert network.standing("c") is Standing.PROPOSED
    assert not commit(network, w.Contradict("s", "d", "signal")).refusals
    assert (network.partners("other"), network.partners("d")) == ((), ("same",))
    assert (network.standing("other"), network.standing("d")) == (Standing.PROPOSED, Standing.PROPOSED)
    commit(network, w.DropSupersede("other", "same", ANN))
    assert (network.standing("c"), network.standing("d")) == (Standing.CONTESTED, Standing.CONTESTED)


def test_a_pair_has_one_conflict_with_the_branches_that_found_it() -> None:
    network = made(signal("a"), signal("b"), claim("c", "a"), claim("d", "b"), w.Contradict("c", "d"))
    assert not commit(network, w.Contradict("d", "c", "signal")).refusals
    assert reason(commit(network, w.Contradict("c", "d", "claim"))) == "nothing"
    one, other = (network.state.numbers[each] for each in "cd")
    assert network.state.disputes.branches(one, other) == {"claim", "signal"}
    assert reason(commit(network, w.Contradict("c", "c"))) == "nothing"


def test_a_conflict_that_a_person_took_back_comes_back_by_a_person_only() -> None:
    network = made(signal("a"), signal("b"), claim("c", "a"), claim("d", "b"), w.Contradict("c", "d"))
    assert len(commit(network, w.DropConflict("d", "c", ANN)).moves) == 2
    assert reason(commit(network, w.Contradict("c", "d"))) == "spurious"
    assert len(commit(network, w.Contradict("c", "d", by=ANN)).moves) == 2
    assert reason(commit(network, w.DropConflict("c", "a", ANN))) == "kind"


def test_withdrawing_what_superseded_a_signal_revives_it() -> None:
    network = made(signal("a", "s"), signal("b", "s"), signal("z", "t"), claim("c", "a"), claim("d", "b"))
    assert moved(commit(network, w.ReplaceSignal("b", "a"))) == {"c": ("proposed", "retracted")}
    assert moved(commit(network, w.WithdrawEntry("entry-b"))) == {
        "c": ("retracted", "proposed"),
        "d": ("proposed", "retracted"),
    }
    for write, why in (
        (w.ReplaceSignal("a", "b"), "order"),
        (w.ReplaceSignal("z", "a"), "order"),
        (w.ReplaceSignal("a", "a"), "order"),
        (w.ReplaceSignal("b", "a"), "nothing"),
    ):
        assert reason(commit(network, write)) == why


def test_a_signal_stays_replaced_while_the_last_of_a_chain_stands() -> None:
    network = made(signal("a", "s"), signal("b", "s"), signal("c", "s"), w.ReplaceSignal("b", "a"), w.ReplaceSignal("c", "b"))
    commit(network, w.WithdrawEntry("entry-b"))
    assert not network.supported("a")
    assert commit(network, w.WithdrawEntry("entry-c")).supports == {"a", "c"}


def replacements(many: int) -> list[w.Write]:
    """One source that says something else `many` times."""
    each = [(w.AddEntry(Entry(f"e{at}", "status")), w.AddSignal(Signal(f"s{at}", f"e{at}"))) for at in range(many)]
    return [*(one for pair in each for one in pair), *(w.ReplaceSignal(f"s{at + 1}", f"s{at}") for at in range(many - 1))]


def test_a_source_that_changes_its_mind_often_costs_no_more_than_its_last_word() -> None:
    network = made(*replacements(400), claim("c", "s399"), claim("d", "s0"))
    change = commit(network, w.WithdrawEntry("e399"))
    assert change.supports == {"s399", "s398", "c"}
    assert (change.visits.nodes, labelled(network)) == (3, ())
    change = commit(network, *(w.WithdrawEntry(f"e{at}") for at in range(398, 0, -1)))
    assert (network.supported("s0"), network.standing("d"), labelled(network)) == (True, Standing.PROPOSED, ())
    change = commit(network, w.RestoreEntry("e200"))
    assert (change.supports, labelled(network)) == ({"s200", "s0", "d"}, ())
    change = commit(Network(opened(tables(network.state))), w.WithdrawEntry("e200"))
    assert change.supports == {"s200", "s0", "d"}


def test_signals_of_one_entry_that_replace_each_other_go_and_come_back_together() -> None:
    network = made(
        w.AddEntry(Entry("e", "memo")),
        *(w.AddSignal(Signal(each, "e")) for each in "abc"),
        w.AddEntry(Entry("f", "memo")),
        w.AddSignal(Signal("first", "f")),
        w.ReplaceSignal("a", "first"),
        w.ReplaceSignal("b", "a"),
        w.ReplaceSignal("c", "b"),
    )
    assert commit(network, w.WithdrawEntry("e")).supports == {"c", "first"}
    assert labelled(network) == ()
    assert commit(network, w.RestoreEntry("e")).supports == {"c", "first"}
    assert labelled(network) == ()


def test_what_counts_as_it_did_is_not_visited() -> None:
    network = made(signal("a"), claim("c", "a"))
    change = commit(network, w.WithdrawEntry("entry-a"), w.RestoreEntry("entry-a"))
    assert (change.visits.nodes, change.moves) == (0, ())


def test_an_earlier_signal_does_not_replace_a_later_one() -> None:
    network = made(
        w.AddEntry(Entry("e", "s")), *(w.AddSignal(Signal(day, "e", observed_at=day)) for day in ("2026-01-02", "2026-01-01"))
    )
    assert reason(commit(network, w.ReplaceSignal("2026-01-01", "2026-01-02"))) == "order"
    assert not commit(network, w.ReplaceSignal("2026-01-02", "2026-01-01")).refusals


@pytest.mark.parametrize(
    ("first", "second", "sure"),
    [
        ("2026-05-01", "2026-05-02", True),
        ("2026-05-01T23:30:00-05:00", "2026-05-02T01:00:00Z", False),
        ("2026-05-02T01:00:00Z", "2026-05-01T23:30:00-05:00", True),
        ("2026-05-02 10:00", "2026-05-02T10:00:00.5+00:00", True),
        ("2026-05-02T12:00:00+0200", "2026-05-02T10:00:00Z", False),
        ("2026-05-02", "2026-05-02T10:00:00Z", False),
        ("2026-05-02T10:00:00Z", "2026-05-02", False),
        ("2026-05-02T10:00:00Z", "2026-05-03", True),
        ("", "2026-05-02", False),
        ("in May", "2026-05-02", False),
        ("2026-05-02T99", "2026-05-03", True),
    ],
)
def test_moments_are_told_apart_whatever_zone_they_are_written_in(first: str, second: str, sure: bool) -> None:
    assert earlier(first, second) is sure
    network = made(
        *(w.AddEntry(Entry(each, "memo")) for each in ("e1", "e2")),
        w.AddSignal(Signal("new", "e1", observed_at=first)),
        w.AddSignal(Signal("old", "e2", observed_at=second)),
    )
    change = commit(network, w.ReplaceSignal("new", "old"))
    assert bool(change.refusals) is sure


def test_acceptance_is_judged_by_the_standing_that_the_batch_leaves() -> None:
    network = made(signal("a"), signal("b"), claim("c", "a"), claim("d", "b"))
    change = commit(network, w.Accept("c", ANN), w.Contradict("d", "c"))
    assert reason(change) == "standing" and network.standing("c") is Standing.CONTESTED
    commit(network, w.DropConflict("c", "d", ANN))
    assert network.standing("c") is Standing.PROPOSED


def test_what_goes_and_comes_back_in_one_batch_stays_accepted() -> None:
    network = made(signal("a"), claim("c", "a"), w.Accept("c", ANN))
    assert commit(network, w.WithdrawEntry("entry-a"), w.RestoreEntry("entry-a")).moves == ()


def test_homes_follow_justifications_and_filing() -> None:
    network = made(signal("a", "", "law"), signal("b", "", "money"), claim("c", "a"), claim("d", "c"))
    assert network.home("d") == {"law"}
    change = commit(network, w.Support("c", "b"))
    assert {each.claim: set(each.after - each.before) for each in change.homes} == {"c": {"money"}, "d": {"money"}}
    commit(network, w.FileSignal("b", frozenset({"roads"})), w.WithdrawEntry("entry-a"))
    assert network.home("d") == {"law", "roads"}
    assert reason(commit(network, w.FileSignal("b", frozenset({"roads"})))) == "nothing"


def test_names_that_are_there_or_are_not() -> None:
    network = made(signal("a"), claim("c", "a"))
    for write in (w.AddEntry(Entry("entry-a", "s")), w.AddSignal(Signal("c", "entry-a")), claim("a", "c"), claim("c", "a")):
        assert reason(commit(network, write)) == "known"
    for write in (
        w.WithdrawEntry("x"),
        w.AddSignal(Signal("x", "y")),
        claim("x", "y"),
        w.Support("x", "a"),
        w.DropSupersede("c", "c", ANN),
        w.DropConflict("c", "c", ANN),
    ):
        assert reason(commit(network, write)) == "unknown"
    for write in (w.RestoreEntry("entry-a"), w.Readmit("c", ANN), w.Justify("c", just("a"))):
        assert reason(commit(network, write)) == "nothing"
    for ask in (network.standing, network.home, network.readable):
        with pytest.raises(NotFound):
            ask("x")
    with pytest.raises(NotFound):
        network.standing("a")


def test_something_else_than_a_write_changes_nothing() -> None:
    network = made(signal("a"), claim("c", "a"))
    with pytest.raises(BadInput, match="got str"):
        network.commit(w.Batch((w.WithdrawEntry("entry-a"), "accept c")))  # type: ignore[arg-type]
    assert network.supported("a") and network.state.batch == 1


@pytest.mark.parametrize(
    "build",
    [
        lambda: Justification(()), lambda: Justification(("a", "a")), lambda: Claim("c", ()), lambda: Claim("", (just("a"),)),
        lambda: Claim("c", (just("a"),), context=(Precondition("p"), Precondition("p"))), lambda: Entry("e", ""), lambda: Signal("s", ""),
        lambda: Precondition(""),
    ],
)  # fmt: skip
def test_records_that_miss_something_are_not_made(build: object) -> None:
    with pytest.raises(BadInput):
        build()  # type: ignore[operator]


def test_automatic_acceptance_wants_two_sources_and_a_batch() -> None:
    network = Network(rule=corroborated)
    commit(
        network,
        signal("a", "s"),
        signal("b", "s"),
        signal("d", "t"),
        claim("c", "a", "b"),
        claim("e", "a", "d"),
        claim("f", "a", "d", assumes="p"),
    )
    assert network.standing("e") is Standing.PROPOSED
    assert [(each.claim, each.cause) for each in commit(network).moves] == [("e", "automatic")]
    assert [each.claim for each in commit(network, w.Support("c", "d")).moves] == ["c"]


def test_automatic_acceptance_never_takes_what_was_retracted() -> None:
    network = Network(rule=everything)
    commit(network, signal("a"), claim("c", "a"))
    commit(network)
    assert network.standing("c") is Standing.ACCEPTED
    commit(network, w.WithdrawEntry("entry-a"))
    commit(network, w.RestoreEntry("entry-a"))
    commit(network)
    assert network.standing("c") is Standing.PROPOSED


def test_what_a_person_is_refused_is_said_with_what_to_do() -> None:
    network = made(*map(signal, "abcd"), *(claim(f"c{each}", each) for each in "abcd"), claim("e", "d"))
    commit(network, w.Accept("ca", ANN), w.Contradict("cb", "cc"), w.Reject("cd", ANN), w.Supersede("ca", "e"))
    refused = {
        w.Accept("x", ANN): "no signal or claim x; give the id",
        w.Accept("a", ANN): "a is a signal; give the id of a claim",
        w.Accept("ca", ANN): "is accepted; nothing is to be done",
        w.Accept("cb", ANN): "is contested; resolve its conflict",
        w.Accept("cd", ANN): "is retracted; readmit it",
        w.Accept("e", ANN): "is superseded; accept the claim in its place",
        w.Reject("cd", ANN): "rejected already; nothing",
        w.Readmit("ca", ANN): "not rejected; name one",
        w.WithdrawEntry("x"): "no entry x; give the id",
        w.RestoreEntry("entry-a"): "The entry entry-a is not withdrawn; nothing",
        w.Supersede("ca", "e"): "already; nothing",
        w.Supersede("e", "ca"): "the same claim; take the other edge back",
        w.DropSupersede("ca", "cb", ANN): "does not supersede cb; name two",
        w.DropConflict("ca", "cb", ANN): "do not conflict; name two",
    }
    for write, said in refused.items():
        (refusal,) = commit(network, write).refusals
        assert said in refusal.why, (write, refusal.why)
