"""What kind of question a chat request is, and the words in it that retrieval reads."""

import re
from collections.abc import Mapping, Sequence

from loom.core.policy.merge import without_blocks
from loom.core.retrieval.follow import TURN_READ, TURNS
from loom.core.values import Json, Turn

_LOOKUP = re.compile(
    r"""\s*(?:please\s+)?(?:
        (?:what|who)(?:\s+(?:is|are|was|were)|['’]s)\s+(?!the\s+(?:best|fastest|cheapest)\b)(?P<what>.+?)
      | what\s+does\s+(?P<mean>.+?)\s+(?:mean|stand\s+for)
      | (?:define|describe)\s+(?P<define>.+?)
      | (?:give\s+(?:me\s+)?)?(?:the\s+|a\s+)?(?:definition|meaning)\s+of\s+(?P<definition>.+?)
      | (?:how|in\s+what\s+way)\s+(?:is|are)\s+(?P<one>.+?)\s+related\s+to\s+(?P<related>.+?)
    )\s*[?.!]*\s*""",
    re.IGNORECASE | re.VERBOSE,
)
_LOOKUP_MOST = 160
"""Code points of the longest question that may be a lookup; a longer one asks for more than a record."""


_AROUND = re.compile(r"""\A\s*(?:(?:an?|the)\s+(?=\S))?["'`“”‘’«»]*|["'`“”‘’«»]*\s*\Z""", re.IGNORECASE)


def subjects_of(text: str) -> tuple[str, ...]:
    """What a lookup asks for, in its own words without articles and quotes; empty where the text is no lookup."""
    found = _LOOKUP.fullmatch(text) if len(text) <= _LOOKUP_MOST else None
    given = [name for name in found.groupdict().values() if name is not None] if found else []
    return tuple(_AROUND.sub("", name) for name in given)


def text_of(messages: Sequence[Mapping[str, Json]]) -> str:
    """The words of the last user message: its string, or its text parts joined by a space. "" when there are none."""
    for message in reversed(messages):
        if message.get("role") == "user":
            return content_text(message.get("content"))
    return ""


def turns_of(messages: Sequence[Mapping[str, Json]]) -> tuple[Turn, ...]:
    """What user and assistant said before the last user message, oldest first: the last turns that a topic may be looked for in,
    and the beginning of each. Blocks that this node put in are taken out; tool calls, results and pictures are passed over."""
    found: list[Turn] = []
    asked = False
    for message in reversed(messages):
        role = message.get("role")
        if not asked:
            asked = role == "user"
        elif role in ("user", "assistant"):
            text = without_blocks(content_text(message.get("content"))).strip()
            if text:
                found.append(Turn(role, text[:TURN_READ]))
                if len(found) == TURNS:
                    break
    return tuple(reversed(found))


def content_text(content: Json) -> str:
    """The text of a message's content; images, audio and files have none."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = (part.get("text") for part in content if isinstance(part, dict) and part.get("type") in ("text", "input_text"))
    return " ".join(text for text in parts if isinstance(text, str))


def shape_of(body: Mapping[str, Json], text: str) -> str:
    """tools, schema, lookup or plain: what an answer to this request may look like.

    A lookup asks for one thing by name, in one turn, and takes any form of answer.
    """
    messages = body.get("messages") or ()
    last = messages[-1] if messages else {}
    if body.get("tools") or body.get("functions") or last.get("role") in ("tool", "function"):
        return "tools"
    form = body.get("response_format")
    if isinstance(form, dict) and form.get("type", "text") != "text":
        return "schema"
    alone = sum(message.get("role") in ("user", "assistant") for message in messages) == 1
    words_only = isinstance(last.get("content"), str) or all(
        isinstance(part, dict) and part.get("type") == "text" for part in last.get("content") or ()
    )
    if alone and words_only and last.get("role") == "user" and subjects_of(text):
        return "lookup"
    return "plain"
