"""The example corpus gives the blocks that are kept beside it, and what its questions want."""

import json

import pytest
from support.kitchen import GOLDEN, blocks, questions

GIVEN = {(each["id"], each["policy"]): each for each in map(json.loads, GOLDEN.read_text(encoding="utf-8").splitlines())}


@pytest.fixture(scope="module")
def made() -> dict[tuple[str, str], dict[str, object]]:
    return {(each["id"], each["policy"]): each for each in blocks()}


def test_every_question_has_its_golden_blocks() -> None:
    assert {id for id, _ in GIVEN} == {question["id"] for question in questions()}


def test_blocks_are_those_kept(made: dict[tuple[str, str], dict[str, object]]) -> None:
    assert made == GIVEN


def test_lookups_serve_what_they_ask_for(made: dict[tuple[str, str], dict[str, object]]) -> None:
    missed = [
        (question["prompt"], wanted)
        for question in questions()
        if question["kind"] == "lookup"
        for wanted in question["iris"]
        if wanted not in made[question["id"], "default"]["units"]  # type: ignore[operator]
    ]
    assert missed == [
        # "Browning" is the name; this matcher knows plurals and no other inflection.
        ("Why does a cut apple go brown?", "urn:loom:kitchen:enzymic-browning"),
    ]
