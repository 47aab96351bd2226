"""What the commands of the lab share: flags, and how they print."""

import argparse
import shlex
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.output import envelope, printed


def generation_flags(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--generations",
        "--store",
        dest="generations",
        metavar="FOLDER",
        help="folder of generations (default: LOOM_GENERATIONS)",
    )
    parser.add_argument(
        "--generation", metavar="ID", help="a generation other than the current one; a beginning of its id will do"
    )


def json_flag(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print command, version, generation, seeds, rows_sha256 and result")


def names_in(text: str, flag: str) -> list[str]:
    """The names that a flag lists with commas between, each once. Raises BadInput where there is none."""
    found = list(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if not found:
        raise BadInput(f"Expected {flag} to list names with commas between, but got {text!r}.", param=flag.lstrip("-"))
    return found


def command_line() -> str:
    """The command as it was given, for outputs that say how they were made."""
    return shlex.join(["loom", *sys.argv[1:]])


def show(
    arguments: argparse.Namespace,
    result: Json,
    table: Callable[[], None],
    *,
    generation: str | None = None,
    seeds: Mapping[str, int] | None = None,
    rows: Path | bytes | None = None,
) -> int:
    """Print the envelope where --json was given, else the table; exit code 0."""
    if arguments.json:
        print(printed(envelope(command_line(), result, generation=generation, seeds=seeds, rows=rows)))
    else:
        table()
    return 0
