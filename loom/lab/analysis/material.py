"""What an analysis starts from: rows read once, scored into columns, and what the rows say of the study that they belong to."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.row import ANSWERED, EMPTY, ERROR, Row, read_rows
from loom.lab.scoring import Scorer, Scores
from loom.lab.scoring.measures import Measures, measures

Floats = npt.NDArray[np.float64]
Truths = npt.NDArray[np.bool_]
Rows = npt.NDArray[np.int64]

ENGAGED, NOT_ENGAGED, UNTOLD = 1, 0, -1


@dataclass(slots=True)
class Beside:
    """What rows hold beside what is scored: block tokens and whether the gate engaged, a column each; and what all rows share.

    `facts` has, for every member of the rows' `study`, the distinct values in order of first appearance (few).
    """

    tokens: array[int] = field(default_factory=lambda: array("i"))
    engaged: array[int] = field(default_factory=lambda: array("b"))
    facts: dict[str, list[Json]] = field(default_factory=dict)

    def add(self, row: Row) -> None:
        size, engaged = row.showing.get("block_tokens"), row.showing.get("engaged")
        self.tokens.append(size if isinstance(size, int) and 0 <= size < 2**31 else -1)
        self.engaged.append(UNTOLD if not isinstance(engaged, bool) else int(engaged))
        for member, value in row.study.items():
            known = self.facts.setdefault(member, [])
            if value not in known and len(known) < FACTS:
                known.append(value)

    def one(self, member: str) -> Json:
        """What all rows say of a member, None where they say nothing or several things."""
        found = self.facts.get(member) or []
        return found[0] if len(found) == 1 else None


FACTS = 64


@dataclass(frozen=True, slots=True)
class Material:
    """Scored rows by place: `place[question, arm, model]` is a row or -1. `arms` and `models` are in study order; numbers in the
    columns of `scores` are those of first appearance."""

    scores: Scores
    of: Measures
    beside: Beside
    arms: tuple[str, ...]
    models: tuple[str, ...]
    place: Rows
    answered: Truths
    empty: Truths

    @property
    def gold(self) -> Truths:
        """Which rows have something to be scored by."""
        found: Truths = ~np.isnan(self.of.recall)
        return found

    def rows(self, arm: str, model: str) -> Rows:
        """The rows of an arm and a model, by question; -1 where there is none."""
        arms, models = self.scores.arms.words, self.scores.models.words
        if arm not in arms or model not in models:
            return np.full(len(self.scores.ids), -1, dtype=np.int64)
        found: Rows = self.place[:, arms.index(arm), models.index(model)]
        return found

    def there(self, arm: str, model: str) -> Rows:
        """The same without the gaps."""
        found = self.rows(arm, model)
        return found[found >= 0]

    def values(self, column: Floats, kept: Truths, arm: str, model: str) -> Floats:
        """A column by question, NaN where the arm has no row, or none that is kept."""
        rows = self.rows(arm, model)
        found: Floats = np.where((rows >= 0) & kept[rows], column[rows], np.nan)
        return found

    def labels(self, cluster: str) -> list[str] | None:
        """What each question is resampled together with; None where questions stand alone."""
        if cluster == "none":
            return None
        words = self.scores.templates.words if cluster == "template" else self.scores.domains.words
        return [words[number] for number in self.scores.column(cluster).tolist()]


Track = Callable[[Iterable[Row]], Iterable[Row]]
"""Sees the rows as they are read."""


def untracked(rows: Iterable[Row]) -> Iterable[Row]:
    return rows


def read(
    path: Path, scorer: Scorer, arms: Sequence[str] = (), models: Sequence[str] = (), track: Track = untracked
) -> Material:
    """The material of a file of rows. `arms` and `models` are the study's order; what it does not name follows. Raises BadInput."""
    beside, scores = Beside(), Scores(scorer.matcher, scorer.beside)
    for row in track(read_rows(path)):
        beside.add(row)
        scores.add(scorer(row))
    scores.check()
    size = len(scores.ids), len(scores.arms.words), len(scores.models.words)
    if np.prod(size, dtype=np.float64) > 50 * max(1_000_000, len(scores)):
        raise BadInput(
            f"Expected rows of one study, but {path} has {size[0]} questions, {size[1]} arms and {size[2]} models in "
            f"{len(scores)} rows; analyse its studies apart.",
            param="rows",
        )
    place = np.full(size, -1, dtype=np.int64)
    place[scores.column("question"), scores.column("arm"), scores.column("model")] = np.arange(len(scores))
    return Material(
        scores,
        measures(scores),
        beside,
        _ordered(arms, scores.arms.words),
        _ordered(models, scores.models.words),
        place,
        scores.having(ANSWERED),
        scores.having(EMPTY),
    )


def asked(scores: Scores) -> Truths:
    """Which rows a model was asked."""
    return scores.having(ANSWERED, EMPTY, ERROR)


def _ordered(first: Iterable[str], found: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*first, *found]))
