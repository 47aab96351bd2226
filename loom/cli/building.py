"""What a build shows: bars on a terminal, plain lines elsewhere, on standard error."""

import sys
import time
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Self, TextIO

from loom.build.agreement import FIELDS, Agreement
from loom.build.checks import KINDS
from loom.build.stage import Stage
from loom.core.report import SEVERITIES, Report

EXAMPLES = 3


class Showing:
    """Shows the stages of a build as they begin, and how many pages have been read."""

    def __init__(self, *, quiet: bool = False, to: TextIO | None = None) -> None:
        self._quiet = quiet
        self._out = to or sys.stderr
        self._bars: Any = None
        self._task: Any = None
        self._stage: tuple[str, float] | None = None
        self._shown = 0

    def __enter__(self) -> Self:
        if not self._quiet and self._out.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

            self._bars = Progress(
                TextColumn("{task.description:9}"),
                BarColumn(),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
                console=Console(file=self._out),
            )
            self._bars.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if kind is None:
            self._end()
        if self._bars is not None:
            self._bars.stop()
            self._bars = self._task = None
        self._stage = None

    def begin(self, stage: Stage) -> None:
        """A stage begins; the one before is done."""
        self._end()
        self._stage, self._shown = (stage.name, time.monotonic()), 0
        if self._bars is not None:
            self._task = self._bars.add_task(stage.name, total=None)

    def taken(self, count: int, total: int | None) -> None:
        """So many pages of a source have been read."""
        self._shown = count
        if self._bars is not None and self._task is not None:
            self._bars.update(self._task, completed=count, total=total)

    def say(self, *lines: str) -> None:
        """Print lines; what a terminal would act on is shown as U+FFFD."""
        if not self._quiet:
            for line in lines:
                print("".join(c if c.isprintable() else "\ufffd" for c in line), file=self._out)

    def _end(self) -> None:
        if self._stage is None or self._quiet:
            return
        name, started = self._stage
        if self._bars is not None:
            self._bars.update(self._task, total=max(self._shown, 1), completed=max(self._shown, 1))
        else:
            pages = f", {self._shown:,} pages" if self._shown else ""
            print(f"{name}: {time.monotonic() - started:.1f} s{pages}", file=self._out, flush=True)
        self._stage = None


def remark_lines(report: Report) -> Iterator[str]:
    """A summary: errors and warnings with examples, kinds of info by count only."""
    content = report.as_json()
    for severity in SEVERITIES:
        kinds = report.of(severity)
        if not kinds:
            continue
        yield f"{severity}: {sum(kinds.values()):,} remarks of {len(kinds)} kinds"
        if severity == "info":
            yield "  " + ", ".join(f"{kind} {count:,}" for kind, count in kinds.items())
            continue
        for kind, count in kinds.items():
            yield f"  {kind} {count:,}: {KINDS[kind].meaning}"
            for example in content[kind]["examples"][:EXAMPLES]:
                yield f"    {example['where'] or '-'}: {example['message']}"


def agreement_lines(agreement: Agreement) -> Iterator[str]:
    """What was compared with an index, and each difference with the remarks that explain it."""
    compared = ", ".join(f"{agreement.compared[field]:,} {_plural(field)}" for field in FIELDS)
    yield f"compared with the index: {compared}; {len(agreement.differences):,} differences"
    for one in agreement.differences[:20]:
        why = ", ".join(one.reasons) or "unexplained"
        yield f"  {one.field} of {one.slug}: index {one.index!r}, built {one.built!r} ({why})"


def _plural(field: str) -> str:
    return "classes" if field == "class" else f"{field}s"
