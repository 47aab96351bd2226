import asyncio

import pytest

from loom_adapters.patience import Patience


@pytest.fixture
async def patience():
    made = Patience()
    yield made
    made.close()


async def test_a_wait_that_ends_in_time_gives_its_result(patience: Patience) -> None:
    for _ in range(3):
        with patience.of(5):
            assert await asyncio.sleep(0.001, "here") == "here"


async def test_a_wait_that_is_too_long_is_ended_and_the_task_goes_on(patience: Patience) -> None:
    for _ in range(2):
        with pytest.raises(TimeoutError), patience.of(0.01):
            await asyncio.sleep(5)
    assert asyncio.current_task().cancelling() == 0  # type: ignore[union-attr]
    await asyncio.sleep(0)


async def test_a_shorter_wait_after_a_longer_one_has_its_own_end(patience: Patience) -> None:
    with patience.of(60):
        await asyncio.sleep(0)
    with pytest.raises(TimeoutError), patience.of(0.01):
        await asyncio.sleep(5)


async def test_a_longer_wait_after_a_shorter_one_is_not_cut(patience: Patience) -> None:
    with patience.of(0.01):
        await asyncio.sleep(0)
    with patience.of(5):
        await asyncio.sleep(0.03)


async def test_time_between_waits_does_not_count(patience: Patience) -> None:
    with patience.of(0.01):
        await asyncio.sleep(0)
    await asyncio.sleep(0.03)
    with patience.of(5):
        await asyncio.sleep(0)


async def test_a_cancellation_from_outside_stays_one(patience: Patience) -> None:
    async def waiting() -> None:
        with patience.of(5):
            await asyncio.sleep(5)

    task = asyncio.create_task(waiting())
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_other_errors_pass(patience: Patience) -> None:
    with pytest.raises(KeyError), patience.of(5):
        raise KeyError
