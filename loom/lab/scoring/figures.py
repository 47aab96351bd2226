"""The figures of a group of scored rows: counts first, then what is computed from them and from the rows' own means.

Macro is the mean over rows, micro the share over names; each is labelled and they are never mixed. Two estimands stand beside each
other: given an answer (empty ones are left out) and as a service (an empty answer scores 0).
"""

from dataclasses import dataclass

from loom.core.exposure.ceiling import Counts, share
from loom.core.values import Json
from loom.lab.scoring.attribution import Attribution

LOWER = 0.02
"""The share of answers cut at their allowance above which a row of a table is of lower confidence."""

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its percentile bootstrap intervals: of rows, and of whole clusters (None with fewer than two)."""

    mean: float | None
    ci95: Interval | None = None
    ci_clustered: Interval | None = None

    def as_json(self) -> dict[str, Json]:
        return {
            "mean": self.mean,
            "ci95": None if self.ci95 is None else list(self.ci95),
            "ci_clustered": None if self.ci_clustered is None else list(self.ci_clustered),
        }


@dataclass(frozen=True, slots=True)
class Micro:
    """What follows from the four counts alone. `compliant` is how many of n10 are alternatives that were not needed."""

    counts: Counts
    compliant: int = 0

    @property
    def without_compliant(self) -> float | None:
        """The omission rate that does not count what a right answer may leave out."""
        return share(self.counts.n10 - self.compliant, self.counts.exposed)

    def as_json(self) -> dict[str, Json]:
        counts = self.counts
        return {
            "counts": counts.as_json(),
            "items": counts.total,
            "utilisation": counts.utilisation,
            "unexposed_recovery": counts.unexposed_recovery,
            "omission": {
                "all": counts.omission,
                "without_compliant": self.without_compliant,
                "compliant": self.compliant,
            },
            "item": {"ceiling": counts.ceiling, "recall": counts.recall, "gain": counts.gain},
        }


@dataclass(frozen=True, slots=True)
class Flow:
    """Where the rows of a group went: every row is one of answered, empty, error, no_donor, no_block."""

    rows: int = 0
    answered: int = 0
    empty: int = 0
    errors: int = 0
    no_donor: int = 0
    no_block: int = 0
    truncated: int = 0
    retried: int = 0

    @property
    def asked(self) -> int:
        return self.answered + self.empty + self.errors

    @property
    def lower_confidence(self) -> bool:
        """Whether more than 2 % of the answers were cut at their allowance."""
        return self.truncated > LOWER * (self.answered + self.empty)

    def as_json(self) -> dict[str, Json]:
        return {name: getattr(self, name) for name in self.__slots__} | {
            "asked": self.asked,
            "missing": share(self.empty, self.answered + self.empty),
        }


@dataclass(frozen=True, slots=True)
class Service:
    """A group with its empty answers, each of which names nothing."""

    micro: Micro
    recall: float | None
    reference: Estimate
    symmetric: Estimate

    def as_json(self) -> dict[str, Json]:
        return {
            **self.micro.as_json(),
            "recall": self.recall,
            "gain": {"symmetric": self.symmetric.as_json(), "reference": self.reference.as_json()},
        }


@dataclass(frozen=True, slots=True)
class Figures:
    """A group of rows that have an answer and gold (`n` of them), and beside it the same as a service.

    `ceiling` and `symmetric` are macro ceilings of the two scorers, `recall` is macro and the same under both; `reference` and
    `gain` (symmetric) are recall less ceiling. `names` and `precision` count what answers name; `chars` is their mean length.
    """

    flow: Flow
    n: int
    micro: Micro
    ceiling: float | None
    symmetric: float | None
    recall: float | None
    gain: Estimate
    reference: Estimate
    service: Service
    names: float | None
    precision: float | None
    chars: float | None
    attribution: Attribution | None
    group: tuple[tuple[str, str], ...] = ()

    @property
    def counts(self) -> Counts:
        return self.micro.counts

    def as_json(self) -> dict[str, Json]:
        counts = self.counts
        return {
            **dict(self.group),
            "n": self.n,
            "flow": self.flow.as_json(),
            **self.micro.as_json(),
            "ceiling": {
                "macro": self.ceiling,
                "micro": counts.ceiling,
                "symmetric": self.symmetric,
                "reference": self.ceiling,
            },
            "recall": {"macro": self.recall, "micro": counts.recall, "symmetric": self.recall, "reference": self.recall},
            "gain": {"symmetric": self.gain.as_json(), "reference": self.reference.as_json(), "item": counts.gain},
            "names_per_answer": self.names,
            "precision": self.precision,
            "answer_chars": self.chars,
            "attribution": self.attribution.as_json() if self.attribution else None,
            "effectiveness": self.service.recall,
            "service": self.service.as_json(),
            "lower_confidence": self.flow.lower_confidence,
        }
