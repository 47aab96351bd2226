"""The finder of concepts: addresses with reasons, how far they are to be trusted, and which of them are worth a place."""

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.asking import POLICIES, TESTER, pinned, plan
from support.worked import CLASSES

from loom.answer.finders.ontology import OntologyFinder
from loom.core.values import Candidate, Concept, Finding, Options, Question

PIN = pinned(
    *CLASSES,
    Concept("https://example.org/terms#stock-pot", "Stock Pot"),
    *(Concept(f"urn:c:{at}", f"Stock {at}") for at in range(6)),
)


def found(text: str, policy: str = "default", finder: OntologyFinder | None = None, **options: Any) -> Finding:
    question = Question(text, TESTER, options=Options(**options))
    return asyncio.run((finder or OntologyFinder()).find(question, PIN, POLICIES[policy]))


def test_candidates_are_addresses_with_a_reason_and_no_text() -> None:
    finding = found("How does a tide kiln work?", "reference")
    assert finding.candidates == (
        Candidate("urn:ngm:class:tide-kiln", 18.0, "lexical", "name", "urn:ngm:class:"),
        Candidate("urn:ngm:class:kiln", 10.0, "lexical", "name", "urn:ngm:class:"),
    )
    assert (finding.named, finding.reason, finding.confidence) == (True, "exact", None)


def test_the_home_of_an_address_is_its_namespace() -> None:
    assert found("a stock pot").candidates[0].home == "https://example.org/terms#"


@pytest.mark.parametrize("policy", ["default", "reference"])
@pytest.mark.parametrize("text", ["", "bread", "?!", "what is it"])
def test_nothing_is_found_in_words_that_name_nothing(text: str, policy: str) -> None:
    finding = found(text, policy)
    assert (finding.candidates, finding.named, finding.reason) == ((), False, "off_topic")


def test_names_and_most_of_a_title_are_trusted_more_than_not() -> None:
    several, one, part = (found(text).confidence for text in ("tide kiln", "kiln", "rule of the harbour"))
    assert several is not None and one is not None and part is not None
    assert min(several, one, part) > 0.5 and max(several, one, part) <= 1.0


def test_half_of_a_title_is_somebody_elses_word() -> None:
    titles = ("Best Practice", "World Model", "Bode Plot", "Dry Heat Cooking", "Cooking Oil", "Model Plane", "Heat Plot")
    pin = pinned(*[Concept(f"urn:x:{at}", title) for at, title in enumerate(titles)])
    for text in ("best time to visit Japan", "who won the world cup", "plot of Hamlet"):
        silent = plan(pin, text)
        assert (silent.decision.engaged, silent.block.text) == (False, ""), text
    assert plan(pin, "how long does dry heat take").decision.engaged


@given(st.lists(st.sampled_from("tide kiln salt glaze rule harbour stock pot 1 2 bread the".split()), max_size=9).map(" ".join))
def test_confidence_is_a_share_and_candidates_are_in_order(text: str) -> None:
    finding = found(text)
    if finding.candidates:
        assert finding.confidence is not None and 0.0 <= finding.confidence <= 1.0
        scores = [candidate.score for candidate in finding.candidates]
        assert len(scores) == len(set(candidate.iri for candidate in finding.candidates)) <= 8
        assert not finding.named or finding.candidates[0].why != "words"


def test_what_is_far_weaker_than_the_best_is_left_out_unless_it_is_named() -> None:
    assert [candidate.iri for candidate in found("a stock pot").candidates] == ["https://example.org/terms#stock-pot"]
    assert len(found("a stock pot, stock 1 and stock 2").candidates) == 3


def test_how_many_units_is_the_nodes_setting_and_the_questions_option() -> None:
    text = "stock 1, stock 2, stock 3, stock 4, stock 5"
    assert len(found(text).candidates) == 4
    assert len(found(text, finder=OntologyFinder(max_units=2)).candidates) == 2
    assert len(found(text, finder=OntologyFinder(max_units=2), max_units=5).candidates) == 5
    assert found(text, max_units=0).candidates == ()


def test_an_address_that_the_generation_does_not_have_is_minted_to_nothing() -> None:
    candidates = (Candidate("urn:c:gone", 20.0, "lexical"), *found("kiln").candidates)
    minted = asyncio.run(OntologyFinder().mint(Question("kiln", TESTER), PIN, POLICIES["default"], candidates))
    assert [evidence.title for evidence in minted] == ["Kiln"]


def test_hops_and_prose_are_the_nodes_settings_and_the_questions_options() -> None:
    def text(finder: OntologyFinder, **options: Any) -> str:
        return plan(PIN, "tide kiln", finders=(finder,), **options).block.text

    assert "- Salt Glaze: " in text(OntologyFinder()) and "- Salt Glaze: " not in text(OntologyFinder(hops=0))
    assert "- Salt Glaze: " in text(OntologyFinder(hops=0), hops=1)
