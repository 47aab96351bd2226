"""What every book of kept answers does: one suite over the in-memory fake and over SQLite; what outlives a process, over SQLite."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from loom.core.errors import BadInput
from loom.ports import AnswerBook
from loom_adapters.answer_book import FakeAnswers, SqliteAnswers


@pytest.fixture(params=["fake", "sqlite"])
async def book(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[AnswerBook]:
    made: AnswerBook = FakeAnswers() if request.param == "fake" else SqliteAnswers(tmp_path / "new" / "answers.sqlite")
    yield made
    await made.aclose()


async def test_an_answer_is_kept_under_its_request(book: AnswerBook) -> None:
    number, repeated = await book.sending("k", 0, {"model": "m"})
    assert not repeated and await book.answers("k") == []
    await book.heard(number, {"status": 200}, {"text": "é \u2028 x"})
    assert await book.answers("k") == [{"text": "é \u2028 x"}] and await book.answers("other") == []


async def test_attempts_come_in_their_order(book: AnswerBook) -> None:
    for attempt in (1, 0):
        number, _ = await book.sending("k", attempt, {})
        await book.heard(number, {}, {"attempt": attempt})
    assert await book.answers("k") == [{"attempt": 0}, {"attempt": 1}]


async def test_a_call_without_an_answer_keeps_none(book: AnswerBook) -> None:
    number, _ = await book.sending("k", 0, {})
    await book.heard(number, {"status": 429})
    assert await book.answers("k") == []
    assert (await book.sending("k", 0, {}))[1] is False, "an error was heard, so the next call is no repetition"


async def test_a_call_of_which_nothing_was_heard_is_repeated_once(book: AnswerBook) -> None:
    await book.sending("k", 0, {})
    assert (await book.sending("k", 1, {}))[1] is False, "another attempt"
    number, repeated = await book.sending("k", 0, {})
    assert repeated
    await book.heard(number, {"status": 500})
    assert (await book.sending("k", 0, {}))[1] is False


async def test_each_lost_call_counts(book: AnswerBook) -> None:
    flags = [(await book.sending("k", 0, {}))[1] for _ in range(4)]
    assert flags == [False, True, True, True]


async def test_the_ledger_tells_every_call_in_order(book: AnswerBook) -> None:
    first, _ = await book.sending("a", 0, {"model": "m", "purpose": "answer"})
    await book.sending("b", 0, {"model": "n"})
    await book.heard(first, {"status": 200, "price": 0.5}, {"text": "said"})
    assert list(book.ledger()) == [
        {"number": 1, "key": "a", "attempt": 0, "repeated": False, "heard": True}
        | {"model": "m", "purpose": "answer", "status": 200, "price": 0.5},
        {"number": 2, "key": "b", "attempt": 0, "repeated": False, "heard": False, "model": "n"},
    ]


async def test_many_at_once_all_get_their_own(book: AnswerBook) -> None:
    async def one(name: str) -> int:
        number, _ = await book.sending(name, 0, {"name": name})
        await book.heard(number, {}, {"text": name})
        return number

    names = [f"k{number}" for number in range(2500)]
    numbers = await asyncio.gather(*map(one, names))
    assert sorted(numbers) == list(range(1, 2501))
    assert [(await book.answers(name))[0]["text"] for name in names[::500]] == names[::500]
    assert [entry["key"] for entry in book.ledger()] == [entry["name"] for entry in book.ledger()]


async def test_a_cancelled_wait_leaves_the_book_in_order(book: AnswerBook) -> None:
    waits = [asyncio.create_task(book.sending(f"k{number}", 0, {})) for number in range(20)]
    await asyncio.sleep(0)
    for wait in waits[::2]:
        wait.cancel()
    await asyncio.gather(*waits, return_exceptions=True)
    number, _ = await book.sending("after", 0, {})
    await book.heard(number, {}, {"text": "yes"})
    assert await book.answers("after") == [{"text": "yes"}]


async def test_what_was_kept_is_there_when_it_is_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    book = SqliteAnswers(path)
    number, _ = await book.sending("k", 0, {"model": "m"})
    await book.heard(number, {}, {"text": "said"})
    await book.sending("lost", 0, {})
    await book.aclose()
    again = SqliteAnswers(path)
    assert await again.answers("k") == [{"text": "said"}]
    assert (await again.sending("lost", 0, {}))[1] is True
    assert [entry["number"] for entry in again.ledger()] == [1, 2, 3]
    await again.aclose()


async def test_two_at_once_are_refused(tmp_path: Path) -> None:
    first = SqliteAnswers(tmp_path / "answers.sqlite")
    with pytest.raises(BadInput, match=r"Another run is at work in .*wait until it has ended, or give another folder"):
        SqliteAnswers(tmp_path / "answers.sqlite")
    await first.aclose()
    await SqliteAnswers(tmp_path / "answers.sqlite").aclose()


BESIDE = """
import asyncio, sys
from pathlib import Path
from loom_adapters.answer_book import SqliteAnswers

