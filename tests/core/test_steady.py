"""What a follow-up shares with the block of the question that set its topic."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from loom.core.mint.make import make
from loom.core.policy.packing import NOTHING, pack_lines
from loom.core.policy.steady import holds, in_order_of
from loom.core.values import Block, Evidence


def unit(name: str, *lines: str) -> Evidence:
    return make(iri=f"urn:c:{name}", title=name, lines=[(line, (name,)) for line in (f"## {name}", *lines)])


def block(*units: Evidence) -> Block:
    return pack_lines(units, 500)


KILN, SALT, TIDE = unit("Kiln", "A chamber.", "requires: Clay"), unit("Salt"), unit("Tide", "It comes and goes.")


def test_a_block_holds_what_stands_in_it() -> None:
    assert holds(block(KILN, SALT), block(SALT)) and holds(block(KILN, SALT), block(SALT, KILN))
    assert holds(block(KILN), block(unit("Kiln", "requires: Clay", "A chamber."))), "the order of lines is no matter"
    assert not holds(block(SALT), block(KILN, SALT))
    assert not holds(block(KILN), block(unit("Kiln", "A chamber.", "requires: Clay, Fire")))
    assert not holds(NOTHING, block(SALT)) and holds(block(SALT), NOTHING)
    assert not holds(block(KILN), block(unit("Oven", "A chamber."))), "a line of another unit is another line"


def test_what_was_shown_comes_first_in_its_order() -> None:
    assert in_order_of(block(SALT, KILN), [TIDE, KILN, SALT]) == [SALT, KILN, TIDE]
    assert in_order_of(NOTHING, [TIDE, KILN]) == [TIDE, KILN]


UNITS = [unit(name, f"{name} is one.") for name in "ABCDEF"]


@given(st.lists(st.sampled_from(UNITS), unique=True), st.permutations(UNITS))
def test_nothing_is_lost_or_added(shown: Sequence[Evidence], found: Sequence[Evidence]) -> None:
    ordered = in_order_of(block(*shown), found)
    assert sorted(ordered, key=str) == sorted(found, key=str)
    assert [each for each in ordered if each in shown] == list(shown)
    assert [each for each in ordered if each not in shown] == [each for each in found if each not in shown]
    assert holds(block(*found), block(*shown))
