"""Facts of knowledge bases along the one path: found, decided on, shown, accounted for; nothing where a generation has no base."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from support import held_bases as tv
from support.asking import POLICIES, TESTER, Pressed
from support.worked import CLASSES

from loom.answer.finders.facts import FactsFinder
from loom.answer.finders.ontology import OntologyFinder
from loom.answer.pipeline import prepare
from loom.answer.plan import Finder, Pin, Plan
from loom.answer.watches.facts import FactsWatch
from loom.core.errors import BudgetError
from loom.core.facts.content import BaseContent
from loom.core.facts.memory_held import MemoryHeld
from loom.core.facts.part_bases import BasesPart
from loom.core.facts.placing import Placed
from loom.core.facts.sealed import joined, press
from loom.core.facts.values import Span
from loom.core.policy.gate import NO_PART
from loom.core.values import Concept, Options, Outcome, Question, Tier, Turn

PEAK = "When did the audience share of Maple Street peak?"
FACT = "Maple Street, audience share, maximum: 37.50 % at second 30.0 [source: a-ratings.csv]"
SILENT = Outcome("answered", "")
CONCEPTS = (*CLASSES, Concept("urn:test:maple", "Maple", "A tree."), Concept("urn:test:share", "Share", "A part of a whole."))


def pin(*, bases: bool = True, concepts: Sequence[Concept] = CONCEPTS) -> Pin:
    contents = [tv.content()]
    ordered, found = joined(contents)
    return Pin(Pressed(concepts, dict(press(contents, ordered, found)) if bases else None))


async def ask(
    text: str,
    *,
    finders: Sequence[Finder] | None = None,
    at: Pin | None = None,
    before: tuple[Turn, ...] = (),
    **options: object,
) -> Plan:
    question = Question(text, TESTER, options=Options(**options), before=before)  # type: ignore[arg-type]
    return await prepare(question, at or pin(), finders or (OntologyFinder(), FactsFinder()), POLICIES)


async def test_a_named_fact_is_shown_to_the_letter_and_first() -> None:
    plan = await ask(PEAK)
    assert plan.decision.engaged
    assert (plan.decision.reason, plan.decision.confidence, plan.decision.path) == ("fact", 1.0, "address")
    assert FACT in plan.block.text.splitlines()
    tiers = [served.evidence.tier for served in plan.block.served]
    assert tiers == sorted(tiers)
    assert all(served.evidence.must for served in plan.block.served if served.evidence.tier is Tier.COMPUTED)


async def test_an_address_keeps_units_of_the_ontology_out() -> None:
    """R11: with only the ontology the concepts are shown; under the address nothing that is discovered elsewhere is."""
    beside = await ask("Tell me about the Maple and the audience share of Maple Street", finders=(OntologyFinder(),))
    assert any(served.evidence.iri.startswith("urn:test:") for served in beside.block.served)
    plan = await ask("Tell me about the Maple and the audience share of Maple Street")
    assert plan.decision.only is not None
    assert not [served for served in plan.block.served if served.evidence.iri.startswith("urn:test:")]


@pytest.mark.parametrize("policy", ["default", "reference"])
@pytest.mark.parametrize("concept", CLASSES[:2], ids=lambda concept: concept.iri)
async def test_nothing_addressed_leaves_the_block_as_it_is_without_bases(concept: Concept, policy: str) -> None:
    """R20."""
    text = f"What is {concept.title}?"
    alone = await ask(text, finders=(OntologyFinder(),), policy=policy)
    beside = await ask(text, policy=policy)
    assert alone.block == beside.block
    assert alone.decision == beside.decision
    without = await ask(text, at=pin(bases=False), policy=policy)
    assert without.block == alone.block
    assert without.decision == alone.decision


async def test_a_generation_without_bases_has_no_say_in_why_nothing_is_shown() -> None:
    class Broken(OntologyFinder):
        async def find(self, *_: object) -> None:  # type: ignore[override]
            raise RuntimeError("gone")

    at = pin(bases=False)
    finding = await FactsFinder().find(Question(PEAK, TESTER), at, POLICIES["default"])
    assert (finding.candidates, finding.reason) == ((), NO_PART)
    plan = await ask(PEAK, finders=(Broken(), FactsFinder()), at=at)
    assert plan.decision.reason == "error"
    assert (await ask("zzz qqq", at=at)).decision.reason == "off_topic"


async def test_what_must_be_shown_is_shown_or_refused() -> None:
    with pytest.raises(BudgetError):
        await ask(PEAK, budget=20)
    plan = await ask(PEAK, budget=120)
    assert FACT in plan.block.text.splitlines()
    assert not [served for served in plan.block.served if served.evidence.tier is Tier.STRUCTURE]


async def test_an_absent_name_is_answered_by_a_note_alone() -> None:
    plan = await ask('When did the audience share of "Copper Lane" peak?')
    assert plan.decision.engaged
    assert "Copper Lane" in plan.block.text
    assert "37.50" not in plan.block.text
    assert {served.evidence.tier for served in plan.block.served} == {Tier.COMPUTED}


async def test_the_account_says_route_and_addresses_only_where_facts_took_part() -> None:
    plan = await ask(PEAK)
    account = FactsWatch(plan).report(SILENT)
    assert account is not None
    assert account["route"] == {"bases": [{"iri": tv.BASE, "score": 1.0}], "committed": True}
    assert {"iri": tv.PEAK, "why": "fact"} in account["addresses"]
    assert FactsWatch(await ask(f"What is {CLASSES[0].title}?")).report(SILENT) is None
    assert FactsWatch(await ask(PEAK, at=pin(bases=False))).report(SILENT) is None


async def test_a_follow_up_is_given_the_sources_that_its_own_conversation_cited() -> None:
    """R16: two conversations with the same last message are told apart by what was cited in them."""
    at, finders = pin(), (OntologyFinder(), FactsFinder())

    def before(name: str) -> tuple[Turn, ...]:
        return (Turn("user", "Tell me something."), Turn("assistant", f"It was high. [source: {name}]"))

    follow = "And when did it peak there in audience share?"
    first = await ask(follow, at=at, finders=finders, before=before("a-ratings.csv"))
    other = await ask(follow, at=at, finders=finders, before=before("packages.csv"))
    assert FACT in first.block.text
    assert FACT not in other.block.text
    self_contained = [await ask(PEAK, at=at, finders=finders, before=turns) for turns in ((), before("packages.csv"))]
    assert self_contained[0].block == self_contained[1].block


async def test_without_addressing_no_name_counts() -> None:
    plan = await ask(PEAK, finders=(FactsFinder(addressing=False),))
    assert not plan.decision.engaged or not plan.decision.only
    assert not [served for served in plan.block.served if served.evidence.tier is Tier.COMPUTED and FACT in served.lines]


async def test_only_what_was_admitted_is_minted() -> None:
    at, finder, question = pin(), FactsFinder(), Question(PEAK, TESTER)
    finding = await finder.find(question, at, POLICIES["default"])
    left = [each for each in finding.candidates if each.iri != tv.PEAK]
    shown = [line for each in await finder.mint(question, at, POLICIES["default"], left) for line in each.lines]
    assert FACT not in shown
    assert any("minimum: 19.20 %" in line for line in shown)
    foreign = [replace(each, retriever="lexical") for each in finding.candidates]
    assert await finder.mint(question, at, POLICIES["default"], foreign) == ()


async def test_bases_in_memory_give_the_same_as_sealed_ones() -> None:
    held = MemoryHeld([tv.base()], tv.facts(), tv.spans(), tv.readings(), tv.rows())
    in_memory = await ask(PEAK, finders=(FactsFinder(bases=lambda _: held),))
    assert in_memory.block == (await ask(PEAK, finders=(FactsFinder(),))).block


async def test_bases_are_opened_before_a_question_comes() -> None:
    at, finder = pin(), FactsFinder()
    part = at.generation.part(BasesPart)
    assert part is not None and part.held is None
    finder.warm(at)
    assert part.held is not None
    assert (await ask(PEAK, finders=(finder,), at=at)).block == (await ask(PEAK, finders=(FactsFinder(),))).block
    finder.warm(pin(bases=False))


def test_bases_that_cannot_be_opened_are_told_by_warming() -> None:
    parts = dict(press(*_pressed()))
    del parts["facts"]["marks.npy"]
    with pytest.raises(KeyError):
        FactsFinder().warm(Pin(Pressed(CONCEPTS, parts)))


def _pressed() -> tuple[list[BaseContent], Sequence[Span], Sequence[Placed]]:
    contents = [tv.content()]
    return contents, *joined(contents)


@pytest.mark.parametrize(
    "text",
    [
        'What is the share of "tide kiln"?',
        'What is the share of "TIDE KILN"?',
        "What is the share of “The Tide Kiln”?",
        "What is the share of the Tide Kiln?",
        "What is the share of the programme the tide kiln?",
        "What is 'tide-kiln'?",
    ],
)
async def test_a_name_of_the_ontology_is_nobodys_absence_and_gets_no_value_of_a_base(text: str) -> None:
    """R15: quoted, in any case, with an article."""
    plan = await ask(text)
    assert "No source named" not in plan.block.text
    assert "37.50" not in plan.block.text
    assert any(served.evidence.iri == "urn:ngm:class:tide-kiln" for served in plan.block.served)
