"""How well two sets of positions agree, by ranks where values are ordered, by labels where they are not (seed §5.4)."""

import numpy as np

from loom.core.claims.dimensions.registry import Floats
from loom.core.claims.dimensions.spaces import Space


def ranks(values: Floats) -> Floats:
    """Ranks from 1, ties their mean."""
    _, which, count = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(count)
    return np.asarray((last - (count - 1) / 2.0)[which])


def spearman(a: Floats, b: Floats) -> float | None:
    """Spearman's coefficient; None where one of the two is constant."""
    if len(a) < 2:
        return None
    one, other = ranks(a), ranks(b)
    one, other = one - one.mean(), other - other.mean()
    scale = float(np.sqrt((one @ one) * (other @ other)))
    return float(np.clip(one @ other / scale, -1.0, 1.0)) if scale > 0 else None


def kappa(a: Floats, b: Floats) -> float | None:
    """Cohen's κ of two labellings; None where both have one and the same label throughout."""
    if not len(a):
        return None
    labels = np.union1d(a, b)
    chance = sum(float(np.mean(a == each)) * float(np.mean(b == each)) for each in labels)
    return (float(np.mean(a == b)) - chance) / (1.0 - chance) if chance < 1.0 else None


def agreement(space: Space, a: Floats, b: Floats) -> float | None:
    """Of codes in the same space: Spearman's coefficient where it is ordered, else κ; None where it cannot be told."""
    return spearman(a, b) if space.ordered else kappa(a, b)


def association(a_space: Space, a: Floats, b_space: Space, b: Floats) -> float | None:
    """How far one position tells the other, 0 to 1: the first canonical correlation of ranks (ordered) or labels (without order).

    Between two ordered axes that is |Spearman's coefficient|. None where one of the two is constant."""
    one, other = _basis(a_space, a), _basis(b_space, b)
    if not one.shape[1] or not other.shape[1]:
        return None
    return float(np.clip(np.linalg.svd(one.T @ other, compute_uv=False)[0], 0.0, 1.0))


def _basis(space: Space, codes: Floats) -> Floats:
    """Orthonormal columns that span what the codes say, without their mean."""
    table = ranks(codes)[:, None] if space.ordered else (codes[:, None] == np.unique(codes)[None, :]).astype(np.float64)
    left, size, _ = np.linalg.svd(table - table.mean(axis=0), full_matrices=False)
    return np.asarray(left[:, size > 1e-9 * max(1.0, float(size.max(initial=0.0)))])
