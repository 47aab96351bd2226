"""JSON objects in what a model says: fenced or not, with talk around them, broken off in the middle."""

import re
from collections.abc import Iterator
from json import JSONDecoder

from loom.core.values import Json

_DECODER = JSONDecoder(strict=False)
MOST_TRIES = 20_000
DEEPEST = 3
"""Objects about the one with the wanted member."""

_TRAILING = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])', re.S)


def objects(text: str, within: str = "") -> list[dict[str, Json]]:
    """The outermost whole objects of a text, in order. Where an object or array around them is broken off, those inside that are
    whole; `within` names a member whose array holds the wanted ones, which is then looked into. Commas before a closing bracket
    are passed over."""
    found: list[dict[str, Json]] = []
    for value in _values(text):
        held = _held(value, within) if within else None
        found += [each for each in held if isinstance(each, dict)] if isinstance(held, list) else [value]
    return found


def _held(value: dict[str, Json], within: str, deep: int = 0) -> Json:
    """The wanted member of an object, or of one inside it."""
    if isinstance(value.get(within), list) or deep == DEEPEST:
        return value.get(within)
    inner = (_held(each, within, deep + 1) for each in value.values() if isinstance(each, dict))
    return next((held for held in inner if isinstance(held, list)), None)


def _values(text: str) -> Iterator[dict[str, Json]]:
    text = _TRAILING.sub(lambda match: match[1] or "", text)
    at, tries = text.find("{"), 0
    while at >= 0 and tries < MOST_TRIES:
        tries += 1
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            at = text.find("{", at + 1)
            continue
        if isinstance(value, dict):
            yield value
        at = text.find("{", end)
