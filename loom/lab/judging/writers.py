"""Who wrote the answers of a file of rows."""

from collections.abc import Mapping
from pathlib import Path

from loom.lab.judging.families import Writer
from loom.lab.row import Row, read_rows


def writer_of(row: Row, families: Mapping[str, str]) -> Writer:
    """The model of a row: its name in the study, what was asked for and what answered."""
    requested = row.said.get("model_requested") or row.study.get("model_requested") or ""
    return Writer(row.model, str(requested), str(row.said.get("model_reported") or ""), families.get(row.model, ""))


def writers_of(rows: Path, families: Mapping[str, str]) -> frozenset[Writer]:
    """All who wrote in a file."""
    return frozenset(writer_of(row, families) for row in read_rows(rows) if row.answer.strip())
