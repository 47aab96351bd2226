"""`loom lab`: instruments that find out what an uplift is made of; a module per command, imported when it is run."""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

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
    "wrapper": "wrapper",
    "choice": "choice",
    "extract": "extract",
    "integrate": "integrate",
    "complete": "complete",
    "stats": "stats",
}
"""Each command's module in this package. A module has `add(subparsers)`, which sets `run`."""


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    family = subparsers.add_parser(
        "lab",
        help="find out what an uplift is made of: ceilings, controls, studies, reports",
        description="Instruments over questions, rows and scores. Each prints a table, or with --json an object with command, "
        "version, generation, seeds, rows_sha256 and result.",
    )
    commands = family.add_subparsers(dest="instrument", required=True, metavar="INSTRUMENT")
    for command in _wanted(sys.argv[1:]):
        import_module(f"{__name__}.{COMMANDS[command]}").add(commands)


def _wanted(argv: Sequence[str]) -> Sequence[str]:
    """The command that is run, or all of them, for the help."""
    if len(argv) > 1 and argv[0] == "lab" and argv[1] in COMMANDS:
        return [argv[1]]
    return list(COMMANDS)
