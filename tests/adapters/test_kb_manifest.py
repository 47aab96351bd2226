"""kb.toml becomes a base; whatever is wrong with it or with the files that it names is told by file, line and remedy."""

import os
import string
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.kb import FILES, MANIFEST, Remarks, folder
from support.sources import ROOT

from loom.core.errors import BadSource
from loom_adapters.kb.manifest import read_manifest

KB = ROOT / "fixtures" / "kb"


def read(path: Path) -> tuple[object, list[tuple[str, str, str]]]:
    remarks = Remarks()
    return read_manifest(path, remarks), remarks.all


def test_a_sound_manifest_is_read_whole_and_without_a_remark(tmp_path: Path) -> None:
    remarks = Remarks()
    manifest = read_manifest(folder(tmp_path), remarks)
    assert manifest is not None and not remarks.all
    base = manifest.base
    assert (base.iri, base.id, base.title, base.language) == ("urn:example:tides:", "tides", "Tide gauges", "en")
    assert base.aliases == (("it", "Maree"),)
    (attribute,) = base.attributes
    assert attribute.words == (("hour", "1"), ("hours", "1"), ("day", "24")) and attribute.window == "3" and not attribute.clock
    gauge, log = base.sources
    assert gauge.iri == "urn:example:tides:source/gauges/pier.csv" and gauge.entities == ("urn:example:tides:entity/pier",)
    assert (log.kind, log.attribute) == ("document", "")
    assert [entity.sources for entity in base.entities] == [(gauge.iri,), (log.iri,)]
    level, wind = base.metrics
    assert level.words == (("en", "water level"), ("en", "level"), ("it", "livello"))
    assert level.statistics == ("min", "max", "mean") and level.derived == ("difference",)
    assert wind.statistics == ("min", "max", "first", "last", "count"), "a mean is there only where it is declared"
    layout = manifest.layouts[0]
    assert (layout.path, layout.position, layout.delimiter, layout.decimal) == ("gauges/pier.csv", "h", ",", ".")
    assert layout.values == ((level.iri, "level_m"), (wind.iri, "wind_kn"))
    assert str(layout.where) == "kb.toml:35"


@pytest.mark.parametrize("name", sorted(path.name for path in KB.iterdir()))
def test_the_shipped_bases_are_sound(name: str) -> None:
    manifest, remarks = read(KB / name)
    assert manifest is not None and not remarks


PIER = "gauges/pier.csv"
LATIN = "h,level_m,wind_kn\n0,1.25,4\n1,1.50,größer\n".encode("latin-1")

