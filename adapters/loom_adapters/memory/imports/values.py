"""What readers of exports have in common: who speaks, when, under which id, and in which order."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from loom.core.memory.values import Said

USER, ASSISTANT = "User", "Assistant"
SPEAKERS = {"user": USER, "human": USER, "assistant": ASSISTANT, "model": ASSISTANT, "ai": ASSISTANT}
LONGEST = 100_000
"""Characters of one turn."""
LONGEST_NAME = 200


def day_from(seconds: Any) -> str:
    """The ISO day and time, in UTC, of seconds since 1970, or of milliseconds or nanoseconds since; "" for anything else."""
    try:
        number = float(seconds)
        while number > 1e11:
            number /= 1000
        return datetime.fromtimestamp(number, UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if number > 0 else ""
    except (TypeError, ValueError, OverflowError, OSError):
        return ""


def iso_of(text: Any) -> str:
    """An ISO date with or without a time, as it was given; "" for anything else."""
    try:
        datetime.fromisoformat(text)
    except (TypeError, ValueError):
        return ""
    return str(text)


def said(speaker: str, text: str, date: str, id: str, caption: str = "") -> Said:
    """A turn, under an id that follows from what it says where it has none."""
    speaker = " ".join(speaker.split())[:LONGEST_NAME]
    made = f"said-{sha256(chr(10).join((speaker, date, text, caption)).encode('utf-8', 'replace')).hexdigest()[:24]}"
    return Said(speaker, text[:LONGEST], date, id or made, caption)


def name_of(*given: Any) -> str:
    """The first of these that can name a conversation, as it would be named in a path."""
    for each in given:
        if isinstance(each, str) and (name := " ".join(each.replace("/", "-").split())[:LONGEST_NAME].strip()).strip("."):
            return "".join(letter for letter in name if letter.isprintable())
    return ""


def in_turn(messages: Mapping[str, Any], last: Any, parent: str) -> Iterator[tuple[str, Any]]:
    """The messages of a tree from its root to the last one; where that is not told, all in their order."""
    path: list[tuple[str, Any]] = []
    seen: set[str] = set()
    at = last if isinstance(last, str) else ""
    while at in messages and at not in seen:
        seen.add(at)
        path.append((at, messages[at]))
        above = messages[at].get(parent) if isinstance(messages[at], Mapping) else None
        at = above if isinstance(above, str) else ""
    yield from reversed(path) if path else messages.items()


def listed(value: Any) -> list[Any]:
    """The members of a list; none of anything else."""
    return value if isinstance(value, list) else []


def member(value: Any, name: str) -> Any:
    """A member of an object; None of anything else."""
    return value.get(name) if isinstance(value, Mapping) else None


def texts_of(content: Any) -> str:
    """The words of a content: text, or a list of texts and of parts with a text."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = (part.get("text") if isinstance(part, Mapping) else part for part in content)
    return "\n".join(part for part in parts if isinstance(part, str) and part)
