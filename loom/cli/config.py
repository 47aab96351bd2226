"""`loom config`: the settings in force, and where each comes from."""

import argparse
import sys

from loom.core.errors import BadSettings
from loom.settings import as_json, refuse_unsafe
from loom.settings_flags import add_flags, settings_of


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "config",
        help="show the settings in force",
        description="Show every setting with its value and where that comes from; secrets are masked.",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_flags(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    settings = settings_of(arguments)
    if arguments.json:
        print(as_json(settings))
    else:
        rows = settings.shown()
        widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
        for name, value, origin in rows:
            print(f"{name:<{widths[0]}}  {value:<{widths[1]}}  {origin}")
    try:
        refuse_unsafe(settings)
    except BadSettings as error:
        print(f"`loom serve` would refuse these settings: {error.message}", file=sys.stderr)
    return 0
