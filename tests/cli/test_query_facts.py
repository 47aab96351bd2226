"""`loom query` over a knowledge base: what a question about one of several things in a series is given."""

import json
from pathlib import Path

import pytest

from loom.cli.main import main

MANIFEST = """
id = "moorings"
title = "Harbour moorings"
[[attribute]]
name = "hour"
words = { hour = 1, hours = 1 }
[[entity]]
id = "gannet"
name = "Grey Gannet"
[[entity]]
id = "petrel"
name = "Storm Petrel"
[[metric]]
id = "draught"
unit = "m"
words = { en = ["draught"] }
[[file]]
path = "draught.csv"
kind = "series"
entities = ["gannet", "petrel"]
entity_column = "boat"
attribute = "hour"
position = "hour"
values = { draught = "draught" }
"""
ROWS = "hour,boat,draught\n1,Grey Gannet,2.15\n1,Storm Petrel,3.40\n2,Grey Gannet,2.25\n3,Storm Petrel,3.95\n"


@pytest.fixture
def generations(tmp_path: Path) -> str:
    folder = tmp_path / "moorings"
    folder.mkdir()
    (folder / "kb.toml").write_text(MANIFEST, encoding="utf-8")
    (folder / "draught.csv").write_text(ROWS, encoding="utf-8")
    assert main(["build", str(folder), "--out", str(tmp_path / "generations"), "--quiet"]) == 0
    return str(tmp_path / "generations")


