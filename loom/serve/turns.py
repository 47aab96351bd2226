"""Turns as a request gives them, checked one by one."""

from collections import Counter
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from loom.core.errors import BadInput
from loom.core.memory.fitting import LONGEST, LONGEST_NAME, is_name
from loom.core.memory.values import Said
from loom.core.values import Remembering
from loom.serve.body import kind_of
from loom.serve.remembering import date_of, speaker_of

MOST = 1000
"""Turns of one request."""
SPEAKER = Remembering("").speaker
MEMBERS = ("speaker", "text", "date", "id", "caption")


def turns_of(body: Mapping[str, Any]) -> list[Said]:
    """The turns of a request. Raises BadInput that names the turn."""
    given = body.get("turns")
    if not isinstance(given, list) or not 0 < len(given) <= MOST:
        came = f"{len(given):,}" if isinstance(given, list) else kind_of(given)
        raise BadInput(f"Expected a list of 1 to {MOST:,} turns as turns, not {came}.", param="turns")
    if unknown := [name for name in body if name != "turns"]:
        raise BadInput(f"Unknown member {unknown[0][:80]}; a request holds turns.", param=unknown[0][:80])
    seen: Counter[str] = Counter()
    return [_turn(turn, f"turns[{place}]", seen) for place, turn in enumerate(given)]


def _turn(given: Any, name: str, seen: Counter[str]) -> Said:
    if not isinstance(given, dict):
        raise BadInput(f"Expected an object with speaker and text as {name}, not {kind_of(given)}.", param=name)
    for member in given:
        if member not in MEMBERS:
            raise BadInput(
                f"Unknown member {name}.{member[:80]}; known are {', '.join(MEMBERS)}.", param=f"{name}.{member[:80]}"
            )
    speaker = SPEAKER if given.get("speaker") is None else speaker_of(given["speaker"], f"{name}.speaker")
    date = "" if given.get("date") is None else date_of(given["date"], f"{name}.date")
    text = _text(given, "text", name)
    caption = _text(given, "caption", name)
    if not text.strip() and not caption.strip():
        raise BadInput(f"Expected words as {name}.text; there are none.", param=f"{name}.text")
    said = Said(speaker, text, date, "", caption)
    return Said(speaker, text, date, _id(given, name) or made_id(said, seen), caption)


def made_id(said: Said, seen: Counter[str]) -> str:
    """An id that follows from what a turn says, and from how often it was said so before among those that came with it."""
    told = "\n".join((said.speaker, said.date, said.text, said.caption))
    digest = sha256(told.encode("utf-8", "replace")).hexdigest()[:24]
    seen[digest] += 1
    return f"said-{digest}" if seen[digest] == 1 else f"said-{digest}-{seen[digest]}"


def _text(given: Mapping[str, Any], member: str, name: str) -> str:
    value = given.get(member)
    if value is None:
        return ""
    if not isinstance(value, str) or len(value) > LONGEST:
        came = f"{len(value):,} characters" if isinstance(value, str) else kind_of(value)
        raise BadInput(
            f"Expected text of at most {LONGEST:,} characters as {name}.{member}, not {came}.", param=f"{name}.{member}"
        )
    return value


def _id(given: Mapping[str, Any], name: str) -> str:
    value = given.get("id")
    if value is None:
        return ""
    if not isinstance(value, str) or not is_name(value):
        came = f"{value[:40]!r}" if isinstance(value, str) else kind_of(value)
        raise BadInput(
            f"Expected 1 to {LONGEST_NAME} printable characters without a segment of dots as {name}.id, not {came}.",
            param=f"{name}.id",
        )
    return value
