"""Long prompts of several kinds: whatever a chat may hold, matching must stay quick."""

from collections.abc import Sequence
from itertools import cycle, islice

from loom.core.concepts import Concepts

LENGTH = 20_000


def long_prompts(concepts: Concepts, questions: Sequence[str], length: int = LENGTH) -> dict[str, str]:
    """Prompts of exactly `length` characters by kind. Each kind is bad for some way of matching."""
    titles = [concepts.title(row * concepts.count // min(concepts.count, 1000)) for row in range(min(concepts.count, 1000))]
    definitions = [
        str(concepts.record(row).get("definition") or concepts.title(row)) for row in range(min(concepts.count, 300))
    ]
    words = sorted({word for title in titles for word in title.lower().split()})
    kinds = {
        "questions": questions,
        "titles": titles,
        "definitions": definitions,
        "words of titles": words,
        "one title repeated": titles[:1],
        "one word repeated": words[len(words) // 2 : len(words) // 2 + 1],
        "unknown words": [f"qx{number:x}zv" for number in range(997)],
        "one unbroken word": ["abcdefghij" * 2000],
    }
    return {kind: _filled(pieces, length) for kind, pieces in kinds.items()}


def _filled(pieces: Sequence[str], length: int) -> str:
    enough = length // (sum(map(len, pieces)) // len(pieces) + 1) * 3 + 3
    return " ".join(islice(cycle(pieces), enough))[:length].ljust(length, ".")
