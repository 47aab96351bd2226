"""SVG marks. Places across are shares of the width (0 to 1, written as percent) and places down are pixels, so that a drawing is as
wide as its box while its letters, lines and dots keep their size."""

from collections.abc import Iterable

from loom.lab.report.words import plain


def drawing(height: float, title: str, marks: Iterable[str], *, about: str = "", kind: str = "track") -> str:
    """One drawing; `title` and `about` are what it says to those who do not see it."""
    told = f"<desc>{plain(about)}</desc>" if about else ""
    return f'<svg class="{kind}" height="{height:g}" role="img"><title>{plain(title)}</title>{told}{"".join(marks)}</svg>'


def share(value: float) -> str:
    """A place across."""
    return f"{value * 100:.2f}".rstrip("0").rstrip(".") + "%"


def rect(left: float, right: float, top: float, height: float, kind: str, *, inset: float = 0.0, title: str = "") -> str:
    """A bar from `left` to `right`; nothing where it has no width."""
    if right - left <= 0:
        return ""
    told = f"<title>{plain(title)}</title>" if title else ""
    return _closed(
        f'rect class="{kind}" x="{share(left)}" width="{share(right - left)}" y="{top + inset:g}" height="{height - 2 * inset:g}"',
        "rect",
        told,
    )


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{share(x1)}" y1="{y1:g}" x2="{share(x2)}" y2="{y2:g}"/>'


def dot(x: float, y: float, size: float, kind: str, *, title: str = "") -> str:
    told = f"<title>{plain(title)}</title>" if title else ""
    return _closed(f'circle class="{kind}" cx="{share(x)}" cy="{y:g}" r="{size:.3g}"', "circle", told)


def words(x: float, y: float, text: str, kind: str = "") -> str:
    """A text at a place; `kind` holds start, middle or end beside other classes."""
    return f'<text class="{kind}" x="{share(x)}" y="{y:g}">{plain(text)}</text>'


def span(low: float, high: float, y: float, kind: str, *, cap: float = 4.0) -> str:
    """An interval: a line with ends."""
    return line(low, y, high, y, kind) + line(low, y - cap, low, y + cap, kind) + line(high, y - cap, high, y + cap, kind)


def band(low: float, high: float, y: float, kind: str) -> str:
    """A narrower interval within another: a soft bar without ends."""
    return rect(low, high, y - 4, 8, kind)


def _closed(opening: str, tag: str, inner: str) -> str:
    return f"<{opening}>{inner}</{tag}>" if inner else f"<{opening}/>"
