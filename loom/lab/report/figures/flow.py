"""The arm flow: what became of every planned question, arm by arm."""

from collections.abc import Mapping

from loom.core.values import Json
from loom.lab.report import marks
from loom.lab.report.axis import Axis
from loom.lab.report.figure import Figure, Results
from loom.lab.report.results import LOWER, models, objects, part
from loom.lab.report.rows import Line, chart, key
from loom.lab.report.table import Column, folded, table, words_column
from loom.lab.report.words import count, finite, name, plain

STEPS = (
    ("whole", "kept", "answered"),
    ("truncated", "lost", "answered, cut off"),
    ("empty", "bare", "empty"),
    ("errors", "over", "error"),
    ("no_donor", "gone1", "no donor"),
    ("no_block", "gone2", "no block"),
)


def draw(results: Results) -> Figure | None:
    flows = objects(results, "arms")
    if not flows:
        return None
    most = max((finite(part(each, "flow", "planned")) or 0 for each in flows), default=0)
    axis = Axis(0, most or 1, (0, (most or 1) / 2, most or 1), 0 if most % 2 == 0 else 1)
    by_model: dict[str, list[Mapping[str, Json]]] = {}
    for each in flows:
        by_model.setdefault(str(each.get("model")), []).append(each)
    drawn = {
        model: chart(axis, [_line(axis, each) for each in by_model[model]], under="questions")
        for model in models(results)
        if model in by_model
    }
    if not drawn:
        return None
    lead, *others = drawn
    more = "".join(f"<h4>{name(model)}</h4>{drawn[model]}" for model in others)
    return Figure(
        "flow",
        "Arm flow",
        "What became of every question",
        f"Of the questions planned in each arm, how many were answered, cut off, left empty, failed, or never asked; {lead} is drawn"
        + (", the other models below." if others else "."),
        "Whether what was answered is any good.",
        key([(kind, words) for _, kind, words in STEPS])
        + f"<h4>{name(lead)}</h4>{drawn[lead]}"
        + (folded("The other models" if len(others) > 1 else "The other model", more) if others else ""),
        ("arms",),
        folded("Table", _table(flows)),
    )


def _line(axis: Axis, each: Mapping[str, Json]) -> Line:
    flow = {name: finite(value) or 0.0 for name, value in (each.get("flow") or {}).items()}
    flow["whole"] = max(0.0, flow.get("answered", 0.0) - flow.get("truncated", 0.0))
    at, drawn = 0.0, []
    for member, kind, words in STEPS:
        value = flow.get(member, 0.0)
        drawn.append(marks.rect(axis.at(at), axis.at(at + value), 6, 14, f"{kind} part", title=f"{words}: {count(value)}"))
        at += value
    told = ", ".join(f"{words} {count(flow[member])}" for member, _, words in STEPS if flow.get(member))
    counted = f"{count(flow.get('answered'))} of {count(flow.get('planned'))}"
    note = each.get("note")
    label = name(each.get("arm")) + (LOWER if each.get("lower_confidence") else "")
    return Line(label, "".join(drawn), plain(note or counted), f"{each.get('arm')}: {told or 'nothing'}")


def _table(flows: list[Mapping[str, Json]]) -> str:
    heads = (
        ("planned", "planned"),
        ("attempted", "attempted"),
        ("answered", "answered"),
        ("empty", "empty"),
        ("retried", "retried"),
        ("truncated", "cut off"),
        ("errors", "errors"),
        ("no_donor", "no donor"),
        ("no_block", "no block"),
        ("graded", "graded"),
    )
    return table(
        "Arm flow",
        [words_column("Arm"), words_column("Model"), *(Column(head) for _, head in heads), words_column("Note")],
        (
            (
                name(each.get("arm")),
                name(each.get("model")) + (LOWER if each.get("lower_confidence") else ""),
                *(count(part(each, "flow", member)) for member, _ in heads),
                plain(each.get("note") or ""),
            )
            for each in flows
        ),
    )
