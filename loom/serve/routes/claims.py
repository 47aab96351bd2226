"""Claims, domains and dimensions: looked at by whoever may read, entered, and decided on by people."""

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response

from loom.claims.asks import STATES, Act, Describe, Shape, State, Wish, printable
from loom.claims.prov import NTRIPLES, PROV_JSON, document
from loom.claims.prov_triples import triples
from loom.claims.told import claim_as_json, shown_as_json
from loom.core.claims.dimensions.fitted import fits_of, is_fitted
from loom.core.claims.standing import Standing
from loom.core.claims.stored import Wanted
from loom.core.claims.view import ClaimView, tree
from loom.core.errors import BadInput, NotFound
from loom.serve.claiming import ERRORS, Given, claims_of, once_of, text_of, told_of, unrefused, who_of
from loom.serve.claims_schemas import (
    CLAIM_GIVEN,
    CLAIMS,
    DECIDED,
    DECISION_GIVEN,
    DIMENSION_GIVEN,
    DIMENSION_MEMBERS,
    DIMENSIONS,
    DOMAIN_GIVEN,
    DOMAINS,
    ID,
    LONGEST,
    LONGEST_NAME,
    NAME,
    PROV,
    RESOLUTION_GIVEN,
    SHOWN,
    STANDINGS,
    SUPERSEDING_GIVEN,
)
from loom.serve.reply import json_response, object_of
from loom.serve.schemas import Schema, answers, or_null, takes
from loom.serve.serving import Serving

MOST, LIMIT = 500, 100
FORMATS = ("json", "ntriples")

Limit = Annotated[int, Query(ge=1, le=MOST)]
After = Annotated[str | None, Query(json_schema_extra=or_null(ID), description="the id of the last of the page before")]
Domain = Annotated[str | None, Query(json_schema_extra=or_null(ID), description="only claims that are at home there")]
Said = Annotated[str | None, Query(json_schema_extra=or_null(NAME), description="only claims with this in them")]
One = Annotated[str | None, Query(json_schema_extra=or_null(ID), description="only this claim and all that it rests on")]
Form = Annotated[str | None, Query(json_schema_extra={"enum": [*FORMATS, None]})]
Stands = Annotated[
    list[str] | None,
    Query(
        json_schema_extra=or_null({"type": "array", "items": {"enum": list(STANDINGS)}}),
        description="only claims that stand so; may be repeated",
    ),
]
Id = Annotated[str, Path(json_schema_extra=ID)]


