"""Lines that are sorted in bounded memory are those that are sorted at once."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import strategies as st
from support.trying import many

from loom.build.sorting import SortedLines
from loom.core.errors import Unwritable

LINE = st.text(st.characters(exclude_characters="\n"), max_size=6)


@many(st.lists(LINE, max_size=40), st.lists(LINE, max_size=10), st.integers(1, 60))
def test_they_are_all_there_once_and_in_order(lines: list[str], later: list[str], run: int) -> None:
    found = SortedLines(run)
    for each in lines:
        found.add(each)
    found.settle()
    assert len(found) == len(set(lines))
    for each in later:
        found.add(each)
    want = sorted({each.encode() for each in (*lines, *later)})
    assert b"".join(found).split(b"\n")[:-1] == sorted(want, key=lambda each: each + b"\n")
    assert len(found) == len(want) and b"".join(found) == b"".join(found)


def test_no_room_is_said_in_a_sentence(tmp_path: Path) -> None:
    before = tempfile.tempdir
    tempfile.tempdir = str(tmp_path / "gone")
    try:
        found = SortedLines(1)
        with pytest.raises(Unwritable, match="TMPDIR"):
            found.add("a")
    finally:
        tempfile.tempdir = before
