"""A study that is killed again and again ends as one that was not, and pays for hardly more."""

import random
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.lab_study import killed_when, read_lines, started, vault, write_study
from support.upstream_process import Scripted, scripted

CONCURRENCY = 4
MODELS = """
[[models]]
name = "quick"
url = "{url}"
model = "echo?first=0.02"

[[models]]
name = "thinker"
url = "{url}"
model = "think?tokens=1100&words=5&first=0.02"
reasoning = false
"""
CALLS = 300
"""50 questions in two arms: one call of the first model, and two of the second, whose first answer is empty."""


@pytest.fixture(scope="module")
def upstream() -> Iterator[Scripted]:
    with scripted() as found:
        yield found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, upstream: Scripted) -> Path:
    made = vault(tmp_path_factory.mktemp("studies"))
    write_study(made, MODELS.format(url=upstream.url), concurrency=CONCURRENCY)
    process = started([str(made / "study.toml"), "--questions", "50", "--out", str(made / "unbroken")])
    _, said = process.communicate(timeout=120)
    assert process.returncode == 0, said.decode()
    assert chats(upstream) == CALLS
    return made


def chats(upstream: Scripted) -> int:
    return sum(each["path"].endswith("/chat/completions") for each in upstream.requests())


def _due(upstream: Scripted, point: float, draw: random.Random) -> Callable[[], bool]:
    """A little after so many calls have come; for the first of them, at any moment of starting and planning."""
    began, early, late = time.monotonic(), draw.uniform(0.2, 1.0), draw.uniform(0, 0.03)

    def due() -> bool:
        if point < CALLS / 20:
            return time.monotonic() - began > early
        if chats(upstream) < point:
            return False
        time.sleep(late)
        return True

    return due


@pytest.mark.parametrize("kills", [3, pytest.param(20, marks=pytest.mark.slow)])
def test_killed_at_random_points_it_ends_the_same(folder: Path, upstream: Scripted, kills: int) -> None:
    out = folder / f"killed-{kills}"
    study = [str(folder / "study.toml"), "--questions", "50", "--out", str(out)]
    upstream.forget()
    draw = random.Random(f"kills:{kills}")
    points = sorted(draw.uniform(0, CALLS) for _ in range(kills))
    alive = 0
    for point in points:
        alive += killed_when(study, _due(upstream, point, draw))
    assert alive >= kills - 1, "the kills came while it was at work"
    process = started(study)
    _, said = process.communicate(timeout=120)
    assert process.returncode == 0, said.decode()

    for name in ("plan.jsonl", "rows.jsonl", "study.json"):
        assert (out / name).read_bytes() == (folder / "unbroken" / name).read_bytes(), name
    sent, ledger = chats(upstream), read_lines(out / "ledger.jsonl")
    assert CALLS <= sent <= CALLS + CONCURRENCY * kills
    print(f"{kills} kills: {sent} calls came for {CALLS}")
    repeated = sum(entry["repeated"] for entry in ledger)
    heard = [(entry["key"], entry["attempt"]) for entry in ledger if entry["heard"]]
    assert len(heard) == len(set(heard)) == CALLS, "what was answered is never asked again"
    assert repeated == len(ledger) - CALLS == sum(not entry["heard"] for entry in ledger)
    assert sent <= len(ledger) <= sent + CONCURRENCY * kills, "a call is written down before it goes out"
    assert not [path.name for path in out.iterdir() if path.name.startswith(".")], "nothing half-written is left"


def test_a_second_run_over_a_folder_is_refused_while_the_first_is_at_work(folder: Path, upstream: Scripted) -> None:
    study = [str(folder / "study.toml"), "--questions", "50", "--out", str(folder / "twice")]
    upstream.forget()
    first = started(study)
    try:
        until = time.monotonic() + 60
        while chats(upstream) < 5 and time.monotonic() < until:
            time.sleep(0.01)
        first.send_signal(signal.SIGSTOP)  # it is at work for as long as the other one takes to say so
        second = started(study)
        _, said = second.communicate(timeout=60)
        assert second.returncode == 2 and b"Another run is at work" in said
    finally:
        first.kill()
        first.communicate()


def test_an_interrupted_run_says_so_and_goes_on(folder: Path, upstream: Scripted) -> None:
    study = [str(folder / "study.toml"), "--questions", "50", "--out", str(folder / "interrupted")]
    upstream.forget()
    process = started(study)
    until = time.monotonic() + 60
    while chats(upstream) < 20 and time.monotonic() < until:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=30)
    assert process.returncode == 130 and said == (
        b"loom lab: interrupted; every answer that came is kept, and the same command goes on from there.\n"
    )
    assert not (folder / "interrupted" / "rows.jsonl").exists()
    again = started(study)
    _, said = again.communicate(timeout=120)
    assert again.returncode == 0, said.decode()
    for name in ("plan.jsonl", "rows.jsonl"):
        assert (folder / "interrupted" / name).read_bytes() == (folder / "unbroken" / name).read_bytes()
    assert chats(upstream) <= CALLS + CONCURRENCY


JUDGED = """
[[models]]
name = "writer"
script = "drops-third"

[[judges]]
name = "first"
script = "judge?wait=0.02"

[[judges]]
name = "second"
script = "invents-quotes?then=right&wait=0.02"

[judging]
audit = true
sizes = { n11 = 20, n10 = 20, n00 = 0 }
"""
FILES = (
    "plan.jsonl",
    "rows.jsonl",
    "judged.jsonl",
    "audited.jsonl",
    "results.json",
    "report.html",
    "manifest.json",
    "study.json",
)
STAGES = ("rows.jsonl", "judged.jsonl", "audited.jsonl", "results.json")


def test_killed_while_it_judges_audits_and_draws_it_ends_the_same(folder: Path) -> None:
    study = write_study(folder, JUDGED, "judged.toml", concurrency=CONCURRENCY)
    arguments = [str(study), "--questions", "8", "--out", str(folder / "whole")]
    process = started(arguments)
    _, said = process.communicate(timeout=120)
    assert process.returncode == 0, said.decode()

    out, draw = folder / "broken", random.Random("stages")
    arguments[-1] = str(out)
    for kill, name in enumerate(STAGES):
        path = out / name
        before = path.stat().st_size if path.exists() else 0

        def due(path: Path = path, least: int = before + 1000 * kill) -> bool:
            if not path.exists() or path.stat().st_size <= least:
                return False
            time.sleep(draw.uniform(0, 0.1))
            return True

        killed_when(arguments, due)
    process = started(arguments)
    _, said = process.communicate(timeout=120)
    assert process.returncode == 0, said.decode()
    for name in FILES:
        assert (out / name).read_bytes() == (folder / "whole" / name).read_bytes(), name
    ledger, whole = read_lines(out / "ledger.jsonl"), read_lines(folder / "whole" / "ledger.jsonl")
    assert {each["purpose"] for each in whole} == {"answer", "judge", "audit"}
    heard = [(each["key"], each["attempt"]) for each in ledger if each["heard"]]
    assert len(heard) == len(set(heard)) == len(whole), "what was answered is never asked again"
    repeated = sum(each["repeated"] for each in ledger)
    assert repeated == len(ledger) - len(whole) <= CONCURRENCY * len(STAGES)  # none, where a kill came between two calls
