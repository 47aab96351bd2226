"""`loom proposals`: the write path into the corpus, a module per step, imported when it is run."""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

STEPS: dict[str, tuple[str, ...]] = {
    "landing": ("extract", "land"),
    "looking": ("ledger", "terms", "candidates", "list", "show"),
    "proposing": ("rule", "propose"),
    "deciding": ("approve", "reject", "withdraw", "regenerate"),
}
"""The modules of this package, and the commands that each adds."""


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    family = subparsers.add_parser(
        "proposals",
        help="land assertions on a ledger, measure what is drafted from them, and write what a person approves into the pages",
        description="The write path into the corpus. Assertions land on pages of the vault that no build reads; topics with enough of "
        "them are drafted and measured; a person approves or rejects; what was approved is written into the pages, and the next build "
        "seals it.",
    )
    commands = family.add_subparsers(dest="action", required=True, metavar="ACTION")
    for step in _wanted(sys.argv[1:]):
        import_module(f"{__name__}.{step}").add(commands)


def _wanted(argv: Sequence[str]) -> Sequence[str]:
    """The step that is run, or all of them, for the help."""
    if len(argv) > 1 and argv[0] == "proposals":
        for step, names in STEPS.items():
            if argv[1] in names:
                return [step]
    return list(STEPS)
