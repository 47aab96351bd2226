"""What the commands that score rows share: their flags, who computes, and the titles of a generation."""

import argparse
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from loom import compose
from loom.cli.lab.common import generation_flags, json_flag
from loom.cli.progress import tracked
from loom.core.errors import BadInput, NoGeneration
from loom.core.exposure import READERS
from loom.lab.row import first_row
from loom.lab.scoring import Scores, scored_rows
from loom.lab.scoring.naming import titles_of
from loom.lab.scoring.scored import Titles
from loom.lab.scoring.shards import SHARD, Map, here
from loom.settings import load

SMALLEST = 1 << 16
"""Bytes of the smallest shard."""


def rows_flags(parser: argparse.ArgumentParser) -> None:
    """The file of rows, how names are matched, and who computes."""
    parser.add_argument("rows", type=Path, metavar="ROWS", help="rows of a study, as `loom lab run` leaves them")
    parser.add_argument(
        "--matcher",
        choices=list(READERS),
        help="how names are matched (default: as the rows state it); the other one is counted beside it",
    )
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="score in so many processes (default: 1)")
    parser.add_argument(
        "--ray",
        nargs="?",
        const="",
        metavar="ADDRESS",
        help="score on Ray: here, or on the cluster at ADDRESS; needs the extra ray",
    )
    json_flag(parser)


def titles_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--titles",
        action="store_true",
        help="count the names of answers over all titles of the generation; else over the names that were shown or asked for",
    )
    generation_flags(parser)


def names_counted(arguments: argparse.Namespace) -> str:
    """Over which names precision and names per answer are counted."""
    return "titles of the generation" if arguments.titles else "names shown or asked for"


@dataclass(frozen=True, slots=True)
class GenerationTitles:
    """Opens the titles of a generation in whichever process scores."""

    generations: str
    id: str

    def __call__(self) -> Titles:
        return titles_of(compose.store(self.generations).open(self.id))


def scored(arguments: argparse.Namespace, *, out: Path | None = None) -> Scores:
    """The scores of the file of rows that was named, as the flags say. Raises BadInput."""
    matcher = arguments.matcher or first_row(arguments.rows).matcher
    beside = next((other for other in READERS if other != matcher), None)
    titles = _titles(arguments) if getattr(arguments, "titles", False) else None
    if arguments.workers < 1:
        raise BadInput(f"Expected workers to be 1 or more, but got {arguments.workers}.", param="workers")
    with _computing(arguments) as compute:
        return scored_rows(
            arguments.rows,
            matcher,
            beside=beside,
            titles=titles,
            out=out,
            compute=compute,
            size=_size(arguments),
            track=partial(_track, name=arguments.rows.name),
        )


def stated_generation(rows: Path) -> str | None:
    """The generation that a file of rows states."""
    found = first_row(rows).study.get("generation")
    return str(found) if found else None


def _titles(arguments: argparse.Namespace) -> GenerationTitles:
    folder = Path(arguments.generations) if arguments.generations else load().node.generations
    store = compose.store(folder)
    stated = stated_generation(arguments.rows)
    named = arguments.generation or stated
    id = store.resolve(named) if named and named != "current" else store.current()
    if id is None:
        raise NoGeneration(f"There is no current generation in {folder}; name one with --generation, or build one.")
    if stated and stated != id:
        raise BadInput(
            f"Expected the generation of the rows, {stated[:19]}, but {id[:19]} was named: its titles are others.",
            param="generation",
        )
    return GenerationTitles(str(folder), id)


@contextmanager
def _computing(arguments: argparse.Namespace) -> Iterator[Map]:
    pool = compose.shards(arguments.workers, arguments.ray)
    try:
        yield here if pool is None else pool.map
    finally:
        if pool is not None:
            pool.close()


def _size(arguments: argparse.Namespace) -> int:
    """Bytes of a shard: several for each worker, also of a small file."""
    if arguments.workers == 1 and arguments.ray is None:
        return SHARD
    try:
        total = arguments.rows.stat().st_size
    except OSError:
        return SHARD
    size: int = max(SMALLEST, min(SHARD, total // (4 * arguments.workers) + 1))
    return size


def _track(results: Iterable[Scores], total: int, name: str) -> Iterator[Scores]:
    return tracked(results, f"scoring {name}", total, plain=False)
