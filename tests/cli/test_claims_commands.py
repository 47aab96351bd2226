"""`loom claims`: the commands over one file, a cycle from graded queries, and the process that is the slow path."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from loom.claims.prov_triples import triples
from loom.cli.main import main

Run = Callable[..., Any]
QUESTION, FOLLOWS = "What does the boiler depend on?", "The boiler depends on the north valve"
TEXTS = {"rules": "The boiler depends on the feed pump.", "plan": "The feed pump depends on the north valve."}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    for name, text in TEXTS.items():
        (tmp_path / "in" / f"{name}.txt").write_text(text)
    return tmp_path


@pytest.fixture
def run(folder: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """A command with `--json`, its exit code and what it said."""

    def made(*words: object, code: int = 0) -> Any:
        assert main(["claims", *map(str, words), "--store", str(folder / "claims.sqlite"), "--json"]) == code
        return json.loads(capsys.readouterr().out)

    return made


def test_entries_a_question_and_a_decision(run: Run, folder: Path) -> None:
    assert run("take", folder / "in")["signals"] == 2
    assert run("take", folder / "in")["signals"] == 0
    asked = run("ask", "What does the boiler depend on?", "--way", "reason")
    (claim,) = [each for each in asked["hits"] if each["kind"] == "claim"]
    assert run("accept", claim["id"], "--by", "anna")["moves"][0]["to"] == "accepted"
    shown = run("show", claim["id"][:14])
    assert shown["claims"][claim["id"]]["standing"] == "accepted" and len(shown["signals"]) == 2
    assert [each["id"] for each in run("list", "--standing", "accepted")["claims"]] == [claim["id"]]
    assert run("status")["claims"] == {"accepted": 1}
    early = run("resolve", claim["id"], "--yield", "--by", "anna", code=1)
    assert early["moves"] == [] and "is accepted, not contested" in str(early["said"])
    refused = run("readmit", claim["id"], code=1)
    assert any(said.get("refused") for said in refused["said"].values())


def test_what_is_not_read_is_said_with_what_is(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def take(*path: str, code: int = 0) -> str:
        assert main(["claims", "take", str(folder.joinpath(*path)), "--store", str(folder / "claims.sqlite"), "--json"]) == code
        return capsys.readouterr().err

    (folder / "none").mkdir()
    assert "none was read (no file); give files that end in .md," in take("none")
    (folder / "none" / "empty.txt").write_text(" ")
    (folder / "none" / "page.pdf").write_bytes(b"%PDF")
    (folder / "none" / ".kept.txt").write_text("The mill is old.")
    assert "none was read (1 of another kind, 1 without text, 1 hidden); give" in take("none")
    assert "empty.txt was read (1 without text); give" in take("none", "empty.txt")
    assert "page.pdf was read (1 of another kind); give" in take("none", "page.pdf")
    assert take("in") == ""
    (folder / "in" / "page.pdf").write_bytes(b"%PDF")
    assert take("in").startswith(f"Not everything in {folder / 'in'} was read (1 of another kind); give")
    assert "a folder, an archive or one file, but" in take("nofile.txt", code=2)


def test_the_same_id_with_another_text_is_refused_and_not_lost_in_silence(run: Run, folder: Path) -> None:
    for number, text in enumerate(("The pump is old.", "The pump is new."), 1):
        (folder / "lines.jsonl").write_text(json.dumps({"id": "memo-1", "text": text, "source": "memo"}))
        told = run("take", folder / "lines.jsonl", code=0 if number == 1 else 1)
    (said,) = told["said"].values()
    assert "memo-1 that says something else" in said["refused"][0]


def test_a_text_that_no_store_takes_holds_nothing_up(run: Run, folder: Path) -> None:
    lines = [{"text": "The mill \0 is old.", "source": "odd"}, {"text": "The pump depends on the mill.", "source": "memo"}]
    (folder / "lines.jsonl").write_text("\n".join(map(json.dumps, lines)))
    told = run("take", folder / "lines.jsonl", code=1)
    assert told["signals"] == 1 and any("NUL" in str(said) for said in told["said"].values())
    assert run("status")["queue"] == 0


def test_a_cycle_reads_graded_queries(run: Run, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("take", folder / "in")
    asked = run("ask", "What does the boiler depend on?", "--way", "reason")
    (id,) = [each["id"] for each in asked["hits"] if each["kind"] == "claim"]
    line = '{"query": "q", "domain": "%s", "claim": "%s", "grade": 3}\n'
    nothing = [line % ("general", "claim:x"), line % ("nope", id)]
    (folder / "judged.jsonl").write_text(line % ("general", id) + "".join(nothing))
    told = run("cycle", "--judged", folder / "judged.jsonl", "--by", "anna")
    (said,) = told["said"].values()
    assert said["domains"]["general"]["fit"]["unfit"] is True
    assert set(said["domains"]) == {"general"} and said["unheld_grades"] == 2
    assert main(["claims", "cycle", "--judged", str(folder / "judged.jsonl"), "--store", str(folder / "claims.sqlite")]) == 0
    assert "2 grades name nothing that is held" in capsys.readouterr().out
    (folder / "judged.jsonl").write_text("".join(nothing))
    told = run("cycle", "--judged", folder / "judged.jsonl", "--by", "ben", code=1)
    (said,) = told["said"].values()
    assert said == {"refused": ["None of the 2 grades names a claim that is held, in a domain that is there."]}
    (folder / "judged.jsonl").write_text('{"query": "q"}\n')
    assert main(["claims", "cycle", "--judged", str(folder / "judged.jsonl"), "--store", str(folder / "claims.sqlite")]) != 0


def test_provenance_of_one_claim_and_of_everything(run: Run, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def printed(*words: str) -> str:
        assert main(["claims", "prov", *words, "--store", str(folder / "claims.sqlite")]) == 0
        return str(capsys.readouterr().out)

    run("take", folder / "in")
    (id,) = [
        each["id"]
        for each in run("ask", "What does the boiler depend on?", "--way", "reason")["hits"]
        if each["kind"] == "claim"
    ]
    (folder / "letter.txt").write_text("The boiler no longer depends on the north valve.")
    run("take", folder / "letter.txt")
    (disputed,) = json.loads(printed(id, "--format", "json"))["entity"][f"at:{id}"]["loom:disputedBy"]
    assert disputed["$"].startswith("at:signal:"), "what is lifted is told as the signal that it is"
    run("reject", run("enter", "It is so 😀.", "--by", "anna", "--cites", id)["moves"][0]["claim"])
    entry = run("show", id)["signals"].popitem()[1]["entry"]
    run("withdraw", entry)
    run("restore", entry)
    assert sum("wasInvalidatedBy" in line for line in printed().splitlines()) == 1, "what was restored counts again"
    run("withdraw", entry)
    whole = set(printed().splitlines())
    assert set(triples(json.loads(printed("--format", "json"))).splitlines()) == whole
    one = set(triples(json.loads(printed(id, "--format", "json"))).splitlines())
    assert one == set(printed(id[:14]).splitlines()) and one < whole
    assert sum("wasInvalidatedBy" in line for line in whole) == 4, "an entry, its signal, and two claims that fell with it"
    assert printed("--out", str(folder / "prov.nt")) == ""
    assert set((folder / "prov.nt").read_text().splitlines()) == whole


@contextmanager
def slow_path(folder: Path) -> Iterator[subprocess.Popen[str]]:
    words = [sys.executable, "-m", "loom", "claims", "run", "--store", str(folder / "claims.sqlite")]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def waited(holds: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end, what
        time.sleep(0.1)


def test_another_process_writes_and_ends_between_batches(run: Run, folder: Path) -> None:
    run("take", folder / "in")
    with slow_path(folder) as process:
        run("enter", "The boiler room is damp.", "--by", "anna", "--queue")
        waited(lambda: run("status")["queue"] == 0, "the slow path did what waited")
        told = run("enter", "The boiler room is cold.", "--by", "anna")
        assert told["asks"][0]["version"] > 0, "the command waits for the process that writes"
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    assert run("enter", "The boiler room is dark.", "--by", "anna")["claims"] == 1, "the lease was given back"


def test_killed_between_batches_nothing_is_lost_and_another_goes_on(run: Run, folder: Path) -> None:
    run("take", folder / "in")
    with slow_path(folder) as process:
        run("enter", "The boiler room is damp.", "--by", "anna", "--queue")
        waited(lambda: run("status")["queue"] == 0, "the slow path did what waited")
        process.kill()
        process.wait()
    before = run("status")
    run("enter", "The boiler room is cold.", "--by", "anna", "--queue")
    assert run("status")["version"] == before["version"] and run("status")["queue"] == 1
    from loom.claims.slow import HOLD

    assert HOLD <= 60, "so long a killed process keeps others out"


@pytest.mark.slow
def test_behind_a_killed_process_it_is_said_who_wrote_and_what_to_do(
    run: Run, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Slow: the command waits half a minute."""
    run("take", folder / "in")
    with slow_path(folder) as process:
        run("enter", "The boiler room is damp.", "--by", "anna", "--queue")
        waited(lambda: run("status")["queue"] == 0, "the slow path did what waited")
        process.kill()
        process.wait()
    place = ["--store", str(folder / "claims.sqlite")]
    assert main(["claims", "enter", "The boiler room is cold.", "--by", "anna", *place]) == 1
    told = capsys.readouterr()
    assert told.out == "" and told.err.startswith("1 still in the queue. ")
    assert f":{process.pid} writes the claims, for another" in told.err and "`loom claims flush` does them" in told.err


