"""`loom lab controls`."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.kitchen import built_in

from loom import compose
from loom.cli.main import main
from loom.core.concepts import Concepts
from loom.core.exposure import READERS
from loom.lab.files import sha256_of
from loom.lab.showing import visible


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(built_in(tmp_path_factory.mktemp("store")))


@pytest.fixture(scope="module")
def questions(store: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = str(tmp_path_factory.mktemp("questions") / "q.jsonl")
    assert main(["lab", "questions", "--out", path, "--store", store, "--per-domain", "4", "--json"]) == 0
    return path


def test_the_plan_is_what_is_measured(store: str, questions: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "plan.jsonl"
    capsys.readouterr()
    assert main(["lab", "controls", questions, "--generations", store, "--out", str(out), "--seed", "7", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    result = printed["result"]
    assert printed["seeds"] == {"controls": 7} and printed["rows_sha256"] == sha256_of(Path(questions))
    assert result["plan"] == {"file": "plan.jsonl", "sha256": sha256_of(out)}
    lines = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert len(lines) == result["questions"] * len(result["arms"])
    shares = [
        [READERS["default"](visible(line["showing"]["messages"])).names(each["title"]) for each in line["question"]["gold"]]
        for line in lines
        if line["arm"] == "scaffold"
    ]
    items = [hit for hits in shares for hit in hits]
    assert result["ceiling"]["scaffold"]["default"]["micro"] == pytest.approx(sum(items) / len(items))
    assert result["unavailable"].keys() == {"flat-dense", "flat-fused"}
    assert all(check["violations"] == 0 for check in result["checks"].values())


def test_the_table_prints_ceilings_first(store: str, questions: str, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["lab", "controls", questions, "--generations", store, "--arms", "raw, scaffold,irrelevant,flat-dense"]) == 0
    text, told = capsys.readouterr()
    assert text.index("Copy ceilings") < text.index("scaffold") < text.index("Checks")
    assert "irrelevant seed disjoint" in text and "shuffled" not in text
    assert "flat-dense cannot be had" in told


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--arms", "scaffold,sham"], "'sham'"),
        (["--arms", ","], "to list names"),
        (["--budget", "0"], "at least 1 token"),
        (["--policy", "none"], "a policy among"),
        (["--generation", "ffff"], "ffff"),
    ],
)
def test_faults_are_one_sentence(
    store: str, questions: str, more: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert main(["lab", "controls", questions, "--generations", store, *more]) == 2
    captured = capsys.readouterr()
    assert said in captured.err and captured.err.count("\n") == 1 and not captured.out


@pytest.mark.parametrize("content", [b"", b"[1]\n", b"\xff\xfe{}\n", b'{"prompt": 3}\n', b'{"prompt": "a", "gold": "x"}\n'])
def test_files_that_are_no_questions(store: str, content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "q.jsonl"
    file.write_bytes(content)
    assert main(["lab", "controls", str(file), "--generations", store]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_the_same_bytes_under_any_hash_seed(store: str, questions: str, tmp_path: Path) -> None:
    found = []
    for seed in ("0", "4242"):
        out = tmp_path / f"plan-{seed}.jsonl"
        ran = subprocess.run(
            [sys.executable, "-m", "loom", "lab", "controls", questions, "--generations", store, "--out", str(out)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        found.append((out.read_bytes(), ran.stdout))
    assert found[0][0] and found[0] == found[1]


TURTLE = """
@prefix : <http://example.org/plants#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix dct: <http://purl.org/dc/terms/> .
:part_of a owl:ObjectProperty .
:organism a owl:Class ; rdfs:label "Alive"@en .
:plant a owl:Class ; rdfs:label "Botany"@en ; rdfs:subClassOf :organism .
:tree a owl:Class ; rdfs:label "Woody Giant"@en ; rdfs:subClassOf :plant ,
  [ a owl:Restriction ; owl:onProperty :part_of ; owl:someValuesFrom :forest ] .
:oak a owl:Class ; rdfs:label "Zymurgic Oak"@en , "Aiche"@de ; rdfs:subClassOf :tree , [ a owl:Restriction ;
  owl:onProperty :part_of ; owl:someValuesFrom :forest ] ; dct:creator "Somebody" , "Somebody Else" ; dct:created "2019-12-10" .
