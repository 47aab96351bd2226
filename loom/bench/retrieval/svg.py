"""Small plots as SVG, without a library; they read on light and on dark pages."""

from collections.abc import Iterable, Sequence
from html import escape

STYLE = """
text { font: 12px system-ui, sans-serif; fill: #24292f }
.small { font-size: 10.5px } .title { font-size: 14px; font-weight: 600 } .end { text-anchor: end } .middle { text-anchor: middle }
.line { stroke: #8c959f; stroke-width: 1; fill: none } .faint { stroke: #d0d7de; stroke-width: 1; fill: none }
.dash { stroke: #8c959f; stroke-dasharray: 4 4; fill: none }
.a { fill: #0969da } .b { fill: #bf8700 } .c { fill: #8250df } .good { fill: #1a7f37 } .bad { fill: #cf222e } .none { fill: #8c959f }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 } .line { stroke: #7d8590 } .faint { stroke: #30363d } .dash { stroke: #7d8590 }
  .a { fill: #58a6ff } .b { fill: #d29922 } .c { fill: #bc8cff } .good { fill: #3fb950 } .bad { fill: #f85149 } .none { fill: #7d8590 }
}
"""
SERIES = ("a", "b", "c")

Dot = tuple[float, float, float]
"""What was said, what was true, and the share of all that lies there; each from 0 to 1."""


def _document(width: int, height: int, title: str, marks: Iterable[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n" + "\n".join(marks) + "\n</svg>\n"
    )


def _text(x: float, y: float, text: str, kind: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{escape(text)}</text>'


def _rect(x: float, y: float, width: float, height: float, kind: str) -> str:
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(0.0, width):.1f}" height="{height:.1f}" class="{kind}"/>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str = "line") -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def bars(title: str, series: Sequence[str], rows: Sequence[tuple[str, Sequence[float]]]) -> str:
    """Horizontal bars from 0 to 1: a group a row, a bar a series (three at most), values at their ends."""
    left, wide, bar, gap = 300, 420, 14, 12
    step = bar * len(series) + gap
    height = 62 + step * len(rows) + 10
    marks = [_text(10, 22, title, "title")]
    for at, name in enumerate(series):
        marks += [_rect(left + at * 150, 34, 10, 10, SERIES[at]), _text(left + at * 150 + 15, 43, name, "small")]
    for number, (label, values) in enumerate(rows):
        top = 58 + number * step
        marks.append(_text(left - 8, top + bar * len(series) / 2 + 4, label, "end"))
        for at, value in enumerate(values):
            marks.append(_rect(left, top + at * bar, wide * value, bar - 2, SERIES[at]))
            marks.append(_text(left + wide * value + 5, top + at * bar + bar - 4, f"{value:.2f}", "small"))
    marks.append(_line(left, 54, left, height - 12))
    return _document(left + wide + 50, height, title, marks)


def changes(title: str, columns: Sequence[str], rows: Sequence[tuple[str, Sequence[tuple[float, bool]]]]) -> str:
    """A grid of changes in points, a cell for each row and column, with bars to either side of a middle; (change, better)."""
    left, cell, step = 120, 118, 26
    width, height = left + cell * len(columns) + 10, 70 + step * len(rows)
    most = max([abs(change) for _, cells in rows for change, _ in cells], default=0.0) or 1.0
    marks = [_text(10, 22, title, "title")]
    for at, name in enumerate(columns):
        middle = left + cell * at + cell / 2
        marks += [_text(middle, 48, name, "small middle"), _line(middle, 56, middle, height - 8, "faint")]
    for number, (label, cells) in enumerate(rows):
        top = 60 + number * step
        marks.append(_text(left - 8, top + 13, label, "end"))
        for at, (change, better) in enumerate(cells):
            middle = left + cell * at + cell / 2
            length = abs(change) / most * (cell / 2 - 32)
            kind = "none" if abs(change) < 0.05 else "good" if better else "bad"
            marks.append(_rect(middle - (length if change < 0 else 0), top + 3, length, 12, kind))
            if abs(change) >= 0.05:
                beyond = middle + (length + 3) * (1 if change > 0 else -1)
                marks.append(_text(beyond, top + 13, f"{change:+.1f}", "small" if change > 0 else "small end"))
    return _document(width, height, title, marks)


def reliability(title: str, series: Sequence[tuple[str, Sequence[Dot]]]) -> str:
    """What was said against what was true, a dot a bin, its area by how many lie in it (three series at most)."""
    side, left, top = 320, 60, 36 + 18 * len(series)
    marks = [_text(10, 22, title, "title")]
    for at, (name, _) in enumerate(series):
        marks += [f'<circle cx="{left + 5}" cy="{40 + 18 * at}" r="5" class="{SERIES[at]}"/>']
        marks.append(_text(left + 15, 44 + 18 * at, name, "small"))
    top += 10
    for tick in range(0, 11, 2):
        place = tick / 10 * side
        marks += [
            _line(left + place, top, left + place, top + side, "faint"),
            _line(left, top + place, left + side, top + place, "faint"),
            _text(left + place, top + side + 16, f"{tick / 10:.1f}", "small middle"),
            _text(left - 6, top + side - place + 4, f"{tick / 10:.1f}", "small end"),
        ]
    marks.append(_line(left, top + side, left + side, top, "dash"))
    for at, (_, dots) in enumerate(series):
        for said, true, share in dots:
            size = 3 + 14 * share**0.5
            marks.append(
                f'<circle cx="{left + side * said:.1f}" cy="{top + side * (1 - true):.1f}" r="{size:.1f}" class="{SERIES[at]}" '
                f'fill-opacity="0.7"><title>{true:.0%} right where {said:.2f} was said, {share:.0%} of all</title></circle>'
            )
    marks.append(_text(left + side / 2, top + side + 34, "confidence", "middle"))
    marks.append(f'<text transform="translate(16 {top + side / 2}) rotate(-90)" class="middle">share that was right</text>')
    return _document(left + side + 100, top + side + 46, title, marks)
