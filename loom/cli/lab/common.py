"""What the commands of the lab share: flags, the generation they read, and how they print."""

import argparse
import shlex
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from loom import compose
from loom.answer.plan import Pin
from loom.core.errors import BadInput
from loom.core.values import Json, Options
from loom.lab.ground import Ground
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


def command_line() -> str:
    """The command as it was given, for outputs that say how they were made."""
    return shlex.join(["loom", *sys.argv[1:]])


def ground(
    node: compose.Node,
    pin: Pin,
    *,
    policy: str | None = None,
    wrapper: str | None = None,
    budget: int | None = None,
    options: Options | None = None,
) -> Ground:
    """The serving path of a node for the lab; what is None is the node's own setting."""
    retrieval = node.settings.retrieval
    chosen = policy or retrieval.policy
    if chosen not in node.policies:
        raise BadInput(f"Expected a policy among {', '.join(node.policies)}, but got {chosen!r}.", param="policy")
    return Ground(
        pin,
        node.finders,
        node.policies,
        chosen,
        wrapper or retrieval.wrapper,
        retrieval.budget if budget is None else budget,
        options or Options(),
    )


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
