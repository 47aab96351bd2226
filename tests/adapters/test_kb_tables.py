"""Tables come out as the file holds them: against the reader of the standard library, and with the place of every fault."""

import csv
import datetime
import io
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import polars
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loom.core.errors import BadInput
from loom.core.facts.layout import Layout
from loom_adapters.kb.tables import read_table

CELLS = st.text(st.sampled_from(list("a1.,; \t\n\r\"'é\u00a0€-")), max_size=6)


def layout(path: Path, **more: object) -> Layout:
    return Layout("urn:kb:t:source/t", path.name, "table", **more)  # type: ignore[arg-type]


def rows_of(path: Path, stretch: int = 1000, batch_rows: int = 1000, **more: object) -> list[tuple[int, int, tuple[str, ...]]]:
    """(row, line, cells) of a table."""
    found = []
    for batch in read_table(path, layout(path, **more), stretch=stretch, batch_rows=batch_rows):
        assert 0 < len(batch.rows) <= batch_rows
        lines = batch.lines or [0] * len(batch.rows)
        found += list(zip(batch.rows, lines, zip(*batch.columns, strict=True), strict=True))
    return found


def written(folder: Path, content: str | bytes, name: str = "t.csv") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_cells_stay_as_they_are_written(tmp_path: Path) -> None:
    path = written(tmp_path, 'second,share\r\n146,37.50\r\n147, 3 \r\n\r\n148,\r\n149\r\n"150","a ""b"",\nc"\r\n151,5" x\r\n')
    assert rows_of(path) == [
        (1, 2, ("146", "37.50")),
        (2, 3, ("147", " 3 ")),
        (4, 5, ("148", "")),
        (5, 6, ("149", "")),
        (6, 7, ("150", 'a "b",\nc')),
        (7, 9, ("151", '5" x')),
    ]


@settings(max_examples=300, deadline=None)
@given(
    st.integers(1, 4).flatmap(lambda width: st.lists(st.lists(CELLS, min_size=width, max_size=width), max_size=12)),
    st.sampled_from([",", ";", "\t", "|"]),
    st.sampled_from(["\n", "\r\n"]),
    st.integers(1, 40),
)
def test_any_table_is_what_the_standard_reader_says(
    tmp_path_factory: pytest.TempPathFactory, table: list[list[str]], delimiter: str, end: str, stretch: int
) -> None:
    width = len(table[0]) if table else 1
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, delimiter=delimiter, lineterminator=end)
    writer.writerows([[f"c{at}" for at in range(width)], *table])
    path = tmp_path_factory.getbasetemp() / "any.csv"
    path.write_bytes(buffer.getvalue().encode())
    expected = list(csv.reader(io.StringIO(buffer.getvalue(), newline=""), delimiter=delimiter))[1:]
    expected = [cells + [""] * (width - len(cells)) for cells in expected if cells]
    found = rows_of(path, stretch, stretch, delimiter=delimiter)
    assert [list(cells) for _, _, cells in found] == expected


@pytest.mark.parametrize("stretch", [1, 7, 20, 1000])
def test_rows_and_lines_count_on_over_stretches(tmp_path: Path, stretch: int) -> None:
    lines = ["n,v"]
    for number in range(1, 200):
        lines.append("" if number % 11 == 0 else f'{number},"x\n{number}"' if number % 7 == 0 else f"{number},{number}.0")
    found = rows_of(written(tmp_path, "\n".join(lines)), stretch)
    text = "\n".join(lines).split("\n")
    assert [row for row, _, _ in found] == [number for number in range(1, 200) if number % 11]
    for row, line, cells in found:
        assert cells[0] == str(row)
        assert text[line - 1].startswith(f"{row},")


def test_encodings_and_lines_above_the_header(tmp_path: Path) -> None:
    content = "Quote Ü\n\nsecondo;quota\n1;37,5 €\n"
    for encoding in ("cp1252", "utf-8", "utf-8-sig", "utf-16"):
        path = written(tmp_path, content.encode(encoding))
        declared = "utf-8" if encoding == "utf-8-sig" else encoding
        assert rows_of(path, delimiter=";", encoding=declared, header=3) == [(1, 4, ("1", "37,5 €"))]


def test_a_tab_separates_tsv_and_only_named_columns_come(tmp_path: Path) -> None:
    path = written(tmp_path, "a\tb\tc\n1\t2,5\t3\n", "t.tsv")
    series = Layout("urn:s", "t.tsv", "series", position="a", values=(("urn:m", "c"),))
    (batch,) = read_table(path, series)
    assert (batch.header, batch.columns) == (("a", "c"), (["1"], ["3"]))
    (batch,) = read_table(path, series, ["b"])
    assert batch.column("b") == ["2,5"]
    with pytest.raises(KeyError):
        batch.column("a")


