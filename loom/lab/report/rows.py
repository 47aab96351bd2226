"""Charts of rows: a name, a drawing as wide as there is room, and the figure in words; on a narrow page the name stands above."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from loom.lab.report import marks
from loom.lab.report.axis import Axis
from loom.lab.report.words import plain

HIGH = 26


@dataclass(frozen=True, slots=True)
class Line:
    """One row: its name and what stands beside the drawing (both HTML), the marks, and what the drawing says in words."""

    label: str
    marks: str
    value: str
    said: str
    strong: bool = False


def chart(axis: Axis, lines: Iterable[Line], *, under: str = "", high: float = HIGH, zero: bool = False) -> str:
    """Rows over one axis, whose ticks are drawn under them; `zero` marks nothing by a line of its own."""
    rows = "".join(
        f'<div class="row{" strong" if each.strong else ""}" role="listitem"><span class="label">{each.label}</span>'
        f'{marks.drawing(high, each.said, [each.marks])}<span class="value">{each.value}</span></div>'
        for each in lines
    )
    return f'<div class="chart"><div class="rows" role="list">{_grid(axis, zero)}{rows}</div>{_ticks(axis, under)}</div>'


def _grid(axis: Axis, zero: bool) -> str:
    """The lines at the ticks, behind all rows."""
    lines = "".join(f'<line class="grid" x1="{(x := marks.share(axis.at(tick)))}" x2="{x}" y2="100%"/>' for tick in axis.ticks)
    if zero:
        lines += f'<line class="zero" x1="{(x := marks.share(axis.at(0)))}" x2="{x}" y2="100%"/>'
    return f'<svg class="behind" aria-hidden="true">{lines}</svg>'


def _ticks(axis: Axis, under: str) -> str:
    texts = "".join(marks.words(axis.at(tick), 12, axis.shown(tick), "middle") for tick in axis.ticks)
    named = f'<span class="under">{plain(under)}</span>' if under else ""
    return f'<div class="axis" aria-hidden="true"><svg class="track" height="16">{texts}</svg>{named}</div>'


def key(entries: Sequence[tuple[str, str]]) -> str:
    """What the colours mean: (class of the mark, words)."""
    swatches = "".join(
        f'<li><svg class="swatch" width="14" height="12" aria-hidden="true">{_swatch(kind)}</svg>{plain(text)}</li>'
        for kind, text in entries
    )
    return f'<ul class="key">{swatches}</ul>'


def _swatch(kind: str) -> str:
    if kind.startswith("dot "):
        return f'<circle class="{kind[4:]}" cx="7" cy="6" r="4.5"/>'
    if kind == "span":
        return '<path class="span" d="M1 6H13M1 2V10M13 2V10"/>'
    if kind.startswith("line "):
        return f'<line class="{kind[5:]}" x1="7" y1="0" x2="7" y2="12"/>'
    return f'<rect class="{kind}" x="0" y="1" width="14" height="10"/>'
