"""The hierarchy that a completed ontology holds."""

import pytest
from support.el import large_ontology, random_ontology

from loom.core.reason import axioms as ax
from loom.core.reason.reasoner import ElReasoner


def named(name: str) -> ax.Named:
    return ax.Named(f"urn:{name}")


def below(pairs: str) -> list[ax.Axiom]:
    """`a<b c<d` as axioms."""
    return [ax.SubClassOf(*map(named, pair.split("<"))) for pair in pairs.split()]


def test_parents_are_the_nearest_of_the_ancestors() -> None:
    closure = ElReasoner().classify(below("a<b b<c a<c c<d a<e"))
    assert closure.parents["urn:a"] == ("urn:b", "urn:e")
    assert closure.ancestors["urn:a"] == ("urn:b", "urn:c", "urn:d", "urn:e")
    assert closure.parents["urn:d"] == closure.ancestors["urn:d"] == ()


def test_classes_of_one_meaning_share_their_parents() -> None:
    closure = ElReasoner().classify(below("a<b b<c c<b c<d"))
    assert closure.equivalents == (("urn:b", "urn:c"),)
    assert closure.parents == {"urn:a": ("urn:b", "urn:c"), "urn:b": ("urn:d",), "urn:c": ("urn:d",), "urn:d": ()}
    assert closure.ancestors["urn:b"] == ("urn:c", "urn:d")


def test_an_empty_class_has_no_place() -> None:
    closure = ElReasoner().classify([*below("a<b a<c d<a b<e"), ax.Disjoint((named("b"), named("c")))])
    assert closure.unsatisfiable == ("urn:a", "urn:d")
    assert closure.parents == {"urn:a": (), "urn:b": ("urn:e",), "urn:c": (), "urn:d": (), "urn:e": ()}
    assert closure.ancestors["urn:d"] == ()


def test_a_class_of_everything_is_above_the_others_and_no_nearer_than_what_is_told() -> None:
    closure = ElReasoner().classify([*below("a<b"), ax.SubClassOf(ax.TOP, named("all"))])
    assert closure.equivalents == ((ax.THING, "urn:all"),) or closure.equivalents == (("urn:all", ax.THING),)
    assert closure.parents["urn:a"] == ("urn:b",)
    assert closure.ancestors["urn:a"] == ("urn:all", "urn:b")


def test_of_an_inconsistent_ontology_every_class_is_empty() -> None:
    closure = ElReasoner().classify([*below("a<b"), ax.SubClassOf(ax.One("urn:i"), ax.BOTTOM)])
    assert not closure.consistent
    assert closure.unsatisfiable == ("urn:a", "urn:b")


@pytest.mark.parametrize("seed", range(0, 300, 3))
def test_ancestors_are_what_parents_reach(seed: int) -> None:
    closure = ElReasoner().classify(random_ontology(seed))
    same = {one: set(group) - {one, ax.THING} for group in closure.equivalents for one in group}
    everywhere = next((set(group) - {ax.THING} for group in closure.equivalents if ax.THING in group), set())
    for one, ancestors in closure.ancestors.items():
        if one in closure.unsatisfiable:
            continue
        found, work = set(same.get(one, ())) | everywhere, [one]
        while work:
            for parent in closure.parents[work.pop()]:
                if parent not in found:
                    found |= {parent, *same.get(parent, ())}
                    work.append(parent)
        assert found - {one} == set(ancestors), (seed, one)


def test_no_parent_is_above_another() -> None:
    closure = ElReasoner().classify(large_ontology(400))
    for parents in closure.parents.values():
        for one in parents:
            assert not set(closure.ancestors[one]) & set(parents)
