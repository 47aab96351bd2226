"""All that is printed of two arms of a score file: both estimands, the common intersection, what was left out and why."""

from dataclasses import dataclass
from pathlib import Path

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.statistics.bootstrapping import RESAMPLES, SEED
from loom.lab.statistics.columns import truth_of
from loom.lab.statistics.comparing import (
    Drawing,
    Key,
    Scores,
    answered,
    as_service,
    compare,
    intention_to_treat,
)
from loom.lab.statistics.equivalence import non_regression, worst
from loom.lab.statistics.pairing import differences
from loom.lab.statistics.scorefile import read_rows, read_scores, text_of

SHOWN = 20
"""The most ids that are named among those left out."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked of a score file. `resamples` of None leaves the choice: the whole bootstrap distribution where it can be
    had, else 10,000 draws; a number always draws."""

    a: str
    b: str
    by: str | None = None
    cluster: str | None = None
    engaged: str | None = None
    margin: float | None = None
    seed: int = SEED
    resamples: int | None = None
    confidence: float = 0.95

    @property
    def how(self) -> Drawing:
        resamples = RESAMPLES if self.resamples is None else self.resamples
        return Drawing(self.seed, resamples, self.confidence, self.resamples is None)


def paired_report(path: Path, wanted: Wanted) -> dict[str, Json]:
    """The result of `loom lab stats paired`. Raises BadInput."""
    if wanted.a == wanted.b:
        raise BadInput(f"Expected two different arms, but both are {wanted.a!r}.", param="b")
    columns = [name for name in (wanted.by, wanted.cluster) if name is not None]
    scores = read_scores(path, columns)
    a, b, how = wanted.a, wanted.b, wanted.how
    both = scores.pairs(a, b)
    given = answered(scores, (a, b))
    if not given:
        raise BadInput(f"Expected ids of {path} with a score under both {a} and {b}, but there are none.", param="file")

    def over(chosen: Scores, keys: list[Key]) -> dict[str, Json]:
        return compare(chosen, a, b, keys, by=wanted.by, cluster=wanted.cluster, how=how).as_json()

    found, common = over(scores, given), answered(scores, scores.arms)
    result: dict[str, Json] = {
        "a": a,
        "b": b,
        "by": wanted.by,
        **found,
        "service": found if both == given else over(as_service(scores), both),
        "common": {"arms": list(scores.arms), **(found if common == given else over(scores, common))},
        "missing": {arm: _missing(scores, arm) for arm in scores.arms},
        "dropped": _dropped(scores, wanted, both, given),
        "bootstrap": {
            "seed": how.seed,
            "resamples": how.resamples,
            "confidence": how.confidence,
            "cluster": wanted.cluster,
            "exact_where_possible": how.exact,
        },
    }
    if wanted.engaged is not None:
        result["engagement"] = _engagement(path, scores, wanted, given)
    if wanted.margin is not None:
        result["non_regression"] = _regression(scores, wanted, given, wanted.margin)
    return result


def _missing(scores: Scores, arm: str) -> dict[str, int]:
    table = scores.scored(arm)
    empty = sum(score is None for score in table.values())
    return {"rows": len(table), "scored": len(table) - empty, "empty": empty}


def _dropped(scores: Scores, wanted: Wanted, both: list[Key], given: list[Key]) -> dict[str, Json]:
    """How many items make no pair, by reason, and the first of them by name."""
    first, second = scores.scored(wanted.a), scores.scored(wanted.b)
    paired, kept = set(both), set(given)
    lone = [key for key in scores.either(wanted.a, wanted.b) if key not in paired]
    empty = [key for key in both if key not in kept]
    return {
        "only_a": sum(key in first for key in lone),
        "only_b": sum(key in second for key in lone),
        "empty": len(empty),
        "ids": [{"set": set, "id": id} for set, id in (lone + empty)[:SHOWN]],
    }


def _engagement(path: Path, scores: Scores, wanted: Wanted, given: list[Key]) -> dict[str, Json]:
    """Intention to treat: over all pairs, and over those alone for which the gate engaged."""
    column = wanted.engaged or ""
    engaged = {
        (text_of(row.get("set")), text_of(row["id"])): truth_of(row[column], column, where)
        for where, row in read_rows(path, ("id", "arm", column))
        if text_of(row["arm"]) == wanted.a
    }
    first, second = scores.scored(wanted.a), scores.scored(wanted.b)
    whole, treated = intention_to_treat(
        [first[key] for key in given], [second[key] for key in given], [engaged[key] for key in given], how=wanted.how
    )
    return {"column": column, "all": whole.as_json(), "engaged": None if treated is None else treated.as_json()}


def _regression(scores: Scores, wanted: Wanted, given: list[Key], margin: float) -> dict[str, Json]:
    """Non-regression of every group and pooled, and the group whose interval reaches furthest down."""
    first, second = scores.scored(wanted.a), scores.scored(wanted.b)
    groups: dict[str, list[Key]] = {}
    for key in given if wanted.by is not None else ():
        groups.setdefault(scores.fields[key][str(wanted.by)], []).append(key)
    found = {
        name: non_regression(
            differences([first[key] for key in keys], [second[key] for key in keys]),
            margin,
            seed=wanted.seed,
            resamples=wanted.how.resamples,
            exact=wanted.how.exact,
        )
        for name, keys in groups.items()
    }
    pooled = non_regression(
        differences([first[key] for key in given], [second[key] for key in given]),
        margin,
        seed=wanted.seed,
        resamples=wanted.how.resamples,
        exact=wanted.how.exact,
    )
    return {
        "groups": {name: each.as_json() for name, each in found.items()},
        "pooled": pooled.as_json(),
        "worst": worst(found) if found else None,
    }
