"""The arms that compete with the scaffold: text without a graph, and the graph by its query language."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace

import pytest
from support.arms import Kitchen, by_arm, opened
from support.generations import MemoryGeneration
from support.semantics import hashed

from loom.answer.plan import Pin
from loom.core.errors import BadInput
from loom.core.sparql.errors import BadQuery
from loom.core.values import Concept, Ref
from loom.lab.arms.asking import asked_of_graph
from loom.lab.arms.chunks import LONGEST, chunks, size_for
from loom.lab.arms.flat import Flat
from loom.lab.arms.graph import graph_block, related
from loom.lab.question import LabQuestion


@pytest.fixture(scope="module")
def kitchen() -> Iterator[Kitchen]:
    with opened() as made:
        yield made


def queried(kitchen: Kitchen, prompt: str, tokens: int = 400) -> tuple[str, list[str]]:
    """The shape of a question, and the rows that are shown for it."""
    asked = asked_of_graph(kitchen.ground, prompt, frozenset())
    return asked.shape, [line for line in graph_block(kitchen.rows, asked, tokens).text.split("\n")[1:-1] if line]


@pytest.mark.parametrize(
    ("prompt", "shape", "first"),
    [
        ("What does Brioche require?", "relation", "Brioche | requires | "),
        ("What is the parent of Brioche, and what is above that?", "parent", "Brioche | subClassOf | "),
        (
            "Which ancestor do Brioche and Focaccia have in common?",
            "common ancestor",
            "Focaccia and Brioche | common ancestor | Bread",
        ),
        ("Tell me about dashi", "describe", "出汁 (Dashi) | definition | "),
        ("Please tie a bouquet", "describe", "Bouquet Garni | definition | "),
        ("Whatever gelatinises?", "describe", "Gelatinisation"),
    ],
)
def test_each_shape_has_its_template(kitchen: Kitchen, prompt: str, shape: str, first: str) -> None:
    found, lines = queried(kitchen, prompt)
    assert found == shape
    assert lines[0].startswith(first), lines[:3]
    assert len(set(lines)) == len(lines)


def test_rows_are_what_the_triples_state(kitchen: Kitchen) -> None:
    concepts = kitchen.concepts
    row = concepts.row("urn:loom:kitchen:brioche")
    assert row is not None
    stated = {
        f"Brioche | {concepts.predicates[number]} | {concepts.title(target)}"
        for number, targets in concepts.links(row).relations
        for target in targets
    }
    _, lines = queried(kitchen, "What does Brioche require?", 1500)
    assert stated <= set(lines)
    wanted = {line for line in stated if " | requires | " in line}
    assert set(lines[: len(wanted)]) == wanted


def test_a_subject_that_the_template_names_is_passed_over(kitchen: Kitchen) -> None:
    prompt = "For a stock pot, what does Brioche require?"
    named = asked_of_graph(kitchen.ground, prompt, frozenset({"urn:loom:kitchen:stockpot"}))
    assert named.subjects[0] == "urn:loom:kitchen:brioche" and "urn:loom:kitchen:stockpot" not in named.subjects


def test_names_cannot_break_out_of_a_query(kitchen: Kitchen) -> None:
    assert kitchen.rows(related('urn:x> ?p ?o } #"', ['a" ) } DROP ALL', "b\\"])) == []


@pytest.mark.parametrize("query", ["ASK { ?s ?p ?o }", "SELECT {", "CLEAR ALL"])
def test_only_selects_are_answered(kitchen: Kitchen, query: str) -> None:
    with pytest.raises(BadQuery):
        kitchen.rows(query)


SMALL = (
    Concept(
        "urn:t:wok",
        "Wok",
        definition="A round pan. It gets very hot.",
        aliases=("Kuali",),
        parents=(Ref("urn:t:pan"),),
        relations=(("usedFor", (Ref("urn:t:fry"), Ref("urn:x:steam", "Steaming"))),),
        prose="Carbon steel is common. " * 60,
    ),
    Concept("urn:t:pan", "Pan", definition="A vessel."),
    Concept("urn:t:fry", "Stir Frying", definition="Frying in motion."),
)


def test_chunks_hold_all_that_a_concept_states() -> None:
    generation = MemoryGeneration(SMALL)
    from loom.core.concepts import Concepts

    concepts = generation.part(Concepts)
    row = concepts.row("urn:t:wok")
    found = chunks(concepts, row)
    assert len(found) > 1 and all(len(chunk.text) <= LONGEST and chunk.text.startswith("Wok: ") for chunk in found)
    smaller = chunks(concepts, row, size_for(150))
    assert len(smaller) > len(found) and all(len(chunk.text) <= 4 * 150 // 2 for chunk in smaller)
    assert [word for chunk in smaller for word in chunk.text.split() if word != "Wok:"] == [
        word for chunk in found for word in chunk.text.split() if word != "Wok:"
    ]
    assert found[0].text.startswith(
        "Wok: A round pan. It gets very hot. Also called Kuali. Parent concept: Pan. Used for: Stir Frying and Steaming."
    )
    assert found[0].names == ("Wok", "Pan", "Stir Frying", "Steaming") and found[1].names == ("Wok",)
    assert sum(chunk.text.count("Carbon steel is common.") for chunk in found) == 60


def test_a_generation_without_a_text_index_has_no_flat_text(kitchen: Kitchen) -> None:
    bare = replace(kitchen.ground, pin=Pin(MemoryGeneration(SMALL), semantics=hashed(SMALL)))
    assert "text index" in str(Flat(bare).lacks("flat-bm25")) and "text index" in str(Flat(bare).lacks("flat-fused"))
    assert Flat(bare).lacks("flat-dense") is None
    dense = asyncio.run(Flat(bare).block("flat-dense", "Stir Frying in motion", 20)).text
    assert "Stir Frying" in dense


def test_flat_text_finds_the_subject(kitchen: Kitchen) -> None:
    questions = [
        LabQuestion(str(at), f"What does {name} require?") for at, name in enumerate(["Brioche", "Miso Soup", "Focaccia"])
    ]
    found = by_arm(kitchen.plan(questions, ["scaffold", "flat-bm25", "flat-dense", "flat-fused"]))
    for arm in ("flat-bm25", "flat-fused"):
        for scaffold, flat in zip(found["scaffold"], found[arm], strict=True):
            subject = scaffold.block.served[0].evidence.title
            assert flat.block.text.split("\n")[1].startswith(f"{subject}:")
            assert flat.wrapper == scaffold.wrapper
    assert {each.block.text for each in found["flat-dense"]}.isdisjoint(each.block.text for each in found["flat-bm25"])


def test_few_chunks_are_filled_up_with_what_the_best_one_finds(kitchen: Kitchen) -> None:
    block = asyncio.run(Flat(kitchen.ground).block("flat-bm25", "What does Brioche require?", 1500))
    assert 1470 <= block.tokens <= 1500
    assert len({(each.evidence.iri, each.lines) for each in block.served}) == len(block.served)


def test_a_generation_without_concepts(kitchen: Kitchen) -> None:
    class Empty:
        id, manifest = "sha256:0", {}

        def part(self, kind: object) -> None:
            return None

        def close(self) -> None:
            return None

    with pytest.raises(BadInput, match="holds concepts"):
        Flat(replace(kitchen.ground, pin=Pin(Empty())))
