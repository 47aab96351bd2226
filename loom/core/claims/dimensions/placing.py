"""Where prototypes put a vector: the projection systems that need no projector but an embedding.

Vectors are f32 or f64 of length 1. Relevance is the cosine with the nearest prototype, cut at 0; how large it is for what concerns
an axis differs between embeddings, and so does the threshold to use with it.
"""

import numpy as np

from loom.core.claims.dimensions.contract import Contract
from loom.core.claims.dimensions.registry import Floats
from loom.core.claims.dimensions.spaces import Scalar
from loom.core.errors import BadInput


def placed(contract: Contract, prototypes: np.ndarray, vectors: np.ndarray) -> tuple[Floats, Floats]:
    """Codes and relevances, f64 (n,) each, of `vectors` (n, width); `prototypes` (p, width) are those of the contract in its order.

    Raises BadInput where the contract has another projection system or no prototype, or the vectors are others."""
    if contract.procedure.system not in ("nearest", "between"):
        raise BadInput(f"Expected the system nearest or between, but got {contract.procedure.system}.", param="projection")
    if not contract.prototypes or prototypes.shape != (len(contract.prototypes), vectors.shape[-1]):
        raise BadInput(
            f"Expected {len(contract.prototypes)} vectors of prototypes, at least one and as wide as the others, but got an array "
            f"of shape {prototypes.shape}.",
            param="prototypes",
        )
    known = np.asarray(prototypes, np.float64)
    given = np.asarray(vectors, np.float64)
    cosines = given @ known.T
    codes = np.array([contract.space.code(each.value) for each in contract.prototypes])
    relevance = np.clip(cosines.max(axis=1), 0.0, 1.0)
    if isinstance(contract.space, Scalar):
        return _between(contract.space, codes, known, given), relevance
    return codes[np.argmax(cosines, axis=1)], relevance


def _between(space: Scalar, codes: Floats, known: Floats, given: Floats) -> Floats:
    low = known[codes == space.low].mean(axis=0)
    line = known[codes == space.high].mean(axis=0) - low
    length = float(line @ line)
    share = np.full(len(given), 0.5) if length == 0 else np.clip((given - low) @ line / length, 0.0, 1.0)
    return np.asarray(space.low + share * (space.high - space.low))
