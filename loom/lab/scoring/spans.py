"""Spans of a text that a name may be: word 1- to 6-grams inside chunks between delimiters, each chunk, the whole (seed 000, §6)."""

import re
from collections.abc import Iterator

LONGEST = 6
_DELIMITER = re.compile(r"[\n\r.,;:!?()\[\]{}<>|\"“”„«»•·—–*#/]+|\s-\s")


def spans(text: str) -> list[str]:
    """The spans of a text, each once, in the order in which they begin."""
    return list(dict.fromkeys(_spans(text)))


def _spans(text: str) -> Iterator[str]:
    for chunk in _DELIMITER.split(text):
        words = chunk.split()
        for at in range(len(words)):
            for width in range(1, min(LONGEST, len(words) - at) + 1):
                yield " ".join(words[at : at + width])
        if len(words) > LONGEST:
            yield " ".join(words)
    if whole := " ".join(text.split()):
        yield whole
