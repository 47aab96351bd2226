"""Ancestors: breadth first, in a stated order, ending on circles; checked against reachability written another way."""

from hypothesis import given
from hypothesis import strategies as st
from support.pages import built, examples

from loom.build.stages.closure import ancestors
from loom.core.values import Concept, Ref
from loom_adapters.concept_list import FakeCorpus

NODES = st.sampled_from("abcdefgh")
GRAPHS = st.dictionaries(NODES, st.lists(NODES, max_size=4), max_size=8)


def reachable(start: str, parents: dict[str, list[str]]) -> set[str]:
    """Everything above a node, by repeated expansion."""
    found = set(parents.get(start, ()))
    while more := {above for one in found for above in parents.get(one, ())} - found:
        found |= more
    return found


def depth(start: str, node: str, parents: dict[str, list[str]]) -> int:
    level, steps = {start}, 0
    while node not in level:
        level, steps = {above for one in level for above in parents.get(one, ())}, steps + 1
    return steps


def test_levels_come_in_order() -> None:
    parents = {"a": ["z", "b"], "z": ["y", "c"], "b": ["x"], "c": ["top"], "x": ["top"]}
    assert ancestors("a", parents) == ["c", "x", "y", "top"]


def test_a_direct_parent_that_is_also_further_up_is_not_repeated() -> None:
    assert ancestors("a", {"a": ["b", "c"], "b": ["c"], "c": ["d"]}) == ["d"]


def test_circles_end_and_hold_no_self() -> None:
    assert ancestors("a", {"a": ["b"], "b": ["a", "c"], "c": ["b"]}) == ["c"]
    assert ancestors("a", {"a": ["a", "b"]}) == []


def test_the_root_of_everything_is_left_out() -> None:
    assert ancestors("a", {"a": ["b"], "b": ["owl:Thing", "c"], "c": ["http://www.w3.org/2002/07/owl#Thing"]}) == ["c"]


def test_a_chain_of_any_length_is_followed() -> None:
    chain = {f"n{at:05}": [f"n{at + 1:05}"] for at in range(5000)}
    assert len(ancestors("n00000", chain)) == 4999


@given(GRAPHS)
def test_ancestors_are_what_can_be_reached_and_no_parent(parents: dict[str, list[str]]) -> None:
    for node in parents:
        found = ancestors(node, parents)
        assert len(set(found)) == len(found)
        assert set(found) == reachable(node, parents) - set(parents[node]) - {node}


@given(GRAPHS)
def test_nearer_ancestors_come_first_and_levels_are_sorted(parents: dict[str, list[str]]) -> None:
    for node in parents:
        found = ancestors(node, parents)
        assert found == sorted(found, key=lambda one: (depth(node, one, parents), one))


@given(GRAPHS, st.randoms(use_true_random=False))
def test_the_order_of_pages_does_not_matter(parents: dict[str, list[str]], random) -> None:
    items = list(parents.items())
    random.shuffle(items)
    assert {one: ancestors(one, dict(items)) for one in parents} == {one: ancestors(one, parents) for one in parents}


def concept(iri: str, *parents: str, ancestors: tuple[str, ...] | None = None) -> Concept:
    stated = None if ancestors is None else tuple(Ref(one) for one in ancestors)
    return Concept(f"urn:{iri}", iri, definition=iri, parents=tuple(Ref(f"urn:{one}") for one in parents), ancestors=stated)


def test_what_a_single_source_states_holds_and_a_difference_is_said() -> None:
    work = built(FakeCorpus([concept("a", "b", ancestors=("urn:x",)), concept("b", "c", ancestors=()), concept("c")]))
    assert work.concepts[0].ancestors == (Ref("urn:x"),)
    assert work.concepts[2].ancestors == ()
    assert [message for _, message in examples(work.report, "stated-ancestors-differ")] == [
        "urn:a: stated only urn:x; computed only urn:c"
    ]


def test_over_several_sources_ancestors_are_computed_and_stated_ones_kept() -> None:
    work = built(
        FakeCorpus([concept("a", "b", ancestors=("urn:x", "urn:b"))]), FakeCorpus([concept("b", "c"), concept("c", "d")])
    )
    assert work.concepts[0].ancestors == (Ref("urn:c"), Ref("urn:d"), Ref("urn:x"))
    assert work.report.count("ancestors-recomputed") == 1
