"""`loom query`: what a question would be given, on a terminal and for programs; the same as over HTTP."""

import json
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from support import real
from support.nodes import kiln_node, running
from support.sealed import sealed
from support.worked import CLASSES

from loom.cli.main import main
from loom.serve.app import create_app

ASKED = "How does a tide kiln work?"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    sealed(tmp_path, CLASSES)
    return tmp_path


def query(folder: Path, *arguments: str) -> int:
    return main(["query", "--generations", str(folder), *arguments])


def test_the_block_is_printed_and_why_beside_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert query(folder, ASKED, "--policy", "reference") == 0
    said = capsys.readouterr()
    assert said.out.startswith("[ONTOLOGY CONTEXT]\n## Tide Kiln") and said.out.endswith("\n[END ONTOLOGY CONTEXT]\n")
    assert said.err.startswith("injected: exact, 108 tokens, sha256:")


def test_silence_is_exit_code_one(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert query(folder, "How do I bake bread?") == 1
    said = capsys.readouterr()
    assert said.out == "" and said.err.startswith("silent: off_topic, 0 tokens")


@pytest.mark.parametrize("policy", ["default", "reference"])
@pytest.mark.parametrize("question", [ASKED, "salt glaze, tide table and harbour rule", "bread", "kiln " * 300])
def test_json_is_what_the_scaffold_route_answers(
    folder: Path, policy: str, question: str, capsys: pytest.CaptureFixture[str]
) -> None:
    options = {"policy": policy, "budget": 120, "max_units": 3, "hops": 0, "wrapper": "neutral"}
    flags = [part for name, value in options.items() for part in (f"--{name.replace('_', '-')}", str(value))]
    assert query(folder, question, "--json", *flags) == 0
    told = json.loads(capsys.readouterr().out)
    with running(create_app(kiln_node(folder, concepts=()))) as url:
        answer = httpx.post(f"{url}/loom/scaffold", json={"prompt": question, **options})
        bare = httpx.post(f"{url}/loom/scaffold", json={"prompt": question, **options}, headers={"accept": "text/markdown"})
    assert answer.status_code == 200
    served = answer.json()
    assert {key: served[key] for key in told} == told
    assert bare.text == told["scaffold"]


@pytest.mark.data
def test_golden_blocks_are_the_same_in_json_and_over_http(capsys: pytest.CaptureFixture[str]) -> None:
    golden = real.lines("golden-v1.jsonl")[::10]
    folder = real.store()
    with running(create_app(kiln_node(folder, concepts=()))) as url:
        for case in golden:
            for budget, expected in case["scaffold"].items():
                options = {"policy": "reference", "budget": int(budget), "max_units": case["max_seeds"], "hops": case["hops"]}
                flags = [part for name, value in options.items() for part in (f"--{name.replace('_', '-')}", str(value))]
                assert query(folder, "--json", *flags, "--", case["prompt"]) == 0
                told = json.loads(capsys.readouterr().out)
                served = httpx.post(f"{url}/loom/scaffold", json={"prompt": case["prompt"], **options}).json()
                assert told["scaffold"] == served["scaffold"] == expected["text"], case["id"]


def test_the_question_may_come_from_standard_input(folder: Path) -> None:
    command = [sys.executable, "-m", "loom.cli.main", "query", "--generations", str(folder), "-"]
    run = subprocess.run(command, input="What is a\nkiln?\n", capture_output=True, text=True, timeout=60)
    assert run.returncode == 0 and "## Kiln" in run.stdout


TALK = [
    {"role": "user", "content": "What is a tide kiln?"},
    {"role": "assistant", "content": "A kiln that follows the tide table."},
    {"role": "user", "content": "Salt glaze?"},
]


def test_a_conversation_is_read_as_the_scaffold_route_reads_it(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "talk.json").write_text(json.dumps(TALK), encoding="utf-8")
    assert query(folder, "--messages", str(tmp_path / "talk.json"), "--json") == 0
    told = json.loads(capsys.readouterr().out)
    with running(create_app(kiln_node(folder, concepts=()))) as url:
        served = httpx.post(f"{url}/loom/scaffold", json={"messages": TALK}).json()
    assert {key: served[key] for key in told} == told and told["units"][0]["title"] == "Salt Glaze"


def test_a_conversation_may_come_from_standard_input(folder: Path) -> None:
    command = [sys.executable, "-m", "loom.cli.main", "query", "--generations", str(folder), "--messages", "-"]
    run = subprocess.run(command, input=json.dumps(TALK), capture_output=True, text=True, timeout=60)
    assert run.returncode == 0 and "## Salt Glaze" in run.stdout


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (None, "it cannot be read: No such file or directory."),
        ("[", "it is no JSON."),
        ("{}", "Expected a list as messages; it is an object."),
        ("[]", "Expected at least one message; the list is empty."),
        ('[{"content": "kiln"}]', "Expected a role in messages[0]"),
    ],
)
def test_a_conversation_that_is_none_is_one_sentence(
    folder: Path, tmp_path: Path, given: str | None, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "talk.json"
    if given is not None:
        file.write_text(given, encoding="utf-8")
    assert query(folder, "--messages", str(file)) == 2
    err = capsys.readouterr().err
    assert err.startswith("loom query: ") and said in err and err.count("\n") == 1


def test_another_generation_may_be_asked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = sealed(folder, CLASSES[2:3], point=False)
    assert query(folder, "salt glaze and kiln", "--generation", other[:14], "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["pin"] == {"generation": other} and [unit["title"] for unit in told["units"]] == ["Salt Glaze"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([""], "Expected a question, but it is empty."),
        ([], "Expected a question, or --messages with a file of them; there is neither."),
        ([ASKED, "--messages", "talk.json"], "Expected a question or --messages, not both."),
        ([ASKED, "--budget", "0"], "Expected --budget to be 1 or more, but got 0."),
        ([ASKED, "--max-units", "-3"], "Expected --max-units to be 1 or more, but got -3."),
        ([ASKED, "--generation", "ffff"], "There is no generation 'ffff'"),
    ],
)
def test_what_cannot_be_carried_out_is_one_sentence(
    folder: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert query(folder, *arguments) == 2
    err = capsys.readouterr().err
    assert err.startswith("loom query: ") and said in err and err.count("\n") == 1


def test_without_a_generation_it_says_how_to_build_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert query(tmp_path / "none", ASKED) == 2
    assert "build one with `loom build SOURCE --out" in capsys.readouterr().err


def test_a_broken_generation_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (name,) = (file.name for file in folder.iterdir() if len(file.name) == 64)
    path = folder / name / "parts" / "concepts" / "titles.txt"
    path.chmod(0o644)
    path.write_bytes(b"")
    assert query(folder, ASKED) == 2
    assert "concepts/titles.txt" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [[ASKED, "--policy", "best"], [ASKED, "--hops", "2"]])
def test_unknown_flags_are_argument_errors(folder: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        query(folder, *arguments)
    assert left.value.code == 2
