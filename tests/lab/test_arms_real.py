"""The controls over the real corpus and the questions handed with it."""

import asyncio

import pytest
from support import real

from loom import compose
from loom.cli.lab.planning import ground
from loom.core.exposure import READERS
from loom.lab.arms import measured, plan_arms
from loom.lab.question import read


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.parametrize("policy", ["default", "reference"])
def test_controls_hold_on_the_handed_questions(policy: str) -> None:
    questions = read(real.real("questions.jsonl"))
    arms = ["raw", "scaffold", "true", "shuffled", "masked", "irrelevant", "fluent-noise", "answer-disjoint", "flat-bm25"]
    with compose.opened(real.store()) as (node, pin):
        using = ground(node, pin, policy=policy)
        planned = asyncio.run(plan_arms(using, questions, arms, seed=42))
        result = measured(planned, using.matcher)
        titles = tuple(dict.fromkeys(map(using.concepts.title, range(using.concepts.count))))
    assert "urn:ngm:class:knowledge-graph" in {seed["iri"] for seed in result["template_seeds"]}
    checks = result["checks"]
    assert checks["irrelevant_seed_disjoint"]["violations"] == 0 and checks["irrelevant_seed_disjoint"]["paired"] >= 0.95
    assert checks["answer-disjoint_exposes_nothing"]["violations"] == 0
    assert checks["shuffled_exposes_the_same"]["violations"] == 0
    assert checks["fluent-noise_within_tokens_of_true"]["violations"] == 0
    assert checks["flat-bm25_within_tokens_of_scaffold"]["share"] >= 0.95
    for at in range(0, len(planned.showings), 10 * len(arms)):
        true, other = planned.showings[at + arms.index("true")], planned.showings[at + arms.index("shuffled")]
        for reader in READERS.values():
            assert reader(true.block.text).lacks(titles) == reader(other.block.text).lacks(titles)
