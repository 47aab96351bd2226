"""The figures of a published audit, computed from saved verdicts with its counts."""

from typing import Any

import pytest
from support.published_audit import FILE, FRAME, text

from loom.lab.judging.audit_result import result_of
from loom.lab.judging.verdicts import READINGS, RULES, read_verdicts


@pytest.fixture(scope="module")
def result() -> dict[str, Any]:
    saved = read_verdicts(FILE)
    return result_of(saved.verdicts, saved.frame)


def test_the_file_is_what_the_counts_give() -> None:
    assert FILE.read_text(encoding="utf-8") == text()


def test_frame_and_sample(result: dict[str, Any]) -> None:
    assert result["frame"] == FRAME
    assert result["sample"] == {"n11": 240, "n10": 120, "n01": 3, "n00": 60}
    assert result["units"] == 423


def test_what_became_of_the_quotes(result: dict[str, Any]) -> None:
    told = result["quotes"]["all"]
    assert (told["due"], told["first"], told["repaired"], told["conceded"]) == (281, 252, 11, 18)
    assert (told["repaired_verbatim"], told["repaired_normalised_only"]) == (6, 5)
    assert result["quotes"]["n10"]["conceded"] == 14
    assert result["quotes"]["n00"]["conceded"] == 4


def near(interval: list[float], low: float, high: float, within: float = 0.0005) -> bool:
    return abs(interval[0] - low) <= within and abs(interval[1] - high) <= within


def test_precision_of_credit(result: dict[str, Any]) -> None:
    for reading in READINGS:
        told = result["readings"]["as_run"][reading]["precision_of_credit"]
        assert (told["k"], told["n"]) == (233, 240)
        assert near(told["ci95"], 0.941, 0.986)
    strict = {reading: result["readings"]["verbatim_only"][reading]["precision_of_credit"] for reading in READINGS}
    assert [(told["k"], told["n"]) for told in strict.values()] == [(233, 240), (228, 240), (228, 235)]


def test_nothing_is_hidden_and_nothing_beyond_exposure_stands(result: dict[str, Any]) -> None:
    told = result["readings"]["as_run"]["at_its_word"]
    assert (told["hidden_correct"]["k"], told["hidden_correct"]["n"]) == (0, 60)
    assert near(told["hidden_correct"]["ci95"], 0.0, 0.060)
    assert (told["credit_beyond_exposure"]["k"], told["credit_beyond_exposure"]["n"]) == (0, 3)


def test_the_corrected_rate_under_every_reading(result: dict[str, Any]) -> None:
    """How errors clustered was not published; the file spreads them so that the published intervals are met to three decimals."""
    rates = {reading: result["readings"]["as_run"][reading]["corrected"] for reading in READINGS}
    assert [round(told["rate"], 4) for told in rates.values()] == [0.9052, 0.9052, 0.9055]
    for told in rates.values():
        assert told["question_clusters"] == [184, 59]
        assert told["model_clusters"] == [10, 10]
        assert near(told["ci95_by_question"], 0.884, 0.923)
        assert near(told["ci95_by_model"], 0.886, 0.924)
    assert near(rates["at_its_word"]["wilson_combined"], 0.876, 0.922, within=0.001)
    assert round(rates["at_its_word"]["lexical"], 4) == 0.9307


def test_omissions_move_with_the_reading(result: dict[str, Any]) -> None:
    told = {reading: result["readings"]["as_run"][reading]["omitted"] for reading in READINGS}
    assert [round(each["true_omission"]["rate"], 3) for each in told.values()] == [0.708, 0.825, 0.802]
    assert [round(each["named"]["rate"], 3) for each in told.values()] == [0.225, 0.108, 0.123]
    assert [round(each["substituted"]["rate"], 3) for each in told.values()] == [0.042, 0.017, 0.019]
    assert [each["asserted"]["k"] for each in told.values()] == [3, 3, 3]
    assert [each["negated"]["k"] for each in told.values()] == [5, 5, 5]


def test_precision_by_template(result: dict[str, Any]) -> None:
    assert near(result["by_template"]["T-TAX"]["ci95"], 0.832, 0.979)
    assert near(result["by_template"]["T-REL"]["ci95"], 0.944, 0.991)
    assert sum(told["n"] for told in result["by_model"].values()) == 240


def test_every_rule_and_reading_is_told(result: dict[str, Any]) -> None:
    assert set(result["readings"]) == set(RULES)
    assert all(set(told) == set(READINGS) for told in result["readings"].values())