def test_a_second_slow_path_waits_and_says_so_once(run: Run, folder: Path) -> None:
    run("take", folder / "in")
    with slow_path(folder) as first:
        run("enter", "The boiler room is damp.", "--by", "anna", "--queue")
        waited(lambda: run("status")["queue"] == 0, "the slow path did what waited")
        with slow_path(folder) as second:
            assert second.stdout is not None
            line = second.stdout.readline()
            assert "writes the claims" in line and "tried again" in line and second.poll() is None
            first.send_signal(signal.SIGTERM)
            assert first.wait(60) == 0
            run("enter", "The boiler room is cold.", "--by", "anna", "--queue")
            waited(lambda: run("status")["queue"] == 0, "the second took over")
            assert second.poll() is None
            second.send_signal(signal.SIGTERM)
            assert "version" in second.stdout.read()


def test_a_question_beside_the_process_that_writes_is_answered(run: Run, folder: Path) -> None:
    run("take", folder / "in")
    with slow_path(folder):
        run("enter", "The boiler room is damp.", "--by", "anna", "--queue")
        waited(lambda: run("status")["queue"] == 0, "the slow path did what waited")
        told = run("ask", QUESTION, "--way", "reason")
        assert FOLLOWS in [each["text"].rstrip(".") for each in told["hits"]]
        assert run("flush") == {"asks": []}, "nothing waits"


