"""A manifest is proposed from what a folder holds, and its own check passes."""

import os
import shutil
import string
import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.kb import Remarks
from support.sources import ROOT

from loom.core.errors import BadInput, BadSource
from loom.core.facts.checks import KINDS
from loom_adapters.kb.examined import examine
from loom_adapters.kb.manifest import manifest_of
from loom_adapters.kb.proposing import propose

KB = ROOT / "fixtures" / "kb"


def checked(folder: Path, text: str) -> list[tuple[str, str, str]]:
    """What the check of a proposal says beyond rows that are skipped."""
    remarks = Remarks()
    manifest = manifest_of(text, folder, remarks)
    assert manifest is not None
    examine(folder, manifest, remarks)
    return [one for one in remarks.all if KINDS[one[0]].severity == "error"]


def written(folder: Path, files: dict[str, str | bytes]) -> Path:
    for path, data in files.items():
        full = folder / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_bytes(data.encode() if isinstance(data, str) else data)
    return folder


@pytest.mark.parametrize("name", ["bakery", "choir", "kiln"])
def test_the_shipped_bases_are_proposed_much_as_they_are_declared(name: str, tmp_path: Path) -> None:
    shutil.copytree(KB / name, tmp_path / name)
    (tmp_path / name / "kb.toml").unlink()
    proposed = propose(tmp_path / name)
    assert not checked(tmp_path / name, proposed)
    assert propose(tmp_path / name) == proposed
    ours, theirs = tomllib.loads(proposed), tomllib.loads((KB / name / "kb.toml").read_text(encoding="utf-8"))
    told = {file["path"]: file for file in ours["file"]}
    for file in theirs["file"]:
        one = told.pop(file["path"])
        for member in ("kind", "position", "decimal", "entity_column"):
            assert one.get(member) == file.get(member), (file["path"], member)
        assert list(one.get("values", {}).values()) == list(file.get("values", {}).values())
        if file["kind"] == "series":
            assert one["entity"] == file["entity"]
    assert not told


def test_columns_are_told_by_names_and_values(tmp_path: Path) -> None:
    folder = written(
        tmp_path,
        {
            "wind.csv": "station;hour;gust (kn);temp_c;note\nA;0;12,5;3,0;calm\nA;1;13,0;n.d.;\nA;2;9,75;2,5;x\n",
            "plain.tsv": "depth\tsalt_pct\n1\t3.5\n2\t3.25\n",
            "mixed.csv": "minute;viewers;share\n9;3.870;26,9\n7;3.754;27,0\n8;4.001;26,875\n",
            "clock.csv": "time,level\n00:00,1.5\n00:59,1.25\n01:30,1.125\n",
            "list.csv": "item,price\nrope,3\nbuoy,3\n",
        },
    )
    proposed = tomllib.loads(propose(folder))
    clock, listed, mixed, plain, wind = proposed["file"]
    assert (clock["attribute"], clock["position"], clock["values"]) == ("second", "time", {"level": "level"})
    assert next(one for one in proposed["attribute"] if one["name"] == "second")["clock"] is True
    assert (mixed["position"], mixed["decimal"]) == ("minute", ","), "rows in any order; points set off groups of three here"
    assert list(mixed["values"]) == ["viewers", "share"]
    assert (wind["attribute"], wind["position"], wind["values"]) == ("hour", "hour", {"gust": "gust (kn)", "temp": "temp_c"})
    assert wind["decimal"] == "," and "delimiter" not in wind, "a semicolon is usual beside decimal commas"
    assert (plain["attribute"], plain["position"], plain["values"]) == ("depth", "depth", {"salt": "salt_pct"})
    assert (listed["kind"], listed["values"]) == ("table", {"price": "price"})
    units = {metric["id"]: metric.get("unit") for metric in proposed["metric"]}
    assert units == {"gust": "kn", "temp": "°C", "salt": "%", "price": None, "level": None, "viewers": None, "share": None}


def test_a_column_of_days_is_a_position(tmp_path: Path) -> None:
    folder = written(
        tmp_path,
        {
            "tide.csv": "day,gauge,level_m\n2026-03-02,A,2.5\n2026-03-01,A,1.5\n",
            "wind.csv": "date;gust (kn)\n2024-02-29;12,5\n2026-03-01;3,5\n",
            "rain.csv": "date,mm\n20260301,1\n20260302,2\n",
            "snow.csv": "date,mm\n2026-02-29,1\n2026-03-02,2\n",
        },
    )
    proposed = propose(folder)
    assert not checked(folder, proposed)
    told = tomllib.loads(proposed)
    files = {file["path"]: file for file in told["file"]}
    attributes = {one["name"]: one for one in told["attribute"]}
    for path, position in (("tide.csv", "day"), ("wind.csv", "date")):
        assert (files[path]["kind"], files[path]["position"]) == ("series", position)
        assert attributes[files[path]["attribute"]]["dates"] is True
    assert "dates" not in attributes[files["rain.csv"]["attribute"]]
    assert files["snow.csv"]["kind"] == "table"


def test_columns_called_by_signs_alone_get_a_name(tmp_path: Path) -> None:
    rows = "minute,%,€,数值,🙂\n0,1.5,2.5,3,4\n1,2.5,3.5,4,5\n"
    folder = written(tmp_path, {"signs.csv": rows, "#.csv": rows, "plain.csv": "minute,level\n0,1\n1,2\n"})
    proposed = propose(folder)
    assert not checked(folder, proposed)
    named = {file["path"]: sorted(file["values"].values()) for file in tomllib.loads(proposed)["file"]}
    assert named["signs.csv"] == named["#.csv"] == sorted(["%", "€", "数值", "🙂"])
    assert named["plain.csv"] == ["level"]


