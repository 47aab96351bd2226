"""Results of a study as `results.json` holds them, made up: for the tests of the page that is drawn from them."""

import random
from typing import Any

ARMS = (
    "raw", "scaffold", "true", "shuffled", "masked", "irrelevant", "fluent-noise", "answer-disjoint",
    "flat-bm25", "flat-dense", "flat-fused", "graph-query", "always-inject", "entity-only",
)  # fmt: skip
CEILINGS = (0.08, 0.964, 0.955, 0.955, 0.18, 0.29, 0.17, 0.06, 0.71, 0.76, 0.82, 0.93, 0.965, 0.41)
UNHEARD = {"flat-dense": "no embeddings in this generation"}


def results(
    models: tuple[str, ...] = ("reader", "smollm2-360m", "qwen-2.5-72b-instruct"),
    arms: tuple[str, ...] = ARMS,
    domains: int = 15,
    questions: int = 510,
    judged: bool = True,
    seed: int = 42,
) -> dict[str, Any]:
    """The whole shape; `judged` says whether judges and an audit took part."""
    draw = random.Random(seed)
    ceilings = {arm: CEILINGS[ARMS.index(arm)] if arm in ARMS else 0.5 for arm in arms}
    cells = [_cell(draw, model, arm, ceilings[arm], questions) for model in models for arm in arms if arm not in UNHEARD]
    pairs = [("scaffold", "flat-fused"), ("scaffold", "graph-query"), ("scaffold", "raw"), ("true", "irrelevant")]
    pairs = [(a, b) for a, b in pairs if a in arms and b in arms]
    contrasts = [
        _contrast(draw, "primary" if at < 2 else "controls", a, b, model, estimand, questions)
        for at, (a, b) in enumerate(pairs)
        for model in models
        for estimand in ("given an answer", "service")
    ]
    groups = {"templates": ["T-REL", "T-TAX", "T-COMMON"], "domains": [f"domain {number}" for number in range(domains)]}
    return {
        "study": {
            "name": "kitchen",
            "generation": "sha256:" + "5a" * 32,
            "node": "0.1.0",
            "policy": "default",
            "wrapper": "authoritative",
            "matcher": "default",
            "seeds": {"study": seed},
            "questions": questions,
            "models": list(models),
            "arms": list(arms),
            "bare": "raw" if "raw" in arms else None,
            "grounded": "scaffold" if "scaffold" in arms else next((arm for arm in arms if arm != "raw"), None),
            "command": "loom lab report rows.jsonl",
            "resamples": 10_000,
            "cluster": "domain",
            "margin": 0.25,
        },
        "files": {"rows.jsonl": "ab" * 32},
        "ceilings": [_ceiling(draw, arm, ceilings[arm], questions) for arm in arms],
        "arms": [_flow(draw, model, arm, questions) for model in models for arm in arms],
        "cells": cells,
        **{
            member: [
                {"model": model, "arm": arm, "group": name, **_group(draw, ceilings[arm], questions // len(names))}
                for model in models
                for arm in ("raw", "scaffold")
                if arm in arms
                for name in names
            ]
            for member, names in groups.items()
        },
        "contrasts": contrasts,
        "common": {"questions": {model: questions - 40 for model in models}, "contrasts": contrasts},
        "exposure": [{"model": model, "arm": "scaffold", "points": _points(draw)} for model in models],
        "judges": [
            {"a": "judge-one", "b": "judge-two", "n": 228, "agreement": 0.81, "within_one": 0.95, "kappa": 0.62,
             "kappa_weighted": 0.84, "means": {"a": 4.31, "b": 4.18}},
        ] if judged else [],
        "audit": {
            "confusion": {
                "n11": {"correct_relation": 233, "name_only": 5, "wrong_relation": 1, "unresolved": 1},
                "n10": {"correct_relation": 11, "name_only": 9, "absent": 100},
                "n01": {"name_only": 3},
                "n00": {"absent": 60},
            },
            "readings": {
                "as_run": {
                    reading: {
                        "precision_of_credit": {"k": 233, "n": 240, "rate": 0.971},
                        "corrected": {"rate": 0.9052, "lexical": 0.931, "ci95_by_question": [0.884, 0.923], "ci95_by_model": [0.886, 0.924]},
                    }
                    for reading in ("at_its_word", "counted_absent", "dropped")
                }
            },
        } if judged else {},
        "template_seeds": [{"iri": "urn:kg", "title": "Knowledge Graph", "set": "made", "share": 1.0}],
        "omitted": [{"model": model, "names": 76, "raw": 9, "scaffold": 0, "raw, share": 9 / 76, "scaffold, share": 0.0} for model in models],
        "non_regression": [
            {
                "model": model, "outcome": "judged", "a": "scaffold", "b": "raw",
                "all": _regression(questions, 0.05), "worst": "general, engaged",
                "subgroups": {"general, engaged": _regression(47, -0.1), "general, not engaged": _regression(13, 0.0)},
            }
            for model in models
        ],
        "intention_to_treat": [
            {"model": model, "outcome": "judged", "all": {**contrasts[0]}, "engaged": {**contrasts[0]}} for model in models if contrasts
        ],
        "wrappers": {
            "items": 76,
            "outcomes": [
                {"model": models[0], "wrapper": wrapper, "n": 76, "lexical": said, **{
                    outcome: {"count": count, "share": count / 76, "ci95": [count / 90, count / 60]}
                    for outcome, count in (("recovered", said), ("omission", 60 - said), ("contradiction", 4), ("abstention", 12))
                }}
                for wrapper, said in (("authoritative", 1), ("incomplete", 5), ("supplement", 19), ("neutral", 4), ("bare", 9))
            ],
        },
        "chains": {
            "deltas": [
                {"model": model, "verdict": "positive", "b_only": 0.31, "headroom": 0.69, "mean": 0.4, "ci95": [0.31, 0.49], "n": 120}
                for model in models
            ],
            "rates": {model: {"both": {"n": 120, "recall": 0.71}, "b-only": {"n": 120, "recall": 0.31}} for model in models},
        },
        "warnings": [
            {"kind": "truncated", "text": "3.4 % of the answers of smollm2-360m in scaffold were cut off: lower confidence."},
            *({"kind": "arm", "text": f"The arm {arm} is not available: {why}."} for arm, why in UNHEARD.items() if arm in arms),
        ],
    }  # fmt: skip


def _cell(draw: random.Random, model: str, arm: str, ceiling: float, questions: int) -> dict[str, Any]:
    items = int(questions * 2.2)
    shown = round(items * ceiling * 0.967)
    kept = round(shown * draw.uniform(0.86, 0.97))
    beyond = round((items - shown) * (draw.uniform(0.05, 0.3) if arm == "raw" else draw.uniform(0, 0.01)))
    recall = ceiling * kept / shown + beyond / items if shown else beyond / items
    gain, half = recall - ceiling, draw.uniform(0.006, 0.02)
    interval = [gain - half, gain + half]
    clustered = [gain - 1.6 * half, gain + 1.5 * half]
    empty = draw.uniform(0, 0.03)
    return {
        "model": model, "arm": arm, "n": round(questions * (1 - empty)),
        "counts": {"n11": kept, "n10": shown - kept, "n01": beyond, "n00": items - shown - beyond},
        "ceiling": {"symmetric": ceiling, "reference": ceiling - 0.006, "micro": shown / items},
        "recall": {"macro": recall, "micro": (kept + beyond) / items},
        "gain": {
            "symmetric": {"mean": gain, "ci95": interval, "ci_clustered": clustered},
            "reference": {"mean": gain + 0.006, "ci95": [x + 0.006 for x in interval], "ci_clustered": [x + 0.006 for x in clustered]},
        },
        "utilisation": kept / shown if shown else None,
        "unexposed_recovery": beyond / (items - shown) if items > shown else None,
        "omission": {"all": 1 - kept / shown, "without_compliant": 0.97 - 0.97 * kept / shown, "compliant": 5} if shown else {},
        "names_per_answer": draw.uniform(2, 14), "precision": draw.uniform(0.3, 0.9), "answer_chars": draw.uniform(200, 1500),
        "effectiveness": recall * (1 - empty), "lower_confidence": "smollm" in model,
    }  # fmt: skip


def _ceiling(draw: random.Random, arm: str, ceiling: float, questions: int) -> dict[str, Any]:
    if arm in UNHEARD:
        return {"arm": arm, "questions": 0, "available": False, "note": UNHEARD[arm], "bins": []}
    bins = [0] * 12
    for _ in range(questions):
        value = min(1.0, max(0.0, draw.betavariate(max(0.3, ceiling * 6), max(0.3, (1 - ceiling) * 6))))
        bins[0 if value < 0.03 else 11 if value > 0.93 else 1 + int(value * 10)] += 1
    size = 0 if arm == "raw" else draw.uniform(900, 1400)
    return {
        "arm": arm, "questions": questions, "available": True, "symmetric": ceiling, "reference": ceiling - 0.006,
        "micro": ceiling * 0.967, "unexposed": bins[0], "bins": bins, "tokens": {"mean": size, "median": size, "max": 1500.0},
    }  # fmt: skip


def _flow(draw: random.Random, model: str, arm: str, questions: int) -> dict[str, Any]:
    if arm in UNHEARD:
        flow = dict.fromkeys(
            ("planned", "attempted", "answered", "empty", "retried", "truncated", "errors", "no_donor", "graded"), 0
        )
        return {"arm": arm, "model": model, "flow": flow, "note": UNHEARD[arm]}
    donor = draw.randrange(30) if arm in ("irrelevant", "answer-disjoint") else 0
    empty, errors = draw.randrange(20), draw.randrange(4)
    attempted = questions - donor
    answered = attempted - empty - errors
    return {
        "arm": arm, "model": model, "lower_confidence": "smollm" in model and arm == "scaffold", "note": None,
        "flow": {
            "planned": questions, "attempted": attempted, "answered": answered, "empty": empty, "retried": empty + 5,
            "truncated": 17 if "smollm" in model else draw.randrange(5), "errors": errors, "no_donor": donor, "no_block": 0,
            "graded": answered,
        },
    }  # fmt: skip


def _contrast(draw: random.Random, family: str, a: str, b: str, model: str, estimand: str, questions: int) -> dict[str, Any]:
    mean = CEILINGS[ARMS.index(a)] - CEILINGS[ARMS.index(b)] + draw.uniform(-0.1, 0.1)
    half = draw.uniform(0.02, 0.05)
    return {
        "family": family, "a": a, "b": b, "model": model, "outcome": "recall", "estimand": estimand, "n": questions - 20,
        "mean": mean, "ci95": [mean - half, mean + half], "ci_clustered": [mean - 1.5 * half, mean + 1.4 * half],
        "p_exact": 0.0004, "p_holm": 0.0012 if abs(mean) > 0.1 else 0.21, "rank_biserial": 0.6, "wins": 120, "losses": 40,
        "ties": questions - 180,
    }  # fmt: skip


def _regression(n: int, mean: float) -> dict[str, Any]:
    return {
        "n": n, "mean": mean, "margin": 0.25, "ci95": [mean - 0.08, mean + 0.08], "ci90": [mean - 0.07, mean + 0.07],
        "non_regression": True, "within_90": True, "regression_detected": False,
        "tost": {"margin": 0.25, "p": 0.001, "ci90": [mean - 0.07, mean + 0.07], "equivalent": True},
    }  # fmt: skip


def _group(draw: random.Random, ceiling: float, questions: int) -> dict[str, Any]:
    gain = draw.gauss(-0.05, 0.1)
    return {"n": questions, "ceiling": ceiling, "recall": max(0.0, ceiling + gain), "gain": gain}


def _points(draw: random.Random) -> list[list[float]]:
    steps = [0.0, 0.25, 1 / 3, 0.5, 2 / 3, 0.75, 1.0]
    return [[x, y, (1 + 60 * (x == y == 1)) * draw.randrange(1, 9)] for x in steps for y in steps if y <= x + 0.26]
