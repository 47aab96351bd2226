"""What readers of exports have in common: who speaks, when, under which id, and in which order."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from math import isfinite
from typing import Any

from loom.core.memory.calendar import day_of
from loom.core.memory.fitting import LONGEST, LONGEST_NAME, REPLACED, is_conversation, is_name, is_speaker
from loom.core.memory.values import Said

USER, ASSISTANT = "User", "Assistant"
SPEAKERS = {"user": USER, "human": USER, "assistant": ASSISTANT, "model": ASSISTANT, "ai": ASSISTANT}
SOMEBODY = "Somebody"


def day_from(seconds: Any) -> str:
    """The ISO day and time, in UTC, of seconds since 1970, or of milliseconds or nanoseconds since; "" for anything else."""
    try:
        number = float(seconds)
        if not isfinite(number):  # JSON may hold numbers that are beyond all, and no division makes these less
            return ""
        while number > 1e11:
            number /= 1000
        return datetime.fromtimestamp(number, UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if number > 0 else ""
    except (TypeError, ValueError, OverflowError, OSError):
        return ""


def iso_of(text: Any) -> str:
    """An ISO date with or without a time; "" for anything else. It is as it was given, unless it is in another of ISO's forms than with
    the day first ("20240512T1000")."""
    try:
        date = datetime.fromisoformat(text)
    except (TypeError, ValueError):
        return ""
    return text if day_of(text) and text.isprintable() else date.isoformat()


def said(speaker: str, text: str, date: str, id: str, caption: str = "") -> Said:
    """A turn, under an id that follows from what it says where it has none."""
    speaker = _speaker(speaker)
    text, caption = text[:LONGEST], caption[:LONGEST]
    if id and not is_name(id):
        id = f"id-{sha256(id.encode('utf-8', 'replace')).hexdigest()[:24]}"
    made = f"said-{sha256(chr(10).join((speaker, date, text, caption)).encode('utf-8', 'replace')).hexdigest()[:24]}"
    return Said(speaker, text, date, id or made, caption)


def _speaker(given: str) -> str:
    """A name as a path may hold it; of one that has no letter at all nothing is known but that somebody spoke."""
    plain = " ".join("".join(letter if letter.isprintable() else " " for letter in given).split())[:LONGEST_NAME].strip()
    for name in (plain, plain.replace("/", "-").replace("\\", "-").replace(REPLACED, "?")):
        if is_speaker(name):
            return name
    return SOMEBODY


def name_of(*given: Any) -> str:
    """The first of these that can name a conversation, as it would be named in a path. Where that changes it, a digest of the name
    follows, so that two conversations never become one."""
    for each in given:
        if not isinstance(each, str) or not each.strip().strip("."):
            continue
        if is_conversation(each):
            return each
        mark = sha256(each.encode("utf-8", "replace")).hexdigest()[:8]
        plain = "".join(letter if letter.isprintable() else " " for letter in each.replace("/", "-").replace(REPLACED, "?"))
        name = f"{' '.join(plain.split())[: LONGEST_NAME - len(mark) - 1].strip()}-{mark}"
        return name if is_conversation(name) else mark
    return ""


def in_turn(messages: Mapping[str, Any], last: Any, parent: str) -> Iterator[tuple[str, Any]]:
    """The messages of a tree from its root to the last one; where that is not told, to the last of those that none answers."""
    path: list[tuple[str, Any]] = []
    seen: set[str] = set()
    if not isinstance(last, str) or last not in messages:
        answered = {str(member(each, parent)) for each in messages.values()}
        last = next((name for name in reversed(list(messages)) if name not in answered and member(messages[name], parent)), "")
    at = str(last)
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
