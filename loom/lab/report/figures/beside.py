"""What stands beside every recall: names per answer, precision, length, and both readings of an empty answer."""

from collections.abc import Mapping

from loom.core.values import Json
from loom.lab.report import marks
from loom.lab.report.axis import SHARES
from loom.lab.report.figure import Figure, Results
from loom.lab.report.figures.headline import ceiling, recall
from loom.lab.report.results import any_lower, arms, called, cell, models, part, study
from loom.lab.report.rows import Line, chart, key
from loom.lab.report.table import Column, folded, table, words_column
from loom.lab.report.words import count, finite, name, number, plain


def draw(results: Results) -> Figure | None:
    by_model = {model: _cells(results, model) for model in models(results)}
    by_model = {model: found for model, found in by_model.items() if found}
    if not by_model:
        return None
    charts = {model: chart(SHARES, [_line(each) for each in found], under="share") for model, found in by_model.items()}
    lead, *others = charts
    more = "".join(f"<h4>{name(model)}</h4>{charts[model]}" for model in others)
    every = [each for found in by_model.values() for each in found]
    return Figure(
        "beside",
        "Recall by arm",
        "Recall in every arm, and what it was bought with",
        f"Recall of {lead} in each arm against the arm's copy ceiling, and beside it the precision over the "
        f"{study(results, 'names') or 'names shown or asked for'} that its answers use."
        + (" † lower confidence." if any_lower(every) else ""),
        "Recall alone rewards whoever lists everything; precision alone rewards whoever says little.",
        key(
            [
                ("dot point", "recall"),
                ("line ceiling", "copy ceiling"),
                ("dot hollow", "precision"),
                ("line was", "recall, empties as 0"),
            ]
        )
        + charts[lead]
        + (folded("The other models" if len(others) > 1 else "The other model", more) if others else ""),
        ("cells",),
        folded("Table", _table(every)),
    )


def _cells(results: Results, model: str) -> list[Mapping[str, Json]]:
    found = (cell(results, model, arm) for arm in arms(results))
    return [each for each in found if each is not None]


def _table(cells: list[Mapping[str, Json]]) -> str:
    cited = any(each.get("attribution") for each in cells)
    columns = [
        words_column("Model"),
        words_column("Arm"),
        Column("n", about="questions with an answer"),
        Column("Recall", about="macro, given an answer"),
        Column("as a service", about="an empty answer scores 0"),
        Column("Precision", about="of the names that answers use, those asked for"),
        Column("Names per answer"),
        Column("Letters per answer"),
        *(
            [
                Column("Citations that hold", about="cited units that hold the sentence's names"),
                Column("Named units cited"),
                Column("Cited though cut"),
            ]
            if cited
            else []
        ),
    ]
    return table(
        "Recall and what stands beside it",
        columns,
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
                *(
                    (
                        number(part(each, "attribution", "accuracy")),
                        number(part(each, "attribution", "named_cited_share")),
                        count(part(each, "attribution", "cut")),
                    )
                    if cited
                    else ()
                ),
            )
            for each in cells
        ),
    )


def _line(each: Mapping[str, Json]) -> Line:
    got, precise, served = recall(each), finite(each.get("precision")), finite(each.get("effectiveness"))
    copy = ceiling(each)
    drawn = "" if copy is None else marks.line(copy, 3, copy, 23, "ceiling")
    if got is not None and precise is not None:
        drawn += marks.line(min(got, precise), 13, max(got, precise), 13, "link")
    if served is not None and got is not None and abs(served - got) > 5e-4:
        drawn += marks.line(served, 6, served, 20, "was")
    if precise is not None:
        drawn += marks.dot(precise, 13, 4, "hollow")
    if got is not None:
        drawn += marks.dot(got, 13, 4.5, "point")
    names = number(each.get("names_per_answer"), 1)
    said = f"{each.get('model')}, {each.get('arm')}: recall {number(got)}, precision {number(precise)}, {names} names an answer"
    return Line(called(each, "arm"), drawn, plain(f"{number(got, 2)} · {names} names"), said)
