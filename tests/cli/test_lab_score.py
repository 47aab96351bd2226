"""`loom lab ceiling`, `score`, `decompose`, `omitted` and `census`, through the command's own door."""

import gzip
import json
import os
import threading
from collections.abc import Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from support import real
from support.embedding_server import embedding_server
from support.kitchen import VAULT
from support.scoring import made, name

from loom.cli.main import main
from loom.lab.row import write_rows

A, B, C = (name(0, item) for item in range(3))


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main(["lab", *map(str, words)])
    said = capsys.readouterr()
    return code, said.out, said.err


def result(capsys: pytest.CaptureFixture[str], *words: object) -> dict[str, Any]:
    code, out, err = run(capsys, *words, "--json")
    assert code == 0, err
    found = json.loads(out)
    assert set(found) == {"command", "version", "generation", "seeds", "rows_sha256", "result"}
    said: dict[str, Any] = found["result"]
    return said


def lines(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def generations(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kitchen")
    assert main(["build", str(VAULT), "--out", str(folder), "--quiet"]) == 0
    return folder


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    return lines(
        tmp_path / "questions.jsonl",
        [
            {
                "id": "k1",
                "prompt": "What does an emulsion require?",
                "gold": ["Emulsifier", "Oil", "Nitrogen"],
                "template": "T-REL",
            },
            {"id": "k2", "prompt": "What is umami?", "gold": [{"title": "Taste"}, {"title": "Nitrogen"}], "gold_type": "any"},
            {"id": "k3", "prompt": "What is an oven?"},
        ],
    )


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    write_rows(
        path,
        [
            made(f"q{at}", [A, B, C], [A, B] if arm == "scaffold" else [], said, arm=arm, model=model, domain=f"d{at % 3}")
            for at in range(6)
            for arm, said in (("raw", [C]), ("scaffold", [A]))
            for model in ("one", "two")
        ],
    )
    return path


def test_the_ceiling_of_a_generation(
    capsys: pytest.CaptureFixture[str], generations: Path, questions: Path, tmp_path: Path
) -> None:
    out = tmp_path / "items.jsonl"
    found = result(capsys, "ceiling", questions, "--store", generations, "--out", out)
    items = {item["id"]: item for item in found["items"]}
    assert (items["k1"]["n_gold"], items["k1"]["exposed"], items["k1"]["hidden"]) == (3, 2, ["Nitrogen"])
    assert (items["k2"]["ceiling"], items["k2"]["symmetric"]) == (0.5, 1.0)
    assert found["without_gold"] == ["k3"]
    assert (found["macro"], found["symmetric"], found["micro"]) == (pytest.approx(7 / 12), pytest.approx(5 / 6), 0.6)
    assert found["invariant"]["holds"] and found["invariant"]["reference"]["partly_exposed_any_cases"] == ["k2"]
    assert [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()] == found["items"]


def test_the_ceiling_as_a_table_and_as_csv(
    capsys: pytest.CaptureFixture[str], generations: Path, questions: Path, tmp_path: Path
) -> None:
    out = tmp_path / "items.csv"
    code, said, _ = run(capsys, "ceiling", questions, "--store", generations, "--policy", "reference", "--out", out)
    assert code == 0 and "policy reference, wrapper bare" in said and "matcher reference" in said and "invariant holds" in said
    assert out.read_text(encoding="utf-8").splitlines()[0].startswith("id,template,domain,gold_type,n_gold,exposed,ceiling")


def test_own_contexts_need_no_generation(capsys: pytest.CaptureFixture[str], questions: Path, tmp_path: Path) -> None:
    contexts = lines(
        tmp_path / "contexts.jsonl",
        [{"id": "k1", "context": ["Emulsifier.", "Nitrogen."]}, {"id": "k2", "context": ""}, {"id": "k3", "context": ""}],
    )
    found = result(capsys, "ceiling", questions, "--contexts", contexts)
    assert [item["exposed"] for item in found["items"]] == [2, 0]
    lines(contexts, [{"id": "k1", "context": "x"}])
    code, _, err = run(capsys, "ceiling", questions, "--contexts", contexts)
    assert code == 2 and "'k2' has none" in err


@pytest.mark.data
def test_the_handed_column_is_what_the_reference_policy_gives(capsys: pytest.CaptureFixture[str]) -> None:
    handed = {case["id"]: case for case in real.lines("questions.jsonl")}
    for flags in (["--policy", "reference"], ["--policy", "reference", "--matcher", "reference"]):
        found = result(capsys, "ceiling", real.real("questions.jsonl"), "--store", real.store(), *flags)
        items = {item["id"]: item for item in found["items"]}
        assert set(items) == set(handed) and found["invariant"]["holds"]
        told = {id: (round(item["ceiling"], 4), item["exposed"], item["tokens"]) for id, item in items.items()}
        assert told == {id: (round(c["v1_ceiling"], 4), c["v1_exposed"], c["v1_tokens"]) for id, c in handed.items()}


def test_rows_are_decomposed_under_both_matchers(capsys: pytest.CaptureFixture[str], rows: Path) -> None:
    found = result(capsys, "decompose", rows, "--resamples", 100)
    pooled = {each["arm"]: each for each in found["pooled"]}
    assert pooled["scaffold"]["counts"] == {"n11": 12, "n10": 12, "n01": 0, "n00": 12}
    assert pooled["raw"]["counts"] == {"n11": 0, "n10": 0, "n01": 12, "n00": 24}
    assert pooled["scaffold"]["gain"]["symmetric"]["mean"] == pytest.approx(-1 / 3)
    assert (found["matcher"], found["beside"]["matcher"]) == ("default", "reference")
    assert len(found["cells"]) == 4 and len(found["domains"]) == 6
    assert found["invariant"] | {"holds": True} == found["invariant"] and found["invariant"]["checked"] == 12


def test_processes_score_as_one_does(capsys: pytest.CaptureFixture[str], rows: Path) -> None:
    one = result(capsys, "decompose", rows, "--resamples", 50)
    assert result(capsys, "decompose", rows, "--resamples", 50, "--workers", 2) == one


def test_ray_scores_as_one_process_does_or_says_what_to_install(capsys: pytest.CaptureFixture[str], rows: Path) -> None:
    if find_spec("ray") is None:
        code, _, err = run(capsys, "score", rows, "--ray")
        assert code == 2 and "pip install 'loom-node[ray]'" in err
    else:
        assert result(capsys, "score", rows, "--ray") == result(capsys, "score", rows)


def test_scores_are_written_as_csv_for_the_statistics(capsys: pytest.CaptureFixture[str], rows: Path, tmp_path: Path) -> None:
    out = tmp_path / "scores.csv"
    found = result(capsys, "score", rows, "--out", out)
    assert found["rows"] == 24 and set(found["matchers"]) == {"default", "reference"}
    told = out.read_text(encoding="utf-8").splitlines()
    assert told[0] == "set,id,arm,score,model,question,template,domain" and len(told) == 25
    assert told[1].startswith(",q0 one,raw,0.333")
    stated = result(capsys, "stats", "paired", out, "--a", "scaffold", "--b", "raw", "--cluster", "question")
    assert (stated["pooled"]["n"], stated["pooled"]["mean"]) == (12, 0.0)


def test_a_table_of_scores_says_what_it_means(capsys: pytest.CaptureFixture[str], rows: Path) -> None:
    for command in ("score", "decompose"):
        code, said, _ = run(capsys, command, rows, "--matcher", "reference")
        assert code == 0 and "matcher reference" in said and "scaffold · one" in said and "invariant holds" in said


def test_titles_of_a_generation_are_counted_where_they_are_asked_for(
    capsys: pytest.CaptureFixture[str], generations: Path, tmp_path: Path
) -> None:
    rows = tmp_path / "rows.jsonl"
    write_rows(rows, [made("k1", ["Emulsifier"], ["Emulsifier"], "An emulsifier, mayonnaise and vinaigrette.")])
    cells = {
        flags: result(capsys, "score", rows, *flags)["matchers"]["default"]["cells"][0]
        for flags in ((), ("--titles", "--store", str(generations)))
    }
    assert [cell["names_per_answer"] for cell in cells.values()] == [1.0, 3.0]
    assert [round(cell["precision"], 3) for cell in cells.values()] == [1.0, 0.333]


def test_bare_against_grounded_on_what_was_not_shown(capsys: pytest.CaptureFixture[str], rows: Path, tmp_path: Path) -> None:
    out = tmp_path / "hits.jsonl"
    found = result(capsys, "omitted", rows, "--out", out)
    assert found["pooled"] == {
        "items": 12,
        "bare": 12,
        "grounded": 0,
        "questions": 12,
        "bare_share": 1.0,
        "grounded_share": 0.0,
    }
    hits = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert len(hits) == 12 and hits[0]["title"] == C and hits[0]["answer"] == C and hits[0]["arm"] == "raw"
    code, said, _ = run(capsys, "omitted", rows)
    assert code == 0 and "pooled" in said
    code, _, err = run(capsys, "omitted", rows, "--bare", "none")
    assert code == 2 and "(raw, scaffold), but got 'none'" in err


def test_the_census(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    write_rows(rows, [made("q", ["GraphQL", "Kiln"], ["GraphQL", "Kiln"], "Graph QL.", prompt="Which kiln?")])
    arm = result(capsys, "census", rows, "--matcher", "reference")["arms"]["scaffold"]
    assert arm["spaced_expansion"]["n10"] == 1 and arm["named_in_question"]["omitted"] == 1
    code, said, _ = run(capsys, "census", rows, "--matcher", "reference")
    assert code == 0 and "GraphQL 0/1" in said


def test_the_semantic_score_by_a_server(capsys: pytest.CaptureFixture[str], rows: Path) -> None:
    with embedding_server() as server:
        flags = ("--semantic", "--embed-url", server.url, "--embed-model", "m", "--thresholds", "0.85")
        found = result(capsys, "score", rows, *flags)
    pooled = {each["arm"]: each["counts"] for each in found["thresholds"]["0.85"]["pooled"]}
    assert pooled["scaffold"] == {"n11": 12, "n10": 12, "n01": 0, "n00": 12}


def test_the_semantic_score_by_what_is_attached(capsys: pytest.CaptureFixture[str], generations: Path, tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    write_rows(rows, [made("k1", ["Emulsifier"], ["Emulsifier"], "An emulsifier.")])
    code, _, err = run(capsys, "score", rows, "--semantic", "--store", generations)
    assert code == 2 and "`loom embed`" in err
    assert main(["embed", "--store", str(generations), "--model", "hash"]) == 0
    capsys.readouterr()
    found = result(capsys, "score", rows, "--semantic", "--store", generations)
    assert found["model"] == "hash" and found["thresholds"]["0.90"]["pooled"][0]["counts"]["n11"] == 1


ROW = b'{"arm": "a", "model": "m", "status": "answered", "question": {"prompt": "x", "gold": ["A"]}, "showing": {%s}}\n'

BAD: list[tuple[bytes, str]] = [
    (b"", "it is empty"),
    (b"\n\n", "it is empty"),
    (b"[1]\n", "a JSON object in line 1"),
    (b"{\n", "a JSON object in line 1"),
    (b"\xff\xfe\n", "a JSON object in line 1"),
    (b'{"id": 1}\n', "Expected arm in line 1"),
    (b'{"arm": "a", "model": "m", "status": "great", "question": {"prompt": "x"}}\n', "Expected status to be one of"),
    (b'{"arm": "a", "model": "m", "status": "answered", "question": {}}\n', "Expected a question"),
    (b'{"arm": "a", "model": "m", "status": "answered", "question": 3}\n', "Expected question to be an object"),
    (b'{"arm": "a", "model": "m", "status": "answered", "question": {"prompt": "x"}, "said": [1]}\n', "Expected said to be an"),
    (ROW % b'"messages": [3]', "Expected messages to be a list of objects"),
    (ROW % b'"messages": {"a": 1}', "Expected messages to be a list of objects"),
    (ROW % b'"names": 7', "Expected names to be a list of texts"),
    (ROW % b'"names": [7]', "Expected names to be a list of texts"),
]


@pytest.mark.parametrize(("content", "said"), BAD)
@pytest.mark.parametrize("command", ["score", "decompose", "omitted", "census"])
def test_what_is_no_file_of_rows_is_one_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str, content: bytes, said: str
) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_bytes(content)
    code, out, err = run(capsys, command, rows)
    assert (code, out) == (2, "") and said in err and err.count("\n") == 1


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--workers", "0"], "workers to be 1 or more"),
        (["--contexts", "x"], "--semantic beside --contexts"),
        (["--semantic", "--thresholds", "high", "--embed-url", "http://x"], "thresholds as numbers"),
        (["--semantic", "--embed-url", "http://x"], "--embed-model beside"),
        (["--semantic", "--out", "x.csv"], "no --out beside --semantic"),
        (["--titles", "--generation", "ffff"], "ffff"),
    ],
)
def test_flags_that_cannot_be_are_one_sentence(
    capsys: pytest.CaptureFixture[str], rows: Path, generations: Path, flags: list[str], said: str
) -> None:
    code, _, err = run(capsys, "score", rows, "--store", generations, *flags)
    assert code == 2 and said in err and err.count("\n") == 1


def test_units_that_are_none_are_one_sentence_where_an_answer_cites_them(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    rows = tmp_path / "rows.jsonl"
    write_rows(rows, [replace(row, showing={**row.showing, "units": 7}) for row in [made("q", [A], [A], f"{A} [1].")]])
    code, _, err = run(capsys, "score", rows)
    assert code == 2 and "Expected units to be a list of objects in the row of question 'q'" in err


def test_a_missing_file_and_a_row_that_comes_twice_are_one_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, _, err = run(capsys, "score", tmp_path / "none.jsonl")
    assert code == 2 and "cannot be read" in err
    twice = tmp_path / "rows.jsonl"
    write_rows(twice, [made("q", [A], [A], [A])] * 2)
    code, _, err = run(capsys, "decompose", twice)
    assert code == 2 and "has two for arm" in err


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_rows_may_be_packed(capsys: pytest.CaptureFixture[str], rows: Path, tmp_path: Path, suffix: str) -> None:
    there = tmp_path / f"same.jsonl{suffix}"
    there.write_bytes(gzip.compress(rows.read_bytes()) if suffix else rows.read_bytes())
    for command in ("decompose", "score", "omitted", "census"):
        assert result(capsys, command, there) == result(capsys, command, rows)
    assert result(capsys, "decompose", there, "--workers", 2) == result(capsys, "decompose", rows)


@pytest.mark.parametrize(
    ("words", "flag"),
    [
        (("score", "{}", "--out", "{}"), "--out"),
        (("omitted", "{}", "--out", "{}"), "--out"),
        (("judge", "{}", "--draw", "{}"), "--draw"),
        (("judge", "{}", "--scores", "{}", "--judge-script", "judge"), "--scores"),
        (("audit", "{}", "--out", "{}", "--judge-script", "judge"), "--out"),
        (("ceiling", "{}", "--contexts", "{}", "--out", "{}"), "--out"),
    ],
)
def test_nothing_writes_over_what_it_reads(
    capsys: pytest.CaptureFixture[str], rows: Path, words: Sequence[str], flag: str
) -> None:
    before = rows.read_bytes()
    code, out, err = run(capsys, *(word.format(rows) for word in words))
    assert (code, out) == (2, "") and f"Expected {flag} to be another file than rows.jsonl" in err
    assert rows.read_bytes() == before


def test_what_cannot_be_read_twice_is_one_sentence(capsys: pytest.CaptureFixture[str], rows: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(rows.read_bytes()))
    writer.start()
    code, _, err = run(capsys, "decompose", pipe, "--matcher", "default")
    assert code == 2 and "save it first" in err
    assert pipe.read_bytes() == rows.read_bytes()
    writer.join()
