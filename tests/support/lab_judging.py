"""Rows to judge, and askers that stand in for judges."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from loom.lab.asking import FakeAsker, Said
from loom.lab.judging.families import Judge
from loom.lab.question import LabQuestion, Target
from loom.lab.row import ANSWERED, EMPTY, Row, write_rows

JUDGE = Judge("gpt-4.1", family="gpt")
SECOND = Judge("claude-opus", family="claude")


def question(id: str = "q1", gold: Sequence[str] = ("Lime Kiln",), **more: Any) -> LabQuestion:
    stated: dict[str, Any] = {
        "id": id,
        "prompt": f"What does the Tide Mill of {id} require?",
        "gold": tuple(map(Target, gold)),
        "set": "s",
        "key": f"rel:tide-mill-{id}:requires",
        "template": "T-REL",
        "class_slugs": (f"tide-mill-{id}",),
    }
    return LabQuestion(**{**stated, **more})


def row(
    answer: str,
    *,
    about: LabQuestion | None = None,
    arm: str = "scaffold",
    model: str = "qwen",
    shown: str = "",
    status: str | None = None,
    study: Mapping[str, Any] | None = None,
) -> Row:
    about = about or question()
    return Row(
        about,
        arm,
        model,
        status or (ANSWERED if answer.strip() else EMPTY),
        {"messages": [{"role": "system", "content": shown}, {"role": "user", "content": about.prompt}]},
        {"answer": answer, "model_reported": model},
        study or {},
    )


def rows_file(folder: Path, rows: Sequence[Row]) -> Path:
    path = folder / "rows.jsonl"
    write_rows(path, rows)
    return path


def sections(messages: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The fenced texts of a judge's prompt, by name."""
    found: dict[str, str] = {}
    lines = str(messages[1]["content"]).split("\n")
    at = 0
    while at < len(lines):
        if lines[at].startswith("[[") and not lines[at].startswith("[[end of "):
            name, _, mark = lines[at].removeprefix("[[").removesuffix("]]").rpartition(" ")
            end = lines.index(f"[[end of {name} {mark}]]", at)
            found[name] = "\n".join(lines[at + 1 : end])
            at = end
        at += 1
    return found


def verdict(**members: Any) -> str:
    return json.dumps(members)


def asker(*replies: str | Callable[[Sequence[Mapping[str, Any]]], str]) -> FakeAsker:
    """An asker that gives these replies to the first, second … message of a conversation, the last one from then on."""

    def answer(model: str, messages: Sequence[Mapping[str, Any]]) -> str | Said:
        turn = sum(message["role"] == "assistant" for message in messages)
        reply = replies[min(turn, len(replies) - 1)]
        text = reply(messages) if callable(reply) else reply
        return Said(text, model_reported=f"{model}-2026-01-01", key=f"{model}:{turn}")

    return FakeAsker(answer)


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
