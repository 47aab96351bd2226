"""Progress of long work: a bar on a terminal, a plain line at the end elsewhere; always on standard error."""

import sys
from collections.abc import Iterable, Iterator
from typing import TextIO, TypeVar

T = TypeVar("T")


def tracked(items: Iterable[T], label: str, total: int | None = None, *, to: TextIO | None = None) -> Iterator[T]:
    """The same items, with progress shown while they are taken."""
    out = to or sys.stderr
    if not out.isatty():
        count = 0
        for item in items:
            yield item
            count += 1
        print(f"{label}: {count:,}", file=out)
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(file=out), transient=True) as progress:
        task = progress.add_task(label, total=total)
        for item in items:
            yield item
            progress.advance(task)
