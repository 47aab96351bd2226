"""The write path into the corpus: assertions land, people look at dossiers, approve and reject."""

import asyncio
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, HTTPException, Path, Query, Request, Response

from loom.core.errors import BadInput, NotFound
from loom.core.proposals.assertion import assertion_of
from loom.core.proposals.dossier import APPROVED, REJECTED, STATES, WITHDRAWN
from loom.serve import exchange
from loom.serve.body import kind_of
from loom.serve.errors import NotReady
from loom.serve.proposal_schemas import (
    ASSERTIONS_GIVEN,
    DECIDED,
    DECISION_GIVEN,
    DOSSIER,
    LANDED,
    LISTED,
    MOST_ASSERTIONS,
    PROPOSAL_ID,
    TERMS,
    TOPICS,
)
from loom.serve.reply import json_response, object_of
from loom.serve.schemas import answers, or_null, takes
from loom.serve.serving import Serving

PREFIX = "/loom/proposals"
MOST, LIMIT = 1000, 100
"""Proposals of one page at most, and where the request does not say."""

ERRORS = (400, 404, 409, 413, 503)
LOCAL = "local"
"""The caller of a node that asks for no keys."""

VERBS = {"approve": APPROVED, "reject": REJECTED, "withdraw": WITHDRAWN}

Id = Annotated[str, Path(json_schema_extra=PROPOSAL_ID)]
Limit = Annotated[int, Query(ge=1, le=MOST)]
After = Annotated[
    str | None, Query(json_schema_extra=or_null(PROPOSAL_ID), description="the id of the last of the page before")
]
State = Annotated[str | None, Query(json_schema_extra=or_null({"enum": list(STATES)}), description="only those that stand so")]

Given = TypeVar("Given")


