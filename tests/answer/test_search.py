import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.generations import MemoryGeneration

from loom.answer.plan import Pin
from loom.answer.search import LIMIT_MOST, TEXT_MOST, Found, narrowed, near, search
from loom.core.errors import BadInput, NotFound
from loom.core.facets import press as press_facets
from loom.core.values import Concept

KILNS = (
    Concept("urn:x:kiln", "Kiln", aliases=("Oven for clay",)),
    Concept("urn:x:tide-kiln", "Tide Kiln"),
    Concept("urn:x:kiln-shelf", "Kiln Shelf"),
    Concept("urn:x:kilnwork", "Kilnwork"),
    Concept("urn:x:limekilning", "Limekilning"),
    Concept("urn:x:salt-glaze", "Salt Glaze"),
    Concept("urn:x:web-id", "WebID"),
    Concept("urn:x:zement", "Дом у моря"),
)


def pin(*concepts: Concept) -> Pin:
    return Pin(MemoryGeneration(concepts))


def titles(text: str, limit: int = 20) -> list[str]:
    return [hit.title for hit in search(pin(*KILNS), text, limit)]


def test_closer_ways_of_matching_come_first() -> None:
    assert titles("KILN!") == ["Kiln", "Kiln Shelf", "Kilnwork", "Tide Kiln", "Limekilning"]
    assert titles("kiln", 2) == ["Kiln", "Kiln Shelf"]


@pytest.mark.parametrize(
    ("text", "title", "why"),
    [
        ("oven for clay", "Kiln", "alias exact: oven for clay"),
        ("kiln tide", "Tide Kiln", "title words: tide kiln"),
        ("salt gl", "Salt Glaze", "title beginning: salt glaze"),
        ("gla sal", "Salt Glaze", "title word beginnings: salt glaze"),
        ("laz", "Salt Glaze", "title inside: salt glaze"),
        ("what is a salt cellar?", "Salt Glaze", "title some words: salt glaze"),
        ("web id", "WebID", "slug exact: web id"),
        ("МОРЯ", "Дом у моря", "title words: дом у моря"),
    ],
)
def test_a_hit_says_why_it_is_one(text: str, title: str, why: str) -> None:
    best = search(pin(*KILNS), text)[0]
    assert (best.title, best.why) == (title, why)
    assert best.as_json() == {"iri": best.iri, "title": title, "score": best.score, "why": why}


def test_words_that_are_commands_elsewhere_are_words_here() -> None:
    there = pin(Concept("urn:x:1", 'Load "balancer"\n) DROP .* service'), Concept("urn:x:2", "Add"))
    for text in ("load", '"', "add", "drop", 'balancer"\n)', ".*", "service)"):
        if text in ('"', ".*"):
            with pytest.raises(BadInput):
                search(there, text)
        else:
            assert search(there, text)


def test_ties_end_at_the_iri() -> None:
    same = [Concept(f"urn:x:{n}", "Twin") for n in "cab"]
    assert [hit.iri for hit in search(pin(*same), "twin")] == ["urn:x:a", "urn:x:b", "urn:x:c"]
    assert [hit.iri for hit in search(pin(*same), "twin", 2)] == ["urn:x:a", "urn:x:b"]


def test_a_concept_is_found_once_however_many_names_match() -> None:
    there = pin(Concept("urn:x:kiln", "Kiln", aliases=("Kiln oven", "Big kiln")))
    assert len(search(there, "kiln")) == 1


@pytest.mark.parametrize("limit", [0, -1, LIMIT_MOST + 1])
def test_a_limit_out_of_range_is_refused(limit: int) -> None:
    with pytest.raises(BadInput, match=f"between 1 and {LIMIT_MOST}, not {limit}"):
        search(pin(*KILNS), "kiln", limit)


@pytest.mark.parametrize("text", ["", "  ", "?!", "x" * (TEXT_MOST + 1)])
def test_a_text_that_cannot_be_a_name_is_refused(text: str) -> None:
    with pytest.raises(BadInput) as refused:
        search(pin(*KILNS), text)
    assert refused.value.param == "text"


