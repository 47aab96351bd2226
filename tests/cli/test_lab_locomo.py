"""`loom lab locomo`, by its own parser."""

import argparse
import json
from pathlib import Path

import pytest

from loom.cli.lab import locomo
from loom.core.errors import BadInput

SMALL = str(Path(__file__).resolve().parents[2] / "fixtures" / "locomo" / "small.json")


def run(*argv: str) -> int:
    parser = argparse.ArgumentParser()
    locomo.add(parser.add_subparsers())
    arguments = parser.parse_args(["locomo", *argv])
    return int(arguments.run(arguments))


def test_json_holds_every_arm_with_its_halves(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(SMALL, "--arms", "graph,ours,constant", "--only-arms", "--json") == 0
    found = json.loads(capsys.readouterr().out)["result"]
    assert "second" not in found
    assert list(found["arms"]) == ["graph", "ours", "constant"]
    assert found["arms"]["constant"]["adversarial"] == 1.0
    for row in found["arms"].values():
        assert set(row["silence"]) == set(row["reach"]) == {"answerable", "adversarial", "all"}


def test_the_table_shows_arms_controls_and_the_second_set(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(SMALL, "--arms", "graph,graph+edge,ours") == 0
    out = capsys.readouterr().out
    for shown in (
        "graph+edge",
        "to be discounted",
        "empty fact graph",
        "matched at 12% silence",
        "second set",
        "ours − flat",
        "ours − graph",
    ):
        assert shown in out


def test_vectors_are_kept_in_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "vectors.npz"
    flags = ("--arms", "graph", "--only-arms", "--json", "--embed", "hash", "--vectors", str(file))
    run(SMALL, *flags)
    first, kept = json.loads(capsys.readouterr().out)["result"], file.read_bytes()
    run(SMALL, *flags)
    assert json.loads(capsys.readouterr().out)["result"] == first
    assert file.read_bytes() == kept
    assert "dense scoped" in first["arms"]


@pytest.mark.parametrize("flags", [("--arms", "graf"), ("--arms", ","), ("--embed", "hash", "--vectors", SMALL)])
def test_a_wrong_flag_is_told(flags: tuple[str, ...]) -> None:
    with pytest.raises(BadInput):
        run(SMALL, *flags)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="cannot be read"):
        run(str(tmp_path / "none.json"))
