"""Processes of one store of claims: `claims_worker.py KIND PLACE writers FOLDER READERS` commits, and is killed between every two steps of a
commit in turn; `claims_worker.py KIND PLACE readers FOLDER NAME TASKS` looks, asks and notes until it is ended.

What was acknowledged and what was wrong is written into files of the folder, a line each.
"""

import asyncio
import os
import random
import signal as signals
import sys
import time
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

from support.claims_made import ANN, claim, signal
from support.claims_stored import Writer, torn, unit

from loom.core.claims import writes as w
from loom.core.claims.records import Domain
from loom.core.claims.stored import Ask, CallRow, DimensionRow, Done, Notes, ProjectionRow, Step, Vector, Wanted, no_step
from loom.core.claims.view import ClaimView
from loom.core.errors import Unreachable, Unwritable
from loom.ports import ClaimStore
from loom_adapters.claims.sql import PostgresClaims, SqliteClaims

STEPS = (
    "begin entries nodes texts justifications antecedents preconditions conflicts overrides moves domains projections vectors calls "
    "queue escalations version committed"
).split()
"""Of a commit, in their order; "committed" is behind the last."""
ALL = Wanted(limit=10_000)
WHOLE = 2
"""Commits of a writer before the one in which it is killed."""


def store(kind: str, place: str, step: Step = no_step) -> ClaimStore:
    return SqliteClaims(Path(place), step=step) if kind == "sqlite" else PostgresClaims(place, step=step)


