"""What changes a workspace: entries, claims, decisions; each is one batch."""

import argparse
import asyncio
import getpass
import os
import signal
import sys
from contextlib import ExitStack, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import orjson

from loom.claims.asks import KINDS as KINDS_OF_ASKS
from loom.claims.asks import Act, Cycle, Describe, Shape, State, TakeIn, Wish, Withdraw
from loom.claims.told import flushed_as_json
from loom.claims.workspace import Claims
from loom.cli.claims.flags import Action
from loom.cli.claims.shown import printed_flush
from loom.cli.progress import tracked
from loom.core.claims.applying import LIFTED
from loom.core.claims.dimensions.grades import Grade, read_grades
from loom.core.claims.intake.remarks import KINDS
from loom.core.claims.stored import LEASE, Wanted
from loom.core.claims.view import ClaimView
from loom.core.errors import BadInput, NotFound, Unreachable, Unwritable, UpstreamFailure
from loom.core.report import Report
from loom.core.values import Json

PAUSE = 1.0
"""Seconds between two looks of the slow path at what people ask."""
SPARE = 200
"""Positions that a whole round makes anew."""
PATIENCE = 30.0
"""Seconds that another process is waited for where it writes."""
CLAIM, SIGNAL, ENTRY = "claim:", "signal:", "entry:"
WHERE = {CLAIM: "`loom claims list`", SIGNAL: "`loom claims show` of a claim", ENTRY: "`loom claims entries`"}
WHOLE = 24
"""Characters of an id that the content gave, behind its kind."""
LEAST = 4
"""Characters by which people may name one."""


async def take(claims: Claims, arguments: argparse.Namespace) -> int:
    from loom.compose_claims import entry_reader, unread

    report = Report(KINDS)
    entries = list(entry_reader(arguments.path).entries(report))
    wishes: list[Wish] = [TakeIn(each) for each in tracked(entries, "entries", len(entries), plain=False)]
    faults = report.of("error")
    for kind, told in report.as_json().items():
        shown = told["examples"] if told["severity"] != "info" else []
        for each in shown:
            print(f"{each['where']}: {each['message']}" if each["where"] else each["message"], file=sys.stderr)
        if shown and told["count"] > len(shown):
            print(f"… and {told['count'] - len(shown):,} more ({kind}).", file=sys.stderr)
    if said := unread(arguments.path, report, len(entries)):
        print(said, file=sys.stderr)
    code = await _done(claims, arguments, wishes)
    return 1 if faults else code


async def enter(claims: Claims, arguments: argparse.Namespace) -> int:
    cites = tuple([await named(claims, each) for each in arguments.cites])
    wish = State(arguments.text, _who(arguments), cites, tuple(arguments.assumes), tuple(arguments.domain))
    return await _done(claims, arguments, [wish])


async def domain(claims: Claims, arguments: argparse.Namespace) -> int:
    wish = Describe(arguments.id, arguments.name or arguments.id, arguments.description, _who(arguments))
    return await _done(claims, arguments, [wish])


async def dimension(claims: Claims, arguments: argparse.Namespace) -> int:
    contract: Json = None
    if arguments.contract is not None:
        contract = _json(arguments.contract)
        if not arguments.domain:
            raise BadInput("Expected the domain of a dimension; name it with --domain.", param="domain")
    return await _done(
        claims, arguments, [Shape(arguments.id, _who(arguments), arguments.domain, contract, arguments.state or "")]
    )


async def act(claims: Claims, arguments: argparse.Namespace) -> int:
    claim = await named(claims, arguments.claim)
    return await _done(claims, arguments, [Act(arguments.action, claim, _who(arguments))])


async def supersede(claims: Claims, arguments: argparse.Namespace) -> int:
    old, new = await named(claims, arguments.claim), await named(claims, arguments.other)
    return await _done(claims, arguments, [Act("unsupersede" if arguments.undo else "supersede", old, _who(arguments), new)])


async def resolve(claims: Claims, arguments: argparse.Namespace) -> int:
    claim, by = await named(claims, arguments.claim), _who(arguments)
    if arguments.yields:
        return await _done(claims, arguments, [Act("yield", claim, by)])
    other = await claims.side(claim, await named(claims, arguments.spurious or arguments.reject))
    wish = Act("spurious", claim, by, other) if arguments.spurious else Act("yield", other, by, claim)
    return await _done(claims, arguments, [wish])


async def withdraw(claims: Claims, arguments: argparse.Namespace) -> int:
    entry = await named(claims, arguments.entry, ENTRY)
    return await _done(claims, arguments, [Withdraw(entry, _who(arguments), back=arguments.action == "restore")])


async def flush(claims: Claims, arguments: argparse.Namespace) -> int:
    return await _done(claims, arguments, [])


