"""`loom lab locomo` with models behind a URL: spans, a reader, the book of answers, and a run that is broken off."""

import contextlib
import io
import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from support.locomo_models import SMALL, as_the_rules, chat_server, copies

from loom.cli.main import main
from loom.core.memory.values import DECLINED
from loom.lab.locomo.dataset import dataset

RULES = as_the_rules()
TURNS = sum(len(talk.turns) for talk in dataset(SMALL).talks)


def answer(body: dict[str, Any]) -> tuple[int, str]:
    return 200, RULES(body["messages"]) if "response_format" in body else copies(body["messages"])


def run(capsys: pytest.CaptureFixture[str], *flags: object, code: int = 0) -> Any:
    capsys.readouterr()
    assert main(["lab", "locomo", str(SMALL), "--only-arms", "--quiet", "--json", *map(str, flags)]) == code
    return json.loads(capsys.readouterr().out)


def flags_of(url: str, book: Path) -> tuple[object, ...]:
    return ("--arms", "graph,ours", "--spans", f"x={url}", "--reader", f"r={url}", "--book", book, "--concurrency", 8)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, int]:
    """What a run comes to that nothing breaks, and how many requests it sends."""
    out = io.StringIO()
    with chat_server(answer) as server, contextlib.redirect_stdout(out):
        flags = map(str, flags_of(server.url, tmp_path_factory.mktemp("whole") / "whole.sqlite"))
        assert main(["lab", "locomo", str(SMALL), "--only-arms", "--quiet", "--json", *flags]) == 0
    return json.loads(out.getvalue()), len(server.asked)


def without_calls(told: Any) -> Any:
    return {name: value for name, value in told["result"].items() if name != "calls"}


def test_spans_and_reader_by_url_and_everything_is_paid_for_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOCOMO_KEY", "s3cret")
    book = tmp_path / "book.sqlite"
    with chat_server(answer) as server:
        told = run(capsys, *flags_of(server.url, book), "--key-env", "LOCOMO_KEY", "--limit", "9", "--seed", "7")
        result, sent = told["result"], len(server.asked)
        assert told["seeds"] == {"sample": 7}
        assert list(result["arms"]) == ["graph", "ours", "model-span", "model-graph"]
        assert list(result["read"]) == ["graph", "ours", "model-span", "model-graph"]
        assert result["arms"]["model-graph"] == result["arms"]["graph"]
        assert result["read"]["model-graph"] == result["read"]["graph"]
        assert {row["n"] for row in result["read"].values()} == {9}
        assert result["extraction"]["verdict"]
        assert set(server.keys) == {"Bearer s3cret"}
        formats = [body for body in server.asked if "response_format" in body]
        assert len(formats) == TURNS
        assert all(body["response_format"]["json_schema"]["strict"] and body["temperature"] == 0 for body in formats)
        again = run(capsys, *flags_of(server.url, book), "--key-env", "LOCOMO_KEY", "--limit", "9", "--seed", "7")
        assert len(server.asked) == sent
    assert again["result"] == result
    ledger = [json.loads(line) for line in book.with_name("book.sqlite.ledger.jsonl").read_text().splitlines()]
    assert len(ledger) == sent
    assert {(row["model"], row["purpose"], row["answers"]) for row in result["calls"]} == {
        ("x", "spans", TURNS),
        ("r", "read", sent - TURNS),
    }
    assert "s3cret" not in json.dumps(result) and b"s3cret" not in book.read_bytes()


