"""Rows: in the order of the plan whatever the order of answers, with all that scoring again needs."""

import asyncio
import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest
from support.lab_running import Rig, member, showings, study

from loom.core.errors import BadInput
from loom.core.values import Json
from loom.lab.asking import FakeAsker, Said
from loom.lab.files import WholeFile, sha256_of
from loom.lab.row import Row, read_rows
from loom.lab.running import answered
from loom.lab.running.folder import StudyFolder
from loom.lab.running.rows import ledger_written, rows_written
from loom.lab.showing import Asking, Showing
from loom.lab.study import Price


class Late:
    """An asker whose answers come in any order."""

    def __init__(self, seed: int) -> None:
        self._draw = random.Random(seed)
        self.now: dict[str, int] = {}
        self.most: dict[str, int] = {}

    async def ask(
        self, model: str, asking: Asking, *, purpose: str, more: Mapping[str, Json] | None = None, salt: str = ""
    ) -> Said:
        self.now[model] = self.now.get(model, 0) + 1
        self.most[model] = max(self.most.get(model, 0), self.now[model])
        await asyncio.sleep(self._draw.uniform(0, 0.004) * (3 if model == "b" else 1))
        self.now[model] -= 1
        return Said(f"{model} says {asking.text}")


async def rows_of(plan: list[Showing], asker: Any, **more: Any) -> list[Row]:
    made = study(member(name="a"), member(name="b"))
    return [row async for row in answered(made, plan, asker, **more)]


@pytest.mark.parametrize("seed", range(3))
async def test_rows_come_in_the_plan_s_order(seed: int) -> None:
    plan = showings(20, ("raw", "true"))
    plan[5] = replace(plan[5], status="no_donor")
    plan[8] = replace(plan[8], status="no_block")
    late = Late(seed)
    rows = await rows_of(plan, late, ahead=7)
    assert [(row.question.id, row.arm, row.model) for row in rows] == [
        (showing.question.id, showing.arm, model) for showing in plan for model in "ab"
    ]
    for row in rows:
        assert row.answer == (f"{row.model} says {row.question.prompt}" if row.status == "answered" else "")
    assert [row.status for row in rows[10:12] + rows[16:18]] == ["no_donor"] * 2 + ["no_block"] * 2
    assert max(late.most.values()) <= 7, "no more than so far ahead"


async def test_what_a_row_is_called_by_its_answer() -> None:
    said = {"answered": Said("x"), "empty": Said(" ", "empty_stop"), "error": Said("", error="gone")}
    for status, answer in said.items():
        (row, _) = await rows_of(showings(1), FakeAsker(lambda *_, answer=answer: answer))
        assert row.status == status
    assert row.said["error"] == "gone" and row.messages == [{"role": "user", "content": "What does kiln 0 require?"}]


async def test_a_row_says_what_it_was_made_with() -> None:
    made = study(
        member(name="a", temperature=0.5), facts={"generation": "sha256:1", "version": "9"}, policy="default", wrapper="bare"
    )
    (row,) = [row async for row in answered(made, showings(1), Late(0))]
    assert row.study["generation"] == "sha256:1" and row.study["version"] == "9" and row.study["seeds"] == {"study": 42}
    assert row.study["model"] == {"requested": "echo", "kind": "url", "family": None}
    assert row.study["request"] == {"temperature": 0.5, "allowances": [1024, 2048]}
    assert "127.0.0.1" not in str(row.as_json())


async def test_leaving_early_stops_the_calls() -> None:
    late = Late(0)
    rows = answered(study(member(name="a")), showings(50), late)
    await anext(rows)
    await rows.aclose()
    before = dict(late.now)
    await asyncio.sleep(0.02)
    assert late.now == before


async def test_rows_and_ledger_are_files(tmp_path: Path) -> None:
    rig = Rig([member(name="a", price=Price(10.0, 10.0)), member("status?status=400", name="b")])
    folder, made = StudyFolder(tmp_path), study(*rig.members)
    written = await rows_written(made, showings(5, ("raw", "true")), rig.asker, folder.rows)
    assert (written.rows, written.errors, written.statuses["a"]["answered"]) == (20, 10, 10)
    assert written.sha256 == sha256_of(folder.rows)
    assert [row.model for row in read_rows(folder.rows)] == ["a", "b"] * 10
    assert rig.asker.tally.sent == 10, "two arms that show the same ask once"
    costs = ledger_written(rig.book, folder)
    assert [(each["model"], each["calls"], each["failed"]) for each in costs] == [("a", 5, 0), ("b", 5, 5)]
    lines = [orjson.loads(line) for line in folder.ledger.read_bytes().splitlines()]
    assert costs[0]["price"] == pytest.approx(sum(each["price"] for each in lines if each["model"] == "a"))
    assert costs[1]["price"] is None and costs[0]["prompt_tokens"] > 0


def test_a_file_of_lines_is_whole_or_not_there(tmp_path: Path) -> None:
    path = tmp_path / "sub" / "rows.jsonl"
    with pytest.raises(RuntimeError), WholeFile(path) as file:
        file.add({"a": 1})
        raise RuntimeError
    assert list(path.parent.iterdir()) == []
    with WholeFile(path) as file:
        file.add({"a": 1})
        file.add({"b": "é"})
        assert not path.exists()
    assert path.read_text(encoding="utf-8") == '{"a":1}\n{"b":"é"}\n' and file.sha256 == sha256_of(path)
    with pytest.raises(BadInput, match="cannot be written"), WholeFile(path / "no" / "rows.jsonl"):
        pass


async def test_the_folder_of_another_plan_is_refused_unless_fresh(tmp_path: Path) -> None:
    folder = StudyFolder(tmp_path)
    first = study(member(), facts={"generation": "g1", "questions_sha256": "s1"})
    folder.check(first, fresh=False)
    folder.begin(first, fresh=False)
    for name in ("rows.jsonl", "report.html", "answers.sqlite"):
        (tmp_path / name).write_text("x", encoding="utf-8")
    (tmp_path / ".rows.jsonl.abc").write_text("half", encoding="utf-8")
    folder.check(replace(first, models=(member(), member(name="n")), concurrency=9), fresh=False)
    other = replace(first, seed=1, facts={"generation": "g2", "questions_sha256": "s1"})
    with pytest.raises(BadInput, match=r"but generation and seed changed.*another folder with --out, or --fresh"):
        folder.check(other, fresh=False)
    folder.check(other, fresh=True)
    folder.begin(first, fresh=False)
    assert {path.name for path in tmp_path.iterdir()} == {"study.json", "rows.jsonl", "report.html", "answers.sqlite"}
    folder.begin(other, fresh=True)
    assert {path.name for path in tmp_path.iterdir()} == {"study.json", "answers.sqlite"}
    folder.check(other, fresh=False)


def test_a_folder_whose_study_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "study.json").write_text("[]", encoding="utf-8")
    with pytest.raises(BadInput, match="cannot be read; remove it"):
        StudyFolder(tmp_path).check(study(member()), fresh=False)
