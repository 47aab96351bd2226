"""What each scored row comes to, as columns: the counts of its names, its ceiling and its recall."""

from dataclasses import dataclass

import numpy as np

from loom.lab.scoring.scores import EXPOSED, EXPOSED_BESIDE, RECOVERED, RECOVERED_BESIDE, Scores


@dataclass(frozen=True, slots=True)
class Measures:
    """Columns of length rows. `n11` … `n00` are i32 counts; `compliant` counts what of n10 is an alternative that was not needed,
    because the answer names another; `reference` and `symmetric` are ceilings, `recall` what the answer scores, all f64 and NaN
    where there is no gold. An empty answer names nothing: recall 0, n11 and n01 0."""

    n11: np.ndarray
    n10: np.ndarray
    n01: np.ndarray
    n00: np.ndarray
    compliant: np.ndarray
    reference: np.ndarray
    symmetric: np.ndarray
    recall: np.ndarray


def measures(scores: Scores, *, beside: bool = False) -> Measures:
    """The columns, under the matcher of the scores, or under the one that was counted beside it."""
    cells = np.frombuffer(bytes(scores.cells), dtype=np.uint8)
    shown = (cells & (EXPOSED_BESIDE if beside else EXPOSED)) > 0
    said = (cells & (RECOVERED_BESIDE if beside else RECOVERED)) > 0
    start = np.asarray(scores.start, dtype=np.int64)
    total = np.diff(start).astype(np.int32)
    exposed, recovered, both = (_sums(each, start) for each in (shown, said, shown & said))
    enough = np.asarray(scores.any_of, dtype=bool)[np.asarray(scores.question, dtype=np.int64)]
    n10 = exposed - both
    reference = _share(exposed, total)
    return Measures(
        both,
        n10,
        recovered - both,
        total - exposed - recovered + both,
        np.where(enough & (recovered > 0), n10, 0).astype(np.int32),
        reference,
        np.where(enough & (total > 0), (exposed > 0).astype(np.float64), reference),
        np.where(enough & (total > 0), (recovered > 0).astype(np.float64), _share(recovered, total)),
    )


def _sums(cells: np.ndarray, start: np.ndarray) -> np.ndarray:
    """How many of each row's cells are set, i32."""
    upto = np.concatenate([[0], np.cumsum(cells, dtype=np.int32)])
    return np.asarray(upto[start[1:]] - upto[start[:-1]], dtype=np.int32)


def _share(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """Shares; NaN of nothing."""
    made = np.full(len(whole), np.nan)
    np.divide(part, whole, out=made, where=whole > 0)
    return made
