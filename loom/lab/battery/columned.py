"""Tables in Markdown, and the figures in them."""

from collections.abc import Iterator, Sequence

NONE = "–"


def table(head: Sequence[object], rows: Sequence[Sequence[object]]) -> Iterator[str]:
    """A table in Markdown: the first column to the left, the others to the right, all of a width."""
    cells = [[str(cell).replace("|", "\\|") for cell in row] for row in (head, *rows)]
    widths = [max(3, *(len(row[at]) for row in cells)) for at in range(len(head))]

    def line(row: Sequence[str]) -> str:
        padded = [
            cell.ljust(width) if not at else cell.rjust(width) for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        return f"| {' | '.join(padded)} |"

    yield line(cells[0])
    yield "|" + "|".join("-" * (width + 2) if not at else "-" * (width + 1) + ":" for at, width in enumerate(widths)) + "|"
    yield from (line(row) for row in cells[1:])


def share(counts: Sequence[int] | None) -> str:
    """A share in percent; a dash of nothing."""
    return f"{100 * counts[0] / counts[1]:.1f} %" if counts and counts[1] else NONE


def count(counts: Sequence[int] | None) -> str:
    return f"{counts[0]}/{counts[1]}" if counts else NONE


def figure(value: float | None, digits: int = 0) -> str:
    return NONE if value is None else f"{value:,.{digits}f}"


def smaller(ratio: float | None) -> str:
    """How much smaller something is than what it is beside."""
    if ratio is None:
        return NONE
    return f"{100 * (1 - ratio):.1f} % smaller" if ratio <= 1 else f"{100 * (ratio - 1):.1f} % larger"
