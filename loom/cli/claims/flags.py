"""The commands of `loom claims`."""

import argparse
import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from loom.claims.asks import STATES
from loom.claims.workspace import Claims
from loom.core.claims.judging.asked import REGISTERS, WAYS
from loom.core.claims.standing import Standing
from loom.core.errors import NotFound

Action = Callable[[Claims, argparse.Namespace], Awaitable[int]]
STANDINGS = tuple(each.word for each in Standing if each is not Standing.NONE)


def add(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    family = subparsers.add_parser(
        "claims",
        help="read entries, derive claims, look at what they rest on, decide",
        description="A workspace of claims, without a node. What changes it is done at once, as one batch, unless `--queue` leaves it to "
        "`loom claims run`.",
    )
    commands = family.add_subparsers(dest="action", metavar="COMMAND", required=True)
    _reading(commands)
    _deciding(commands)
    _looking(commands)
    for name, command in commands.choices.items():
        command.add_argument("--store", metavar="PLACE", help="file or PostgreSQL URL (default: LOOM_CLAIMS_STORE)")
        command.add_argument("--file", metavar="FILE", help="TOML file of the workspace (default: LOOM_CLAIMS_FILE)")
        if name not in ("export", "prov", "run"):
            command.add_argument("--json", action="store_true", help="print JSON")
    family.set_defaults(run=run)


def _reading(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    taking = commands.add_parser(
        "take",
        help="read documents, mail, transcripts and JSON lines",
        description="Read a folder, an archive or a file into entries and signals. The same entry again changes nothing. Exit code 1 where "
        "something could not be read.",
    )
    taking.add_argument("path", type=Path, metavar="PATH", help="a folder, an archive or one file")
    asking = commands.add_parser(
        "ask",
        help="answer a request from what is held",
        description="Show what is held on a question; reason about it and keep what follows; or write an artifact. Exit code 1 where "
        "nothing was found.",
    )
    asking.add_argument("text", metavar="TEXT", help="the question, or what is to be written")
    asking.add_argument("--way", choices=WAYS, help="how to serve it (default: as its words tell)")
    asking.add_argument("--audience", default="", metavar="WHO", help="whom an artifact is for")
    asking.add_argument(
        "--register", choices=REGISTERS, default="report", help="how an artifact is written (default: %(default)s)"
    )
    asking.add_argument("--domain", action="append", metavar="ID", help="look only in these domains; may be repeated")
    asking.add_argument("-k", type=int, default=10, metavar="N", help="most hits (default: %(default)s)")
    entering = commands.add_parser(
        "enter", help="enter a claim of your own", description="Enter a claim: it rests on your statement and on what you cite."
    )
    entering.add_argument("text", metavar="TEXT", help="the claim")
    entering.add_argument(
        "--cites", action="append", default=[], metavar="ID", help="a signal or claim that it rests on; may be repeated"
    )
    entering.add_argument("--assumes", action="append", default=[], metavar="TEXT", help="what it assumes; may be repeated")
    entering.add_argument(
        "--domain", action="append", default=[], metavar="ID", help="its domains (default: as its words tell)"
    )
    describing = commands.add_parser(
        "domain",
        help="add or change a domain",
        description="Add a domain, or give it another name or description; signals are filed anew.",
    )
    describing.add_argument("id", metavar="ID", help="its id")
    describing.add_argument("--name", metavar="NAME", help="its name (default: the id)")
    describing.add_argument("--description", default="", metavar="TEXT", help="what belongs there, in words")
    commands.add_parser("flush", help="do what waits, as one batch", description="Do what waits in the queue, as one batch.")
    running = commands.add_parser(
        "run",
        help="be the slow path: do what waits, again and again",
        description="Do what people ask at once, and read entries each interval, until it is stopped.",
    )
    running.add_argument("--attached", action="store_true", help="stop when standard input ends")
    running.add_argument("--once", action="store_true", help="stop after one round")
    evaluating = commands.add_parser(
        "cycle",
        help="evaluate the dimensions: validate, screen, fit",
        description="Validate candidates, screen the dimensions and fit their weights on graded queries: JSON lines with query, domain, "
        "claim and grade (0 to 3). `loom claims run` does it every 7 days where the workspace file states `judged`.",
    )
    evaluating.add_argument("--judged", metavar="FILE", help="the graded queries (default: those of the workspace file)")
    for command in (taking, entering, describing, evaluating):
        command.add_argument("--queue", action="store_true", help="leave it in the queue")
    for command in (entering, describing):
        _by(command)
    _who(evaluating)


def _deciding(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    acts = {
        "accept": "accept a proposed claim",
        "reject": "reject a claim: it is retracted, and so is what rests on it alone",
        "readmit": "take a rejection back",
    }
    for name, what in acts.items():
        command = commands.add_parser(name, help=what, description=f"{what[0].upper()}{what[1:]}.")
        command.add_argument("claim", metavar="ID", help="the claim")
        _by(command)
    superseding = commands.add_parser(
        "supersede", help="put one claim in the place of another", description="Put one claim in the place of another."
    )
    superseding.add_argument("claim", metavar="OLD", help="the claim that is superseded")
    superseding.add_argument("other", metavar="NEW", help="the one in its place")
    superseding.add_argument("--undo", action="store_true", help="take it back")
    _by(superseding)
    resolving = commands.add_parser(
        "resolve",
        help="end a conflict",
        description="End a conflict: it is spurious, or one of its two sides is rejected. A side is a claim, or a signal that disputes one; its entry stays. Who was mistaken in an entry withdraws it.",
    )
    resolving.add_argument("claim", metavar="ID", help="the contested claim")
    how = resolving.add_mutually_exclusive_group(required=True)
    how.add_argument("--spurious", metavar="OTHER", help="there is no conflict with this claim or signal")
    how.add_argument("--reject", metavar="OTHER", help="the other side is wrong")
    how.add_argument("--yield", dest="yields", action="store_true", help="this claim is wrong")
    _by(resolving)
    for name, what in (("withdraw", "take an entry out of the evidence"), ("restore", "let a withdrawn entry count again")):
        command = commands.add_parser(name, help=what, description=f"{what[0].upper()}{what[1:]}; what rests on it follows.")
        command.add_argument("entry", metavar="ID", help="the entry")
        _by(command)
    shaping = commands.add_parser(
        "dimension",
        help="add a dimension, or change its state",
        description="Add a dimension from a JSON file, or change the state of one.",
    )
    shaping.add_argument("id", metavar="ID", help="its id")
    what_ = shaping.add_mutually_exclusive_group(required=True)
    what_.add_argument("--contract", type=Path, metavar="FILE", help="its contract, JSON")
    what_.add_argument("--state", choices=STATES, help="what becomes of it")
    shaping.add_argument("--domain", default="", metavar="ID", help="its domain")
    _by(shaping)


def _looking(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    listing = commands.add_parser("list", help="list claims", description="Claims with their standing, oldest first.")
    listing.add_argument("--standing", action="append", choices=STANDINGS, help="only claims of this standing; may be repeated")
    listing.add_argument("--domain", default="", metavar="ID", help="only claims at home there")
    listing.add_argument("--text", default="", metavar="TEXT", help="only claims with this in them")
    listing.add_argument("--limit", type=int, default=50, metavar="N", help="at most so many (default: %(default)s)")
    entering = commands.add_parser(
        "entries",
        help="list entries",
        description="Entries, oldest first: what was taken in, by its id, which `withdraw` takes.",
    )
    entering.add_argument("--source", default="", metavar="NAME", help="only entries of this source")
    entering.add_argument("--after", default="", metavar="ID", help="those that follow this entry")
    entering.add_argument("--limit", type=int, default=50, metavar="N", help="at most so many (default: %(default)s)")
    showing = commands.add_parser(
        "show",
        help="show a claim with what it rests on",
        description="A claim: standing, history, conflicts, assumptions, and what it rests on.",
    )
    showing.add_argument("claim", metavar="ID", help="the claim, or the beginning of its id")
    commands.add_parser(
        "status",
        help="show what the workspace holds",
        description="Version, counts by standing, domains, dimensions, what waits.",
    )
    commands.add_parser("export", help="print the workspace as JSON lines", description="The committed version as JSON lines.")
    proving = commands.add_parser(
        "prov",
        help="print what claims rest on, as W3C PROV",
        description="Entries, signals, claims and justifications of the committed version as PROV: N-Triples in the vocabulary of PROV-O, or "
        "one document of PROV-JSON.",
    )
    proving.add_argument("claim", nargs="?", metavar="ID", help="one claim with all below it (default: everything)")
    proving.add_argument("--format", choices=("ntriples", "json"), default="ntriples", help="how (default: %(default)s)")
    proving.add_argument("--out", type=Path, metavar="FILE", help="write it there (default: standard output)")
    restoring = commands.add_parser(
        "import", help="restore what export wrote", description="Restore an export into a store that holds nothing."
    )
    restoring.add_argument("path", metavar="FILE", help="the export; - reads it from standard input")


def _by(command: argparse.ArgumentParser) -> None:
    _who(command)
    command.add_argument(
        "--seconds", type=float, default=0.0, metavar="N", help="how long it took to decide, for the ledger (default: not said)"
    )


def _who(command: argparse.ArgumentParser) -> None:
    command.add_argument("--by", metavar="WHO", help="who decides (default: your user name)")


def run(arguments: argparse.Namespace) -> int:
    from loom.cli.claims import doing, looking, provenance

    actions: dict[str, Action] = {**doing.ACTIONS, **looking.ACTIONS, **provenance.ACTIONS}
    return asyncio.run(_over(arguments, actions[arguments.action]))


async def _over(arguments: argparse.Namespace, action: Action) -> int:
    from loom.compose_claims import workspace
    from loom.settings import load

    settings = load()
    store = arguments.store or settings.claims.store
    makes = arguments.action in ("take", "domain", "enter", "import", "run", "flush", "dimension", "cycle")
    if not makes and "://" not in store and not Path(store).is_file():
        raise NotFound(f"There are no claims at {store}; name their file with --store, or take something in first.")
    claims = workspace(store, arguments.file or settings.claims.file)
    arguments.interval = settings.claims.interval
    arguments.stated = arguments.file or settings.claims.file
    try:
        return await action(claims, arguments)
    finally:
        await claims.aclose()
