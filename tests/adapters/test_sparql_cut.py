"""Results that end at a limit are whole documents, whatever their texts hold and wherever the engine's pieces end."""

import re
from collections.abc import Callable

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom.core.sparql.errors import BadQuery
from loom_adapters.sparql.cut import MARKS, Cutter, Enough

FORMATS = {
    "json": ox.QueryResultsFormat.JSON,
    "xml": ox.QueryResultsFormat.XML,
    "csv": ox.QueryResultsFormat.CSV,
    "tsv": ox.QueryResultsFormat.TSV,
}
PIECES = [*'a,{}"<>\n\r\t\\&:[]é', "<result>", '},{"', '"x":']
TEXTS = st.lists(st.sampled_from(PIECES), max_size=8).map("".join)
ROWS = st.lists(st.tuples(TEXTS, st.one_of(st.none(), TEXTS)), min_size=1, max_size=12)


def written(rows: list[tuple[str, str | None]], format: str, passed: Callable[[bytes], object]) -> None:
    """The rows as the engine writes them."""
    values = " ".join(f"({term(a)} {term(b)})" for a, b in rows)
    found = ox.Store().query(f"SELECT ?a ?b {{ VALUES (?a ?b) {{ {values} }} }}")
    pieces: list[bytes] = []

    class Into:
        def write(self, data: bytes) -> int:
            pieces.append(bytes(data))
            return len(data)

        def flush(self) -> None: ...

    found.serialize(Into(), FORMATS[format])
    passed(b"".join(pieces))


def term(text: str | None) -> str:
    return "UNDEF" if text is None else str(ox.Literal(text))


def read(data: bytes, format: str) -> int:
    """How many rows an independent reader finds."""
    if format == "csv":
        quoted = re.sub(rb'"[^"]*"', b"", data)
        return quoted.count(b"\r\n") - 1
    return len(list(ox.parse_query_results(data, FORMATS[format])))


@pytest.mark.parametrize("format", sorted(FORMATS))
@given(rows=ROWS, most=st.integers(1, 13), size=st.integers(1, 40))
def test_the_first_rows_are_a_whole_document(format: str, rows: list[tuple[str, str | None]], most: int, size: int) -> None:
    whole: list[bytes] = []
    written(rows, format, whole.append)
    out: list[bytes] = []
    cutter = Cutter(format, most, 1 << 20, out.append)
    try:
        for at in range(0, len(whole[0]), size):
            cutter.write(whole[0][at : at + size])
        cutter.close()
        limit = None
    except Enough as enough:
        limit = enough.limit
        cutter.write(b"what the engine still had")
    cut = b"".join(out)
    assert read(cut, format) == min(most, len(rows))
    assert limit == ("rows" if most < len(rows) else None)
    if limit is None:
        assert cut == whole[0]
    else:
        assert whole[0].startswith(cut.removesuffix(MARKS[format].closing))


@pytest.mark.parametrize("format", sorted(FORMATS))
@given(rows=ROWS, most=st.integers(150, 900))
def test_bytes_end_a_result_between_rows(format: str, rows: list[tuple[str, str | None]], most: int) -> None:
    whole: list[bytes] = []
    written(rows, format, whole.append)
    out: list[bytes] = []
    cutter = Cutter(format, 1000, most, out.append)
    try:
        cutter.write(whole[0])
        cutter.close()
        assert len(whole[0]) <= most
    except Enough as enough:
        assert enough.limit == "bytes" and len(whole[0]) > most
        assert read(b"".join(out), format) < len(rows)
    except BadQuery:
        assert not out and len(whole[0]) > most


def test_one_row_beyond_the_limit_is_said() -> None:
    with pytest.raises(BadQuery, match="One row"):
        written([("x" * 500, None)], "json", Cutter("json", 10, 100, lambda data: None).write)
