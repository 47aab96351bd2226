"""The composition of conversation memory: which store keeps it, and what reads the exports of chat programs."""

from dataclasses import replace

from loom.answer.finders.memory import MemoryFinder
from loom.answer.memory import SERVES, Memory
from loom.settings import Settings


def memory(settings: Settings) -> Memory | None:
    """What remembers conversations, where anything does; its store is opened when it is first needed. Raises MissingExtra."""
    stated = settings.memory
    if not stated.kept:
        return None
    from loom_adapters.memory.imports.told import read
    from loom_adapters.memory.opening import opener

    return Memory(opener(stated.store), replace(SERVES, floor=stated.floor, k=stated.hits), read)


def remembering(memory: Memory | None) -> tuple[MemoryFinder, ...]:
    """The finder of what is remembered, where anything is."""
    return (MemoryFinder(memory),) if memory else ()
