"""What one version holds for a text, gathered in one look: the candidates of four searches, each with its score and all that is shown of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from loom.claims.axes import coefficients
from loom.core.claims.dimensions.dimension import Dimension
from loom.core.claims.dimensions.distance import Axes
from loom.core.claims.dimensions.fitted import fits_of
from loom.core.claims.dimensions.positions import Positions, positions
from loom.core.claims.dimensions.projection import Projection
from loom.core.claims.dimensions.rerank import Coefficients, phi, ranked, scores
from loom.core.claims.dimensions.rules import Rules
from loom.core.claims.judging.likeness import terms_of
from loom.core.claims.parts import Parts
from loom.core.claims.standing import Standing
from loom.core.claims.stored import StoredClaim, StoredSignal
from loom.core.claims.view import ClaimView

RERANKED = 30
"""Candidates that a cross-encoder reads: as many whatever there is, and within what a server takes at once (32 at
text-embeddings-inference)."""
DEPTH = 50
"""Candidates of each search (words and vectors, of signals and of claims)."""
RRF = 60
SETTLED = frozenset((Standing.ACCEPTED, Standing.PROPOSED))


@dataclass(frozen=True, slots=True)
class Wants:
    """What a read wants. `domains` bound it (None: whatever the text is filed under); `at_least` is a version read before."""

    text: str
    k: int = 10
    domains: tuple[str, ...] | None = None
    claims: bool = True
    signals: bool = True
    at_least: int = 0


@dataclass(frozen=True, slots=True)
class Opposed:
    """What disputes a claim: another claim, or the signal that was lifted to do so."""

    id: str
    text: str
    standing: Standing


@dataclass(frozen=True, slots=True)
class Hit:
    """Something that was found: a claim with its standing, disputes and open preconditions, or a signal. `score` is S, `base` s₀ in it;
    `cover` is the share of the question's terms that are in its text."""

    id: str
    text: str
    score: float
    base: float
    cover: float
    claim: StoredClaim | None = None
    signal: StoredSignal | None = None
    opposed: tuple[Opposed, ...] = ()

    @property
    def standing(self) -> Standing:
        return self.claim.standing if self.claim else Standing.NONE

    @property
    def preconditions(self) -> tuple[str, ...]:
        return tuple(each.text for each in self.claim.claim.context) if self.claim else ()


@dataclass(frozen=True, slots=True)
class Aim:
    """What is looked for: a text by its vector, in which domains (in all, where there are none), and where it lies on which dimensions."""

    wants: Wants
    vector: np.ndarray
    scope: tuple[str, ...]
    dimensions: Sequence[Dimension]
    query: Positions


@dataclass(frozen=True, slots=True)
class Gathered:
    """The hits of one version that a read may show, in the order of s₀: the first of all, as many as are read by a cross-encoder, then
    the best of the others. `stale` are, by claim, the dimensions whose positions were made under an earlier version."""

    version: int
    hits: tuple[Hit, ...]
    stale: Mapping[str, tuple[tuple[str, str], ...]]


@dataclass(frozen=True, slots=True)
class Gathering:
    """How candidates are scored: by which parts and rules, and by λ where none was fitted; the first `depth` are kept for a
    cross-encoder."""

    parts: Parts
    rules: Rules
    penalty: float
    depth: int = 0

    def gather(self, view: ClaimView, aim: Aim) -> Gathered:
        wants = replace(aim.wants, claims=aim.wants.claims and self.parts.claims)
        base = fused(view, wants, aim.vector, aim.scope)
        ids = sorted(base, key=lambda id: (-base[id], id))
        claims, signals = view.claims(ids), view.signals(ids)
        ids = [id for id in ids if id in claims or id in signals]
        known = _known(view, [id for id in ids if id in claims])
        s0 = np.array([base[id] for id in ids])
        found = self._scored(view, aim, ids, s0, claims, known)
        others = [at for at in ranked(found, s0).tolist() if at >= self.depth][: wants.k]
        order = [*range(min(self.depth, len(ids))), *sorted(others)]
        terms = terms_of(wants.text)
        hits = [_hit(view, ids[at], float(found[at]), float(s0[at]), terms, claims, signals) for at in order]
        return Gathered(view.version, tuple(hits), _stale(known, {each.id for each in hits}, aim.dimensions))

    def _scored(
        self,
        view: ClaimView,
        aim: Aim,
        ids: Sequence[str],
        s0: np.ndarray,
        claims: Mapping[str, StoredClaim],
        known: Sequence[Projection],
    ) -> np.ndarray:
        """S of each candidate."""
        dimensions, scope = aim.dimensions, aim.scope
        domains = sorted({each.domain for each in dimensions} | {home for each in claims.values() for home in each.home})
        held = coefficients(domains, dimensions, fits_of(view.dimensions()), self.penalty)
        if not self.parts.penalty:
            held = Coefficients(held.weights, np.zeros(len(domains)))
        unsettled = np.array([id in claims and claims[id].standing not in SETTLED for id in ids], np.float64)
        homes = np.array([[id in claims and domain in claims[id].home for domain in domains] for id in ids], np.bool_)
        places = positions(ids, dimensions, known, self.rules)
        features = (
            phi(Axes.of([each.contract for each in dimensions]), aim.query, places, self.rules)
            if dimensions
            else np.zeros((len(ids), 0))
        )
        within = np.array([domain in scope for domain in domains], np.bool_) if scope else None
        return scores(s0, features, unsettled, homes.reshape(len(ids), len(domains)), within, held)