def router(serving: Serving) -> APIRouter:
    routes = APIRouter(prefix=PREFIX, tags=["proposals"])

    def desk() -> Any:
        """The desk of this node's vault. It is made for a request: it holds nothing, and reads what is on the disk by then."""
        from loom.compose_proposals import desk as composed

        if not serving.node.settings.proposals.vault:
            raise NotFound("This node takes no proposals; start it with LOOM_PROPOSALS_VAULT=FOLDER.")
        try:
            return composed(serving.node.settings, serving.node.clock)
        except BadInput as error:
            # Not the caller's fault: the settings name a vault that is not there.
            raise NotReady(error.message) from error

    async def over_corpus(work: Callable[[Any, Any], Given]) -> Given:
        """What `work` makes of the desk and the generation that is served, in a thread: it reads and writes files."""
        from loom.proposals.served import served

        found = desk()
        lease = serving.holder.take()
        try:
            return await asyncio.to_thread(lambda: work(found, served(lease.pin.generation)))
        finally:
            serving.holder.give(lease)

    @routes.post(
        "/assertions",
        summary="Put assertions on the ledger",
        openapi_extra=takes(ASSERTIONS_GIVEN),
        responses=answers(LANDED, errors=ERRORS),
    )
    async def land(request: Request) -> Response:
        """Each goes onto the page of its source, once however often it is delivered; terms are resolved against what is served. No page
        but those of the ledger changes, and nothing of them is served."""
        stated = (await object_of(request)).get("assertions")
        if not isinstance(stated, list) or not 0 < len(stated) <= MOST_ASSERTIONS:
            came = f"{len(stated):,} of them" if isinstance(stated, list) else kind_of(stated)
            raise BadInput(
                f"Expected a list of 1 to {MOST_ASSERTIONS:,} assertions as assertions, not {came}.", param="assertions"
            )
        given = [assertion_of(each, f"assertions[{number}]") for number, each in enumerate(stated)]
        landed = await over_corpus(lambda found, served: found.land(given, served))
        for result, count in (("new", landed.new), ("known", landed.known)):
            if count:
                serving.metrics.count("loom_proposals_assertions_total", result, by=count)
        return json_response(landed.as_json())

    @routes.get("/terms", summary="Terms that no page answers to", responses=answers(TERMS, errors=ERRORS))
    async def terms(request: Request, limit: Limit = LIMIT) -> Response:
        """The queue of page proposals, most frequent first: how often and where each came, and what was said with it."""
        found = await over_corpus(lambda found, served: found.open_terms(served))
        return json_response({"terms": [each.as_json() for each in found[:limit]]})

    @routes.get("/candidates", summary="What the ledger holds of each topic", responses=answers(TOPICS, errors=ERRORS))
    async def candidates(request: Request, limit: Limit = LIMIT) -> Response:
        """Candidates first. `loom proposals propose` drafts and measures them."""

        def told(found: Any, served: Any) -> dict[str, Any]:
            topics = found.topics(served)
            listed = [{**each.as_json(), "title": served.title(each.iri), "words": each.words} for each in topics[:limit]]
            return {"topics": listed, "candidates": sum(bool(each.reason) for each in topics)}

        return json_response(await over_corpus(told))

    @routes.get("", summary="Proposals and how they stand", responses=answers(LISTED, errors=ERRORS))
    async def listed(request: Request, state: State = None, after: After = None, limit: Limit = LIMIT) -> Response:
        if state is not None and state not in STATES:
            raise BadInput(f"Expected state among {', '.join(STATES)}, not {state[:40]!r}.", param="state")
        found = await asyncio.to_thread(desk().proposals)
        chosen = [each for each in found if state in (None, each.state) and each.dossier.id > (after or "")]
        further = chosen[limit - 1].dossier.id if len(chosen) > limit else None
        return json_response({"proposals": [each.brief() for each in chosen[:limit]], "after": further})

    @routes.get("/{id}", summary="A dossier: scores, provenance, diff, decisions", responses=answers(DOSSIER, errors=ERRORS))
    async def show(request: Request, id: Id) -> Response:
        if id == "assertions":  # a path of its own, which only takes assertions
            raise HTTPException(405)
        found = await asyncio.to_thread(desk().proposal, id)
        return json_response(found.as_json())

    async def decide(request: Request, id: str, verb: str) -> Response:
        given = await object_of(request)
        reason, by, overwrite = given.get("reason"), given.get("by"), given.get("overwrite")
        for name, value in (("reason", reason), ("by", by)):
            if not isinstance(value, str) and not (value is None and name == "by"):
                raise BadInput(f"Expected text as {name}, not {kind_of(value)}.", param=name)
        if not isinstance(overwrite, bool | None):
            raise BadInput(f"Expected true or false as overwrite, not {kind_of(overwrite)}.", param="overwrite")
        caller, found = exchange.of(request.scope).caller, desk()
        who = f"{by} ({caller})" if by and by.strip() and caller != LOCAL else by or caller

        def decided() -> dict[str, Any]:
            (one,) = found.decide([id], VERBS[verb], who, reason)
            sections = [] if verb == "reject" else found.regenerate(overwrite=bool(overwrite))
            return {"proposal": one.brief(), "sections": [each.as_json() for each in sections]}

        told = await asyncio.to_thread(decided)
        serving.metrics.count("loom_proposals_decisions_total", VERBS[verb])
        return json_response(told)

    @routes.post(
        "/{id}/approve",
        summary="Approve a proposal, and write its section into its page",
        openapi_extra=takes(DECISION_GIVEN),
        responses=answers(DECIDED, errors=ERRORS),
    )
    async def approve(request: Request, id: Id) -> Response:
        """All approved sections are made anew in one go; nothing outside their marks changes. The next `loom build` seals them."""
        return await decide(request, id, "approve")

    @routes.post(
        "/{id}/reject",
        summary="Reject a proposal",
        openapi_extra=takes(DECISION_GIVEN),
        responses=answers(DECIDED, errors=ERRORS),
    )
    async def reject(request: Request, id: Id) -> Response:
        """Its assertions stay on the ledger; no page changes."""
        return await decide(request, id, "reject")

    @routes.post(
        "/{id}/withdraw",
        summary="Take an approval back, and its text out of the page",
        openapi_extra=takes(DECISION_GIVEN),
        responses=answers(DECIDED, errors=ERRORS),
    )
    async def withdraw(request: Request, id: Id) -> Response:
        """What was withdrawn is gone from the pages; every other byte is as it was."""
        return await decide(request, id, "withdraw")

    return routes
