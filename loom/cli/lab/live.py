"""How far a study is, on standard error: a bar on a terminal, elsewhere a line every tenth or half minute."""

import asyncio
import sys
import time
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import TextIO

from loom.lab.running.tally import Tally

OFTEN, SELDOM, SHARE = 0.25, 30.0, 0.1
BAR = 20
"""Columns of a terminal that the bar takes."""


class Pulse:
    """What a run has come to, in words. `total` is about how many answers are wanted: it grows where more come; the tally may begin
    anywhere."""

    def __init__(self, tally: Tally, total: int, now: float) -> None:
        self._tally = tally
        self._about = total
        self._start = now
        self._before = (tally.asked, tally.kept, tally.price)

    @property
    def done(self) -> int:
        return self._tally.asked - self._before[0]

    @property
    def total(self) -> int:
        return max(self._about, self.done)

    @property
    def kept(self) -> int:
        return self._tally.kept - self._before[1]

    def words(self, now: float) -> str:
        """Rate, cost so far and in all, and the time that is left, as far as they are known."""
        tally, seconds = self._tally, max(now - self._start, 1e-9)
        made = self.done - self.kept
        left = self.total - self.done
        said = [f"{self.kept:,} kept"] if self.kept else []
        if tally.errors:
            said.append(f"{tally.errors:,} errors")
        if made > 0:
            said.append(f"{made / seconds:.1f}/s")
            if left:
                said.append(f"{_time(left * seconds / made)} left")
            spent = tally.price - self._before[2]
            if spent:
                said.append(f"{tally.price:.4f} spent, about {tally.price + spent / made * left:.4f} in all")
            if tally.unpriced:
                said.append(f"{tally.prompt + tally.completion:,} tokens, {tally.unpriced:,} calls without a price")
        said += [f"{model}: {trouble}" for model, trouble in sorted(tally.trouble.items())]
        return " · ".join(said)


def _time(seconds: float) -> str:
    whole = max(1, round(seconds))
    if whole < 60:
        return f"{whole} s"
    return f"{whole // 60} min {whole % 60:02} s" if whole < 3600 else f"{whole // 3600} h {whole % 3600 // 60:02} min"


@asynccontextmanager
async def live(label: str, tally: Tally, total: int, *, quiet: bool = False, to: TextIO | None = None) -> AsyncIterator[None]:
    """Show the tally while the block runs."""
    out = to or sys.stderr
    pulse = Pulse(tally, total, time.monotonic())
    if quiet or not total:
        yield
        return
    task = asyncio.ensure_future(_bar(label, pulse, out) if out.isatty() else _lines(label, pulse, out))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@dataclass(frozen=True, slots=True)
class Shown:
    """Work that a tally counts, shown while it goes on."""

    tally: Tally
    quiet: bool

    def live(self, label: str, total: int) -> AbstractAsyncContextManager[None]:
        return live(label, self.tally, total, quiet=self.quiet)

    def kept(self) -> None:
        """What was wanted is there already."""
        self.tally.asked += 1
        self.tally.kept += 1


async def _bar(label: str, pulse: Pulse, out: TextIO) -> None:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=BAR),
        MofNCompleteColumn(),
        TextColumn("{task.fields[words]}", markup=False),
    )
    console = Console(file=out)
    try:
        with Progress(*columns, console=console, transient=True) as bars:
            task = bars.add_task(label, total=pulse.total, words="")
            while True:
                # What is too long is cut here: a table that is too wide would give up the bar first.
                room = console.width - len(label) - BAR - len(f"{pulse.total}/{pulse.total}") - 4
                words = pulse.words(time.monotonic())
                words = words if len(words) <= room else words[: max(0, room - 1)] + "…"
                bars.update(task, completed=pulse.done, total=pulse.total, words=words)
                await asyncio.sleep(OFTEN)
    finally:
        print(_line(label, pulse), file=out)


async def _lines(label: str, pulse: Pulse, out: TextIO) -> None:
    shown, at = 0.0, time.monotonic()
    try:
        while True:
            await asyncio.sleep(OFTEN)
            share, now = pulse.done / pulse.total, time.monotonic()
            if share < 1 and (share >= shown + SHARE or now - at >= SELDOM):
                shown, at = share, now
                print(_line(label, pulse), file=out, flush=True)
    finally:
        print(_line(label, pulse), file=out, flush=True)


def _line(label: str, pulse: Pulse) -> str:
    words = pulse.words(time.monotonic())
    return f"{label}: {pulse.done:,} of {pulse.total:,}" + (f" · {words}" if words else "")
