"""What an export of a chat program holds: conversations with their turns, and what could not be read, with its place and a remedy."""

from collections.abc import Callable
from dataclasses import dataclass, field

from loom.core.memory.values import Said


@dataclass(frozen=True, slots=True)
class Fault:
    """`where` is a line, or the numbers of a conversation and a message; what is there was passed over."""

    where: str
    message: str


@dataclass(slots=True)
class Talk:
    """One conversation. `name` is "" where the export does not say which it is."""

    name: str
    turns: list[Said] = field(default_factory=list)


@dataclass(slots=True)
class Imported:
    """All of an export; `format` says whose it is."""

    format: str
    talks: list[Talk] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def fault(self, where: str, message: str) -> None:
        self.faults.append(Fault(where, message))


Reader = Callable[[bytes], Imported | None]
"""Reads an export; None for one of this node's own. Raises BadInput for what is none."""
