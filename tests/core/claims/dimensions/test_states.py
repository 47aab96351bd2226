"""States of a dimension: what validation, the screen, the cap and a person do to it."""

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
from support.claims_axes import dimension
from support.trying import every_world

from loom.core.claims.dimensions.contract import Criterion, Validation
from loom.core.claims.dimensions.cycle import closed
from loom.core.claims.dimensions.dimension import Dimension
from loom.core.claims.dimensions.rules import Rules
from loom.core.claims.dimensions.screen import Screened
from loom.core.claims.dimensions.states import evicted, pin, reconsider, recorded, retire, unpin
from loom.core.claims.records import NETWORK, SLOW_PATH, Agent
from loom.core.errors import BadInput

ANN = Agent("person", "ann")
PASSED, FAILED = Screened(5, 4, 0.5, True), Screened(1, 2, 0.1, False)
MET = Validation(1, 40, (Criterion("relevant", 0.4, 0.1, True),))
UNMET = Validation(1, 40, (Criterion("relevant", 0.0, 0.1, False), Criterion("stable", 0.9, 0.8, True)))


def _screened(**weights: float) -> dict[str, Screened]:
    """Outcomes by id: useful with this weight, or not where it is below 0."""
    return {name: Screened(5, 5, weight, True) if weight >= 0 else FAILED for name, weight in weights.items()}


def test_a_candidate_that_meets_all_criteria_is_validated() -> None:
    candidate = dimension("one", state="candidate")
    assert recorded(candidate, UNMET).state == "candidate"
    found = recorded(candidate, MET)
    assert (found.state, found.version, found.contract.validation) == ("validated", 1, MET)
    assert recorded(found, UNMET).state == "candidate"
    assert recorded(candidate, Validation(1, 40, ())).state == "candidate"
    assert recorded(dimension("one"), UNMET).state == "active"
    with pytest.raises(BadInput, match="measure it again"):
        recorded(replace(candidate, version=3, valid_from=2), MET)


def test_the_screen_activates_and_two_failures_park() -> None:
    first = closed([dimension("new", state="validated"), dimension("bad"), dimension("idea", state="candidate")],
                   {"new": PASSED, "bad": FAILED}, 3)  # fmt: skip
    new, bad, idea = first.dimensions
    assert (new.state, new.activated, new.weight) == ("active", 3, 0.5)
    assert (bad.state, bad.failures, idea.state) == ("active", 1, "candidate")
    second = closed(first.dimensions, {"new": FAILED, "bad": FAILED}, 4)
    assert [each.state for each in second.dimensions] == ["active", "parked", "candidate"]
    assert [(each.dimension, each.before, each.after) for each in second.shifts] == [("bad", "active", "parked")]
    third = closed(second.dimensions, {"new": PASSED}, 5)
    assert (third.dimensions[0].failures, third.shifts) == (0, ())


def test_a_validated_one_that_fails_twice_is_parked_too() -> None:
    (once,) = closed([dimension("a", state="validated")], {"a": FAILED}, 1).dimensions
    assert once.state == "validated"
    assert closed([once], {"a": FAILED}, 2).dimensions[0].state == "parked"


def test_pinned_is_active_whatever_the_screen_says() -> None:
    found: tuple[Dimension, ...] = pin(dimension("a", state="candidate"), [], ANN, 1)
    for cycle in range(2, 6):
        found = closed(found, {"a": FAILED}, cycle).dimensions
        assert found[0].active and found[0].failures == cycle - 1
    assert closed(found, None, 6).dimensions == found
    loose = unpin(found[0], ANN)
    assert loose.active and closed([loose], {"a": FAILED}, 7).dimensions[0].state == "parked"


def test_an_unfit_domain_keeps_its_dimensions_inactive() -> None:
    given = [dimension("a", weight=0.4, failures=1), dimension("p", state="parked"), dimension("pin", pinned=True)]
    found = closed(given, None, 2)
    assert [each.state for each in found.dimensions] == ["validated", "parked", "active"]
    assert found.dimensions[0].failures == 1
    assert "too few queries" in found.shifts[0].why


def test_at_the_cap_the_smallest_weight_makes_room() -> None:
    rules = Rules(active=2)
    held = [dimension("a", weight=0.3), dimension("b", weight=0.2), dimension("new", state="validated")]
    found = closed(held, _screened(a=0.3, b=0.2, new=0.1), 2, rules)
    assert [each.state for each in found.dimensions] == ["active", "parked", "active"]
    assert {each.dimension: each.why for each in found.shifts}["b"] == "made room for new"


