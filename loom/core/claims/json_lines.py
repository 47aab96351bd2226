"""What people hand in as JSON lines."""

import json
from collections.abc import Iterator

from loom.core.errors import BadInput
from loom.core.values import Json


def values_of(text: str, param: str) -> Iterator[tuple[int, Json]]:
    """The value of each line with its number from 1; empty lines are passed over. Raises BadInput with the line that is no JSON."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except (ValueError, RecursionError):
                raise BadInput(f"Line {number}: expected JSON, but it is none.", param=param) from None
