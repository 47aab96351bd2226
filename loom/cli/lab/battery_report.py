"""`loom lab battery report`: what a run of the battery came to, as a page."""

import argparse
from pathlib import Path

from loom.cli.lab.common import json_flag, show
from loom.lab.battery.folder import REPORT, ROWS, BatteryFolder
from loom.lab.battery.page import page
from loom.lab.files import write_bytes


def add(steps: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = steps.add_parser(
        "report",
        help=f"write {REPORT} anew from what a run left, and print it",
        description="The figures of a run as a page in Markdown; with --json as an object.",
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="what `loom lab battery run` left")
    json_flag(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    folder = BatteryFolder(arguments.folder)
    result, models, timings = folder.results(), folder.models(), folder.timings()
    written = page(result, models, timings)
    write_bytes(folder.path / REPORT, [written.encode()])
    rows = folder.path / ROWS
    seeds = {"corpus": result["run"]["seeds"][0]}
    told = {**result, "models": models, "timings": timings}
    return show(arguments, told, lambda: print(written, end=""), seeds=seeds, rows=rows if rows.exists() else None)
