"""Facts and units of content of the knowledge bases, filtered by what is declared and addressed by position."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from loom.answer.bases import FIELDS, LIMIT, MOST, STATED, as_csv, bases_of, listed, spans_at
from loom.answer.readings import with_readings
from loom.core.errors import BadInput
from loom.core.facts.values import STATISTICS
from loom.serve import exchange
from loom.serve.reply import json_response
from loom.serve.schemas import TEXT, answers, of_object, or_null
from loom.serve.serving import Serving

FORMATS = ("json", "csv")
STRING: dict[str, Any] = {"type": "string"}
COUNTS = ("row", "ties", "skipped")
Named = Annotated[str | None, Query(min_length=1)]
Statistic = Annotated[str | None, Query(json_schema_extra={"enum": [*STATISTICS, STATED, None]})]
Format = Annotated[str | None, Query(json_schema_extra={"enum": [*FORMATS, None]})]
Limit = Annotated[int, Query(ge=1, le=MOST)]
Offset = Annotated[int, Query(ge=0)]
At = Annotated[str | None, Query(description="a position (146, 2:26) or a range up to its end (120-180, 2:00-3:00)")]


def format_for(accept: str | None, asked: str | None) -> str:
    """`asked` wins over the Accept header; CSV where the header names it before JSON, else JSON."""
    if asked is not None:
        if asked.lower() not in FORMATS:
            raise BadInput(f"Expected one of the formats {', '.join(FORMATS)}, not {asked!r}.", param="format")
        return asked.lower()
    for part in (accept or "").lower().split(","):
        media = part.split(";")[0].strip()
        if media in ("text/csv", "application/csv"):
            return "csv"
        if media in ("application/json", "application/*", "*/*"):
            return "json"
    return "json"


def router(serving: Serving) -> APIRouter:
    routes = APIRouter(prefix="/loom", tags=["knowledge"])
    fact = of_object(FIELDS, **{field: {"type": "integer"} if field in COUNTS else STRING for field in FIELDS})
    facts = of_object(
        ["generation", "total", "offset", "facts"],
        generation=TEXT,
        total={"type": "integer"},
        offset={"type": "integer"},
        facts={"type": "array", "items": fact},
    )
    span = of_object(
        ["iri", "start", "end", "label", "text", "where"],
        **dict.fromkeys(("iri", "start", "label", "text", "where"), STRING), end=or_null(STRING),
    )  # fmt: skip
    spans = of_object(
        ["generation", "source", "at", "spans", "total"],
        generation=TEXT,
        source=of_object(["iri", "name", "title", "kind"], **dict.fromkeys(("iri", "name", "title", "kind"), STRING)),
        attribute=or_null(of_object(["name", "unit"], name=STRING, unit=STRING)),
        at=or_null(of_object(["start"], start=STRING, end=STRING)),
        spans={"type": "array", "items": span},
        total={"type": "integer"},
        readings={"type": "array", "items": fact},
        note=STRING,
    )

    @routes.get(
        "/facts",
        summary="Computed and stated values, by source, metric and statistic",
        responses=answers(facts, also={"text/csv": STRING}, errors=(400, 404, 503)),
    )
    async def facts_by(
        request: Request,
        source: Named = None,
        metric: Named = None,
        statistic: Statistic = None,
        limit: Limit = LIMIT,
        offset: Offset = 0,
        format: Format = None,
    ) -> Response:
        lease = serving.holder.take()
        try:
            generation = lease.pin.generation
            found = listed(bases_of(generation), source, metric, statistic, limit, offset)
        finally:
            serving.holder.give(lease)
        exchange.of(request.scope).headers.append((b"x-loom-generation", generation.id.encode()))
        if format_for(request.headers.get("accept"), format) == "csv":
            return Response(as_csv(found["facts"]), headers={"content-type": "text/csv; charset=utf-8", "vary": "accept"})
        answer = json_response({"generation": generation.id, **found})
        answer.headers["vary"] = "accept"
        return answer

    @routes.get(
        "/spans/{source:path}",
        summary="What a source says at a position or in a range",
        responses=answers(spans, errors=(400, 404, 503)),
    )
    async def spans_by(request: Request, source: str, at: At = None, limit: Limit = LIMIT) -> Response:
        lease = serving.holder.take()
        try:
            generation = lease.pin.generation
            held = bases_of(generation)
            if not source:
                raise BadInput("Expected the IRI or the name of a source after /loom/spans/.", param="source")
            found = with_readings(held, spans_at(held, source, at, limit))
        finally:
            serving.holder.give(lease)
        exchange.of(request.scope).headers.append((b"x-loom-generation", generation.id.encode()))
        return json_response({"generation": generation.id, **found})

    return routes
