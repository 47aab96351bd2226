"""Times in short."""

import math
from collections.abc import Sequence

from loom.core.values import Json


def quantile(values: Sequence[float], share: float) -> float | None:
    """The value below which so large a share of them lies: one of them, by nearest rank; None of none."""
    ordered = sorted(values)
    return ordered[max(1, math.ceil(len(ordered) * share)) - 1] if ordered else None


def spread(seconds: Sequence[float], scale: float = 1.0) -> dict[str, Json]:
    """Count, p50, p95 and largest, times `scale`."""
    known = {"p50": quantile(seconds, 0.5), "p95": quantile(seconds, 0.95), "largest": max(seconds, default=None)}
    return {"count": len(seconds), **{name: None if at is None else round(at * scale, 3) for name, at in known.items()}}
