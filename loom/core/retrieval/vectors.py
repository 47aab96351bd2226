"""Vectors of length 1: making them so, finding out whether they are, and comparing two rankings."""

from collections.abc import Sequence

import numpy as np

LOOKED_AT = 256
"""Vectors whose length is measured, spread evenly over all."""

LENGTH_ERROR = 1e-3


def unit_rows(vectors: np.ndarray) -> np.ndarray:
    """The same rows as f32 of length 1; a row of zeros stays one."""
    rows = np.asarray(vectors, dtype=np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64)).astype(np.float32)
    return np.ascontiguousarray(rows / np.where(lengths > 0, lengths, np.float32(1))[:, None])


def fault_of(vectors: np.ndarray, rows: int, width: int) -> str | None:
    """Why these are not `rows` unit vectors of f32 with `width` numbers; None where they are."""
    if vectors.dtype != np.float32 or vectors.ndim != 2:
        return f"the vectors are {vectors.dtype} in {vectors.ndim} dimensions, not float32 in 2"
    if vectors.shape[1] != width:
        return f"the vectors have {vectors.shape[1]} numbers and the contract says {width}"
    if len(vectors) != rows:
        return f"there are {len(vectors)} vectors and {rows} concepts"
    some = vectors[np.linspace(0, rows - 1, min(rows, LOOKED_AT)).astype(np.int64)] if rows else vectors
    lengths = np.linalg.norm(some.astype(np.float64), axis=1)
    if not np.all(np.isfinite(lengths)) or np.any((np.abs(lengths - 1) > LENGTH_ERROR) & (lengths > 0)):
        return "the vectors are not of length 1"
    return None


def share_found(found: Sequence[int], wanted: Sequence[int]) -> float:
    """Recall: the share of `wanted` that is among `found`; 1 where nothing is wanted."""
    return len(set(found) & set(wanted)) / len(set(wanted)) if len(wanted) else 1.0