def test_an_empty_corpus_has_no_hits() -> None:
    assert search(pin(), "kiln") == []
    assert near(pin(), "kiln") == []


def test_a_misspelt_name_comes_near_the_right_one() -> None:
    assert near(pin(*KILNS), "salt glace")[0] == "urn:x:salt-glaze"
    assert near(pin(*KILNS), "???") == []


@given(st.text(min_size=1, max_size=30), st.integers(1, 8))
def test_any_text_is_a_search_or_a_clear_refusal(text: str, limit: int) -> None:
    there = pin(*KILNS, Concept("urn:x:odd", text))
    try:
        hits = search(there, text, limit)
    except BadInput:
        return
    assert hits[0].title in (text, *(concept.title for concept in KILNS))
    assert [(-hit.score, hit.iri) for hit in hits] == sorted((-hit.score, hit.iri) for hit in hits)


def test_eight_thousand_concepts_take_about_a_millisecond() -> None:
    words = "tide kiln salt glaze harbour rule ash clay slip bisque".split()
    many = pin(
        *(Concept(f"urn:x:{n:05}", f"{words[n % 10]} {words[n // 10 % 10]} {words[n // 100 % 10]} {n}") for n in range(8000))
    )
    taken = []
    for _ in range(5):
        begun = time.perf_counter()
        search(many, "salt glaze")
        taken.append(time.perf_counter() - begun)
    assert min(taken) < 0.02


OVENS = (
    Concept("urn:x:kiln", "Kiln", "An oven that hardens clay.", domain="ceramics", maturity="established"),
    Concept("urn:x:tandoor", "Tandoor", "An oven of clay for bread.", domain="cooking"),
    Concept("urn:x:clay", "Clay", "What pots are made of.", domain="ceramics"),
    Concept("urn:x:claypot", "Clay Pot", "A pot.", domain="cooking", maturity="draft"),
    Concept("urn:x:old", "Clay Oven", "Clay oven.", domain="cooking", deprecated=True),
)


def found(text: str, limit: int = 20, **filters: list[str]) -> Found:
    return narrowed(Pin(MemoryGeneration(OVENS, extra={"facets": press_facets(OVENS)})), text, limit, filters)


def test_definitions_are_looked_into_after_names() -> None:
    said = found("clay")
    assert [(hit.title, hit.why) for hit in said.hits] == [
        ("Clay", "title exact: clay"),
        ("Clay Pot", "title prefix: clay pot"),
        ("Kiln", "words of the definition"),
        ("Tandoor", "words of the definition"),
    ]
    assert [hit.score for hit in said.hits] == sorted((hit.score for hit in said.hits), reverse=True)


def test_words_of_a_definition_count_by_their_rarity() -> None:
    assert [hit.title for hit in found("oven bread").hits] == ["Tandoor"]
    assert found("bread nowhere").hits == []


def test_facets_count_every_match_and_a_filter_narrows_all_but_its_own() -> None:
    said = found("clay", 1)
    assert (len(said.hits), said.total) == (1, 4)
    assert said.facets["domain"] == [("ceramics", 2), ("cooking", 2)]
    assert said.facets["maturity"] == [("draft", 1), ("established", 1)]
    cooked = found("clay", domain=["cooking"])
    assert [hit.title for hit in cooked.hits] == ["Clay Pot", "Tandoor"]
    assert cooked.total == 2
    assert cooked.facets["domain"] == [("ceramics", 2), ("cooking", 2)]
    assert cooked.facets["maturity"] == [("draft", 1)]
    assert found("clay", domain=["cooking"], maturity=["established"]).total == 0
    assert found("clay", domain=["ceramics", "cooking"], maturity=[""]).total == 2


def test_a_generation_without_facets_is_searched_by_name_and_cannot_be_narrowed() -> None:
    without = Pin(MemoryGeneration(OVENS))
    assert [hit.title for hit in search(without, "clay")] == ["Clay", "Clay Pot"]
    with pytest.raises(NotFound, match="build it again"):
        narrowed(without, "clay", filters={"domain": ["cooking"]})