def test_ids_are_named_by_their_beginning_and_by_nothing_less(
    run: Run, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And what is not there is said, in a sentence."""
    run("take", folder / "in")
    told = run("ask", QUESTION, "--way", "reason", "-k", "1")
    (claim,) = (each["id"] for each in told["hits"])
    signals = list(run("show", claim)["signals"])

    def refused(*words: object) -> str:
        assert main(["claims", *map(str, words), "--store", str(folder / "claims.sqlite")]) in (1, 2), words
        return capsys.readouterr().err

    for beginning in ("", "claim:", "claim:ab"):
        assert "at least the first 4 characters" in refused("accept", beginning, "--by", "anna")
    told = refused("resolve", claim[:12], "--spurious", signals[0][:14], "--by", "anna")
    assert "does not dispute" in told and "lifted:" not in told
    assert "There is no signal" in refused("resolve", claim[:12], "--spurious", "signal:0000000000", "--by", "anna")
    assert "cannot be read" in refused("import", folder / "nowhere.jsonl")
    assert "-k" in refused("ask", QUESTION, "-k", 0)
    for words in (("ask", QUESTION), ("list",)):
        assert "There is no domain nowhere" in refused(*words, "--domain", "nowhere")
    entered = run("enter", "The boiler room is damp.", "--cites", signals[0][:14], "--by", "anna")
    assert entered["claims"] == 1
    entry = run("show", claim)["signals"][signals[0]]["entry"]
    assert run("withdraw", entry[:12], "--by", "anna")["moves"], "what rests on it fell"


def test_an_entry_keeps_the_id_of_its_author_whatever_it_looks_like(run: Run, folder: Path) -> None:
    """An id may begin as those of claims and signals do, be longer than an id that the content gave, or begin another one."""
    ids = ["claim:2", "claim:22", "signal:rules", "entry:a", "entry:ab", "mail:2026-11-30T09:15:00Z/anna@example.org", "7"]
    lines = [{"id": id, "source": id, "text": f"House {number} is old."} for number, id in enumerate(ids)]
    (folder / "own.jsonl").write_text("\n".join(map(json.dumps, lines)))
    run("take", folder / "own.jsonl")

    def withdrawn() -> list[str]:
        return [each["id"] for each in run("entries")["entries"] if each["withdrawn_at"]]

    for number, id in enumerate(ids):
        run("withdraw", id, "--by", "anna")
        assert withdrawn() == ids[: number + 1]
    back = {"claim:2": "claim:2", "mail:2026": ids[5], "signal:ru": "signal:rules", "ab": "entry:ab"}
    for given in back:
        run("restore", given, "--by", "anna")
    assert withdrawn() == [id for id in ids if id not in back.values()]


def test_entries_are_listed_by_page_and_by_source(run: Run, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run("take", folder / "in")
    whole = run("entries")
    assert whole["after"] is None and len(whole["entries"]) == 2
    first, second = (each["id"] for each in whole["entries"])
    page = run("entries", "--limit", 1)
    assert [each["id"] for each in page["entries"]] == [page["after"]] == [first]
    assert [each["id"] for each in run("entries", "--after", first)["entries"]] == [second]
    source = whole["entries"][1]["source"]
    assert [each["id"] for each in run("entries", "--source", source)["entries"]] == [second]
    run("withdraw", first, "--by", "anna")
    assert main(["claims", "entries", "--limit", "1", "--store", str(folder / "claims.sqlite")]) == 0
    told = capsys.readouterr()
    assert told.out.startswith(f"{first}  withdrawn  ") and f"--after {first}" in told.err
    assert main(["claims", "entries", "--limit", "0", "--store", str(folder / "claims.sqlite")]) == 2
    assert "--limit as a number of at least 1" in capsys.readouterr().err
