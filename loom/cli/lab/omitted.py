"""`loom lab omitted`: names that the grounded arm was not shown, and which arm recovers them."""

import argparse
from pathlib import Path

from loom.cli.lab.common import show
from loom.cli.lab.scoring import rows_flags, scored
from loom.core.exposure.ceiling import figure
from loom.core.values import Json
from loom.lab.columns import columns
from loom.lab.files import sha256_of, write_lines
from loom.lab.scoring.omitted import Recoveries, bare_hits, omission


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    parser = subparsers.add_parser(
        "omitted",
        help="bare against grounded on the names that the block did not show",
        description="Count, on the names that the grounded arm was not shown, what each arm's answers recover of them. The bare "
        "arm's hits are lexical: write them with --out and put them to `loom lab audit`.",
    )
    rows_flags(parser)
    parser.add_argument("--bare", default="raw", metavar="ARM", help="the arm without a block (default: raw)")
    parser.add_argument("--grounded", default="scaffold", metavar="ARM", help="the arm with the block (default: scaffold)")
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="write the bare arm's hits, with question and answer, as JSON lines"
    )
    parser.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    """Count and print."""
    scores = scored(arguments)
    made = omission(scores, arguments.bare, arguments.grounded)
    out: dict[str, Json] | None = None
    if arguments.out:
        write_lines(arguments.out, (unit.as_json() for unit in bare_hits(arguments.rows, scores, made)))
        out = {"name": arguments.out.name, "sha256": sha256_of(arguments.out)}

    def line(name: str, of: Recoveries) -> tuple[str, ...]:
        shares = of.as_json()
        return (
            name,
            f"{of.items:,}",
            f"{of.bare:,}",
            figure(shares["bare_share"]),
            f"{of.grounded:,}",
            figure(shares["grounded_share"]),
        )

    def table() -> None:
        print(f"names that {made.grounded} was not shown, matcher {made.matcher}; both arms answered")
        head = ("model", "names", made.bare, "share", made.grounded, "share")
        print("\n".join(columns([head, *(line(*each) for each in made.answered.items()), line("pooled", made.pooled())])))
        service = made.pooled(True)
        print(
            f"with empty answers: {service.bare:,} and {service.grounded:,} of {service.items:,}; {made.unpaired:,} without a pair"
        )
        print("lexical hits; `loom lab audit` says which of them assert the relation")

    return show(arguments, {**made.as_json(), "out": out}, table, rows=arguments.rows)
