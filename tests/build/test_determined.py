"""Contexts are the same bytes under any hash seed, any order of files, sources and rows, and whoever asks beside (R20, L1)."""

import asyncio
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from support import determined
from support.sources import ROOT

from loom.answer.plan import Pin
from loom_adapters.generation_folder import GenerationFolder


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """Three processes of other hash seeds, which write and build in other orders, one of them with rows in another order."""
    folder = tmp_path_factory.mktemp("runs")
    path = os.pathsep.join((str(ROOT / "tests"), str(ROOT), str(ROOT / "adapters")))
    started = {
        order: subprocess.Popen(
            [sys.executable, str(ROOT / "tests" / "support" / "determined.py"), str(folder / order.replace(" ", "")), order],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
            stdout=subprocess.PIPE,
            text=True,
        )
        for order, seed in (("1", "0"), ("2", "4242"), ("rows 3", "77"))
    }
    said = {order: process.communicate()[0] for order, process in started.items()}
    assert not any(process.returncode for process in started.values())
    return {order: json.loads(text.splitlines()[-1]) for order, text in said.items()}


def test_generations_and_contexts_are_the_same_under_any_hash_seed_and_order(runs: dict[str, dict[str, Any]]) -> None:
    assert runs["1"] == runs["2"]
    assert runs["1"]["count"] > 200
    assert runs["1"]["shown"] > runs["1"]["count"] * 0.9


def test_contexts_are_the_same_where_the_rows_of_series_stand_in_another_order(runs: dict[str, dict[str, Any]]) -> None:
    assert runs["rows 3"]["id"] != runs["1"]["id"]
    assert runs["rows 3"]["texts"] == runs["1"]["texts"]


@pytest.fixture(scope="module")
def pin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pin]:
    folder, draw = tmp_path_factory.mktemp("at-once"), random.Random(5)
    id = determined.built(determined.written(folder, draw), folder / "out", draw)
    generation = GenerationFolder(folder / "out").open(id)
    yield Pin(generation)
    generation.close()


def test_64_contexts_at_a_time_are_those_made_one_after_another(pin: Pin) -> None:
    every = determined.asked()
    alone = [asyncio.run(determined.context(one, Pin(pin.generation), determined.finders())) for one in every]
    shared, draw = determined.finders(), random.Random(64)
    order = [at for at in range(len(every)) for _ in range(3)]
    draw.shuffle(order)

    async def together() -> list[str]:
        gate = asyncio.Semaphore(64)

        async def one(at: int) -> str:
            async with gate:
                await asyncio.sleep(0)
                return await determined.context(every[at], pin, shared)

        return await asyncio.gather(*(one(at) for at in order))

    assert asyncio.run(together()) == [alone[at] for at in order]
    pin.grounded.clear()
    threaded = determined.finders()
    with ThreadPoolExecutor(64) as threads:
        made = list(threads.map(lambda at: asyncio.run(determined.context(every[at], pin, threaded)), order))
    assert made == [alone[at] for at in order]
