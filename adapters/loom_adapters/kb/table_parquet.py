"""Parquet tables: typed cells as their shortest exact text."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from loom.core.errors import BadInput
from loom.core.facts.batches import Batch
from loom_adapters.kb.table_csv import polars


class ParquetTable:
    """A Parquet file; its schema is read at once."""

    def __init__(self, path: Path, name: str) -> None:
        self._path = path
        self._name = name
        self._polars = polars()
        try:
            self._schema = self._frame().collect_schema()
        except (self._polars.exceptions.PolarsError, OSError) as error:
            raise self._unreadable(error) from error
        self.header = tuple(self._schema.names())
        if not self.header:
            raise BadInput(f"{name}: the table has no columns; fill it, or take its entry out of the manifest.")

    def _frame(self) -> Any:
        return self._polars.scan_parquet(self._path, glob=False)

    def _unreadable(self, error: Exception) -> BadInput:
        first = (str(error).strip().splitlines() or ["no reason given"])[0]
        return BadInput(f"{self._name}: this is no whole Parquet file ({first}); write it anew.")

    def batches(self, wanted: tuple[int, ...], batch_rows: int, stretch: int = 0) -> Iterator[Batch]:
        header = tuple(self.header[at] for at in wanted)
        kinds = [self._schema[name] for name in header]
        texts = [self._text(name, kind) for name, kind in zip(header, kinds, strict=True)]
        typed = tuple(kind.is_numeric() for kind in kinds)
        start = 0
        while True:
            try:
                frame = self._frame().select(list(header)).slice(start, batch_rows).collect()
            except (self._polars.exceptions.PolarsError, OSError) as error:
                raise self._unreadable(error) from error
            if frame.height:
                columns = tuple(text(frame.to_series(at)) for at, text in enumerate(texts))
                yield Batch(header, range(start + 1, start + frame.height + 1), columns, (), typed)
            start += frame.height
            if frame.height < batch_rows:
                return

    def _text(self, name: str, kind: Any) -> Callable[[Any], list[str]]:
        """How cells of one type are written: numbers with a point and as few digits as give the same number back."""
        library = self._polars
        if kind == library.Float32:
            return _halves
        if kind.is_float():
            return lambda column: ["" if cell is None else repr(cell) for cell in column.to_list()]
        if kind.is_decimal():
            return lambda column: ["" if cell is None else format(cell, "f") for cell in column.to_list()]
        if (
            kind.is_integer()
            or kind == library.Boolean
            or kind == library.String
            or kind in (library.Categorical, library.Enum)
        ):
            return lambda column: column.cast(library.String).fill_null("").to_list()
        if kind.is_temporal():
            return lambda column: ["" if cell is None else _moment(cell) for cell in column.to_list()]
        if kind == library.Null:
            return lambda column: [""] * len(column)
        raise BadInput(
            f"{self._name}: the column {name!r} holds {kind}, which is no single value; write it as numbers or text, or leave it out."
        )


def _halves(column: Any) -> list[str]:
    """Floats of 32 bits by their own shortest text: 37.3 and not 37.29999923706055."""
    gaps = column.is_null().to_list()
    return ["" if gap else str(cell) for gap, cell in zip(gaps, column.fill_null(0.0).to_numpy(), strict=True)]


def _moment(cell: Any) -> str:
    return str(cell.isoformat()) if hasattr(cell, "isoformat") else str(cell)
