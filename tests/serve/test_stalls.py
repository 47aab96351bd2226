import asyncio
import time

from loom.serve.stalls import AFTER, watched


async def reported(*blocks: float, inside: bool = True) -> float:
    """What is reported when the loop is blocked for these seconds, inside the watch or just after it."""
    found: list[float] = []
    async with watched(found.append):
        await asyncio.sleep(0.01)
        for seconds in blocks if inside else ():
            time.sleep(seconds)
            await asyncio.sleep(0.005)
    if not inside:
        time.sleep(blocks[0])
    await asyncio.sleep(AFTER * 3)
    assert len(found) == 1, "a watch reports once"
    return found[0]


async def test_the_longest_of_several_stalls_is_reported() -> None:
    assert 0.06 <= await reported(0.02, 0.07, 0.03) < 0.5


async def test_what_follows_at_once_counts_too() -> None:
    assert await reported(0.05, inside=False) >= 0.04


async def test_work_in_a_thread_is_no_stall() -> None:
    found: list[float] = []
    async with watched(found.append):
        await asyncio.to_thread(time.sleep, 0.3)
    await asyncio.sleep(AFTER * 3)
    assert found[0] < 0.25
