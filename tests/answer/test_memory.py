"""The store of a node's memory: it is opened when it is first needed, by one attempt at a time."""

import asyncio
import threading

import pytest

from loom.answer.memory import Memory
from loom.core.errors import BadInput, Unreachable
from loom_adapters.memory.kept import FakeMemories


class Door:
    """Opens a store once it is let; counts how often it was asked to."""

    def __init__(self) -> None:
        self.asked = 0
        self.let = threading.Event()
        self.fault: Exception | None = None

    def __call__(self) -> FakeMemories:
        self.asked += 1
        self.let.wait(30)
        if self.fault is not None:
            raise self.fault
        return FakeMemories()


async def begun(memory: Memory, count: int) -> "list[asyncio.Task[object]]":
    waiting: list[asyncio.Task[object]] = [asyncio.create_task(memory.store()) for _ in range(count)]
    await asyncio.sleep(0.01)
    return waiting


async def test_all_wait_for_one_attempt_even_when_some_give_up() -> None:
    door = Door()
    memory = Memory(door)
    waiting = await begun(memory, 20)
    for each in waiting[:5]:
        each.cancel()
    await asyncio.wait(waiting[:5])
    door.let.set()
    stores = await asyncio.gather(*waiting[5:])
    assert all(store is stores[0] for store in stores) and await memory.store() is stores[0]
    assert door.asked == 1
    await memory.aclose()


@pytest.mark.parametrize("fault", [Unreachable("It does not answer."), BadInput("It is none.")])
async def test_an_attempt_that_fails_fails_for_all_who_wait_and_is_made_again(fault: Exception) -> None:
    door = Door()
    door.fault = fault
    memory = Memory(door)
    waiting = await begun(memory, 5)
    door.let.set()
    assert {(type(error), str(error)) for error in await asyncio.gather(*waiting, return_exceptions=True)} == {
        (Unreachable, str(fault))
    }
    assert door.asked == 1
    with pytest.raises(Unreachable):
        await memory.store()
    door.fault = None
    await memory.store()
    assert door.asked == 3
    await memory.aclose()


async def test_a_failure_that_nobody_waits_for_any_more_is_nobodys() -> None:
    door = Door()
    door.fault = Unreachable("It does not answer.")
    memory = Memory(door)
    waiting = await begun(memory, 2)
    for each in waiting:
        each.cancel()
    await asyncio.wait(waiting)
    door.let.set()
    await memory.aclose()
