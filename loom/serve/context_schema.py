"""The JSON Schema of a context by itself: its tiers, route, addresses and receipts."""

from loom.core.values import Tier
from loom.serve.schemas import TEXT, WHOLE, Schema, of_object, or_null

STRING: Schema = {"type": "string"}
STRINGS: Schema = {"type": "array", "items": STRING}
NAMED = ("tier", "iri", "generation", "role", "source", "file", "metric", "statistic", "value", "unit", "position", "check")
TIERS = [tier.name.lower() for tier in Tier]
UNIT = of_object(
    ["number", "iri", "title", "tokens", "cut", "text", "lines", "source", "home", "why", "retriever", "score"],
    number=WHOLE,
    iri=TEXT,
    title=STRING,
    tokens=WHOLE,
    cut={"type": "boolean"},
    text=STRING,
    lines=STRINGS,
    source=or_null(of_object(["file"], file=TEXT, line=WHOLE, row=WHOLE)),
    home=or_null(TEXT),
    why=or_null(STRING),
    retriever=or_null(STRING),
    score=or_null({"type": "number"}),
)
RECEIPT = of_object(
    ["number", "lines", "tier", "iri", "sha256", "generation"],
    number=WHOLE,
    lines={"type": "array", "items": WHOLE, "minItems": 2, "maxItems": 2},
    sha256={"type": "string", "pattern": "^[0-9a-f]{64}$"},
    at=of_object(["start"], start=TEXT, end=TEXT),
    row=WHOLE,
    line=WHOLE,
    **dict.fromkeys(NAMED, TEXT),
)
CONTEXT = of_object(
    "context sha256 messages tiers route addresses receipts notes cut dropped decision pin tokens loom".split(),
    context=STRING,
    sha256=STRING,
    messages={"type": "array", "items": {"type": "object"}},
    tiers={
        "type": "array",
        "items": of_object(
            ["tier", "tokens", "units"],
            tier={"type": "string", "enum": TIERS},
            tokens=WHOLE,
            units={"type": "array", "items": UNIT},
        ),
    },
    route=of_object(
        ["bases", "committed"], bases={"type": "array", "items": of_object(["iri", "score"])}, committed={"type": "boolean"}
    ),
    addresses={"type": "array", "items": of_object(["iri", "why", "retriever", "score"])},
    receipts={"type": "array", "items": RECEIPT},
    notes=STRINGS,
)
