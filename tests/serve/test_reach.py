"""What is known of the model: cached, refreshed beside requests, and never waited for by a probe."""

import asyncio
import time
from pathlib import Path

import httpx
import pytest
from support.nodes import kiln_server

from loom.core.errors import UpstreamFailure
from loom.core.values import ModelCard
from loom.serve.reach import FRESH, Reach
from loom_adapters.clock import FakeClock
from loom_adapters.scripted_model import FakeModel


class Listing(FakeModel):
    """Lists what it is told to, after a pause."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0
        self.pause = 0.0
        self.answer: list[ModelCard] | Exception = [ModelCard("a")]

    async def models(self):
        self.asked += 1
        await asyncio.sleep(self.pause)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


async def test_a_list_is_asked_for_once_while_it_is_fresh():
    model, clock = Listing(), FakeClock()
    reach = Reach(model, clock, 1.0)
    lists = await asyncio.gather(*(reach.models() for _ in range(5)))
    assert model.asked == 1 and lists[0] == (ModelCard("a"),)
    await reach.models()
    assert model.asked == 1
    clock.advance(FRESH + 1)
    await reach.models()
    assert model.asked == 2


async def test_a_known_list_survives_a_failure():
    model, clock = Listing(), FakeClock()
    reach = Reach(model, clock, 1.0)
    await reach.models()
    model.answer = UpstreamFailure("Gone.")
    clock.advance(FRESH + 1)
    assert await reach.models() == (ModelCard("a"),)
    seen = reach.glance()
    assert seen and seen.failure and seen.failure.message == "Gone."


@pytest.mark.parametrize("answer", [UpstreamFailure("Gone."), OSError("no route"), ValueError("not JSON")])
async def test_without_a_list_the_failure_is_told(answer: Exception):
    model = Listing()
    model.answer = answer
    with pytest.raises(UpstreamFailure):
        await Reach(model, FakeClock(), 1.0).models()


async def test_a_model_that_hangs_is_given_up():
    model = Listing()
    model.pause = 60
    with pytest.raises(UpstreamFailure, match=r"within 0\.05 seconds") as caught:
        await Reach(model, FakeClock(), 0.05).models()
    assert caught.value.status == 504


async def test_a_glance_does_not_wait():
    model = Listing()
    model.pause = 60
    reach = Reach(model, FakeClock(), 60.0)
    assert reach.glance() is None
    assert reach.glance() is None
    await asyncio.sleep(0)
    assert model.asked == 1
    await reach.close()


async def test_probes_answer_at_once_behind_a_model_that_hangs(tmp_path: Path):
    model = Listing()
    model.pause = 60
    async with kiln_server(tmp_path, model, LOOM_CONNECT_TIMEOUT="30") as url, httpx.AsyncClient(base_url=url) as client:
        for path in ("/health", "/health/live", "/health/ready"):
            started = time.monotonic()
            assert (await client.get(path)).status_code == 200
            assert time.monotonic() - started < 0.5
        assert (await client.get("/health")).json()["model"]["reachable"] is None
    model = Listing()
    model.answer = UpstreamFailure("Nobody is there.")
    async with kiln_server(tmp_path, model) as url, httpx.AsyncClient(base_url=url) as client:
        await asyncio.sleep(0.05)
        state = (await client.get("/health")).json()
        models = await client.get("/v1/models")
    assert state["model"]["reachable"] is False and state["status"] == "degraded" and "Nobody is there." in state["degraded"]
    assert models.status_code == 502 and models.json()["error"]["message"] == "Nobody is there."
