"""Every invariant finds what it is there to find: a network that is right, one thing of which was made wrong."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from support.claims_made import ANN, claim, commit, made, signal

from loom.core.claims import checks
from loom.core.claims import writes as w
from loom.core.claims.history import Move, replay
from loom.core.claims.network import Change, Network
from loom.core.claims.standing import Standing


def _network() -> Network:
    return made(
        signal("a", "", "law"), signal("b", "", "money"), claim("c", "a"), claim("d", "c"), claim("e", "b"), w.Contradict("b", "c", "signal")
    )  # fmt: skip


INDEX = {"law": {"c", "d"}, "money": {"e", "lifted:b"}}


def test_nothing_is_broken() -> None:
    network = _network()
    for check in (checks.well_founded, checks.labelled, checks.lifted, checks.acyclic):
        assert check(network) == ()
    assert checks.homed(network, INDEX) == ()


def test_i1_support_without_ground() -> None:
    network = _network()
    network.state.labels.supported[network.state.numbers["a"]] = 0
    assert checks.well_founded(network) == ("c is supported by nothing that ends in signals",)


def test_i1_and_i9_two_claims_that_justify_each_other() -> None:
    """The graph takes what it is given: the writes ask `rests_on` first."""
    network = made(signal("a"), claim("c", "a"), claim("d", "c"))
    graph, number = network.state.graph, network.state.numbers
    graph.edge_node[0] = number["d"]
    assert len(checks.acyclic(network)) == 3
    assert len(checks.well_founded(network)) == 2


def test_i2_support_that_differs() -> None:
    one, other = _network(), _network()
    commit(other, w.WithdrawEntry("entry-a"))
    assert checks.same_support(one, one) == ()
    assert len(checks.same_support(one, other)) == 3
    commit(one, signal("z"))
    assert "only one network has z" in checks.same_support(one, other)


def test_i3_a_label_that_was_not_followed() -> None:
    network = _network()
    network.state.labels.standing[network.state.numbers["d"]] = Standing.RETRACTED
    assert len(checks.labelled(network)) == 1


def test_i4_too_much_and_too_little() -> None:
    network = _network()
    before = checks.standings(network)
    change = commit(network, w.WithdrawEntry("entry-a"))
    assert checks.minimal(before, network, change) == ()
    fewer = _without(change, "d")
    assert checks.minimal(before, network, fewer) == ("d went proposed to nothing",)
    assert checks.minimal({**before, "e": Standing.CONTESTED}, network, change) == ("e went contested to nothing",)
    more = _with(change, Move(2, "", "e", Standing.PROPOSED, Standing.RETRACTED, "support"))
    assert checks.minimal(before, network, more) == ("e went proposed to retracted",)


def test_i5_what_does_not_come_back_or_as_something_else() -> None:
    network = _network()
    before = checks.standings(network)
    lost = commit(network, w.WithdrawEntry("entry-a"))
    change = commit(network, w.RestoreEntry("entry-a"))
    assert checks.restored(before, lost, network, change) == ()
    assert checks.restored(before, lost, network, _without(change, "d")) == ("d came back, or did not",)
    other = _with(_without(change, "d"), Move(3, "", "d", Standing.RETRACTED, Standing.ACCEPTED, "support"))
    assert checks.restored(before, lost, network, other) == ("d came back as accepted",)


def test_i6_a_conflict_that_travels() -> None:
    network = _network()
    change = commit(network, w.Contradict("e", "d"))
    assert checks.local(change, "e", "d") == ()
    assert checks.local(change, "e", "c") == ("d moved",)


def test_i8_a_lifted_claim_that_outlives_its_signal() -> None:
    network = _network()
    state = network.state
    state.labels.standing[state.numbers["c"]] = Standing.PROPOSED
    assert checks.lifted(network) == ("c is not contested by lifted:b",)
    state.labels.supported[state.numbers["b"]] = 0
    assert "lifted:b differs from its signal" in checks.lifted(network)


def test_i10_an_index_that_is_left_behind() -> None:
    network = _network()
    assert checks.homed(network, {**INDEX, "law": {"c"}}) == ("d and law: index and home differ",)
    assert checks.homed(network, {**INDEX, "roads": {"gone"}}) == ("gone is indexed and no claim",)
    network.state.homes.file(network.state.numbers["d"], frozenset({"roads"}))
    assert "the home of d is not that of its antecedents" in checks.homed(network, INDEX)


def test_i11_what_nobody_may_read() -> None:
    network = _network()
    commit(network, w.Reject("d", ANN))
    assert checks.unread(network, ["c", "e"]) == ()
    assert checks.unread(network, ["d", "lifted:b"]) == ("d is retracted and indexed", "lifted:b is contested and indexed")


def test_i12_a_history_that_comes_to_something_else() -> None:
    network = made()
    moves = list(commit(network, signal("a"), claim("c", "a"), claim("d", "a")).moves)
    last = commit(network, w.Reject("c", ANN)).moves
    assert checks.replayed(network, [*moves, *last]) == ()
    assert len(checks.replayed(network, moves)) == 1
    assert checks.replayed(network, moves[1:]) == ("c has no history",)
    with pytest.raises(ValueError, match="expected a move of c"):
        replay([*last])


def test_i13_discovery_that_reads_standings() -> None:
    given = {"c": Standing.ACCEPTED, "d": Standing.RETRACTED}
    turned = [{"c": Standing.RETRACTED, "d": Standing.ACCEPTED}]

    def reads(standings: Mapping[str, Standing]) -> list[str]:
        return [each for each, standing in standings.items() if standing is Standing.ACCEPTED]

    assert checks.indifferent(sorted, given, turned) == ()
    assert checks.indifferent(reads, given, turned) == ("permutation 0 changes what is found",)


def test_more_visits_than_the_closure_has() -> None:
    network = _network()
    change = commit(network, w.WithdrawEntry("entry-a"))
    assert checks.bounded(network, change) == ()
    assert (change.visits.nodes, change.visits.partners) == (3, 1)
    less = replace(change, moved=frozenset({"d"}))
    assert len(checks.bounded(network, less)) == 2


def _without(change: Change, claim_: str) -> Change:
    return replace(change, moves=tuple(each for each in change.moves if each.claim != claim_))


def _with(change: Change, move: Move) -> Change:
    return replace(change, moves=(*change.moves, move))
