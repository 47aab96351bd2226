"""The JSON Schemas of the routes of claims."""

from typing import Any

from loom.claims.asks import KINDS, STATES
from loom.claims.asks import LONGEST as LONGEST_DECISION
from loom.core.claims.judging.asked import REGISTERS, WAYS
from loom.core.claims.standing import Standing
from loom.serve.context_schema import CONTEXT
from loom.serve.schemas import SWITCH, TEXT, WHOLE, Schema, closed, of_object, or_null

STANDINGS = tuple(each.word for each in Standing if each is not Standing.NONE)
LONGEST, LONGEST_ENTRY, LONGEST_NAME = 10_000, 2_000_000, 400
MOST_ENTRIES, MOST_IDS, MOST_K, LONGEST_WAIT = 1000, 100, 50, 60.0
STATED = ("new", "known", "withdrawn", "differs")
"""What an entry is that was sent: new; known; known and withdrawn, which sending it again does not change; or another text under an
id that is taken, which is refused."""

STRING: Schema = {"type": "string"}
STRINGS: Schema = {"type": "array", "items": STRING}
NUMBER: Schema = {"type": "number"}
OBJECTS: Schema = {"type": "array", "items": {"type": "object"}}
WORDS: dict[str, Any] = {"type": "string", "pattern": "^[ -~]*[A-Za-z0-9][ -~]*$", "minLength": 1}
TEXT_GIVEN: Schema = {**WORDS, "maxLength": LONGEST}
NAME: Schema = {**WORDS, "maxLength": LONGEST_NAME}
ID: Schema = {"type": "string", "pattern": "^[!-.0-~]*[A-Za-z0-9]$", "minLength": 1, "maxLength": LONGEST_NAME}
IDS: Schema = {"type": "array", "items": ID, "maxItems": MOST_IDS}
WAIT: Schema = {"type": "number", "minimum": 0, "maximum": LONGEST_WAIT}
DAY: Schema = {"type": "string", "format": "date"}
SECONDS: Schema = {"type": "number", "minimum": 0, "maximum": LONGEST_DECISION}
ASKED_BY: dict[str, Schema] = {
    "by": or_null(NAME), "seconds": or_null(SECONDS), "wait": or_null(WAIT), "once": or_null(NAME),
}  # fmt: skip

ASK_GIVEN = closed(
    of_object(
        ["text"],
        text=TEXT_GIVEN,
        way=or_null({"enum": list(WAYS)}),
        audience=or_null(NAME),
        register=or_null({"enum": list(REGISTERS)}),
        before=or_null({"type": "array", "items": TEXT_GIVEN, "maxItems": MOST_IDS}),
        artifact=or_null(TEXT_GIVEN),
        domains=or_null(IDS),
        k=or_null({"type": "integer", "minimum": 1, "maximum": MOST_K}),
        wait=or_null(WAIT),
        once=or_null(NAME),
        context=or_null(SWITCH),
    )
)
ASKED = of_object(
    ["key", "kind", "at", "version", "state", "outcome"],
    key=TEXT,
    kind={"enum": list(KINDS)},
    at=STRING,
    version=WHOLE,
    state={"enum": ["waiting", "done", "refused"]},
)
OPPOSED = of_object(["id", "text", "standing"], id=TEXT, text=STRING, standing={"enum": list(STANDINGS)})
HIT = of_object(
    ["id", "kind", "text", "score"],
    id=TEXT,
    kind={"enum": ["claim", "signal"]},
    text=STRING,
    score=NUMBER,
    standing={"enum": list(STANDINGS)},
    home=STRINGS,
    preconditions=STRINGS,
    disputed_by={"type": "array", "items": OPPOSED},
    source=STRING,
)
ANSWERED = of_object(
    ["way", "probabilities", "version", "scope", "confidence", "hits", "asked", "artifact", "context"],
    way={"enum": list(WAYS)},
    probabilities={"type": "object"},
    version=WHOLE,
    scope=STRINGS,
    confidence=NUMBER,
    hits={"type": "array", "items": HIT},
    asked=or_null(ASKED),
    artifact=or_null(of_object(["text", "citations"], text=STRING, citations=STRINGS)),
    context=or_null(CONTEXT),
)
ENTRY_GIVEN = closed(
    of_object(
        ["text"],
        text={**WORDS, "maxLength": LONGEST_ENTRY},
        source=or_null(NAME),
        kind=or_null(NAME),
        author=or_null(NAME),
        observed_at=or_null(DAY),
        id=or_null(ID),
        replaces=or_null(IDS),
    )
)
ENTRIES_GIVEN = closed(
    of_object(
        ["entries"],
        entries={"type": "array", "items": ENTRY_GIVEN, "minItems": 1, "maxItems": MOST_ENTRIES},
        wait=or_null(WAIT),
    )
)
LINE: Schema = {"type": "string", "pattern": '^\\{"source":"[a-z]{2,9}","text":"[a-z]{3,9} [a-z]{3,9}"\\}$'}
"""The plainest of lines."""
TAKEN = of_object(
    ["entries", "faults"],
    entries={
        "type": "array",
        "items": of_object(
            ["id", "state", "key", "version", "outcome"], id=TEXT, state={"enum": list(STATED)}, key=TEXT, version=WHOLE
        ),
    },
    faults={"type": "array", "items": of_object(["line", "message"], line=WHOLE, message=TEXT)},
)
ENTRY = of_object(
    ["id", "source", "kind", "author", "observed_at", "ingested_at", "withdrawn_at", "characters"],
    id=TEXT,
    source=TEXT,
    characters=WHOLE,
)
ENTRIES = of_object(
    ["version", "entries", "after"], version=WHOLE, entries={"type": "array", "items": ENTRY}, after=or_null(STRING)
)
ENTRY_SHOWN = of_object(["version", "entry", "text", "signals"], version=WHOLE, entry=ENTRY, text=STRING, signals=OBJECTS)
WITHDRAWAL_GIVEN = closed(of_object(["entries"], entries={**IDS, "minItems": 1}, **ASKED_BY))
DONE = of_object(["asks"], asks={"type": "array", "items": ASKED})

