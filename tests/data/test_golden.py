"""Blocks and seeds of the reference engine on the real corpus, byte for byte."""

import hashlib

import pytest
from support import real
from support.asking import matches, plan

from loom.core.concepts import Concepts
from loom.core.exposure import hit
from loom.core.text import slug_of

pytestmark = pytest.mark.data


def test_every_golden_block_is_equal() -> None:
    pin = real.pin()
    compared = 0
    for case in real.lines("golden-v1.jsonl"):
        for budget, golden in case["scaffold"].items():
            made = plan(
                pin,
                case["prompt"],
                "reference",
                budget=int(budget),
                max_units=case["max_seeds"],
                hops=case["hops"],
                prose=case["prose"],
            )
            assert made.block.text == golden["text"], (case["id"], budget)
            compared += 1
        without = plan(pin, case["prompt"], "reference", max_units=case["max_seeds"], hops=0, prose=case["prose"]).block.text
        assert hashlib.sha256(without.encode()).hexdigest() == case["hops0_sha256"], case["id"]
    assert compared == 120


@pytest.mark.parametrize(("column", "limit"), [("match", 4), ("match10", 10)])
def test_every_golden_seed_is_equal(column: str, limit: int) -> None:
    pin = real.pin()
    concepts = pin.generation.part(Concepts)
    assert concepts is not None
    for case in real.lines("golden-v1.jsonl"):
        found = [(slug_of(concepts.iri(match.row)), match.score) for match in matches(pin, case["prompt"], limit, "reference")]
        assert found == [tuple(seed) for seed in case[column]], case["id"]


def test_every_question_gives_the_block_that_the_reference_gave() -> None:
    pin = real.pin()
    for case in real.lines("questions.jsonl"):
        block = plan(pin, case["prompt"], "reference").block
        assert hashlib.sha256(block.text.encode()).hexdigest() == case["v1_block_sha256"], case["id"]
        assert block.tokens == case["v1_tokens"]
        assert sum(hit(item["title"], block.text, "reference") for item in case["gold"]) == case["v1_exposed"]
