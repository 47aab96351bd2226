"""The fast path: reads over what is there already (seed 001 §§6, 7; specs/claims.md §§7, 8).

A read makes the same few small calls however much there is: one vector of the text, one filing for its scope, one placing a dimension
that queries may be placed on. It writes nothing but bookkeeping: what was shown, what is to be projected again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from loom.claims.axes import active, coefficients, held
from loom.claims.drafting import row
from loom.claims.judges import Judges
from loom.core.claims.dimensions.dimension import Dimension
from loom.core.claims.dimensions.distance import Axes
from loom.core.claims.dimensions.fitted import Fitted, fits_of
from loom.core.claims.dimensions.judging import axis_of
from loom.core.claims.dimensions.positions import Positions, asked, positions
from loom.core.claims.dimensions.projection import Projection
from loom.core.claims.dimensions.rerank import Coefficients, phi, ranked, scores
from loom.core.claims.dimensions.rules import DEFAULT, Rules
from loom.core.claims.judging.asked import Placing
from loom.core.claims.judging.calls import Judged, Unjudged
from loom.core.claims.judging.given import Placed
from loom.core.claims.judging.likeness import terms_of
from loom.core.claims.parts import Parts
from loom.core.claims.reach import GENERAL
from loom.core.claims.records import Domain
from loom.core.claims.standing import Standing
from loom.core.claims.stored import CallRow, Notes, StoredClaim, StoredSignal
from loom.core.claims.view import ClaimView
from loom.ports import ClaimStore

DEPTH = 50
"""Candidates of each of the four searches (words and vectors, of signals and of claims)."""
RRF = 60
PENALTY = 0.002
"""λ where none was fitted: about what ten places at the depth of twenty cost."""
SETTLED = frozenset((Standing.ACCEPTED, Standing.PROPOSED))


@dataclass(frozen=True, slots=True)
class Opposed:
    """What disputes a claim: another claim, or the signal that was lifted to do so."""

    id: str
    text: str
    standing: Standing


@dataclass(frozen=True, slots=True)
class Hit:
    """Something that was found: a claim with its standing, disputes and open preconditions, or a signal. `cover` is the share of the
    question's terms that are in its text."""

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
class Reading:
    """What one version has to say of a text. `scope` are the domains that it was looked for in, empty where everywhere."""

    version: int
    hits: tuple[Hit, ...]
    scope: tuple[str, ...] = ()
    stale: tuple[tuple[str, str], ...] = ()
    calls: tuple[CallRow, ...] = ()

    @property
    def confidence(self) -> float:
        """How much of the question the best hit covers, from 0 to 1."""
        return max((each.cover for each in self.hits), default=0.0)


@dataclass(frozen=True, slots=True)
class Wants:
    """What a read wants. `domains` bound it (None: whatever the text is filed under); `at_least` is a version read before."""

    text: str
    k: int = 10
    domains: tuple[str, ...] | None = None
    claims: bool = True
    signals: bool = True
    at_least: int = 0


