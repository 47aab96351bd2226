"""Contrasts between arms, family by family, the primary one first: forest plots, and a table with the exact tests."""

from collections.abc import Mapping, Sequence

from loom.core.values import Json
from loom.lab.report import marks
from loom.lab.report.axis import Axis, around_zero
from loom.lab.report.figure import Figure, Results
from loom.lab.report.figures.gain import spans
from loom.lab.report.results import LOWER, mappings, objects, part
from loom.lab.report.rows import Line, chart, key
from loom.lab.report.table import Column, folded, table, words_column
from loom.lab.report.words import count, ends, finite, interval, name, number, plain, probability, signed

GIVEN = "given an answer"
LEGEND = (
    ("dot point", "mean difference, given an answer"),
    ("span", "95 % interval, clusters resampled"),
    ("soft", "95 % interval, questions resampled"),
    ("dot hollow", "as a service: an empty answer scores 0"),
)


def draw(results: Results) -> Figure | None:
    return _figure(
        "contrasts",
        "Contrasts",
        "Arm against arm",
        "The mean paired difference between two arms over the same questions and model; bold where the exact test holds after Holm's "
        "correction within its family.",
        "An interval over zero does not establish that two arms are equal, and a lexical outcome does not establish quality.",
        objects(results, "contrasts"),
        ("contrasts",),
    )


def common(results: Results) -> Figure | None:
    found = part(results, "common", "contrasts")
    counts = part(results, "common", "questions") or {}
    told = ", ".join(f"{count(n)} with {model}" for model, n in sorted(counts.items())[:4])
    return _figure(
        "common",
        "Common questions",
        "Arm against arm, on the common questions",
        "The same contrasts over only those questions that every arm answered" + (f" ({told})." if told else "."),
        "Questions that any arm left empty are out, and they may be the harder ones.",
        mappings(found),
        ("common",),
    )


def _figure(
    id: str,
    short: str,
    title: str,
    caption: str,
    limits: str,
    contrasts: Sequence[Mapping[str, Json]],
    members: tuple[str, ...],
) -> Figure | None:
    if not contrasts:
        return None
    groups: dict[tuple[str, str], list[Mapping[str, Json]]] = {}
    for each in contrasts:
        groups.setdefault((str(each.get("family")), str(each.get("outcome"))), []).append(each)
    ordered = sorted(groups.items(), key=lambda group: group[0][0] != "primary")
    parts = [_family(family, outcome, found) for (family, outcome), found in ordered]
    lead, more = parts[0], parts[1:]
    return Figure(
        id,
        short,
        title,
        caption,
        limits,
        key(LEGEND) + lead + (folded(f"{len(more)} more" if len(more) > 1 else "One more", "".join(more)) if more else ""),
        members,
        folded("Table", _table(contrasts)),
    )


def _family(family: str, outcome: str, contrasts: Sequence[Mapping[str, Json]]) -> str:
    given = [each for each in contrasts if each.get("estimand") == GIVEN]
    service = {_who(each): each for each in contrasts if each.get("estimand") != GIVEN}
    axis = around_zero(
        [
            value
            for each in contrasts
            for value in (each.get("mean"), *(ends(each.get("ci95")) or ()), *(ends(each.get("ci_clustered")) or ()))
        ]
    )
    unit = "difference in judged score (0 to 5)" if outcome == "judged" else "difference in recall"
    drawn: list[str] = []
    pairs: dict[tuple[str, str], list[Mapping[str, Json]]] = {}
    for each in given:
        pairs.setdefault((str(each.get("a")), str(each.get("b"))), []).append(each)
    for (a, b), found in pairs.items():
        lines = [_line(axis, each, service.get(_who(each))) for each in found]
        drawn.append(f"<h5>{name(a)} − {name(b)}</h5>{chart(axis, lines, under=unit, zero=True)}")
    return f"<h4>{name(family)} · {name(outcome)}</h4>{''.join(drawn)}"


def _who(each: Mapping[str, Json]) -> tuple[str, str, str]:
    return str(each.get("a")), str(each.get("b")), str(each.get("model"))


def _line(axis: Axis, each: Mapping[str, Json], service: Mapping[str, Json] | None) -> Line:
    mean, inner, outer = finite(each.get("mean")), ends(each.get("ci95")), ends(each.get("ci_clustered"))
    drawn = spans(axis, inner, outer)
    other = finite(part(service, "mean"))
    if other is not None and mean is not None and abs(other - mean) > 5e-4:
        drawn += marks.dot(axis.at(other), 13, 4, "hollow")
    if mean is not None:
        drawn += marks.dot(axis.at(mean), 13, 4.5, "point")
    shown = each.get("ci_clustered") if outer else each.get("ci95")
    holm = finite(each.get("p_holm"))
    said = (
        f"{each.get('a')} less {each.get('b')}, {each.get('model')}: {signed(mean)}, 95 % interval {interval(shown)}, "
        f"Holm-corrected p {probability(holm)}, {count(each.get('n'))} questions"
    )
    mark = LOWER if each.get("lower_confidence") else ""
    value = plain(f"{signed(mean)} {interval(shown)}")
    return Line(name(each.get("model")) + mark, drawn, value, said, holm is not None and holm < 0.05)


def _table(contrasts: Sequence[Mapping[str, Json]]) -> str:
    columns = [
        words_column("Contrast"),
        words_column("Family"),
        words_column("Outcome"),
        words_column("Model"),
        words_column("Estimand"),
        Column("n"),
        Column("Mean"),
        Column("95 %", about="percentile bootstrap over questions"),
        Column("95 %, clustered", about="clusters resampled whole"),
        Column("p, exact", about="two-sided conditional signed-rank, zeros dropped"),
        Column("p, Holm", about="corrected within the family"),
        Column("r", about="matched-pairs rank-biserial correlation"),
        Column("Wins"),
        Column("Losses"),
        Column("Ties"),
    ]
    return table(
        "Contrasts with exact tests",
        columns,
        (
            (
                f"{name(each.get('a'))} − {name(each.get('b'))}",
                name(each.get("family")),
                name(each.get("outcome")),
                name(each.get("model")) + (LOWER if each.get("lower_confidence") else ""),
                plain(each.get("estimand")),
                count(each.get("n")),
                signed(each.get("mean"), 4),
                interval(each.get("ci95")),
                interval(each.get("ci_clustered")),
                probability(each.get("p_exact")),
                probability(each.get("p_holm")),
                number(each.get("rank_biserial")),
                count(each.get("wins")),
                count(each.get("losses")),
                count(each.get("ties")),
            )
            for each in contrasts
        ),
    )
