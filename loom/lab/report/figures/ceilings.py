"""The copy ceilings of all arms: printed first, since no quality can be read without them."""

from collections.abc import Mapping

from loom.core.values import Json
from loom.lab.report import marks
from loom.lab.report.axis import SHARES
from loom.lab.report.figure import Figure, Results
from loom.lab.report.results import bare, grounded, objects, part
from loom.lab.report.rows import Line, chart, key
from loom.lab.report.table import Column, folded, table, words_column
from loom.lab.report.words import count, finite, name, number, plain


def draw(results: Results) -> Figure | None:
    arms = objects(results, "ceilings")
    if not arms:
        return None
    lead = (bare(results), grounded(results))
    lines = []
    for each in arms:
        macro, reference = finite(each.get("symmetric")), finite(each.get("reference"))
        drawn = ""
        if macro is not None:
            drawn = marks.rect(0, macro, 6, 14, "kept")
        if reference is not None and reference != macro:
            drawn += marks.dot(reference, 13, 4, "hollow")
        lines.append(
            Line(
                name(each.get("arm")),
                drawn,
                plain(number(macro))
                if macro is not None
                else f'<span class="gone">{plain(each.get("note") or "not available")}</span>',
                f"{each.get('arm')}: copy ceiling {number(macro)}, under the reference scorer {number(reference)}",
                each.get("arm") in lead,
            )
        )
    legend = [("kept", "copy ceiling, symmetric scorer"), ("dot hollow", "where the reference scorer differs")]
    return Figure(
        "ceilings",
        "Ceilings",
        "What a verbatim copy would score, in every arm",
        "The share of the names asked for that stands in the exact text each arm shows, prompt included.",
        "No model has answered here: an arm's recall means little before it is held against this.",
        key(legend) + chart(SHARES, lines, under="copy ceiling (mean over questions)"),
        ("ceilings",),
        folded("Table", _table(arms)),
    )


def _table(arms: list[Mapping[str, Json]]) -> str:
    columns = [
        words_column("Arm"),
        Column("Questions"),
        Column("Symmetric", about="macro; any-questions collapsed on both sides"),
        Column("Reference", about="macro; any-questions collapsed on the answer's side only"),
        Column("Micro", about="per name"),
        Column("Unexposed", about="questions of which nothing is shown"),
        Column("Tokens, mean"),
        Column("median"),
        Column("most"),
    ]
    return table(
        "Copy ceilings and block sizes by arm",
        columns,
        (
            (
                name(each.get("arm")),
                count(each.get("questions")),
                number(each.get("symmetric")),
                number(each.get("reference")),
                number(each.get("micro")),
                count(each.get("unexposed")),
                count(part(each, "tokens", "mean")),
                count(part(each, "tokens", "median")),
                count(part(each, "tokens", "max")),
            )
            for each in arms
        ),
    )
