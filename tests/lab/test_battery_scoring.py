"""Scoring of the battery: all that is asked for, nothing that is forbidden, numbers that stand by themselves."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom.core.errors import BadInput
from loom.lab.battery import BatteryQuestion, answered, corpus, questions, read, scored
from loom.lab.battery.directives import replies
from loom.lab.battery.scoring import holds
from loom.lab.files import write_lines

QUESTION = BatteryQuestion(
    "S1-1",
    "S1",
    "peak",
    "en",
    ({"role": "user", "content": "When did it peak?"},),
    needle=(("Harbour Lane", "Il vicolo"),),
    aligned=((("38.6",), ("146", "02:26")),),
    forbidden=("36.2", "36,2"),
    unsaid=("38.7",),
    above=(("38.6", "38.7"),),
    within=("broadcast-uk",),
)
LINE = "Harbour Lane, audience share, maximum: 38.6 % at second 146"


def test_all_of_it_and_nothing_forbidden_passes() -> None:
    assert scored(LINE, QUESTION, ["broadcast-uk/ratings/a.csv"]).passed
    assert scored(f"Il vicolo\n38.6 at [02:26]\n{LINE}", QUESTION).passed


@pytest.mark.parametrize(
    ("text", "failing"),
    [
        ("38.6 % at second 146", "missing"),
        ("Harbour Lane 38.6 %\nsecond 146", "apart"),
        (LINE + " and 36,2", "found"),
        ("a note says 38.7\n" + LINE, "below"),
    ],
)
def test_each_way_to_fail_is_told(text: str, failing: str) -> None:
    score = scored(text, QUESTION)
    assert not score.passed
    assert {name for name in ("missing", "apart", "found", "below", "foreign") if getattr(score, name)} == {failing}
    assert score.as_json()[failing]


def test_foreign_sources_and_unsaid_numbers_fail() -> None:
    score = scored(LINE, QUESTION, ["rights/packages.csv", "broadcast-uk/ratings/a.csv"])
    assert (score.foreign, score.needle, score.clean) == (("rights/packages.csv",), True, False)
    assert scored(LINE + "\nrumour: 38.7", QUESTION).passed
    assert answered(LINE + "\nrumour: 38.7", QUESTION).found == ("38.7",)


@pytest.mark.parametrize(
    ("text", "wanted", "there"),
    [
        ("it was 36.5.", "36.5", True),
        ("136.5", "36.5", False),
        ("36.55", "36.5", False),
        ("36.5.1", "36.5", False),
        ("36.5%", "36.5", True),
        ("-36.5", "36.5", False),
        ("10-40", "40", True),
        ("1,346.5", "346.5", False),
        ("02:26,36.5,8128", "36.5", True),
        ("146,36.5,8128", "146", True),
        ("146,36", "146", False),
        ("1,146", "146", False),
        ("second:146", "146", True),
        ("12:26", "2:26", False),
        ("[02:26]", "02:26", True),
        ("[02:26.5]", "02:26", False),
        ("8.4024e4", "8.4024", False),
        ("quota 37,5; 36,5", "37,5", True),
        ("37,55", "37,5", False),
        ("NORA says", "NORA", True),
        ("NORAH says", "NORA", False),
        ("a  b\nc", "a b c", True),
        ("(greenhouse)", "(greenhouse)", True),
    ],
)
def test_a_text_is_found_where_it_stands_by_itself(text: str, wanted: str, there: bool) -> None:
    assert holds(text, wanted) == there


@given(st.decimals(min_value=0, max_value=999, places=1), st.decimals(min_value=0, max_value=999, places=1))
def test_a_number_is_found_in_another_only_where_they_are_one(one: object, other: object) -> None:
    assert holds(f"the value is {one} % today", str(other)) == (str(one) == str(other))


def test_questions_come_back_from_their_file(tmp_path: Path) -> None:
    asked = questions(corpus(3).truth)
    write_lines(tmp_path / "q.jsonl", (one.as_json() for one in asked))
    assert tuple(read(tmp_path / "q.jsonl")) == asked


@pytest.mark.parametrize(
    "line",
    [
        '{"id": "S1"}',
        '{"id": "S1", "battery": "S1", "class": "peak", "messages": []}',
        '{"id": "S1", "battery": "S1", "class": "peak", "messages": ["x"]}',
        '{"id": "S1", "battery": "S1", "class": "x", "messages": [{"role": "user", "content": "y"}], "needle": ["z"]}',
        '{"id": "S1", "battery": "S1", "class": "x", "messages": [{"role": "user", "content": "y"}], "forbidden": 5}',
    ],
)
def test_what_is_no_question_is_named_by_its_line(tmp_path: Path, line: str) -> None:
    (tmp_path / "q.jsonl").write_text(line + "\n", encoding="utf-8")
    with pytest.raises(BadInput, match="line 1 of"):
        list(read(tmp_path / "q.jsonl"))


def test_replies_name_inventory_files_alone() -> None:
    truth = corpus(5).truth
    known = {f"{base}/{path}" for base, paths in truth.sources.items() for path in paths}
    made = replies(truth)
    assert len(made) == 1_000
    assert made == replies(truth)
    assert {source for one in made for source in one.may} <= known
    well = [one for one in made if one.must is not None]
    assert 150 < len(well) < 300
    for one in well:
        assert 1 <= len(one.must or ()) <= 4
        assert all(line.startswith("HYDRATE: ") for line in one.text.split("\n"))
    assert any("passwd" in one.text for one in made)
    assert any("\x00" in one.text for one in made)
