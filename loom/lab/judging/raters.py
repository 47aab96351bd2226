"""Two raters beside one another: agreement per task, how they did on what is known, where they differ, and where a model judge
stands between them."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.judging.agreeing import agreement
from loom.lab.judging.audit_result import CORRECT, rate
from loom.lab.judging.session import Sample
from loom.lab.judging.tasks import ORDER, RELATION, Item
from loom.lab.judging.votes import labels_of, read_votes

HIDDEN = frozenset(
    {"label", "score", "raw", "why", "quote", "first_quote", "citation", "resolved", "replies", "calls", "judge"}
)
"""What a line of a queue leaves out of a sample's line: what a judge said of it."""


def read_rater(path: Path, sample: Sample, *, third: bool = False) -> tuple[str, dict[str, str]]:
    """A rater's name and labels. Raises BadInput where the file is of another sample; a third rater's is of the queue."""
    head, chosen = read_votes(path)
    differing = sorted(name for name, value in sample.head.items() if head.get(name) != value)
    if differing and not third:
        raise BadInput(
            f"Expected labels of this sample, but {path} differs in {', '.join(differing)}; give the sample, --seed and "
            "--calibration that it was labelled with.",
            param="agree",
        )
    keys = [item.key for item in (*sample.items, *sample.hidden)]
    return str(head.get("rater") or path.stem), labels_of(chosen, keys)


def result_of(sample: Sample, raters: Sequence[tuple[str, Mapping[str, str]]]) -> tuple[dict[str, Json], list[Item]]:
    """The agreement of two raters, with a third's labels where they differ if there is one; and the items on which the two differ
    and nobody has decided."""
    (first, one), (_, two), *third = raters
    if len({name for name, _ in raters}) < len(raters):
        raise BadInput(f"Expected files of different raters, but {first!r} comes twice.", param="agree")
    decided = dict(third[0][1]) if third else {}
    differing = [item for item in sample.items if item.key in one and item.key in two and one[item.key] != two[item.key]]
    final = {key: label for key, label in one.items() if two.get(key) == label}
    final |= {item.key: decided[item.key] for item in differing if item.key in decided}
    tasks = list(dict.fromkeys(item.task for item in sample.items))
    return {
        "raters": [name for name, _ in raters],
        "items": len(sample.items),
        "labelled": {name: sum(item.key in labels for item in sample.items) for name, labels in raters},
        "tasks": {task: _agreed(_of(sample.items, task), task, one, two) for task in tasks},
        "calibration": {name: _calibrated(sample.hidden, labels) for name, labels in raters},
        "disagreements": len(differing),
        "decided": sum(item.key in decided for item in differing),
        "judge": {
            task: {
                **{name: _judged(_of(sample.items, task), task, labels) for name, labels in (raters[0], raters[1])},
                "both": _judged(_of(sample.items, task), task, final),
            }
            for task in tasks
            if any(item.verdict is not None for item in _of(sample.items, task))
        },
    }, [item for item in differing if item.key not in decided]


def _of(items: Iterable[Item], task: str) -> list[Item]:
    return [item for item in items if item.task == task]


def _agreed(items: Sequence[Item], task: str, one: Mapping[str, str], two: Mapping[str, str]) -> dict[str, Json]:
    keys = [item.key for item in items if item.key in one and item.key in two]
    left, right = [one[key] for key in keys], [two[key] for key in keys]
    told = agreement(left, right, ordered=ORDER[task])
    if task != RELATION:
        return told
    return {**told, "asserted_or_not": agreement(_asserted(left), _asserted(right)), "pairs": _pairs(left, right)}


def _asserted(labels: Iterable[str]) -> list[bool]:
    return [label == CORRECT for label in labels]


def _pairs(left: Sequence[str], right: Sequence[str]) -> list[Json]:
    """How often each two labels met, where they differ; most frequent first."""
    counts: dict[tuple[str, str], int] = {}
    for pair in zip(left, right, strict=True):
        if pair[0] != pair[1]:
            counts[pair] = counts.get(pair, 0) + 1
    return [{"first": a, "second": b, "n": n} for (a, b), n in sorted(counts.items(), key=lambda each: (-each[1], each[0]))]


def _calibrated(hidden: Sequence[Item], labels: Mapping[str, str]) -> dict[str, Json]:
    done = [item for item in hidden if item.key in labels]
    return {
        **rate(sum(labels[item.key] == item.known for item in done), len(done)),
        "missed": [{"known": item.known, "chosen": labels[item.key]} for item in done if labels[item.key] != item.known],
    }


def _judged(items: Sequence[Item], task: str, labels: Mapping[str, str]) -> dict[str, Json]:
    both = [item for item in items if item.verdict is not None and item.key in labels]
    left, right = [labels[item.key] for item in both], [item.verdict for item in both]
    told = agreement(left, right, ordered=ORDER[task])
    if task != RELATION:
        return told
    return {**told, "asserted_or_not": agreement(_asserted(left), _asserted(map(str, right)))}


def queue_lines(items: Iterable[Item]) -> list[dict[str, Json]]:
    """The items for a third rater, as a sample; what a judge said of them is left out."""
    return [{name: value for name, value in item.line.items() if name not in HIDDEN} for item in items]
