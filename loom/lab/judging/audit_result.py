"""What an audit says: confusion of cell and label, precision of credit, what the matcher missed, and the corrected rate, each under
every rule of citing and reading of what stayed unresolved (seed 000 §10.2)."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from loom.core.values import Json
from loom.lab.judging.auditing import CONCEDED, FIRST, MISQUOTED, REPAIRED, UNREADABLE
from loom.lab.judging.relation import ABSENT, LABELS
from loom.lab.judging.units import CELLS
from loom.lab.judging.verdicts import AS_RUN, READINGS, RULES, WORD, Verdict
from loom.lab.statistics import Stratum, WeightedRate, weighted_rate, wilson

CORRECT = "correct_relation"
NAMED = ("name_only", "wrong_relation", "reversed")

Test = Callable[[Verdict, str, str], bool]


def rate(successes: int, n: int) -> dict[str, Json]:
    """A share with its Wilson interval; null where there is nothing to share."""
    return {
        "k": successes,
        "n": n,
        "rate": successes / n if n else None,
        "ci95": list(wilson(successes, n)) if n else None,
    }


def shared(verdicts: Iterable[Verdict], rule: str, reading: str, test: Test) -> dict[str, Json]:
    """The share of verdicts that pass a test, of those that the reading leaves in."""
    left = [verdict for verdict in verdicts if verdict.read(rule, reading) is not None]
    return rate(sum(test(verdict, rule, reading) for verdict in left), len(left))


def labelled(*labels: str) -> Test:
    return lambda verdict, rule, reading: verdict.read(rule, reading) in labels


def _omission(verdict: Verdict, rule: str, reading: str) -> bool:
    return verdict.read(rule, reading) == ABSENT and not verdict.substitutes(rule, reading)


def _substituted(verdict: Verdict, rule: str, reading: str) -> bool:
    return verdict.substitutes(rule, reading)


OMISSIONS: dict[str, Test] = {
    "asserted": labelled(CORRECT),
    "true_omission": _omission,
    "named": labelled(*NAMED),
    "negated": labelled("negated"),
    "substituted": _substituted,
}
"""What the matcher's exposed omissions turn out to be."""


def result_of(
    verdicts: Sequence[Verdict], frame: Mapping[str, int], *, seed: int = 42, resamples: int = 10_000
) -> dict[str, Json]:
    """Everything that is computed from verdicts and the counts of their frame; no model is asked."""
    cells = {cell: [verdict for verdict in verdicts if verdict.cell == cell] for cell in CELLS}
    credited = cells["n11"]
    return {
        "units": len(verdicts),
        "frame": dict(frame),
        "sample": {cell: len(found) for cell, found in cells.items()},
        "confusion": {cell: confusion(found) for cell, found in cells.items()},
        "confusion_resolved": {cell: confusion(found, resolved=True) for cell, found in cells.items()},
        "quotes": {"all": quotes(verdicts), **{cell: quotes(found) for cell, found in cells.items()}},
        "readings": {
            rule: {reading: _reading(cells, frame, rule, reading, seed, resamples) for reading in READINGS} for rule in RULES
        },
        "credited": {label: shared(credited, AS_RUN, WORD, labelled(label)) for label in LABELS},
        "by_template": _by(credited, lambda verdict: verdict.template),
        "by_gold_type": _by(credited, lambda verdict: verdict.gold_type),
        "by_model": _by(credited, lambda verdict: verdict.model),
    }


def confusion(verdicts: Iterable[Verdict], *, resolved: bool = False) -> dict[str, int]:
    """How many verdicts have each label: as judged, or with what stayed unresolved apart."""
    found = dict.fromkeys((*LABELS, "unresolved"), 0)
    for verdict in verdicts:
        out = verdict.label is None or (resolved and not verdict.resolved)
        found["unresolved" if out else str(verdict.label)] += 1
    return found