BROKEN_MEMBERS = {
    # what is replaced in the manifest, by what, the kind of the remark, its line, what it says came, the remedy
    "id missing": ('id = "tides"\n', "\n", "kb-missing-member", 1, "there is none", "add id ="),
    "id malformed": ('"tides"', '"Tide Gauges"', "kb-value", 1, '"Tide Gauges"', "small letters, digits and hyphens"),
    "id no text": ('"tides"', "7", "kb-type", 1, "got 7", 'write id = "…"'),
    "title empty": ('"Tide gauges"', '" "', "kb-value", 2, "it is empty", "write title ="),
    "language unknown": ('language = "en"', 'language = "english"', "kb-language", 3, '"english"', 'write language = "en"'),
    "iri without end": ('"urn:example:tides:"', '"urn:example:tides"', "kb-value", 4, "tides", 'write iri = "urn:example:tides:"'),
    "iri malformed": ('"urn:example:tides:"', '"tides of yore"', "kb-value", 4, '"tides of yore"', "write the beginning of an IRI"),
    "aliases of an unknown language": ("{ it = [", "{ ita = [", "kb-language", 5, '"ita"', "write it in place of"),
    "aliases in a text": ('["Maree"]', '"Maree"', "kb-type", 5, '"Maree"', 'write aliases.it = ["Maree"]'),
    "aliases as a number": ('{ it = ["Maree"] }', "5", "kb-type", 5, "got 5", "write aliases = {"),
    "alias empty": ('["Maree"]', '["Maree", ""]', "kb-value", 5, '""', "write a name, or take it away"),
    "unknown member above": ('language = "en"', 'lang = "en"', "kb-unknown-member", 3, "`lang`", "call it `language`"),
    "one bracket": ("[[attribute]]", "[attribute]", "kb-type", 7, "a table", "write [[attribute]], in double brackets"),
    "attribute without name": ('name = "hour"\n', "\n", "kb-missing-member", 7, "there is none", 'add name = "second"'),
    "factor in quotes": ("day = 24", 'day = "24"', "kb-type", 10, '"24"', "without quotes"),
    "factor of nothing": ("day = 24", "day = 0", "kb-value", 10, "got 0", "write how many units it is"),
    "factor without end": ("day = 24", "day = inf", "kb-value", 10, "Infinity", "write how many units it is"),
    "clock in words": ("clock = false", 'clock = "no"', "kb-type", 11, '"no"', "write clock = true"),
    "window negative": ("window = 3", "window = -3", "kb-value", 12, "got -3", "write how many units it is"),
    "entity twice": ('id = "lock"', 'id = "pier"', "kb-duplicate", 20, '"pier" stands in line 15 already', "rename one of them"),
    "entity without name": ('name = "Sea Lock"\n', "\n", "kb-missing-member", 19, "there is none", 'add name = "lock"'),
    "concept no IRI": ('name = "Sea Lock"', 'name = "Sea Lock"\nconcept = "lock"', "kb-value", 22, '"lock"', "write an IRI"),
    "unknown statistic": ('"mean"]', '"median"]', "kb-value", 28, '"median"', "choose among them"),
    "unknown derivation": ('["difference"]', '["sum"]', "kb-value", 29, '"sum"', "choose among them"),
    "a word of two metrics": (
        'name = "wind speed"', 'name = "Level"', "kb-shared-word", 33, '"Level" stands for "level" too (line 27)', "take it from",
    ),
    "a word twice in another language": (
        'name = "wind speed"', 'words = { it = ["LIVELLO"] }', "kb-shared-word", 33, '"LIVELLO" stands for', "take it from",
    ),
    "metric twice": ('id = "wind"', 'id = "level"', "kb-duplicate", 32, '"level" stands in line 24 already', "rename one of them"),
    "path missing": (f'path = "{PIER}"\n', "\n", "kb-missing-member", 35, "there is none", 'add path = "data/series.csv"'),
    "path up": (PIER, "../pier.csv", "kb-path", 36, '"../pier.csv"', "put the file into the folder"),
    "path absolute": (PIER, "/etc/passwd", "kb-path", 36, '"/etc/passwd"', "put the file into the folder"),
    "path of another system": (PIER, "C:\\\\pier.csv", "kb-path", 36, "pier.csv", "put the file into the folder"),
    "path with a zero": (PIER, "pier\\u0000.csv", "kb-value", 36, "pier", "write path ="),
    "no such file": (PIER, "gauge/pier.csv", "kb-missing-file", 36, "is not there", f'write path = "{PIER}"'),
    "path is a folder": ('"lock.md"', '"gauges/x.md"', "kb-path", 46, "gauges/x.md is none", "one entry for each"),
    "path twice": ('"lock.md"', f'"{PIER}"', "kb-duplicate", 46, "stands in line 36 already", "rename one of them"),
    "kind missing": ('kind = "series"\n', "\n", "kb-missing-member", 35, "there is none", 'add kind = "series"'),
    "kind misspelt": ('"series"', '"serie"', "kb-value", 38, '"serie"', 'write kind = "series"'),
    "kind of another format": ('kind = "document"', 'kind = "table"', "kb-value", 46, '"lock.md"', 'write kind = "document"'),
    "entity unknown": ('entity = "pier"', 'entity = "peer"', "kb-unknown-name", 39, '"peer" is not declared', 'write "pier"'),
    "entities unknown": ('["lock"]', '["moon"]', "kb-unknown-name", 49, '"moon" is not declared', "declare it in [[entity]]"),
    "attribute unknown": ('attribute = "hour"', 'attribute = "hours"', "kb-unknown-name", 40, '"hours"', 'write "hour"'),
    "attribute missing": ('attribute = "hour"\n', "\n", "kb-missing-member", 35, "positions mean nothing", 'add attribute = "hour"'),
    "metric unknown": ("{ level =", "{ levle =", "kb-unknown-name", 42, '"levle" is not declared', 'write "level"'),
    "values missing": (
        'values = { level = "level_m", wind = "wind_kn" }\n', "\n", "kb-missing-member", 35, "there is none", "add values = { level",
    ),
    "one column for two": ('"wind_kn"', '"level_m"', "kb-value", 42, "the column of another metric too", "name another column"),
    "column unknown": ('"level_m"', '"levelm"', "kb-column", 42, "the table has 'h', 'level_m', 'wind_kn'", 'write "level_m"'),
    "position unknown": ('position = "h"', 'position = "time"', "kb-column", 41, "the table has", "name a column of the table"),
    "decimal mark unknown": ('decimal = "."', 'decimal = "·"', "kb-value", 43, '"·"', "choose one of them"),
    "wrong delimiter": ('decimal = "."', 'delimiter = ";"', "kb-column", 41, "h,level_m,wind_kn", 'state delimiter = ","'),
    "encoding unknown": ('decimal = "."', 'encoding = "utf8"', "kb-value", 43, '"utf8"', 'write encoding = "utf-8"'),
    "header not counted": ('decimal = "."', "header = 0", "kb-value", 43, "got 0", "write header = 1"),
    "a member of tables elsewhere": (
        'entities = ["lock"]', 'decimal = ","', "kb-unknown-member", 49, "`decimal`", "take it away, or correct `kind`",
    ),
    "one entity and several": (
        'entities = ["lock"]', 'entity = "lock"\nentities = ["pier"]', "kb-value", 50, "got both", "keep `entities`",
    ),
    "entity without files": ('entities = ["lock"]', "", "kb-no-files", 19, "there is none", 'write entity = "lock" in a file'),
    "metric without files": (', wind = "wind_kn"', "", "kb-no-files", 31, "there is none", "name its column in `values`"),
    "one name for two": ('"Sea Lock"', '"old pier"', "kb-shared-name", 19, "the entry in line 14 too", "rename one"),
    "no TOML": ("unit = \"h\"", "unit = h", "kb-manifest", 9, "the parser says", "put the text in quotes"),
    "a member twice": ('unit = "h"', 'name = "h"', "kb-manifest", 9, "the parser says", "mend this line"),
    "a text without end": ('"Sea Lock log"', '"Sea Lock log', "kb-manifest", 47, "the parser says", "mend this line"),
}  # fmt: skip


