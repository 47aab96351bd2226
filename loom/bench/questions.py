"""The questions that a run asks: from a file, or made from the titles of the generation itself."""

import json
from pathlib import Path

from loom.core.concepts import Concepts
from loom.core.errors import BadInput

TEMPLATES = (
    "What is {title}?",
    "What does {title} require?",
    "How does {title} relate to {other}?",
    "Name three things that are part of {title}.",
    "In two sentences, explain {title} to somebody who has never heard of it.",
    "Is {title} a kind of {other}?",
    "what should i know about {lower} before i start",
)
BESIDE = ("Thank you, that was helpful.", "What will the weather be like tomorrow?", "Write a short poem about rain.")
"""Questions about nothing in particular, one after every dozen: a node must be quick at staying silent too."""

MOST = 250


def made(concepts: Concepts, most: int = MOST) -> tuple[str, ...]:
    """Up to `most` questions about concepts spread evenly over the generation; the same ones every time."""
    wanted = min(most, concepts.count)
    questions: list[str] = []
    for number in range(wanted):
        row = number * concepts.count // wanted
        title, other = concepts.title(row), concepts.title((row * 7 + 3) % concepts.count)
        template = TEMPLATES[number % len(TEMPLATES)]
        questions.append(template.format(title=title, other=other, lower=title.lower()))
        if number % 12 == 11:
            questions.append(BESIDE[number // 12 % len(BESIDE)])
    return tuple(questions)


def read(path: Path) -> tuple[str, ...]:
    """The field `prompt` of every line; raises BadInput with the first line that has none."""
    questions: list[str] = []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"Expected a JSONL file of questions, but {path} cannot be read: {error}.", param="questions") from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            prompt = json.loads(line)["prompt"]
        except (ValueError, KeyError, TypeError):
            prompt = None
        if not isinstance(prompt, str) or not prompt.strip():
            raise BadInput(f"Expected an object with a text `prompt` in line {number} of {path}.", param="questions")
        questions.append(prompt)
    if not questions:
        raise BadInput(f"Expected at least one question in {path}; it has none.", param="questions")
    return tuple(questions)
