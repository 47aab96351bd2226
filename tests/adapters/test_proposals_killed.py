"""Commands of the write path that are killed, and many at once: every page is whole, nothing acknowledged is lost, nothing is torn."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from support.kitchen import VAULT, built_in

from loom.compose_proposals import desk
from loom.core.proposals.assertion import Assertion, Span
from loom.core.proposals.dossier import PROPOSED
from loom.core.proposals.ledger import FOLDER, OWN
from loom.core.proposals.sections import without
from loom.core.proposals.topics import apart
from loom.lab.files import write_lines
from loom.proposals.desk import Desk
from loom.settings import load

WRITER = """
import sys, json
from pathlib import Path
from loom import compose
from loom.compose_proposals import desk
from loom.proposals.intake import assertions_in
from loom.proposals.served import served
from loom.settings import load
made, rows = desk(load()), Path(sys.argv[1])
with compose.opened() as (_, pin):
    found = served(pin.generation)
    print("ready", flush=True)
    for line in rows.read_text().splitlines():
        each = Path(f"{rows}.{json.loads(line)['fingerprint'][:8]}.{sys.argv[2]}")
        each.write_text(line)
        made.land(assertions_in(each), found)
        print(json.loads(line)["fingerprint"], flush=True)
"""
"""Lands assertions one by one, and says each once it is acknowledged."""


def environment(folder: Path) -> dict[str, str]:
    (folder / "generations").mkdir()
    built_in(folder / "generations")
    vault = folder / "vault"
    for path in VAULT.rglob("*.md"):
        (vault / path.relative_to(VAULT)).parent.mkdir(parents=True, exist_ok=True)
        (vault / path.relative_to(VAULT)).write_bytes(path.read_bytes())
    own = {
        "LOOM_GENERATIONS": str(folder / "generations"),
        "LOOM_PROPOSALS_VAULT": str(vault),
        "LOOM_PROPOSALS_STORE": str(folder / "proposals"),
        "LOOM_PROPOSALS_FINGERPRINTS": "1",
        "LOOM_PROPOSALS_SOURCES": "1",
    }
    return {**{key: value for key, value in os.environ.items() if not key.startswith("LOOM_")}, **own}


def started(environ: dict[str, str], rows: Path, name: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", WRITER, str(rows), name]
    return subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, text=True)


def assertions(count: int) -> list[Assertion]:
    terms = (("Sourdough", "urn:loom:kitchen:sourdough"),)
    return [
        Assertion(f"Sourdough rose on day {number}.", f"{number % 3}.txt", Span("x"), terms=terms, verified=True)
        for number in range(count)
    ]


def desk_of(environ: dict[str, str]) -> Desk:
    return desk(load({key: value for key, value in environ.items() if key.startswith("LOOM_")}))


def whole(environ: dict[str, str]) -> set[str]:
    """The fingerprints on the ledger, every line of which can be read; every other page is as it was."""
    vault = Path(environ["LOOM_PROPOSALS_VAULT"])
    found: list[str] = []
    for _, page in desk_of(environ).ledger():
        assert not page.faults
        found += [each.fingerprint for each in page.assertions]
    assert len(set(found)) == len(found)
    for path in VAULT.rglob("*.md"):
        assert without((vault / path.relative_to(VAULT)).read_bytes()) == path.read_bytes()
    return set(found)


def test_a_writer_that_is_killed_leaves_whole_pages_and_loses_nothing_acknowledged(tmp_path: Path) -> None:
    environ, draw = environment(tmp_path), random.Random("killed")
    write_lines(tmp_path / "rows", (each.as_json() for each in assertions(400)))
    acknowledged: set[str] = set()
    for number in range(3):
        process = started(environ, tmp_path / "rows", str(number))
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        for _ in range(draw.randint(1, 40)):
            acknowledged.add(process.stdout.readline().strip())
        time.sleep(draw.random() / 100)
        process.send_signal(signal.SIGKILL)
        acknowledged |= {line.strip() for line in process.stdout if len(line) == 65}
        process.wait()
        process.stdout.close()
        assert whole(environ) >= acknowledged - {""}
    with desk_of(environ).pages.held():
        assert not list((tmp_path / "vault" / FOLDER).glob(f"{OWN}*"))


def test_many_writers_at_once_do_not_tear_a_page(tmp_path: Path) -> None:
    environ = environment(tmp_path)
    rows = [each.as_json() for each in assertions(30)]
    processes = []
    for number in range(3):
        random.Random(number).shuffle(rows)
        write_lines(tmp_path / f"rows{number}", rows)
        processes.append(started(environ, tmp_path / f"rows{number}", str(number)))
    for process in processes:
        out, _ = process.communicate(timeout=150)
        assert process.returncode == 0 and len(out.splitlines()) == 31
    assert len(whole(environ)) == 30


DECIDER = """
import sys
from loom.compose_proposals import desk
from loom.core.errors import LoomError
from loom.settings import load
try:
    desk(load()).decide([sys.argv[1]], sys.argv[2], sys.argv[2], "At once.")
    print("decided")
except LoomError as error:
    print(error.code)
desk(load()).regenerate()
"""


def test_of_deciders_at_once_one_decides(tmp_path: Path) -> None:
    environ = environment(tmp_path)
    made = desk_of(environ)
    from loom import compose
    from loom.proposals.drafting import drafted
    from loom.proposals.served import served

    with compose.opened(environ["LOOM_GENERATIONS"]) as (_, pin):
        found = served(pin.generation)
        made.land(assertions(3), found)
        (topic,) = apart(made.topics(found), made.bars)
        dossier = drafted(made, found, topic).dossier
        assert made.file(dossier) == (PROPOSED, True)
    processes = [
        subprocess.Popen([sys.executable, "-c", DECIDER, dossier.id, state], env=environ, stdout=subprocess.PIPE, text=True)
        for state in ("approved", "rejected") * 2
    ]
    told = [process.communicate(timeout=120)[0].strip() for process in processes]
    assert sorted(told) == ["conflict", "conflict", "conflict", "decided"]
    page = (tmp_path / "vault" / "bread" / "Sourdough.md").read_bytes()
    state = made.proposal(dossier.id).state
    assert (b"rose on day" in page) is (state == "approved")
    assert without(page) == (VAULT / "bread" / "Sourdough.md").read_bytes()