@pytest.mark.parametrize("case", BROKEN_MEMBERS)
def test_a_broken_member_is_told_with_line_and_remedy(case: str, tmp_path: Path) -> None:
    old, new, kind, line, came, remedy = BROKEN_MEMBERS[case]
    folder(tmp_path, swap={old: new})
    (tmp_path / "gauges" / "x.md").mkdir(exist_ok=True)
    told(read(tmp_path)[1], kind, f"kb.toml:{line}", came, remedy)


BROKEN_FILES: dict[str, tuple[dict[str, bytes | None], str, str, str, str]] = {
    "manifest empty": ({"kb.toml": b" \n"}, "kb-manifest", "kb.toml:1", "it is empty", "loom kb init"),
    "manifest not UTF-8": (
        {"kb.toml": b'id = "a"\ntitle = "\xff"\n'},
        "kb-manifest",
        "kb.toml:2",
        "byte 0xff",
        "save it as UTF-8",
    ),
    "manifest a picture": ({"kb.toml": b"\x89PNG\r\n\x1a\n"}, "kb-manifest", "kb.toml:1", "byte 0x89", "save it as UTF-8"),
    "manifest beyond bounds": ({"kb.toml": b"id = " + b"[" * 5000}, "kb-manifest", "kb.toml:1", "beyond bounds", "write less"),
    "number beyond bounds": ({"kb.toml": b"id = " + b"9" * 5000}, "kb-manifest", "kb.toml:1", "beyond bounds", "write less"),
    "keys beyond bounds": (
        {"kb.toml": b"id = 'a'\n" + b"a." * 1_000_000 + b"a = 1\n"},
        "kb-manifest",
        "kb.toml:2",
        "one of more than 50",
        "mend this line",
    ),
    "Parquet in name only": (
        {
            "kb.toml": MANIFEST.replace(PIER, "pier.parquet").encode(),
            "pier.parquet": b"PAR1 or not",
        },
        "kb-table",
        "pier.parquet",
        "it cannot be read as one",
        "write it again",
    ),
    "UTF-16 in name only": (
        {"kb.toml": MANIFEST.replace('decimal = "."', 'encoding = "utf-16"').encode()},
        "kb-encoding",
        f"{PIER}:1",
        "does not begin with the mark",
        "take `encoding` away",
    ),
    "no files": ({"kb.toml": b'id = "a"\n'}, "kb-empty", "kb.toml:1", "the manifest has none", "write a [[file]] entry"),
    "file empty": ({PIER: b""}, "kb-empty", "kb.toml:36", f"{PIER} is empty", "fill it, or take its entry away"),
    "file blank": (
        {"lock.md": b" \n\n"},
        "kb-empty",
        "lock.md:1",
        "blanks only",
        "fill it, or take its entry away (kb.toml:45",
    ),
    "file absent": ({"lock.md": None}, "kb-missing-file", "kb.toml:46", "lock.md is not there", "put the file there"),
    "file not UTF-8": ({PIER: LATIN}, "kb-encoding", f"{PIER}:3", "byte 0xf6", 'state encoding = "latin-1" (kb.toml:35'),
    "file in UTF-16": (
        {PIER: "h,level_m".encode("utf-16")},
        "kb-encoding",
        f"{PIER}:1",
        "byte 0xff",
        'state encoding = "utf-16"',
    ),
    "file no text": ({"lock.md": b"# Log\n\0\0"}, "kb-encoding", "lock.md:2", "zero bytes", "save it as UTF-8"),
    "head alone": (
        {PIER: b"h,level_m,wind_kn\n"},
        "kb-empty",
        f"{PIER}:1",
        "there are none",
        "fill it, or take its entry away",
    ),
    "a column twice": (
        {PIER: b"h,level_m,wind_kn,h\n0,1,2,3\n"},
        "kb-column",
        "kb.toml:41",
        "2 of that name",
        "rename all but one",
    ),
    "file unlisted": ({"spare.csv": b"a,b\n1,2\n"}, "kb-unlisted-file", "spare.csv", "none names this one", "add one"),
}


