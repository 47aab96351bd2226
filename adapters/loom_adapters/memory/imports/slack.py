"""Slack's exports: a list of messages, or an object of some, of one day or channel."""

import html
import re
from collections.abc import Mapping
from typing import Any

from loom.core.memory.imported import Imported, Talk
from loom.core.memory.values import Said
from loom_adapters.memory.imports.values import day_from, listed, name_of, said

SPOKEN = frozenset({"", "thread_broadcast", "bot_message", "file_share", "me_message", "file_comment"})
"""Subtypes of a message in which somebody says something; others tell that somebody joined, or renamed a channel."""

_LINK = re.compile(r"<([^<>|]+)(?:\|([^<>]*))?>")


def is_slack(value: Any) -> bool:
    return isinstance(_messages(value), list) and any(
        isinstance(each, Mapping) and each.get("type") == "message" and "ts" in each for each in _messages(value) or ()
    )


def _messages(value: Any) -> list[Any] | None:
    found = value.get("messages") if isinstance(value, Mapping) else value
    return found if isinstance(found, list) else None


def read(value: Any) -> Imported:
    found = Imported("slack")
    channel = value.get("channel") or value.get("name") if isinstance(value, Mapping) else None
    talk = Talk(name_of(channel.get("name") if isinstance(channel, Mapping) else channel))
    messages = _messages(value) or []
    turns: list[tuple[float, Said]] = []
    names = {str(each.get("user")): _name(each) for each in messages if isinstance(each, Mapping) and _name(each)}
    for place, message in enumerate(messages, 1):
        where = f"message {place}"
        if not isinstance(message, Mapping) or message.get("type") != "message" or not day_from(message.get("ts")):
            found.fault(where, "Expected a message with `type` and `ts`, as Slack exports it; export the channel again.")
            continue
        if str(message.get("subtype") or "") not in SPOKEN:
            continue
        user = str(message.get("user") or message.get("bot_id") or "")
        speaker = _name(message) or names.get(user) or str(message.get("username") or user)
        text = _plain(str(message.get("text") or ""), names).strip()
        files = [
            str(each.get("title") or each.get("name") or "")
            for each in listed(message.get("files"))
            if isinstance(each, Mapping)
        ]
        if not speaker:
            found.fault(where, "Expected a message with `user`; it names nobody who speaks.")
        elif text or any(files):
            # A message's time names it within its channel.
            id = f"slack-{message['ts']}-{user}"
            turns.append(
                (float(message["ts"]), said(speaker, text, day_from(message["ts"]), id, ", ".join(filter(None, files))))
            )
    # Replies of a thread may stand behind what was said later.
    talk.turns += [turn for _, turn in sorted(turns, key=lambda each: each[0])]
    found.talks.append(talk)
    return found


def _name(message: Mapping[str, Any]) -> str:
    profile = message.get("user_profile")
    if not isinstance(profile, Mapping):
        return ""
    names = (profile.get(name) for name in ("display_name", "real_name", "first_name", "name"))
    return next((name for name in names if isinstance(name, str) and name.strip()), "")


def _plain(text: str, names: Mapping[str, str]) -> str:
    """A message as it reads: mentions as names, links as their words, and no escapes."""

    def shown(link: re.Match[str]) -> str:
        target, label = link[1], link[2] or ""
        if target[0] == "@":
            return names.get(target[1:], label or target[1:])
        if target[0] in "#!":
            return target[0].replace("!", "@") + (label or target[1:])
        return label or target

    return html.unescape(_LINK.sub(shown, text))
