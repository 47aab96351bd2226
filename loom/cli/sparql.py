"""`loom sparql`: one query over a generation in a folder, by the processes and under the limits that a node has."""

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from loom.core.errors import BadInput, MissingExtra, NoGeneration
from loom.core.sparql.asked import Asked, checked
from loom.core.sparql.errors import NotLoaded
from loom.core.sparql.media import NAMES

LOAD_PATIENCE = 120.0
"""Seconds that the triples may take to load."""


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "sparql",
        help="ask a SPARQL query of a generation",
        description="Ask one SPARQL 1.1 query, under the limits of LOOM_SPARQL_*, and print its result. No node is needed.",
    )
    parser.add_argument("query", help="the query, a file that holds it, or - for standard input")
    parser.add_argument("--format", choices=NAMES, help="format of the result (default: csv for rows, turtle for a graph)")
    parser.add_argument(
        "--generation", metavar="ID", help="a generation other than the current one; a beginning of its id will do"
    )
    parser.add_argument("--generations", metavar="FOLDER", help="folder of generations (default: LOOM_GENERATIONS)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from loom import compose
    from loom.serve.keeping import Keeping, offered, why_off
    from loom.serve.logs import logger
    from loom.settings import load

    flags = {"LOOM_GENERATIONS": arguments.generations} if arguments.generations else {}
    settings = load(flags={**flags, "LOOM_SPARQL": "on", "LOOM_LOG_LEVEL": "error"})
    if not offered(settings):
        raise MissingExtra(why_off(settings))
    store = compose.store(settings.node.generations)
    id = store.resolve(arguments.generation) if arguments.generation else store.current()
    if id is None:
        raise NoGeneration(
            f"There is no current generation in {store.path}; build one with `loom build SOURCE --out {store.path}`."
        )
    asked = Asked(checked(text_of(arguments.query)), accept="text/csv, text/turtle", format=arguments.format)
    with tempfile.TemporaryDirectory(prefix="loom-") as folder:
        path = Path(folder, "sparql")
        keeping = Keeping(settings, path, logger(settings.logs), only=id)
        try:
            return asyncio.run(_print(asked, path))
        finally:
            keeping.stop()


def text_of(given: str) -> str:
    """The query that is meant: itself, or what a file or standard input holds."""
    if given == "-":
        return sys.stdin.read()
    if "\n" not in given and "{" not in given and len(given) < 4096:
        try:
            return Path(given).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            if Path(given).suffix or Path(given).exists():
                raise BadInput(f"Cannot read a query from {given}: {error}.", param="query") from error
    return given


async def _print(asked: Asked, path: Path) -> int:
    from loom import compose

    triples = compose.triples(path)
    until = asyncio.get_running_loop().time() + LOAD_PATIENCE
    try:
        while True:
            try:
                async with triples.query(asked) as answer:
                    last = b""
                    async for piece in answer.pieces():
                        sys.stdout.buffer.write(piece)
                        last = piece or last
                    if sys.stdout.isatty() and not last.endswith(b"\n"):
                        sys.stdout.buffer.write(b"\n")
                    sys.stdout.buffer.flush()
                    if limit := answer.head.get("truncated"):
                        print(f"truncated at the limit of {limit} (LOOM_SPARQL_{limit.upper()})", file=sys.stderr)
                    return 0
            except NotLoaded:
                if asyncio.get_running_loop().time() > until:
                    raise
                await asyncio.sleep(0.02)
    finally:
        await triples.aclose()
