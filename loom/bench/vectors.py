"""Vectors to measure indexes on: made ones that are as hard to search as the questions of a real corpus, and how hard that is."""

from pathlib import Path

import numpy as np

from loom.bench.figures import median
from loom.core.errors import BadInput
from loom.core.retrieval.nearest import UnitVectors
from loom.core.retrieval.vectors import unit_rows

WIDTH = 384
ROWS_A_CLUSTER = 20
SPREAD = 1.5
DECAY = 0.4
"""Rows lie around the centres of clusters, at `SPREAD` times the length of a centre, in directions that count less and less: the
i-th of them i^-DECAY. These three were chosen so that the difficulty below is that of 97 paraphrased questions put to 8,138
definitions embedded by MiniLM (28 and 1.39), not that of the definitions among themselves (12 and 1.8), which is easy."""

NEIGHBOURS = 20
MADE_AT_ONCE = 8192


def synthetic(rows: int, questions: int, width: int = WIDTH, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Unit vectors (rows, width) in clusters of unequal size, and questions of the same kind that are none of them."""
    chance = np.random.default_rng(seed)
    centres = unit_rows(chance.standard_normal((max(1, rows // ROWS_A_CLUSTER), width), dtype=np.float32))
    sizes = chance.pareto(1.5, len(centres)) + 1
    lengths = np.arange(1, width + 1) ** -DECAY
    lengths = (lengths / np.sqrt(np.sum(lengths**2)) * SPREAD).astype(np.float32)
    made = np.empty((rows + questions, width), dtype=np.float32)
    for start in range(0, len(made), MADE_AT_ONCE):
        some = made[start : start + MADE_AT_ONCE]
        around = chance.standard_normal(some.shape, dtype=np.float32) * lengths
        some[:] = unit_rows(centres[chance.choice(len(centres), len(some), p=sizes / sizes.sum())] + around)
    return made[:rows], made[rows:]


def loaded(file: Path) -> np.ndarray:
    """The vectors of an .npy file, one a row; raises BadInput where it is none."""
    try:
        vectors: np.ndarray = np.load(file, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise BadInput(f"Expected an .npy file of vectors, but {file} cannot be read as one.", param="vectors") from error
    if vectors.ndim != 2 or not len(vectors) or vectors.dtype.kind != "f":
        raise BadInput(
            f"Expected vectors, one a row, but {file} holds {vectors.dtype} in {vectors.ndim} dimensions.", param="vectors"
        )
    return vectors


def difficulty(vectors: UnitVectors, questions: np.ndarray) -> tuple[float, float]:
    """Median local intrinsic dimensionality (Levina and Bickel 2004, over 20 neighbours) and relative contrast (He and others
    2012: mean distance by nearest distance). The more dimensions and the less contrast, the harder for any index."""
    dimensions, contrasts = [], []
    for question in questions:
        _, cosines = vectors.search(question, NEIGHBOURS)
        near = np.sqrt(np.maximum(2 - 2 * cosines, 1e-12))
        dimensions.append(-1 / min(-1e-9, float(np.mean(np.log(near[:-1] / near[-1])))) if len(near) > 2 else 0.0)
        every = np.sqrt(np.maximum(2 - 2 * (vectors.rows @ question), 0))
        contrasts.append(float(every.mean() / near[0]) if len(near) else 0.0)
    return (median(dimensions), median(contrasts)) if dimensions else (0.0, 0.0)
