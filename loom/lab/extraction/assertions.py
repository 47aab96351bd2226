"""Assertions in what a model said, however it wrote them: whole ones are kept, the rest is counted."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from loom.core.values import Json
from loom.lab.tolerant import objects

TIERS = (1, 2, 3)

_CLAIM = ("claim", "assertion", "statement", "text")
_SOURCE = ("source", "speaker", "attribution", "quote")
_TERMS = ("ontology_terms", "terms", "concepts")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Assertion:
    """One assertion. `tier` is 1, 2 or 3, None where it is something else; `source` is who said it and what, "" where nothing is
    told; `confidence` is the model's own, from 0 to 1, None where it gives none that can be read."""

    claim: str
    tier: int | None = None
    source: str = ""
    terms: tuple[str, ...] = ()
    confidence: float | None = None

    def as_json(self) -> dict[str, Json]:
        return {
            "claim": self.claim,
            "tier": self.tier,
            "source": self.source,
            "ontology_terms": list(self.terms),
            "confidence": self.confidence,
        }


def assertions_of(text: str) -> tuple[Assertion, ...]:
    """The whole assertions of an answer, in its order: of a bare array, of a member `assertions`, fenced or between talk; of an
    array that breaks off, those before the break."""
    return tuple(made for found in objects(text, within="assertions") if (made := _assertion(found)) is not None)


def _assertion(stated: Mapping[str, Json]) -> Assertion | None:
    claim = next((stated[name] for name in _CLAIM if isinstance(stated.get(name), str) and stated[name].strip()), None)
    terms = next((stated[name] for name in _TERMS if name in stated), None)
    if claim is None or (terms is None and "tier" not in stated):
        return None
    return Assertion(
        " ".join(claim.split()),
        _tier(stated.get("tier")),
        next((found for name in _SOURCE if (found := _flat(stated.get(name)))), ""),
        _terms(terms),
        _confidence(stated.get("confidence")),
    )


def _tier(value: Json) -> int | None:
    if isinstance(value, bool):
        return None
    number = _NUMBER.search(value) if isinstance(value, str) else None
    found = float(number[0]) if number else value
    return int(found) if isinstance(found, int | float) and found in TIERS else None


def _flat(value: Json) -> str:
    if isinstance(value, str):
        return " ".join(value.split())
    if isinstance(value, Mapping):
        return "; ".join(f"{name}: {text}" for name, each in value.items() if (text := _flat(each)))
    if isinstance(value, list):
        return "; ".join(text for each in value if (text := _flat(each)))
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def _terms(value: Json) -> tuple[str, ...]:
    listed = re.split(r"[,;|]", value) if isinstance(value, str) else value if isinstance(value, list) else []
    found = []
    for each in listed:
        name = (
            next((each[key] for key in ("term", "label", "title", "name") if each.get(key)), None)
            if isinstance(each, Mapping)
            else each
        )
        if isinstance(name, str) and name.strip():
            found.append(" ".join(name.split()))
    return tuple(found)


def _confidence(value: Json) -> float | None:
    """A share; of a percentage, or a number from above 1 to 100, its hundredth."""
    if isinstance(value, str) and (number := _NUMBER.search(value)):
        value = float(number[0]) / (100 if "%" in value and float(number[0]) <= 1 else 1)
    if not isinstance(value, int | float) or isinstance(value, bool) or value != value:
        return None
    share = value if value <= 1 else value / 100
    return float(share) if 0 <= share <= 1 else None
