"""`loom proposals approve|reject|withdraw|regenerate`: what a person decides, and the pages that follow from it."""

import argparse
import getpass
import os

from loom.cli.proposals.common import desk_for, flags, print_json, say
from loom.cli.proposals.looking import line_of
from loom.core.proposals.dossier import APPROVED, REJECTED, WITHDRAWN
from loom.core.values import Json
from loom.proposals.desk import Desk, Written

REFUSED = 3
"""The exit code where a page could not be written safely."""


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    for name, state, help, description in (
        (
            "approve",
            APPROVED,
            "approve proposals, and write their sections into the pages",
            "Approve proposals, then make all approved sections anew in one go (not with --later). Nothing outside a section's own marks "
            f"changes. Exit code {REFUSED} where a page was refused.",
        ),
        ("reject", REJECTED, "reject proposals", "Reject proposals. Their assertions stay on the ledger; no page changes."),
        (
            "withdraw",
            WITHDRAWN,
            "take back approvals, and take their text out of the pages",
            "Take back approvals, then make all sections anew (not with --later): what was withdrawn is gone from the pages, byte for byte.",
        ),
    ):
        parser = subparsers.add_parser(name, help=help, description=description)
        parser.add_argument("ids", nargs="+", metavar="ID", help="proposals, or the beginnings of their ids")
        parser.add_argument("--reason", required=True, metavar="TEXT", help="why; it is kept with the decision")
        parser.add_argument("--by", metavar="NAME", help="who decides (default: the user of this machine)")
        if state != REJECTED:
            parser.add_argument("--later", action="store_true", help="decide only; `loom proposals regenerate` writes")
            parser.add_argument("--overwrite", action="store_true", help="write over sections that somebody has changed")
        flags(parser, "vault", "store")
        parser.set_defaults(run=decide, state=state)
    parser = subparsers.add_parser(
        "regenerate",
        help="make all approved sections of all pages anew",
        description="Make all approved sections of all pages anew in one go; where nothing was decided or changed, nothing is written. "
        f"Exit code {REFUSED} where a page was refused.",
    )
    parser.add_argument("--overwrite", action="store_true", help="write over sections that somebody has changed")
    flags(parser, "vault", "store")
    parser.set_defaults(run=regenerate)


def decide(arguments: argparse.Namespace) -> int:
    desk = desk_for(arguments)
    decided = desk.decide(arguments.ids, arguments.state, arguments.by or _somebody(), arguments.reason)
    if not arguments.json:
        for each in decided:
            say(line_of(each))
    told: dict[str, Json] = {"decided": [each.brief() for each in decided]}
    if arguments.state == REJECTED or arguments.later:
        if arguments.json:
            print_json(told)
        return 0
    return _regenerated(arguments, desk, told)


def regenerate(arguments: argparse.Namespace) -> int:
    return _regenerated(arguments, desk_for(arguments), {})


def _regenerated(arguments: argparse.Namespace, desk: Desk, told: dict[str, Json]) -> int:
    def written(one: Written) -> None:
        if not arguments.json and one.state != "same":
            why = f": {one.why}" if one.why else ""
            say(f"{one.state}  {one.page}{f' ({one.anchor})' if one.anchor else ''}{why}", to_error=one.state == "refused")

    result = desk.regenerate(overwrite=arguments.overwrite, written=written)
    refused = sum(one.state == "refused" for one in result)
    if arguments.json:
        print_json({**told, "sections": [one.as_json() for one in result]})
    else:
        changed = sum(one.state in ("written", "removed") for one in result)
        say(
            f"{changed:,} of {len(result):,} sections changed{f', {refused:,} refused' if refused else ''}; `loom build` seals them"
        )
    return REFUSED if refused else 0


def _somebody() -> str:
    """The user of this machine; "" where it has no name for them, which is then refused."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return os.environ.get("USER", "")