class FastPath:
    """Reads over the newest committed version."""

    def __init__(
        self, store: ClaimStore, judges: Judges, *, parts: Parts | None = None, rules: Rules = DEFAULT, penalty: float = PENALTY
    ) -> None:
        self._store = store
        self._judges = judges
        self.parts = parts or Parts()
        self._rules = rules
        self._penalty = penalty

    async def read(self, wants: Wants, at: str = "") -> Reading:
        """Raises Unreachable where the store is older than a version read before, and Unjudged where a model could not be asked."""
        calls: list[CallRow] = []
        try:
            return await self._reading(wants, at, calls)
        except Unjudged as failure:
            paid = [*calls, *(row(call, "failed", "read", at) for call in failure.calls)]
            if paid:
                await self._store.note(Notes(at, calls=paid))
            raise

    async def _reading(self, wants: Wants, at: str, calls: list[CallRow]) -> Reading:
        vector = (await self._judges.vectors([wants.text]))[0]
        domains, rows = await self._store.look(lambda view: (view.domains(), view.dimensions()), at_least=wants.at_least)
        scope = await self._scope(wants, domains, calls, at)
        dimensions = active(rows) if self.parts.dimensions else []
        query = await self._placed(wants.text, dimensions, calls, at)
        made: Reading = await self._store.look(
            lambda view: self._read(view, wants, vector, scope, dimensions, query), at_least=wants.at_least
        )
        return Reading(made.version, made.hits, made.scope, made.stale, tuple(calls))

    async def shown(self, reading: Reading, at: str, *, claims: Sequence[str] | None = None) -> None:
        """Writes down that a reading was shown, or of it these claims: what may be derived anew, what is to be projected again, what
        it cost."""
        claims = [each.id for each in reading.hits if each.claim] if claims is None else claims
        if claims or reading.calls or reading.stale:
            await self._store.note(Notes(at, shown=claims, stale=reading.stale, calls=reading.calls))

    async def _scope(self, wants: Wants, domains: Sequence[Domain], calls: list[CallRow], at: str) -> tuple[str, ...]:
        if wants.domains is not None:
            return wants.domains
        domains = [each for each in domains if each.id != GENERAL]
        if not self.parts.scope or not domains:
            return ()
        judged = await self._judges.filing.file([wants.text], domains)
        calls += [row(call, "read", "read", at) for call in judged.calls]
        return judged.value[0].domains

    async def _placed(self, text: str, dimensions: Sequence[Dimension], calls: list[CallRow], at: str) -> Positions:
        """Where the text is on the dimensions that queries may be placed on."""
        codes, relevance = np.full(len(dimensions), np.nan), np.full(len(dimensions), np.nan)
        places = [each for each in dimensions if each.distilled]
        if self._judges.queries is not None and places:
            judged = await self._judges.queries.project([Placing(axis_of(each.contract), text) for each in places])
            calls += _rows(judged, at)
            for each, found in zip(places, judged.value, strict=True):
                value = held(each.contract, found)
                if value is not None:
                    column = dimensions.index(each)
                    codes[column], relevance[column] = each.contract.space.code(value), found.relevance
        return asked(dimensions, codes, relevance)

    def _read(
        self,
        view: ClaimView,
        wants: Wants,
        vector: np.ndarray,
        scope: tuple[str, ...],
        dimensions: Sequence[Dimension],
        query: Positions,
    ) -> Reading:
        base = fused(view, replace(wants, claims=wants.claims and self.parts.claims), vector, scope)
        ids = sorted(base, key=lambda id: (-base[id], id))
        claims, signals = view.claims(ids), view.signals(ids)
        ids = [id for id in ids if id in claims or id in signals]
        rows = view.projections([id for id in ids if id in claims])
        known = [
            Projection(each.claim, each.dimension, each.version, each.projector, each.value, each.relevance, each.at)
            for each in (one for several in rows.values() for one in several)
            if each.value is not None
        ]
        s0 = np.array([base[id] for id in ids])
        fits = fits_of(view.dimensions())
        found = self._scored(ids, s0, claims, fits, dimensions, positions(ids, dimensions, known, self._rules), query, scope)
        order = ranked(found, s0)[: wants.k].tolist()
        terms = terms_of(wants.text)
        hits = tuple(_hit(view, ids[at], float(found[at]), float(s0[at]), terms, claims, signals) for at in order)
        best = {each.id for each in hits}
        valid = {each.id: each.valid_from for each in dimensions}
        stale = tuple(
            dict.fromkeys(
                (each.claim, each.dimension)
                for each in known
                if each.claim in best and each.dimension in valid and each.version < valid[each.dimension]
            )
        )
        return Reading(view.version, hits, scope, stale)

    def _scored(
        self,
        ids: Sequence[str],
        s0: np.ndarray,
        claims: Mapping[str, StoredClaim],
        fits: dict[str, Fitted],
        dimensions: Sequence[Dimension],
        known: Positions,
        query: Positions,
        scope: tuple[str, ...],
    ) -> np.ndarray:
        """S of each candidate."""
        domains = sorted({each.domain for each in dimensions} | {home for each in claims.values() for home in each.home})
        found = coefficients(domains, dimensions, fits, self._penalty)
        if not self.parts.penalty:
            found = Coefficients(found.weights, np.zeros(len(domains)))
        unsettled = np.array([id in claims and claims[id].standing not in SETTLED for id in ids], np.float64)
        homes = np.array([[id in claims and domain in claims[id].home for domain in domains] for id in ids], np.bool_)
        features = (
            phi(Axes.of([each.contract for each in dimensions]), query, known, self._rules)
            if dimensions
            else np.zeros((len(ids), 0))
        )
        within = np.array([domain in scope for domain in domains], np.bool_) if scope else None
        return scores(s0, features, unsettled, homes.reshape(len(ids), len(domains)), within, found)


def fused(view: ClaimView, wants: Wants, vector: np.ndarray, scope: tuple[str, ...]) -> dict[str, float]:
    """s₀ of every candidate: the ranks of four searches added up."""
    found: dict[str, float] = {}
    kinds = [kind for kind, wanted in (("signal", wants.signals), ("claim", wants.claims)) if wanted]
    for kind in kinds:
        for each in (view.words(kind, wants.text, DEPTH, scope), view.near(kind, vector, DEPTH, scope)):
            for rank, one in enumerate(each):
                found[one.id] = found.get(one.id, 0.0) + 1.0 / (RRF + rank)
    return found


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


def _rows(judged: Judged[Sequence[Placed]], at: str) -> list[CallRow]:
    return [row(call, "read", "read", at) for call in judged.calls]
