"""`loom memory` over a store of its own."""

import json
from pathlib import Path

import pytest

from loom.cli.main import main

CHAT = "12/05/2023, 14:04 - Anna: I started pottery.\n12/05/2023, 14:05 - Ben: I bought a canoe in Lisbon.\n"


@pytest.fixture
def store(tmp_path: Path) -> list[str]:
    (tmp_path / "chat.txt").write_text(CHAT, encoding="utf-8")
    return ["--store", str(tmp_path / "memory.sqlite")]


def test_in_listed_asked_out_and_gone(tmp_path: Path, store: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["memory", "import", str(tmp_path / "chat.txt"), *store]) == 2
    assert "name of the conversation" in capsys.readouterr().err
    assert main(["memory", "import", str(tmp_path / "chat.txt"), "--conversation", "family", *store]) == 0
    assert capsys.readouterr().out == "family: 2 turns, 2 new\nwhatsapp: 1 conversations, 0 faults\n"
    assert main(["memory", "list", *store]) == 0
    assert capsys.readouterr().out.split() == ["2", "family"]
    assert main(["memory", "list", "family", "--about", "Ben", "--json", *store]) == 0
    assert [turn["text"] for turn in json.loads(capsys.readouterr().out)["turns"]] == ["I bought a canoe in Lisbon."]
    assert main(["memory", "recall", "family", "When did Anna start pottery?", *store]) == 0
    assert 'Anna: "I started pottery."' in capsys.readouterr().out
    assert main(["memory", "recall", "family", "What did Anna cook?", *store]) == 1
    assert "Nothing is recorded in this conversation about cook of Anna." in capsys.readouterr().out
    assert main(["memory", "list", "--caller", "another", *store]) == 0
    assert capsys.readouterr().out == ""


def test_an_export_moves_to_another_caller(tmp_path: Path, store: list[str], capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["memory", "import", str(tmp_path / "chat.txt"), "--conversation", "family", *store]) == 0
    capfdbinary.readouterr()
    assert main(["memory", "export", "family", *store]) == 0
    (tmp_path / "out.jsonl").write_bytes(capfdbinary.readouterr().out)
    assert main(["memory", "import", str(tmp_path / "out.jsonl"), "--caller", "key1", *store]) == 0
    assert main(["memory", "forget", "--all", *store]) == 0
    assert main(["memory", "list", "--caller", "key1", *store]) == 0
    assert capfdbinary.readouterr().out.endswith(b"       2  family\n")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["list"], "There is no memory at"),
        (["import", "nowhere.json"], "cannot be read"),
        (["forget"], "There is no memory at"),
        (["import", "-", "--conversation", "a/b"], "without a slash"),
        (["list", "--store", "mysql://x/y"], "LOOM_MEMORY_STORE"),
    ],
)
def test_faults_are_one_sentence(
    arguments: list[str], words: str, store: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["memory", *arguments[:1], *store, *arguments[1:]]) == 2
    said = capsys.readouterr().err
    assert words in said and said.count("\n") == 1, said


@pytest.mark.parametrize("what", [["--turn", "ID"], ["--about", "Ben"], []])
def test_what_is_forgotten(tmp_path: Path, what: list[str], store: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    main(["memory", "import", str(tmp_path / "chat.txt"), "--conversation", "family", *store])
    main(["memory", "list", "family", "--json", *store])
    turns = json.loads(capsys.readouterr().out.partition("faults\n")[2])["turns"]
    what = [turns[1]["id"] if each == "ID" else each for each in what]
    assert main(["memory", "forget", "family", *what, *store]) == 0
    assert b"canoe" not in b"".join(file.read_bytes() for file in tmp_path.glob("memory.sqlite*"))
    assert main(["memory", "forget", "family", *(what if what[:1] == ["--turn"] else []), *store]) == (
        0 if what[:1] == ["--about"] else 1
    )
