"""Turns as JSON lines, one object a line: `speaker`, `text`, and where there are any `date`, `id`, `caption` and `conversation`."""

from collections.abc import Mapping
from typing import Any

import orjson

from loom.core.errors import BadInput
from loom.core.memory.imported import Imported, Talk
from loom_adapters.memory.imports.values import USER, iso_of, name_of, said

MEMBERS = ("speaker", "text", "date", "id", "caption", "conversation")


def is_lines(text: str) -> bool:
    """Whether the first line is an object with the text of a turn."""
    first = next((line for line in text.split("\n", 50)[:50] if line.strip()), "")
    try:
        value = orjson.loads(first)
    except orjson.JSONDecodeError:
        return False
    return isinstance(value, Mapping) and "text" in value and "turn" not in value and "loom_memory" not in value


def read(text: str) -> Imported:
    found = Imported("lines")
    talks: dict[str, Talk] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        where = f"line {number}"
        try:
            value = _object(line)
        except BadInput as error:
            found.fault(where, error.message)
            continue
        name = name_of(value.get("conversation"))
        talk = talks.setdefault(name, Talk(name))
        text, id, caption = (str(value.get(member) or "") for member in ("text", "id", "caption"))
        talk.turns.append(said(str(value.get("speaker") or USER), text, iso_of(value.get("date")), id, caption))
    found.talks = list(talks.values())
    return found


def _object(line: str) -> Mapping[str, Any]:
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise BadInput(
            f"Expected one JSON object a line, but this is none ({str(error).split(':')[0]}); mend the line."
        ) from None
    if not isinstance(value, Mapping):
        raise BadInput('Expected an object such as {"speaker": "Anna", "text": "I live in Lisbon."}; mend the line.')
    for member, held in value.items():
        if member not in MEMBERS:
            raise BadInput(f"Unknown member {member[:40]!r}; known are {', '.join(MEMBERS)}. Rename it, or leave it out.")
        if held is not None and not isinstance(held, str):
            raise BadInput(f"Expected text as {member}; put it between quotation marks.")
    if not str(value.get("text") or value.get("caption") or "").strip():
        raise BadInput("Expected words as text; there are none. Fill them in, or leave the line out.")
    if value.get("date") and not iso_of(value["date"]):
        raise BadInput(f"Expected an ISO date such as 2026-05-08 as date, not {value['date'][:40]!r}; rewrite it.")
    return value
