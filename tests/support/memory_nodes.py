"""Nodes about kilns that remember conversations, and how they are asked."""

from pathlib import Path
from typing import Any

from support.nodes import kiln_node

from loom.compose import Node
from loom.ports import ModelBackend

CHAT = "/v1/chat/completions"
POTTERY = (
    {"speaker": "Anna", "text": "I started pottery yesterday. Ben hates the smell of glaze.", "date": "2024-05-08", "id": "t1"},
    {"speaker": "Ben", "text": "I bought a canoe in Lisbon.", "date": "2024-05-08", "id": "t2"},
)


def memory_node(folder: Path, model: ModelBackend | None = None, **variables: str) -> Node:
    """A node with its memory in a file beside its generations."""
    return kiln_node(folder, model, **{"LOOM_MEMORY": "on", "LOOM_MEMORY_STORE": str(folder / "memory.sqlite"), **variables})


def asking(text: str, conversation: str | None = "trip", *, stream: bool = False, **memory: Any) -> dict[str, Any]:
    """A chat request that asks one thing of a conversation."""
    body: dict[str, Any] = {"model": "echo", "messages": [{"role": "user", "content": text}], "stream": stream}
    return body if conversation is None else {**body, "loom": {"memory": {"conversation": conversation, **memory}}}
