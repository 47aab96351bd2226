"""Axioms as text and their names."""

from support.el import random_ontology
from support.functional import read

from loom.core.reason import axioms as ax

A, B, C = (ax.Named(f"urn:{name}") for name in "ABC")


def test_the_order_in_which_operands_are_listed_does_not_name_another_axiom() -> None:
    assert ax.axiom_id(ax.Disjoint((A, B, C))) == ax.axiom_id(ax.Disjoint((C, A, B)))
    assert ax.axiom_id(ax.SubClassOf(A, ax.And((B, C)))) == ax.axiom_id(ax.SubClassOf(A, ax.And((C, B))))


def test_what_says_something_else_has_another_name() -> None:
    said = [
        ax.SubClassOf(A, B),
        ax.SubClassOf(B, A),
        ax.Equivalent((A, B)),
        ax.Disjoint((A, B)),
        ax.RoleChain(("urn:r", "urn:s"), "urn:t"),
        ax.RoleChain(("urn:s", "urn:r"), "urn:t"),
        ax.Domain("urn:r", A),
        ax.Range("urn:r", A),
        ax.Declared(A),
        ax.SubClassOf(A, ax.One("urn:B")),
        ax.SubClassOf(A, ax.Self("urn:r")),
    ]
    assert len({ax.axiom_id(axiom) for axiom in said}) == len(said)


def test_the_text_of_an_axiom_is_functional_syntax() -> None:
    for seed in range(40):
        axioms = random_ontology(seed)
        again = read("Ontology(" + "\n".join(map(ax.text, axioms)) + ")")
        assert [ax.text(axiom) for axiom in again] == [ax.text(axiom) for axiom in axioms]
