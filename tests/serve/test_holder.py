"""Holding generations: pinned while used, closed when the last user leaves."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom.core.errors import NoGeneration
from loom.serve.holder import Holder, Refusal


class Counted:
    """A generation that knows whether it is closed."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.manifest = {"id": id}
        self.closed = 0

    def part(self, kind):
        return None

    def close(self) -> None:
        self.closed += 1


async def settled() -> None:
    await asyncio.get_running_loop().run_in_executor(None, lambda: None)
    await asyncio.sleep(0.01)


async def test_nothing_to_hold_says_what_to_do():
    holder = Holder()
    with pytest.raises(NoGeneration, match="loom build"):
        holder.take()
    holder.refusal = Refusal("sha256:0", "A file is missing.", 0.0)
    with pytest.raises(NoGeneration, match="A file is missing"):
        holder.take()
    assert holder.pin is None and holder.id is None


@given(st.lists(st.sampled_from(["take", "give", "swap"]), max_size=40))
def test_closed_once_and_never_while_held(steps: list[str]):
    async def run() -> None:
        holder, made, held = Holder(), [Counted("0")], []
        holder.assign(made[0], {})
        for step in steps:
            if step == "take":
                held.append(holder.take())
            elif step == "give" and held:
                holder.give(held.pop(0))
            elif step == "swap":
                made.append(Counted(str(len(made))))
                holder.assign(made[-1], {})
            assert not any(lease.pin.generation.closed for lease in held)
        for lease in held:
            holder.give(lease)
        holder.close()
        await asyncio.get_running_loop().shutdown_default_executor()
        assert [generation.closed for generation in made] == [1] * len(made)

    asyncio.run(run())


async def test_a_request_keeps_its_generation_over_swaps():
    holder, old = Holder(), Counted("old")
    holder.assign(old, {"built_at": "then"})
    lease = holder.take()
    holder.assign(Counted("new"), {})
    await settled()
    assert lease.pin.generation is old and lease.about == {"built_at": "then"} and not old.closed and holder.id == "new"
    holder.give(lease)
    await settled()
    assert old.closed == 1
