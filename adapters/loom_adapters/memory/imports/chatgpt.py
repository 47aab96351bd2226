"""ChatGPT's `conversations.json`: trees of messages, of which the branch that was last shown is the conversation."""

from collections.abc import Mapping
from typing import Any

from loom.core.memory.imported import Imported, Talk
from loom_adapters.memory.imports.values import SPEAKERS, day_from, in_turn, member, name_of, said, texts_of

WORDS = frozenset({"text", "multimodal_text"})
"""Types of a content that people wrote or were shown; others are what tools and browsers said."""


def is_chatgpt(value: Any) -> bool:
    return isinstance(value, list) and any(
        isinstance(each, Mapping) and isinstance(each.get("mapping"), Mapping) for each in value
    )


def read(value: list[Any]) -> Imported:
    found = Imported("chatgpt")
    for number, each in enumerate(value, 1):
        where = f"conversation {number}"
        if not isinstance(each, Mapping) or not isinstance(each.get("mapping"), Mapping):
            found.fault(where, "Expected an object with `mapping`, as ChatGPT exports it; export the conversation again.")
            continue
        talk = Talk(name_of(each.get("conversation_id"), each.get("id"), each.get("title")) or where)
        for place, (id, node) in enumerate(in_turn(each["mapping"], each.get("current_node"), "parent"), 1):
            _message(found, talk, f"{where}, message {place}", id, node)
        found.talks.append(talk)
    return found


def _message(found: Imported, talk: Talk, where: str, id: str, node: Any) -> None:
    message = node.get("message") if isinstance(node, Mapping) else None
    if message is None:
        return
    author, content = (message.get(name) if isinstance(message, Mapping) else None for name in ("author", "content"))
    if not isinstance(author, Mapping) or not isinstance(content, Mapping):
        found.fault(where, "Expected a message with `author` and `content`; export the conversation again.")
        return
    speaker = SPEAKERS.get(str(author.get("role")))
    hidden = member(message.get("metadata"), "is_visually_hidden_from_conversation")
    if speaker is None or hidden or str(content.get("content_type", "text")) not in WORDS:
        return
    text = texts_of(content.get("parts")).strip()
    if text:
        talk.turns.append(said(speaker, text, day_from(message.get("create_time")), str(message.get("id") or id)))
