"""Tables: they scroll inside their own box, which the keyboard reaches, and their heads stay in sight."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from loom.lab.report.words import plain


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its head, whether it holds figures, and what its head means, for the pointer that rests on it."""

    head: str
    figure: bool = True
    about: str = ""


def words_column(head: str, about: str = "") -> Column:
    return Column(head, figure=False, about=about)


def table(caption: str, columns: Sequence[Column], rows: Iterable[Sequence[str]]) -> str:
    """A table. Heads and caption are plain text; cells are HTML already; the first of each row names it."""
    heads = "".join(f'<th scope="col"{_kind(column)}{_about(column)}>{plain(column.head)}</th>' for column in columns)
    body = "".join(f"<tr>{_cells(columns, row)}</tr>" for row in rows)
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{plain(caption)}"><table><caption>{plain(caption)}</caption>'
        f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def folded(summary: str, inner: str) -> str:
    """Something that is opened on demand."""
    return f"<details><summary>{plain(summary)}</summary>{inner}</details>"


def _cells(columns: Sequence[Column], row: Sequence[str]) -> str:
    first, *rest = row
    cells = [f'<th scope="row">{first}</th>']
    for column, cell in zip(columns[1:], rest, strict=True):
        cells.append(f"<td{_kind(column)}>{cell}</td>")
    return "".join(cells)


def _kind(column: Column) -> str:
    return ' class="f"' if column.figure else ""


def _about(column: Column) -> str:
    return f' title="{plain(column.about)}"' if column.about else ""
