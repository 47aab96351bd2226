"""Root causes, their consequences, and what mends most."""

import pytest
from support.el import random_ontology

from loom.core.reason import axioms as ax
from loom.core.reason.closure import empty_classes
from loom.core.reason.repair import findings, is_edge, relaxed, saturated, states_emptiness

RED, BLUE, CAR, BUS, FLEET, OWNER, VAN = (ax.Named(f"urn:{name}") for name in "red blue car bus fleet owner van".split())
DISJOINT = ax.Disjoint((RED, BLUE))


def shown(axioms: list[ax.Axiom]) -> dict[str, object]:
    found = findings(axioms)
    return {
        "roots": {iri: [ax.text(axioms[at]) for at in explanation] for iri, explanation in found.roots.items()},
        "causes": dict(found.causes),
        "disjointness": [axioms[at] for at in found.disjointness],
        "repair": [axioms[at] for at in found.repair],
    }


def test_a_class_below_two_disjoint_ones_is_the_root_and_what_needs_it_the_consequence() -> None:
    axioms: list[ax.Axiom] = [
        DISJOINT,
        ax.SubClassOf(CAR, RED),
        ax.SubClassOf(CAR, BLUE),
        ax.SubClassOf(VAN, CAR),
        ax.SubClassOf(FLEET, ax.Some("urn:has", VAN)),
        ax.SubClassOf(OWNER, ax.Some("urn:owns", FLEET)),
    ]
    found = shown(axioms)
    assert found["roots"] == {"urn:car": [ax.text(axiom) for axiom in axioms[:3]]}
    assert found["causes"] == {"urn:van": "urn:car", "urn:fleet": "urn:car", "urn:owner": "urn:car"}
    assert found["disjointness"] == [DISJOINT]
    assert len(found["repair"]) == 1 and found["repair"][0] in axioms[1:3]


def test_a_class_is_a_root_for_its_own_clash_even_where_its_parent_is_empty_for_another_reason() -> None:
    axioms: list[ax.Axiom] = [
        DISJOINT,
        ax.SubClassOf(BUS, RED),
        ax.SubClassOf(BUS, ax.Some("urn:has", CAR)),
        ax.SubClassOf(CAR, BLUE),
        ax.SubClassOf(CAR, BUS),
    ]
    found = shown(axioms)
    assert set(found["roots"]) == {"urn:car"}
    assert found["causes"] == {"urn:bus": "urn:car"}


def test_the_edge_that_mends_most_goes_first() -> None:
    axioms: list[ax.Axiom] = [DISJOINT, ax.SubClassOf(OWNER, RED), ax.SubClassOf(FLEET, BLUE)]
    for one in (CAR, BUS, VAN):
        axioms += [ax.SubClassOf(one, OWNER), ax.SubClassOf(one, BLUE)]
    axioms += [ax.SubClassOf(ax.Named("urn:other"), FLEET), ax.SubClassOf(ax.Named("urn:other"), RED)]
    found = shown(axioms)
    assert found["repair"][0] == ax.SubClassOf(OWNER, RED)
    assert len(found["repair"]) == 2


def test_a_clash_inside_a_filler_without_a_name_is_its_holders_own() -> None:
    axioms: list[ax.Axiom] = [DISJOINT, ax.SubClassOf(CAR, ax.Some("urn:has", ax.And((RED, BLUE)))), ax.SubClassOf(BUS, CAR)]
    found = shown(axioms)
    assert set(found["roots"]) == {"urn:car"}
    assert found["causes"] == {"urn:bus": "urn:car"}


def test_a_range_on_an_empty_filler_is_a_consequence() -> None:
    axioms: list[ax.Axiom] = [
        DISJOINT,
        ax.SubClassOf(CAR, RED),
        ax.SubClassOf(CAR, BLUE),
        ax.Range("urn:has", VAN),
        ax.SubClassOf(BUS, ax.Some("urn:has", CAR)),
    ]
    found = shown(axioms)
    assert set(found["roots"]) == {"urn:car"}
    assert found["causes"] == {"urn:bus": "urn:car"}


def test_of_an_inconsistent_ontology_everything_is_the_root() -> None:
    axioms: list[ax.Axiom] = [DISJOINT, *(ax.SubClassOf(ax.One("urn:mine"), one) for one in (RED, BLUE)), ax.Declared(CAR)]
    found = shown(axioms)
    assert found["roots"] == {ax.THING: [ax.text(axiom) for axiom in axioms[:3]]}
    assert found["causes"] == dict.fromkeys(("urn:blue", "urn:car", "urn:red"), ax.THING)
    assert len(found["repair"]) == 1


def test_nothing_is_found_where_nothing_is_empty() -> None:
    assert findings([DISJOINT, ax.SubClassOf(CAR, RED)]) == findings([])


@pytest.mark.parametrize("seeds", [range(start, start + 50) for start in range(0, 300, 50)], ids=str)
def test_a_repair_mends_everything_and_none_of_it_is_superfluous(seeds: range) -> None:
    for seed in seeds:
        axioms = random_ontology(seed)
        found = findings(axioms)
        assert list(found.unsatisfiable) == empty_classes(saturated(axioms)), seed
        assert (set(found.roots) | set(found.causes)) - {ax.THING} == set(found.unsatisfiable), seed
        assert not set(found.roots) & set(found.causes) and set(found.causes.values()) <= set(found.roots), seed
        assert not empty_classes(saturated(axioms, found.repair)), seed
        for position in found.repair:
            assert empty_classes(saturated(axioms, set(found.repair) - {position})), seed


@pytest.mark.parametrize("seeds", [range(start, start + 50) for start in range(0, 200, 50)], ids=str)
def test_without_the_axioms_of_emptiness_nothing_is_empty(seeds: range) -> None:
    for seed in seeds:
        axioms = random_ontology(seed)
        saturation, left_out = relaxed(axioms, findings(axioms))
        assert not empty_classes(saturation), seed
        assert all(states_emptiness(axioms[position]) for position in left_out), seed
        assert set(left_out) >= set(findings(axioms).disjointness)


def test_what_states_emptiness() -> None:
    assert all(map(states_emptiness, [DISJOINT, ax.SubClassOf(CAR, ax.BOTTOM), ax.SubClassOf(CAR, ax.Not(BUS))]))
    assert states_emptiness(ax.Range("urn:r", ax.BOTTOM)) and states_emptiness(ax.SubRole("urn:r", ax.BOTTOM_ROLE))
    assert states_emptiness(ax.SubClassOf(ax.And((CAR, BUS)), ax.BOTTOM))
    assert not any(map(states_emptiness, [ax.SubClassOf(CAR, BUS), ax.Transitive("urn:r"), ax.Declared(CAR)]))
    assert is_edge(ax.SubClassOf(CAR, BUS)) and not is_edge(ax.SubClassOf(CAR, ax.BOTTOM))
