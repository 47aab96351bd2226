"""Differences between arms with the exact bootstrap over conversations (seed 004, Table 3)."""

from collections.abc import Mapping

from loom.core.memory.finding import Floats, Truths
from loom.core.values import Json
from loom.lab.locomo.bench import Bench, Outcome
from loom.lab.statistics import enumerated
from loom.lab.statistics.enumerating import MOST_UNITS


def difference(bench: Bench, one: Outcome, other: Outcome) -> dict[str, Json]:
    """What `one` scores more than `other`, by half, with 95 % intervals over all multisets of the conversations."""
    return halves_of(bench, one.score - other.score)


def halves_of(bench: Bench, gap: Floats) -> dict[str, Json]:
    """The mean of a difference by question, by half, with its intervals."""
    return {
        "adversarial": _half(bench, gap, ~bench.answerable),
        "answerable": _half(bench, gap, bench.answerable),
    }


def _half(bench: Bench, gap: Floats, which: Truths) -> Json:
    """None where there are fewer than two conversations; beyond MOST_UNITS there is no interval."""
    talks = bench.talk[which]
    units = len(set(talks.tolist()))
    if not units:
        return None
    if not 2 <= units <= MOST_UNITS:
        return {"difference": float(gap[which].mean()), "ci": None}
    found = enumerated(gap[which].tolist(), clusters=talks.tolist())
    return {"difference": found.mean, "ci": [found.low, found.high], "draws": found.draws}


PAIRS = (
    ("graph", "vector"),
    ("scoped", "vector"),
    ("span", "vector"),
    ("graph", "scoped"),
    ("oracle", "vector"),
    ("speaker", "graph"),
    ("ours", "graph"),
    ("ours", "speaker"),
    ("model-span", "span"),
    ("model-graph", "graph"),
    ("model-graph", "model-span"),
    ("dense scoped", "dense vector"),
    ("dense graph", "dense span"),
)


def differences(bench: Bench, outcomes: Mapping[str, Outcome]) -> list[dict[str, Json]]:
    """The pairs of arms that were run."""
    return [
        {"of": one, "against": other, **difference(bench, outcomes[one], outcomes[other])}
        for one, other in PAIRS
        if one in outcomes and other in outcomes
    ]


def factorial(bench: Bench, outcomes: Mapping[str, Outcome]) -> Json:
    """The 2 × 2 of what is indexed against what may be reached, by half: main effects and their interaction."""
    if not {"vector", "scoped", "span", "graph"} <= outcomes.keys():
        return None
    found: dict[str, Json] = {}
    for name, which in (("adversarial", ~bench.answerable), ("answerable", bench.answerable)):
        mean = {arm: float(outcomes[arm].score[which].mean()) for arm in ("vector", "scoped", "span", "graph")}
        on_turns, on_spans = mean["scoped"] - mean["vector"], mean["graph"] - mean["span"]
        flat, scoped = mean["span"] - mean["vector"], mean["graph"] - mean["scoped"]
        found[name] = {
            "scope on turns": on_turns,
            "scope on spans": on_spans,
            "span, all reachable": flat,
            "span, scoped": scoped,
            "scope": (on_turns + on_spans) / 2,
            "span": (flat + scoped) / 2,
            "interaction": on_spans - on_turns,
        }
    return found
