"""What stands beside every recall: names per answer, precision, length, and both readings of an empty answer."""

from collections.abc import Mapping

from loom.core.values import Json
from loom.lab.report import marks
from loom.lab.report.axis import SHARES
from loom.lab.report.figure import Figure, Results
from loom.lab.report.figures.headline import recall
from loom.lab.report.results import any_lower, arms, called, cells_of, study
from loom.lab.report.rows import Line, chart, key
from loom.lab.report.table import Column, folded, table, words_column
from loom.lab.report.words import count, finite, name, number, plain


def draw(results: Results) -> Figure | None:
    cells = [each for arm in arms(results) for each in cells_of(results, arm)]
    if not cells:
        return None
    drawn = {arm: [_line(each) for each in cells_of(results, arm)] for arm in arms(results)}
    charts = [f"<h4>{name(arm)}</h4>{chart(SHARES, lines, under='share')}" for arm, lines in drawn.items() if lines]
    shown = "".join(charts[:2])
    more = "".join(charts[2:])
    return Figure(
        "beside",
        "Precision",
        "Recall, and what it was bought with",
        f"For each arm the recall of each model and beside it its precision over the {study(results, 'names') or 'names shown or asked for'} "
        "that its answers use." + (" † lower confidence." if any_lower(cells) else ""),
        "Recall alone rewards whoever lists everything; precision alone rewards whoever says little.",
        key([("dot point", "recall"), ("dot hollow", "precision over named titles"), ("line was", "recall with empties as 0")])
        + shown
        + (folded("The other arms", more) if more else ""),
        ("cells",),
        folded(
            "Table",
            table(
                "Recall and what stands beside it",
                [
                    words_column("Model"),
                    words_column("Arm"),
                    Column("n", about="questions with an answer"),
                    Column("Recall", about="macro, given an answer"),
                    Column("as a service", about="an empty answer scores 0"),
                    Column("Precision", about="of the corpus titles named, those asked for"),
                    Column("Names per answer"),
                    Column("Letters per answer"),
                ],
                (
                    (
                        called(each),
                        name(each.get("arm")),
                        count(each.get("n")),
                        number(recall(each)),
                        number(each.get("effectiveness")),
                        number(each.get("precision")),
                        number(each.get("names_per_answer"), 2),
                        count(each.get("answer_chars")),
                    )
                    for each in cells
                ),
            ),
        ),
    )


def _line(cell: Mapping[str, Json]) -> Line:
    got, precise, served = recall(cell), finite(cell.get("precision")), finite(cell.get("effectiveness"))
    drawn = ""
    if got is not None and precise is not None:
        drawn += marks.line(min(got, precise), 13, max(got, precise), 13, "link")
    if served is not None and got is not None and abs(served - got) > 5e-4:
        drawn += marks.line(served, 6, served, 20, "was")
    if precise is not None:
        drawn += marks.dot(precise, 13, 4, "hollow")
    if got is not None:
        drawn += marks.dot(got, 13, 4.5, "point")
    names = number(cell.get("names_per_answer"), 1)
    said = f"{cell.get('model')}, {cell.get('arm')}: recall {number(got)}, precision {number(precise)}, {names} names an answer"
    return Line(called(cell), drawn, plain(f"{number(got, 2)} · {names} names"), said)
