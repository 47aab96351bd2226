"""Pages before and after, compared blind, and the rule that decides."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from support.lab_judging import JUDGE, SECOND, asker, read, sections, verdict

from loom.core.errors import BadInput
from loom.lab.judging.integration import judge
from loom.lab.judging.integration_result import read_raw, result_of
from loom.lab.judging.pairs import Pair, read_pairs
from loom.lab.judging.rule import read_rule


def pairs(n: int = 20, arm: str = "splice", after: str = "better") -> list[Pair]:
    return [
        Pair(
            f"p{number}",
            arm,
            f"The page {number}.",
            f"The page {number}, {after}.",
            more={"size": "thin" if number % 4 else "full"},
        )
        for number in range(n)
    ]


def rule_file(folder: Path, text: str = "threshold = 0.0\nminimum = 10\n") -> Path:
    path = folder / "rule.toml"
    path.write_text(text, encoding="utf-8")
    return path


def by_word(messages: Sequence[Mapping[str, Any]]) -> str:
    """Prefers the version that says better, and dislikes the one that says worse."""
    told = sections(messages)
    worth = [2 * ("better" in text) - ("worse" in text) for text in (told["first version"], told["second version"])]
    return verdict(score=max(-2, min(2, worth[1] - worth[0])), why="by the word")


async def test_sides_are_seeded_and_undone_only_at_analysis(tmp_path: Path) -> None:
    rule, out = read_rule(rule_file(tmp_path)), tmp_path / "judged.jsonl"
    given = asker(by_word)
    await judge(pairs(), out, rule, given, [JUDGE])
    raw = [told["raw"] for told in read(out)]
    assert set(raw) == {2, -2}, "both orders were shown"
    assert not any({"improvement", "after_first", "order"} & set(told) for told in read(out))
    assert all("before" not in str(messages) and "splice" not in str(messages) for _, messages in given.asked)
    result = result_of(read_raw(out, pairs(), rule, 42), pairs(), rule, [JUDGE.name], resamples=200)
    told = result["arms"]["splice"]
    assert (told["mean"], told["better"], told["worse"], told["outcome"]) == (2.0, 20, 0, "integrate")
    assert all(each["rule"] == rule.sha256 for each in read(out))


async def test_a_changed_rule_is_refused_when_judging_and_when_computing(tmp_path: Path) -> None:
    out = tmp_path / "judged.jsonl"
    first = read_rule(rule_file(tmp_path))
    await judge(pairs(4), out, first, asker(by_word), [JUDGE])
    changed = read_rule(rule_file(tmp_path, "threshold = -1.0\nminimum = 1\n"))
    with pytest.raises(BadInput, match="not changed once"):
        await judge(pairs(8), out, changed, asker(by_word), [JUDGE])
    with pytest.raises(BadInput, match="not changed once"):
        read_raw(out, pairs(4), changed, 42)
    with pytest.raises(BadInput, match="seed"):
        read_raw(out, pairs(4), first, 43)
    with pytest.raises(BadInput, match="have changed"):
        read_raw(out, pairs(4, after="other"), first, 42)


async def test_a_second_judge_has_a_share_and_agreement_is_told(tmp_path: Path) -> None:
    rule, out = read_rule(rule_file(tmp_path)), tmp_path / "judged.jsonl"
    await judge(pairs(), out, rule, asker(by_word), [JUDGE, SECOND], second_share=0.2)
    assert sum(told["judge"] == SECOND.name for told in read(out)) == 4
    result = result_of(read_raw(out, pairs(), rule, 42), pairs(), rule, [JUDGE.name, SECOND.name], resamples=200)
    (told,) = result["reliability"]
    assert (told["n"], told["agreement"], told["direction_agreement"]) == (4, 1.0, 1.0)


@pytest.mark.parametrize(
    ("rule", "after", "outcome", "says"),
    [
        ("threshold = 0.0\nminimum = 10\n", "better", "integrate", "above"),
        ("threshold = 0.0\nminimum = 10\n", "worse", "reject", "not above"),
        ("threshold = 0.0\nminimum = 10\n", "same", "reject", "not above"),
        ("threshold = 0.0\nminimum = 21\n", "better", "undecided", "wants 21"),
        ('threshold = 0.0\nminimum = 10\nbound = "mean"\n', "better", "integrate", "mean"),
        ('threshold = 0.0\nminimum = 10\nsubgroup = "size"\nsubgroup_minimum = 6\n', "better", "undecided", "'full'"),
    ],
)
async def test_the_outcome_is_the_rules(tmp_path: Path, rule: str, after: str, outcome: str, says: str) -> None:
    made, out = read_rule(rule_file(tmp_path, rule)), tmp_path / "judged.jsonl"
    await judge(pairs(after=after), out, made, asker(by_word), [JUDGE])
    result = result_of(read_raw(out, pairs(after=after), made, 42), pairs(after=after), made, [JUDGE.name], resamples=200)
    told = result["arms"]["splice"]
    assert told["outcome"] == outcome and says in told["why"]


async def test_a_subgroup_that_gets_worse_rejects_the_arm(tmp_path: Path) -> None:
    mixed = [
        Pair(
            each.id,
            each.arm,
            each.before,
            each.after.replace("better", "worse") if each.more["size"] == "full" else each.after,
            more=each.more,
        )
        for each in pairs(40)
    ]
    rule, out = read_rule(rule_file(tmp_path, 'threshold = 0.0\nminimum = 10\nsubgroup = "size"\n')), tmp_path / "judged.jsonl"
    await judge(mixed, out, rule, asker(by_word), [JUDGE])
    told = result_of(read_raw(out, mixed, rule, 42), mixed, rule, [JUDGE.name], resamples=200)["arms"]["splice"]
    assert told["mean"] > 0 and told["outcome"] == "reject" and "'full'" in told["why"]


async def test_scores_off_the_scale_stay_unresolved(tmp_path: Path) -> None:
    rule, out = read_rule(rule_file(tmp_path)), tmp_path / "judged.jsonl"
    await judge(pairs(3), out, rule, asker(verdict(score=3, why="")), [JUDGE])
    assert [(told["raw"], told["status"]) for told in read(out)] == [(None, "unresolved")] * 3


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "threshold"),
        ("threshold = 'high'\nminimum = 3", "threshold"),
        ("threshold = nan\nminimum = 3", "threshold"),
        ("threshold = 0\nminimum = 0", "minimum"),
        ("threshold = 0\nminimum = 3\nbound = 'upper'", "bound"),
        ("threshold = 0\nminimum = 3\ntreshold = 1", "treshold"),
        ("threshold = 0\nminimum = 3\nsubgroup = 4", "subgroup"),
        ("threshold", "TOML"),
    ],
)
def test_what_is_no_rule(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        read_rule(rule_file(tmp_path, text))


def test_a_rule_that_is_not_there_yet(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="write it before"):
        read_rule(tmp_path / "rule.toml")


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([], "has none"),
        ([{"id": "1", "before": "a", "after": ""}], "after"),
        ([{"id": "1", "before": 3, "after": "b"}], "before"),
        ([{"before": "a", "after": "b"}], "an id"),
        ([{"id": "1", "before": "a", "after": "b"}] * 2, "twice"),
    ],
)
def test_what_are_no_pairs(tmp_path: Path, lines: list[dict[str, Any]], says: str) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    with pytest.raises(BadInput, match=says):
        read_pairs(path)
