"""The JSON Schemas of the routes of memory."""

from typing import Any

from loom.serve.schemas import SPEAKER, TEXT, WHOLE, closed, of_object, or_null

STRING: dict[str, Any] = {"type": "string"}
DATE: dict[str, Any] = {"type": "string", "format": "date"}
SHARE: dict[str, Any] = {"type": "number", "minimum": 0, "maximum": 1}

TURN = closed(
    of_object(
        ["text"],
        speaker=or_null(SPEAKER),
        text={"type": "string", "pattern": "[A-Za-z0-9]", "maxLength": 100_000},
        date=or_null(DATE),
        id=or_null({"type": "string", "pattern": "^[!-.0-~]*[A-Za-z0-9]$", "minLength": 1, "maxLength": 200}),
        caption=or_null({"type": "string", "maxLength": 100_000}),
    )
)
TURNS_GIVEN = closed(of_object(["turns"], turns={"type": "array", "items": TURN, "minItems": 1, "maxItems": 1000}))
KEPT = of_object(
    ["conversation", "turns"],
    conversation=TEXT,
    turns={
        "type": "array",
        "items": of_object(["turn", "id", "state"], turn=WHOLE, id=TEXT, state={"enum": ["new", "known", "gone"]}),
    },
)
CONVERSATIONS = of_object(
    ["conversations"],
    conversations={"type": "array", "items": of_object(["conversation", "turns"], conversation=TEXT, turns=WHOLE)},
)
LISTED = of_object(
    ["turn", "id", "speaker", "text", "subjects"],
    turn=WHOLE,
    id=TEXT,
    speaker=STRING,
    text=STRING,
    date=STRING,
    caption=STRING,
    subjects={"type": "array", "items": STRING},
)
TURNS = of_object(
    ["conversation", "turns", "after"], conversation=TEXT, turns={"type": "array", "items": LISTED}, after=or_null(WHOLE)
)
QUESTION = closed(
    of_object(
        ["question"], question={"type": "string", "pattern": "[A-Za-z0-9]", "maxLength": 10_000}, speaker=or_null(SPEAKER)
    )
)
HIT = of_object(
    ["turn", "id", "subject", "speaker", "date", "cover"],
    turn=WHOLE,
    id=TEXT,
    subject=STRING,
    speaker=STRING,
    date=or_null(STRING),
    cover=SHARE,
)
RECALLED = of_object(
    ["conversation", "subjects", "confidence", "silent", "hits", "context"],
    conversation=TEXT,
    subjects={"type": "array", "items": STRING},
    confidence=SHARE,
    silent=or_null(STRING),
    hits={"type": "array", "items": HIT},
    context=STRING,
)
FORGOTTEN = of_object(["turns"], turns=WHOLE)
LINES = STRING
LINE: dict[str, Any] = {
    "type": "string",
    "pattern": '^\\{"conversation":"[a-z]{2,9}","speaker":"[A-Z][a-z]{2,9}","text":"[a-z]{3,9} [a-z]{3,9}"\\}$',
}
"""The plainest of exports: one turn a line."""
IMPORTED = of_object(
    ["format", "conversations", "faults"],
    format=TEXT,
    conversations={
        "type": "array",
        "items": of_object(["conversation", "turns", "new"], conversation=TEXT, turns=WHOLE, new=WHOLE),
    },
    faults={"type": "array", "items": of_object(["where", "message"], where=TEXT, message=TEXT)},
)
