"""What discovery reads: the claims of a domain, their texts and vectors, and what the present axes leave unexplained (seed §5.4).

It reads no standing (I13): a retracted claim shows an axis as well as an accepted one, and what standing decides, the position filter
decides with it. So claims are those of a domain whatever they stand at, and the scores that it compares have no penalty in them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from loom.core.claims.dimensions.agreement import ranks
from loom.core.claims.dimensions.registry import Floats
from loom.core.claims.network import Network
from loom.core.errors import BadInput

NEAR = 90.0
"""Percentile of the cosines of a domain's pairs of claims from which on two are close."""
PAIRS = 20


@dataclass(frozen=True, slots=True)
class Material:
    """Claims of a domain as of the start of a cycle, by id, with their propositions, and their vectors, f32 (claims, width).

    Raises BadInput where one is missing."""

    claims: tuple[str, ...]
    texts: tuple[str, ...]
    vectors: np.ndarray

    def __post_init__(self) -> None:
        count = len(self.claims)
        if len(self.texts) != count or self.vectors.ndim != 2 or len(self.vectors) != count:
            raise BadInput(
                f"Expected a text and a vector for each of {count} claims, but got {len(self.texts)} and an array of shape "
                f"{self.vectors.shape}.",
                param="material",
            )


def claims_of(network: Network, domain: str) -> tuple[str, ...]:
    """The claims that are at home in a domain, by id, whatever their standing; lifted ones restate signals and are left out."""
    state = network.state
    inside: dict[int, bool] = {}
    found = []
    for node, (name, claim, homes) in enumerate(zip(state.names, state.graph.claim, state.homes.of, strict=True)):
        if not claim or node in state.lifted:
            continue
        if homes not in inside:
            inside[homes] = domain in state.homes.domains(node)
        if inside[homes]:
            found.append(name)
    return tuple(sorted(found))


def material(claims: Sequence[str], texts: Mapping[str, str], vectors: Mapping[str, np.ndarray]) -> Material:
    """Of these claims. Raises BadInput where a text or a vector is missing."""
    for each in claims:
        if each not in texts or each not in vectors:
            raise BadInput(f"Expected a text and a vector of the claim {each}.", param="claims")
    stacked = np.stack([vectors[each] for each in claims]) if claims else np.zeros((0, 0), np.float32)
    return Material(tuple(claims), tuple(texts[each] for each in claims), stacked)


@dataclass(frozen=True, slots=True)
class Residual:
    """Two claims that are close in the embedding and that the reranker put far apart for the same queries: `apart` is the mean
    difference of their ranks, as a share of the largest there is, over the queries that scored both."""

    first: str
    second: str
    cosine: float
    apart: float


def residuals(given: Material, scores: Floats, *, count: int = PAIRS, near: float = NEAR) -> tuple[Residual, ...]:
    """The pairs that the present geometry explains least, farthest first, ties by id. `scores`, f64 (queries, claims), are s₀ + Σ w φ
    without the penalty, not a number where a query did not score a claim; a sample of a few hundred claims is meant.

    Raises BadInput where scores are of other claims."""
    size = len(given.claims)
    if scores.ndim != 2 or scores.shape[1] != size:
        raise BadInput(f"Expected scores (queries, {size}), but got an array of shape {scores.shape}.", param="scores")
    if size < 2:
        return ()
    one, other = np.triu_indices(size, 1)
    vectors = np.asarray(given.vectors, np.float64)
    cosine = np.einsum("ij,ij->i", vectors[one], vectors[other])
    close = np.flatnonzero(cosine >= np.percentile(cosine, near))
    one, other, cosine = one[close], other[close], cosine[close]
    total, seen = np.zeros(len(close)), np.zeros(len(close))
    for row in scores:
        known = np.flatnonzero(~np.isnan(row))
        if len(known) < 2:
            continue
        place = np.full(size, np.nan)
        place[known] = (ranks(row[known]) - 1.0) / (len(known) - 1)
        apart = np.abs(place[one] - place[other])
        seen += ~np.isnan(apart)
        total += np.nan_to_num(apart, nan=0.0)
    met = np.flatnonzero(seen)
    found = [
        Residual(given.claims[one[at]], given.claims[other[at]], float(cosine[at]), float(total[at] / seen[at]))
        for at in met.tolist()
    ]
    return tuple(sorted(found, key=lambda each: (-each.apart, each.first, each.second))[:count])