@pytest.mark.parametrize("case", BROKEN_FILES)
def test_a_broken_file_is_told_with_line_and_remedy(case: str, tmp_path: Path) -> None:
    files, kind, where, came, remedy = BROKEN_FILES[case]
    folder(tmp_path, files)
    told(read(tmp_path)[1], kind, where, came, remedy)


def told(remarks: list[tuple[str, str, str]], kind: str, where: str, came: str, remedy: str) -> None:
    assert (kind, where) in [(kind, where) for kind, where, _ in remarks], remarks
    messages = [message for one, place, message in remarks if (one, place) == (kind, where)]
    assert any(came in message and remedy in message.split("; ", 1)[1] for message in messages), messages
    assert all(message.startswith("Expected ") and message.endswith(".") for message in messages)


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("# secret\n")
    inside = folder(tmp_path / "kb", {"lock.md": None})
    os.symlink(outside, inside / "lock.md")
    manifest, remarks = read(inside)
    told(remarks, "kb-path", "kb.toml:46", "is a link that leaves it", "copy the file into the folder")
    assert manifest is not None and [source.name for source in manifest.base.sources] == [PIER]  # type: ignore[attr-defined]


@pytest.mark.parametrize("what", ["folder", "manifest"])
def test_without_a_folder_or_a_manifest_there_is_no_base(what: str, tmp_path: Path) -> None:
    with pytest.raises(BadSource, match="check the path" if what == "folder" else "loom kb init"):
        read_manifest(tmp_path / "none" if what == "folder" else tmp_path, Remarks())


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1", "cp1252"])
def test_a_stated_encoding_is_held_against_the_file(encoding: str, tmp_path: Path) -> None:
    text = FILES[PIER].decode() + "3,größer,1\n"
    folder(tmp_path, {PIER: text.encode(encoding)}, swap={'decimal = "."': f'encoding = "{encoding}"'})
    assert not read(tmp_path)[1]


