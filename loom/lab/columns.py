"""Rows of a table as lines of text."""

from collections.abc import Sequence


def columns(rows: Sequence[Sequence[object]], names: int = 1) -> list[str]:
    """A line a row, of which the first is the head: the first columns, which are `names`, to the left, all others to the right."""
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[at]) for row in cells) for at in range(len(cells[0]))]
    return [
        "  ".join(
            cell.ljust(width) if at < names else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in cells
    ]
