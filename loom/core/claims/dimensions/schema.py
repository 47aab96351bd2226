"""The JSON schema of a contract, made from the closed sets: what a model may compose, and what a file may hold.

It keeps to what servers take as a strict response format: every member is required, none may be added. What no schema says (that a
prototype has a value of the space, that a metric goes with it) says `matching`.
"""

from typing import Any

from loom.core.claims.dimensions.registry import LISTED, METRICS, NORMALIZERS, SYSTEMS

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def proposal_schema() -> dict[str, Any]:
    """A contract without a validation record, and with nothing else left out."""
    return _object(_fields())


def contract_schema() -> dict[str, Any]:
    """A contract as `reading.written` writes it: the validation record is there once it was measured."""
    made = proposal_schema()
    made["properties"]["validation"] = {"anyOf": [{"type": "null"}, _validation()]}
    return {"$schema": DIALECT, "title": "Dimension", **made}


def _fields() -> dict[str, Any]:
    text = {"type": "string", "pattern": r"\S"}
    several = {"type": "array", "items": text, "minItems": 2}
    listed = [
        _object({"kind": {"const": kind}, "values": several | ({"maxItems": 2} if kind == "binary" else {})}) for kind in LISTED
    ]
    scalar = _object({"kind": {"const": "scalar"}, "low": {"type": "number"}, "high": {"type": "number"}})
    words = _object({"value": text, "words": {"type": "array", "items": text, "minItems": 1}})
    plain = [name for name in SYSTEMS if name != "words"]
    return {
        "name": text | {"description": "A short name that no other dimension of the domain has."},
        "definition": text | {"description": "What is compared along the axis, in one or two sentences."},
        "values": {"anyOf": [*listed, scalar], "description": "The value space; ordinal values from one end to the other."},
        "projection": {
            "anyOf": [
                _object({"system": {"enum": plain}}),
                _object({"system": {"const": "words"}, "words": {"type": "array", "items": words, "minItems": 2}}),
            ],
            "description": "How a value is assigned: judged reads the definition and prototypes; words looks for words.",
        },
        "metric": {"enum": list(METRICS), "description": "rank for ordinal, difference for scalar, match for the others."},
        "normalizer": {
            "enum": list(NORMALIZERS),
            "description": "steps with rank, range with difference, identity with match.",
        },
        "prototypes": {
            "type": "array",
            "items": _object({"value": {"type": ["string", "number"]}, "text": text}),
            "description": "Example propositions; ordinal values have at least one each.",
        },
    }


def _validation() -> dict[str, Any]:
    text, number = {"type": "string"}, {"type": "number"}
    criterion = _object(
        {"name": text, "figure": {"type": ["number", "null"]}, "bar": number, "met": {"type": "boolean"}, "said": text}
    )
    return _object(
        {
            "version": {"type": "integer", "minimum": 0},
            "sample": {"type": "integer", "minimum": 0},
            "criteria": {"type": "array", "items": criterion},
            "projectors": {"type": "array", "items": text},
            "at": text,
        }
    )


def _object(members: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": members, "required": list(members), "additionalProperties": False}
