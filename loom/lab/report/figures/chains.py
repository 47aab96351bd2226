"""Chains of two relations: what the first block adds to the second alone, against the room that was left for it."""

from collections.abc import Mapping

from loom.core.values import Json
from loom.lab.report import marks
from loom.lab.report.axis import Axis, around_zero
from loom.lab.report.figure import Figure, Results
from loom.lab.report.figures.gain import spans
from loom.lab.report.figures.more import cells_as_table
from loom.lab.report.results import mappings, part
from loom.lab.report.rows import Line, chart, key
from loom.lab.report.table import folded
from loom.lab.report.words import ends, finite, interval, name, number, plain, signed

TITLE = "Two steps instead of one"


def draw(results: Results) -> Figure | None:
    stated = results.get("chains")
    if not stated:
        return None
    deltas = part(stated, "deltas") if isinstance(stated, Mapping) else stated
    known = [each for each in mappings(deltas) if _mean(each) is not None]
    tables = cells_as_table(TITLE, stated)
    if not known and not tables:
        return None
    axis = around_zero([1.0 if known else 0.0, *(bound for each in known for bound in ends(each.get("ci95")) or ())])
    drawn = (
        key(
            [("dot point", "Δ = both − b-only"), ("span", "95 % interval"), ("line edge", "headroom: the most that Δ could be")]
        )
        + chart(axis, [_line(axis, each) for each in known], under="difference in recall", zero=True)
        if known
        else ""
    )
    return Figure(
        "chains",
        "Chains",
        TITLE,
        "What the block of the first step adds where an answer needs two relations in a row, for each model, read against the room that "
        "the second block alone leaves.",
        "A flat Δ where b-only already scores high is uninformative, and no Δ shows by which route a model went.",
        drawn or tables,
        ("chains",),
        folded("Table", tables) if drawn else "",
    )


def _mean(each: Mapping[str, Json]) -> float | None:
    found = finite(each.get("mean"))
    return finite(each.get("delta")) if found is None else found


def _line(axis: Axis, each: Mapping[str, Json]) -> Line:
    mean, headroom, bounds = _mean(each), finite(each.get("headroom")), ends(each.get("ci95"))
    drawn = spans(axis, bounds, ends(each.get("ci_clustered")))
    if headroom is not None:
        drawn += marks.line(axis.at(headroom), 2, axis.at(headroom), 24, "edge")
    if mean is not None:
        drawn += marks.dot(axis.at(mean), 13, 4.5, "point")
    verdict = each.get("verdict") or ""
    said = f"{each.get('model')}: Δ {signed(mean)}, 95 % interval {interval(each.get('ci95'))}, headroom {number(headroom)} {verdict}"
    return Line(name(each.get("model")), drawn, plain(f"{signed(mean, 2)} {interval(each.get('ci95'), 2)} {verdict}"), said)
