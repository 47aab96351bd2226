"""Curves over sizes as SVG, both axes by powers of ten, without a library; they read on light and on dark pages."""

import math
from collections.abc import Mapping, Sequence
from html import escape

from loom.bench.retrieval.svg import STYLE

WIDE, HIGH, LEFT, TOP, GAP = 250, 220, 60, 50, 70
COLOURS = ("#0969da", "#bf8700", "#8250df", "#1a7f37")


def panels(sizes: Sequence[int], curves: Mapping[str, Mapping[str, Sequence[float]]]) -> str:
    """One panel for each title, side by side; in each a curve for each name, with a value for each size."""
    most = max(len(each) for each in curves.values())
    width, height = LEFT + len(curves) * (WIDE + GAP), TOP + HIGH + 40 + 18 * most
    marks = [
        mark for at, (title, each) in enumerate(curves.items()) for mark in _panel(LEFT + at * (WIDE + GAP), title, sizes, each)
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">\n'
        f"<title>Growth with the number of concepts</title>\n<style>{STYLE}</style>\n" + "\n".join(marks) + "\n</svg>\n"
    )


def _panel(left: float, title: str, sizes: Sequence[int], curves: Mapping[str, Sequence[float]]) -> list[str]:
    across = _decades(sizes)
    up = _decades([value for values in curves.values() for value in values])
    marks = [_text(left, TOP - 20, title, "title")]
    for power in range(across[0], across[1] + 1):
        x = left + WIDE * _share(10.0**power, across)
        marks += [_line(x, TOP, x, TOP + HIGH), _text(x, TOP + HIGH + 16, _shown(10.0**power), "small middle")]
    for power in range(up[0], up[1] + 1):
        y = TOP + HIGH * (1 - _share(10.0**power, up))
        marks += [_line(left, y, left + WIDE, y), _text(left - 6, y + 4, _shown(10.0**power), "small end")]
    for at, (name, values) in enumerate(curves.items()):
        colour = COLOURS[at % len(COLOURS)]
        points = [
            (left + WIDE * _share(size, across), TOP + HIGH * (1 - _share(value, up)))
            for size, value in zip(sizes, values, strict=True)
        ]
        joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        marks.append(f'<polyline points="{joined}" fill="none" stroke="{colour}" stroke-width="2"/>')
        marks += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>' for x, y in points]
        below = TOP + HIGH + 38 + 18 * at
        marks.append(f'<rect x="{left:.1f}" y="{below - 9:.1f}" width="10" height="10" fill="{colour}"/>')
        marks.append(_text(left + 16, below, f"{name}: {', '.join(f'{value:.3g}' for value in values)}", "small"))
    return marks


def _decades(values: Sequence[float]) -> tuple[int, int]:
    """The powers of ten between which the values lie."""
    low, high = math.floor(math.log10(max(1e-6, min(values)))), math.ceil(math.log10(max(1e-6, *values)))
    return low, max(high, low + 1)


def _share(value: float, decades: tuple[int, int]) -> float:
    return (math.log10(max(1e-6, value)) - decades[0]) / (decades[1] - decades[0])


def _shown(value: float) -> str:
    return f"{value / 1e6:g} M" if value >= 1e6 else f"{value / 1e3:g} k" if value >= 1e3 else f"{value:g}"


def _text(x: float, y: float, text: str, kind: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="faint"/>'
