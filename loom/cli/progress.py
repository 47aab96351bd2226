"""Progress of long work on standard error: a bar on a terminal, elsewhere one plain line at the end, where a label asks for it."""

import sys
from collections.abc import Iterable, Iterator
from typing import TextIO, TypeVar

T = TypeVar("T")


def tracked(
    items: Iterable[T], label: str, total: int | None = None, *, plain: bool = True, to: TextIO | None = None
) -> Iterator[T]:
    """The same items, with progress shown while they are taken; `plain` says whether to count them where there is no terminal."""
    out = to or sys.stderr
    if not out.isatty():
        count = 0
        for item in items:
            yield item
            count += 1
        if plain:
            print(f"{label}: {count:,}", file=out)
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(file=out), transient=True) as progress:
        task = progress.add_task(label, total=total)
        for item in items:
            yield item
            progress.advance(task)
