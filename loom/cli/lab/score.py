"""`loom lab score`: saved rows scored again, without a model."""

import argparse
from pathlib import Path

from loom.cli.lab.common import show
from loom.cli.lab.decompose import broken
from loom.cli.lab.scoring import rows_flags, scored, titles_flags
from loom.core.values import Json
from loom.lab.files import sha256_of
from loom.lab.scoring.decomposition import decomposed
from loom.lab.scoring.tables import decomposition_lines


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "score",
        help="score saved rows again, without a model, under both matchers",
        description="Score every row: what was shown of its gold, what the answer names, ceilings and recall under both scorers, "
        "names, precision and citations.",
    )
    rows_flags(parser)
    titles_flags(parser)
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="write scored rows: JSON lines, or a .csv of set,id,arm,score,model"
    )
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    """Score and print; exit code 1 where the invariant does not hold."""
    scores = scored(arguments, out=arguments.out)
    made, other = decomposed(scores, resamples=0), decomposed(scores, resamples=0, beside=True)
    result: dict[str, Json] = {
        "rows": len(scores),
        "matcher": made.matcher,
        "names": "titles of the generation" if arguments.titles else "names shown or asked for",
        "matchers": {
            each.matcher: {"pooled": each.as_json()["pooled"], "cells": each.as_json()["cells"]} for each in (made, other)
        },
        "invariant": scores.invariant.as_json(),
        "out": {"name": arguments.out.name, "sha256": sha256_of(arguments.out)} if arguments.out else None,
    }

    def table() -> None:
        for each in (made, other):
            print("\n".join(decomposition_lines(each)))
            print()
        print(scores.invariant)

    show(arguments, result, table, rows=arguments.rows)
    return broken(scores.invariant.holds, "score")
