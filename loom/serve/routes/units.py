"""Concepts of the served generation, found by name and fetched by address."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from loom.answer.search import LIMIT_DEFAULT, narrowed
from loom.answer.units import MEDIA, format_for, represent
from loom.core.errors import BadInput
from loom.core.facets import FIELDS
from loom.serve import exchange, peer
from loom.serve.body import kind_of, whole
from loom.serve.reply import json_response, object_of
from loom.serve.schemas import TEXT, answers, of_object, takes
from loom.serve.serving import Serving

Address = Annotated[str, Query(min_length=1)]
Format = Annotated[str | None, Query(json_schema_extra={"enum": [*MEDIA, None]})]
NEEDLE: dict[str, Any] = {"type": "string", "pattern": "[^\\W_]", "maxLength": 512}
FILTER: dict[str, Any] = {"anyOf": [TEXT, {"type": "array", "items": TEXT}, {"type": "null"}]}
"""Described strictly, checked by the sentences of the answer room."""


def _values(name: str, given: Any) -> list[str]:
    """The values that a filter wants: a text, or a list of texts."""
    values = given if isinstance(given, list) else [given]
    for value in values:
        if not isinstance(value, str):
            raise BadInput(f"Expected a text or a list of texts as {name}, not {kind_of(value)}.", param=name)
        if not value:
            raise BadInput(
                f"Expected {name} to name a value, but got an empty text; leave {name} out to search everything.", param=name
            )
    return values


def router(serving: Serving) -> APIRouter:
    routes = APIRouter(prefix="/loom", tags=["knowledge"])
    hit = of_object(["iri", "title", "score", "why"], iri=TEXT, title=TEXT, score={"type": "number"}, why=TEXT)
    values = {"type": "array", "items": of_object(["value", "count"], value=TEXT, count={"type": "integer"})}
    found = of_object(
        ["generation", "results"],
        generation=TEXT,
        results={"type": "array", "items": hit},
        total={"type": "integer"},
        facets=of_object(**dict.fromkeys(FIELDS, values)),
    )
    either = {"anyOf": [found, {"type": "array", "items": of_object(["iri", "label"])}]}
    texts = {kind: {"type": "string"} for kind in ("text/markdown", "text/turtle")}
    unit = answers(of_object(), also={**texts, "application/ld+json": of_object()}, errors=(400, 404, 503))

    @routes.post(
        "/search",
        summary="Find concepts by name",
        openapi_extra=takes(
            of_object(
                ["text"], text=NEEDLE, limit={"type": "integer", "minimum": 1, "maximum": 200}, **dict.fromkeys(FIELDS, FILTER)
            )
        ),
        responses=answers(either, errors=(400, 404, 413, 503)),
    )
    async def find(request: Request) -> Response:
        given = await object_of(request)
        if (answer := peer.searched(serving, given)) is not None:
            return answer
        text, limit = given.get("text"), whole(given.get("limit", LIMIT_DEFAULT))
        if not isinstance(text, str):
            raise BadInput(f"Expected text to search for as text, not {kind_of(text)}.", param="text")
        if limit is None:
            raise BadInput(f"Expected a whole number as limit, not {kind_of(given['limit'])}.", param="limit")
        filters = {name: _values(name, given[name]) for name in FIELDS if given.get(name) is not None}
        lease = serving.holder.take()
        try:
            found = narrowed(lease.pin, text, limit, filters)
            return json_response({"generation": lease.pin.generation.id, **found.as_json()})
        finally:
            serving.holder.give(lease)

    async def fetch(request: Request, iri: str, format: str | None) -> Response:
        lease = serving.holder.take()
        try:
            body, media = represent(lease.pin, iri, format_for(request.headers.get("accept"), format))
        finally:
            serving.holder.give(lease)
        exchange.of(request.scope).headers.append((b"x-loom-generation", lease.pin.generation.id.encode()))
        return Response(body, headers={"content-type": media, "vary": "accept"})

    @routes.get("/units", summary="A concept by ?iri=", responses=unit)
    async def by_query(request: Request, iri: Address, format: Format = None) -> Response:
        return await fetch(request, iri, format)

    @routes.get("/units/{iri:path}", summary="A concept by its address", responses=unit)
    async def by_path(iri: str, request: Request, format: Format = None) -> Response:
        if not iri:
            raise BadInput("Expected the IRI of a concept after /loom/units/, or as ?iri=.", param="iri")
        return await fetch(request, iri, format)

    return routes
