"""Names that the block left out: how many of them the bare answers say, and how many the grounded ones."""

from collections.abc import Mapping

from loom.core.values import Json
from loom.lab.report import marks
from loom.lab.report.axis import SHARES
from loom.lab.report.figure import Figure, Results
from loom.lab.report.results import bare, grounded, objects
from loom.lab.report.rows import Line, chart, key
from loom.lab.report.table import Column, folded, table, words_column
from loom.lab.report.words import count, finite, name, percent, plain


def draw(results: Results) -> Figure | None:
    without, within, stated = bare(results), grounded(results), objects(results, "omitted")
    if not stated or without is None or within is None:
        return None
    return Figure(
        "omitted",
        "Left out",
        "What the block left out",
        f"Of the names asked for that the {within} arm does not show, the share that each model says bare (hollow) and grounded (filled).",
        "Absent from the block is not absent from the corpus; a hit is lexical, and a bare one is no proof of knowledge.",
        key([("dot hollow", f"{without} arm"), ("dot point", f"{within} arm")])
        + chart(SHARES, [_line(each, without, within) for each in stated], under="share of the names that were not shown"),
        ("omitted",),
        folded(
            "Table",
            table(
                "Names that were not shown, and how many of them are said",
                [
                    words_column("Model"),
                    Column("Names"),
                    Column(without),
                    Column(within),
                    Column("Share, bare"),
                    Column("grounded"),
                ],
                (
                    (
                        name(each.get("model")),
                        count(each.get("names")),
                        *(count(each.get(arm)) for arm in (without, within)),
                        *(percent(_share(each, arm)) for arm in (without, within)),
                    )
                    for each in stated
                ),
            ),
        ),
    )


def _share(each: Mapping[str, Json], arm: str) -> float | None:
    said, names = finite(each.get(arm)), finite(each.get("names"))
    return said / names if said is not None and names else None


def _line(each: Mapping[str, Json], without: str, within: str) -> Line:
    was, now = _share(each, without), _share(each, within)
    drawn = ""
    if was is not None and now is not None:
        drawn += marks.line(min(was, now), 13, max(was, now), 13, "link")
    if was is not None:
        drawn += marks.dot(was, 13, 4, "hollow")
    if now is not None:
        drawn += marks.dot(now, 13, 4.5, "point")
    told = f"{count(each.get(without))} → {count(each.get(within))} of {count(each.get('names'))}"
    said = f"{each.get('model')}: bare {count(each.get(without))}, grounded {count(each.get(within))} of {count(each.get('names'))} names"
    return Line(name(each.get("model")), drawn, plain(told), said)
