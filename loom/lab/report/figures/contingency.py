"""Contingency bars: every name asked for, by whether it was shown and whether it was said."""

from collections.abc import Mapping

from loom.core.values import Json
from loom.lab.report import marks
from loom.lab.report.axis import SHARES
from loom.lab.report.figure import Figure, Results
from loom.lab.report.results import any_lower, arms, called, cells_of, grounded, part
from loom.lab.report.rows import Line, chart, key
from loom.lab.report.table import Column, folded, table, words_column
from loom.lab.report.words import count, finite, name, number, percent, plain

CELLS = (
    ("n11", "kept", "shown and said"),
    ("n10", "lost", "shown, not said"),
    ("n01", "over", "said, not shown"),
    ("n00", "bare", "neither"),
)
SEEN = 0.003
"""A cell that is not empty is drawn at least this wide, so that one name in a thousand is not lost."""


def draw(results: Results) -> Figure | None:
    lead = grounded(results)
    cells = cells_of(results, lead)
    if not any(_total(each) for each in cells):
        return None
    others = [(arm, found) for arm in arms(results) if arm != lead and any(map(_total, found := cells_of(results, arm)))]
    more = "".join(f"<h4>{name(arm)}</h4>{_bars(found)}" for arm, found in others)
    return Figure(
        "contingency",
        "Shown and said",
        "Shown and said",
        f"Every name asked for in the {lead} arm, by whether it was shown to the model and whether its answer says it."
        + (" † lower confidence." if any_lower(cells) else ""),
        "A name that is missing may be a compliant choice among alternatives, a paraphrase or a cut-off answer; the bars do not tell which.",
        key([(kind, f"{words} ({member})") for member, kind, words in CELLS])
        + _bars(cells)
        + (folded(f"The other {len(others)} arms" if len(others) > 1 else "The other arm", more) if others else ""),
        ("cells",),
        folded("Table", _table([each for arm in arms(results) for each in cells_of(results, arm)])),
    )


def _bars(cells: list[Mapping[str, Json]]) -> str:
    return chart(SHARES, [_line(each) for each in cells], under="share of the names asked for")


def _line(cell: Mapping[str, Json]) -> Line:
    total = _total(cell)
    counts = {member: finite(part(cell, "counts", member)) or 0.0 for member, _, _ in CELLS}
    widths = {member: max(SEEN, value / total) if value else 0.0 for member, value in counts.items()} if total else {}
    over = sum(widths.values()) or 1.0
    at, drawn = 0.0, []
    for member, kind, words in CELLS:
        width = widths.get(member, 0.0) / over
        title = f"{words}: {count(counts[member])} of {count(total)}"
        drawn.append(marks.rect(at, at + width, 5, 16, f"{kind} part", title=title))
        at += width
    said = f"{cell.get('model')}: " + ", ".join(f"{words} {count(counts[member])}" for member, _, words in CELLS)
    value = f"{count(counts['n10'])} not said" + (f", {count(counts['n01'])} beyond" if counts["n01"] else "")
    return Line(called(cell), "".join(drawn), plain(value), said)


def _total(cell: Mapping[str, Json]) -> float:
    return sum(finite(part(cell, "counts", member)) or 0.0 for member, _, _ in CELLS)


def _table(cells: list[Mapping[str, Json]]) -> str:
    columns = [
        words_column("Model"),
        words_column("Arm"),
        *(Column(member, about=words) for member, _, words in CELLS),
        Column("Utilisation", about="n11 / (n11 + n10)"),
        Column("Unexposed recovery", about="n01 / (n01 + n00)"),
        Column("Omission", about="n10 / (n11 + n10)"),
        Column("without compliant", about="alternatives of any-questions left out where another was said are not counted"),
        Column("Recall, micro", about="per name"),
    ]
    return table(
        "Counts over names, by model and arm",
        columns,
        (
            (
                called(each),
                name(each.get("arm")),
                *(count(part(each, "counts", member)) for member, _, _ in CELLS),
                number(each.get("utilisation"), 4),
                number(each.get("unexposed_recovery"), 4),
                percent(part(each, "omission", "all"), 2),
                percent(part(each, "omission", "without_compliant"), 2),
                number(part(each, "recall", "micro"), 4),
            )
            for each in cells
        ),
    )
