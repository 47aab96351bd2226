"""Circles in a graph, against mutual reachability."""

from hypothesis import given
from hypothesis import strategies as st

from loom.build.cycles import cycles

NODES = st.sampled_from("abcdefg")


def reaches(start: str, edges: dict[str, list[str]]) -> set[str]:
    found, pending = set(), [start]
    while pending:
        for target in edges.get(pending.pop(), ()):
            if target not in found:
                found.add(target)
                pending.append(target)
    return found


def test_two_circles_are_two() -> None:
    assert cycles({"a": ["b"], "b": ["a", "c"], "c": ["d"], "d": ["e"], "e": ["c"], "f": ["f"]}) == [
        ["a", "b"],
        ["c", "d", "e"],
    ]


def test_a_deep_graph_needs_no_recursion() -> None:
    edges = {str(at): [str((at + 1) % 20_000)] for at in range(20_000)}
    assert [len(group) for group in cycles(edges)] == [20_000]


@given(st.dictionaries(NODES, st.lists(NODES, max_size=3), max_size=7))
def test_a_group_is_all_that_reach_one_another(edges: dict[str, list[str]]) -> None:
    nodes = {*edges, *(target for targets in edges.values() for target in targets)}
    groups = {frozenset(b for b in nodes if b in reaches(a, edges) and a in reaches(b, edges)) for a in nodes}
    assert cycles(edges) == sorted(sorted(group) for group in groups if len(group) > 1)
