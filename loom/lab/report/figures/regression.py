"""Non-regression: whether grounding made anything worse than the margin, over all questions and in the worst subgroup."""

from collections.abc import Mapping, Sequence

from loom.core.values import Json
from loom.lab.report import marks
from loom.lab.report.axis import Axis, around_zero
from loom.lab.report.figure import Figure, Results
from loom.lab.report.figures.gain import spans
from loom.lab.report.results import objects, part
from loom.lab.report.rows import Line, chart, key
from loom.lab.report.table import Column, folded, table, words_column
from loom.lab.report.words import count, ends, finite, interval, name, number, plain, probability, signed

Entry = tuple[str, str, Mapping[str, Json], bool]
"""Model, subgroup, what was found, and whether it is the worst of the model's subgroups."""


def draw(results: Results) -> Figure | None:
    stated = objects(results, "non_regression")
    entries = [entry for each in stated for entry in _entries(each)]
    if not entries:
        return None
    margin = finite(entries[0][2].get("margin")) or 0.25
    axis = around_zero([margin, -margin, *(bound for _, _, found, _ in entries for bound in ends(found.get("ci95")) or ())])
    shown = [entry for entry in entries if entry[1] == "all" or entry[3]]
    outcome = stated[0].get("outcome")
    return Figure(
        "regression",
        "Non-regression",
        "Did grounding make anything worse?",
        f"Grounded less bare ({outcome}) over all questions, and in the subgroup that comes off worst; non-regression is shown where the "
        f"whole interval lies between the dashed lines at ± {number(margin, 2)}, and an interval that leaves them upwards alone is better.",
        "An interval that reaches beyond the margin shows neither regression nor its absence.",
        key([("dot point", "mean difference"), ("span", "95 % interval"), ("line edge", "margin")])
        + chart(axis, [_line(axis, margin, entry) for entry in shown], under=f"difference ({outcome})", zero=True),
        ("non_regression", "intention_to_treat"),
        folded("Table", _table(entries) + _treated(objects(results, "intention_to_treat"))),
    )


def _entries(each: Mapping[str, Json]) -> list[Entry]:
    model, worst = str(each.get("model")), each.get("worst")
    found: list[Entry] = [(model, "all", part(each, "all") or {}, False)]
    found += [(model, str(group), made, group == worst) for group, made in (each.get("subgroups") or {}).items()]
    return [entry for entry in found if entry[2]]


def _line(axis: Axis, margin: float, entry: Entry) -> Line:
    model, group, found, _ = entry
    mean, bounds = finite(found.get("mean")), ends(found.get("ci95"))
    drawn = "".join(marks.line(axis.at(edge), 0, axis.at(edge), 26, "edge") for edge in (-margin, margin)) + spans(
        axis, bounds, None
    )
    if mean is not None:
        drawn += marks.dot(axis.at(mean), 13, 4.5, "point")
    verdict = _verdict(found, margin)
    label = name(model) if group == "all" else f"{name(model)}, worst: {name(group)}"
    said = f"{model}, {group}: {signed(mean)}, 95 % interval {interval(found.get('ci95'))}, non-regression: {verdict}"
    return Line(
        label, drawn, plain(f"{signed(mean, 2)} {interval(found.get('ci95'), 2)} {verdict}"), said, verdict == "regression"
    )


def _verdict(found: Mapping[str, Json], margin: float) -> str:
    """In a word; `better` is an interval that leaves the margin upwards alone."""
    bounds = ends(found.get("ci95"))
    if found.get("non_regression"):
        return "shown"
    if found.get("regression_detected"):
        return "regression"
    return "better" if bounds and bounds[0] > -margin and bounds[1] >= margin else "not shown"


def _table(entries: Sequence[Entry]) -> str:
    columns = [
        words_column("Model"),
        words_column("Questions"),
        Column("n"),
        Column("Mean"),
        Column("95 %"),
        words_column("Inside the margin"),
        Column("90 %"),
        Column("p, TOST"),
        words_column("Worst"),
    ]
    return table(
        "Non-regression by interval inclusion, and two one-sided tests",
        columns,
        (
            (
                name(model),
                name(group),
                count(found.get("n")),
                signed(found.get("mean"), 4),
                interval(found.get("ci95")),
                "yes" if found.get("non_regression") else "no",
                interval(found.get("ci90")),
                probability(part(found, "tost", "p")),
                "yes" if worst else "",
            )
            for model, group, found, worst in entries
        ),
    )


def _treated(stated: Sequence[Mapping[str, Json]]) -> str:
    """Grounded less bare over all questions, engaged or not, and over the engaged alone."""
    if not stated:
        return ""
    columns = [words_column("Model"), words_column("Outcome"), words_column("Questions")]
    columns += [Column("n"), Column("Mean"), Column("95 %"), Column("p, exact")]
    return table(
        "Intention to treat: all questions, and those alone for which the gate engaged",
        columns,
        (
            (
                name(each.get("model")),
                name(each.get("outcome")),
                told,
                count(found.get("n")),
                signed(found.get("mean"), 4),
                interval(found.get("ci95")),
                probability(found.get("p_exact")),
            )
            for each in stated
            for told, found in (("all", part(each, "all")), ("engaged", part(each, "engaged")))
            if isinstance(found, Mapping)
        ),
    )
