"""`loom lab`: instruments that find out what an uplift is made of; a module per command, imported when it is run."""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from loom.core.errors import BadInput

COMMANDS: dict[str, str] = {
    "questions": "questions",
    "ceiling": "ceiling",
    "controls": "controls",
    "run": "run",
    "report": "report",
    "score": "score",
    "decompose": "decompose",
    "omitted": "omitted",
    "census": "census",
    "judge": "judge",
    "audit": "audit",
    "annotate": "annotate",
    "paraphrase": "paraphrase",
    "chains": "chains",
    "battery": "battery",
    "wrapper": "wrapper",
    "choice": "choice",
    "extract": "extract",
    "integrate": "integrate",
    "complete": "complete",
    "stats": "stats",
    "locomo": "locomo",
    "unanswerable": "unanswerable",
    "claims": "claims",
}
"""Each command's module in this package. A module has `add(subparsers)`, which sets `run`."""


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    family = subparsers.add_parser(
        "lab",
        help="find out what an uplift is made of: ceilings, controls, studies, reports",
        description="Instruments over questions, rows and scores. Each prints a table, or with --json an object with command, "
        "version, generation, seeds, rows_sha256 and result.",
    )
    family.set_defaults(before=apart)
    commands = family.add_subparsers(dest="instrument", required=True, metavar="INSTRUMENT")
    for command in _wanted(sys.argv[1:]):
        import_module(f"{__name__}.{COMMANDS[command]}").add(commands)


WRITTEN = frozenset({"out", "draw", "scores", "queue", "items"})
"""Arguments that name what a command writes; all other files are read."""


def apart(arguments: argparse.Namespace) -> None:
    """Raises BadInput where a command would write over a file that it reads: rows are what a study was paid for."""
    files = {name: value.resolve() for name, value in vars(arguments).items() if isinstance(value, Path)}
    read = {path: name for name, path in files.items() if name not in WRITTEN}
    for name, path in files.items():
        if name in WRITTEN and path in read:
            raise BadInput(f"Expected --{name} to be another file than {path.name}, which is read; name a new one.", param=name)


def _wanted(argv: Sequence[str]) -> Sequence[str]:
    """The command that is run, or all of them, for the help."""
    if len(argv) > 1 and argv[0] == "lab" and argv[1] in COMMANDS:
        return [argv[1]]
    return list(COMMANDS)
