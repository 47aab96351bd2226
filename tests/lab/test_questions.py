"""Question sets: what is asked, what is gold, what is left out, and that the live path grounds them."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import real
from support.kitchen import built_in, kitchen
from support.sources import ROOT

from loom import compose
from loom.cli.lab.planning import ground
from loom.cli.main import main
from loom.core.concepts import Concepts
from loom.core.errors import BadInput
from loom.core.exposure import READERS
from loom.core.text import slug_of
from loom.lab.ground import Ground
from loom.lab.question import read, write
from loom.lab.questions import TEMPLATES, checked, generate
from loom.lab.questions.wording import relation_question


@pytest.fixture(scope="module")
def vault() -> Iterator[Ground]:
    with kitchen() as (node, pin):
        yield ground(node, pin)


def concepts(vault: Ground) -> Concepts:
    part = vault.pin.generation.part(Concepts)
    assert part is not None
    return part


@pytest.fixture(scope="module")
def terms(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ground]:
    """An ontology in Turtle and RDF/XML whose concepts mostly state no domain, no quality and no definition."""
    folder = tmp_path_factory.mktemp("terms")
    sources = [str(path) for path in sorted((ROOT / "fixtures" / "ontology").iterdir())]
    assert main(["build", *sources, "--out", str(folder), "--quiet"]) == 0
    with compose.opened(folder) as (node, pin):
        yield ground(node, pin)


def test_the_defaults_make_a_useful_set_of_a_small_vault(vault: Ground) -> None:
    made = generate(concepts(vault))
    assert len(made.questions) >= 100
    assert {name: made.count(name) >= 20 for name in TEMPLATES} == dict.fromkeys(TEMPLATES, True)
    assert len(made.domains) == 7
    assert len({each.id for each in made.questions}) == len({each.prompt for each in made.questions}) == len(made.questions)


def test_the_live_path_grounds_every_question_and_shows_its_gold(vault: Ground) -> None:
    check = asyncio.run(checked(vault, generate(concepts(vault)).questions))
    assert (check.engaged, check.bare, check.unexposed, check.exposed) == (check.asked, (), (), 1.0)


def test_gold_is_what_the_generation_states(vault: Ground) -> None:
    part = concepts(vault)
    for question in generate(part).questions:
        row = part.row(f"urn:loom:kitchen:{question.class_slugs[0]}")
        assert row is not None
        links = part.links(row)
        found = {target.iri for target in question.gold}
        if question.template == "T-REL":
            name = question.key.rsplit(":", 1)[1]
            stated = next(rows for number, rows in links.relations if part.predicates[number] == name)
            assert found <= {part.iri(each) for each in stated}
            assert 1 <= len(found) <= 5
        elif question.template == "T-TAX":
            assert found <= {part.iri(each) for each in links.parents}
            assert {target.iri for target in question.gold_extra} <= {part.iri(each) for each in links.ancestors} - found
        else:
            other = part.row(f"urn:loom:kitchen:{question.class_slugs[1]}")
            assert other is not None
            for each in (links, part.links(other)):
                assert found <= {part.iri(up) for up in (*each.parents, *each.ancestors)}
        assert question.gold_type == ("any" if question.template == "T-COMMON" else "all")
        assert all(target.slug == slug_of(target.iri) for target in question.gold)


@pytest.mark.parametrize("matcher", sorted(READERS))
def test_no_question_gives_its_gold_away_and_no_gold_another(vault: Ground, matcher: str) -> None:
    for question in generate(concepts(vault)).questions:
        assert not any(READERS[matcher](question.prompt).names(title) for title in question.titles)
        if question.gold_type == "all":
            for title in question.titles:
                assert not any(READERS[matcher](other).names(title) for other in question.titles if other != title)


def test_the_wording_names_no_concept_of_the_corpus(vault: Ground) -> None:
    part = concepts(vault)
    for question in generate(part).questions:
        rest = question.prompt.lower()
        for slug in question.class_slugs:
            row = part.row(f"urn:loom:kitchen:{slug}")
            assert row is not None
            assert part.title(row).lower() in rest
            rest = rest.replace(part.title(row).lower(), "")
        assert not [part.title(row) for row in range(part.count) if READERS["default"](rest).holds(part.title(row))]


def test_two_concepts_of_one_name_are_not_asked_about_and_are_counted(vault: Ground) -> None:
    made = generate(concepts(vault), per_domain=100)
    assert made.left_out["another concept has the name"] == 2
    assert "Stock" not in {question.prompt for question in made.questions}


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 1000), size=st.integers(1, 20))
def test_a_larger_sample_holds_the_smaller_one(vault: Ground, seed: int, size: int) -> None:
    wanted = ("T-REL", "T-TAX")
    small = generate(concepts(vault), seed=seed, per_domain=size, templates=wanted)
    large = generate(concepts(vault), seed=seed, per_domain=size + 1, templates=wanted)
    assert {each.id: each for each in small.questions}.items() <= {each.id: each for each in large.questions}.items()


def test_a_set_of_one_template_is_a_part_of_the_set_of_all(vault: Ground) -> None:
    whole = generate(concepts(vault)).questions
    for name in TEMPLATES:
        alone = generate(concepts(vault), templates=[name]).questions
        assert alone == tuple(each for each in whole if each.template == name)


def test_another_seed_draws_others(vault: Ground) -> None:
    assert generate(concepts(vault), seed=1).questions != generate(concepts(vault), seed=2).questions


def test_what_is_written_reads_back(vault: Ground, tmp_path: Path) -> None:
    made = generate(concepts(vault), set="kitchen")
    write(tmp_path / "q.jsonl", made.questions)
    assert read(tmp_path / "q.jsonl") == made.questions
    assert {each.set for each in made.questions} == {"kitchen"}


def test_an_ontology_without_domains_has_questions_too(terms: Ground) -> None:
    made = generate(concepts(terms))
    assert made.count("T-TAX") >= 8
    check = asyncio.run(checked(terms, made.questions))
    assert check.engaged == check.asked
    assert not any("deprecated" in each.key or "obsolete" in each.key for each in made.questions)
    assert made.left_out["deprecated"] == 2


def test_a_relation_may_be_asked_for_by_name(terms: Ground) -> None:
    made = generate(concepts(terms), relations=["raised by"], templates=["T-REL"], per_domain=50, min_domain=1)
    assert made.relations == ("raised by",)
    assert {each.prompt.split(" raised by")[1] for each in made.questions} == {"?"}
    with pytest.raises(BadInput, match=r"Expected a relation among .*, but got 'cooks'"):
        generate(concepts(terms), relations=["cooks"])


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("requires", "What does Ale require?"),
        ("hasPart", "What is Ale made up of?"),
        ("hasTopping", "Which topping does Ale have?"),
        ("is format of", "What is Ale format of?"),
        ("derives_from", "What does Ale derive from?"),
        ("raised by", "What is Ale raised by?"),
        ("overlaps", "What does Ale overlap?"),
        ("bridgesTo", "What does Ale bridge to?"),
        ("exactMatch", "What is the exact match of Ale?"),
        ("carries", "What does Ale carry?"),
        ("→", "What does Ale lead to by →?"),
    ],
)
def test_a_relation_is_asked_for_in_the_words_of_its_name(name: str, question: str) -> None:
    assert relation_question(name, "Ale") == question


@pytest.mark.parametrize(
    "wrong",
    [{"per_domain": 0}, {"fewest": 3, "most": 2}, {"templates": ["T-ALL"]}, {"templates": []}, {"min_quality": float("nan")}],
)
def test_settings_that_make_no_sense_are_refused(vault: Ground, wrong: dict[str, object]) -> None:
    with pytest.raises(BadInput, match="Expected"):
        generate(concepts(vault), **wrong)  # type: ignore[arg-type]


def test_the_file_is_the_same_under_any_hash_seed(tmp_path: Path) -> None:
    store = str(built_in(tmp_path / "store"))
    for seed in ("0", "1"):
        command = [sys.executable, "-m", "loom", "lab", "questions", "--out", str(tmp_path / seed), "--store", store]
        subprocess.run(command, check=True, capture_output=True, env={**os.environ, "PYTHONHASHSEED": seed})
    assert (tmp_path / "0").read_bytes() == (tmp_path / "1").read_bytes()


def test_the_real_corpus_gives_hundreds(tmp_path: Path) -> None:
    pin = real.pin()
    part = pin.generation.part(Concepts)
    assert part is not None
    made = generate(part)
    assert len(made.questions) >= 400
    assert len(made.domains) >= 15
    with compose.opened(real.store()) as (node, opened):
        check = asyncio.run(checked(ground(node, opened), made.questions))
    assert check.engaged / check.asked >= 0.98
    assert check.exposed is not None
    assert check.exposed >= 0.95
