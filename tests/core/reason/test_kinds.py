"""The kinds of entailment that a reasoner for OWL 2 EL must draw, each as small as it can be, and what must not follow."""

import pytest
from support.entailment import below

from loom.core.reason import axioms as ax
from loom.core.reason.reasoner import ElReasoner

A, B, C, D, E, X, Y = (ax.Named(f"urn:{name}") for name in "ABCDEXY")
R, S, T = "urn:r", "urn:s", "urn:t"
sub, some = ax.SubClassOf, ax.Some
EMPTY = ax.BOTTOM

KINDS: dict[str, tuple[list[ax.Axiom], list[tuple[ax.Named, ax.Named]], list[tuple[ax.Named, ax.Named]]]] = {
    "a chain of roles": (
        [sub(A, some(R, B)), sub(B, some(S, C)), ax.RoleChain((R, S), T), sub(some(T, C), D)],
        [(A, D)],
        [(B, D), (C, D)],
    ),
    "disjointness through an existential": (
        [sub(B, C), sub(B, D), ax.Disjoint((C, D)), sub(A, some(R, B))],
        [(B, EMPTY), (A, EMPTY)],
        [(C, EMPTY), (D, EMPTY)],
    ),
    "a transitive role and a defined class": (
        [ax.Transitive(R), sub(A, some(R, B)), sub(B, some(R, C)), ax.Equivalent((X, some(R, C)))],
        [(A, X), (B, X)],
        [(C, X), (X, A)],
    ),
    "a domain": ([ax.Domain(R, C), sub(A, some(R, B))], [(A, C)], [(B, C)]),
    "a range inside an existential": (
        [ax.Range(R, C), sub(A, some(R, B)), sub(some(R, ax.And((B, C))), D)],
        [(A, D)],
        [(B, C)],
    ),
    "a range that the filler cannot be in": (
        [ax.Range(R, C), ax.Disjoint((B, C)), sub(A, some(R, B))],
        [(A, EMPTY)],
        [(B, EMPTY), (C, EMPTY)],
    ),
    "a defined conjunction": (
        [ax.Equivalent((X, ax.And((A, some(R, B))))), sub(C, A), sub(C, some(R, D)), sub(D, B)],
        [(C, X), (X, A)],
        [(A, X), (D, X)],
    ),
    "a sub-role": ([ax.SubRole(R, S), sub(A, some(R, B)), sub(some(S, B), C)], [(A, C)], [(B, C)]),
    "emptiness over two existentials": (
        [sub(A, some(R, B)), sub(B, some(S, C)), sub(C, EMPTY)],
        [(C, EMPTY), (B, EMPTY), (A, EMPTY)],
        [],
    ),
    "a domain that the class cannot be in": (
        [ax.Domain(R, C), ax.Disjoint((A, C)), sub(A, some(R, B))],
        [(A, EMPTY)],
        [(B, EMPTY), (C, EMPTY)],
    ),
    "cyclic definitions": (
        [ax.Equivalent((A, ax.And((B, some(R, A))))), ax.Equivalent((C, ax.And((B, some(R, C))))), sub(A, some(R, C))],
        [(A, B), (C, B), (A, C)],
        [(C, A), (B, C)],
    ),
    "a cycle of subclasses": ([sub(A, B), sub(B, C), sub(C, A), sub(D, A)], [(A, C), (C, B), (D, C)], [(A, D)]),
    "a reflexive role": ([ax.Reflexive(R), sub(some(R, A), B)], [(A, B)], [(B, A)]),
    "a longer chain, with a reflexive role in its middle": (
        [ax.Reflexive(S), ax.RoleChain((R, S, R), T), sub(A, some(R, B)), sub(B, some(R, C)), sub(some(T, C), D)],
        [(A, D)],
        [(B, D)],
    ),
    "a chain that feeds another chain": (
        [
            ax.RoleChain((R, R), S),
            ax.RoleChain((S, R), T),
            sub(A, some(R, B)),
            sub(B, some(R, C)),
            sub(C, some(R, D)),
            sub(some(T, D), X),
        ],
        [(A, X)],
        [(B, X)],
    ),
    "inherited edges that continue a chain": (
        [ax.Transitive(R), sub(A, some(R, B)), sub(B, C), sub(C, some(R, D)), sub(D, some(R, E)), sub(some(R, E), X)],
        [(A, X), (B, X), (C, X), (D, X)],
        [(E, X)],
    ),
    "what is said of everything": (
        [sub(ax.TOP, some(R, B)), sub(some(R, B), C), sub(some(S, ax.TOP), D), sub(A, some(S, A))],
        [(A, C), (B, C), (A, D)],
        [(B, D), (C, B)],
    ),
    "a union on the left": ([sub(ax.Or((A, B)), C)], [(A, C), (B, C)], [(C, A)]),
    "a complement on the right": ([sub(A, ax.Not(B)), sub(A, B)], [(A, EMPTY)], [(B, EMPTY)]),
    "a member of a class that is not": (
        [sub(ax.One("urn:a"), A), sub(A, some(R, B)), sub(B, EMPTY)],
        [(B, EMPTY), (A, EMPTY), (C, EMPTY)],
        [],
    ),
    "the same unknown expression on both sides": (
        [sub(A, ax.Opaque("Cardinality", "min 2 r")), sub(ax.Opaque("Cardinality", "min 2 r"), B)],
        [(A, B)],
        [(B, A)],
    ),
    "the same individual": (
        [ax.Equivalent((ax.One("urn:a"), ax.One("urn:b"))), sub(A, some(R, ax.One("urn:a"))), sub(some(R, ax.One("urn:b")), B)],
        [(A, B)],
        [(B, A)],
    ),
    "a class listed twice as disjoint": ([ax.Disjoint((A, A, B))], [(A, EMPTY)], [(B, EMPTY)]),
}


