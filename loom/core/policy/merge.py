"""Merging: a block joins the client's messages. The one place where prompts are constructed.

The block always stands at the end of the first message when that is a system or developer message, and else in a system
message put before all others: one place, whatever the conversation holds, so that prefixes stay cacheable and a tool call is
never parted from its results.
"""

from collections.abc import Mapping

from loom.core.policy.packing import FOOTER, HEADER
from loom.core.policy.wrappers import WRAPPERS, wrap
from loom.core.values import Block, Json, Prompt, Question, tokens_of

LEADING = ("system", "developer")

_BEGIN, _END = f"{HEADER}\n", f"\n{FOOTER}"


def merge(question: Question, block: Block, wrapper: str, *, temperature: float | None = None) -> Prompt:
    """The client's request with the block in it. Blocks that an earlier turn left in the leading message are taken out first.

    `temperature` goes with it where the client states none.
    """
    injection = wrap(wrapper, block.text)
    body = dict(question.body)
    messages = body.get("messages")
    if isinstance(messages, list) and messages and injection:
        first = messages[0]
        if isinstance(first, Mapping) and first.get("role") in LEADING:
            body["messages"] = [{**first, "content": _joined(first.get("content"), injection)}, *messages[1:]]
        else:
            body["messages"] = [{"role": "system", "content": injection}, *messages]
    tempered = temperature is not None and isinstance(messages, list) and body.get("temperature") is None
    if tempered:
        body["temperature"] = temperature
    return Prompt(body, block, question, tokens_of(injection), tempered)


def at_own_temperature(prompt: Prompt) -> Prompt:
    """The prompt with no temperature but the client's, for a model that takes no other."""
    if not prompt.tempered:
        return prompt
    body = {key: value for key, value in prompt.body.items() if key != "temperature"}
    stated = {key: value for key, value in prompt.question.body.items() if key == "temperature"}
    return Prompt({**body, **stated}, prompt.block, prompt.question, prompt.injected_tokens)


def _joined(content: Json, injection: str) -> Json:
    if isinstance(content, list):
        parts = (_without_earlier(part) for part in content)
        return [*(part for part in parts if part is not None), {"type": "text", "text": injection}]
    text = without_blocks(content).rstrip() if isinstance(content, str) else ""
    return f"{text}\n\n{injection}" if text else injection


def _without_earlier(part: Json) -> Json:
    """A content part without blocks of earlier turns; None where nothing else was in it."""
    text = part.get("text") if isinstance(part, Mapping) else None
    if not isinstance(text, str) or HEADER not in text:
        return part
    rest = without_blocks(text).rstrip()
    return {**part, "text": rest} if rest else None


def without_blocks(text: str) -> str:
    """The text without any block that this node put into it, its wrapper included."""
    kept: list[str] = []
    at = 0
    while (start := text.find(_BEGIN, at)) >= 0 and (end := text.find(_END, start)) >= 0:
        before = text[at:start].rstrip()
        sentence = next((each for each in WRAPPERS.values() if each and before.endswith(each)), "")
        kept.append(before.removesuffix(sentence).rstrip())
        at = end + len(_END)
    return "".join([*kept, text[at:]]) if kept else text
