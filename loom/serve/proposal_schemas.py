"""The JSON Schemas of the routes of the write path."""

from typing import Any

from loom.core.proposals.assertion import LONGEST, LONGEST_NAME, MOST_TERMS
from loom.core.proposals.dossier import STATES
from loom.serve.schemas import SWITCH, TEXT, WHOLE, Schema, closed, of_object, or_null

MOST_ASSERTIONS = 1000
STRING: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
STRINGS: Schema = {"type": "array", "items": STRING}
WORDS: dict[str, Any] = {"type": "string", "pattern": "^[ -~]*[A-Za-z0-9][ -~]*$", "minLength": 1}
NAME: Schema = {**WORDS, "maxLength": LONGEST_NAME}
PROPOSAL_ID: Schema = {"type": "string", "pattern": "^prop-[0-9a-f]{1,16}$"}

TERM: Schema = {"anyOf": [NAME, closed(of_object(["term"], term=NAME, iri=or_null(NAME)))]}
SPAN: Schema = {"anyOf": [{"type": "string", "pattern": "^[ -~]*$", "maxLength": LONGEST}, {"type": "null"}]}
ASSERTION = closed(
    of_object(
        ["text", "source"],
        text={**WORDS, "maxLength": LONGEST},
        source=NAME,
        span=SPAN,
        tier={"enum": [1, 2, 3, None]},
        confidence=or_null({"type": "number", "minimum": 0, "maximum": 1}),
        terms=or_null({"type": "array", "items": TERM, "maxItems": MOST_TERMS}),
        iris=or_null({"type": "array", "items": NAME, "maxItems": MOST_TERMS}),
        verified=or_null(SWITCH),
    )
)
ASSERTIONS_GIVEN = closed(
    of_object(["assertions"], assertions={"type": "array", "items": ASSERTION, "minItems": 1, "maxItems": MOST_ASSERTIONS})
)
LANDED = of_object(
    ["new", "known", "resolved", "pages", "faults"],
    new=WHOLE,
    known=WHOLE,
    resolved=WHOLE,
    pages={"type": "array", "items": of_object(["source", "page"], source=TEXT, page=TEXT)},
    faults=STRINGS,
)
TERMS = of_object(
    ["terms"],
    terms={
        "type": "array",
        "items": of_object(
            ["term", "count", "sources", "examples", "nearest", "iri"],
            term=TEXT,
            count=WHOLE,
            sources=STRINGS,
            examples=STRINGS,
            nearest=STRINGS,
            iri=or_null(STRING),
        ),
    },
)
TOPICS = of_object(
    ["topics", "candidates"],
    topics={
        "type": "array",
        "items": of_object(
            ["iri", "title", "fingerprints", "sources", "reason", "words"],
            iri=TEXT,
            title=STRING,
            fingerprints=STRINGS,
            sources=STRINGS,
            reason=STRING,
            words=WHOLE,
        ),
    },
    candidates=WHOLE,
)
STATE: Schema = {"enum": list(STATES)}
BRIEF = of_object(
    ["id", "state", "topic", "page", "anchor", "reason", "fingerprints", "sources", "mean", "ceiling", "stopped"],
    id=TEXT,
    state=STATE,
    topic=of_object(["iri", "title"], iri=TEXT, title=STRING),
    page=TEXT,
    anchor=STRING,
    reason=STRING,
    fingerprints=WHOLE,
    sources=WHOLE,
    mean=or_null(NUMBER),
    ceiling=or_null(NUMBER),
    stopped=STRINGS,
)
LISTED = of_object(["proposals", "after"], proposals={"type": "array", "items": BRIEF}, after=or_null(STRING))
DOSSIER = of_object(
    ["id", "state", "topic", "page", "text", "assertions", "diff", "judged", "complete", "decisions"],
    id=TEXT,
    state=STATE,
    page=TEXT,
    text=STRING,
    diff=STRING,
    assertions={"type": "array", "items": {"type": "object"}},
    decisions={"type": "array", "items": {"type": "object"}},
)
DECISION_GIVEN = closed(
    of_object(
        ["reason"], reason={**WORDS, "maxLength": 2000}, by=or_null({**WORDS, "maxLength": 200}), overwrite=or_null(SWITCH)
    )
)
DECIDED = of_object(
    ["proposal", "sections"],
    proposal=BRIEF,
    sections={
        "type": "array",
        "items": of_object(
            ["page", "anchor", "state", "why"],
            page=TEXT,
            anchor=STRING,
            state={"enum": ["written", "removed", "same", "refused"]},
            why=or_null(STRING),
        ),
    },
)
