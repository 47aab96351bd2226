"""How far a study is, as it is told."""

import asyncio
import io

import pytest

from loom.cli.lab.live import Pulse, live
from loom.lab.running import Tally


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_rate_cost_and_remaining_time_are_of_what_was_sent() -> None:
    tally = Tally(asked=100, kept=100)
    pulse = Pulse(tally, 1000, now=50.0)
    assert pulse.words(50.0) == "", "nothing is known yet"
    tally.asked, tally.kept, tally.price = 400, 300, 0.5
    assert pulse.words(150.0) == "200 kept · 1.0/s · 11 min 40 s left · 0.5000 spent, about 4.0000 in all"


def test_what_is_not_known_is_not_made_up() -> None:
    tally = Tally(errors=2, trouble={"m": "The model answered with status 429."})
    assert Pulse(tally, 10, now=0.0).words(1.0) == "2 errors · m: The model answered with status 429."
    tally = Tally()
    pulse = Pulse(tally, 10, now=0.0)
    tally.asked, tally.unpriced, tally.prompt = 5, 5, 1000
    assert pulse.words(10.0) == "0.5/s · 10 s left · 1,000 tokens, 5 calls without a price"


@pytest.mark.parametrize("terminal", [True, False])
async def test_a_terminal_sees_a_bar_and_a_file_lines(terminal: bool) -> None:
    out, tally = Terminal() if terminal else io.StringIO(), Tally()
    async with live("answers", tally, 40, to=out):
        for _ in range(40):
            tally.asked += 1
            await asyncio.sleep(0.02)
    text = out.getvalue()
    assert ("\x1b[" in text) is terminal
    assert "answers: 40 of 40 · " in text.rstrip("\n").split("\n")[-1], "what stays when the bar is gone"


async def test_quiet_is_quiet_and_a_failure_passes() -> None:
    out = io.StringIO()
    async with live("answers", Tally(), 40, quiet=True, to=out):
        pass
    with pytest.raises(RuntimeError):
        async with live("answers", Tally(), 40, to=out, quiet=True):
            raise RuntimeError
    assert out.getvalue() == ""


def test_more_than_was_thought_moves_the_end() -> None:
    tally = Tally()
    pulse = Pulse(tally, 10, now=0.0)
    tally.asked = tally.kept = 12
    assert (pulse.done, pulse.kept, pulse.total) == (12, 12, 12)


async def test_on_a_narrow_terminal_the_words_are_cut_and_the_bar_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    out, tally = Terminal(), Tally(trouble={"m": "The model answered with status 429. " * 5})
    async with live("answers", tally, 40, to=out):
        for _ in range(8):
            tally.asked += 1
            await asyncio.sleep(0.1)
    drawn = [line for line in out.getvalue().split("\r") if "m: The" in line and "…" in line]
    assert drawn and all("/40" in line and "━" in line for line in drawn)
