"""What a judged integration says: un-blinded, by arm and by subgroup, and what the rule that was written before makes of it."""

from collections.abc import Mapping, Sequence
from math import fsum
from pathlib import Path

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.judging.agreeing import agreement
from loom.lab.judging.integration import HIGH, KIND, LOW, bound
from loom.lab.judging.pairs import Pair
from loom.lab.judging.rule import INTEGRATE, REJECT, UNDECIDED, Rule
from loom.lab.lines import lines
from loom.lab.statistics import bootstrap

SCALE = tuple(range(LOW, HIGH + 1))

Key = tuple[str, str]


def read_raw(path: Path, pairs: Sequence[Pair], rule: Rule, seed: int) -> dict[str, dict[Key, int | None]]:
    """Improvements by judge and pair, un-blinded here. Raises BadInput where a verdict is of another rule, seed or page."""
    by_key = {pair.key: pair for pair in pairs}
    found: dict[str, dict[Key, int | None]] = {}
    for number, row in lines(path, "judged"):
        where = f"line {number} of {path}"
        if row.get("kind") != KIND or not isinstance(row.get("judge"), str):
            raise BadInput(
                f"Expected a verdict of an integration in {where}; is this a file of `loom lab integrate`?", param="judged"
            )
        bound([row], rule, seed, path)
        key = (str(row.get("id")), str(row.get("arm") or ""))
        if key not in by_key:
            continue
        if row.get("pair_sha256") != by_key[key].digest:
            raise BadInput(
                f"Expected the pages that {where} was given on, but those of {' / '.join(key)} have changed.", param="pairs"
            )
        raw = row.get("raw")
        if raw is not None and (isinstance(raw, bool) or raw not in SCALE):
            raise BadInput(
                f"Expected raw to be a whole number from {LOW} to {HIGH} in {where}, but got {raw!r}.", param="judged"
            )
        found.setdefault(row["judge"], {})[key] = None if raw is None else by_key[key].improvement(raw, seed)
    if not found:
        raise BadInput(f"Expected verdicts in {path}, but there are none.", param="judged")
    return found


def result_of(
    marks: Mapping[str, Mapping[Key, int | None]],
    pairs: Sequence[Pair],
    rule: Rule,
    judges: Sequence[str],
    *,
    seed: int = 42,
    resamples: int = 10_000,
) -> dict[str, Json]:
    """Means by arm and judge; the first judge decides, the others say how far he may be relied on."""
    arms = list(dict.fromkeys(pair.arm for pair in pairs))
    first = marks.get(judges[0], {})
    return {
        "rule": rule.as_json(),
        "pairs": len(pairs),
        "judges": list(judges),
        "arms": {arm: _arm(first, [pair for pair in pairs if pair.arm == arm], rule, seed, resamples) for arm in arms},
        "by_judge": {
            judge: {
                arm: spread(
                    [marks[judge].get(pair.key) for pair in pairs if pair.arm == arm and pair.key in marks[judge]],
                    seed,
                    resamples,
                )
                for arm in arms
            }
            for judge in judges
            if judge in marks
        },
        "reliability": [_reliability(judges[0], other, marks) for other in judges[1:] if other in marks],
    }


def spread(scores: Sequence[int | None], seed: int, resamples: int) -> dict[str, Json]:
    """n, mean, interval, and how many pages got better, stayed and got worse."""
    told = [score for score in scores if score is not None]
    return {
        "n": len(told),
        "unresolved": len(scores) - len(told),
        "mean": fsum(told) / len(told) if told else None,
        "ci95": list(bootstrap(told, seed=seed, resamples=resamples)) if told else None,
        "better": sum(score > 0 for score in told),
        "same": told.count(0),
        "worse": sum(score < 0 for score in told),
    }


def _arm(marks: Mapping[Key, int | None], pairs: Sequence[Pair], rule: Rule, seed: int, resamples: int) -> dict[str, Json]:
    whole = spread([marks[pair.key] for pair in pairs if pair.key in marks], seed, resamples)
    groups: dict[str, dict[str, Json]] = {}
    if rule.subgroup:
        for name in sorted({str(pair.more.get(rule.subgroup, "")) for pair in pairs}):
            own = [pair for pair in pairs if str(pair.more.get(rule.subgroup, "")) == name]
            groups[name] = spread([marks[pair.key] for pair in own if pair.key in marks], seed, resamples)
    outcome, why = _outcome(whole, groups, rule)
    return {**whole, "subgroups": groups, "outcome": outcome, "why": why}


def _outcome(whole: Mapping[str, Json], groups: Mapping[str, Mapping[str, Json]], rule: Rule) -> tuple[str, str]:
    if whole["n"] < rule.minimum:
        return UNDECIDED, f"{whole['n']} pairs were scored, and the rule wants {rule.minimum}"
    reached = _reached(whole, rule)
    if reached <= rule.threshold:
        return REJECT, f"the {_named(rule)} is {reached:.3f}, not above {rule.threshold:g}"
    for name, group in groups.items():
        if group["n"] >= rule.subgroup_minimum and (own := _reached(group, rule)) <= rule.subgroup_threshold:
            return REJECT, f"in {rule.subgroup} {name!r} the {_named(rule)} is {own:.3f}, not above {rule.subgroup_threshold:g}"
    few = [name for name, group in groups.items() if group["n"] < rule.subgroup_minimum]
    if few:
        return UNDECIDED, f"{rule.subgroup} {', '.join(map(repr, few))} has fewer than {rule.subgroup_minimum} scored pairs"
    return INTEGRATE, f"the {_named(rule)} is {reached:.3f}, above {rule.threshold:g}"


def _reached(spread: Mapping[str, Json], rule: Rule) -> float:
    return float(spread["mean"] if rule.bound == "mean" else spread["ci95"][0])


def _named(rule: Rule) -> str:
    return "mean improvement" if rule.bound == "mean" else "lower end of the mean improvement's interval"


def _reliability(first: str, second: str, marks: Mapping[str, Mapping[Key, int | None]]) -> dict[str, Json]:
    one, two = marks.get(first, {}), marks[second]
    both = [key for key in one if one[key] is not None and two.get(key) is not None]
    told = agreement([one[key] for key in both], [two[key] for key in both], ordered=SCALE)
    signs = [(_sign(one[key]), _sign(two[key])) for key in both]
    return {
        "first": first,
        "second": second,
        **told,
        "direction_agreement": sum(a == b for a, b in signs) / len(signs) if signs else None,
    }


def _sign(score: int | None) -> int:
    return 0 if not score else 1 if score > 0 else -1
