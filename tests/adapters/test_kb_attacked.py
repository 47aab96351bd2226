"""Knowledge bases that nobody meant to write: each fault is told with file, line and remedy, and nothing is raised."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import polars
import pytest

from loom.compose import knowledge_base
from loom.core.facts.checks import KINDS
from loom.core.report import Report

GOOD = """id = "b"
title = "B"
[[attribute]]
name = "second"
clock = true
[[entity]]
id = "e"
name = "Maple Street"
[[metric]]
id = "m"
name = "share"
unit = "%"
[[file]]
path = "a.csv"
kind = "series"
entity = "e"
attribute = "second"
position = "t"
values = { m = "v" }
"""
ROWS = "t,v\n1,2\n3,4\n"
SAID = re.compile(r".+(, but .+)?; .+\.", re.DOTALL)

Change = Callable[[Path], object]


def instead(old: str, new: str) -> Change:
    assert old in GOOD
    return lambda folder: (folder / "kb.toml").write_text(GOOD.replace(old, new), encoding="utf-8")


def beside(more: str) -> Change:
    return lambda folder: (folder / "kb.toml").write_text(GOOD + more, encoding="utf-8")


def manifest(data: bytes) -> Change:
    return lambda folder: (folder / "kb.toml").write_bytes(data)


def rows(data: str | bytes) -> Change:
    return lambda folder: (folder / "a.csv").write_bytes(data if isinstance(data, bytes) else data.encode())


def content(name: str, data: str | bytes, kind: str = "transcript", more: str = "") -> Change:
    def change(folder: Path) -> None:
        entry = f'[[file]]\npath = "{name}"\nkind = "{kind}"\nattribute = "{"scene" if more else "second"}"\n'
        (folder / "kb.toml").write_text(GOOD + more + entry, encoding="utf-8")
        (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())

    return change


def parquet(frame: polars.DataFrame | None) -> Change:
    def change(folder: Path) -> None:
        (folder / "kb.toml").write_text(GOOD.replace("a.csv", "a.parquet"), encoding="utf-8")
        if frame is None:
            (folder / "a.parquet").write_bytes(b"")
        else:
            frame.write_parquet(folder / "a.parquet")

    return change


def gone(then: Change) -> Change:
    def change(folder: Path) -> None:
        (folder / "a.csv").unlink()
        then(folder)

    return change


SCENES = '[[attribute]]\nname = "scene"\n'
CUE = "1\n{} --> {}\nwords\n\n"
ATTACKS: dict[str, tuple[Change, str, str]] = {
    "zero byte in the manifest": (beside("\0"), "kb-manifest", "kb.toml:20"),
    "manifest in UTF-16": (manifest(GOOD.encode("utf-16")), "kb-manifest", "kb.toml:1"),
    "unknown list of tables": (beside("[[thing]]\nx = 1\n"), "kb-unknown-member", "kb.toml:20"),
    "unknown table behind": (beside("\n\n[colour]\n"), "kb-unknown-member", "kb.toml:22"),
    "nested beyond reading": (beside(f"[[entity]]\nx = {'[' * 3000}{']' * 3000}\n"), "kb-manifest", "kb.toml:21"),
    "number beyond reading": (instead("clock = true", f"clock = true\nwindow = {'9' * 5000}"), "kb-manifest", "kb.toml:6"),
    "date for a name": (instead('"Maple Street"', "2024-01-01"), "kb-type", "kb.toml:8"),
    "name of marks alone": (instead("Maple Street", "!!!"), "kb-value", "kb.toml:6"),
    "name as long as a book": (instead("Maple Street", "Maple " * 5000), "kb-value", "kb.toml:6"),
    "name over two lines": (instead("Maple Street", "Maple\\nStreet"), "kb-value", "kb.toml:8"),
    "id that climbs": (instead('id = "e"', 'id = "e/../../x"'), "kb-value", "kb.toml:7"),
    "id in letters that look like others": (instead('id = "b"', 'id = "bаse"'), "kb-value", "kb.toml:1"),
    "metric word in wide letters": (beside('[[metric]]\nid = "n"\nname = "ＳＨＡＲＥ"\n'), "kb-shared-word", "kb.toml:22"),
    "window without end": (instead("clock = true", "clock = true\nwindow = inf"), "kb-value", "kb.toml:6"),
    "word worth nothing": (instead("clock = true", "clock = true\nwords = { minute = nan }"), "kb-value", "kb.toml:6"),
    "delimiter of two marks": (instead('position = "t"', 'position = "t"\ndelimiter = ",,"'), "kb-value", "kb.toml:19"),
    "encoding that is a cipher": (instead('position = "t"', 'position = "t"\nencoding = "rot13"'), "kb-value", "kb.toml:19"),
    "header below everything": (instead('position = "t"', 'position = "t"\nheader = 900000'), "kb-empty", "a.csv:900000"),
    "path with a mark that turns the text": (instead('"a.csv"', '"a\\u202e.csv"'), "kb-value", "kb.toml:14"),
    "path with a zero byte": (instead('"a.csv"', '"a\\u0000.csv"'), "kb-value", "kb.toml:14"),
    "path longer than any": (instead('"a.csv"', f'"{"a" * 5000}.csv"'), "kb-missing-file", "kb.toml:14"),
    "folder in place of a file": (gone(lambda folder: (folder / "a.csv").mkdir()), "kb-path", "kb.toml:14"),
    "link that leaves": (gone(lambda folder: (folder / "a.csv").symlink_to("/etc/hostname")), "kb-path", "kb.toml:14"),
    "link to itself": (gone(lambda folder: (folder / "a.csv").symlink_to("a.csv")), "kb-missing-file", "kb.toml:14"),
    "pipe": (gone(lambda folder: os.mkfifo(folder / "a.csv")), "kb-path", "kb.toml:14"),
    "blanks alone": (rows("\n \n\t\n"), "kb-empty", "a.csv:1"),
    "cell as large as a book": (rows(f"t,v\n1,2\n3,{'9' * 2_000_000}\n"), "kb-skipped-row", "a.csv:3"),
    "zero byte in a row": (rows("t,v\n1,2\n3,\0\n"), "kb-encoding", "a.csv:3"),
    "other encoding far below": (rows(b"t,v\n" + b"1,2\n" * 9000 + b"3,\xff\n"), "kb-encoding", "a.csv:9002"),
    "quote that never closes": (rows('t,v\n1,"2\n3,4\n'), "kb-table", "a.csv:2"),
    "row wider than its header": (rows("t,v\n1,2\n3,4,5\n"), "kb-table", "a.csv:3"),
    "no byte of parquet": (parquet(None), "kb-empty", "kb.toml:14"),
    "lists in parquet": (parquet(polars.DataFrame({"t": [1], "v": [[1]]})), "kb-table", "a.parquet"),
    "parquet without the column": (parquet(polars.DataFrame({"t": [1]})), "kb-column", "kb.toml:19"),
    "cue of ninety-nine seconds": (content("c.srt", CUE.format("00:00:99,000", "00:02:00,000")), "kb-cue", "c.srt:2"),
    "cue that ends before": (content("c.srt", CUE.format("00:00:09,000", "00:00:08,000")), "kb-cue", "c.srt:2"),
    "cue with half an arrow": (content("c.vtt", "WEBVTT\n\n00:05.000 -> 00:09.000\nwords\n"), "kb-cue", "c.vtt:3"),
    "time of seventy-five seconds": (content("c.txt", "[00:10] a\n[00:75] b\n"), "kb-cue", "c.txt:2"),
    "times that go back": (content("c.txt", "[00:10] a\n[00:05] b\n"), "kb-order", "c.txt:2"),
    "words without a time": (content("c.txt", "words\n[00:10] a\n"), "kb-cue", "c.txt:1"),
    "no unit at all": (content("c.txt", "words\n"), "kb-empty", "c.txt:1"),
    "two scenes of one number": (content("n.md", "## Scene 4\na\n## Scene 4\nb\n", "document", SCENES), "kb-order", "n.md:3"),
}  # fmt: skip


def base(folder: Path) -> Path:
    (folder / "kb.toml").write_text(GOOD, encoding="utf-8")
    (folder / "a.csv").write_text(ROWS, encoding="utf-8")
    return folder


def remarks(folder: Path) -> list[tuple[str, str, str]]:
    found: list[tuple[str, str, str]] = []

    class Listing(Report):
        def note(self, kind: str, message: str, where: object = None) -> None:  # type: ignore[override]
            place = f"{where.file}:{where.line}" if where.line else where.file  # type: ignore[attr-defined]
            found.append((kind, place, message))

    knowledge_base(folder, Listing(KINDS))
    return found


def test_what_is_changed_has_no_fault_before(tmp_path: Path) -> None:
    assert remarks(base(tmp_path)) == []


@pytest.mark.parametrize("attack", ATTACKS)
def test_each_fault_is_told_with_file_line_and_remedy(attack: str, tmp_path: Path) -> None:
    change, kind, where = ATTACKS[attack]
    change(base(tmp_path))
    found = remarks(tmp_path)
    assert (kind, where) in [(kind, where) for kind, where, _ in found], found
    for one, place, said in found:
        assert SAID.fullmatch(said), said
        assert ":" in place or one == "kb-unlisted-file" or "kb.toml:" in said, (place, said)
