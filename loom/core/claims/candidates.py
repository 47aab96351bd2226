"""Which claims a new object is compared with: the candidate step of the contradiction check (seed 001 §3.4; specs/claims.md §4).

A claim has no more than K candidates of its domains, first those that lie elsewhere on a dimension that both concern; a signal is not
projected, and costs no call at all where it is less like any claim than nine tenths of the domain's signals are.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from loom.core.errors import BadInput
from loom.core.retrieval.nearest import UnitVectors

K = 20
"""Candidates of a new object."""
TAU, THETA = 0.5, 0.5
"""The relevance from which an object concerns a dimension, and the distance from which two lie apart on it."""
FEWEST = 5
"""Candidates below which positions are not asked."""
DECILE = 0.1
KNOWN = 10
"""Signals of a domain below which it has no floor: a tenth of fewer is nobody."""
NO_FLOOR = -1.0


@dataclass(frozen=True, slots=True)
class Position:
    """Where a claim lies on a dimension. A stale one was made under an earlier version, and does not count."""

    dimension: str
    value: object
    relevance: float
    stale: bool = False


Distance = Callable[[str, object, object], float]
"""The distance of two values on a dimension, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Pool:
    """The claims that may be candidates: their ids, their vectors by row, and the rows of each domain.

    Hand in only what may be compared: a claim that is retracted, superseded or lifted is in no domain's rows.
    """

    ids: Sequence[str]
    vectors: UnitVectors
    domains: Mapping[str, np.ndarray]

    def rows(self, domains: Collection[str]) -> np.ndarray:
        """The rows of some domains, each once, in order."""
        held = [self.domains[domain] for domain in sorted(domains) if domain in self.domains]
        return np.unique(np.concatenate(held)) if held else np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Candidates:
    """Claims to be compared with, nearest first, and their cosines. `nearest` is the cosine of the nearest claim of the domains, None
    where there is none; `positioned` whether positions chose among them."""

    ids: tuple[str, ...] = ()
    cosines: tuple[float, ...] = ()
    nearest: float | None = None
    positioned: bool = False


@dataclass(frozen=True, slots=True)
class Floors:
    """The floor of each domain; without one a signal is always compared."""

    by_domain: Mapping[str, float] = field(default_factory=dict)

    def of(self, domain: str) -> float:
        return self.by_domain.get(domain, NO_FLOOR)


def floor_of(nearest: Sequence[float]) -> float:
    """The floor of a domain: the lowest decile of its signals' cosines to their nearest claim; none for fewer than KNOWN signals."""
    if len(nearest) < KNOWN:
        return NO_FLOOR
    return float(np.quantile(np.asarray(nearest, dtype=np.float64), DECILE, method="lower"))


def for_signal(
    pool: Pool, vector: np.ndarray, domains: Collection[str], floors: Floors | None = None, *, k: int = K
) -> Candidates:
    """The claims nearest to a signal, from the floor of their domain up. `vector` is f32 of length 1."""
    _check(k)
    told = floors or Floors()
    found: dict[int, float] = {}
    nearest: float | None = None
    for domain in sorted(domains):
        rows, cosines = _nearest(pool, vector, pool.rows((domain,)), k)
        if len(rows):
            nearest = max(float(cosines[0]), NO_FLOOR if nearest is None else nearest)
        kept = cosines >= told.of(domain)
        found.update(zip(rows[kept].tolist(), cosines[kept].tolist(), strict=True))
    order = sorted(found, key=lambda row: (-found[row], pool.ids[row]))[:k]
    return Candidates(tuple(pool.ids[row] for row in order), tuple(found[row] for row in order), nearest)


def for_claim(
    pool: Pool,
    vector: np.ndarray,
    domains: Collection[str],
    own: Sequence[Position] = (),
    positions: Callable[[str], Sequence[Position]] | None = None,
    distance: Distance | None = None,
    *,
    besides: Collection[str] = (),
    k: int = K,
    tau: float = TAU,
    theta: float = THETA,
    fewest: int = FEWEST,
) -> Candidates:
    """The claims nearest to a claim, without `besides` (itself). `own` are its positions, `positions` gives those of another. Where
    fewer than `fewest` of the nearest lie apart from it on a dimension, all of the nearest are candidates."""
    _check(k)
    rows = pool.rows(domains)
    if besides:
        rows = rows[[pool.ids[row] not in besides for row in rows.tolist()]]
    found, cosines = _nearest(pool, vector, rows, k)
    if positions is not None and distance is not None:
        mine = {each.dimension: each for each in own if _concerns(each, tau)}
        apart = [at for at, row in enumerate(found.tolist()) if _apart(mine, positions(pool.ids[row]), distance, tau, theta)]
        if len(apart) >= fewest:
            return _candidates(pool, found[apart], cosines[apart], cosines, positioned=True)
    return _candidates(pool, found, cosines, cosines)


def _check(k: int) -> None:
    if k < 1:
        raise BadInput(f"Expected at least one candidate, but got k = {k}.", param="k")


def _concerns(each: Position, tau: float) -> bool:
    return not each.stale and each.value is not None and each.relevance >= tau


def _apart(mine: Mapping[str, Position], theirs: Sequence[Position], distance: Distance, tau: float, theta: float) -> bool:
    return any(
        _concerns(each, tau)
        and (own := mine.get(each.dimension)) is not None
        and distance(each.dimension, own.value, each.value) >= theta
        for each in theirs
    )


def _nearest(pool: Pool, vector: np.ndarray, rows: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """The k nearest of some rows, those of the lowest id first where several are as near. Sums of f32 only narrow down."""
    asked = pool.vectors.asked(vector)
    if not len(rows):
        return rows, np.zeros(0)
    near = np.einsum("ij,j->i", pool.vectors.rows[rows], asked)
    if len(rows) > k:
        slack = np.float32(4 * (pool.vectors.width + 1) * 2.0**-24)
        rows = rows[near >= np.partition(near, len(near) - k)[len(near) - k] - slack]
    cosines = pool.vectors.cosines(asked, rows)
    order = sorted(range(len(rows)), key=lambda at: (-cosines[at], pool.ids[int(rows[at])]))[:k]
    return rows[order], cosines[order]


def _candidates(
    pool: Pool, rows: np.ndarray, cosines: np.ndarray, every: np.ndarray, *, positioned: bool = False
) -> Candidates:
    ids = tuple(pool.ids[row] for row in rows.tolist())
    return Candidates(ids, tuple(cosines.tolist()), float(every[0]) if len(every) else None, positioned)
