"""What is wrong inside of files: rows without numbers, contradictions, tables that cannot be read as they are declared."""

from pathlib import Path

import pytest
from support.kb import Remarks, folder

from loom_adapters.kb.examined import examine
from loom_adapters.kb.manifest import read_manifest

PIER = "gauges/pier.csv"
FARES = """
[[file]]
path = "fares.csv"
title = "Fares"
kind = "table"
entities = ["pier", "lock"]
entity_column = "gate"
values = { level = "min_level" }
"""


def remarks_of(path: Path) -> list[tuple[str, str, str]]:
    remarks = Remarks()
    manifest = read_manifest(path, remarks)
    assert manifest is not None and not remarks.all
    examine(path, manifest, remarks)
    return remarks.all


BROKEN: dict[str, tuple[str, str, str, str, str]] = {
    # the table, the kind of the remark, its line, what it says came, the remedy
    "no number": ("h,level_m,wind_kn\n0,1,4\n1,high,4\n", "kb-skipped-row", f"{PIER}:3", 'row 2 has "high"', "mend or remove the row"),
    "no position": ("h,level_m,wind_kn\n0,1,4\nnoon,1,4\n", "kb-skipped-row", f"{PIER}:3", 'row 2 has "noon"', "mend or remove the row"),
    "one position twice": (
        "h,level_m,wind_kn\n0,1.5,4\n0,1.6,4\n", "kb-doubled-position", PIER, "row 1 says 1.5, row 2 says 1.6", "keep one of them",
    ),
    "no number at all": ("h,level_m,wind_kn\n0,x,4\n1,y,4\n", "kb-empty", PIER, "not one row has any", "state its `decimal`"),
    "a row too long": ("h,level_m,wind_kn\n0,1,4\n1,1,5,4\n", "kb-table", f"{PIER}:3", "4 cells where the header has 3", "state the delimiter"),
    "a quote without end": ('h,level_m,wind_kn\n0,1,4\n1,"1,4\n', "kb-table", f"{PIER}:3", "a quote that is wrong", "close it"),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN)
def test_a_fault_in_a_series_is_told_with_line_and_remedy(case: str, tmp_path: Path) -> None:
    table, kind, where, came, remedy = BROKEN[case]
    found = remarks_of(folder(tmp_path, {PIER: table.encode()}))
    assert any((kind, where) == (one, place) and came in said and remedy in said for one, place, said in found), found


def fares(at: Path, rows: str) -> list[tuple[str, str, str]]:
    folder(at, {"fares.csv": f"gate,min_level\n{rows}".encode()})
    manifest = at / "kb.toml"
    manifest.write_text(manifest.read_text(encoding="utf-8") + FARES, encoding="utf-8")
    return remarks_of(at)


def test_stated_values_that_contradict_one_another_are_told_with_their_rows(tmp_path: Path) -> None:
    (said,) = [one for one in fares(tmp_path, "Old Pier,1.5\nSea Lock,2\nmolo vecchio,1.6\n") if one[0] == "kb-contradiction"]
    assert said == (
        "kb-contradiction",
        "fares.csv:4",
        'Expected one value of "water level" of "Old Pier", but row 1 (fares.csv:2) says 1.5, row 3 (fares.csv:4) says 1.6; '
        "correct one of them.",
    )


def test_values_that_are_equal_as_numbers_do_not_contradict_one_another(tmp_path: Path) -> None:
    assert not [one for one in fares(tmp_path, "Old Pier,1.5\nSea Lock,2\nOld Pier,1.50\n") if one[0] == "kb-contradiction"]


def test_a_stated_row_about_nobody_declared_is_told(tmp_path: Path) -> None:
    found = [one for one in fares(tmp_path, "Old Pier,1.5\nMoon Gate,2\nSea Lock,?\n") if "fares" in one[1]]
    assert [(kind, where) for kind, where, _ in found] == [("kb-skipped-row", f"fares.csv:{line}") for line in (3, 4)]
    assert 'row 2 has "Moon Gate"' in found[0][2] and "declare it in [[entity]]" in found[0][2]


class Taken:
    def __init__(self) -> None:
        self.got: list[str] = []

    def computed(self, one: object) -> None:
        self.got.append("computed")

    def stated(self, one: object) -> None:
        self.got.append("stated")

    def spans(self, found: object) -> None:
        self.got.append("spans")


def test_what_files_hold_is_given_to_the_taker(tmp_path: Path) -> None:
    fares(tmp_path, "Old Pier,1.5\n")
    taken, remarks = Taken(), Remarks()
    manifest = read_manifest(tmp_path, remarks)
    assert manifest is not None
    examine(tmp_path, manifest, remarks, taken)
    assert taken.got == ["computed", "computed", "spans", "stated"]