async def cycle(claims: Claims, arguments: argparse.Namespace) -> int:
    return await _done(claims, arguments, [Cycle(_who(arguments), read_judged(arguments))])


async def run(claims: Claims, arguments: argparse.Namespace) -> int:
    """What people ask is looked for each second; entries wait for the interval. Where a model, the store or the lease is not to be
    had, it is said once and tried again; a signal ends it behind the batch that runs, and gives the lease back."""
    people = tuple(kind for kind in KINDS_OF_ASKS if kind != "entry")
    stop = asyncio.Event()
    for signal_ in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(signal_, stop.set)
    if arguments.attached:
        asyncio.get_running_loop().add_reader(sys.stdin.fileno(), _ended, stop)
    left, said = 0.0, ("", "")
    while not stop.is_set():
        whole = left <= 0
        try:
            if whole:
                await _due(claims, arguments)
            flushed = await claims.flush(spare=SPARE) if whole else await claims.flush(only=people)
        except (UpstreamFailure, Unreachable, Unwritable) as error:
            if arguments.once:
                raise
            if said != (error.code, error.param or ""):
                print(f"{error.message} It is tried again.", file=sys.stderr, flush=True)
            said = error.code, error.param or ""
        else:
            said = "", ""
            left = arguments.interval if whole else left - PAUSE
            if flushed.asks or flushed.projections:
                print(printed_flush(flushed), flush=True)
            if arguments.once:
                return 0
        with suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), PAUSE)
    return 0


def _ended(stop: asyncio.Event) -> None:
    """Something is to be read of standard input: that it ended, or what nobody wants."""
    if not os.read(sys.stdin.fileno(), 4096):
        asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
        stop.set()


async def _due(claims: Claims, arguments: argparse.Namespace) -> None:
    """Asks for an evaluation of the dimensions where graded queries are stated and the last one is too long ago."""
    from loom.core.claims.dimensions.fitted import fits_of

    if not _judged_file(arguments):
        return
    fits = await (await claims.store()).look(lambda view: fits_of(view.dimensions()))
    last = max((fit.at for fit in fits.values()), default="")
    days = claims.rules.cycle_days
    if not last or datetime.fromisoformat(claims.at()) - datetime.fromisoformat(last) >= timedelta(days=days):
        try:
            graded = read_judged(arguments)
        except BadInput as error:
            print(f"The dimensions are not evaluated. {error.message}", file=sys.stderr, flush=True)
            return
        await claims.ask([Cycle("loom claims run", graded)], once=f"cycle behind {last}")


def _judged_file(arguments: argparse.Namespace) -> Path | None:
    """The file of graded queries: that of the command, else that of the workspace."""
    from loom.compose_claims import read_stated

    if getattr(arguments, "judged", None):
        return Path(arguments.judged)
    stated = read_stated(arguments.stated).judged
    return Path(arguments.stated).parent / stated if stated else None


