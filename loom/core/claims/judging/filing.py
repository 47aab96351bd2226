"""Which domains a text belongs to: several or none, with a threshold a domain (specs/claims.md §8)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from loom.core.claims.judging.calibrating import Platt, out_of_fold, scaled
from loom.core.claims.judging.given import Filed
from loom.core.claims.judging.likeness import near, terms_of, weights_of
from loom.core.claims.judging.regression import Linear, fit
from loom.core.claims.records import Domain
from loom.core.errors import BadInput

THRESHOLD = 0.1
"""How near a text has to be to a description, where nothing was learned."""
FEWEST = 5
"""Examples of a domain, and examples of others, below which it is not learned."""
NAMED = 0.3
"""What a text gains that has all terms of a domain's name."""


def by_description(
    texts: Sequence[str], domains: Sequence[Domain], thresholds: Mapping[str, float] | None = None
) -> list[Filed]:
    """Texts by what the descriptions of domains have in common with them; the numbers are no probabilities."""
    about = [terms_of(f"{each.name} {each.description}") for each in domains]
    names = [terms_of(each.name) for each in domains]
    weights = weights_of([f"{each.name} {each.description}" for each in domains])
    told = thresholds or {}
    made = []
    for text in texts:
        own = terms_of(text)
        scores = [
            (each.id, round(min(1.0, near(own, terms, weights) + NAMED * bool(name and name <= own)), 6))
            for each, terms, name in zip(domains, about, names, strict=True)
        ]
        kept = [(id, score) for id, score in scores if score >= told.get(id, THRESHOLD)]
        made.append(Filed(_best(kept), tuple(scores)))
    return made


@dataclass(frozen=True, slots=True)
class Filer:
    """One regression a domain, its scaling, and the probability from which a text is filed there."""

    domains: tuple[str, ...]
    linear: Linear
    scaling: tuple[Platt, ...]
    thresholds: tuple[float, ...]

    def file(self, vectors: np.ndarray) -> list[Filed]:
        """The domains of each vector."""
        made = []
        for row in self.linear.scores(vectors).tolist():
            told = [(id, round(scale.of(score), 6)) for id, scale, score in zip(self.domains, self.scaling, row, strict=True)]
            kept = [pair for pair, least in zip(told, self.thresholds, strict=True) if pair[1] >= least]
            made.append(Filed(_best(kept), tuple(told), all(scale.usable for scale in self.scaling)))
        return made


def learned(vectors: np.ndarray, labels: Sequence[frozenset[str]], domains: Sequence[str]) -> Filer:
    """A filer from texts that persons filed. The threshold of a domain makes its F1 largest on examples out of fold.

    Raises BadInput where a domain has fewer than FEWEST examples, or fewer than that have it not.
    """
    wanted = np.array([[float(domain in label) for domain in domains] for label in labels]).reshape(len(labels), len(domains))
    for domain, count in zip(domains, wanted.sum(axis=0).tolist(), strict=True):
        if count < FEWEST or len(labels) - count < FEWEST:
            raise BadInput(
                f"Expected at least {FEWEST} examples of {domain} and {FEWEST} of others, but it has {int(count)} of {len(labels)}; "
                "label more, or leave the domain out.",
                param="labels",
            )

    def learn(kept: np.ndarray) -> "Scoring":
        return Scoring(fit(vectors[kept], wanted[kept], "sigmoid"), vectors)

    scores = out_of_fold(learn, len(labels))
    scaling = tuple(scaled(column.tolist(), (want > 0).tolist()) for column, want in zip(scores.T, wanted.T, strict=True))
    thresholds = tuple(
        _threshold([scale.of(score) for score in column.tolist()], (want > 0).tolist())
        for scale, column, want in zip(scaling, scores.T, wanted.T, strict=True)
    )
    return Filer(tuple(domains), fit(vectors, wanted, "sigmoid"), scaling, thresholds)


@dataclass(frozen=True, slots=True)
class Scoring:
    """Scores rows of a table of vectors by weights that were learned from other rows."""

    linear: Linear
    vectors: np.ndarray

    def __call__(self, rows: np.ndarray) -> np.ndarray:
        return self.linear.scores(self.vectors[rows])


def _threshold(probabilities: Sequence[float], right: Sequence[bool]) -> float:
    """The probability from which F1 is largest; of several, the one nearest to a half."""
    found: list[tuple[float, float, float]] = []
    for least in sorted({0.5, *(round(each, 6) for each in probabilities)}):
        chosen = [each >= least for each in probabilities]
        both = sum(one and other for one, other in zip(chosen, right, strict=True))
        found.append((-2 * both / max(1, sum(chosen) + sum(right)), abs(least - 0.5), least))
    return min(found)[2]


def _best(scores: Sequence[tuple[str, float]]) -> tuple[str, ...]:
    return tuple(id for id, _ in sorted(scores, key=lambda each: (-each[1], each[0])))
