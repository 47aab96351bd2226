"""Claude's `conversations.json`: conversations with `chat_messages` in their order."""

from collections.abc import Mapping
from typing import Any

from loom.core.memory.imported import Imported, Talk
from loom_adapters.memory.imports.values import SPEAKERS, iso_of, listed, name_of, said, texts_of


def is_claude(value: Any) -> bool:
    return isinstance(value, list) and any(
        isinstance(each, Mapping) and isinstance(each.get("chat_messages"), list) for each in value
    )


def read(value: list[Any]) -> Imported:
    found = Imported("claude")
    for number, each in enumerate(value, 1):
        where = f"conversation {number}"
        if not isinstance(each, Mapping) or not isinstance(each.get("chat_messages"), list):
            found.fault(where, "Expected an object with `chat_messages`, as Claude exports it; export the conversation again.")
            continue
        talk = Talk(name_of(each.get("uuid"), each.get("name")) or where)
        for place, message in enumerate(each["chat_messages"], 1):
            _message(found, talk, f"{where}, message {place}", message)
        found.talks.append(talk)
    return found


def _message(found: Imported, talk: Talk, where: str, message: Any) -> None:
    speaker = SPEAKERS.get(str(message.get("sender"))) if isinstance(message, Mapping) else None
    if speaker is None:
        found.fault(where, "Expected a message whose `sender` is human or assistant; export the conversation again.")
        return
    parts = [
        part for part in listed(message.get("content")) if isinstance(part, Mapping) and part.get("type", "text") == "text"
    ]
    text = (texts_of(parts) or texts_of(message.get("text"))).strip()
    if text:
        talk.turns.append(said(speaker, text, iso_of(message.get("created_at")), str(message.get("uuid") or "")))
