"""Merging: a block joins the client's messages. The one place where prompts are constructed.

The block always stands at the end of the first message when that is a system or developer message, and else in a system
message put before all others: one place, whatever the conversation holds, so that prefixes stay cacheable and a tool call is
never parted from its results.
"""

import re
from collections.abc import Mapping

from loom.core.policy.packing import FOOTER, HEADER
from loom.core.policy.wrappers import WRAPPERS, wrap
from loom.core.values import Block, Json, Prompt, Question, tokens_of

LEADING = ("system", "developer")

_EARLIER = re.compile(
    rf"\s*(?:(?:{'|'.join(re.escape(sentence) for sentence in WRAPPERS.values() if sentence)})\s+)?"
    rf"{re.escape(HEADER)}\n.*?\n{re.escape(FOOTER)}",
    re.DOTALL,
)


def merge(question: Question, block: Block, wrapper: str) -> Prompt:
    """The client's request with the block in it. Blocks that an earlier turn left in the leading message are taken out first."""
    injection = wrap(wrapper, block.text)
    body = dict(question.body)
    messages = body.get("messages")
    if isinstance(messages, list) and messages and injection:
        first = messages[0]
        if isinstance(first, Mapping) and first.get("role") in LEADING:
            body["messages"] = [{**first, "content": _joined(first.get("content"), injection)}, *messages[1:]]
        else:
            body["messages"] = [{"role": "system", "content": injection}, *messages]
    return Prompt(body, block, question, tokens_of(injection))


def _joined(content: Json, injection: str) -> Json:
    if isinstance(content, list):
        return [*content, {"type": "text", "text": injection}]
    text = _EARLIER.sub("", content).rstrip() if isinstance(content, str) and HEADER in content else content
    return f"{text.rstrip()}\n\n{injection}" if isinstance(text, str) and text.strip() else injection
