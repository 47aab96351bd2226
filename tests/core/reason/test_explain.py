"""Explanations: enough, nothing to spare, and by the oracle too."""

from itertools import pairwise

import pytest
from support.el import oracle, random_ontology, without_ranges

from loom.core.reason import axioms as ax
from loom.core.reason.explain import Explainer, minimal
from loom.core.reason.plain import entails
from loom.core.reason.repair import saturated


def explained(seed: int) -> list[tuple[list[ax.Axiom], str, str, tuple[int, ...]]]:
    """Everything that follows from a random ontology with its explanations."""
    axioms = random_ontology(seed)
    explainer = Explainer(axioms, saturated(axioms))
    names = [axiom.cls.iri for axiom in axioms if isinstance(axiom, ax.Declared)]
    found = []
    for one in names:
        for other in [ax.NOTHING, *names]:
            explanation = explainer.explain(one, other)
            assert (explanation is not None) == entails(axioms, range(len(axioms)), one, other), (seed, one, other)
            if explanation is not None:
                found.append((axioms, one, other, explanation))
    return found


@pytest.mark.parametrize("seeds", [range(start, start + 20) for start in range(0, 120, 20)], ids=str)
def test_an_explanation_is_enough_and_none_of_it_can_be_spared(seeds: range) -> None:
    for seed in seeds:
        for axioms, one, other, explanation in explained(seed):
            assert entails(axioms, explanation, one, other), (seed, one, other)
            for position in explanation:
                assert not entails(axioms, [kept for kept in explanation if kept != position], one, other), (seed, one, other)


@pytest.mark.parametrize("wanted", [8, pytest.param(50, marks=pytest.mark.slow)])
def test_the_oracle_finds_explanations_of_empty_classes_enough_and_minimal(wanted: int) -> None:
    checked = 0
    for seed in range(400, 1000):
        for axioms, one, other, explanation in explained(seed):
            if other != ax.NOTHING or len(explanation) < 3:
                continue
            chosen = [axioms[position] for position in explanation]
            declared = [ax.Declared(ax.Named(one))]
            assert (one, ax.NOTHING) in oracle(without_ranges([*declared, *chosen])), seed
            for axiom in chosen:
                fewer = [kept for kept in chosen if kept is not axiom]
                assert (one, ax.NOTHING) not in oracle(without_ranges([*declared, *fewer])), seed
            checked += 1
            break
        if checked == wanted:
            return
    pytest.fail(f"only {checked} empty classes came up")


def test_what_is_not_needed_is_dropped() -> None:
    a, b, c = (ax.Named(f"urn:{name}") for name in "abc")
    axioms: list[ax.Axiom] = [ax.SubClassOf(a, b), ax.SubClassOf(b, c), ax.SubClassOf(a, c)]
    assert minimal(axioms, [0, 1, 2], "urn:a", "urn:c") in [(2,), (0, 1)]


def test_an_explanation_through_a_long_way_is_found_quickly() -> None:
    names = [ax.Named(f"urn:n{i}") for i in range(300)]
    axioms: list[ax.Axiom] = [ax.SubClassOf(one, other) for one, other in pairwise(names)]
    axioms.append(ax.SubClassOf(names[-1], ax.BOTTOM))
    explanation = Explainer(axioms, saturated(axioms)).explain("urn:n0")
    assert explanation == tuple(range(300))
