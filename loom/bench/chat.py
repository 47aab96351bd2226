"""The chat requests that loads are made of."""

from collections.abc import Sequence

from loom.core.values import Json

CHAT = "/chat/completions"
CHUNKS = 30
MODEL = f"words?words={CHUNKS}"
"""What the scripted model is asked for: thirty words, which is some thirty chunks of a stream."""


def bodies(questions: Sequence[str], *, streamed: bool, model: str = MODEL, **more: Json) -> list[dict[str, Json]]:
    """One chat request a question."""
    return [
        {"model": model, "messages": [{"role": "user", "content": text}], **({"stream": True} if streamed else {}), **more}
        for text in questions
    ]


def unasked(questions: Sequence[str], times: int) -> list[str]:
    """Each question so many times, never in the same characters: a node remembers what it showed for a question that is asked
    again as it was. Spaces at the end change nothing that is found."""
    return [text + " " * time for time in range(times) for text in questions]
