"""JSON objects in what a model says: fenced or not, with talk around them, broken off in the middle."""

from collections.abc import Iterator
from json import JSONDecoder

from loom.core.values import Json

_DECODER = JSONDecoder(strict=False)
MOST_TRIES = 20_000


def objects(text: str, within: str = "") -> list[dict[str, Json]]:
    """The outermost whole objects of a text, in order. Where an object or array around them is broken off, those inside that are
    whole; `within` names a member whose array holds the wanted ones, which is then looked into."""
    found: list[dict[str, Json]] = []
    for value in _values(text):
        held = value.get(within) if within else None
        found += [each for each in held if isinstance(each, dict)] if isinstance(held, list) else [value]
    return found


def _values(text: str) -> Iterator[dict[str, Json]]:
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
