"""`loom pull`: the generation that is current on a web server, whole and verified, here."""

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from loom.core.errors import BrokenGeneration, LoomError, Unreachable
from loom.core.values import Json

UNREACHABLE, BROKEN = 3, 4


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "pull",
        help="fetch the current generation from a web server",
        description=(
            "Fetch what is current in a folder of generations on any web server, check every file against its digest, and make it "
            "current here, with the embeddings that serve beside it. An interrupted pull goes on where it ended. Exit code 3 where the server does not give it, 4 where it "
            "gives something else; in both cases nothing here has changed."
        ),
    )
    parser.add_argument("url", metavar="URL", help="the folder, such as https://example.org/generations")
    parser.add_argument(
        "--store",
        "--generations",
        dest="store",
        type=Path,
        metavar="PATH",
        help="folder of generations (default: LOOM_GENERATIONS)",
    )
    parser.add_argument("--id", metavar="ID", help="another generation than the one that is current there, by its whole id")
    parser.add_argument("--no-attachments", action="store_true", help="leave out the embeddings that serve beside it there")
    parser.add_argument("--no-use", action="store_true", help="do not make it current")
    parser.add_argument(
        "--patience", type=float, default=30.0, metavar="SECONDS", help="how long the server may be silent (default: 30)"
    )
    parser.add_argument(
        "--attempts", type=int, default=5, metavar="N", help="how often something is asked for that does not come (default: 5)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    try:
        said = _pull(arguments)
    except (Unreachable, BrokenGeneration) as error:
        print(f"loom pull: {error.message}", file=sys.stderr)
        return UNREACHABLE if isinstance(error, Unreachable) else BROKEN
    if arguments.json:
        print(json.dumps(said))
    else:
        print(said["id"])
        print(f"{said['what']}, {'now current' if said['used'] else 'not current'}", file=sys.stderr)
    return 0


def _pull(arguments: argparse.Namespace) -> dict[str, Json]:
    from loom import compose, compose_pull
    from loom.core.errors import BadInput
    from loom.settings import load

    if arguments.patience <= 0 or arguments.attempts < 1:
        raise BadInput("Expected --patience above 0 and --attempts of 1 or more.")
    path = arguments.store or load().node.generations
    store = compose.store(path)
    with closing(compose_pull.site(arguments.url, arguments.patience, arguments.attempts)) as site:
        id = f"sha256:{arguments.id.removeprefix('sha256:')}" if arguments.id else site.current()
        what, files, fetched = "here already", 0, 0
        if not _whole(store, id):
            with _shown(id) as progress:
                pulled = compose_pull.pull(site, path, id, progress)
            files, fetched = pulled.files, pulled.fetched
            what = f"{files} files, {fetched:,} bytes fetched"
            if pulled.borrowed:
                what += f", {pulled.borrowed:,} bytes from other generations here"
        if not arguments.no_attachments and site.attachment(id) not in (None, _beside(store, id)):
            with _shown(id) as progress:
                beside = compose_pull.pull_beside(site, path, id, progress)
            if beside:
                what += f", with embeddings: {beside.files} files, {beside.fetched:,} bytes fetched"
                fetched += beside.fetched
    if not arguments.no_use:
        store.point(id)
    attachment = store.attachment_stamp(id)
    return {
        "id": id,
        "what": what,
        "files": files,
        "fetched": fetched,
        "used": not arguments.no_use,
        "attachment": f"sha256:{attachment}" if attachment else None,
    }


def _whole(store: Any, id: str) -> bool:
    """Whether a generation is here, every byte of it."""
    try:
        store.verify(id)
    except LoomError:
        return False
    return True


def _beside(store: Any, id: str) -> str | None:
    """The hexadecimal name of the attachment that serves beside a generation, every byte of it."""
    try:
        store.attachment(id, whole=True)
    except LoomError:
        return None
    name: str | None = store.attachment_stamp(id)
    return name


@contextmanager
def _shown(id: str) -> Iterator[Any]:
    """Progress on a terminal."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import DownloadColumn, Progress, TransferSpeedColumn

    with Progress(
        *Progress.get_default_columns(),
        DownloadColumn(),
        TransferSpeedColumn(),
        console=Console(file=sys.stderr),
        transient=True,
    ) as bar:
        task = bar.add_task(id[7:19], total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
