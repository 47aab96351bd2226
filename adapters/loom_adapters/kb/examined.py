"""The files of a sound manifest, read through: rows without numbers, values that contradict one another, cues without times."""

import re
from collections.abc import Sequence
from pathlib import Path

from loom.core.errors import BadInput
from loom.core.facts.computing import compute
from loom.core.facts.declared import Computed, entities_by_name, series_of
from loom.core.facts.layout import Layout, Manifest
from loom.core.facts.stated import Contradiction, Stated, contradictions, stated
from loom.core.facts.values import Span
from loom.core.report import Report
from loom.core.values import Where
from loom_adapters.kb.content import LARGEST, spans_of
from loom_adapters.kb.tables import read_table
from loom_adapters.kb.wording import listed, sentence, shown

_AT = re.compile(r"(?::(\d+))?: (.*)", re.DOTALL)
NAMED = 4
_SKIPPED = {"value": "a number", "position": "a position", "entity": "the name of a declared entity"}


class Taker:
    """Is given what files hold while they are examined; this one keeps nothing."""

    def computed(self, one: Computed) -> None:
        """A series of one entity."""

    def stated(self, one: Stated) -> None:
        """A row of a stated table."""

    def spans(self, found: Sequence[Span]) -> None:
        """The units of a content file."""


NOBODY = Taker()


def examine(folder: Path, manifest: Manifest, report: Report, taker: Taker = NOBODY) -> None:
    """Remark on what is wrong inside of files, and hand on what they hold. Nothing is kept here but the values that are stated, to
    hold them against one another."""
    rows: list[Stated] = []
    for source, layout in zip(manifest.base.sources, manifest.layouts, strict=True):
        path = folder / layout.path
        try:
            if layout.kind == "series":
                for computed in compute(
                    series_of(manifest.base, layout), read_table(path, layout), entities_by_name(manifest.base)
                ):
                    _series(report, layout, computed)
                    if taker is not None:
                        taker.computed(computed)
            elif layout.kind == "table":
                for row in stated(manifest.base, layout, read_table(path, layout)):
                    _unread(report, layout, row)
                    rows += (row,) if row.facts else ()
                    if taker is not None:
                        taker.stated(row)
            else:
                with path.open("rb") as file:
                    spans = spans_of(manifest.base, source, layout, file.read(LARGEST + 1), report)
                if taker is not None:
                    taker.spans(spans)
        except BadInput as error:
            _unreadable(report, layout, error, source.where.line)
        except OSError as error:
            said = sentence(
                "a file that can be read", f"it cannot be opened ({error.strerror or error})", "check its permissions"
            )
            report.note("kb-table", said, Where(layout.path))
    for one in contradictions(rows):
        _contradiction(report, manifest, one)


def _series(report: Report, layout: Layout, computed: Computed) -> None:
    metric = computed.series.metric.name
    for skip in computed.skipped:
        what = _SKIPPED[skip.why]
        said = sentence(f"{what} for {shown(metric)}", f"row {skip.row} has {shown(skip.cell)}", "mend or remove the row")
        report.note("kb-skipped-row", said, Where(layout.path, skip.line))
    if (more := computed.skipped_count - len(computed.skipped)) > 0:
        said = sentence(f"numbers for {shown(metric)}", f"{more:,} further rows have none", "mend or remove them")
        report.note("kb-skipped-row", said, Where(layout.path))
    for doubled in computed.doubled:
        if doubled.differ:
            given = (f"row {row} says {value}" for row, value in zip(doubled.rows[:NAMED], doubled.values, strict=False))
            expected = f"one value of {shown(metric)} at position {doubled.position}"
            said = sentence(expected, _and(list(given), doubled.count), "keep one of them, or state finer positions")
            report.note("kb-doubled-position", said, Where(layout.path))
    if not computed.facts and computed.skipped_count and not (computed.series.entity_column and not computed.entity):
        said = sentence(
            f"values of {shown(metric)}", "not one row has any", "state its `decimal` and `delimiter`, or mend its rows"
        )
        report.note("kb-empty", said, Where(layout.path))


def _unread(report: Report, layout: Layout, row: Stated) -> None:
    """A table may state what it likes; where a column of numbers is declared, a text in it is worth knowing."""
    for fact in row.facts:
        if not fact.number:
            said = sentence(
                "a number in a declared column", f"row {fact.row} has {shown(fact.value)}", "mend it, where it is one"
            )
            report.note("kb-skipped-row", said, Where(layout.path, row.line))
    if layout.entity_column and not row.row.entity:
        cell = row.row.cells[row.row.header.index(layout.entity_column)]
        remedy = "declare it in [[entity]], or write one of its names"
        said = sentence("the name of a declared entity", f"row {row.row.row} has {shown(cell)}", remedy)
        report.note("kb-skipped-row", said, Where(layout.path, row.line))


def _contradiction(report: Report, manifest: Manifest, one: Contradiction) -> None:
    base = manifest.base
    first = one.facts[0]
    metric = next(metric.name for metric in base.metrics if metric.iri == first.metric)
    names = {source.iri: source.name for source in base.sources}
    about = next((f" of {shown(entity.name)}" for entity in base.entities if entity.iri == first.entity), "")
    about += f" at position {first.position}" if first.position else ""
    places = [
        f"{names[fact.source]}:{line}" if line else names[fact.source] for fact, line in zip(one.facts, one.lines, strict=True)
    ]
    given = [f"row {fact.row} ({place}) says {fact.value}" for fact, place in list(zip(one.facts, places, strict=True))[:NAMED]]
    last = max(range(len(one.facts)), key=lambda at: one.facts[at].value != first.value)
    said = sentence(f"one value of {shown(metric)}{about}", _and(given, len(one.facts)), "correct one of them")
    report.note("kb-contradiction", said, Where(names[one.facts[last].source], one.lines[last]))


def _and(given: list[str], count: int) -> str:
    return listed(given) + (f" and {count - len(given):,} more" if count > len(given) else "")


def _unreadable(report: Report, layout: Layout, error: BadInput, named: int) -> None:
    """A fault that ends the reading of a file, with the line that its message begins with, else that of the manifest that names it."""
    found = _AT.fullmatch(error.message.removeprefix(layout.path))
    line, said = (int(found[1] or 0), found[2]) if found else (0, error.message)
    if not line and named:
        said = f"{said.removesuffix('.')} (kb.toml:{named} names it)."
    report.note("kb-table", said[:1].upper() + said[1:], Where(layout.path, line))
