"""How far judges agree, and what the relational audit made of the names that were credited."""

from collections.abc import Mapping

from loom.core.values import Json
from loom.lab.report import marks
from loom.lab.report.axis import SHARES
from loom.lab.report.figure import Figure, Results
from loom.lab.report.figures.more import cells_as_table
from loom.lab.report.results import objects, part
from loom.lab.report.rows import Line, chart, key
from loom.lab.report.table import Column, folded, table, words_column
from loom.lab.report.words import count, finite, interval, name, number, plain

VERDICTS = (
    ("correct_relation", "kept", "correct relation"),
    ("name_only", "bare", "name only"),
    ("wrong_relation", "lost", "wrong relation"),
    ("reversed", "lost2", "reversed"),
    ("negated", "over", "negated"),
    ("absent", "gone1", "absent"),
    ("unresolved", "gone2", "unresolved"),
)


def reliability(results: Results) -> Figure | None:
    judges = objects(results, "judges")
    if not judges:
        return None
    lines = [_judge(each) for each in judges]
    return Figure(
        "judges",
        "Judges",
        "How far the judges agree",
        "For every pair of judges the share of answers that got the same score (filled), that lie within one point (hollow), and "
        "Cohen's κ, agreement beyond chance (line).",
        "Judges that agree may share a mistake: only people reading the answers can tell.",
        key([("dot point", "same score"), ("dot hollow", "within one point"), ("line ceiling", "κ, weighted where stated")])
        + chart(SHARES, lines, under="share; κ below zero is drawn at zero"),
        ("judges",),
        folded(
            "Table",
            table(
                "Reliability of judges",
                [
                    words_column("Judges"),
                    Column("n"),
                    Column("Same score"),
                    Column("Within one"),
                    Column("κ"),
                    Column("κ, weighted", about="quadratic weights"),
                    Column("Mean of the first"),
                    Column("Mean of the second"),
                ],
                (
                    (
                        _pair(each),
                        count(each.get("n")),
                        number(each.get("agreement")),
                        number(each.get("within_one")),
                        number(each.get("kappa")),
                        number(each.get("kappa_weighted")),
                        number(part(each, "means", "a"), 2),
                        number(part(each, "means", "b"), 2),
                    )
                    for each in judges
                ),
            ),
        ),
    )


def _pair(each: Mapping[str, Json]) -> str:
    return f"{name(each.get('a'))} · {name(each.get('b'))}"


def _judge(each: Mapping[str, Json]) -> Line:
    same, near, kappa = finite(each.get("agreement")), finite(each.get("within_one")), finite(each.get("kappa"))
    drawn = ""
    if kappa is not None:
        drawn += marks.line(SHARES.at(kappa), 3, SHARES.at(kappa), 23, "ceiling")
    if near is not None:
        drawn += marks.dot(near, 13, 4, "hollow")
    if same is not None:
        drawn += marks.dot(same, 13, 4.5, "point")
    value = f"{number(same, 2)} same · κ {number(kappa, 2)}"
    said = f"{each.get('a')} and {each.get('b')}: same score {number(same)}, κ {number(kappa)}, {count(each.get('n'))} answers"
    return Line(_pair(each), drawn, plain(value), said)


def audit(results: Results) -> Figure | None:
    """The confusion of matcher cell and verdict, and the corrected rate with its intervals."""
    stated = results.get("audit")
    if not isinstance(stated, Mapping) or not stated:
        return None
    strata = [(cell, counts) for cell, counts in (part(stated, "confusion") or {}).items() if isinstance(counts, Mapping)]
    lines = [_stratum(cell, counts) for cell, counts in strata if any(finite(value) for value in counts.values())]
    readings = part(stated, "readings", "as_run") or {}
    rest = {name: value for name, value in stated.items() if name not in ("confusion", "readings")}
    return Figure(
        "audit",
        "Audit",
        "Is a name that counts also right?",
        "Sampled items by what the matcher says of them (n11 shown and said, n10 shown only, n01 said only, n00 neither) and what the "
        "judge of relations found in the answer.",
        "The judge is a model; a human pass may move these shares.",
        _corrected(readings)
        + (
            key([(kind, words) for _, kind, words in VERDICTS]) + chart(SHARES, lines, under="share of the sample")
            if lines
            else ""
        ),
        ("audit",),
        folded("Table", _confusion(strata) + _readings(readings) + cells_as_table("Further figures of the audit", rest)),
    )


def _corrected(readings: Mapping[str, Json]) -> str:
    rate = part(readings, "at_its_word", "corrected")
    if finite(part(rate, "rate")) is None:
        return ""
    return (
        f'<p class="say">Corrected for what the matcher gets wrong, exposed names are asserted at a rate of '
        f"<b>{number(part(rate, 'rate'), 4)}</b> {interval(part(rate, 'ci95_by_question'), sign=False)}, against "
        f"{number(part(rate, 'lexical'), 4)} by the matcher alone.</p>"
    )


def _readings(readings: Mapping[str, Json]) -> str:
    """The corrected rate under the three readings of what stayed unresolved."""
    if not readings:
        return ""
    return table(
        "The same under each reading of unresolved verdicts",
        [
            words_column("Reading"),
            Column("Precision of credit"),
            Column("Corrected rate"),
            Column("95 % by question"),
            Column("95 % by model"),
        ],
        (
            (
                name(reading.replace("_", " ")),
                number(part(stated, "precision_of_credit", "rate"), 4),
                number(part(stated, "corrected", "rate"), 4),
                interval(part(stated, "corrected", "ci95_by_question"), sign=False),
                interval(part(stated, "corrected", "ci95_by_model"), sign=False),
            )
            for reading, stated in readings.items()
        ),
    )


def _stratum(cell: str, counts: Mapping[str, Json]) -> Line:
    total = sum(finite(counts.get(member)) or 0.0 for member, _, _ in VERDICTS)
    at, drawn = 0.0, []
    for member, kind, words in VERDICTS:
        width = (finite(counts.get(member)) or 0.0) / total if total else 0.0
        drawn.append(marks.rect(at, at + width, 5, 16, f"{kind} part", title=f"{words}: {count(counts.get(member))}"))
        at += width
    right = finite(counts.get("correct_relation")) or 0.0
    said = f"{cell}: {count(right)} of {count(total)} hold the relation asked for"
    return Line(name(cell), "".join(drawn), plain(f"{count(right)} of {count(total)}"), said)


def _confusion(strata: list[tuple[str, Mapping[str, Json]]]) -> str:
    if not strata:
        return ""
    return table(
        "Matcher cell against verdict",
        [words_column("Cell"), *(Column(words) for _, _, words in VERDICTS)],
        ((name(cell), *(count(counts.get(member)) for member, _, _ in VERDICTS)) for cell, counts in strata),
    )