def test_ties_park_the_most_recently_activated() -> None:
    old, young = dimension("a", weight=0.2, activated=1), dimension("b", weight=0.2, activated=5)
    leaves = evicted([young, old])
    assert leaves is young
    assert evicted([replace(young, pinned=True), old]) is old
    assert evicted([replace(young, pinned=True)]) is None


def test_of_several_newcomers_the_best_stay() -> None:
    rules = Rules(active=2)
    held = [dimension("a", weight=0.3), dimension("b", weight=0.4)]
    held += [dimension("m", state="validated"), dimension("n", state="validated")]
    found = closed(held, _screened(a=0.3, b=0.4, m=0.1, n=0.9), 2, rules)
    assert [each.state for each in found.dimensions] == ["parked", "active", "validated", "active"]


def test_pins_fill_the_cap_and_no_more() -> None:
    rules = Rules(active=2)
    one, two = (dimension(name, pinned=True) for name in ("a", "b"))
    with pytest.raises(BadInput, match="unpin one first"):
        pin(dimension("c", state="validated"), [one, two], ANN, 3, rules)
    pinned, parked = pin(dimension("c", state="validated"), [one, replace(two, pinned=False)], ANN, 3, rules)
    assert (pinned.active, pinned.activated, parked.id, parked.state) == (True, 3, "b", "parked")
    found = closed([one, two, dimension("new", state="validated")], _screened(a=-1, b=-1, new=0.9), 4, rules)
    assert [each.state for each in found.dimensions] == ["active", "active", "validated"]


@pytest.mark.parametrize("by", [SLOW_PATH, NETWORK])
@pytest.mark.parametrize(
    "does",
    [lambda by: pin(dimension("a"), [], by, 1), lambda by: unpin(dimension("a"), by), lambda by: retire(dimension("a"), by),
     lambda by: reconsider(dimension("a", state="parked"), by)],
)  # fmt: skip
def test_only_a_person_pins_retires_and_takes_up_again(does: Callable[[Agent], object], by: Agent) -> None:
    with pytest.raises(BadInput, match="Only a person"):
        does(by)


def test_what_is_retired_stays_so() -> None:
    gone = retire(dimension("a", pinned=True), ANN)
    assert (gone.state, gone.pinned) == ("retired", False)
    assert closed([gone], {}, 2).dimensions == (gone,) == closed([gone], None, 2).dimensions
    assert recorded(gone, MET).state == "retired"
    with pytest.raises(BadInput, match="propose it anew"):
        pin(gone, [], ANN, 2)
    with pytest.raises(BadInput, match="Expected a parked"):
        reconsider(gone, ANN)
    assert reconsider(dimension("a", state="parked", failures=2), ANN).state == "candidate"


def test_every_outcome_is_needed() -> None:
    with pytest.raises(BadInput, match="outcome of a screen for a"):
        closed([dimension("a")], {}, 1)


@every_world
def test_cycles_keep_the_cap_and_lose_no_pin(seed: int, draw: random.Random) -> None:
    rules = Rules(active=draw.randrange(1, 4))
    states = ("candidate", "validated", "active", "parked", "retired")
    room = rules.active
    now: list[Dimension] = []
    for at in range(draw.randrange(1, 10)):
        state = draw.choice(states)
        if state == "active":
            state, room = ("active", room - 1) if room else ("validated", room)
        now.append(dimension(f"d{at}", state=state, pinned=state == "active" and draw.random() < 0.4))
    for cycle in range(1, 6):
        outcome = {
            each.id: Screened(5, 5, draw.choice((0.1, 0.2, 0.3)), draw.random() < 0.5)
            for each in now
            if each.state in ("validated", "active")
        }
        found = closed(now, outcome if draw.random() < 0.9 else None, cycle, rules)
        after = list(found.dimensions)
        assert sum(each.active for each in after) <= rules.active
        for before, one in zip(now, after, strict=True):
            assert one.active or not one.pinned
            assert before.state == one.state or before.state not in ("candidate", "parked", "retired")
        assert {each.dimension for each in found.shifts} == {
            a.id for a, b in zip(now, after, strict=True) if a.state != b.state
        }
        now = after
