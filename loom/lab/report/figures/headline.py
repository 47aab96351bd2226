"""The first screen: what the uplift is made of, for the first model in large figures and for every model as a strip."""

from collections.abc import Mapping

from loom.core.values import Json
from loom.lab.report import marks
from loom.lab.report.axis import SHARES
from loom.lab.report.figure import Figure, Results
from loom.lab.report.results import any_lower, bare, called, cell, first, grounded, models, part
from loom.lab.report.rows import Line, chart, key
from loom.lab.report.table import Column, folded, table, words_column
from loom.lab.report.words import count, finite, interval, number, percent, plain, signed

DAGGER = " † lower confidence: more than 2 % of the answers were cut off."


def draw(results: Results) -> Figure | None:
    arm, without = grounded(results), bare(results)
    shown = [(each, cell(results, model, without)) for model in models(results) if (each := cell(results, model, arm))]
    if not shown or arm is None:
        return None
    lead, beside = shown[0]
    lower = any_lower(each for each, _ in shown)
    body = (
        _large(lead, beside, arm, without)
        + _sentence(lead, beside)
        + key(
            [
                ("bare", "recalled without grounding"),
                ("kept", "added by grounding"),
                ("lost", "shown, yet not said"),
                ("over", "said beyond what was shown"),
                ("line ceiling", "copy ceiling"),
            ]
        )
        + chart(SHARES, [_strip(each, other) for each, other in shown], under="recall of the names asked for", high=30)
    )
    return Figure(
        "headline",
        "Uplift",
        "Bare, copied, grounded",
        f"For each model, how many of the names asked for it gives bare, how many with the {arm} arm, and how many a verbatim copy "
        "of what was shown would have given." + (DAGGER if lower else ""),
        "It counts names, not whether what is said about them is true, and not whether a model reasoned.",
        body,
        ("cells",),
        folded("Table", _table(shown)),
    )


def _large(lead: Mapping[str, Json], beside: Mapping[str, Json] | None, arm: str, without: str | None) -> str:
    gain = part(lead, "gain", "symmetric")
    bounds = first([part(gain, "ci_clustered"), part(gain, "ci95")])
    cards = (
        ("bare", number(recall(beside)), "Bare recall", f"the {without} arm" if without else "no bare arm in this study"),
        ("ceiling", number(ceiling(lead)), "Copy ceiling", "a verbatim copy of what was shown"),
        ("kept", number(recall(lead)), "Grounded recall", f"the {arm} arm"),
        ("lost", signed(part(gain, "mean")), "Gain over copy", f"95 % interval {interval(bounds)}"),
    )
    items = "".join(
        f'<li class="big is-{kind}"><span class="what">{plain(label)}</span><strong>{plain(value)}</strong>'
        f'<span class="note">{plain(note)}</span></li>'
        for kind, value, label, note in cards
    )
    return f'<p class="of">{called(lead)}</p><ul class="bigs">{items}</ul>'


def _sentence(lead: Mapping[str, Json], beside: Mapping[str, Json] | None) -> str:
    told = []
    was, now, copy = recall(beside), recall(lead), ceiling(lead)
    if was is not None and now is not None and copy is not None:
        told.append(
            f"Grounding changed recall by <b>{signed(now - was)}</b>; copying what was shown, word for word, would have changed it "
            f"by <b>{signed(copy - was)}</b>."
        )
    counts = part(lead, "counts") or {}
    exposed = (finite(counts.get("n11")) or 0) + (finite(counts.get("n10")) or 0)
    if exposed:
        beyond = finite(counts.get("n01")) or 0
        hidden = beyond + (finite(counts.get("n00")) or 0)
        told.append(
            f"Of {count(exposed)} names shown, the answers keep {percent(part(lead, 'utilisation'))}"
            + (
                f"; of {count(hidden)} not shown, they say {count(beyond)} all the same."
                if hidden
                else "; there is none that was not shown."
            )
        )
    return f'<p class="say">{" ".join(told)}</p>' if told else ""


def _strip(grounded: Mapping[str, Json], other: Mapping[str, Json] | None) -> Line:
    was, now, copy = recall(other), recall(grounded), ceiling(grounded)
    drawn = []
    if now is not None:
        start = 0.0 if was is None else min(was, now)
        drawn.append(marks.rect(0, start, 7, 16, "bare"))
        held = now if copy is None else min(now, max(copy, start))
        drawn.append(marks.rect(start, held, 7, 16, "kept"))
        drawn.append(marks.rect(held, now, 7, 16, "over"))
        if copy is not None and copy > now:
            drawn.append(marks.rect(now, copy, 7, 16, "lost"))
        if was is not None and was > now:
            drawn.append(marks.line(was, 3, was, 27, "was"))
    if copy is not None:
        drawn.append(marks.line(copy, 2, copy, 28, "ceiling"))
    gain = part(grounded, "gain", "symmetric", "mean")
    said = (
        f"{grounded.get('model')}: bare recall {number(was)}, grounded recall {number(now)}, copy ceiling {number(copy)}, "
        f"gain over copy {signed(gain)}"
    )
    return Line(called(grounded), "".join(drawn), plain(f"{number(was, 2)} → {number(now, 2)}"), said)


def _table(shown: list[tuple[Mapping[str, Json], Mapping[str, Json] | None]]) -> str:
    columns = [
        words_column("Model"),
        *(Column(head) for head in ("Questions", "Bare", "Grounded", "Uplift", "Copy ceiling", "Gain over copy")),
        Column("95 %", about="percentile bootstrap over questions"),
        Column("95 %, clustered", about="clusters resampled whole"),
    ]
    rows = []
    for each, other in shown:
        was, now = recall(other), recall(each)
        gain = part(each, "gain", "symmetric")
        rows.append(
            (
                called(each),
                count(each.get("n")),
                number(was),
                number(now),
                signed(None if was is None or now is None else now - was),
                number(ceiling(each)),
                signed(part(gain, "mean")),
                interval(part(gain, "ci95")),
                interval(part(gain, "ci_clustered")),
            )
        )
    return table("Recall, copy ceiling and gain by model (macro: mean over questions)", columns, rows)


def recall(cell: Mapping[str, Json] | None) -> float | None:
    return finite(part(cell, "recall", "macro"))


def ceiling(cell: Mapping[str, Json] | None) -> float | None:
    return finite(part(cell, "ceiling", "symmetric"))
