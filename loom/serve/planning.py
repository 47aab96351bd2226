"""What the routes that ground something share: checking messages, and saying what was planned."""

from collections.abc import Mapping
from typing import Any

from loom.answer.plan import Plan
from loom.core.errors import BadInput
from loom.serve.body import kind_of
from loom.serve.exchange import Exchange


def note(here: Exchange, plan: Plan) -> None:
    """Say what was planned in the headers of the response, whatever it will be: the `loom` object in short; and in the log."""
    here.generation = plan.pin.generation.id
    here.decision = plan.decision.reason
    here.injected_tokens = plan.prompt.injected_tokens
    here.headers += [
        (b"x-loom-generation", here.generation.encode()),
        (b"x-loom-decision", here.decision.encode()),
        (b"x-loom-injected-tokens", b"%d" % here.injected_tokens),
    ]


def check_messages(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The messages of a chat request: a list of objects with a role. What else is in them is the model's business."""
    messages = body.get("messages")
    if not isinstance(messages, list):
        came = "it is missing" if "messages" not in body else f"it is {kind_of(messages)}"
        raise BadInput(f"Expected a list as messages; {came}.", param="messages")
    if not messages:
        raise BadInput("Expected at least one message; the list is empty.", param="messages")
    for place, message in enumerate(messages):
        if not isinstance(message, dict):
            raise BadInput(f"Expected an object as messages[{place}], not {kind_of(message)}.", param=f"messages[{place}]")
        role = message.get("role")
        if not isinstance(role, str) or not role:
            raise BadInput(f"Expected a role in messages[{place}], not {kind_of(role)}.", param=f"messages[{place}].role")
        content = message.get("content")
        if content is not None and not isinstance(content, str):
            _check_parts(content, f"messages[{place}].content")
    return messages


def _check_parts(content: Any, name: str) -> None:
    if not isinstance(content, list):
        raise BadInput(f"Expected text or a list of parts as {name}, not {kind_of(content)}.", param=name)
    for place, part in enumerate(content):
        if not isinstance(part, dict):
            raise BadInput(f"Expected an object as {name}[{place}], not {kind_of(part)}.", param=f"{name}[{place}]")
