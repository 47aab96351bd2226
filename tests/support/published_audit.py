"""Saved verdicts with the counts of a published audit: the frame, the sample, every label and what became of every quote.

How the errors fell over questions and models was not published; here they are spread so that the intervals come out as
published. Clusters are as many as published: 184 questions in the credited stratum, 59 in the omitted one, ten models.
`PYTHONPATH=tests python tests/support/published_audit.py` writes `fixtures/lab/verdicts.jsonl` anew.
"""

import json
from collections.abc import Iterator
from itertools import chain
from typing import Any

from support.sources import ROOT

FILE = ROOT / "fixtures" / "lab" / "verdicts.jsonl"
FRAME = {"n11": 9865, "n10": 735, "n01": 3, "n00": 757}
MODELS = 10

WRONG = [0, 0, 1, 2, 3, 4, 4]
SIZES = [22, 25, 27, 20, 28, 19, 28, 27, 21, 23]
"""The models of the credited units that are not correct, and how many credited units each model has."""

Part = tuple[int, str, str]
"""How many verdicts have a label and a citation: first, verbatim or normalised (repaired so), conceded, none (none is due)."""

PARTS: dict[str, list[Part]] = {
    "n11": [
        (222, "correct_relation", "first"),
        (6, "correct_relation", "verbatim"),
        (5, "correct_relation", "normalised"),
        (4, "name_only", "first"),
        (1, "wrong_relation", "first"),
        (2, "absent", "none"),
    ],
    "n10": [
        (3, "correct_relation", "first"),
        (5, "negated", "first"),
        (13, "name_only", "first"),
        (14, "name_only", "conceded"),
        (85, "absent", "none"),
    ],
    "n00": [(3, "name_only", "first"), (4, "name_only", "conceded"), (53, "absent", "none")],
    "n01": [(1, "name_only", "first"), (2, "absent", "none")],
}
QUESTIONS = {"n11": 184, "n10": 59, "n00": 30, "n01": 3}
INSTEAD = {("n10", "first"): 2, ("n10", "conceded"): 3}
"""Omissions whose verdict says that another accepted item is asserted in their place, and of which kind they are."""
TEMPLATES = [("T-REL", "all", 176, 180), ("T-TAX", "all", 45, 48), ("T-COMMON", "any", 12, 12)]
"""Of the credited units, by template: correct ones and all."""


def verdicts() -> Iterator[dict[str, Any]]:
    """A line that states the frame, then 423 verdicts."""
    yield {"kind": "relation", "frame": FRAME}
    for cell, parts in PARTS.items():
        said = list(chain.from_iterable([(label, citation)] * n for n, label, citation in parts))
        models = _models(cell, len(said))
        templates = _templates(cell, [label for label, _ in said])
        left = dict(INSTEAD)
        for at, (label, citation) in enumerate(said):
            instead = label == "name_only" and left.get((cell, citation), 0) > 0
            if instead:
                left[(cell, citation)] -= 1
            template, gold_type = templates[at]
            yield {
                "kind": "relation",
                "set": "published",
                "id": f"{cell}-{(at * 41) % len(said) % QUESTIONS[cell]:03}",
                "arm": "scaffold",
                "model": f"model-{models[at]}",
                "item": at,
                "cell": cell,
                "template": template,
                "gold_type": gold_type,
                "label": label,
                "instead": instead,
                "citation": {"none": "none_due", "verbatim": "repaired", "normalised": "repaired"}.get(citation, citation),
                "quote_verbatim": citation in ("first", "verbatim"),
                "quote_normalised": citation in ("first", "verbatim", "normalised"),
                "resolved": citation != "conceded",
                "judge": "published",
            }


def _templates(cell: str, labels: list[str]) -> list[tuple[str, str]]:
    if cell != "n11":
        return [("T-REL", "all")] * len(labels)
    right = chain.from_iterable([(name, kind)] * correct for name, kind, correct, _ in TEMPLATES)
    wrong = chain.from_iterable([(name, kind)] * (n - correct) for name, kind, correct, n in TEMPLATES)
    return [next(right) if label == "correct_relation" else next(wrong) for label in labels]


def _models(cell: str, n: int) -> list[int]:
    """As many units of each model as can be; the last of the credited ones are those that are wrong."""
    last = WRONG if cell == "n11" else []
    sizes = SIZES if cell == "n11" else [n // MODELS + (model < n % MODELS) for model in range(MODELS)]
    left = [size - last.count(model) for model, size in enumerate(sizes)]
    return [model for turn in range(n) for model in range(MODELS) if left[model] > turn] + last


def text() -> str:
    return "".join(json.dumps(row) + "\n" for row in verdicts())


if __name__ == "__main__":
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(text(), encoding="utf-8")
