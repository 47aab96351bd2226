"""The ceiling histogram: for how many questions how much of the gold was shown."""

from loom.lab.report import marks
from loom.lab.report.axis import from_zero
from loom.lab.report.figure import Figure, Results
from loom.lab.report.results import grounded, objects
from loom.lab.report.table import Column, folded, table, words_column
from loom.lab.report.words import count, finite, name, percent

HIGH, TOP, GAP = 200, 16, 0.006


def draw(results: Results) -> Figure | None:
    lead = grounded(results)
    shapes = [(each, bins) for each in objects(results, "ceilings") if (bins := _bins(each.get("bins")))]
    main = next((bins for each, bins in shapes if each.get("arm") == lead), None)
    if main is None or not sum(main):
        return None
    others = [(each, bins) for each, bins in shapes if each.get("arm") != lead and sum(bins)]
    panels = "".join(
        f'<li><span class="label">{name(each.get("arm"))}</span>{_columns(str(each.get("arm")), bins, 90)}</li>'
        for each, bins in others
    )
    return Figure(
        "histogram",
        "Histogram",
        "How much of each question was shown",
        f"Questions by the share of their names that the {lead} arm shows: nothing at the left end, all of it at the right.",
        "A question whose names are all shown may still be answered wrongly, and one without any may be answered from memory.",
        _columns(str(lead), main, HIGH)
        + (folded("The other arms", f'<ul class="panels small">{panels}</ul>') if others else ""),
        ("ceilings",),
        folded("Table", _table([(str(lead), main), *((str(each.get("arm")), bins) for each, bins in others)])),
    )


def labels(bins: int) -> list[str]:
    """What each bin holds: nothing, the steps between, all."""
    steps = bins - 2
    return ["0", *(f"{step / steps:g}–{(step + 1) / steps:g}" for step in range(steps)), "1"]


def _bins(stated: object) -> list[float]:
    return [finite(value) or 0.0 for value in stated] if isinstance(stated, list | tuple) and len(stated) > 2 else []


def _columns(arm: str, bins: list[float], high: float) -> str:
    up = from_zero(bins)
    total, wide = sum(bins), 1 / len(bins)
    drawn = []
    for tick in up.ticks[1:] if high >= HIGH else up.ticks[-1:]:
        y = TOP + high * (1 - up.at(tick))
        drawn += [
            marks.line(0, y, 1, y, "grid"),
            marks.words(0, y - 3, count(tick) + (" questions" if tick == up.ticks[-1] else ""), "start"),
        ]
    for at, (value, label) in enumerate(zip(bins, labels(len(bins)), strict=True)):
        tall = high * up.at(value)
        kind = "bare part" if at == 0 else "kept part"
        title = f"{label}: {count(value)} ({percent(value / total)})"
        if value:
            drawn.append(marks.rect(at * wide + GAP, (at + 1) * wide - GAP, TOP + high - tall, max(tall, 1), kind, title=title))
    drawn += [
        marks.line(0, TOP + high, 1, TOP + high, "zero"),
        marks.words(wide / 2, TOP + high + 15, "none", "middle"),
        marks.words(0.5, TOP + high + 15, "half", "middle"),
        marks.words(1 - wide / 2, TOP + high + 15, "all", "middle"),
    ]
    said = f"{arm}: of {count(total)} questions {count(bins[0])} are shown nothing and {count(bins[-1])} everything asked for"
    return marks.drawing(TOP + high + 20, said, drawn, kind="panel")


def _table(shapes: list[tuple[str, list[float]]]) -> str:
    columns = [words_column("Arm"), *(Column(label) for label in labels(len(shapes[0][1])))]
    return table(
        "Questions by the share of their names that is shown",
        columns,
        ((name(arm), *(count(value) for value in bins)) for arm, bins in shapes if len(bins) == len(shapes[0][1])),
    )