def fused(view: ClaimView, wants: Wants, vector: np.ndarray, scope: tuple[str, ...]) -> dict[str, float]:
    """s₀ of every candidate: the ranks of four searches added up."""
    found: dict[str, float] = {}
    kinds = [kind for kind, wanted in (("signal", wants.signals), ("claim", wants.claims)) if wanted]
    for kind in kinds:
        for each in (view.words(kind, wants.text, DEPTH, scope), view.near(kind, vector, DEPTH, scope)):
            for rank, one in enumerate(each):
                found[one.id] = found.get(one.id, 0.0) + 1.0 / (RRF + rank)
    return found


def best(hits: Sequence[Hit], k: int) -> tuple[Hit, ...]:
    """The `k` best by S, ties by s₀, then as they come."""
    order = ranked(np.array([each.score for each in hits]), np.array([each.base for each in hits]))
    return tuple(hits[at] for at in order[:k].tolist())


def by_scores(scores: Sequence[float]) -> list[int]:
    """The places of scores, best first, ties as they come."""
    return sorted(range(len(scores)), key=lambda at: -scores[at])


def reordered(hits: Sequence[Hit], scores: Sequence[float]) -> list[Hit]:
    """Hits in the order of a cross-encoder's scores, ties as they come. Its scores are on no scale that positions and λ are weighed on,
    so that it hands out anew the s₀ that these hits have: the best one gets the largest, and what else is in S stays with each."""
    bases = sorted((each.base for each in hits), reverse=True)
    return [
        replace(hits[at], base=base, score=base + (hits[at].score - hits[at].base))
        for base, at in zip(bases, by_scores(scores), strict=True)
    ]


def opposed_by(view: ClaimView, claim: str) -> tuple[Opposed, ...]:
    """What disputes a claim at present, in words: of a lifted claim those of its signal."""
    live = [
        each for each in view.conflicts(claim) if each.live and each.standing not in (Standing.RETRACTED, Standing.SUPERSEDED)
    ]
    partners = view.claims([each.partner for each in live])
    said = view.signals([each.lifted for each in partners.values() if each.lifted])
    found = []
    for each in live:
        partner = partners[each.partner]
        if partner.lifted and partner.lifted in said:
            found.append(Opposed(partner.lifted, said[partner.lifted].signal.proposition, each.standing))
        else:
            found.append(Opposed(each.partner, partner.claim.proposition, each.standing))
    return tuple(found)


def _known(view: ClaimView, claims: Sequence[str]) -> list[Projection]:
    return [
        Projection(each.claim, each.dimension, each.version, each.projector, each.value, each.relevance, each.at)
        for several in view.projections(claims).values()
        for each in several
        if each.value is not None
    ]


def _hit(
    view: ClaimView,
    id: str,
    score: float,
    base: float,
    terms: frozenset[str],
    claims: Mapping[str, StoredClaim],
    signals: Mapping[str, StoredSignal],
) -> Hit:
    claim, signal = claims.get(id), signals.get(id)
    text = claim.claim.proposition if claim else signal.signal.proposition if signal else ""
    cover = len(terms & terms_of(text)) / len(terms) if terms else 0.0
    opposed = opposed_by(view, id) if claim and claim.standing is Standing.CONTESTED else ()
    return Hit(id, text, score, base, cover, claim, signal, opposed)


def _stale(
    known: Sequence[Projection], among: set[str], dimensions: Sequence[Dimension]
) -> dict[str, tuple[tuple[str, str], ...]]:
    valid = {each.id: each.valid_from for each in dimensions}
    found: dict[str, dict[tuple[str, str], None]] = {}
    for each in known:
        if each.claim in among and each.dimension in valid and each.version < valid[each.dimension]:
            found.setdefault(each.claim, {})[each.claim, each.dimension] = None
    return {claim: tuple(pairs) for claim, pairs in found.items()}
