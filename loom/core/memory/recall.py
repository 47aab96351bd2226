"""What a question is given of a conversation, and whether anything is to be said at all."""

from dataclasses import dataclass

import numpy as np

from loom.core.memory.asking import Asked, asked
from loom.core.memory.finding import Floats, Found, found
from loom.core.memory.people import Names
from loom.core.memory.policy import Recalls
from loom.core.memory.ranking import Ranker, bm25
from loom.core.memory.values import NOTHING, UNSURE, Hit, Ints, Recall, View


@dataclass(frozen=True, slots=True)
class Ranked:
    """Pieces that fit a question, best first, before it is decided how many are taken. `turn`, `who` (a place in `subjects`),
    `score` and `cover` are columns; `others` is the most that a piece of somebody else covers, 0 where nobody is asked about."""

    question: Asked
    turn: Ints
    who: Ints
    subjects: tuple[str, ...]
    score: Floats
    cover: Floats
    others: float = 0.0


def recall(view: View, question: str, recalls: Recalls, names: Names | None = None) -> Recall:
    """The best pieces of whom a question asks about, or of all where it names nobody that is known."""
    names = names or Names(view.people())
    return decided(ranked(view, asked(question, names, named=recalls.named, several=recalls.several), recalls), recalls)


def ranked(view: View, question: Asked, recalls: Recalls, rank: Ranker = bm25, *, whole: bool = False) -> Ranked:
    """The pieces that fit, ties in order of turn. `whole` says that pieces are whole turns: one of nobody is found, too, and one of
    several once."""
    pieces = found(view, question.every if recalls.common else question.focus, question.focus)
    scores = rank(pieces, view.size(), recalls)
    scoped = recalls.scope and bool(question.subjects)
    mine = pieces.of(question.subjects) if scoped else pieces.once() if whole else pieces.somebodys
    cover = pieces.cover_of_turns() if recalls.whole else pieces.cover()
    best = top(np.where(mine, scores, 0.0), recalls.most)
    others = _others(pieces, cover, question.subjects) if question.subjects else 0.0
    return Ranked(question, pieces.turn[best], pieces.who[best], pieces.subjects, scores[best], cover[best], others)


def decided(ranking: Ranked, recalls: Recalls) -> Recall:
    """The first `k`, how sure they are, and whether that is enough.

    The confidence is the most that one of them covers; where a piece of somebody else covers more, what it covers more is taken off
    (specs/memory.md §7): what is asked was said, but of another.
    """
    k = min(recalls.k, len(ranking.turn))
    hits = tuple(
        Hit(int(ranking.turn[at]), ranking.subjects[ranking.who[at]], float(ranking.score[at]), float(ranking.cover[at]))
        for at in range(k)
    )
    confidence = sure(float(ranking.cover[:k].max()) if k else 0.0, ranking.others, recalls.contrast)
    silent = NOTHING if not hits else UNSURE if confidence < recalls.floor else ""
    return Recall(hits, ranking.question.subjects, ranking.question.focus, confidence, silent)


def sure(cover: float, others: float, contrast: float) -> float:
    """The confidence of hits that cover so much, where somebody else's pieces cover `others`."""
    return max(cover - contrast * max(0.0, others - cover), 0.0)


def top(scores: Floats, k: int) -> Ints:
    """The places of the best scores above zero, best first, ties in order of place."""
    places = np.flatnonzero(scores > 0)
    if len(places) > k:
        least = np.partition(scores[places], len(places) - k)[len(places) - k]
        places = places[scores[places] >= least]
    best: Ints = places[np.argsort(-scores[places], kind="stable")][:k]
    return best


def _others(pieces: Found, cover: Floats, subjects: tuple[str, ...]) -> float:
    """The most that a piece of somebody else covers."""
    others = pieces.somebodys & ~pieces.of(subjects)
    return float(cover[others].max()) if others.any() else 0.0
