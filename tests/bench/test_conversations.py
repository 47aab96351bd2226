"""The benchmark of conversation memory: sizes follow what was asked for, and every bar has its figure."""

import json

import pytest

from loom.bench.conversations import FIGURES
from loom.cli.main import main
from loom_adapters.memory.measured import sizes


def test_a_million_turns_are_ten_thousand_conversations_the_largest_of_fifty_thousand() -> None:
    found = sizes(1_000_000)
    assert len(found) == 10_000 and abs(int(found[0]) - 50_000) <= 50 and abs(int(found.sum()) - 1_000_000) < 5_000
    assert found.min() >= 1 and (found[:-1] >= found[1:]).all()


def test_the_command_prints_every_figure(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--only", "conversations", "--turns", "1000", "--json", "-"]) == 0
    figures = {each["name"].partition(";")[0]: each for each in json.loads(capsys.readouterr().out)["figures"]}
    assert list(figures) == [shown for _, shown, _, _ in FIGURES]
    assert all(each["value"] > 0 for each in figures.values())
    bars = {name: each["bar"] for name, each in figures.items() if each["bar"]}
    assert bars["append of a turn, p50"] == "≤ 2" and bars["question, p99"] == "≤ 50" and bars["resident at most"] == "≤ 2048"


def test_too_few_turns_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["bench", "--only", "conversations", "--turns", "5"])
    assert "expected a whole number from 1000 to 10000000" in capsys.readouterr().err
