"""What a request wants: stored objects (retrieve), analysis (reason), or a document (author). An unsure choice takes the slower way,
where its probabilities may be trusted (specs/claims.md §8)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp, log

import numpy as np

from loom.core.claims.json_lines import values_of
from loom.core.claims.judging.asked import WAYS, Request
from loom.core.claims.judging.calibrating import Platt, out_of_fold, scaled
from loom.core.claims.judging.filing import Scoring
from loom.core.claims.judging.given import Way
from loom.core.claims.judging.regression import Linear, fit, linked
from loom.core.errors import BadInput

THRESHOLD = 0.6
FEWEST = 10
"""Examples of each way, below which nothing is learned."""

_WRITING = r"(?:write|draft|compose|prepare|author|produce|create|generate|make|put\s+together|turn\s+(?:this|it|that)\s+into|rewrite|redraft)"
_DOCUMENT = (
    r"(?:memo|report|letter|e-?mail|proposal|presentation|slides?|deck|brief|briefing|document|summary|one-pager|page|spec|specification|plan"
    r"|announcement|post|article|minutes|statement|handout|paper|newsletter|blog|note|faq|agenda|script|reply)s?"
)
_AUTHOR = (
    re.compile(
        rf"\A\W*(?:please\s+|now\s+|then\s+|(?:can|could|would|will)\s+you\s+(?:please\s+)?|i\s+(?:need|want)\s+you\s+to\s+|help\s+me\s+(?:to\s+)?|let\s+us\s+|let's\s+)*{_WRITING}\b",
        re.IGNORECASE,
    ),
    re.compile(rf"\b(?:i|we)\s+(?:need|want|would\s+like)\s+(?:an?|the)\s+(?:\w+\s+){{0,3}}{_DOCUMENT}\b", re.IGNORECASE),
    re.compile(rf"\b{_WRITING}\s+(?:me\s+|us\s+)?(?:an?|the|our)\s+(?:[\w-]+\s+){{0,4}}{_DOCUMENT}\b", re.IGNORECASE),
)
_REASON = (
    re.compile(
        r"\A\W*(?:why|how\s+(?:could|can|should|might|would|do\s+we)|should|would\s+it|what\s+(?:if|would|should|could))\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:compare|recommend\w*|evaluate|assess\w*|analy[sz]e|analysis|weigh|trade-?offs?|strateg\w+|implications?|implies|imply|best\s+(?:way|route|option|approach)"
        r"|pros\s+and\s+cons|risks?\s+of|advise|advice|prioriti[sz]e|justify|infer|conclude|likely|explain\s+why|what\s+follows|which\s+(?:option|of\s+the\w*)|better|worth)\b",
        re.IGNORECASE,
    ),
)


def by_words(request: Request) -> Way:
    """The way that the words of a request tell: a document is asked for, a judgement, else what is stored. The numbers are no
    probabilities, so that no threshold is used on them."""
    author = sum(pattern.search(request.text) is not None for pattern in _AUTHOR)
    reason = sum(pattern.search(request.text) is not None for pattern in _REASON)
    if request.artifact and re.match(
        r"\W*(?:shorten|expand|add|remove|rephrase|translate|change|update|replace)\b", request.text, re.I
    ):
        author += 1
    mass = [exp(each) for each in (1.0, 2.0 * reason, 3.0 * author)]
    told = [each / sum(mass) for each in mass]
    return Way(WAYS[told.index(max(told))], _named(told))


def slower(way: Way, threshold: float) -> Way:
    """The next slower way, where the one that was taken is less likely than a threshold; author has none."""
    at = WAYS.index(way.way)
    if dict(way.probabilities).get(way.way, 0.0) >= threshold or at + 1 == len(WAYS):
        return way
    return replace(way, way=WAYS[at + 1], escalated=True)


def read_requests(text: str) -> tuple[list[str], list[str]]:
    """Requests that persons labelled, and their labels: JSON lines with `text` and `label`; lines of another `kind` than request are passed
    over, so that the labels of an experiment will do. Raises BadInput."""
    texts: list[str] = []
    labels: list[str] = []
    for number, given in values_of(text, "requests"):
        if not isinstance(given, dict):
            raise BadInput(f"Line {number}: expected an object with text and label.", param="requests")
        if given.get("kind", "request") != "request":
            continue
        said, label = given.get("text"), given.get("label")
        if not isinstance(said, str) or not said.strip() or label not in WAYS:
            raise BadInput(f"Line {number}: expected a text, and a label among {', '.join(WAYS)}.", param="requests")
        texts.append(said)
        labels.append(label)
    return texts, labels


@dataclass(frozen=True, slots=True)
class Router:
    """A regression over vectors of requests, and the scaling of its first choice. `threshold` is used only while the calibration
    error is under its bar; otherwise the likeliest way is taken."""

    linear: Linear
    scaling: Platt
    threshold: float = THRESHOLD

    def route(self, vectors: np.ndarray) -> list[Way]:
        """The way of each vector. Below the threshold the next slower one is taken; author has none."""
        made = []
        for row in linked(self.linear.scores(vectors), "softmax").tolist():
            top = row.index(max(row))
            told = self._told(row, top)
            unsure = self.scaling.usable and told[top] < self.threshold and top + 1 < len(WAYS)
            made.append(Way(WAYS[top + unsure], _named(told), unsure, self.scaling.usable))
        return made

    def _told(self, row: Sequence[float], top: int) -> list[float]:
        """The probabilities: the first choice's as it was scaled, the others share the rest as they did."""
        first = self.scaling.of(_odds(row[top]))
        rest = 1.0 - row[top]
        return [first if at == top else (1.0 - first) * (each / rest if rest else 0.5) for at, each in enumerate(row)]


def learned(vectors: np.ndarray, labels: Sequence[str], threshold: float = THRESHOLD) -> Router:
    """A router from requests that persons labelled. Raises BadInput for a label outside WAYS, and where a way has fewer than FEWEST."""
    if not 0 <= threshold <= 1:
        raise BadInput(f"Expected a threshold from 0 to 1, but got {threshold}.", param="threshold")
    if unknown := sorted(set(labels) - set(WAYS)):
        raise BadInput(f"Expected labels among {', '.join(WAYS)}, but got {unknown[0]!r}.", param="labels")
    for way in WAYS:
        if labels.count(way) < FEWEST:
            raise BadInput(
                f"Expected at least {FEWEST} requests labelled {way}, but got {labels.count(way)}; label more.", param="labels"
            )
    right = np.array([WAYS.index(label) for label in labels])
    wanted = np.eye(len(WAYS))[right]

    def learn(kept: np.ndarray) -> Scoring:
        return Scoring(fit(vectors[kept], wanted[kept], "softmax"), vectors)

    told = linked(out_of_fold(learn, len(labels)), "softmax")
    tops = told.argmax(axis=1)
    odds = [_odds(row[top]) for row, top in zip(told.tolist(), tops.tolist(), strict=True)]
    scaling = scaled(odds, (tops == right).tolist())
    return Router(fit(vectors, wanted, "softmax"), scaling, threshold)


def _odds(probability: float) -> float:
    near = min(max(probability, 1e-6), 1 - 1e-6)
    return log(near / (1 - near))


def _named(told: Sequence[float]) -> tuple[tuple[str, float], ...]:
    return tuple((way, round(each, 6)) for way, each in zip(WAYS, told, strict=True))
