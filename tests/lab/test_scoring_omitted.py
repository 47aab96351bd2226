"""Names that the grounded arm was not shown: who recovers them; and the census of the matcher's mechanisms."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.scoring import made, name

from loom.core.errors import BadInput
from loom.lab.judging.omitted import omitted_of
from loom.lab.row import Row, write_rows
from loom.lab.scoring import Scorer, scored_rows
from loom.lab.scoring.census import census, expansion
from loom.lab.scoring.omitted import Recoveries, bare_hits, omission

A, B, C = (name(0, item) for item in range(3))


def rows() -> list[Row]:
    """Two models and two questions: of each, the block shows A and not B nor C."""
    found = []
    said = {"m": ([A, B, C], [A]), "n": ([C], [A, C])}
    for id in ("q1", "q2"):
        for model, (bare, grounded) in said.items():
            found.append(made(id, [A, B, C], [], bare, arm="raw", model=model))
            found.append(made(id, [A, B, C], [A], grounded, model=model))
    found.append(made("q3", [A, B], [A], [A], model="m"))
    found.append(made("q4", [A, B], [], "", arm="raw", model="m", status="empty"))
    found.append(made("q4", [A, B], [A], [B], model="m"))
    return found


@pytest.fixture
def file(tmp_path: Path) -> Path:
    write_rows(tmp_path / "rows.jsonl", rows())
    return tmp_path / "rows.jsonl"


def test_recoveries_are_counted_on_the_unexposed_names_alone(file: Path) -> None:
    found = omission(scored_rows(file))
    assert found.answered == {"m": Recoveries(4, 4, 0, 2), "n": Recoveries(4, 2, 2, 2)}
    assert found.pooled() == Recoveries(8, 6, 2, 4)
    assert found.as_json()["pooled"]["bare_share"] == 0.75


def test_an_empty_answer_names_nothing_as_a_service_and_a_row_without_its_pair_is_told(file: Path) -> None:
    found = omission(scored_rows(file))
    assert found.pooled(service=True) == Recoveries(9, 6, 3, 5)
    assert found.unpaired == 1


def test_the_hits_of_the_bare_arm_are_units_of_the_audit(file: Path) -> None:
    scores = scored_rows(file)
    units = list(bare_hits(file, scores, omission(scores)))
    assert [(unit.id, unit.model, unit.title) for unit in units[:3]] == [("q1", "m", B), ("q1", "m", C), ("q1", "n", C)]
    assert {unit.arm for unit in units} == {"raw"} and len(units) == 6
    audited = omitted_of(file, "scaffold", "raw", "default")
    assert [unit for unit in audited.hits if unit.arm == "raw"] == units


def test_an_arm_that_there_is_not_is_refused(file: Path) -> None:
    with pytest.raises(BadInput, match=r"the bare arm to be one of the rows' arms \(raw, scaffold\), but got 'none'"):
        omission(scored_rows(file), bare="none")


@pytest.mark.parametrize(
    ("title", "spaced"),
    [
        ("GraphQL", "Graph QL"),
        ("DeFi", "De Fi"),
        ("EdDSA", "Ed DSA"),
        ("MultiAccessEdgeComputing", "Multi Access Edge Computing"),
        ("SustainabilityReporting", "Sustainability Reporting"),
        ("WebRTC", "Web RTC"),
        ("OpenXR", "Open XR"),
        ("HTTPServer", "HTTP Server"),
        ("Graph QL", None),
        ("Kiln", None),
        ("NASA", None),
        ("", None),
    ],
)
def test_a_run_together_title_is_parted_at_its_capitals(title: str, spaced: str | None) -> None:
    assert expansion(title) == spaced


def told(*given: Row, matcher: str = "reference") -> dict[str, Any]:
    scorer = Scorer(matcher)
    arms = census(((row, scorer(row)) for row in given), matcher).as_json()["arms"]
    made: dict[str, Any] = arms["scaffold"]
    return made


def about(row: Row, *slugs: str) -> Row:
    return replace(row, question=replace(row.question, class_slugs=slugs))


def test_a_name_inside_the_subject_earns_credit_for_restating_the_question() -> None:
    row = about(made("q", ["Kiln", "Sawdust"], ["Kiln"], "A tide kiln.", prompt="What does Tide Kiln need?"), "tide-kiln")
    found = told(row)
    assert found["subject_substring"] == {"units": 1, "credited": 1, "omitted": 0, "n11": 1, "n10": 0, "n01": 0, "n00": 0}
    assert found["named_in_question"]["n11"] == 1 and found["frame"]["units"] == 2


def test_a_spaced_expansion_is_what_the_reference_matcher_cannot_see_and_the_default_one_does() -> None:
    row = made("q", ["GraphQL", "WebRTC", "OpenXR"], ["GraphQL", "WebRTC", "OpenXR"], "Graph QL and WebRTC.")
    found = told(row)
    assert (found["run_together"]["credited"], found["run_together"]["omitted"]) == (1, 2)
    assert (found["spaced_expansion"]["units"], found["spaced_expansion"]["n10"]) == (1, 1)
    assert found["run_together_titles"]["WebRTC"] == {
        "units": 1,
        "credited": 1,
        "omitted": 0,
        "n11": 1,
        "n10": 0,
        "n01": 0,
        "n00": 0,
    }
    assert told(row, matcher="default")["spaced_expansion"]["units"] == 0


def test_rows_that_nobody_answered_are_not_in_the_frame() -> None:
    row = made("q", ["GraphQL"], ["GraphQL"], "", status="error")
    assert census([(row, Scorer("reference")(row))], "reference").as_json()["arms"] == {}
