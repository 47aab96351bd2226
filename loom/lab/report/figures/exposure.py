"""Exposure against recovery: for every question, the share of its names that was shown and the share that was said."""

from collections.abc import Mapping, Sequence

from loom.core.values import Json
from loom.lab.report import marks
from loom.lab.report.figure import Figure, Results
from loom.lab.report.results import grounded, models, objects
from loom.lab.report.table import Column, folded, table, words_column
from loom.lab.report.words import count, finite, name, number

HIGH = 220
LARGEST = 15.0


def draw(results: Results) -> Figure | None:
    lead = grounded(results)
    stated = {str(each.get("model")): _points(each) for each in objects(results, "exposure") if each.get("arm") == lead}
    shown = [(model, stated[model]) for model in models(results) if stated.get(model)]
    if not shown:
        return None
    most = max(n for _, points in shown for _, _, n in points)
    panels = "".join(
        f'<li><span class="label">{name(model)}</span>{_panel(model, points, most)}</li>' for model, points in shown
    )
    return Figure(
        "exposure",
        "Exposure",
        "Exposure against recovery",
        f"Each circle is a group of questions in the {lead} arm, placed by the share of their names that was shown (across) and said "
        "(up), its area by how many they are; on the diagonal an answer says as much as was shown.",
        "A circle on the diagonal may say other names than those that were shown.",
        f'<ul class="panels">{panels}</ul>',
        ("exposure",),
        folded("Table", _table(shown)),
    )


def _points(stated: Mapping[str, Json]) -> list[tuple[float, float, float]]:
    found = []
    for point in stated.get("points") or ():
        if isinstance(point, Sequence) and len(point) == 3:
            x, y, n = (finite(value) for value in point)
            if x is not None and y is not None and n:
                found.append((x, y, n))
    return found


def _panel(model: str, points: Sequence[tuple[float, float, float]], most: float) -> str:
    drawn = [
        marks.line(0, HIGH, 1, HIGH, "zero"),
        marks.line(0, 0, 0, HIGH, "zero"),
        marks.line(0.5, 0, 0.5, HIGH, "grid"),
        marks.line(0, HIGH / 2, 1, HIGH / 2, "grid"),
        marks.line(0, HIGH, 1, 0, "same"),
    ]
    for x, y, n in sorted(points, key=lambda point: -point[2]):
        size = max(1.5, LARGEST * (n / most) ** 0.5)
        drawn.append(
            marks.dot(x, HIGH * (1 - y), size, "bubble", title=f"shown {number(x, 2)}, said {number(y, 2)}: {count(n)}")
        )
    drawn += [
        marks.words(0, HIGH + 16, "0", "start"),
        marks.words(0.5, HIGH + 16, "share shown", "middle"),
        marks.words(1, HIGH + 16, "1", "end"),
        marks.words(0.015, 12, "1 · share said", "start"),
    ]
    total = sum(n for _, _, n in points)
    below = sum(n for x, y, n in points if y < x)
    above = sum(n for x, y, n in points if y > x)
    said = f"{model}: {count(total)} questions, {count(below)} say less than was shown, {count(above)} more"
    return marks.drawing(HIGH + 22, said, drawn, kind="panel")


def _table(shown: Sequence[tuple[str, Sequence[tuple[float, float, float]]]]) -> str:
    columns = [words_column("Model"), Column("Questions"), Column("Said less than shown"), Column("As much"), Column("More")]
    rows = []
    for model, points in shown:
        parts = [sum(n for x, y, n in points if test(x, y)) for test in (_less, _same, _more)]
        rows.append((name(model), count(sum(parts)), *(count(part) for part in parts)))
    return table("Questions by whether the answer says less, as much or more than was shown", columns, rows)


def _less(x: float, y: float) -> bool:
    return y < x


def _same(x: float, y: float) -> bool:
    return y == x


def _more(x: float, y: float) -> bool:
    return y > x
