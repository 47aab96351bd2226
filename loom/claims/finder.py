"""Finds claims and signals for a question of the chat: addresses and a confidence; the core mints what is admitted.

Nothing is remembered between finding and minting: both read the store, so that what was retracted in between is not shown.
"""

import logging
from collections.abc import Mapping, Sequence

from loom.answer.plan import Pin
from loom.claims.fast import FastPath, Hit, Reading, Wants, opposed_by
from loom.claims.workspace import Claims
from loom.core.claims.minting import HOME, Held, Told, id_of, iri_of, minted
from loom.core.claims.standing import Standing, readable
from loom.core.claims.stored import StoredClaim
from loom.core.claims.view import ClaimView
from loom.core.errors import LoomError
from loom.core.policy.policy import Policy
from loom.core.retrieval.follow import Leans, query
from loom.core.values import Candidate, Evidence, Finding, Json, Question

log = logging.getLogger(__name__)

REASON = "claim"
FLOOR, FULL = 0.5, 0.75
"""The share of a question's terms that the best hit must have for anything to be shown, and from which the whole budget is given."""
NEAR = 0.6
"""The share of the best cover from which another hit is shown beside it."""
HITS = 6


class ClaimFinder:
    """What is held and was told, as one version has it."""

    name = "claims"
    waits = True

    def __init__(self, claims: Claims, *, floor: float = FLOOR, hits: int = HITS) -> None:
        self._claims = claims
        self._floor = floor
        self._hits = hits

    async def find(self, question: Question, pin: Pin, policy: Policy) -> Finding:
        if not question.text.strip():
            return Finding(self.name)
        try:
            fast, at = await self._claims.fast(), self._claims.at()
            reading = await self._read(fast, question, at)
        except LoomError as error:
            log.error("The claims could not be read: %s", error.message)
            return Finding(self.name, reason="error", failure=error.message)
        least = reading.confidence * NEAR
        hits = [each for each in reading.hits if each.cover >= least]
        return Finding(
            self.name,
            tuple(Candidate(iri_of(each.id), each.score, self.name, REASON, HOME) for each in hits),
            confidence=reading.confidence,
            reason=REASON,
            bands=(self._floor, max(FULL, self._floor)),
            path="text",
            told=told(reading, hits),
        )

    async def _read(self, fast: FastPath, question: Question, at: str) -> Reading:
        """What a question is about, or else, where it leans on the turns before it, the question that set their topic."""
        asked = query(question.text, question.before)
        texts = [question.text] if asked.leans is not Leans.FULLY or not asked.set_by else []
        if asked.leans is not Leans.NOT and asked.set_by:
            texts.append(asked.set_by)
        for text in texts:
            reading = await fast.read(Wants(text, self._hits), at)
            await fast.shown(reading, at, claims=())  # the watch writes down what is in the block
            if reading.confidence >= self._floor:
                break
        return reading

    async def mint(self, question: Question, pin: Pin, policy: Policy, admitted: Sequence[Candidate]) -> Sequence[Evidence]:
        mine = [each for each in admitted if each.retriever == self.name and id_of(each.iri)]
        if not mine:
            return ()
        shown = await (await self._claims.store()).look(lambda view: shown_of(view, [id_of(each.iri) for each in mine]))
        return (minted(shown, mine[0]),) if shown else ()


def told(reading: Reading, hits: Sequence[Hit]) -> dict[str, Json]:
    """What may be said of a reading, shown or not."""
    return {
        "version": reading.version,
        "scope": list(reading.scope),
        "confidence": round(reading.confidence, 4),
        "hits": [_told(each) for each in hits],
    }


def _told(hit: Hit) -> dict[str, Json]:
    kind = "claim" if hit.claim else "signal"
    more: dict[str, Json] = {}
    if hit.claim:
        more = {
            "standing": hit.standing.word,
            "preconditions": len(hit.preconditions),
            "disputed_by": [each.id for each in hit.opposed],
        }
    return {"id": hit.id, "kind": kind, "score": round(hit.score, 6), "cover": round(hit.cover, 4), **more}


def shown_of(view: ClaimView, ids: Sequence[str]) -> list[Held | Told]:
    """Claims and signals as they are shown, in this order; what no longer stands is left out."""
    claims, signals = view.claims(ids), view.signals(ids)
    below = [name for each in claims.values() for just in each.claim.justifications for name in just.antecedents]
    told = _signals(view, [*ids, *below])
    found: list[Held | Told] = []
    for id in ids:
        if id in claims and readable(claims[id].standing) and not claims[id].lifted:
            found.append(_held(view, claims[id], told))
        elif id in signals and signals[id].supported:
            found.append(told[id])
    return found


def _held(view: ClaimView, each: StoredClaim, told: Mapping[str, Told]) -> Held:
    disputes = opposed_by(view, each.claim.id) if each.standing is Standing.CONTESTED else ()
    names = dict.fromkeys(name for just in each.claim.justifications for name in just.antecedents if name in told)
    return Held(
        each.claim.id,
        each.claim.proposition,
        each.standing.word,
        tuple(one.text for one in each.claim.context),
        tuple(one.text for one in disputes),
        tuple(told[name] for name in names),
    )


def _signals(view: ClaimView, ids: Sequence[str]) -> dict[str, Told]:
    """Supported signals as they are shown."""
    return {
        id: Told(id, each.signal.proposition, each.source, each.signal.observed_at)
        for id, each in view.signals(ids).items()
        if each.supported
    }
