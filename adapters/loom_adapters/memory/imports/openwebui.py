"""Open WebUI's exported chats: the branch of `history` that was last shown, or the plain list of messages."""

import re
from collections.abc import Mapping
from typing import Any

from loom.core.memory.imported import Imported, Talk
from loom_adapters.memory.imports.values import SPEAKERS, day_from, in_turn, name_of, said, texts_of

_THOUGHT = re.compile(r'<details type="(?:reasoning|tool_calls|code_interpreter)"[^>]*>.*?(?:</details>|\Z)', re.DOTALL)
"""What a model thought and which tools it called, which is shown folded and was not said."""


def is_openwebui(value: Any) -> bool:
    return isinstance(value, list) and any(
        isinstance(each, Mapping) and isinstance(each.get("chat"), Mapping) for each in value
    )


def read(value: list[Any]) -> Imported:
    found = Imported("openwebui")
    for number, each in enumerate(value, 1):
        where = f"conversation {number}"
        chat = each.get("chat") if isinstance(each, Mapping) else None
        if not isinstance(chat, Mapping):
            found.fault(where, "Expected an object with `chat`, as Open WebUI exports it; export the conversation again.")
            continue
        talk = Talk(name_of(each.get("id"), chat.get("id"), each.get("title"), chat.get("title")) or where)
        for place, (id, message) in enumerate(_messages(chat), 1):
            _message(found, talk, f"{where}, message {place}", id, message)
        found.talks.append(talk)
    return found


def _messages(chat: Mapping[str, Any]) -> list[tuple[str, Any]]:
    history = chat.get("history")
    if isinstance(history, Mapping) and isinstance(history.get("messages"), Mapping):
        return list(in_turn(history["messages"], history.get("currentId"), "parentId"))
    messages = chat.get("messages")
    return [("", each) for each in messages] if isinstance(messages, list) else []


def _message(found: Imported, talk: Talk, where: str, id: str, message: Any) -> None:
    role = str(message.get("role")) if isinstance(message, Mapping) else ""
    if role in ("system", "tool"):
        return
    speaker = SPEAKERS.get(role)
    if speaker is None:
        found.fault(where, "Expected a message whose `role` is user or assistant; export the conversation again.")
        return
    text = _THOUGHT.sub("", texts_of(message.get("content"))).strip()
    if text:
        talk.turns.append(said(speaker, text, day_from(message.get("timestamp")), str(message.get("id") or id)))
