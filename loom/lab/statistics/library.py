"""`from loom.lab import paired`: for people who have their own scores, in lists, mappings or a data frame."""

from collections.abc import Sequence
from typing import Any

from loom.core.errors import BadInput
from loom.lab.statistics.bootstrapping import RESAMPLES, SEED
from loom.lab.statistics.comparing import Compared, Drawing, Scores, answered, compare
from loom.lab.statistics.pairing import Paired
from loom.lab.statistics.pairing import paired as paired_lists


def paired(
    scores: Any = None,
    others: Any = None,
    /,
    *,
    a: Any = None,
    b: Any = None,
    by: str | None = None,
    clusters: Any = None,
    seed: int = SEED,
    resamples: int = RESAMPLES,
    confidence: float = 0.95,
    exact: bool = True,
) -> Paired | Compared:
    """Compare two arms.

    `paired([5, 4, 3], [4, 4, 1])`: two lists, paired by position.
    `paired({"q1": 5, "q2": 4}, {"q1": 4, "q2": 4})`: two mappings id → score, paired by id.
    `paired(frame, a="loom", b="raw")`: a pandas or polars frame with columns id, arm and score, and set where ids repeat
    between sets; or with a row an item and the arms as columns. With `by` (a column) the result is a comparison per group with Holm's correction, and the pooled one.

    `clusters` is a list beside two lists, a mapping by id beside two mappings, the name of a column of a frame. Missing
    scores leave their pair out. Raises BadInput.
    """
    how = Drawing(seed, resamples, confidence, exact)
    if hasattr(scores, "collect") and not hasattr(scores, "__len__"):
        raise BadInput("Expected a frame that is in memory, but got a lazy one; collect it first.", param="scores")
    if hasattr(scores, "columns"):
        if others is not None or not isinstance(a, str) or not isinstance(b, str):
            raise BadInput('Expected a frame with the names of two arms, as in paired(frame, a="loom", b="raw").', param="a")
        return _framed(scores, a, b, by, clusters, how)
    first, second = (a, b) if scores is None and others is None else (scores, others)
    if by is not None:
        raise BadInput("Expected a data frame where by names a column of it, but got lists.", param="by")
    if first is None or second is None:
        raise BadInput("Expected the scores of two arms, but got those of one.", param="b")
    return paired_lists(first, second, clusters=clusters, seed=seed, resamples=resamples, confidence=confidence, exact=exact)


def _framed(frame: Any, a: str, b: str, by: str | None, cluster: Any, how: Drawing) -> Paired | Compared:
    names = [str(name) for name in frame.columns]
    if cluster is not None and not isinstance(cluster, str):
        raise BadInput("Expected clusters to be the name of a column of the frame.", param="clusters")
    wanted = [name for name in (by, cluster) if name is not None]
    if "arm" not in names and a in names and b in names and a != b:
        return _wide(frame, a, b, wanted, by, cluster, how)
    for name in ("id", "arm", "score", *wanted):
        if name not in names:
            raise BadInput(f"Expected a column {name} in the frame, but it has {', '.join(names) or 'none'}.", param=name)
    columns = {name: list(frame[name].to_list()) for name in dict.fromkeys(("id", "arm", "score", *wanted))}
    sets = list(frame["set"].to_list()) if "set" in names else [""] * len(columns["id"])
    found = Scores()
    for row, (set, id, arm, score) in enumerate(zip(sets, columns["id"], columns["arm"], columns["score"], strict=True)):
        found.add(
            (str(set), str(id)),
            str(arm),
            None if _missing(score) else score,
            {name: str(columns[name][row]) for name in wanted},
            f"row {row} of the frame",
        )
    keys = answered(found, (a, b))
    if not keys:
        raise BadInput(f"Expected ids with a score under both {a} and {b}, but there are none.", param="scores")
    result = compare(found, a, b, keys, by=by, cluster=cluster, how=how, dropped=len(found.either(a, b)) - len(keys))
    return result if by is not None or result.pooled is None else result.pooled


def _wide(
    frame: Any, a: str, b: str, wanted: Sequence[str], by: str | None, cluster: str | None, how: Drawing
) -> Paired | Compared:
    """The same of a frame with a row an item and a column an arm."""
    if missing := next((name for name in wanted if name not in frame.columns), None):
        raise BadInput(f"Expected a column {missing} in the frame, but it has none.", param=missing)
    columns = {name: list(frame[name].to_list()) for name in dict.fromkeys((a, b, *wanted))}
    found = Scores()
    for row, pair in enumerate(zip(columns[a], columns[b], strict=True)):
        fields = {name: str(columns[name][row]) for name in wanted}
        for arm, score in zip((a, b), pair, strict=True):
            found.add(("", str(row)), arm, None if _missing(score) else score, fields, f"row {row} of the frame")
    keys = answered(found, (a, b)) if found.arms else []
    if not keys:
        raise BadInput(f"Expected rows with a score under both {a} and {b}, but there are none.", param="scores")
    result = compare(found, a, b, keys, by=by, cluster=cluster, how=how, dropped=len(found.either(a, b)) - len(keys))
    return result if by is not None or result.pooled is None else result.pooled


def _missing(score: Any) -> bool:
    """Whether a frame says that there is no score: None, NaN, NA or NaT."""
    try:
        return score is None or bool(score != score)
    except TypeError:
        return True
