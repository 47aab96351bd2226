"""Completion over arrays against completion written plainly, and against the oracle."""

import random

import pytest
from support.el import Pairs, large_ontology, oracle, random_ontology, without_ranges

from loom.core.reason import axioms as ax
from loom.core.reason.clauses import clauses_of
from loom.core.reason.closure import Closure
from loom.core.reason.plain import Completion
from loom.core.reason.reasoner import ElReasoner


def pairs(closure: Closure) -> Pairs:
    """Every pair of different classes, the first below the second; owl:Nothing above an empty class."""
    found = {(one, other) for one, above in closure.ancestors.items() for other in above}
    found |= {(one, ax.NOTHING) for one in closure.unsatisfiable}
    for group in closure.equivalents:
        if ax.THING in group:
            found |= {(ax.THING, one) for one in group if one != ax.THING}
    if not closure.consistent:
        found.add((ax.THING, ax.NOTHING))
    return frozenset(found)


def plainly(axioms: list[ax.Axiom]) -> Pairs:
    clauses = clauses_of(axioms)
    names = {node: iri for iri, node in clauses.classes.items() if iri != ax.NOTHING}
    completion = Completion(clauses, names)
    empty = {node for node in names if completion.holds(node, clauses.classes[ax.NOTHING])}
    found = {
        (names[one], names[other])
        for one in set(names) - empty
        for other in names
        if one != other and names[other] != ax.THING and completion.holds(one, other)
    }
    return frozenset(found | {(names[node], ax.NOTHING) for node in empty})


@pytest.mark.parametrize("seeds", [range(start, start + 100) for start in range(0, 600, 100)], ids=str)
def test_both_ways_of_completion_agree(seeds: range) -> None:
    for seed in seeds:
        axioms = random_ontology(seed)
        assert pairs(ElReasoner().classify(axioms)) == plainly(axioms), seed


@pytest.mark.parametrize(
    "seeds", [range(0, 60), pytest.param(range(60, 1000), marks=[pytest.mark.slow, pytest.mark.timeout(600)])], ids=str
)
def test_the_oracle_agrees(seeds: range) -> None:
    for seed in seeds:
        axioms = random_ontology(seed)
        said = {pair for pair in oracle(without_ranges(axioms)) if not any("range-of" in one for one in pair)}
        assert pairs(ElReasoner().classify(axioms)) == said, seed


def test_the_oracle_agrees_on_a_larger_one() -> None:
    axioms = large_ontology(160, seed=3)
    assert pairs(ElReasoner().classify(axioms)) == oracle(axioms)


def test_a_class_in_very_many_definitions() -> None:
    whole = ax.Named("urn:whole")
    parts = [ax.Named(f"urn:part{i}") for i in range(60)]
    defined = [ax.Equivalent((ax.Named(f"urn:both{i}"), ax.And((whole, part)))) for i, part in enumerate(parts)]
    facts = [ax.SubClassOf(ax.Named("urn:x"), one) for one in (parts[7], whole, parts[41])]
    closure = ElReasoner().classify([*defined, *facts])
    assert set(closure.ancestors["urn:x"]) == {"urn:whole", "urn:part7", "urn:part41", "urn:both7", "urn:both41"}
    assert set(closure.parents["urn:x"]) == {"urn:both7", "urn:both41"}


def test_the_order_of_axioms_does_not_change_the_closure() -> None:
    axioms = large_ontology(300, seed=5)
    shuffled = list(axioms)
    random.Random(1).shuffle(shuffled)
    assert ElReasoner().classify(shuffled) == ElReasoner().classify(axioms)


def test_nothing_is_said_of_an_empty_ontology() -> None:
    assert ElReasoner().classify([]) == Closure({}, {})


@pytest.mark.slow
@pytest.mark.parametrize(("classes", "easy"), [(8000, False), (100_000, True)])
def test_a_large_ontology_has_ten_empty_classes(classes: int, easy: bool) -> None:
    closure = ElReasoner().classify(large_ontology(classes, easy=easy))
    assert sorted(closure.unsatisfiable) == sorted(f"urn:class{classes - 1 - i}" for i in range(10))
