"""A thing that a manifest says is a concept of the ontology: its unit beside its facts, and its facts by the concept's names."""

from dataclasses import replace

import pytest
from support import held_bases as tv
from support.asking import POLICIES, TESTER, Pressed

from loom.answer.finders.facts import FactsFinder
from loom.answer.finders.linked import LinkedFinder
from loom.answer.finders.ontology import OntologyFinder
from loom.answer.pipeline import prepare
from loom.answer.plan import Pin, Plan
from loom.core.facts.assembling import ONTOLOGY
from loom.core.facts.content import BaseContent
from loom.core.facts.linking import linked
from loom.core.facts.sealed import joined, press
from loom.core.facts.values import Entity
from loom.core.values import Concept, Question, Tier

AVENUE = Concept("urn:test:avenue", "Boulevard", "A broad street with trees.", aliases=("Planted Thoroughfare", "share"))
OTHER = tv.BASE + "entity/other"
FACT = "Maple Street, audience share, maximum: 37.50 % at second 30.0 [source: a-ratings.csv]"


def content(*, binding: bool, concept: str = AVENUE.iri) -> BaseContent:
    """The small base, whose entity is a concept; unless it is `binding`, its files tell of another thing, too."""
    made = tv.content()
    entity = replace(made.base.entities[0], concept=concept)
    sources = made.base.sources
    if not binding:
        sources = tuple(replace(one, entities=(*one.entities, OTHER)) if one.entities else one for one in sources)
    entities = (entity, Entity(OTHER, tv.BASE, "Harbour Lights", sources=entity.sources))
    return replace(made, base=replace(made.base, entities=entities, sources=sources))


async def ask(text: str, made: BaseContent, concepts: tuple[Concept, ...] = (AVENUE,)) -> Plan:
    contents = linked([made], concepts)
    ordered, found = joined(contents)
    pin = Pin(Pressed(concepts, dict(press(contents, ordered, found))))
    return await prepare(Question(text, TESTER), pin, (OntologyFinder(), FactsFinder(), LinkedFinder()), POLICIES)


def iris(plan: Plan) -> list[str]:
    return [one.evidence.iri for one in plan.block.served]


async def test_the_unit_of_a_named_thing_stands_beside_its_facts() -> None:
    plan = await ask("When did the audience share of Maple Street peak?", content(binding=False))
    assert FACT in plan.block.text
    assert iris(plan).count(AVENUE.iri) == 1 and "A broad street with trees." in plan.block.text
    assert f"Maple Street = Boulevard [source: {AVENUE.iri}]" in plan.block.text
    assert plan.decision.reason == "fact"
    outline = next(one for one in plan.block.served if one.evidence.iri == ONTOLOGY)
    assert outline.evidence.tier is Tier.STRUCTURE


async def test_an_address_keeps_the_unit_out_and_names_the_concept() -> None:
    plan = await ask("When did the audience share of Maple Street peak?", content(binding=True))
    assert FACT in plan.block.text
    assert AVENUE.iri not in iris(plan) and ONTOLOGY not in iris(plan)
    assert "Maple Street (= Boulevard)" in plan.block.text


@pytest.mark.parametrize("name", ["Boulevard", "Planted Thoroughfare"])
@pytest.mark.parametrize("binding", [True, False])
async def test_a_name_of_the_concept_leads_to_the_facts(name: str, binding: bool) -> None:
    plan = await ask(f"When did the audience share of the {name} peak?", content(binding=binding))
    assert FACT in plan.block.text
    assert "No source named" not in plan.block.text
    assert iris(plan).count(AVENUE.iri) <= 1


async def test_declared_words_stay_what_they_are() -> None:
    (made,) = linked([content(binding=True)], [AVENUE])
    assert made.base.entities[0].labels == ("Boulevard", "Planted Thoroughfare")
    assert made.base.entities[1].labels == ()


async def test_without_a_link_or_its_concept_nothing_is_added() -> None:
    for made in (content(binding=False, concept=""), content(binding=False, concept="urn:test:none")):
        plan = await ask("When did the audience share of Maple Street peak?", made)
        assert FACT in plan.block.text
        assert AVENUE.iri not in plan.block.text and ONTOLOGY not in iris(plan)
        unknown = await ask('What was the audience share of "Boulevard"?', made, ())
        assert 'No source named "Boulevard"' in unknown.block.text