def test_what_failed_is_asked_again_by_the_same_command_and_nothing_else(
    whole: tuple[Any, int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = True

    def sometimes(body: dict[str, Any]) -> tuple[int, str]:
        return (400, "no honey today") if broken and "honey" in body["messages"][-1]["content"] else answer(body)

    with chat_server(sometimes) as server:
        first = run(capsys, *flags_of(server.url, tmp_path / "book.sqlite"), code=1)
        assert first["result"]["extraction"]["error"] > 0
        assert first["result"]["reading"]["left out"] > 0
        broken = False
        second = run(capsys, *flags_of(server.url, tmp_path / "book.sqlite"))
        good = [json.dumps(body) for body in server.asked if "honey" not in body["messages"][-1]["content"]]
        assert len(good) == len(set(good))
    assert without_calls(second) == without_calls(whole[0])
    assert sum(row["answers"] for row in second["result"]["calls"]) >= whole[1]


def test_killed_it_goes_on_where_it_was(whole: tuple[Any, int], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told, sent = whole
    with chat_server(answer, wait=0.05) as server:
        book = tmp_path / "book.sqlite"
        command = [sys.executable, "-m", "loom.cli.main", "lab", "locomo", str(SMALL), "--only-arms", "--quiet"]
        process = subprocess.Popen(
            [*command, *map(str, flags_of(server.url, book))], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )
        until = time.monotonic() + 60
        while len(server.asked) < 16 and process.poll() is None and time.monotonic() < until:
            time.sleep(0.005)
        process.kill()
        assert process.wait() == -signal.SIGKILL
        assert 16 <= len(server.asked) < sent
        server.wait = 0.0
        resumed = run(capsys, *flags_of(server.url, book))
        assert len(server.asked) <= sent + 8
    assert without_calls(resumed) == without_calls(told)


def test_malformed_replies_and_a_flood_are_counted_and_decide_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    replies = iter(range(10**6))

    def wild(_: dict[str, Any]) -> tuple[int, str]:
        return 200, "I would rather talk." if next(replies) % 2 else '{"spans": [' + "1, " * 200_000 + "1]}"

    with chat_server(wild) as server:
        found = run(capsys, "--arms", "graph", "--spans", f"x={server.url}", "--book", tmp_path / "b.sqlite")["result"]
    extraction = found["extraction"]
    assert extraction["malformed"] + extraction["flood"] == TURNS
    assert extraction["flood"] > 0 and extraction["malformed"] > 0
    assert extraction["verdict"].startswith("Nothing is decided")
    assert found["arms"]["model-span"]["silence"]["all"] == 1.0


def test_the_table_shows_the_extraction_its_verdict_and_the_reader(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with chat_server(answer) as server:
        flags = map(str, flags_of(server.url, tmp_path / "book.sqlite"))
        assert main(["lab", "locomo", str(SMALL), "--only-arms", "--quiet", *flags, "--limit", "4"]) == 0
    out = capsys.readouterr().out
    for shown in ("model-graph", "spans by x", "The loss of reach is the scope's", "read by r", "without a floor"):
        assert shown in out


def test_a_reader_that_always_declines_is_the_constant_arm(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with chat_server(lambda _: (200, DECLINED)) as server:
        found = run(capsys, "--arms", "vector,constant", "--reader", f"r={server.url}", "--book", tmp_path / "b.sqlite")[
            "result"
        ]
    row, constant = found["read"]["vector"], found["arms"]["constant"]
    assert (row["answerable"], row["adversarial"]) == (constant["answerable"], constant["adversarial"])


@pytest.mark.parametrize("shown", [("--json",), ()])
def test_a_reader_that_is_gone_leaves_no_figures_and_the_rest_stands(
    shown: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with chat_server(lambda _: (401, "no such key")) as server:
        flags = ("--arms", "graph,span,vector", "--reader", f"r={server.url}", "--book", str(tmp_path / "b.sqlite"), *shown)
        assert main(["lab", "locomo", str(SMALL), "--only-arms", "--quiet", *flags]) == 1
        assert len(server.asked) <= 4
    told = capsys.readouterr()
    assert "replies are missing" in told.err and "401" in told.err
    if shown:
        found = json.loads(told.out)["result"]
        assert found["read"]["graph"]["n"] == 0 and found["read"]["graph"]["adversarial"] is None
        assert found["arms"]["graph"]["adversarial"] > 0
    else:
        assert "read by r" in told.out


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--spans", "x"), "NAME=URL"),
        (("--reader", "=http://127.0.0.1:1/v1"), "NAME=URL"),
        (("--reader", "r=ftp://x"), "OpenAI-compatible"),
        (("--limit", "5"), "--reader"),
        (("--key-env", "NO_SUCH"), "--spans or --reader"),
        (("--reader", "r=http://127.0.0.1:1/v1", "--limit", "0"), "1 or more"),
        (("--reader", "r=http://127.0.0.1:1/v1", "--key-env", "NO_SUCH_KEY"), "NO_SUCH_KEY"),
        (("--reader", "r=http://127.0.0.1:1/v1", "--spans", "r=http://127.0.0.1:2/v1"), "one URL"),
    ],
)
def test_a_wrong_flag_is_told(flags: tuple[str, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    book = ("--book", str(tmp_path / "b.sqlite"))
    assert main(["lab", "locomo", str(SMALL), "--arms", "graph", "--only-arms", "--quiet", *flags, *book]) == 2
    told = capsys.readouterr()
    assert told.out == "" and said in told.err
