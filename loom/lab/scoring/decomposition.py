"""The decomposition of scored rows: counts and figures per model and arm, pooled, by template and by domain (seed 000, §10.3)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from loom.core.errors import BadInput
from loom.core.exposure.ceiling import Counts, share
from loom.core.values import Json
from loom.lab.row import ANSWERED, EMPTY, STATUSES
from loom.lab.scoring.attribution import Attribution
from loom.lab.scoring.estimating import Estimator
from loom.lab.scoring.figures import Figures, Flow, Micro, Service
from loom.lab.scoring.measures import Measures, measures
from loom.lab.scoring.scores import RETRIED, TRUNCATED, Scores

CLUSTERS = ("domain", "template", "question", "none")


@dataclass(frozen=True, slots=True)
class Decomposition:
    """`cells` is a group for each model and arm, `pooled` one for each arm, `templates` and `domains` one for each arm and name,
    all in the order in which the rows came."""

    matcher: str
    cluster: str
    seed: int
    resamples: int
    cells: tuple[Figures, ...]
    pooled: tuple[Figures, ...]
    templates: tuple[Figures, ...]
    domains: tuple[Figures, ...]

    def arm(self, arm: str) -> Figures:
        """An arm over all models. Raises BadInput for one that there is not."""
        found = next((each for each in self.pooled if dict(each.group)["arm"] == arm), None)
        if found is None:
            known = ", ".join(dict(each.group)["arm"] for each in self.pooled)
            raise BadInput(f"Expected an arm among {known}, but got {arm!r}.", param="arm")
        return found

    def as_json(self) -> dict[str, Json]:
        groups = ("cells", "pooled", "templates", "domains")
        return {
            "matcher": self.matcher,
            "cluster": self.cluster,
            "seed": self.seed,
            "resamples": self.resamples,
            **{name: [each.as_json() for each in getattr(self, name)] for name in groups},
        }

    def __str__(self) -> str:
        from loom.lab.scoring.tables import decomposition_lines

        return "\n".join(decomposition_lines(self))


def of_counts(counts: Counts, compliant: int = 0) -> Micro:
    """What follows from counts that somebody has already: utilisation, omission, the gain of an item. Raises BadInput."""
    if min(counts.n11, counts.n10, counts.n01, counts.n00, compliant) < 0 or compliant > counts.n10:
        raise BadInput("Expected counts of 0 or more, and no more compliant omissions than n10.", param="counts")
    return Micro(counts, compliant)


def decomposed(
    scores: Scores,
    *,
    cluster: str = "domain",
    seed: int = 42,
    resamples: int = 10_000,
    confidence: float = 0.95,
    beside: bool = False,
) -> Decomposition:
    """The decomposition of scores; with `beside` under the matcher that was counted beside theirs. `cluster` says which rows are
    resampled together; `resamples` 0 leaves intervals out. Raises BadInput."""
    if cluster not in CLUSTERS:
        raise BadInput(f"Expected cluster to be one of {', '.join(CLUSTERS)}, but got {cluster!r}.", param="cluster")
    if beside and scores.beside is None:
        raise BadInput("Expected rows that were scored under a second matcher; name one as beside.", param="matcher")
    question = scores.column("question")
    groups = {
        "domain": scores.column("domain")[question],
        "template": scores.column("template")[question],
        "question": question,
    }
    work = _Work(
        scores,
        measures(scores, beside=beside),
        Estimator(groups.get(cluster), seed, resamples, confidence),
        dict(scores.attributions()),
        scores.having(ANSWERED),
        scores.having(EMPTY),
    )
    arm, model = scores.column("arm"), scores.column("model")
    arms, models = scores.arms.words, scores.models.words
    everything = np.arange(len(scores))
    cells, pooled = [], []
    by: dict[str, list[Figures]] = {"template": [], "domain": []}
    for number, name in enumerate(arms):
        rows = everything[arm == number]
        pooled.append(work.figures(rows, arm=name))
        for one, told in enumerate(models):
            if len(some := rows[model[rows] == one]):
                cells.append(work.figures(some, arm=name, model=told))
        for kind, words in (("template", scores.templates.words), ("domain", scores.domains.words)):
            for one in sorted(range(len(words)), key=words.__getitem__):
                if words[one] and len(some := rows[groups[kind][rows] == one]):
                    by[kind].append(work.figures(some, arm=name, **{kind: words[one]}))
    matcher = scores.beside if beside and scores.beside else scores.matcher
    return Decomposition(
        matcher, cluster, seed, resamples, tuple(cells), tuple(pooled), tuple(by["template"]), tuple(by["domain"])
    )


@dataclass(frozen=True, slots=True)
class _Work:
    scores: Scores
    of: Measures
    estimate: Estimator
    cites: dict[int, Attribution]
    answered: np.ndarray
    empty: np.ndarray

    def figures(self, rows: np.ndarray, **group: str) -> Figures:
        """The figures of some rows (i64)."""
        scores, of = self.scores, self.of
        gold = ~np.isnan(of.recall[rows])
        answered = rows[gold & self.answered[rows]]
        served = rows[gold & (self.answered[rows] | self.empty[rows])]
        names, right = scores.names_told(answered)
        return Figures(
            self._flow(rows),
            len(answered),
            self._micro(answered),
            _mean(of.reference[answered]),
            _mean(of.symmetric[answered]),
            _mean(of.recall[answered]),
            self.estimate(of.recall - of.symmetric, answered),
            self.estimate(of.recall - of.reference, answered),
            Service(
                self._micro(served),
                _mean(of.recall[served]),
                self.estimate(of.recall - of.reference, served),
                self.estimate(of.recall - of.symmetric, served),
            ),
            _mean(names),
            share(int(right.sum()), int(names.sum())),
            _mean(scores.column("chars")[answered]),
            self._attribution(answered),
            tuple(group.items()),
        )

    def _micro(self, rows: np.ndarray) -> Micro:
        of = self.of
        counts = Counts(*(int(column[rows].sum()) for column in (of.n11, of.n10, of.n01, of.n00)))
        return Micro(counts, int(of.compliant[rows].sum()))

    def _flow(self, rows: np.ndarray) -> Flow:
        told = np.bincount(self.scores.column("status")[rows], minlength=len(STATUSES)).tolist()
        answered, empty, errors, no_donor, no_block = told
        marks = self.scores.column("marks")[rows]
        truncated, retried = int((marks & TRUNCATED > 0).sum()), int((marks & RETRIED > 0).sum())
        return Flow(len(rows), answered, empty, errors, no_donor, no_block, truncated, retried)

    def _attribution(self, rows: np.ndarray) -> Attribution | None:
        if not self.cites:
            return None
        found: Sequence[Attribution] = [self.cites[row] for row in rows.tolist() if row in self.cites]
        return sum(found, Attribution()) if found else None


def _mean(values: np.ndarray) -> float | None:
    return float(values.mean()) if len(values) else None