@pytest.mark.parametrize(
    ("question", "value", "others"),
    [
        ("What was the draught of the Storm Petrel at hour 1?", "3.40 m at hour 1", "2.15"),
        ("What was the draught of the Grey Gannet at hour 1?", "2.15 m at hour 1", "3.40"),
    ],
)
def test_a_row_of_another_is_no_value_of_this(
    generations: str, question: str, value: str, others: str, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert main(["query", question, "--generations", generations]) == 0
    block = capsys.readouterr().out
    assert value in block and others not in block


def test_where_only_another_has_a_row_it_is_said_to_be_absent(generations: str, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["query", "What was the draught of the Storm Petrel at hour 2?", "--generations", generations]) == 0
    block = capsys.readouterr().out
    assert "2.25" not in block and 'has no value of "draught" at hour 2' in block


def test_tiers_are_printed_with_a_receipt_for_each_line(generations: str, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    question = "What was the highest draught of the Storm Petrel?"
    assert main(["query", question, "--tiers", "--generations", generations]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in shown if line.split(":")[0] in ("computed", "addressed", "structure")] == [
        "computed",
        "structure",
    ]
    at = next(number for number, line in enumerate(shown) if "maximum: 3.95 m at hour 3" in line)
    assert shown[at + 1].strip().startswith("answer · draught.csv row 4 at 3 · urn:loom:kb:moorings:fact/")
    assert any(line.startswith("route urn:loom:kb:moorings:") for line in shown)
    assert shown[-1].startswith("generation sha256:")


def test_tiers_as_json_are_the_context_that_is_served(generations: str, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    question = "What was the highest draught of the Storm Petrel?"
    assert main(["query", question, "--tiers", "--json", "--generations", generations]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (
        found["messages"][-1] == {"role": "user", "content": question} and found["context"] in found["messages"][0]["content"]
    )
    assert {each["value"] for each in found["receipts"] if each.get("role") == "answer"} == {"3.95"}
    assert main(["query", question, "--json", "--generations", generations]) == 0
    assert json.loads(capsys.readouterr().out) == found["loom"]


def test_tiers_of_a_question_that_nothing_is_said_of_are_none(generations: str, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["query", "How do I knit?", "--tiers", "--generations", generations]) == 1
    assert capsys.readouterr().out.startswith("generation sha256:")


DOUBLED = (
    'id = "tides"\n[[attribute]]\nname = "minute"\n[[entity]]\nid = "mole"\nname = "North Mole"\n[[metric]]\nid = "level"\nunit = "m"\n'
    '[[file]]\npath = "tide.csv"\nkind = "series"\nentity = "mole"\nattribute = "minute"\nposition = "minute"\nvalues = { level = "level" }\n'
)


@pytest.mark.parametrize(
    ("place", "values"),
    [
        ("at minute 7", ["3.25", "3.24"]),
        ("at minute seven", ["3.25", "3.24"]),
        ("at minute -5", ["-0.5"]),
        ("at minute -5, 3 and 9", ["-0.5", "1.75", "2.5e1"]),
        ("at minute 0.3e1", ["1.75"]),
        ("in the ninth minute", ["2.5e1"]),
    ],
)
def test_every_value_at_a_position_is_given_whatever_it_is_called(
    place: str, values: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "tides"
    folder.mkdir()
    (folder / "kb.toml").write_text(DOUBLED, encoding="utf-8")
    rows = "\ufeffminute,level\r\n9,2.5e1\r\n7,3.25\r\n-5,-0.5\r\n7,3.24\r\n3,1.75\r\n7,3.25\r\n"
    (folder / "tide.csv").write_text(rows, encoding="utf-8", newline="")
    generations = str(tmp_path / "generations")
    assert main(["build", str(folder), "--out", generations, "--quiet"]) == 0
    capsys.readouterr()
    assert main(["query", f"What was the level of North Mole {place}?", "--generations", generations, "--tiers", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["receipts"]
    assert [one["value"] for one in told if one["role"] == "answer"] == values


def _receipts(question: str, generations: str, capsys: pytest.CaptureFixture[str]) -> list[tuple[str, str]]:
    capsys.readouterr()
    main(["query", question, "--generations", generations, "--tiers", "--json"])
    told = json.loads(capsys.readouterr().out)
    return [
        (one["role"], one["value"]) for one in told["receipts"] if one["role"] in ("answer", "absent") and one.get("value")
    ] + [("absent", note) for note in told["notes"]]


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What was the draught of the Grey Gannet in 2019?", "2019"),
        ("What was the highest draught of the Grey Gannet in 2019?", "2019"),
        ("What was the draught of the Grey Gannet on 12 March 2026?", "12 March 2026"),
        ("What was the draught of the Grey Gannet on 2/3/2026?", "2/3/2026"),
        ("What was the draught of the Grey Gannet at 17:30?", "17:30"),
        ("What was the draught of the Grey Gannet at 1h30?", "1h30"),
        ("What was the draught of the Grey Gannet at noon?", "noon"),
        ("Qual era il draught di Grey Gannet a mezzogiorno?", "mezzogiorno"),
        ("Wie war der draught von Grey Gannet im Jahr 2019?", "2019"),
    ],
)
def test_values_of_other_times_are_no_answer_to_a_time_that_nothing_counts(
    question: str, said: str, generations: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (told,) = _receipts(question, generations, capsys)
    assert told[0] == "absent" and f'"{said}" is no position' in str(told[1])


@pytest.mark.parametrize(
    ("place", "value"),
    [("in 2019", "4.5"), ("in year 2019", "4.5"), ("during 2021", ""), ("in 2019, as 37.5 % of boats had", "4.5")],
)
def test_a_year_is_a_position_where_a_series_is_counted_in_years(
    place: str, value: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "tides"
    folder.mkdir()
    (folder / "kb.toml").write_text(DOUBLED.replace('"minute"', '"year"'), encoding="utf-8")
    (folder / "tide.csv").write_text("year,level\n2018,3.5\n2019,4.5\n2020,2.5\n", encoding="utf-8")
    generations = str(tmp_path / "generations")
    assert main(["build", str(folder), "--out", generations, "--quiet"]) == 0
    told = _receipts(f"What was the level of North Mole {place}?", generations, capsys)
    assert told == ([("answer", value)] if value else [("absent", '"North Mole" has no value of "level" at 2021.')])
