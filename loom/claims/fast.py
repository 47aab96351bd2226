"""The fast path: reads over what is there already (seed 001 §§6, 7; specs/claims.md §§7, 8).

A read makes the same few small calls however much there is: one vector of the text, one filing for its scope, one placing a dimension
that queries may be placed on, one reading of the best candidates by a cross-encoder where there is one, and where what was found is weak and the part `hyde` is on, one passage that is supposed, with its
vector: the mean of both is searched by then (Gao, Ma, Lin and Callan 2023).
It writes nothing but bookkeeping: what was shown, what is to be projected again, what was passed on.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from loom.claims.axes import active, held
from loom.claims.drafting import row
from loom.claims.gathering import RERANKED, SETTLED, Aim, Gathered, Gathering, Hit, Opposed, Wants, best, opposed_by, reordered
from loom.claims.judges import Judges
from loom.claims.noting import Notebook
from loom.core.claims.dimensions.dimension import Dimension
from loom.core.claims.dimensions.judging import axis_of
from loom.core.claims.dimensions.positions import Positions, asked
from loom.core.claims.dimensions.rules import DEFAULT, Rules
from loom.core.claims.intake.ids import content_id
from loom.core.claims.judging.asked import Placing
from loom.core.claims.judging.calls import Judged, Unjudged
from loom.core.claims.judging.given import Placed
from loom.core.claims.parts import Parts
from loom.core.claims.reach import GENERAL
from loom.core.claims.records import Domain
from loom.core.claims.stored import CallRow, Notes
from loom.core.errors import LoomError
from loom.core.retrieval.vectors import unit_rows
from loom.core.values import Json
from loom.ports import ClaimStore

__all__ = ["PENALTY", "SETTLED", "WEAK", "FastPath", "Hit", "Opposed", "Reading", "Wants", "opposed_by"]

log = logging.getLogger(__name__)

PENALTY = 0.002
"""λ where none was fitted: about what ten places at the depth of twenty cost."""
WEAK = 0.5
"""The confidence of a read below which a passage is supposed, where the workspace states no other: below it a chat is shown nothing."""
HYDE = "hyde"
"""The line of the ledger of supposed passages, and what such a read is called in the log of escalations."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one version has to say of a text. `scope` are the domains that it was looked for in, empty where everywhere; `escalated` is
    what the log of escalations is told."""

    version: int
    hits: tuple[Hit, ...]
    scope: tuple[str, ...] = ()
    stale: tuple[tuple[str, str], ...] = ()
    calls: tuple[CallRow, ...] = ()
    escalated: tuple[Json, ...] = ()

    @property
    def confidence(self) -> float:
        """How much of the question the best hit covers, from 0 to 1."""
        return _confidence(self.hits)


@dataclass(slots=True)
class _Spent:
    """What a read has cost and passed on so far, also where it then fails."""

    at: str
    calls: list[CallRow] = field(default_factory=list)
    escalated: list[Json] = field(default_factory=list)


class FastPath:
    """Reads over the newest committed version. `weak` is the confidence below which a passage is supposed, where that part is on."""

    def __init__(
        self,
        store: ClaimStore,
        judges: Judges,
        *,
        parts: Parts | None = None,
        rules: Rules = DEFAULT,
        penalty: float = PENALTY,
        weak: float = WEAK,
        notebook: Notebook | None = None,
    ) -> None:
        self._store = store
        self._notebook = notebook or Notebook(store)
        self._judges = judges
        self.parts = parts or Parts()
        self._depth = RERANKED if judges.reranking is not None else 0
        self._gathering = Gathering(self.parts, rules, penalty, self._depth)
        self._weak = weak

    async def read(self, wants: Wants, at: str = "") -> Reading:
        """Raises Unreachable where the store is older than a version read before, and Unjudged where a model could not be asked for the
        scope or the place of a text. Where none can be asked for a passage or an order, the read goes on without."""
        spent = _Spent(at)
        try:
            return await self._reading(wants, spent)
        except LoomError as failure:
            failed = failure.calls if isinstance(failure, Unjudged) else ()
            paid = [*spent.calls, *(row(call, "failed", "read", at) for call in failed)]
            if paid:
                await self._notebook.note(Notes(at, calls=paid))
            raise

    async def _reading(self, wants: Wants, spent: _Spent) -> Reading:
        vector = (await self._judges.vectors([wants.text]))[0]
        domains, rows = await self._store.look(lambda view: (view.domains(), view.dimensions()), at_least=wants.at_least)
        scope = await self._scope(wants, domains, spent)
        dimensions = active(rows) if self.parts.dimensions else []
        query = await self._placed(wants.text, dimensions, scope, spent)
        made = await self._gathered(Aim(wants, vector, scope, dimensions, query), wants.at_least)
        found = _confidence(best(made.hits, wants.k))
        if self.parts.hyde and made.hits and found < self._weak:
            passage = await self._supposed(wants.text, made.version, found, spent)
            if passage is not None:
                both = unit_rows((vector + passage)[None])[0]
                made = await self._gathered(Aim(wants, both, scope, dimensions, query), made.version)
        hits = best(await self._reranked(wants.text, made.hits, spent), wants.k)
        stale = tuple(pair for each in hits for pair in made.stale.get(each.id, ()))
        return Reading(made.version, hits, scope, stale, tuple(spent.calls), tuple(spent.escalated))

    async def shown(self, reading: Reading, at: str, *, claims: Sequence[str] | None = None) -> None:
        """Writes down that a reading was shown, or of it these claims: what may be derived anew, what is to be projected again, what
        it cost and what was passed on."""
        claims = [each.id for each in reading.hits if each.claim] if claims is None else claims
        if claims or reading.calls or reading.stale or reading.escalated:
            await self._notebook.note(
                Notes(at, shown=claims, stale=reading.stale, escalated=reading.escalated, calls=reading.calls)
            )

    async def _gathered(self, aim: Aim, at_least: int) -> Gathered:
        return await self._store.look(lambda view: self._gathering.gather(view, aim), at_least=at_least)

    async def _scope(self, wants: Wants, domains: Sequence[Domain], spent: _Spent) -> tuple[str, ...]:
        if wants.domains is not None:
            return wants.domains
        domains = [each for each in domains if each.id != GENERAL]
        if not self.parts.scope or not domains:
            return ()
        judged = await self._judges.filing.file([wants.text], domains)
        spent.calls += [row(call, "read", "read", spent.at) for call in judged.calls]
        return judged.value[0].domains

    async def _placed(self, text: str, dimensions: Sequence[Dimension], scope: tuple[str, ...], spent: _Spent) -> Positions:
        """Where the text is on the dimensions of its scope that queries may be placed on; those of other domains weigh nothing."""
        codes, relevance = np.full(len(dimensions), np.nan), np.full(len(dimensions), np.nan)
        places = [each for each in dimensions if each.distilled and (not scope or each.domain in scope)]
        if self._judges.queries is not None and places:
            judged: Judged[Sequence[Placed]] = await self._judges.queries.project(
                [Placing(axis_of(each.contract), text) for each in places]
            )
            spent.calls += [row(call, "read", "read", spent.at) for call in judged.calls]
            for each, found in zip(places, judged.value, strict=True):
                value = held(each.contract, found)
                if value is not None:
                    column = dimensions.index(each)
                    codes[column], relevance[column] = each.contract.space.code(value), found.relevance
        return asked(dimensions, codes, relevance)

    async def _supposed(self, text: str, version: int, confidence: float, spent: _Spent) -> np.ndarray | None:
        """The vector of a passage that would answer the text; None where there is none. The log is told that one was asked for, and of
        the text no more than its digest."""
        passage, vector = "", None
        try:
            if self._judges.supposing is not None:
                judged = await self._judges.supposing.suppose([text])
                spent.calls += [row(call, HYDE, "read", spent.at) for call in judged.calls]
                passage = judged.value[0].strip()
            if passage:
                vector = np.asarray((await self._judges.vectors([passage]))[0])
        except LoomError as failure:
            if isinstance(failure, Unjudged):
                spent.calls += [row(call, HYDE, "read", spent.at) for call in failure.calls]
            log.warning("No passage could be supposed, so that a read goes on without: %s", failure.message)
        told: dict[str, Json] = {
            "escalation": HYDE,
            "question": content_id("question", text),
            "version": version,
            "confidence": round(confidence, 4),
            "supposed": vector is not None,
        }
        spent.escalated.append(told)
        return vector

    async def _reranked(self, text: str, hits: Sequence[Hit], spent: _Spent) -> Sequence[Hit]:
        """Hits with their first ones as a cross-encoder orders them; as they were where there is none, or it does not answer."""
        first, rest = hits[: self._depth], hits[self._depth :]
        if self._judges.reranking is None or len(first) < 2:
            return hits
        try:
            judged = await self._judges.reranking.rerank(text, [each.text for each in first])
        except Unjudged as failure:
            spent.calls += [row(call, "read", "read", spent.at) for call in failure.calls]
            log.warning("Candidates could not be reranked, so that a read goes on without: %s", failure.message)
            return hits
        spent.calls += [row(call, "read", "read", spent.at) for call in judged.calls]
        return [*reordered(first, judged.value), *rest] if judged.value else hits


def _confidence(hits: Sequence[Hit]) -> float:
    return max((each.cover for each in hits), default=0.0)