def test_content_is_told_by_its_first_lines_and_entities_by_shared_names(tmp_path: Path) -> None:
    folder = written(
        tmp_path,
        {
            "north-pier_notes.md": "# Notes\n\nText.\n",
            "north-pier.txt": "[00:01] Hello.\n[00:09] Again.\n",
            "essay.md": "No heading at all.\n",
            "south.srt": "1\n00:00:01,000 --> 00:00:02,000\nAhoy.\n",
            ".hidden.md": "# no\n",
            "picture.png": b"\x89PNG",
        },
    )
    proposed = tomllib.loads(propose(folder))
    kinds = {file["path"]: (file["kind"], file.get("entity")) for file in proposed["file"]}
    assert kinds == {
        "essay.md": ("text", None),
        "north-pier.txt": ("transcript", "north-pier"),
        "north-pier_notes.md": ("document", "north-pier"),
        "south.srt": ("transcript", None),
    }
    assert [(one["id"], one["name"]) for one in proposed["entity"]] == [("north-pier", "North Pier")]


def test_what_cannot_be_read_is_left_out_with_the_reason(tmp_path: Path) -> None:
    folder = written(
        tmp_path,
        {
            "good.md": "# Good\n\nText.\n",
            "empty.csv": "",
            "twice.csv": "t,t\n1,2\n",
            "ragged.csv": "t,v\n1,2\n2,3,4\n",
            "old.txt": "größer".encode("latin-1"),
        },
    )
    text = propose(folder)
    assert not checked(folder, text)
    encodings = {file["path"]: file.get("encoding") for file in tomllib.loads(text)["file"]}
    assert encodings == {"good.md": None, "old.txt": "latin-1"}
    left = [line for line in text.splitlines() if line.startswith("# left out: ")]
    assert [line.split('"')[1] for line in left] == ["empty.csv", "ragged.csv", "twice.csv"]
    assert all("; " in line for line in left)


def test_what_is_no_plain_file_is_not_opened(tmp_path: Path) -> None:
    folder = written(tmp_path, {"good.txt": "Text.\n"})
    os.mkfifo(folder / "pipe.csv")
    (folder / "folder.md").mkdir()
    os.symlink("/etc/passwd", folder / "link.txt")
    assert [file["path"] for file in tomllib.loads(propose(folder))["file"]] == ["good.txt"]


def test_parquet_is_told_by_its_columns_too(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    polars.DataFrame({"minute": [0, 1, 2], "temp_c": [1.5, 2.5, 2.5]}).write_parquet(tmp_path / "oven.parquet")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1")
    text = propose(tmp_path)
    assert not checked(tmp_path, text)
    (oven,) = tomllib.loads(text)["file"]
    assert (oven["position"], oven["values"]) == ("minute", {"temp": "temp_c"})
    assert '# left out: "broken.parquet"' in text


def test_a_folder_with_nothing_to_read_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="put some there"):
        propose(tmp_path)
    with pytest.raises(BadInput, match=r"only\.csv.*is empty"):
        propose(written(tmp_path, {"only.csv": ""}))
    with pytest.raises(BadSource, match="check the path"):
        propose(tmp_path / "none")


CELLS = st.one_of(
    st.integers(-5, 2000).map(str),
    st.decimals(-10, 10, places=2).map(str),
    st.sampled_from(["", "NaN", "n/a", "1,5", "Bun", '"x', "a;b"]),
)
NAMES = st.one_of(
    st.sampled_from("t second minute value temp_c temp price (€) item a_b a-b a b é 出 name id".split()),
    st.text(string.printable, max_size=6),
)
TABLES = st.lists(st.lists(CELLS, min_size=1, max_size=4), max_size=6)


@st.composite
def folders(draw: st.DrawFn) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    for number in range(draw(st.integers(1, 4))):
        stem = draw(st.sampled_from(["a", "a-b", "a_b-c", "7", "é", "bun", "bun 2", "'q'", 'quo"te']))
        ending = draw(st.sampled_from(["csv", "tsv", "txt", "md", "srt", "vtt"]))
        place = draw(st.sampled_from(["", "x/", "x y/"]))
        if ending in ("csv", "tsv"):
            mark = draw(st.sampled_from([",", ";", "\t"]))
            rows = [draw(st.lists(NAMES, min_size=1, max_size=4)), *draw(TABLES)]
            text = "\n".join(mark.join(row) for row in rows)
        else:
            text = draw(
                st.sampled_from(
                    ["# H\n\nx\n", "[00:01] x\n", "1\n00:00:01,000 --> 00:00:02,000\nx\n", "WEBVTT\n\n", "", "x\n\0"]
                )
            )
        files[f"{place}{stem}{draw(st.sampled_from(['', str(number)]))}.{ending}"] = text.encode(
            draw(st.sampled_from(["utf-8", "utf-16"])), "replace"
        )
    return files


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(folders())
def test_whatever_a_folder_holds_the_proposal_passes_its_own_check(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes]
) -> None:
    folder = written(tmp_path_factory.mktemp("kb"), dict(files))
    try:
        text = propose(folder)
    except BadInput:
        return
    assert not checked(folder, text)
    assert propose(folder) == text
