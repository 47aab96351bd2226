"""Repeated projections of a sample of a domain's claims: what makes a candidate a validated dimension, and what lets a small projector
place questions (seed 001 §5.3, §5.4).

The second run reads the same contract with its prototypes in the other order, so that a kept answer of a model is no second opinion of
itself; where another projector places questions, that one is held against it beside.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from loom.claims.axes import held
from loom.claims.drafting import Draft
from loom.claims.judges import Judges
from loom.core.claims.dimensions.dimension import Dimension
from loom.core.claims.dimensions.distilling import Distilled, distilled
from loom.core.claims.dimensions.judging import axis_of
from loom.core.claims.dimensions.positions import Positions
from loom.core.claims.dimensions.rules import DEFAULT, Rules
from loom.core.claims.dimensions.states import recorded
from loom.core.claims.dimensions.validation import Neighbour, Readings, validation
from loom.core.claims.judging.asked import Brief, Cited, Placing
from loom.core.claims.judging.calls import Call
from loom.core.claims.judging.rephrasing import rephrased
from loom.ports import Projecting

LINE = "upkeep"
REQUEST = "Say the source in other words. Keep every fact, number, name and negation; add nothing; write one sentence."
_MARK = re.compile(r"\s*\[\d+\]")


@dataclass(frozen=True, slots=True)
class Run:
    """One projector over a sample, and what a projection cost it; None where every answer was kept already."""

    readings: Readings
    price: float | None


async def run(draft: Draft, projector: Projecting, dimension: Dimension, texts: Sequence[str], *, turned: bool = False) -> Run:
    """Where a projector puts texts; `turned` shows it the prototypes in the other order."""
    contract = dimension.contract
    shown = replace(contract, prototypes=contract.prototypes[::-1]) if turned else contract
    axis = axis_of(shown)
    judged = await projector.project([Placing(axis, text) for text in texts])
    placed = draft.take(judged, LINE, dimension=dimension.id)
    codes, relevance = np.full(len(texts), np.nan), np.full(len(texts), np.nan)
    for at, each in enumerate(placed):
        value = held(contract, each)
        if value is not None:
            codes[at], relevance[at] = contract.space.code(value), each.relevance
    return Run(Readings(codes, relevance), _price(judged.calls, len(texts)))


async def paraphrases(draft: Draft, texts: Sequence[str], judges: Judges) -> list[str]:
    """The texts in other words: a model's where one writes artifacts, else by rules."""
    found = []
    for at, text in enumerate(texts):
        judged = await judges.rendering.render(Brief(REQUEST, "", (Cited(f"source-{at}", text),), "message"))
        written = draft.take(judged, LINE)
        if not judged.calls:
            return [rephrased(each) for each in texts]
        said = " ".join(_MARK.sub("", written.text.split("\n\nSources")[0]).split())
        found.append(said or rephrased(text))
    return found


async def validated(
    draft: Draft,
    dimension: Dimension,
    texts: Sequence[str],
    others: Sequence[str],
    active: Sequence[Dimension],
    places: Positions,
    judges: Judges,
    rules: Rules = DEFAULT,
) -> Dimension:
    """A candidate with its record, validated where that meets the criteria. `others` are the texts in other words, `places` where the
    active dimensions have them."""
    runs = [
        await run(draft, judges.projecting, dimension, texts),
        await run(draft, judges.projecting, dimension, texts, turned=True),
    ]
    names = [type(judges.projecting).__name__, f"{type(judges.projecting).__name__}, prototypes turned"]
    if _apart(judges) and judges.queries is not None:
        runs.append(await run(draft, judges.queries, dimension, texts))
        names.append(type(judges.queries).__name__)
    changed = await run(draft, judges.projecting, dimension, others)
    near = [
        Neighbour(each.contract.name, each.contract.space, Readings(places.codes[:, at], places.relevance[:, at]))
        for at, each in enumerate(active)
    ]
    record = validation(
        dimension.contract.space,
        [each.readings for each in runs],
        changed.readings,
        near,
        version=dimension.version,
        projectors=names,
        at=draft.at,
        rules=rules,
    )
    return recorded(dimension, record)


async def distillation(
    draft: Draft, dimension: Dimension, texts: Sequence[str], judges: Judges, rules: Rules = DEFAULT
) -> Distilled | None:
    """Whether the projector of questions may stand in for the large one; None where that cannot be told: there is none, the sample is
    too small, or no answer was paid for."""
    if judges.queries is None or not rules.minimum <= len(texts) <= rules.sample:
        return None
    large = await run(draft, judges.projecting, dimension, texts)
    if not _apart(judges):
        # What places claims places questions: there is nothing to stand in for, and no second price.
        return distilled(dimension.contract.space, large.readings, large.readings, (0.0, 1.0), rules)
    small = await run(draft, judges.queries, dimension, texts)
    if small.price is None or large.price is None:
        return None
    prices = (small.price, large.price)
    if large.price == 0.0:  # what costs nothing needs no stand-in that costs something
        prices = (1.0 if small.price else 0.0, 1.0)
    return distilled(dimension.contract.space, small.readings, large.readings, prices, rules)


def _apart(judges: Judges) -> bool:
    return judges.queries is not judges.projecting


def _price(calls: Sequence[Call], projections: int) -> float | None:
    if not calls:
        return 0.0
    paid = [call.price for call in calls if not call.cached]
    return sum(paid) / len(paid) if paid and projections else None
