"""Vectors to measure indexes on: made ones that are as hard to search as the questions of a real corpus, and how hard that is."""

from pathlib import Path

import numpy as np

from loom.bench.figures import median
from loom.core.errors import BadInput
from loom.core.retrieval.nearest import UnitVectors
from loom.core.retrieval.vectors import unit_rows

WIDTH = 384
CHILDREN, STEP, AWAY, DECAY = 12, 1.3, 1.25, 0.4
"""Rows are the leaves of a tree, as concepts are: each node lies beside its parent, at STEP times the distance of the level above,
in directions of which the i-th counts i^-DECAY. A question lies beside a row, AWAY times the length of one. These were chosen so that
100,000 rows and questions to them are as hard (below) as 8,138 definitions embedded by MiniLM are: 12 local dimensions among
themselves and 28 for 97 paraphrased questions. Clusters without a tree above them are another matter: none leads to the next, and
graphs lose their way."""

NEIGHBOURS = 20
MADE_AT_ONCE = 8192


def synthetic(rows: int, questions: int, width: int = WIDTH, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Unit vectors (rows, width) of as many concepts, and of questions to them; always the same."""
    chance = np.random.default_rng(seed)
    lengths = np.arange(1, width + 1) ** -DECAY
    lengths = (lengths / np.sqrt(np.sum(lengths**2))).astype(np.float32)
    level, step = np.zeros((1, width), dtype=np.float32), np.float32(1)
    sizes = [rows]
    while sizes[0] > 1:
        sizes.insert(0, -(-sizes[0] // CHILDREN))
    for size in sizes[1:]:
        level = _beside(level[chance.integers(0, len(level), size)], step * lengths, chance)
        step *= np.float32(STEP)
    made = unit_rows(level)
    return made, unit_rows(_beside(made[chance.integers(0, rows, questions)], np.float32(AWAY) * lengths, chance))


def _beside(places: np.ndarray, lengths: np.ndarray, chance: np.random.Generator) -> np.ndarray:
    """The same places, each moved in a direction of its own; a part at a time, since a million of them fill the memory."""
    for start in range(0, len(places), MADE_AT_ONCE):
        some = places[start : start + MADE_AT_ONCE]
        some += chance.standard_normal(some.shape, dtype=np.float32) * lengths
    return places


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