def quotes(verdicts: Iterable[Verdict]) -> dict[str, int]:
    """What became of the citations that were due: those of verdicts other than absent."""
    due = [verdict for verdict in verdicts if verdict.label != ABSENT]
    repaired = [verdict for verdict in due if verdict.citation == REPAIRED]
    return {
        "due": len(due),
        "first": sum(verdict.citation == FIRST for verdict in due),
        "repaired": len(repaired),
        "repaired_verbatim": sum(verdict.quotes.verbatim for verdict in repaired),
        "repaired_normalised_only": sum(not verdict.quotes.verbatim for verdict in repaired),
        "conceded": sum(verdict.citation == CONCEDED for verdict in due),
        "misquoted": sum(verdict.citation == MISQUOTED for verdict in due),
        "unreadable": sum(verdict.citation == UNREADABLE for verdict in due),
        "unresolved": sum(not verdict.resolved for verdict in due),
    }


def _reading(
    cells: Mapping[str, Sequence[Verdict]], frame: Mapping[str, int], rule: str, reading: str, seed: int, resamples: int
) -> dict[str, Json]:
    correct = labelled(CORRECT)
    return {
        "precision_of_credit": shared(cells["n11"], rule, reading, correct),
        "hidden_correct": shared(cells["n00"], rule, reading, correct),
        "credit_beyond_exposure": shared(cells["n01"], rule, reading, correct),
        "omitted": {name: shared(cells["n10"], rule, reading, test) for name, test in OMISSIONS.items()},
        "corrected": corrected(cells, frame, rule, reading, seed, resamples),
    }


def corrected(
    cells: Mapping[str, Sequence[Verdict]], frame: Mapping[str, int], rule: str, reading: str, seed: int, resamples: int
) -> dict[str, Json] | None:
    """The corrected rate R = (N11·p11 + N10·p10) / (N11 + N10): how often an answer asserts an exposed item, estimated from the two
    judged rates; its intervals by a bootstrap that draws clusters within each stratum. None where a stratum has no verdict."""
    strata: list[list[Verdict]] = [
        [verdict for verdict in cells[cell] if verdict.read(rule, reading) is not None] for cell in ("n11", "n10")
    ]
    sizes = [frame.get("n11", 0), frame.get("n10", 0)]
    pairs = [(size, found) for size, found in zip(sizes, strata, strict=True) if size]
    if not pairs or not all(found for _, found in pairs):
        return None

    def over(cluster: Callable[[Verdict], str]) -> WeightedRate:
        return weighted_rate(
            [
                Stratum(
                    size,
                    [float(verdict.read(rule, reading) == CORRECT) for verdict in verdicts],
                    [cluster(verdict) for verdict in verdicts],
                )
                for size, verdicts in pairs
            ],
            seed=seed,
            resamples=resamples,
        )

    by_question, by_model = over(lambda verdict: verdict.question), over(lambda verdict: verdict.model)
    lexical = sizes[0] / sum(sizes)
    bounds = [wilson(sum(each.read(rule, reading) == CORRECT for each in found), len(found)) for _, found in pairs]
    naive = [sum(size * own[end] for (size, _), own in zip(pairs, bounds, strict=True)) / sum(sizes) for end in (0, 1)]
    return {
        "rate": by_question.rate,
        "ci95_by_question": by_question.as_json()["ci"],
        "ci95_by_model": by_model.as_json()["ci"],
        "question_clusters": [len({verdict.question for verdict in found}) for found in strata],
        "model_clusters": [len({verdict.model for verdict in found}) for found in strata],
        "lexical": lexical,
        "difference": by_question.rate - lexical,
        "wilson_combined": naive,
    }


def _by(verdicts: Sequence[Verdict], name: Callable[[Verdict], str]) -> dict[str, Json]:
    """Precision of credit by a member, verdicts at their word."""
    groups = sorted({name(verdict) for verdict in verdicts})
    return {
        group: shared([each for each in verdicts if name(each) == group], AS_RUN, WORD, labelled(CORRECT)) for group in groups
    }
