"""The benchmark of conversation memory: sizes follow what was asked for, and every bar has its figure."""

import json
import shutil
from pathlib import Path

import pytest

from loom.bench.conversations import FIGURES, KEPT, ROOM, conversations, measured
from loom.bench.processes import NotStarted
from loom.bench.setup import Setup
from loom.cli.main import main
from loom.core.errors import BadInput
from loom_adapters.memory.measured import sizes


def test_a_million_turns_are_ten_thousand_conversations_the_largest_of_fifty_thousand() -> None:
    found = sizes(1_000_000)
    assert len(found) == 10_000 and abs(int(found[0]) - 50_000) <= 50 and abs(int(found.sum()) - 1_000_000) < 5_000
    assert found.min() >= 1 and (found[:-1] >= found[1:]).all()


def test_the_command_prints_every_figure(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--only", "conversations", "--turns", "1000", "--json", "-"]) == 0
    out, err = capsys.readouterr()
    assert [int(line.split()[1].replace(",", "")) for line in err.splitlines() if line.endswith(KEPT)][-1] >= 900
    figures = {each["name"].partition(";")[0]: each for each in json.loads(out)["figures"]}
    assert list(figures) == [shown for _, shown, _, _ in FIGURES]
    assert all(each["value"] > 0 for each in figures.values())
    bars = {name: each["bar"] for name, each in figures.items() if each["bar"]}
    assert bars["append of a turn, p50"] == "≤ 2" and bars["question, p99"] == "≤ 50" and bars["resident at most"] == "≤ 2048"


@pytest.mark.parametrize("turns", ["5", "999", "10000001", "-1", "many", "1e6"])
def test_turns_that_cannot_be_are_refused(turns: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["bench", "--only", "conversations", f"--turns={turns}"])
    assert ended.value.code == 2
    assert f"expected a whole number from 1000 to 10000000, but got {turns}" in capsys.readouterr().err


def test_turns_that_the_disk_has_no_room_for_are_refused(tmp_path: Path) -> None:
    turns = shutil.disk_usage(tmp_path).free // ROOM * 2
    with pytest.raises(BadInput, match=r"GB of room in .* GB are free; ask for fewer with --turns"):
        conversations(Setup(tmp_path, (), turns=turns))


def test_a_process_that_fails_is_told_of_in_its_own_words(tmp_path: Path) -> None:
    (tmp_path / "memory.sqlite").write_text("Dear diary,")
    with pytest.raises(NotStarted, match=r"could not be measured: Expected conversation memory in .*; give another file\.$"):
        measured(str(tmp_path / "memory.sqlite"), 1000)
