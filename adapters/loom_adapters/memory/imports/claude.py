"""Claude's `conversations.json`: conversations with `chat_messages` in their order."""

from collections.abc import Mapping
from typing import Any

from loom.core.memory.imported import Imported, Talk
from loom_adapters.memory.imports.values import SPEAKERS, in_turn, iso_of, listed, member, name_of, said, texts_of


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
        for place, message in enumerate(_shown(each), 1):
            _message(found, talk, f"{where}, message {place}", message)
        found.talks.append(talk)
    return found


def _shown(each: Mapping[str, Any]) -> list[Any]:
    """The messages of a conversation in their order; where one was edited, the branch that was shown last."""
    messages = each["chat_messages"]
    by_id = {str(member(message, "uuid")): message for message in messages}
    above = [member(message, "parent_message_uuid") for message in messages]
    branched = all(above[1:]) and len(set(above)) < len(above)
    if not branched or len(by_id) < len(messages):
        return list(messages)
    return [message for _, message in in_turn(by_id, each.get("current_leaf_message_uuid"), "parent_message_uuid")]


def _message(found: Imported, talk: Talk, where: str, message: Any) -> None:
    speaker = SPEAKERS.get(str(message.get("sender"))) if isinstance(message, Mapping) else None
    if speaker is None:
        found.fault(where, "Expected a message whose `sender` is human or assistant; export the conversation again.")
        return
    parts = [
        part for part in listed(message.get("content")) if isinstance(part, Mapping) and part.get("type", "text") == "text"
    ]
    text = (texts_of(parts) or texts_of(message.get("text"))).strip()
    files = [member(each, "file_name") for name in ("attachments", "files") for each in listed(message.get(name))]
    caption = ", ".join(dict.fromkeys(name for name in files if isinstance(name, str) and name))
    if text or caption:
        talk.turns.append(said(speaker, text, iso_of(message.get("created_at")), str(message.get("uuid") or ""), caption))
