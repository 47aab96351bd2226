"""The strings of a JSON record inside a block, each with whether its member states a relation."""

import json
import re
from collections.abc import Callable, Iterator

from loom.core.values import Json

_ADDRESS = re.compile(r"^(?:\w[\w+.-]*:\S+|\S*/\S+)$")


def leaves(text: str, states: Callable[[str], bool]) -> list[tuple[bool, str]] | None:
    """(states a relation, string) in order; addresses are left out. None where the text is no JSON object or array."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return list(_leaves(value, False, states)) if isinstance(value, dict | list) else None


def _leaves(value: Json, typed: bool, states: Callable[[str], bool]) -> Iterator[tuple[bool, str]]:
    if isinstance(value, dict):
        for key, each in value.items():
            if not key.startswith("@"):
                yield from _leaves(each, typed or states(key), states)
    elif isinstance(value, list):
        for each in value:
            yield from _leaves(each, typed, states)
    elif isinstance(value, str) and value.strip() and not _ADDRESS.match(value):
        yield typed, value
