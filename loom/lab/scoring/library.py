"""The accounting for people who have their own retrieval and models: plain lists and data frames in, figures out.

from loom.lab import ceiling, decompose

items = [{"question": "What does fonio need?", "gold": ["Sand", "Sun"], "context": "…", "answer": "…"}]
print(ceiling(items))
print(decompose(items))
"""

from collections.abc import Iterable, Mapping
from typing import Any

from loom.core.errors import BadInput
from loom.core.exposure import READERS, Ceilings, CopyCeiling
from loom.core.exposure.ceiling import checked_matcher, found_in
from loom.core.values import tokens_of
from loom.lab.row import Row
from loom.lab.scoring.decomposition import Decomposition, decomposed
from loom.lab.scoring.records import ANSWER, CONTEXT, records, row_of
from loom.lab.scoring.scored import Scorer
from loom.lab.scoring.scores import Scores
from loom.lab.showing import visible

Items = Iterable[Mapping[str, Any]] | Any
"""A list of objects, or a pandas or polars frame with such columns."""


def ceiling(items: Items, matcher: str = "default") -> Ceilings:
    """The copy ceiling of contexts: what an answer that repeats all of them would score. No model is asked.

    An item has `question`, `gold` (the names that a full answer states) and `context` (the exact text that would be shown, or a
    list of texts); `id`, `gold_type` (all, or any where one name is enough), `template` and `domain` may be there. What is shown
    is the context and the question. The result prints as a table, has `macro`, `micro`, `symmetric`, `items` and `as_json()`.
    Raises BadInput.
    """
    checked_matcher(matcher)
    found, without = [], []
    for number, item in enumerate(records(items, CONTEXT), 1):
        row = row_of(item, number)
        question = row.question
        if not question.gold:
            without.append(question.id)
            continue
        exposed = found_in(question.titles, READERS[matcher](visible(row.messages)))
        size = tokens_of(str(row.messages[0]["content"]))
        found.append(
            CopyCeiling(question.id, question.titles, exposed, question.gold_type, question.template, question.domain, size)
        )
    if not found:
        raise BadInput(
            "Expected at least one item with gold, the names that a full answer states, but there is none.", param="gold"
        )
    return Ceilings(tuple(found), matcher, tuple(without))


def decompose(
    items: Items,
    matcher: str = "default",
    *,
    cluster: str = "domain",
    seed: int = 42,
    resamples: int = 10_000,
    confidence: float = 0.95,
) -> Decomposition:
    """What answers delivered of what they were shown: counts n11, n10, n01, n00, utilisation, omission, gain over copy.

    An item is as `ceiling` wants it, with `answer`; `model` and `arm` keep several apart, and each question has one item for each
    of them. `names` may list the names that its context shows, so that precision can be told. `cluster` says what is
    resampled together (domain, template, question, none); `resamples=0` leaves intervals out. The result prints as a table, has
    `cells`, `pooled`, `templates`, `domains`, `arm(name)` and `as_json()`. Scores of the lab are taken as they are.
    Raises BadInput.
    """
    how: dict[str, Any] = {"cluster": cluster, "seed": seed, "resamples": resamples, "confidence": confidence}
    if isinstance(items, Scores):
        return decomposed(items, **how)
    scores, scorer = Scores(matcher), Scorer(matcher)
    for number, item in enumerate(records(items, ANSWER), 1):
        row: Row = row_of(item, number)
        if row.question.gold:
            scores.add(scorer(row))
    if not len(scores):
        raise BadInput("Expected at least one item with gold and an answer, but there is none.", param="gold")
    return decomposed(scores.check(), **how)