def read_judged(arguments: argparse.Namespace) -> tuple[Grade, ...]:
    """The graded queries of a workspace; none where no file is stated. Raises BadInput."""
    path = _judged_file(arguments)
    if path is None:
        return ()
    try:
        return read_grades(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput(
            f"Expected graded queries in {path}, but it cannot be read: {error.strerror}.", param="judged"
        ) from error
    except UnicodeDecodeError as error:
        raise BadInput(f"Expected graded queries in {path}, but it is no UTF-8: {error.reason}.", param="judged") from error
    except BadInput as error:
        raise BadInput(f"{path}: {error.message}", param="judged") from None


async def restore(claims: Claims, arguments: argparse.Namespace) -> int:
    with ExitStack() as open_:
        try:
            lines = sys.stdin.buffer if arguments.path == "-" else open_.enter_context(Path(arguments.path).open("rb"))
        except OSError as error:
            raise BadInput(
                f"Expected an export of `loom claims export` in {arguments.path}, but it cannot be read: {error.strerror}.",
                param="path",
            ) from error
        version = await (await claims.store()).restore(lines)
    if arguments.json:
        _print({"version": version})
    else:
        print(f"Restored version {version}.")
    return 0


async def named(claims: Claims, beginning: str, kind: str = CLAIM) -> str:
    """The id of the one claim (or signal, or entry, where the beginning or `kind` says so) whose id begins like this. An entry keeps
    the id that its author gave it, which may look like any other: of entries that id itself comes first. Raises NotFound and BadInput."""
    if kind != ENTRY:
        kind = next((each for each in (SIGNAL, ENTRY, CLAIM) if beginning.startswith(each)), kind)
    told = beginning.removeprefix(kind)
    if kind != ENTRY and (beginning.startswith(LIFTED) or len(told) >= WHOLE):
        return beginning if beginning.startswith((LIFTED, kind)) else kind + told
    if kind != ENTRY and len(told) < LEAST:
        raise BadInput(
            f"Expected at least the first {LEAST} characters of an id behind {kind}, but got {beginning!r}; `loom claims list` shows them.",
            param="id",
        )
    found = await (await claims.store()).look(lambda view: _beginning(view, kind, beginning, told))
    if not found and kind == ENTRY:
        return beginning  # it may wait in the queue
    if not found:
        raise NotFound(f"There is no {kind[:-1]} {beginning}; {WHERE[kind]} shows them.", param="id")
    if len(found) > 1:
        raise BadInput(
            f"Expected the id of one {kind[:-1]}, but {len(found)} begin with {beginning}; give more of it.", param="id"
        )
    return found[0]


def _beginning(view: ClaimView, kind: str, given: str, told: str) -> list[str]:
    """The id of a kind that is just what was given, or else those that begin so."""
    of = {SIGNAL: view.signals, ENTRY: view.entries, CLAIM: view.claims}[kind]
    for id in (given, kind + told):
        if id in of({id}):
            return [id]
    begins = (given, kind + told) if kind == ENTRY else (kind + told,)
    found: list[str] = []
    after = ""
    while told and (page := _page(view, kind, after)):
        found += [id for id in page if id.startswith(begins)]
        after = page[-1]
    return found


def _page(view: ClaimView, kind: str, after: str) -> list[str]:
    if kind == ENTRY:
        return [each.id for each in view.list_entries(after=after, limit=500)]
    wanted = Wanted(after=after, limit=500)
    if kind == SIGNAL:
        return [each.signal.id for each in view.list_signals(wanted)]
    return [each.claim.id for each in view.list_claims(wanted)]


async def _done(claims: Claims, arguments: argparse.Namespace, wishes: list[Wish]) -> int:
    """Puts wishes into the queue and, unless they are to wait, does all that waits. Exit code 1 where something was refused."""
    keys = await claims.ask(wishes, seconds=getattr(arguments, "seconds", 0.0))
    if getattr(arguments, "queue", False):
        if arguments.json:
            _print({"queued": keys})
        else:
            print(f"{len(keys)} in the queue; `loom claims flush` does them.")
        return 0
    try:
        flushed = await claims.flush()
    except Unwritable as error:
        if error.param != LEASE:
            raise
        waiting = await (await claims.store()).look(lambda view: [each.ask.key for each in view.queue()])
        return await _by_another(claims, arguments, keys or waiting, error.message)
    if arguments.json:
        _print(flushed_as_json(flushed))
    else:
        print(printed_flush(flushed))
    refused = [why for said in flushed.said.values() if isinstance(said, dict) for why in said.get("refused", [])]
    if not arguments.json:
        for why in refused:
            print(why, file=sys.stderr)
    return 1 if refused else 0


async def _by_another(claims: Claims, arguments: argparse.Namespace, keys: list[str], who: str) -> int:
    """Another process writes, as `who` says: it is waited for. Exit code 1 where something was refused, or still waits."""
    asked = await claims.asked(keys, PATIENCE)
    waiting = [each.ask.key for each in asked if not each.version]
    refused = [why for each in asked if isinstance(each.outcome, dict) for why in each.outcome.get("refused", [])]
    if arguments.json:
        _print({"asks": [{"key": each.ask.key, "version": each.version, "outcome": each.outcome} for each in asked]})
    else:
        versions = sorted({each.version for each in asked if each.version})
        if versions:
            print(f"done by the process that writes: version {', '.join(map(str, versions))}")
        if waiting:
            print(
                f"{len(waiting)} still in the queue. {who} Where it was killed, `loom claims flush` does them once that time is over.",
                file=sys.stderr,
            )
        for why in refused:
            print(why, file=sys.stderr)
    return 1 if refused or waiting else 0


def _who(arguments: argparse.Namespace) -> str:
    who: str = arguments.by or getpass.getuser()
    return who


def _json(path: Path) -> Json:
    try:
        return orjson.loads(path.read_bytes())
    except OSError as error:
        raise BadInput(f"Expected the contract {path}, but it cannot be read: {error.strerror}.", param="contract") from error
    except orjson.JSONDecodeError as error:
        raise BadInput(f"{path}: expected JSON, but {error}.", param="contract") from error


def _print(told: dict[str, Any]) -> None:
    sys.stdout.buffer.write(orjson.dumps(told, option=orjson.OPT_APPEND_NEWLINE))
    sys.stdout.flush()


ACTIONS: dict[str, Action] = {
    "take": take, "enter": enter, "domain": domain, "dimension": dimension, "accept": act, "reject": act, "readmit": act,
    "supersede": supersede, "resolve": resolve, "withdraw": withdraw, "restore": withdraw, "flush": flush, "run": run, "cycle": cycle, "import": restore,
}  # fmt: skip
