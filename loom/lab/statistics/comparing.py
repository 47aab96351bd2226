"""Scores of several arms: one comparison per group and pooled, under both estimands and on the common intersection."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite, nan
from typing import Any

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.statistics.bootstrapping import RESAMPLES, SEED
from loom.lab.statistics.checks import Floats, together, truths
from loom.lab.statistics.families import holm_of
from loom.lab.statistics.pairing import Paired, compared, differences

Key = tuple[str, str]
"""The set (or "") and the id of an item."""


@dataclass(slots=True)
class Scores:
    """Scores of items under arms, in order of first appearance; None is an empty answer. `fields` has what groups and
    clusters items (the columns of a score file that were asked for)."""

    arms: dict[str, dict[Key, float | None]] = field(default_factory=dict)
    fields: dict[Key, dict[str, str]] = field(default_factory=dict)

    def add(self, key: Key, arm: str, score: Any, fields: Mapping[str, str], where: str) -> None:
        """Take a score (None where the answer was empty). `where` names its place. Raises BadInput for a second score of the
        same item and arm, one that is no finite number, or an item whose fields differ between its rows."""
        table = self.arms.setdefault(arm, {})
        item = f"id {key[1]}" + (f" of set {key[0]}" if key[0] else "")
        if key in table:
            raise BadInput(f"Expected one score of {item} under {arm}, but {where} is a second one.", param="id")
        table[key] = None if score is None else _finite(score, where)
        known = self.fields.setdefault(key, dict(fields))
        for name, value in fields.items():
            if known[name] != value:
                raise BadInput(
                    f"Expected one {name} for {item} under all arms, but {where} has {value!r} where another has "
                    f"{known[name]!r}.",
                    param=name,
                )

    def scored(self, arm: str) -> dict[Key, float | None]:
        """The scores of one arm. Raises BadInput where there is none of that name."""
        if arm not in self.arms:
            raise BadInput(f"Expected an arm among {', '.join(self.arms)}, but got {arm!r}.", param="arm")
        return self.arms[arm]

    def either(self, a: str, b: str) -> list[Key]:
        """Items of one of the two arms, or of both."""
        first, second = self.scored(a), self.scored(b)
        return [key for key in self.fields if key in first or key in second]

    def pairs(self, a: str, b: str) -> list[Key]:
        """Items that both arms have, whether or not a score was given."""
        first, second = self.scored(a), self.scored(b)
        return [key for key in self.fields if key in first and key in second]


def _finite(score: Any, where: str) -> float:
    try:
        number = float(score) if not isinstance(score, bool) else nan
    except (TypeError, ValueError, OverflowError):
        number = nan
    if not isfinite(number):
        raise BadInput(f"Expected the score in {where} to be a number, but got {str(score)[:40]!r}.", param="score")
    return number


@dataclass(frozen=True, slots=True)
class Drawing:
    """How intervals are made."""

    seed: int = SEED
    resamples: int = RESAMPLES
    confidence: float = 0.95
    exact: bool = True


DRAWING = Drawing()


@dataclass(frozen=True, slots=True)
class Compared:
    """A comparison per group, Holm's correction over the groups, and the pooled one, which is in no family. None where a group
    has no pair."""

    sets: Mapping[str, Paired | None]
    pooled: Paired | None

    def as_json(self) -> dict[str, Json]:
        return {
            "sets": {name: _json(each) for name, each in self.sets.items()},
            "pooled": _json(self.pooled),
        }


EMPTY: Mapping[str, Json] = {
    "n": 0,
    "nonzero": 0,
    **dict.fromkeys(("mean", "ci95", "p_exact", "rank_biserial", "p_holm")),
    **dict.fromkeys(("wins", "losses", "ties"), 0),
}
"""What is printed of a group without a pair."""


def _json(each: Paired | None) -> dict[str, Json]:
    return dict(EMPTY) if each is None else each.as_json()


def compare(
    scores: Scores,
    a: str,
    b: str,
    keys: Sequence[Key],
    *,
    by: str | None = None,
    cluster: str | None = None,
    how: Drawing = DRAWING,
    dropped: int = 0,
) -> Compared:
    """Compare two arms on `keys`, each of which has a score under both. `by` and `cluster` name fields of the items; `dropped` is
    how many pairs were left out, for the pooled comparison to say."""
    first, second = scores.scored(a), scores.scored(b)

    def one(chosen: Sequence[Key], dropped: int = 0) -> Paired | None:
        if not chosen:
            return None
        return compared(
            differences([first[key] for key in chosen], [second[key] for key in chosen]),
            clusters=None if cluster is None else [scores.fields[key][cluster] for key in chosen],
            seed=how.seed,
            resamples=how.resamples,
            confidence=how.confidence,
            exact=how.exact,
            dropped=dropped,
        )

    groups: dict[str, list[Key]] = {}
    if by is not None:
        for key in scores.pairs(a, b):
            groups.setdefault(scores.fields[key][by], [])
        for key in keys:
            groups[scores.fields[key][by]].append(key)
    found = {name: one(chosen) for name, chosen in groups.items()}
    adjusted = holm_of({name: None if each is None else each.p_exact for name, each in found.items()})
    return Compared({name: each and each.holm(adjusted[name]) for name, each in found.items()}, one(keys, dropped))


def answered(scores: Scores, arms: Iterable[str]) -> list[Key]:
    """The common intersection: items with a score under every one of the arms."""
    tables = [scores.scored(arm) for arm in arms]
    return [key for key in scores.fields if all(table.get(key) is not None for table in tables)]


def as_service(scores: Scores) -> Scores:
    """The same where an empty answer scores 0: what the service delivers, instead of how good its answers are."""
    return Scores(
        {arm: {key: 0.0 if score is None else score for key, score in table.items()} for arm, table in scores.arms.items()},
        scores.fields,
    )


def common_ids(arms: Mapping[str, Mapping[Any, Any]]) -> list[Any]:
    """The ids that have a score (not None) under every arm, in the first arm's order. Raises BadInput without arms."""
    if not arms:
        raise BadInput("Expected at least one arm.", param="arms")
    tables = list(arms.values())
    return [id for id in tables[0] if all(table.get(id) is not None for table in tables)]


def intention_to_treat(
    a: Iterable[Any], b: Iterable[Any], engaged: Iterable[Any], *, how: Drawing = DRAWING
) -> tuple[Paired, Paired | None]:
    """Over all pairs, those kept in where the gate did not engage; and over the engaged alone (None where there are none)."""
    apart, kept = differences(a, b), truths(engaged, "engaged")
    together("pairs", len(apart), "engaged", len(kept))

    def one(found: Floats) -> Paired:
        return compared(found, seed=how.seed, resamples=how.resamples, confidence=how.confidence, exact=how.exact)

    return one(apart), one(apart[kept]) if kept.any() else None
