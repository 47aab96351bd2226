"""Prompts for tests of what comes after a prompt is made."""

from typing import Any

from loom.core.values import Block, Prompt, Question, Scope


def ask(model: str = "echo", text: str = "What is a kiln?", **body: Any) -> dict[str, Any]:
    """A chat request of one user message."""
    return {"model": model, "messages": [{"role": "user", "content": text}], **body}


def prompt(body: dict[str, Any]) -> Prompt:
    """An ungrounded prompt with this body."""
    return Prompt(body, Block("", (), (), 0), Question("", Scope("tester"), body))
