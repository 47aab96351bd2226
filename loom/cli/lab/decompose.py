"""`loom lab decompose`: what answers delivered of what they were shown, per model, arm, template and domain."""

import argparse
import sys

from loom.cli.lab.common import show
from loom.cli.lab.scoring import names_counted, rows_flags, scored, titles_flags
from loom.core.values import Json
from loom.lab.scoring.decomposition import CLUSTERS, decomposed
from loom.lab.scoring.tables import decomposition_lines


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "decompose",
        help="counts n11, n10, n01, n00 of saved rows, utilisation, omission and gain over copy",
        description="Score saved rows and decompose them: no model is asked. Figures given an answer leave empty ones out; "
        "as a service, an empty answer scores 0. Both are in the JSON.",
    )
    rows_flags(parser)
    titles_flags(parser)
    parser.add_argument("--cluster", choices=CLUSTERS, default="domain", help="what is resampled together (default: domain)")
    parser.add_argument("--seed", type=int, default=42, metavar="N", help="seed of the bootstrap (default: 42)")
    parser.add_argument(
        "--resamples",
        type=int,
        default=10_000,
        metavar="N",
        help="resamples of the bootstrap; 0: no intervals (default: 10000)",
    )
    parser.add_argument("--groups", action="store_true", help="print templates and domains as well")
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    """Decompose and print; exit code 1 where the invariant does not hold."""
    scores = scored(arguments)
    made = decomposed(scores, cluster=arguments.cluster, seed=arguments.seed, resamples=arguments.resamples)
    other = decomposed(scores, resamples=0, beside=True)
    result: dict[str, Json] = {
        **made.as_json(),
        "beside": other.as_json(),
        "rows": len(scores),
        "names": names_counted(arguments),
        "invariant": scores.invariant.as_json(),
    }
    groups = ("pooled", "cells", "templates", "domains") if arguments.groups else ("pooled", "cells")

    def table() -> None:
        print("\n".join(decomposition_lines(made, groups)))
        print(
            f"names, right: {names_counted(arguments)}{'' if arguments.titles else '; --titles counts all titles of the corpus'}"
        )
        print(scores.invariant)

    show(arguments, result, table, seeds={"bootstrap": arguments.seed}, rows=arguments.rows)
    return broken(scores.invariant.holds, "decompose")


def broken(holds: bool, command: str) -> int:
    """The exit code, and a sentence where the invariant does not hold."""
    if holds:
        return 0
    print(f"loom lab {command}: the invariant does not hold; the figures cannot be trusted.", file=sys.stderr)
    return 1
