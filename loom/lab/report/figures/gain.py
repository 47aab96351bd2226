"""Gain over copy: a forest plot with intervals, a row per model, both scorers."""

from collections.abc import Mapping

from loom.core.values import Json
from loom.lab.report import marks
from loom.lab.report.axis import Axis, around_zero
from loom.lab.report.figure import Figure, Results
from loom.lab.report.results import any_lower, arms, called, cells_of, grounded, part
from loom.lab.report.rows import Line, chart, key
from loom.lab.report.table import Column, folded, table, words_column
from loom.lab.report.words import ends, finite, interval, name, plain, signed


def draw(results: Results) -> Figure | None:
    lead = grounded(results)
    cells = cells_of(results, lead)
    if not any(finite(part(each, "gain", "symmetric", "mean")) is not None for each in cells):
        return None
    axis = around_zero(_values(cells))
    others = [(arm, found) for arm in arms(results) if arm != lead and (found := cells_of(results, arm))]
    wide = around_zero([value for _, found in others for value in _values(found)])
    more = "".join(f"<h4>{name(arm)}</h4>{_forest(wide, found)}" for arm, found in others)
    every = [each for arm in arms(results) for each in cells_of(results, arm)]
    return Figure(
        "gain",
        "Gain over copy",
        "Gain over copy",
        f"Recall less the copy ceiling in the {lead} arm: to the left of zero the answers say less than a verbatim copy would, "
        "to the right they add names that nothing had shown." + (" † lower confidence." if any_lower(cells) else ""),
        "A gain of zero says nothing about reasoning: a perfect answer from names that were all shown scores zero.",
        key(
            [
                ("dot point", "symmetric scorer, mean"),
                ("span", "95 % interval, clusters resampled"),
                ("soft", "95 % interval, questions resampled"),
                ("dot hollow", "reference scorer, where it differs"),
            ]
        )
        + _forest(axis, cells)
        + (folded("The other arms", more) if others else ""),
        ("cells",),
        folded("Table", _table(every)),
    )


def _values(cells: list[Mapping[str, Json]]) -> list[Json]:
    found: list[Json] = []
    for each in cells:
        for scorer in ("symmetric", "reference"):
            gain = part(each, "gain", scorer)
            found += [part(gain, "mean"), *(ends(part(gain, "ci95")) or ()), *(ends(part(gain, "ci_clustered")) or ())]
    return found


def _forest(axis: Axis, cells: list[Mapping[str, Json]]) -> str:
    return chart(axis, [_line(axis, each) for each in cells], under="recall − copy ceiling", zero=True)


def _line(axis: Axis, cell: Mapping[str, Json]) -> Line:
    gain, reference = part(cell, "gain", "symmetric"), part(cell, "gain", "reference")
    mean, other = finite(part(gain, "mean")), finite(part(reference, "mean"))
    inner, outer = ends(part(gain, "ci95")), ends(part(gain, "ci_clustered"))
    drawn = spans(axis, inner, outer)
    if other is not None and mean is not None and abs(other - mean) > 5e-4:
        drawn += marks.dot(axis.at(other), 13, 4, "hollow")
    if mean is not None:
        drawn += marks.dot(axis.at(mean), 13, 4.5, "point")
    shown = part(gain, "ci_clustered") if outer else part(gain, "ci95")
    said = f"{cell.get('model')}, {cell.get('arm')}: gain over copy {signed(mean)}, 95 % interval {interval(shown)}"
    return Line(called(cell), drawn, plain(f"{signed(mean)} {interval(shown)}"), said)


def spans(axis: Axis, inner: tuple[float, float] | None, outer: tuple[float, float] | None) -> str:
    """The interval over clusters as a line with ends, the one over questions as a soft bar behind it; alone, either is the line."""
    main = outer or inner
    soft = marks.band(axis.at(inner[0]), axis.at(inner[1]), 13, "soft") if outer and inner else ""
    return soft + (marks.span(axis.at(main[0]), axis.at(main[1]), 13, "span", cap=6) if main else "")


def _table(cells: list[Mapping[str, Json]]) -> str:
    columns = [words_column("Model"), words_column("Arm")]
    for scorer in ("Symmetric", "Reference"):
        columns += [Column(scorer), Column("95 %"), Column("95 %, clustered")]
    others = list(dict.fromkeys(matcher for each in cells for matcher in each.get("under") or ()))
    columns += [Column(f"Matcher {matcher}", about="symmetric, under another matcher") for matcher in others]
    return table(
        "Gain over copy under both scorers, by model and arm",
        columns,
        (
            (
                called(each),
                name(each.get("arm")),
                *(
                    text
                    for scorer in ("symmetric", "reference")
                    for text in (
                        signed(part(each, "gain", scorer, "mean"), 4),
                        interval(part(each, "gain", scorer, "ci95")),
                        interval(part(each, "gain", scorer, "ci_clustered")),
                    )
                ),
                *(signed(part(each, "under", matcher, "gain", "symmetric", "mean"), 4) for matcher in others),
            )
            for each in cells
        ),
    )
