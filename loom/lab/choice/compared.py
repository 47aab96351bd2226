"""The ranker beside the judge: accuracy by population, paired tests, and where the two disagree."""

from collections.abc import Sequence
from dataclasses import dataclass

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.choice.ranking import Ranked, rank
from loom.lab.choice.task import Choice
from loom.lab.choice.threshold import Tuned, held_out, on_grid, right_at, tune

COARSE = 11
"""Steps of the grid that is shown beside the optimum."""

POOLED = "pooled"


@dataclass(frozen=True, slots=True)
class Item:
    """One choice as both made it: None declines. `held_out` says whether the ranker is right under a threshold that has not seen
    the item."""

    choice: Choice
    score: float
    ranker: str | None
    best: str
    ranker_right: bool
    held_out: bool
    judge_right: bool | None

    def as_json(self) -> dict[str, Json]:
        return {
            "id": self.choice.id,
            "population": self.choice.population,
            "answer": self.choice.answer,
            "ranker": self.ranker,
            "best": self.best,
            "score": self.score,
            "judge": self.choice.judge if self.choice.judged else None,
            "ranker_right": self.ranker_right,
            "held_out_right": self.held_out,
            "judge_right": self.judge_right,
        }


@dataclass(frozen=True, slots=True)
class Compared:
    """What came of it. `items` are in the order of the file; `as_evidence` is the optimum when exclusions count for an option."""

    items: tuple[Item, ...]
    tuned: Tuned
    grid: float
    as_evidence: Tuned
    folds: int
    seed: int

    @property
    def disagreements(self) -> list[Item]:
        """Where ranker and judge chose differently, by population and id."""
        judged = [item for item in self.items if item.choice.judged and item.ranker != item.choice.judge]
        return sorted(judged, key=lambda item: (item.choice.population, item.choice.id))

    @property
    def suspects(self) -> list[Item]:
        """Where both chose the same and the answer says otherwise: labels to look at."""
        return [
            item
            for item in self.items
            if item.choice.judged and item.ranker == item.choice.judge and item.ranker != item.choice.answer
        ]

    def as_json(self) -> dict[str, Json]:
        return {
            "disagreements": [item.as_json() for item in self.disagreements],
            "suspect_labels": [item.as_json() for item in self.suspects],
            "threshold": self.tuned.as_json(),
            "coarse_grid": {"steps": COARSE, "accuracy": self.grid},
            "exclusions_as_evidence": self.as_evidence.as_json(),
            "folds": self.folds,
            "populations": self.populations(),
        }

    def populations(self) -> dict[str, Json]:
        """By population and pooled: accuracies with their intervals, and the exact paired test of judge against ranker, whose p
        is corrected over the populations."""
        from loom.lab.statistics import holm_of

        names = sorted({item.choice.population for item in self.items})
        found = {name: _accuracy([item for item in self.items if item.choice.population == name]) for name in names}
        adjusted = holm_of({name: each["judge_against_ranker"]["p_exact"] for name, each in found.items() if "judge" in each})
        for name, p in adjusted.items():
            found[name]["judge_against_ranker"]["p_holm"] = p
        return {**found, POOLED: _accuracy(self.items)} if len(names) != 1 else {POOLED: _accuracy(self.items)}


def _accuracy(items: Sequence[Item]) -> dict[str, Json]:
    from loom.lab.statistics import mcnemar_of

    judged = [item for item in items if item.judge_right is not None]
    found: dict[str, Json] = {
        "n": len(items),
        "declining_is_right": sum(item.choice.answer is None for item in items),
        "ranker": _share([item.ranker_right for item in items]),
        "ranker_held_out": _share([item.held_out for item in items]),
    }
    if judged:
        judge = [bool(item.judge_right) for item in judged]
        found |= {
            "judged": len(judged),
            "judge": _share(judge),
            "judge_against_ranker": mcnemar_of(judge, [item.ranker_right for item in judged]).as_json(),
            "judge_against_ranker_held_out": mcnemar_of(judge, [item.held_out for item in judged]).as_json(),
        }
    return found


def _share(right: Sequence[bool]) -> dict[str, Json]:
    from loom.lab.statistics import wilson

    low, high = wilson(sum(right), len(right))
    return {"right": sum(right), "accuracy": sum(right) / len(right), "ci95": [low, high]}


def compare(choices: Sequence[Choice], *, folds: int = 10, seed: int = 42) -> Compared:
    """Rank, tune and compare. Raises BadInput."""
    if folds < 2:
        raise BadInput(f"Expected at least 2 folds, but got {folds}.", param="folds")
    ranked = [rank(choice) for choice in choices]
    columns = _columns(choices, ranked)
    tuned = tune(*columns)
    right = right_at(tuned.threshold, *columns)
    out = held_out([choice.id for choice in choices], *columns, folds=folds, seed=seed) if len(choices) > 1 else right
    items = tuple(
        Item(
            choice,
            each.score,
            each.option if each.score >= tuned.threshold else None,
            each.option,
            is_right,
            unseen,
            choice.judge == choice.answer if choice.judged else None,
        )
        for choice, each, is_right, unseen in zip(choices, ranked, right, out, strict=True)
    )
    evidence = tune(*_columns(choices, [rank(choice, exclusions_count=True) for choice in choices]))
    return Compared(items, tuned, on_grid(COARSE, *columns), evidence, min(folds, len(choices)), seed)


def _columns(choices: Sequence[Choice], ranked: Sequence[Ranked]) -> tuple[list[float], list[bool], list[bool]]:
    return (
        [each.score for each in ranked],
        [each.option == choice.answer for choice, each in zip(choices, ranked, strict=True)],
        [choice.answer is None for choice in choices],
    )
