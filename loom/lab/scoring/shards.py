"""Rows in shards: a file is cut at line ends, each piece is scored by the same function wherever it runs, and the pieces are joined.

The result is that of one pass over the file, whatever the number of shards and whoever computes them.
"""

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from loom.core.errors import BadInput
from loom.lab.files import write_bytes
from loom.lab.lines import PACKED, object_in
from loom.lab.row import Row, read_rows, row_of
from loom.lab.scoring import written
from loom.lab.scoring.scored import Scorer, Titles
from loom.lab.scoring.scores import Scores

SHARD = 32 << 20
"""Bytes of a shard: a few thousand rows, which take about a second."""


class OpenTitles(Protocol):
    """Opens what finds corpus titles in answers, in the process that scores; can be pickled and compared."""

    def __call__(self) -> Titles: ...
    def __hash__(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Shard:
    """A piece of a file of rows, from byte `start` up to `end`, and how it is scored. `lines` is where its scored rows are written,
    `form` how: jsonl or csv."""

    path: str
    start: int
    end: int
    matcher: str = "default"
    beside: str | None = None
    titles: OpenTitles | None = None
    lines: str | None = None
    form: str = "jsonl"


def cut(path: Path, size: int = SHARD) -> list[tuple[int, int]]:
    """Pieces of a file of about `size` bytes that end where lines end; one of a file that is packed. Raises BadInput where it
    cannot be read."""
    pieces = []
    try:
        if not path.is_file() and path.exists():
            raise BadInput(
                f"Expected a file of rows, which is read more than once, but {path} is none; save it first.", param="rows"
            )
        total = path.stat().st_size
        if path.suffix == PACKED:
            return [(0, total)]
        with path.open("rb") as file:
            start = 0
            while start < total:
                file.seek(min(start + size, total) - 1)
                file.readline()
                pieces.append((start, file.tell()))
                start = file.tell()
    except OSError as error:
        raise BadInput(f"Expected a file of rows, but {path} cannot be read: {error.strerror}.", param="rows") from error
    return pieces


def rows_in(shard: Shard) -> Iterator[Row]:
    """The rows of a shard. Raises BadInput; a line is named by its number, or in a later shard by the byte at which it begins."""
    at = shard.start
    if shard.path.endswith(PACKED):
        yield from read_rows(Path(shard.path))
        return
    try:
        with open(shard.path, "rb") as file:
            file.seek(at)
            number = 0
            while at < shard.end and (line := file.readline()):
                number += 1
                where = f"line {number} of {shard.path}" if not shard.start else f"the line at byte {at} of {shard.path}"
                at += len(line)
                if line.strip():
                    yield row_of(object_in(line, where, "rows"), where)
    except OSError as error:
        raise BadInput(f"Expected a file of rows, but {shard.path} cannot be read: {error.strerror}.", param="rows") from error


@lru_cache(maxsize=4)
def _scorer(matcher: str, beside: str | None, titles: OpenTitles | None) -> Scorer:
    """One scorer a process, so that what it read for one shard is known for the next."""
    return Scorer(matcher, beside=beside, titles=titles() if titles else None)


def score_shard(shard: Shard) -> Scores:
    """The scores of a shard; writes its scored rows where it says so. Raises BadInput."""
    scorer = _scorer(shard.matcher, shard.beside, shard.titles)
    found = Scores(shard.matcher, shard.beside)
    if shard.lines is None:
        for row in rows_in(shard):
            found.add(scorer(row))
        return found
    render = written.RENDER[shard.form]
    with open(shard.lines, "wb") as file:
        for row in rows_in(shard):
            scored = scorer(row)
            found.add(scored)
            file.write(render(scored))
    return found


Map = Callable[[Callable[[Shard], Scores], Sequence[Shard]], Iterable[Scores]]
"""Whoever computes shards: gives the results in the order of the shards."""


def here(work: Callable[[Shard], Scores], shards: Sequence[Shard]) -> Iterator[Scores]:
    """In this process, one after the other."""
    return map(work, shards)


def scored_rows(
    path: Path,
    matcher: str = "default",
    *,
    beside: str | None = None,
    titles: OpenTitles | None = None,
    out: Path | None = None,
    compute: Map = here,
    size: int = SHARD,
    track: Callable[[Iterable[Scores], int], Iterable[Scores]] = lambda results, total: results,
) -> Scores:
    """Score a file of rows, shard by shard. `out` (.jsonl or .csv) gets the scored rows, whole or not at all; `track` sees the
    results as they come, and how many there will be. Raises BadInput."""
    Scorer(matcher, beside=beside)
    form = "csv" if out is not None and out.suffix == ".csv" else "jsonl"
    pieces = cut(path, size)
    found = Scores(matcher, None if beside == matcher else beside)
    with tempfile.TemporaryDirectory(prefix=".loom-scores-", dir=_beside(out)) as folder:
        parts = [os.path.join(folder, f"{number:06}") if out else None for number in range(len(pieces))]
        shards = [
            Shard(str(path), start, end, matcher, found.beside, titles, part, form)
            for (start, end), part in zip(pieces, parts, strict=True)
        ]
        for scores in track(compute(score_shard, shards), len(shards)):
            found.extend(scores)
        found.check()
        if out is not None:
            write_bytes(out, written.joined(form, [part for part in parts if part], len(found.models.words) > 1))
    return found


def _beside(out: Path | None) -> Path | None:
    """The folder in which parts are written: that of the result, so that workers on other machines see it. Raises BadInput."""
    if out is None:
        return None
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadInput(f"{out} cannot be written ({error.strerror}); give a place that can.", param="out") from error
    return out.parent