def test_the_same_manifest_gives_the_same_base_and_remarks(tmp_path: Path) -> None:
    folder(tmp_path, swap={'"series"': '"serie"', "{ it = [": "{ ita = ["})
    assert read(tmp_path) == read(tmp_path)


KEYS = st.sampled_from(
    "id title language iri aliases attribute entity metric file name unit words clock window path kind entities position values decimal "
    "delimiter encoding header entity_column statistics derived concept level en xx".split()
)
SCALARS = st.one_of(
    st.sampled_from(
        ['"en"', '"lock.md"', f'"{PIER}"', '"level"', '"pier"', '"series"', '"table"', '"h"', '"\\u0000"', "'\\'", '"""\na"""', '""',
         "true", "0", "-1", "1e400", "inf", "nan", "0x10", "1979-05-27", "07:32:00", "1_000", "9" * 30]
    ),
    st.text(string.printable, max_size=12).map(lambda text: '"' + text.replace("\\", "").replace('"', "") + '"'),
)  # fmt: skip
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: "[" + ", ".join(items) + "]"),
        st.dictionaries(KEYS, inner, max_size=3).map(
            lambda table: "{ " + ", ".join(f"{key} = {value}" for key, value in table.items()) + " }"
        ),
    ),
    max_leaves=5,
)
HEADERS = st.sampled_from(
    ["[[attribute]]", "[[entity]]", "[[metric]]", "[[file]]", "[file]", "[file.values]", "[[file.values]]", "[x]"]
)
LINES = st.one_of(st.tuples(KEYS, VALUES).map(" = ".join), HEADERS, st.sampled_from(["# note", "", "=", "]", "a.b = 1"]))


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return folder(tmp_path_factory.mktemp("kb"))


@settings(max_examples=400, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.lists(LINES, max_size=14))
def test_no_manifest_raises(fuzzed: Path, lines: list[str]) -> None:
    (fuzzed / "kb.toml").write_text("\n".join(lines), encoding="utf-8")
    manifest, remarks = read(fuzzed)
    count = "\n".join(lines).count("\n") + 1
    assert remarks, "a base of a few random lines is never sound"
    for _, where, message in remarks:
        file, _, line = where.partition(":")
        assert message.startswith("Expected ") and (file != "kb.toml" or int(line or 0) <= count)
    if manifest is not None:
        assert all(source.name in FILES for source in manifest.base.sources)  # type: ignore[attr-defined]


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.integers(0, len(MANIFEST) - 1), st.integers(0, 30), VALUES)
def test_no_damage_to_a_sound_manifest_raises(fuzzed: Path, at: int, cut: int, put: str) -> None:
    (fuzzed / "kb.toml").write_text(MANIFEST[:at] + put + MANIFEST[at + cut :], encoding="utf-8")
    read(fuzzed)


@given(st.binary(max_size=60))
@settings(deadline=None)
def test_no_bytes_raise(fuzzed: Path, data: bytes) -> None:
    (fuzzed / "kb.toml").write_bytes(data)
    assert read(fuzzed)[1]
