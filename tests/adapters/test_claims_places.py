"""Places that hold no claims: another file, a damaged one, another database."""

from pathlib import Path

import pytest

from loom.core.errors import BadInput, LoomError, Unreachable
from loom_adapters.claims.opening import opener


@pytest.mark.parametrize("content", [b"# A page, and no database. " * 60, b"SQLite format 3\0" + b"x" * 5000])
def test_another_file_is_no_store_and_stays_as_it_was(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "README.md"
    file.write_bytes(content)
    with pytest.raises(Unreachable, match=r"as a file of SQLite, but .*README\.md is another kind of file.*; give another"):
        opener(str(file))()
    assert file.read_bytes() == content


async def test_a_damaged_store_is_told_by_its_name_and_what_brings_it_back(tmp_path: Path) -> None:
    file = tmp_path / "claims.sqlite"
    made = opener(str(file))()
    await made.aclose()
    whole = file.read_bytes()
    file.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    with pytest.raises(LoomError, match=r"claims\.sqlite is damaged \(.*\); put a copy of it back, or import an export"):
        opener(str(file))()


@pytest.mark.parametrize("url", ["mysql://ann:secret@host/x", "http://host", "://", "postgresql://host:port/x"])
def test_another_database_is_told_which_stores_there_are(url: str) -> None:
    with pytest.raises(
        BadInput, match=r"the path of a file, or as postgresql://USER@HOST/DATABASE, but got .*; give one"
    ) as raised:
        opener(url)
    assert "secret" not in raised.value.message
