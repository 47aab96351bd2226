"""`loom lab census`: how often properties of matcher and questions decide a credit, without a judge."""

import argparse
from pathlib import Path

from loom.cli.lab.common import json_flag, show
from loom.cli.progress import tracked
from loom.core.errors import BadInput
from loom.core.exposure import READERS
from loom.lab.columns import columns
from loom.lab.row import first_row, read_rows
from loom.lab.scoring import Scorer
from loom.lab.scoring.census import CELLS, MECHANISMS, census


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "census",
        help="mechanisms of the matcher over all rows: subject substrings, run-together names, spaced expansions",
        description="Count over every unit (a name of a row), by the matcher's cell, what could decide its credit without "
        "anything being answered. No judge is asked.",
    )
    parser.add_argument("rows", type=Path, metavar="ROWS", help="rows of a study, as `loom lab run` leaves them")
    parser.add_argument("--matcher", choices=list(READERS), help="how names are matched (default: as the rows state it)")
    json_flag(parser)
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    """Count and print."""
    matcher = arguments.matcher or first_row(arguments.rows).matcher
    scorer = Scorer(matcher)
    rows = tracked(read_rows(arguments.rows), "rows", plain=False)
    made = census(((row, scorer(row)) for row in rows), matcher)
    result = made.as_json()
    if not result["arms"]:
        raise BadInput(f"Expected rows with answers and gold in {arguments.rows}, but there are none.", param="rows")

    def table() -> None:
        head = ("arm", "mechanism", "units", "credited", "omitted", *CELLS)
        lines = [head]
        for arm, told in result["arms"].items():
            for kind in ("frame", *MECHANISMS):
                counts = told[kind]
                numbers = (counts[name] for name in head[2:])
                lines.append((arm, kind.replace("_", " "), *(f"{number:,}" for number in numbers)))
        print(f"matcher {matcher}; a unit is one name of one row")
        print("\n".join(columns([(f"{row[0]} · {row[1]}", *row[2:]) for row in lines])))
        for arm, told in result["arms"].items():
            if names := told["run_together_titles"]:
                said = ", ".join(f"{name} {of['credited']}/{of['units']}" for name, of in names.items())
                print(f"{arm}, run-together names credited: {said}")

    return show(arguments, result, table, rows=arguments.rows)
