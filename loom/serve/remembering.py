"""How a request asks for the memory of a conversation: under `loom.memory`, or by the header `x-loom-conversation`.

It is asked for by name or not at all: whatever does not name one conversation is refused, and nothing is looked up wider than it.
"""

import difflib
import re
from dataclasses import replace
from typing import Any

from loom.core.errors import BadInput
from loom.core.memory.calendar import day_of
from loom.core.memory.fitting import LONGEST_NAME, TAKEN, is_conversation, is_speaker
from loom.core.values import REMEMBERED, Options, Remembering, Scope
from loom.serve.asgi import Scope as Asgi
from loom.serve.body import kind_of
from loom.serve.exchange import Exchange

HEADER = b"x-loom-conversation"
MEMBERS = ("conversation", "remember", "speaker", "date")
LONGEST = LONGEST_NAME
"""Code points of the name of a conversation or speaker."""

_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?\Z")


def memory_of(given: Any, name: str) -> Remembering:
    """The memory that a request asks for. Raises BadInput that names what is wrong."""
    if not isinstance(given, dict):
        raise BadInput(f'Expected an object as {name}, such as {{"conversation": "trip"}}, not {kind_of(given)}.', param=name)
    for member in given:
        if member not in MEMBERS:
            near = difflib.get_close_matches(member, MEMBERS, n=1)
            hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(MEMBERS)}."
            raise BadInput(f"Unknown option {name}.{member[:80]}; {hint}", param=f"{name}.{member[:80]}")
    if given.get("conversation") is None:
        raise BadInput(
            f"Expected the name of a conversation as {name}.conversation; it is missing.", param=f"{name}.conversation"
        )
    asked = Remembering(conversation_of(given["conversation"], f"{name}.conversation"))
    remember = given.get("remember")
    if not (remember is None or remember is False or (isinstance(remember, str) and remember in REMEMBERED)):
        came = repr(remember)[:40] if isinstance(remember, str | bool) else kind_of(remember)
        raise BadInput(f"Expected false, user or all as {name}.remember, not {came}.", param=f"{name}.remember")
    speaker = given.get("speaker")
    return replace(
        asked,
        remember=remember or "",
        speaker=asked.speaker if speaker is None else speaker_of(speaker, f"{name}.speaker"),
        date="" if given.get("date") is None else date_of(given["date"], f"{name}.date"),
    )


def conversation_of(given: Any, name: str) -> str:
    """The name of a conversation: text without blanks at its ends, control characters and slashes, since it is a part of paths."""
    if isinstance(given, str) and given in TAKEN:
        raise BadInput(
            f"Expected the name of a conversation as {name}, but {given} is the name of a route; choose another.", param=name
        )
    if not isinstance(given, str) or not is_conversation(given):
        came = f"{given[:40]!r}" if isinstance(given, str) else kind_of(given)
        raise BadInput(
            f"Expected the name of a conversation as {name}, 1 to {LONGEST} printable characters without a slash, not {came}.",
            param=name,
        )
    return str(given)


def speaker_of(given: Any, name: str) -> str:
    """Who speaks: a name with a letter or digit in it."""
    text = " ".join(given.split()) if isinstance(given, str) else ""
    if not is_speaker(text) or not any(letter.isalnum() for letter in text):
        came = f"{given[:40]!r}" if isinstance(given, str) else kind_of(given)
        raise BadInput(
            f"Expected the name of a speaker as {name}, 1 to {LONGEST} printable characters, not {came}.", param=name
        )
    return text


def date_of(given: Any, name: str) -> str:
    """An ISO day, with a time or without."""
    if not isinstance(given, str) or not _DATE.match(given) or not day_of(given):
        came = f"{given[:40]!r}" if isinstance(given, str) else kind_of(given)
        raise BadInput(f"Expected an ISO date such as 2026-05-08 as {name}, not {came}.", param=name)
    return given


def scoped(here: Exchange, asgi: Asgi, options: Options, *, kept: bool) -> tuple[Scope, Options]:
    """Whose request this is, with its conversation where it asks for one; `kept` is whether this node keeps memory.

    Raises BadInput where memory is asked for and there is none, or where header and options name two conversations.
    """
    conversation = conversation_in(asgi)
    if conversation is not None:
        if options.memory is None:
            options = replace(options, memory=Remembering(conversation))
        elif options.memory.conversation != conversation:
            raise BadInput(
                "Expected one conversation, but the header x-loom-conversation and loom.memory.conversation name two; leave one out.",
                param="loom.memory.conversation",
            )
    if options.memory is None:
        return Scope(here.caller), options
    if not kept:
        raise BadInput(
            "This node keeps no conversation memory; start it with LOOM_MEMORY=on, or leave loom.memory and the header "
            "x-loom-conversation out.",
            param="loom.memory",
        )
    return Scope(here.caller, options.memory.conversation), options


def conversation_in(asgi: Asgi) -> str | None:
    """The conversation that the header of a request names, None where there is none. Raises BadInput where headers name several."""
    named = [value for key, value in asgi["headers"] if key == HEADER]
    if len(set(named)) > 1:
        raise BadInput(
            f"Expected one header {HEADER.decode()}, but there are {len(named)} that name several conversations; send one.",
            param=HEADER.decode(),
        )
    return conversation_of(_text(named[0]), HEADER.decode()) if named else None


def _text(value: bytes) -> str:
    """A header as it was meant: UTF-8 where it is that."""
    try:
        return value.decode("utf-8")
    except UnicodeError:
        return value.decode("latin-1")