def note(folder: Path, name: str, line: str) -> None:
    file = os.open(folder / name, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(file, f"{line}\n".encode())
    os.close(file)


def lines(folder: Path, name: str) -> list[str]:
    file = folder / name
    return file.read_text().splitlines() if file.exists() else []


def batch(n: int) -> list[w.Write]:
    """What version `n` brings: two claims that contradict each other, and evidence that comes and goes under older ones."""
    made: list[w.Write] = [*signal(f"s{n}", f"source {n % 3}", "law"), *signal(f"t{n}", "", "money")]
    made.append(claim(f"c{n}", f"s{n}", *([f"c{n - 1} t{n}"] if n > 1 else []), assumes="p"))
    made += [claim(f"d{n}", f"t{n}"), w.Contradict(f"c{n}", f"d{n}")]
    if n > 1:
        made += [w.WithdrawEntry(f"entry-s{n - 1}"), w.Migrate(f"c{n - 1}", "p", f"t{n}")]
    if n > 3:
        made += [w.RestoreEntry(f"entry-s{n - 2}"), w.Reject(f"d{n - 2}", ANN), w.Supersede(f"c{n}", f"c{n - 3}")]
    return made


def more(n: int, view: ClaimView) -> dict[str, object]:
    names = [f"{kind}{n}" for kind in "stcd"]
    return {
        "domains": [Domain("law", "Law", f"version {n}", n)],
        "dimensions": [DimensionRow("cost", 1, "law", "active")],
        "projections": [ProjectionRow(name, "cost", 1, "rules", n, 0.5) for name in names[2:]],
        "vectors": [Vector("node", name, unit(n)) for name in names],
        "calls": [CallRow("derive", "large", price=0.5)],
        "done": [Done(each.number, n) for each in view.queue()],
        "asks": [Ask(f"after {n}", "question", n)],
        "escalated": [{"version": n}],
    }


def wrong(view: ClaimView) -> list[str]:
    """What of a version is half there."""
    faults = torn(view, histories=4)
    n = view.version
    found = {each.claim.id: each for each in view.list_claims(ALL)}
    names = {f"{kind}{at}" for kind in "cd" for at in range(1, n + 1)}
    if found.keys() != names:
        faults.append(f"claims {sorted(found.keys() ^ names)}")
    if (projected := view.projections(names)).keys() != names:
        faults.append(f"projections {sorted(names - projected.keys())}")
    if (vectors := view.vectors("node", names)).keys() != names:
        faults.append(f"vectors {sorted(names - vectors.keys())}")
    for at in {(n + 1) // 2, n} - {0}:
        if [each.partner for each in view.conflicts(f"c{at}")] != [f"d{at}"]:
            faults.append(f"check of c{at}")
    if view.batch != n or [each.version for each in view.domains()] != [n][:n] or len(view.calls(limit=10_000)) != n:
        faults.append(f"batch {view.batch}, domains {view.domains()}, calls {len(view.calls())}")
    if [body["version"] for _, _, body in view.escalated(limit=10_000)] != list(range(1, n + 1)):
        faults.append(f"escalated {view.escalated(limit=10_000)}")
    if (asked := view.asked(follows := {f"after {at}" for at in range(1, n + 1)})).keys() != follows:
        faults.append(f"asks {sorted(follows - asked.keys())}")
    readable = {name for name, each in found.items() if each.standing.word in ("proposed", "accepted", "contested")}
    if {each.id for each in view.near("claim", unit(1), 10_000)} != readable:
        faults.append("what is near")
    return [f"version {n}: {each}" for each in faults]


async def killed(kind: str, place: str, folder: Path, turn: int, at: str) -> None:
    """Commit, and end at a step of a later commit."""
    count = 0

    def step(name: str) -> None:
        nonlocal count
        count += name == at
        if count > WHOLE and name == at:
            os.kill(os.getpid(), signals.SIGKILL)

    claims = store(kind, place, step)
    writer = await Writer.of(claims, f"writer {turn}", now=turn * 1_000.0)
    acknowledged = len(lines(folder, "committed"))
    lost = int((lines(folder, "unheard") or ["0"])[-1])  # commits whose writer did not live to hear of them
    if writer.version != acknowledged + lost:
        if lines(folder, "ended")[-1:] != ["committed"] or writer.version != acknowledged + lost + 1:
            note(folder, "faults", f"before {at}: version {writer.version} of {acknowledged} acknowledged, {lost} unheard")
        note(folder, "unheard", str(writer.version - acknowledged))
    while True:
        n = writer.version + 1
        kept = await claims.look(lambda view, n=n: more(n, view))
        await writer.commit(*batch(n), **kept)
        note(folder, "committed", str(n))


def looked(folder: Path, since: int, count: int) -> None:
    """Wait until so many readers have looked behind that line of theirs."""
    while len({line.split()[0] for line in lines(folder, "looked")[since:]}) < count:
        time.sleep(0.1)


def writers(kind: str, place: str, folder: Path, count: int) -> None:
    """A process for each step, which is killed there. They are forked: nothing waits for one to begin. Before each, so many readers
    look at what the last one left."""
    for turn, at in enumerate(STEPS, 1):
        looked(folder, len(lines(folder, "looked")), count)
        child = os.fork()
        if not child:
            try:
                asyncio.run(killed(kind, place, folder, turn, at))
            except BaseException as error:
                note(folder, "faults", f"writer to be killed at {at}: {error!r}")
            os._exit(1)
        _, status = os.waitpid(child, 0)
        if not os.WIFSIGNALED(status):
            note(folder, "faults", f"the writer to be killed at {at} ended by itself")
        note(folder, "ended", at)


async def readers(kind: str, place: str, folder: Path, name: str, tasks: int) -> None:
    claims = store(kind, place)

    async def reading(own: str) -> None:
        draw, seen, number = random.Random(own), 0, 0
        while True:
            await asyncio.sleep(draw.uniform(0.1, 0.6))
            number += 1
            try:
                version, faults = await claims.look(lambda view: (view.version, wrong(view)), at_least=seen)
                if version < seen:
                    faults.append(f"{own} read version {version} after {seen}")
                seen = version
                await claims.enqueue([Ask(f"{own}-{number}", "entry", number)])
                note(folder, "asked", f"{own}-{number}")
                await claims.note(Notes("2026-01-01", shown=[own]))
                note(folder, "noted", own)
            except (Unreachable, Unwritable) as error:
                if error.param == "at_least":
                    note(folder, "faults", f"{own}: {error}")
                continue  # the server is starting again
            except Exception as error:
                faults = [f"{own}: {error!r}"]
            for fault in faults:
                note(folder, "faults", fault)
            note(folder, "looked", f"{own} {seen}")

    await asyncio.gather(*(reading(f"{name}.{at}") for at in range(tasks)))


if __name__ == "__main__":
    kind, place, role, folder = sys.argv[1], sys.argv[2], sys.argv[3], Path(sys.argv[4])
    if role == "writers":
        writers(kind, place, folder, int(sys.argv[5]))
    else:
        asyncio.run(readers(kind, place, folder, sys.argv[5], int(sys.argv[6])))
