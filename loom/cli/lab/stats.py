"""`loom lab stats`: paired comparisons, rates, raters, rankings and power, from files of scores or from counts."""

import argparse

from loom.cli.lab import stats_counts, stats_files, stats_paired
from loom.cli.lab.common import json_flag

STATISTICS = (*stats_paired.STATISTICS, *stats_files.STATISTICS, *stats_counts.STATISTICS)
"""Each has a name, a line of help, a function that adds its flags, and one that runs it."""


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    family = subparsers.add_parser(
        "stats",
        help="compare arms on scores: intervals, exact tests, agreement, calibration, power",
        description="Statistics of scores and counts. Files are CSV with a header or JSON lines, plain or packed with gzip.",
    )
    commands = family.add_subparsers(dest="statistic", required=True, metavar="STATISTIC")
    for name, help, flags, run in STATISTICS:
        parser = commands.add_parser(name, help=help, description=help[0].upper() + help[1:] + ".")
        flags(parser)
        json_flag(parser)
        parser.set_defaults(run=run)