@pytest.mark.parametrize("kind", KINDS)
def test_kind(kind: str) -> None:
    axioms, expected, forbidden = KINDS[kind]
    closure = ElReasoner().classify([*map(ax.Declared, (A, B, C, D, E, X, Y)), *axioms])
    for one, other in expected:
        holds = one.iri in closure.unsatisfiable if other == EMPTY else below(closure, one.iri, other.iri)
        assert holds, (one, other)
    for one, other in forbidden:
        holds = one.iri in closure.unsatisfiable if other == EMPTY else below(closure, one.iri, other.iri)
        assert not holds, (one, other)


@pytest.mark.parametrize("kind", KINDS)
def test_each_axiom_of_an_explanation_is_needed(kind: str) -> None:
    axioms, expected, _ = KINDS[kind]
    for one, other in expected:
        if other == EMPTY:
            explanation = ElReasoner().explain(one.iri, axioms)
            assert one.iri in ElReasoner().classify([ax.Declared(one), *explanation]).unsatisfiable
            for axiom in explanation:
                fewer = [ax.Declared(one), *(other for other in explanation if other is not axiom)]
                assert one.iri not in ElReasoner().classify(fewer).unsatisfiable


def test_an_unknown_expression_is_reported_by_kind_with_an_example() -> None:
    axioms = [sub(A, ax.Opaque("ObjectAllValuesFrom", "only r B")), ax.Ignored("FunctionalObjectProperty", "r")]
    kinds = {one.kind: (one.count, one.example) for one in ElReasoner().classify([*axioms, axioms[1]]).unread}
    assert kinds == {"FunctionalObjectProperty": (2, "r"), "ObjectAllValuesFrom": (1, "only r B")}


def test_a_chain_that_leads_past_a_range_is_reported() -> None:
    chain = ax.RoleChain((R, S), T)
    inside = [chain, ax.Range(T, A), ax.Range(S, A)]
    assert ElReasoner().classify(inside).unread == ()
    (left_out,) = ElReasoner().classify([chain, ax.Range(T, A)]).unread
    assert (left_out.count, left_out.example) == (1, ax.text(chain))