CLAIM = of_object(
    ["id", "proposition", "standing", "home", "preconditions", "superseded_by", "lifted", "at"],
    id=TEXT,
    proposition=STRING,
    standing={"enum": list(STANDINGS)},
    home=STRINGS,
    superseded_by=STRINGS,
)
CLAIMS = of_object(
    ["version", "claims", "after"], version=WHOLE, claims={"type": "array", "items": CLAIM}, after=or_null(STRING)
)
SHOWN = of_object(
    [
        "version",
        "root",
        "claims",
        "signals",
        "entries",
        "cut",
        "disputed_by",
        "conflicts",
        "history",
        "positions",
        "dependents",
        "shown",
    ],
    version=WHOLE,
    root=TEXT,
    claims={"type": "object"},
    signals={"type": "object"},
    entries={"type": "object"},
    cut=STRINGS,
    disputed_by={"type": "array", "items": OPPOSED},
    conflicts=OBJECTS,
    history=OBJECTS,
    positions=OBJECTS,
    dependents=STRINGS,
    shown=WHOLE,
)
CLAIM_GIVEN = closed(
    of_object(
        ["proposition"],
        proposition={**WORDS, "maxLength": LONGEST},
        cites=or_null(IDS),
        assumes=or_null({"type": "array", "items": TEXT_GIVEN, "maxItems": MOST_IDS}),
        domains=or_null(IDS),
        **ASKED_BY,
    )
)
DECISION_GIVEN = closed(of_object(**ASKED_BY))
SUPERSEDING_GIVEN = closed(of_object(["new"], new=ID, undo=or_null(SWITCH), **ASKED_BY))
RESOLUTION_GIVEN: Schema = {"oneOf": [{"required": [name]} for name in ("spurious", "reject", "yield")]} | closed(
    of_object(**{"spurious": ID, "reject": ID, "yield": {"const": True}}, **ASKED_BY)
)
DECIDED = of_object(["ask", "claim"], ask=ASKED, claim=or_null(CLAIM))
DOMAIN = of_object(["id", "name", "description", "version", "derived_from", "created_by"], id=TEXT, version=WHOLE)
DOMAINS = of_object(["version", "domains"], version=WHOLE, domains={"type": "array", "items": DOMAIN})
DOMAIN_GIVEN = closed(
    of_object(["id", "name"], id=ID, name=NAME, description=or_null(TEXT_GIVEN), derived_from=or_null(ID), **ASKED_BY)
)
DIMENSION = of_object(
    ["id", "domain", "version", "state", "pinned", "body"], id=TEXT, domain=TEXT, version=WHOLE, state=TEXT, pinned=SWITCH
)
FIT = of_object(
    ["domain", "weights", "penalty", "unfit", "queries", "at"], domain=TEXT, penalty=NUMBER, unfit=SWITCH, queries=WHOLE
)
DIMENSIONS = of_object(
    ["version", "dimensions", "fits"],
    version=WHOLE,
    dimensions={"type": "array", "items": DIMENSION},
    fits={"type": "array", "items": FIT},
)
DIMENSION_MEMBERS = ("id", "domain", "contract", "state", *ASKED_BY)
DIMENSION_GIVEN: Schema = {
    "anyOf": [
        closed(of_object(["id", "domain", "contract"], id=ID, domain=ID, contract={"type": "object"}, **ASKED_BY)),
        closed(of_object(["id", "state"], id=ID, state={"enum": list(STATES)}, **ASKED_BY)),
    ]
}
PROV = of_object(["prefix", "entity"], prefix={"type": "object"}, entity={"type": "object"})
