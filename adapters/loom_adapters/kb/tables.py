"""Tables of a knowledge base: CSV, TSV and Parquet in batches, each cell as the text that the source holds (seed 003 §3.1, R2)."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from loom.core.errors import BadInput
from loom.core.facts.batches import Batch
from loom.core.facts.layout import Layout
from loom_adapters.kb.table_csv import STRETCH, CsvTable
from loom_adapters.kb.table_parquet import ParquetTable

PARQUET = (".parquet", ".pq")
BATCH_ROWS = 100_000


def read_table(
    path: Path,
    layout: Layout,
    columns: Sequence[str] | None = None,
    *,
    batch_rows: int = BATCH_ROWS,
    stretch: int = STRETCH,
) -> Iterator[Batch]:
    """The rows of a table, in its order, at most `batch_rows` at a time; of text tables some `stretch` characters are read at once.

    `path` is the file itself. Without `columns`, those that the layout names are read, and all where it names none or the kind is
    a table. Raises BadInput with file and line where the file cannot be read as its layout says, a column named is missing or
    stands there twice, or a row has more cells than the header; MissingExtra without polars. A row with fewer cells than the
    header has empty ones. The file is read once and never held whole.
    """
    table = _table(path, layout)
    return table.batches(_wanted(table.header, layout, columns), batch_rows, stretch)


def _table(path: Path, layout: Layout) -> CsvTable | ParquetTable:
    if not path.is_file():
        raise BadInput(f"{layout.path}: there is no such file; correct the path in the manifest.")
    if path.suffix.lower() in PARQUET:
        return ParquetTable(path, layout.path)
    return CsvTable(path, layout)


def _wanted(header: tuple[str, ...], layout: Layout, columns: Sequence[str] | None) -> tuple[int, ...]:
    """The places of the columns asked for, in the order asked for."""
    if not columns:
        named = [layout.position, *(column for _, column in layout.values), layout.entity_column]
        columns = [] if layout.kind == "table" else [name for name in dict.fromkeys(named) if name]
        if not columns:
            return tuple(range(len(header)))
    for name in columns:
        if header.count(name) != 1:
            fault = "has no column" if name not in header else f"has {header.count(name)} columns"
            shown = ", ".join(header[:20]) + (", …" if len(header) > 20 else "")
            raise BadInput(
                f"{layout.path}:{layout.header}: the table {fault} {name!r}; its columns are: {shown}. Name one of these in the"
                " manifest, or state the delimiter that the file has."
            )
    return tuple(header.index(name) for name in columns)