def router(serving: Serving) -> APIRouter:
    routes = APIRouter(prefix="/loom", tags=["claims"])

    async def decided(request: Request, given: Given, wish: Wish, act: str, claim: str = "") -> Response:
        """Puts what a person wants into the queue, and waits for the slow path."""
        claims = claims_of(serving)
        (key,) = await claims.ask([wish], once=once_of(request, given), seconds=given.seconds())
        (ask,) = await told_of(claims, [key], given.wait())
        serving.metrics.count("loom_claims_decisions_total", act)
        unrefused(ask)
        made = claim or next(iter((ask["outcome"] or {}).get("claims", [])), "")
        found = (await (await claims.store()).look(lambda view: view.claims([made]))).get(made) if made else None
        told = {"ask": ask, "claim": claim_as_json(found) if found else None}
        return json_response(told, 202 if ask["state"] == "waiting" else 200)

    async def known(*ids: str) -> None:
        """Raises NotFound where one of these is no claim."""
        found = await (await claims_of(serving).store()).look(lambda view: view.claims(ids))
        if missing := [each for each in ids if each not in found]:
            raise NotFound(f"There is no claim {missing[0][:200]}; GET /loom/claims lists them.", param="id")

    def takes_ask(given: Schema, summary: str) -> Mapping[str, Any]:
        return {
            "summary": summary, "openapi_extra": takes(given), "responses": answers(DECIDED, errors=ERRORS, status=(200, 202)),
        }  # fmt: skip

    @routes.get(
        "/claims", summary="Claims with their standing, oldest first, by page", responses=answers(CLAIMS, errors=ERRORS)
    )
    async def listed(
        request: Request, standing: Stands = None, domain: Domain = None, text: Said = None, after: After = None,
        limit: Limit = LIMIT,
    ) -> Response:  # fmt: skip
        if odd := [each for each in standing or () if each not in STANDINGS]:
            raise BadInput(f"Expected standing among {', '.join(STANDINGS)}, not {odd[0][:40]!r}.", param="standing")
        for name, value in (("domain", domain), ("text", text), ("after", after)):
            text_of(value, name, most=LONGEST_NAME)
        wanted = Wanted(
            standings=frozenset(Standing[each.upper()] for each in standing or ()),
            domain=domain or "",
            text=text or "",
            after=after or "",
            limit=limit + 1,
        )

        def read(view: ClaimView) -> dict[str, Any]:
            found = view.list_claims(wanted)
            further = found[limit - 1].claim.id if len(found) > limit else None
            return {"version": view.version, "claims": [claim_as_json(each) for each in found[:limit]], "after": further}

        return json_response(await (await claims_of(serving).store()).look(read))

    @routes.get(
        "/claims/prov",
        summary="What claims rest on, as W3C PROV",
        responses=answers(PROV, media=PROV_JSON, also={NTRIPLES: {"type": "string"}}, errors=ERRORS),
    )
    async def prov(
        request: Request, claim: One = None, after: After = None, limit: Limit = LIMIT, format: Form = None
    ) -> Response:
        """PROV-JSON, or PROV-O as N-Triples (`?format=ntriples`, or by `Accept`). Of one claim with everything below it, or of all, a
        page at a time: the header `Link` names the next."""
        if format is not None and format not in FORMATS:
            raise BadInput(f"Expected format among {', '.join(FORMATS)}, not {format[:40]!r}.", param="format")
        as_triples = format == "ntriples" or (format is None and NTRIPLES in request.headers.get("accept", ""))
        store = await claims_of(serving).store()
        made, further = await store.look(lambda view: document(view, claim=claim or "", after=after or "", limit=limit))
        headers = {"vary": "accept"}
        if further:
            url = request.url.include_query_params(after=further)
            headers["link"] = f'<{url.path}?{url.query}>; rel="next"'
        if as_triples:
            return Response(triples(made), media_type=NTRIPLES, headers=headers)
        answer = json_response(made)
        answer.headers.update(headers)
        return answer

    @routes.get("/claims/{id}", summary="A claim with all that it rests on", responses=answers(SHOWN, errors=ERRORS))
    async def show(request: Request, id: Id) -> Response:
        """Its justifications down to signals and entries, what disputes it, what it assumes, how its standing moved, where it lies on
        dimensions, and what rests on it."""
        return json_response(await (await claims_of(serving).store()).look(lambda view: shown_as_json(view, tree(view, id))))

    @routes.post("/claims", **takes_ask(CLAIM_GIVEN, "Enter a claim"))
    async def enter(request: Request) -> Response:
        """It rests on what was said and on what it `cites`; what it `assumes` is looked for, and printed where nothing says so."""
        given = Given(await object_of(request), tuple(CLAIM_GIVEN["properties"]))
        claims_of(serving)
        wish = State(
            given.text("proposition", most=LONGEST, needed=True),
            who_of(request, given),
            given.texts("cites") or (),
            given.texts("assumes", most=LONGEST) or (),
            given.texts("domains") or (),
        )
        return await decided(request, given, wish, "enter")

    async def plain(request: Request, id: str, act: str) -> Response:
        given = Given(await object_of(request), tuple(DECISION_GIVEN["properties"]))
        await known(id)
        return await decided(request, given, Act(act, id, who_of(request, given)), act, id)

    @routes.post("/claims/{id}/accept", **takes_ask(DECISION_GIVEN, "Accept a claim"))
    async def accept(request: Request, id: Id) -> Response:
        return await plain(request, id, "accept")

    @routes.post("/claims/{id}/reject", **takes_ask(DECISION_GIVEN, "Reject a claim"))
    async def reject(request: Request, id: Id) -> Response:
        """It is retracted, and so is what rests on it alone."""
        return await plain(request, id, "reject")

    @routes.post("/claims/{id}/readmit", **takes_ask(DECISION_GIVEN, "Take a rejection back"))
    async def readmit(request: Request, id: Id) -> Response:
        return await plain(request, id, "readmit")

    @routes.post("/claims/{id}/supersede", **takes_ask(SUPERSEDING_GIVEN, "Put another claim in the place of one"))
    async def supersede(request: Request, id: Id) -> Response:
        """`new` is the claim in its place; `undo` takes it back."""
        given = Given(await object_of(request), tuple(SUPERSEDING_GIVEN["properties"]))
        new = given.text("new", needed=True)
        act = "unsupersede" if given.switch("undo", False) else "supersede"
        await known(id, new)
        return await decided(request, given, Act(act, id, who_of(request, given), new), act, id)

    @routes.post("/claims/{id}/resolve", **takes_ask(RESOLUTION_GIVEN, "End a conflict"))
    async def resolve(request: Request, id: Id) -> Response:
        """One of: `spurious` names what does not contradict it; `reject` names what is wrong; `yield` says that this claim is. A signal
        that disputes a claim is named by its own id."""
        given = Given(await object_of(request), tuple(RESOLUTION_GIVEN["properties"]))
        ways = [name for name in ("spurious", "reject", "yield") if given.has(name)]
        if len(ways) != 1 or (ways == ["yield"] and not given.switch("yield", False)):
            raise BadInput(
                "Expected one of spurious or reject with the id of the other side, or yield as true.", param="resolve"
            )
        by = who_of(request, given)
        if ways == ["yield"]:
            await known(id)
            return await decided(request, given, Act("yield", id, by), "resolve", id)
        other = given.text(ways[0], needed=True)
        other = await claims_of(serving).side(id, other)
        wish = Act("spurious", id, by, other) if ways == ["spurious"] else Act("yield", other, by, id)
        return await decided(request, given, wish, "resolve", id)

    @routes.get("/domains", summary="The domains of claims", responses=answers(DOMAINS, errors=ERRORS))
    async def domains(request: Request) -> Response:
        def read(view: ClaimView) -> dict[str, Any]:
            told = [
                {
                    "id": each.id, "name": each.name, "description": each.description, "version": each.version,
                    "derived_from": each.derived_from, "created_by": each.created_by,
                }
                for each in view.domains()
            ]  # fmt: skip
            return {"version": view.version, "domains": told}

        return json_response(await (await claims_of(serving).store()).look(read))

    @routes.post("/domains", **takes_ask(DOMAIN_GIVEN, "Add a domain, or describe it anew"))
    async def describe(request: Request) -> Response:
        """Signals are filed anew under all domains."""
        given = Given(await object_of(request), tuple(DOMAIN_GIVEN["properties"]))
        claims_of(serving)
        wish = Describe(
            printable(given.text("id", needed=True)),
            given.text("name", needed=True),
            given.text("description", most=LONGEST),
            who_of(request, given),
            given.text("derived_from"),
        )
        return await decided(request, given, wish, "domain")

    @routes.get("/dimensions", summary="The dimensions of claims", responses=answers(DIMENSIONS, errors=ERRORS))
    async def dimensions(request: Request) -> Response:
        """With what the last cycle fitted in each domain."""

        def read(view: ClaimView) -> dict[str, Any]:
            rows = view.dimensions()
            told = [
                {
                    "id": each.id, "domain": each.domain, "version": each.version, "state": each.state, "pinned": each.pinned,
                    "body": each.body,
                }
                for each in rows
                if not is_fitted(each)
            ]  # fmt: skip
            fits = [
                {
                    "domain": each.domain, "weights": dict(each.weights), "penalty": each.penalty, "unfit": each.unfit,
                    "queries": each.queries, "at": each.at,
                }
                for _, each in sorted(fits_of(rows).items())
            ]  # fmt: skip
            return {"version": view.version, "dimensions": told, "fits": fits}

        return json_response(await (await claims_of(serving).store()).look(read))

    @routes.post("/dimensions", **takes_ask(DIMENSION_GIVEN, "Add a dimension, change its contract, or its state"))
    async def shape(request: Request) -> Response:
        """A `contract` with its `domain`, or a `state`: pin, unpin, retire, reconsider."""
        given = Given(await object_of(request), DIMENSION_MEMBERS)
        claims_of(serving)
        contract, state = given.object("contract"), given.choice("state", STATES)
        if (contract is None) == (not state):
            raise BadInput(f"Expected a contract or one of {', '.join(STATES)} as state, and not both.", param="contract")
        wish = Shape(
            printable(given.text("id", needed=True)),
            who_of(request, given),
            given.text("domain", needed=contract is not None),
            contract,
            state,
        )
        return await decided(request, given, wish, "dimension")

    return routes
