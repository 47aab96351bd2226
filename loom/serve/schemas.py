"""The JSON Schemas that the interface description is made of."""

from collections.abc import Iterable
from typing import Any

Schema = dict[str, Any]
TEXT: Schema = {"type": "string", "minLength": 1}
WHOLE: Schema = {"type": "integer", "minimum": 0}
SWITCH: Schema = {"type": "boolean"}
SPEAKER: Schema = {"type": "string", "pattern": "^[ -.0-~]*[A-Za-z0-9][ -.0-~]*$", "minLength": 1, "maxLength": 200}
CONVERSATION: Schema = {"type": "string", "pattern": "^[A-Za-z0-9_.:@-]*[A-Za-z0-9]$", "minLength": 1, "maxLength": 200}


def of_object(required: Iterable[str] = (), **properties: Schema) -> Schema:
    schema: Schema = {"type": "object"}
    if properties:
        schema["properties"] = properties
    if required := list(required):
        schema["required"] = required
    return schema


def closed(schema: Schema) -> Schema:
    """An object with no other properties than those named."""
    return {**schema, "additionalProperties": False}


def or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


MEMORY = closed(
    of_object(
        ["conversation"],
        conversation=CONVERSATION,
        remember=or_null({"enum": [False, "user", "all"]}),
        speaker=or_null(SPEAKER),
        date=or_null({"type": "string", "format": "date"}),
    )
)
OPTIONS: dict[str, Schema] = {
    "budget": or_null({"type": "integer", "minimum": 1, "maximum": 100_000}),
    "policy": or_null({"type": "string", "enum": ["default", "reference"]}),
    "wrapper": or_null({"type": "string", "enum": ["authoritative", "incomplete", "supplement", "neutral", "bare"]}),
    "gold": or_null({"type": "array", "items": {"type": "string", "pattern": "\\S"}, "maxItems": 1000}),
    "off": or_null(SWITCH),
    "verbatim": or_null(SWITCH),
    "max_units": or_null({"type": "integer", "minimum": 1, "maximum": 64}),
    "hops": or_null({"type": "integer", "minimum": 0, "maximum": 1}),
    "prose": or_null(SWITCH),
    "context": or_null({"type": "string", "enum": ["full", "skeleton", "hydrate"]}),
    "readout": or_null({"type": "string", "enum": ["full", "core-only", "off"]}),
    "memory": or_null(MEMORY),
}
MESSAGE = of_object(
    ["role"],
    role={"type": "string", "minLength": 1},
    content={"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "object"}}, {"type": "null"}]},
)
MESSAGES: Schema = {"type": "array", "items": MESSAGE, "minItems": 1}
LOOM = closed(of_object(**OPTIONS))
CHAT = of_object(["messages"], messages=MESSAGES, model={"type": "string"}, stream=or_null(SWITCH), loom=or_null(LOOM))

ENVELOPE = of_object(
    ["error"],
    error=of_object(
        ["message", "type", "param", "code"],
        message={"type": "string"},
        type={"type": "string"},
        param=or_null({"type": "string"}),
        code=or_null({"type": "string"}),
    ),
)
PROBLEM = of_object(
    ["type", "title", "status", "detail", "error"],
    type={"type": "string"},
    title={"type": "string"},
    status={"type": "integer"},
    detail={"type": "string"},
    error={"type": "string"},
    param={"type": "string"},
    request_id={"type": "string"},
)
EVENT = of_object(["data"], data={"type": "string"})
"""One server-sent event of a stream."""

ALWAYS = (401, 403, 429)


def answers(
    schema: Schema, *, media: str = "application/json", also: dict[str, Schema] | None = None, errors: Iterable[int] = (),
    envelope: bool = False, status: Iterable[int] = (200,),
) -> dict[int | str, dict[str, Any]]:  # fmt: skip
    """The responses of one route: its success in each media type, and its errors in their one form."""
    content = {media: {"schema": schema}, **{kind: {"schema": other} for kind, other in (also or {}).items()}}
    failure = {"application/json": {"schema": ENVELOPE}} if envelope else {"application/problem+json": {"schema": PROBLEM}}
    found: dict[int | str, dict[str, Any]] = {code: {"description": "Answered", "content": content} for code in status}
    for code in sorted({*ALWAYS, *errors}):
        found[code] = {"description": "Refused", "content": failure}
    return found


def takes(schema: Schema) -> dict[str, Any]:
    """The request body of one route."""
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}