@pytest.mark.parametrize(
    ("content", "more", "said"),
    [
        ("", {}, "t.csv:1: there are no column names"),
        ("\n\n1,2\n", {}, "t.csv:1: there are no column names"),
        ("a,b\n1,2\n1,37,5\n", {}, "t.csv:3: this row has 3 cells where the header has 2"),
        ('a,b\n1,"2"\n1,37,5\n', {}, "t.csv:3: this row has 3 cells"),
        ('a,b\n1,2\n1,"x\ny\n', {}, "t.csv:3: the row that begins here has a quote that is wrong"),
        ('a,b\n1,"x"y\n', {}, "t.csv:2: the row that begins here has a quote"),
        ('a,"b\n1,2\n', {}, "t.csv:1: the row that begins here has a quote"),
        (b"a,b\n1,2\n1,\xff\n", {}, "t.csv:3: this is no text in utf-8"),
        (b"a,\xff\n1,2\n", {}, "t.csv:1: this is no text in utf-8"),
        ("a,b\n1,2\n".encode("utf-16-le"), {}, "no text in utf-8"),
        ("a,b\n1,2\n", {"encoding": "latin-99"}, "there is no encoding 'latin-99'"),
        ("a,b\n1,2\n", {"encoding": "utf-16"}, "t.csv: this is no text in utf-16"),
    ],
)
def test_a_broken_table_says_where(tmp_path: Path, content: str | bytes, more: dict[str, object], said: str) -> None:
    with pytest.raises(BadInput) as caught:
        rows_of(written(tmp_path, content), **more)
    assert said in str(caught.value)


def test_columns_that_are_not_there_or_twice(tmp_path: Path) -> None:
    path = written(tmp_path, "a;b;b\n1;2;3\n")
    with pytest.raises(BadInput, match="has no column 'a'; its columns are: a;b;b"):
        list(read_table(path, layout(path), ["a"]))
    with pytest.raises(BadInput, match="has 2 columns 'b'"):
        list(read_table(path, layout(path, delimiter=";"), ["b"]))
    with pytest.raises(BadInput, match="there is no such file"):
        read_table(tmp_path / "none.csv", layout(tmp_path / "none.csv"))


def test_parquet_cells_are_their_shortest_exact_text(tmp_path: Path) -> None:
    frame = polars.DataFrame(
        {
            "int": [1, None, -3],
            "float": [37.5, float("nan"), 0.1],
            "single": polars.Series([37.3, None, 1.0], dtype=polars.Float32),
            "decimal": polars.Series([Decimal("37.50"), Decimal("-0.10"), None], dtype=polars.Decimal(10, 2)),
            "text": ["37,50", "", None],
            "day": [datetime.date(2024, 1, 2), None, datetime.date(2024, 1, 3)],
            "yes": [True, False, None],
        }
    )
    path = tmp_path / "t.parquet"
    frame.write_parquet(path)
    assert rows_of(path) == [
        (1, 0, ("1", "37.5", "37.3", "37.50", "37,50", "2024-01-02", "true")),
        (2, 0, ("", "nan", "", "-0.10", "", "", "false")),
        (3, 0, ("-3", "0.1", "1.0", "", "", "2024-01-03", "")),
    ]
    (batch,) = read_table(path, layout(path))
    assert [batch.mark(name, ",") for name in batch.header] == [".", ".", ".", ".", ",", ",", ","]


def test_parquet_in_several_batches_counts_on(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    for count in (0, 3, 4, 9):
        polars.DataFrame({"n": list(range(1, count + 1))}, schema={"n": polars.Int64}).write_parquet(path)
        assert rows_of(path, batch_rows=4) == [(n, 0, (str(n),)) for n in range(1, count + 1)]


def test_broken_parquet(tmp_path: Path) -> None:
    path = written(tmp_path, b"PAR1 no more", "t.parquet")
    with pytest.raises(BadInput, match=r"t\.parquet: this is no whole Parquet file"):
        rows_of(path)
    polars.DataFrame({"n": [[1]]}).write_parquet(path)
    with pytest.raises(BadInput, match="the column 'n' holds List"):
        rows_of(path)


def test_without_polars_one_sentence_says_what_to_install(tmp_path: Path) -> None:
    path = written(tmp_path, "a\n1\n")
    program = (
        "import sys; sys.modules['polars'] = None\n"
        "from pathlib import Path\n"
        "from loom.core.errors import MissingExtra\n"
        "from loom.core.facts.layout import Layout\n"
        "from loom_adapters.kb.tables import read_table\n"
        "try: read_table(Path(sys.argv[1]), Layout('urn:s', 't.csv', 'table'))\n"
        "except MissingExtra as error: print(error)\n"
    )
    said = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True).stdout
    assert said == "Tables need polars; install it with `pip install 'loom-node[facts]'`.\n"