:forest a owl:Class ; rdfs:label "Taiga Belt"@en ; rdfs:subClassOf :organism .
:moss a skos:Concept ; skos:prefLabel "Marsh Moss"@en ; skos:related :fern ; dct:contributor "Somebody" .
:fern a skos:Concept ; skos:prefLabel "Wet Fern"@en , "Afarn"@de ; skos:broader :green .
:green a skos:Concept ; skos:prefLabel "Yellow Green"@en ; skos:broader :colour .
:colour a skos:Concept ; skos:prefLabel "Any Colour"@en .
"""


@pytest.mark.parametrize(
    ("prompt", "first"),
    [
        ("What is the parent of Zymurgic Oak, and which ancestors are above that?", "Zymurgic Oak | subClassOf | Woody Giant"),
        ("What is the parent of Wet Fern, and which ancestors are above that?", "Wet Fern | broader | Yellow Green"),
        ("What are Zymurgic Oak and Woody Giant both kinds of?", "Zymurgic Oak and Woody Giant | common ancestor | Botany"),
        ("What is Marsh Moss related to?", "Marsh Moss | related | Wet Fern"),
        ("What is Zymurgic Oak part of?", "Zymurgic Oak | part_of | Taiga Belt"),
    ],
)
def test_a_query_answers_first_in_the_names_that_the_corpus_shows(prompt: str, first: str, tmp_path: Path) -> None:
    (tmp_path / "plants.ttl").write_text(TURTLE, "utf-8")
    store, asked, out = str(tmp_path / "store"), tmp_path / "q.jsonl", tmp_path / "plan.jsonl"
    assert main(["build", str(tmp_path / "plants.ttl"), "--out", store, "--quiet"]) == 0
    asked.write_text(json.dumps({"id": "1", "prompt": prompt, "gold": []}) + "\n", "utf-8")
    assert main(["lab", "controls", str(asked), "--store", store, "--arms", "graph-query", "--out", str(out), "--json"]) == 0
    rows = json.loads(out.read_text("utf-8"))["showing"]["block"].split("\n")[1:-1]
    assert rows[0] == first, rows
    assert not any("Somebody" in row or "Aiche" in row or "urn:loom" in row for row in rows[:2])
    assert len(rows) == len(set(rows))


def test_the_plan_tells_the_seeds_by_which_donors_were_chosen(store: str, questions: str, tmp_path: Path) -> None:
    out = tmp_path / "plan.jsonl"
    arms = "true,irrelevant,answer-disjoint"
    assert main(["lab", "controls", questions, "--generations", store, "--arms", arms, "--out", str(out), "--json"]) == 0
    lines = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    seeds = {line["id"]: set(line["seeds"]) for line in lines}
    lent = [line for line in lines if line["showing"]["donor"]]
    assert lent and all(seeds[line["id"]].isdisjoint(seeds[line["showing"]["donor"]]) for line in lent)
    shown = [line for line in lines if line["arm"] == "true"]
    assert all({unit["iri"] for unit in line["showing"]["units"]} <= seeds[line["id"]] for line in shown)


@pytest.mark.parametrize("budget", ["60", "1500"])
def test_masking_leaves_no_name_of_a_seed_even_where_the_block_had_no_room_for_it(
    budget: str, store: str, tmp_path: Path
) -> None:
    asked, out = tmp_path / "q.jsonl", tmp_path / "plan.jsonl"
    prompts = [
        "What is the parent of Amino Acid?",
        "What does Protein Denaturation enable?",
        "What does Velouté Sauce require?",
    ]
    asked.write_text("".join(json.dumps({"id": str(at), "prompt": each}) + "\n" for at, each in enumerate(prompts)), "utf-8")
    line = ["lab", "controls", str(asked), "--store", store, "--arms", "true,masked", "--budget", budget, "--out", str(out)]
    assert main([*line, "--json"]) == 0
    with compose.opened(store, None) as (_, pin):
        concepts = pin.generation.part(Concepts)
        assert concepts is not None
        names = {
            concepts.iri(row): [concepts.title(row), *concepts.record(row).get("aliases", ())] for row in range(concepts.count)
        }
    masked = [line for line in map(json.loads, out.read_text("utf-8").splitlines()) if line["arm"] == "masked"]
    assert masked and all(line["status"] == "planned" for line in masked)
    for line in masked:
        said = READERS["default"](line["showing"]["block"])
        assert not [name for iri in line["seeds"] for name in names[iri] if said.holds(name)]
