"""How figures and names are written on the page: one form each, safe in HTML, "–" where there is nothing to say."""

import math
from collections.abc import Sequence
from html import escape

from loom.core.values import Json

NONE = "–"


def finite(value: Json) -> float | None:
    """A number that can be drawn, or None: None itself, NaN, infinities and whatever is no number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(value)


def number(value: Json, digits: int = 3) -> str:
    """A figure with a real minus sign; no minus before nothing but zeros."""
    known = finite(value)
    if known is None:
        return NONE
    shown = f"{known:,.{digits}f}"
    return shown.lstrip("-") if not shown.strip("-0.,") else shown.replace("-", "−")


def signed(value: Json, digits: int = 3) -> str:
    """A difference: always with its sign, but for zero."""
    shown = number(value, digits)
    return shown if shown == NONE or shown[0] == "−" or not shown.strip("0.,") else f"+{shown}"


def interval(bounds: Json, digits: int = 3, *, sign: bool = True) -> str:
    """`[low, high]`, or "–" where a bound is unknown."""
    known = ends(bounds)
    if known is None:
        return NONE
    low, high = known
    write = signed if sign else number
    return f"[{write(low, digits)}, {write(high, digits)}]"


def ends(bounds: Json) -> tuple[float, float] | None:
    """The ends of an interval where both are numbers."""
    if not isinstance(bounds, Sequence) or isinstance(bounds, str) or len(bounds) != 2:
        return None
    low, high = finite(bounds[0]), finite(bounds[1])
    return None if low is None or high is None else (low, high)


def count(value: Json) -> str:
    known = finite(value)
    return NONE if known is None else f"{known:,.0f}"


def percent(value: Json, digits: int = 1) -> str:
    known = finite(value)
    return NONE if known is None else f"{number(known * 100, digits)} %"


def probability(value: Json) -> str:
    """A p value: four decimals, or that it is below the last of them."""
    known = finite(value)
    return NONE if known is None else "< 0.0001" if known < 0.0001 else f"{known:.4f}"


def plain(text: Json) -> str:
    """A text as HTML text: control characters and lone surrogates are made visible, the rest is as it came."""
    kept = "".join("\ufffd" if _unfit(letter) else letter for letter in str(text))
    return escape(" ".join(kept.split()) if "\n" in kept or "\t" in kept else kept, quote=True)


def name(text: Json) -> str:
    """A name from outside, kept apart from the direction of the text around it."""
    return f"<bdi>{plain(text)}</bdi>"


def _unfit(letter: str) -> bool:
    return (letter < " " and letter not in "\n\t") or "\x7f" <= letter <= "\x9f" or "\ud800" <= letter <= "\udfff"
