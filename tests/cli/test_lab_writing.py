"""The lab's commands for writing: complete, choice, paraphrase, extract, wrapper; through the command line, by scripted models."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.kitchen import VAULT

from loom.cli.main import main

BLOCK = """## Emulsion (chemistry, maturity: established)
An emulsion is a mixture of two liquids that do not dissolve in each other.
requires: Emulsifier, Oil
enables: Mayonnaise
"""
QUESTION = {"id": "q", "prompt": "What does an emulsion require?", "gold": ["Emulsifier", "Oil"], "class_slugs": ["emulsion"]}
CLEAN = "Two liquids that will not dissolve: which things must be there to spread one through the other?"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("store")
    assert main(["build", str(VAULT), "--out", str(folder), "--quiet"]) == 0
    yield str(folder)


@pytest.fixture
def questions(tmp_path: Path) -> str:
    path = tmp_path / "questions.jsonl"
    path.write_text(json.dumps(QUESTION) + "\n", encoding="utf-8")
    return str(path)


def result(capsys: pytest.CaptureFixture[str], *argv: str, code: int = 0) -> dict[str, Any]:
    """The envelope that a command prints with --json."""
    capsys.readouterr()
    assert main(["lab", *argv, "--json"]) == code
    found = json.loads(capsys.readouterr().out)
    assert set(found) == {"command", "version", "generation", "seeds", "rows_sha256", "result"}
    return found


def refused(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    """The sentence with which a command refuses bad input."""
    capsys.readouterr()
    assert main(["lab", *argv]) != 0
    told = capsys.readouterr().err
    assert "Traceback" not in told and "xpected" in told
    return told


def test_complete_judges_a_true_block_and_a_stuffed_one(
    tmp_path: Path, questions: str, store: str, capsys: pytest.CaptureFixture[str]
) -> None:
    block = tmp_path / "block.md"
    block.write_text(BLOCK, encoding="utf-8")
    found = result(capsys, "complete", str(block), "--questions", questions)["result"]
    assert (found["verdict"], found["ceiling"]["macro"], found["reasons"]) == ("pass", 1.0, [])
    block.write_text(BLOCK + "\nEmulsifier, Oil, Emulsifier, Oil", encoding="utf-8")
    again = result(capsys, "complete", str(block), "--questions", questions, "--corpus", "--generations", store)
    assert again["result"]["verdict"] == "flagged" and again["generation"].startswith("sha256:")
    assert again["result"]["names"]["corpus_density"] > 0
    assert main(["lab", "complete", str(block), "--questions", questions]) == 0
    assert "flagged" in capsys.readouterr().out


def test_choice_prints_populations_and_disagreements(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = [
        {"id": "bake", "text": "Bake bread in the oven.", "exclusion": "Not for frying."},
        {"id": "fry", "text": "Fry in oil."},
    ]
    rows = [
        {"id": "a", "options": options, "shown": "fry chips", "answer": "fry", "population": "x", "judge_choice": "bake"},
        {"id": "b", "options": options, "shown": "weather", "answer": None, "population": "y", "judge_choice": None},
    ]
    path = tmp_path / "tasks.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    found = result(capsys, "choice", str(path), "--rows", str(tmp_path / "rows.jsonl"))
    assert found["result"]["threshold"]["accuracy"] == 1.0
    assert [each["id"] for each in found["result"]["disagreements"]] == ["a"]
    assert len((tmp_path / "rows.jsonl").read_text(encoding="utf-8").splitlines()) == 2
    assert main(["lab", "choice", str(path)]) == 0
    assert capsys.readouterr().out.startswith("ranker and judge disagree")


def test_paraphrase_writes_what_passes_and_lists_what_does_not(
    tmp_path: Path, questions: str, store: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "new.jsonl"
    verdict = json.dumps({"question": CLEAN, "preserved": True})
    flags = (questions, "--out", str(out), "--generations", store, "--script", f"says?text={verdict}")
    found = result(capsys, "paraphrase", *flags)["result"]
    assert (found["passed"], found["unresolved"], found["mean_tries"]) == (1, [], 1.0)
    (line,) = out.read_text(encoding="utf-8").splitlines()
    made = json.loads(line)
    assert (made["prompt"], made["original_prompt"]) == (CLEAN, QUESTION["prompt"])
    assert made["set"].endswith("-paraphrased")
    first = out.read_bytes()
    assert result(capsys, "paraphrase", *flags)["result"] == found and out.read_bytes() == first
    assert result(capsys, "paraphrase", str(out), "--check")["result"]["passed"] == 1
    leaking = json.dumps({"question": "What does an oil need?", "preserved": True})
    again = result(capsys, "paraphrase", questions, "--out", str(out), "--script", f"says?text={leaking}")["result"]
    assert (again["passed"], again["refused"]["gold"], len(again["unresolved"])) == (0, 4, 1)


def test_paraphrase_check_names_every_leak(questions: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = result(capsys, "paraphrase", questions, "--check")["result"]
    assert (found["passed"], found["refused"]["subject"]) == (0, 1)
    assert main(["lab", "paraphrase", questions, "--check"]) == 0
    assert "emulsion" in capsys.readouterr().out


def test_extract_counts_both_arms_and_queues_unknown_terms(
    tmp_path: Path, store: str, capsys: pytest.CaptureFixture[str]
) -> None:
    transcript = tmp_path / "show.txt"
    transcript.write_text("Ann: Mayonnaise is an emulsion of oil.\n", encoding="utf-8")
    said = json.dumps(
        {
            "assertions": [
                {"claim": "Opus 48 says so.", "tier": 1, "ontology_terms": ["Mayonnaise", "Unheard Of"], "confidence": 0.5}
            ]
        }
    )
    out = tmp_path / "out.jsonl"
    flags = (str(transcript), "--out", str(out), "--generations", store, "--script", f"says?text={said}")
    found = result(capsys, "extract", *flags)
    arms = {arm["arm"]: arm for arm in found["result"]["arms"]}
    assert set(arms) == {"grounded", "bare"} and arms["grounded"]["engaged"] == 1
    assert [(arm["terms_resolved"], arm["terms"], arm["artefact_claims"]) for arm in arms.values()] == [(1, 2, 1)] * 2
    assert all(arm["seconds"] >= 0 for arm in arms.values())
    (waiting,) = (tmp_path / "out.jsonl.queue.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(waiting)["count"] == 2
    before = out.read_bytes()
    assert b"seconds" not in before
    assert main(["lab", "extract", *flags]) == 0
    assert out.read_bytes() == before


def test_wrapper_plans_runs_and_scores(tmp_path: Path, store: str, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "q.jsonl", tmp_path / "rows.jsonl"
    row = {"id": "a", "prompt": "What does an emulsion require?", "gold": ["Emulsifier", "Blowtorch", "Anvil"]}
    path.write_text(json.dumps(row), encoding="utf-8")
    shared = ("--questions", str(path), "--generations", store)
    plan = result(capsys, "wrapper", "plan", *shared, "--out", str(tmp_path / "plan.jsonl"))["result"]
    assert (plan["omitted_targets"], plan["showings"]) == (2, 5)
    assert len((tmp_path / "plan.jsonl").read_text(encoding="utf-8").splitlines()) == 5
    made = result(capsys, "wrapper", "run", *shared, "--out", str(out), "--script", "adds?names=Blowtorch", "--raw")["result"]
    assert made["statuses"] == {"answered": 6}
    scored = result(capsys, "wrapper", "score", str(out), "--items", str(tmp_path / "items.jsonl"))["result"]
    assert {(each["recovered"]["count"], each["omission"]["count"]) for each in scored["outcomes"]} == {(1, 1)}
    verdict = json.dumps({"outcome": "omission"})
    judged = result(capsys, "wrapper", "score", str(out), "--judge", "--model", "j", "--script", f"says?text={verdict}")[
        "result"
    ]
    assert judged["agreement"] == {
        "n": 12,
        "same": 6,
        "share": 0.5,
        "table": [
            {"rule": "omission", "judge": "omission", "count": 6},
            {"rule": "recovered", "judge": "omission", "count": 6},
        ],
    }


def test_bad_input_is_told_in_a_sentence(
    tmp_path: Path, questions: str, store: str, capsys: pytest.CaptureFixture[str]
) -> None:
    empty, binary = tmp_path / "empty.md", tmp_path / "binary.md"
    empty.write_text("", encoding="utf-8")
    binary.write_bytes(b"\xff\xfe\x00")
    assert "empty" in refused(capsys, "complete", str(empty), "--questions", questions)
    assert "UTF-8" in refused(capsys, "complete", str(binary), "--questions", questions)
    assert "cannot be read" in refused(capsys, "complete", str(tmp_path / "no.md"), "--questions", questions)
    assert "share" in refused(capsys, "complete", str(binary), "--questions", questions, "--enough", "2")
    assert "choice" in refused(capsys, "choice", str(empty))
    assert "--out" in refused(capsys, "paraphrase", questions)
    assert "--model" in refused(capsys, "paraphrase", questions, "--out", str(tmp_path / "o"))
    assert "--model" in refused(
        capsys, "paraphrase", questions, "--out", str(tmp_path / "o"), "--model-url", "http://127.0.0.1:1/v1"
    )
    extracting = ["extract", str(tmp_path / "x.pdf"), "--out", "o", "--script", "empty", "--generations", store]
    assert "there is nothing" in refused(capsys, *extracting)
    (tmp_path / "x.pdf").write_bytes(b"%PDF-1.7")
    assert ".txt" in refused(capsys, *extracting)
    assert "--arms" in refused(
        capsys, "extract", str(empty), "--out", "o", "--script", "empty", "--arms", "x", "--generations", store
    )
    assert "rows" in refused(capsys, "wrapper", "score", questions)
