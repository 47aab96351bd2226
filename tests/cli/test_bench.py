"""`loom bench`, from its command line, over a small generation."""

import json
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from support.nodes import KILNS
from support.sealed import sealed

from loom.cli.main import main
from loom_adapters.scripted_server import ScriptedServer


@pytest.fixture
def generations(tmp_path: Path) -> Path:
    sealed(tmp_path / "generations", KILNS)
    return tmp_path / "generations"


def figures(file: Path) -> dict[str, dict]:
    return {f"{each['measurement']}: {each['name']}": each for each in json.loads(file.read_text("utf-8"))["figures"]}


def measured(generations: Path, *more: str) -> dict[str, dict]:
    out = generations.parent / "figures.json"
    assert main(["bench", "--generations", str(generations), "--rounds", "1", "--json", str(out), *more]) == 0
    return figures(out)


def test_a_table_and_json_say_the_same(generations: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = measured(generations, "--only", "match,scaffold")
    assert {"match: default p50", "match: reference p95", "scaffold: default p50"} <= set(found)
    assert found["match: default p50"]["unit"] == "ms"
    assert found["match: default p50"]["bar"] == "≤ 0.1"
    assert found["match: default p50"]["met"] is (found["match: default p50"]["value"] <= 0.1)
    table = capsys.readouterr().out.splitlines()
    assert "5 concepts" in table[0]
    assert len(table) == len(found) + 2


def test_json_on_standard_output_stands_alone(generations: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--generations", str(generations), "--rounds", "1", "--only", "match", "--json", "-"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["concepts"] == 5
    assert result["machine"]["cores"] >= 1
    assert result["generation"].startswith("sha256:")


def test_questions_come_from_a_file(generations: Path, tmp_path: Path) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text('{"prompt": "What is a tide kiln?"}\n\n{"prompt": "Thanks!"}\n', encoding="utf-8")
    found = measured(generations, "--only", "scaffold", "--questions", str(file))
    assert found["scaffold: default, questions that get a block"]["value"] == 50


def test_overhead_is_measured_between_real_processes(generations: Path) -> None:
    found = measured(generations, "--only", "overhead")
    for way in ("plain", "streamed"):
        assert 0 < found[f"overhead: {way}, direct p50"]["value"] < found[f"overhead: {way}, through the node p50"]["value"]
    assert "overhead: streamed, first chunk delayed p50" in found


async def test_throughput_compares_with_whatever_runs_already(generations: Path) -> None:
    import asyncio

    async with ScriptedServer() as model, ScriptedServer() as other:
        more = ["--only", "throughput", "--clients", "2", "--seconds", "0.2", "--upstream", model.url]
        found = await asyncio.to_thread(measured, generations, *more, "--against", f"proxy={other.url}")
        assert model.requests and other.requests
    assert found["throughput: plain, 2 clients, node"]["value"] > 0
    assert found["throughput: plain, 2 clients, node failed"]["value"] == 0
    assert found["throughput: streamed, 2 clients, node / proxy"]["bar"] == "≥ 10"


@pytest.mark.slow
def test_swaps_lose_no_request_and_mix_no_generation(generations: Path) -> None:
    found = measured(generations, "--only", "swap", "--swaps", "4")
    assert found["swap: swaps and rollbacks"]["value"] == 5
    assert found["swap: generations seen in answers"]["value"] == 2
    assert found["swap: failed requests"]["value"] == 0
    assert found["swap: answers whose units and generation disagree"]["value"] == 0


@pytest.mark.slow
def test_builds_are_compared_byte_for_byte(generations: Path) -> None:
    vault = Path(__file__).resolve().parents[2] / "fixtures" / "kitchen"
    found = measured(generations, "--only", "build,start", "--source", str(vault))
    assert found["build: builds byte-identical"]["value"] == 1
    assert found["build: peak memory, largest"]["value"] > 1
    assert found["start: ready p50"]["value"] > 0


def test_indexes_are_measured_in_processes_of_their_own(generations: Path, tmp_path: Path) -> None:
    file = tmp_path / "vectors.npy"
    np.save(file, np.random.default_rng(1).normal(size=(300, 12)))
    found = measured(generations, "--only", "index", "--sizes", "", "--vectors", str(file))
    assert (
        found["index: 300 given: exact, recall at 10"] | {"value": 1, "bar": "≥ 0.99", "met": True}
        == (found["index: 300 given: exact, recall at 10"])
    )
    assert found["index: 300 given: exact, p50"]["bar"] == "≤ 0.3"
    assert 0 < found["index: 300 given: exact, p50"]["value"] <= found["index: 300 given: exact, p99"]["value"]
    assert found["index: 300 given: local dimensions of the questions"]["value"] > 3
    if find_spec("hnswlib"):
        assert found["index: 300 given: hnswlib, recall at 10"]["value"] > 0.95
        assert found["index: 300 given: hnswlib, kept on disk beside the vectors"]["value"] > 300 * 12 * 4 / 1e6


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--only", "index", "--sizes", "many"], "--sizes"),
        (["--only", "index", "--sizes", "5"], "--sizes"),
        (["--only", "index", "--sizes", "", "--vectors", "nowhere.npy"], "nowhere.npy"),
        (["--only", "index", "--sizes", "", "--vectors", __file__], "test_bench.py"),
        (["--only", "index", "--sizes", "", "--asked", "nowhere.npy"], "nowhere.npy"),
        (["--only", "speed"], "speed"),
        (["--only", "build"], "--source"),
        (["--against", "proxy"], "NAME=URL"),
        (["--against", "node=http://127.0.0.1:4000/v1"], "other than direct and node"),
        (["--against", "proxy=http://example.org/v1"], "on this machine"),
        (["--upstream", "https://127.0.0.1/v1"], "on this machine"),
        (["--clients", "1,none"], "whole numbers"),
        (["--seconds", "0"], "--seconds"),
        (["--questions", "nowhere.jsonl"], "nowhere.jsonl"),
    ],
)
def test_what_cannot_be_measured_is_one_sentence(
    generations: Path, given: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bench", "--generations", str(generations), *given]) == 2
    error = capsys.readouterr().err
    assert said in error and len(error.strip().splitlines()) == 1


def test_without_a_generation_it_says_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--generations", str(tmp_path / "none")]) == 2
    assert "loom build" in capsys.readouterr().err
