"""What the blocks of each policy show of the gold of the question file, scored by the reference matcher for both."""

from functools import cache

import pytest
from support import real
from support.asking import plan

from loom.core.exposure import hit

pytestmark = pytest.mark.data


@cache
def ceilings(policy: str) -> tuple[list[float], list[int]]:
    """The copy ceiling and the tokens of every question."""
    pin = real.pin()
    shares, tokens = [], []
    for case in real.lines("questions.jsonl"):
        block = plan(pin, case["prompt"], policy).block
        shown = f"{block.text} {case['prompt']}"
        shares.append(sum(hit(item["title"], shown, "reference") for item in case["gold"]) / len(case["gold"]))
        tokens.append(block.tokens)
    return shares, tokens


def test_the_reference_policy_has_the_reference_ceiling() -> None:
    shares, tokens = ceilings("reference")
    cases = real.lines("questions.jsonl")
    assert [round(share, 4) for share in shares] == [round(case["v1_ceiling"], 4) for case in cases]
    assert tokens == [case["v1_tokens"] for case in cases]


def test_the_default_policy_shows_more_with_no_more_tokens() -> None:
    before, spent_before = ceilings("reference")
    shares, spent = ceilings("default")
    assert sum(shares) > sum(before)
    assert sum(spent) <= sum(spent_before)
    more = [now - then for now, then in zip(spent, spent_before, strict=True) if now > then]
    assert len(more) <= len(spent) // 20


def test_no_question_loses_what_the_reference_showed() -> None:
    before, _ = ceilings("reference")
    shares, _ = ceilings("default")
    worse = [case["id"] for case, now, then in zip(real.lines("questions.jsonl"), shares, before, strict=True) if now < then]
    assert len(worse) <= 1, worse