async def main():
    book = SqliteAnswers(Path(sys.argv[1]), shared=True)
    for at in range(50):
        number, _ = await book.sending(f"{sys.argv[2]} {at}", 0, {})
        await book.heard(number, {}, {"text": sys.argv[2]})
    await book.aclose()

asyncio.run(main())
"""


async def test_processes_share_a_book_that_is_shared(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    book = SqliteAnswers(path, shared=True)
    beside = [await asyncio.create_subprocess_exec(sys.executable, "-c", BESIDE, str(path), name) for name in ("one", "other")]
    for at in range(50):
        number, _ = await book.sending(f"mine {at}", 0, {})
        await book.heard(number, {}, {"text": "mine"})
    assert [await each.wait() for each in beside] == [0, 0]
    for name in ("one", "other", "mine"):
        assert [await book.answers(f"{name} {at}") for at in range(50)] == [[{"text": name}]] * 50
    assert len(list(book.ledger())) == 150
    await book.aclose()


KILLED = """
import asyncio, os, signal, sys
from pathlib import Path
from loom_adapters.answer_book import SqliteAnswers

async def main():
    book = SqliteAnswers(Path(sys.argv[1]))
    number, _ = await book.sending("heard", 0, {})
    await book.heard(number, {}, {"text": "said"})
    await book.sending("lost", 0, {})
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


async def test_a_killed_process_leaves_what_it_wrote_and_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    assert subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False).returncode == -signal.SIGKILL
    book = SqliteAnswers(path)
    assert await book.answers("heard") == [{"text": "said"}]
    assert (await book.sending("lost", 0, {}))[1] is True
    await book.aclose()


@pytest.mark.parametrize("content", [b"not a database " * 100, b"SQLite format 3\0" + b"x" * 500])
def test_another_file_is_refused_in_a_sentence(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "answers.sqlite").write_bytes(content)
    with pytest.raises(BadInput, match=r"Expected kept answers in .*give another folder"):
        SqliteAnswers(tmp_path / "answers.sqlite")


def test_a_book_of_another_format_is_refused(tmp_path: Path) -> None:
    db = sqlite3.connect(tmp_path / "answers.sqlite")
    db.execute("pragma user_version = 99")
    db.close()
    with pytest.raises(BadInput, match="another version of Loom"):
        SqliteAnswers(tmp_path / "answers.sqlite")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(BadInput, match="cannot be opened"):
        SqliteAnswers(tmp_path / "sub" / "answers.sqlite")


@pytest.mark.parametrize(
    "harm",
    ["update answers set answer = 'no object'", "update answers set answer = '[1]'", "alter table answers rename to lost"],
)
async def test_kept_answers_that_cannot_be_read_are_one_sentence(tmp_path: Path, harm: str) -> None:
    path = tmp_path / "answers.sqlite"
    book = SqliteAnswers(path)
    number, _ = await book.sending("k", 0, {})
    await book.heard(number, {}, {"text": "x"})
    book._db.execute(harm)
    with pytest.raises(BadInput, match=r"answers.sqlite, but it cannot be read .* move it away"):
        await book.answers("k")
    await book.aclose()


async def test_a_file_with_broken_pages_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    book = SqliteAnswers(path)
    for at in range(300):
        number, _ = await book.sending(f"k{at}", 0, {"model": "m"})
        await book.heard(number, {}, {"text": "x" * 200})
    await book.aclose()
    data = bytearray(path.read_bytes())
    data[20_000:] = b"\xa5" * (len(data) - 20_000)
    path.write_bytes(data)
    with pytest.raises(BadInput, match="cannot be read"):
        broken = SqliteAnswers(path)
        try:
            for at in range(300):
                await broken.answers(f"k{at}")
            list(broken.ledger())
        finally:
            await broken.aclose()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_book_that_may_only_be_read_is_told_as_that(tmp_path: Path) -> None:
    (tmp_path / "answers.sqlite").write_bytes(b"")
    (tmp_path / "answers.sqlite").chmod(0o400)
    tmp_path.chmod(0o500)
    with pytest.raises(BadInput, match="cannot be written; give a folder that can"):
        SqliteAnswers(tmp_path / "answers.sqlite")
