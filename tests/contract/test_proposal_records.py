"""What every keeper of proposal records must do: keep each once, and never change one."""

import threading
from pathlib import Path

import pytest

from loom.core.errors import BadInput
from loom.ports import ProposalRecords
from loom_adapters.proposals.records import FakeRecords, FolderRecords


@pytest.fixture(params=["fake", "folder"])
def records(request: pytest.FixtureRequest, tmp_path: Path) -> ProposalRecords:
    return FakeRecords() if request.param == "fake" else FolderRecords(tmp_path / "store")


def test_a_record_is_kept_once(records: ProposalRecords) -> None:
    assert list(records.every("dossiers")) == [] and records.find("dossiers", "a") is None
    assert records.keep("dossiers", "b", {"n": 1, "text": "ü"})
    assert records.keep("dossiers", "a", {"n": 2})
    assert not records.keep("dossiers", "b", {"n": 3})
    assert records.keep("decisions", "b", {"n": 4})
    assert records.find("dossiers", "b") == {"n": 1, "text": "ü"}
    assert [each["n"] for each in records.every("dossiers")] == [2, 1]


def test_what_was_given_or_found_may_change(records: ProposalRecords) -> None:
    given = {"list": [1]}
    records.keep("dossiers", "a", given)
    given["list"].append(2)
    found = records.find("dossiers", "a")
    assert found is not None
    found["list"].append(3)
    assert records.find("dossiers", "a") == {"list": [1]}


@pytest.mark.parametrize("name", ["", "..", "a/b", "a.json", "-a", "ä", "a" * 101])
def test_names_are_plain(records: ProposalRecords, name: str) -> None:
    with pytest.raises(BadInput):
        records.keep("dossiers", name, {})
    with pytest.raises(BadInput):
        records.keep(name, "a", {})
    with pytest.raises(BadInput):
        records.find("dossiers", name)


def test_of_many_at_once_one_is_kept(records: ProposalRecords) -> None:
    kept: list[int] = []

    def keep(number: int) -> None:
        if records.keep("decisions", "one", {"number": number}):
            kept.append(number)

    threads = [threading.Thread(target=keep, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(kept) == 1 and records.find("decisions", "one") == {"number": kept[0]}


def test_a_damaged_record_is_named(tmp_path: Path) -> None:
    records = FolderRecords(tmp_path)
    records.keep("dossiers", "a", {})
    (tmp_path / "dossiers" / "a.json").write_bytes(b'{"half')
    with pytest.raises(BadInput, match=r"a\.json"):
        records.find("dossiers", "a")
    assert [path.name for path in (tmp_path / "dossiers").iterdir()] == ["a.json"]
