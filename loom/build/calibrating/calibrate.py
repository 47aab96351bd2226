"""Fits the models of confidence and says how good they are on questions that no fit has seen.

Three fifths of the examples give the weights, a fifth maps scores to probabilities, a fifth is left to measure. Kinds count by
`MASS`, whatever their number, so that what is to be told apart weighs the same on both sides.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from loom.build.calibrating.general import apart_from, groups
from loom.build.calibrating.price import SERVED, price
from loom.build.calibrating.questions import Example, Maker
from loom.core.concepts import Concepts
from loom.core.generation import Generation
from loom.core.matching.default import DefaultLexicon
from loom.core.retrieval.confidence import Model
from loom.core.retrieval.fit import expected_error, logistic, reliability
from loom.core.retrieval.look import LEXICAL, NEAREST, SEMANTIC, Look, Near, Views, features, look, near_of, standings
from loom.core.retrieval.nearest import UnitVectors
from loom.core.retrieval.text import TextIndex
from loom.core.values import Concept, Json, Ref, Row

FEWEST = 12
"""Concepts below which nothing can be learned."""
PER_CONCEPT, MOST_MADE, MOST_GENERAL = 8, 2_400, 1_200

MASS = {
    "named": 0.25, "beside": 0.05, "paired": 0.05, "described": 0.65,
    "general": 0.45, "misplaced": 0.35, "invented": 0.1, "hidden name": 0.02, "hidden description": 0.03,
}  # fmt: skip

FALSE_ALARMS = {False: 0.06, True: 0.08}
"""The share of questions about something else at which the node may speak: where no everyday word of the question is a prominent
name, and where one is. General questions are harder on a gate than what a node is asked, names in the wrong place still more."""
ELSEWHERE = ("general", "misplaced")

PLACES = 6

Vectors = Callable[[Sequence[str]], np.ndarray]


@dataclass(frozen=True, slots=True)
class Seen:
    """An example as the model sees it: its features, and whether what would be served is what it is about."""

    kind: str
    features: tuple[float, ...]
    right: bool


def examples(concepts: Sequence[Concept], views: Views) -> list[Example]:
    """The questions of a calibration; empty for a corpus of which nothing can be learned. `concepts` is in the order of the rows."""
    if sum(not concept.deprecated for concept in concepts) < FEWEST:
        return []
    apart = apart_from(views.text)
    told = [question for questions in apart.values() for question in questions]
    made = min(MOST_MADE, PER_CONCEPT * len(concepts))
    every = max(1, math.ceil(len(told) / min(MOST_GENERAL, made)))
    found = list(Maker(concepts, told, views.text.everyday).some(made))
    return found + [Example("general", question) for question in told[::every]]


def of_attachment(generation: Generation, vectors: np.ndarray, embed: Vectors) -> dict[str, Json]:
    """`semantic` for a sealed generation; empty for one that has no texts to calibrate with."""
    concepts, lexicon, index = generation.part(Concepts), generation.part(DefaultLexicon), generation.part(TextIndex)
    if concepts is None or lexicon is None or index is None:
        return {}
    views = Views(lexicon, concepts.quality, index, concepts.title)
    return semantic([_concept(concepts, row) for row in range(concepts.count)], views, vectors, embed)


def _concept(concepts: Concepts, row: Row) -> Concept:
    """As much of a concept as questions are made from."""
    record = concepts.record(row)
    links = concepts.links(row)

    def refs(targets: Sequence[int]) -> tuple[Ref, ...]:
        return tuple(Ref(concepts.iri(target), concepts.title(target)) for target in targets)

    return Concept(
        record["iri"],
        record["title"],
        record.get("definition", ""),
        record.get("full", ""),
        parents=refs(links.parents),
        relations=tuple((concepts.predicates[kind], refs(targets)) for kind, targets in links.relations),
        deprecated=record.get("deprecated", False),
    )


def lexical(concepts: Sequence[Concept], views: Views) -> dict[str, Json] | None:
    """What the part `calibration` holds: the model without vectors and its measurements; None where nothing can be learned."""
    found = examples(concepts, views)
    seen = [each for example in found if (each := _seen(views, example, None)) is not None]
    if not _both(seen):
        return None
    left_out = sorted(groups().keys() - apart_from(views.text).keys())
    return {"version": 1, "left_out": left_out, "lexical": _learned(seen, LEXICAL)}


def semantic(concepts: Sequence[Concept], views: Views, vectors: np.ndarray, embed: Vectors) -> dict[str, Json]:
    """What `calibration.json` of an attachment holds: the model that reads vectors too; empty where nothing can be learned."""
    found = examples(concepts, views)
    if not found:
        return {}
    exact = UnitVectors(vectors)
    seen: list[Seen] = []
    asked: list[tuple[Example, np.ndarray]] = []
    for start in range(0, len(found), 64):
        some = found[start : start + 64]
        for example, vector in zip(some, embed([each.meaning for each in some]), strict=True):
            asked.append((example, vector))
            if (each := _seen(views, example, (exact, vector))) is not None:
                seen.append(each)
    if not _both(seen):
        return {}
    return {"version": 1, "semantic": _learned(seen, SEMANTIC), "recall": price(views, exact, asked)}


def _both(seen: Sequence[Seen]) -> bool:
    right = sum(each.right for each in seen)
    return FEWEST <= right <= len(seen) - FEWEST


def _seen(views: Views, example: Example, meaning: tuple[UnitVectors, np.ndarray] | None) -> Seen | None:
    shown = look(views, example.text, example.hidden)
    if not shown.words:
        return None
    near = None if meaning is None else _near(shown, example.hidden, *meaning)
    order = list(standings(shown, near))
    right = bool(example.gold.intersection(order[:SERVED]))
    return Seen(example.kind, features(views, shown, order, near), right)


def _near(seen: Look, hidden: frozenset[Row], exact: UnitVectors, vector: np.ndarray) -> Near:
    rows, cosines = exact.search(vector, NEAREST + len(hidden))
    kept = [(row, cosine) for row, cosine in zip(rows.tolist(), cosines.tolist(), strict=True) if row not in hidden]
    return near_of(seen, kept, lambda asked: exact.cosines(vector, asked))


def _learned(seen: Sequence[Seen], names: tuple[str, ...]) -> dict[str, Json]:
    """A model in JSON, with what was measured of it on examples that took no part in making it."""
    weights = _weights(seen)
    fitting = [at for at in range(len(seen)) if at % 5 < 3]
    mapping = [at for at in range(len(seen)) if at % 5 == 3]
    testing = [at for at in range(len(seen)) if at % 5 == 4]
    theta = [round(weight, PLACES) for weight in logistic(*_columns(seen, weights, fitting))]
    unscaled = Model(names, tuple(theta), (0.0, 1.0), 0.0, 0.0)
    rows, labels, mass = _columns(seen, weights, mapping)
    shift, slope = (round(value, PLACES) for value in logistic([(unscaled.score(row),) for row in rows], labels, mass))
    model = Model(names, tuple(theta), (shift, slope), 0.0, 0.0)
    named = names.index("everyday")
    elsewhere: dict[bool, list[tuple[float, float]]] = {True: [], False: []}
    for at in mapping + testing:
        if seen[at].kind in ELSEWHERE:
            elsewhere[seen[at].features[named] > 0].append((model.probability(seen[at].features), weights[at]))
    part, everyday = (round(_least(elsewhere[kind], FALSE_ALARMS[kind]) + 10**-PLACES, PLACES) for kind in (False, True))
    model = replace(model, part=part, everyday=max(part, everyday))
    rows, labels, mass = _columns(seen, weights, testing)
    said = [model.probability(row) for row in rows]
    return {
        "features": list(names),
        "weights": theta,
        "scale": [shift, slope],
        "part": model.part,
        "everyday": model.everyday,
        "measured": {
            "examples": {kind: sum(each.kind == kind for each in seen) for kind in MASS},
            "tested": len(testing),
            "ece": round(expected_error(said, labels, mass), 4),
            "reliability": [[round(value, 4) for value in part] for part in reliability(said, labels, mass)],
            "spoke": {
                kind: round(sum(found) / len(found), 4)
                for kind in MASS
                if (
                    found := [
                        probability >= model.bands(seen[at].features)[0]
                        for at, probability in zip(testing, said, strict=True)
                        if seen[at].kind == kind
                    ]
                )
            },
        },
    }


def _least(elsewhere: Sequence[tuple[float, float]], share: float) -> float:
    """The least probability that no more than this share of weighted questions reach."""
    allowed = share * math.fsum(weight for _, weight in elsewhere)
    for probability, weight in sorted(elsewhere, reverse=True):
        allowed -= weight
        if allowed < 0:
            return probability
    return 0.5


def _weights(seen: Sequence[Seen]) -> list[float]:
    counts: Mapping[str, int] = {kind: sum(each.kind == kind for each in seen) for kind in MASS}
    return [MASS[each.kind] / counts[each.kind] * len(seen) / 2 for each in seen]


def _columns(
    seen: Sequence[Seen], weights: Sequence[float], places: Sequence[int]
) -> tuple[list[tuple[float, ...]], list[bool], list[float]]:
    return [seen[at].features for at in places], [seen[at].right for at in places], [weights[at] for at in places]
