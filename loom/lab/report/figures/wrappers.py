"""Wrapper ablation: what becomes of targets that the block left out, by what the wrapper says of its context."""

from collections.abc import Mapping

from loom.core.values import Json
from loom.lab.report import marks
from loom.lab.report.axis import SHARES
from loom.lab.report.figure import Figure, Results
from loom.lab.report.figures.more import cells_as_table
from loom.lab.report.results import mappings, part
from loom.lab.report.rows import Line, chart, key
from loom.lab.report.table import folded
from loom.lab.report.words import count, finite, name, plain

TITLE = "What the wrapper says"
OUTCOMES = (
    ("recovered", "kept", "recovered"),
    ("omission", "bare", "left out"),
    ("contradiction", "over", "contradicted"),
    ("abstention", "lost", "abstained"),
)


def draw(results: Results) -> Figure | None:
    stated = results.get("wrappers")
    if not stated:
        return None
    outcomes = mappings(part(stated, "outcomes"))
    by_model: dict[str, list[Mapping[str, Json]]] = {}
    for each in outcomes:
        by_model.setdefault(str(each.get("model")), []).append(each)
    drawn = "".join(
        f"<h4>{name(model)}</h4>{chart(SHARES, [_line(each) for each in found], under='share of the targets left out')}"
        for model, found in by_model.items()
    )
    tables = cells_as_table(TITLE, stated)
    if not drawn and not tables:
        return None
    return Figure(
        "wrappers",
        "Wrappers",
        TITLE,
        "What becomes of targets that the block left out, under each thing that a wrapper may tell the model about its context.",
        "Read by rules over the wording; a name that is said need not be said rightly.",
        key([(kind, words) for _, kind, words in OUTCOMES]) + drawn if drawn else tables,
        ("wrappers",),
        folded("Table", tables) if drawn else "",
    )


def _line(each: Mapping[str, Json]) -> Line:
    counts = {member: finite(part(each, member, "count")) or 0.0 for member, _, _ in OUTCOMES}
    total = sum(counts.values())
    at, drawn = 0.0, []
    for member, kind, words in OUTCOMES:
        width = counts[member] / total if total else 0.0
        drawn.append(marks.rect(at, at + width, 5, 16, f"{kind} part", title=f"{words}: {count(counts[member])}"))
        at += width
    told = ", ".join(f"{words} {count(counts[member])}" for member, _, words in OUTCOMES)
    return Line(
        name(each.get("wrapper")),
        "".join(drawn),
        plain(f"{count(counts['recovered'])} of {count(total)}"),
        f"{each.get('wrapper')}: {told}",
    )
