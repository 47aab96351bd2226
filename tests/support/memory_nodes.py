"""Nodes about kilns that remember conversations, and how they are asked."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.canaries import left
from support.memory_stores import emptied, written_out
from support.nodes import kiln_node
from support.postgres_server import Server

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


@dataclass(frozen=True)
class Nodes:
    """Makes nodes that share a memory: a file beside their generations, or the database of a server."""

    folder: Path
    server: Server | None = None

    @property
    def store(self) -> str:
        return str(self.folder / "memory.sqlite") if self.server is None else self.server.url

    def __call__(self, model: ModelBackend | None = None, **variables: str) -> Node:
        return memory_node(self.folder, model, **{"LOOM_MEMORY_STORE": self.store, **variables})

    def left(self, words: Iterable[str]) -> list[tuple[str, str]]:
        """(file, word) of every word that a file of the node, or of its database, still holds."""
        wanted = list(words)
        return left(self.folder, wanted) + (written_out(self.server, wanted) if self.server is not None else [])


def nodes_at(kind: str, folder: Path, server: Server | None) -> Nodes:
    """Nodes whose memory is empty, in the store of this kind."""
    if kind == "sqlite":
        return Nodes(folder)
    assert server is not None
    emptied(server)
    return Nodes(folder, server)


def asking(text: str, conversation: str | None = "trip", *, stream: bool = False, **memory: Any) -> dict[str, Any]:
    """A chat request that asks one thing of a conversation."""
    body: dict[str, Any] = {"model": "echo", "messages": [{"role": "user", "content": text}], "stream": stream}
    return body if conversation is None else {**body, "loom": {"memory": {"conversation": conversation, **memory}}}
