"""What a question is given of a conversation, and whether anything is to be said at all."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import log

import numpy as np

from loom.core.memory.asking import Asked, asked
from loom.core.memory.finding import FEW, Floats, Found, Truths, found
from loom.core.memory.people import Names
from loom.core.memory.policy import Recalls
from loom.core.memory.ranking import Ranker, bm25
from loom.core.memory.timing import fits, times_in
from loom.core.memory.unfiled import with_names, with_unfiled
from loom.core.memory.values import NOTHING, UNSURE, Hit, Ints, Piece, Recall, Said, View


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
    read = asked(question, names, named=recalls.named, several=recalls.several, timed=recalls.timed)
    return decided(ranked(view, read, recalls), recalls)


def ranked(view: View, question: Asked, recalls: Recalls, rank: Ranker = bm25, *, whole: bool = False) -> Ranked:
    """The pieces that fit, ties in order of turn. `whole` says that pieces are whole turns: one of nobody is found, too, and one of
    several once."""
    terms = question.every if recalls.common else question.focus
    pieces = found(view, terms, question.focus, inflected=recalls.inflected)
    theirs = pieces.of(question.subjects)
    if question.required and not question.subjects:
        pieces, theirs = with_names(view, pieces, question.required)
    elif question.required and not pieces.anywhere(question.required):
        pieces, theirs = replace(pieces, focus=pieces.focus * 0.0), theirs & False
    if recalls.scope and recalls.unfiled and question.subjects:
        pieces, theirs = with_unfiled(view, pieces, question.subjects)
    scores = rank(pieces, view.size(), recalls)
    scoped = recalls.scope and bool(question.subjects)
    mine = theirs if scoped or question.required else pieces.once() if whole else pieces.somebodys
    cover = pieces.cover_of_turns() if recalls.whole else pieces.cover(answering=recalls.answering)
    best = top(np.where(mine, scores, 0.0), recalls.most)
    others = _others(pieces, cover, theirs) if question.subjects else best[:0]
    most = float(cover[others].max()) if len(others) else 0.0
    fitting = Ranked(question, pieces.turn[best], pieces.who[best], pieces.subjects, scores[best], cover[best], most)
    return _timed(view, pieces, fitting, others) if question.times else fitting


def _timed(view: View, pieces: Found, ranking: Ranked, others: Ints) -> Ranked:
    """The same with the time that is asked about as one more thing to cover, as rare as a word said in one turn alone. A piece is of
    the day of its turn and of the dates that it names."""
    weight, total = log((max(view.size().turns, FEW) + 1) / 2), float(pieces.focus.sum())
    whole = total + weight or 1.0
    same = timely(view, ranking.question.times, _keys(ranking.turn, ranking.who, ranking.subjects))
    score = ranking.score + weight * same
    order = np.argsort(-score, kind="stable")
    cover = (ranking.cover * total + weight * same) / whole
    theirs = timely(view, ranking.question.times, _keys(pieces.turn[others], pieces.who[others], pieces.subjects))
    return replace(
        ranking,
        turn=ranking.turn[order],
        who=ranking.who[order],
        score=score[order],
        cover=cover[order],
        others=(ranking.others * total + weight * bool(theirs.any())) / whole,
    )


def _keys(turn: Ints, who: Ints, subjects: Sequence[str]) -> list[tuple[int, str]]:
    return [(number, subjects[place]) for number, place in zip(turn.tolist(), who.tolist(), strict=True)]


def timely(view: View, times: Sequence[str], keys: Sequence[tuple[int, str]]) -> Truths:
    """Which of these pieces are of one of these times: by the day of their turn and the dates that they name, or by the times that
    they name where nobody knows the day."""
    said, held = view.said(sorted({turn for turn, _ in keys})), view.pieces(keys)
    return np.array([fits(times, _dates(said[key[0]], held[key])) for key in keys], dtype=bool)


def _dates(said: Said, piece: Piece) -> Iterator[str]:
    yield said.date[:10]
    for sentence in piece.sentences:
        yield from sentence.dates
        if not said.date:
            yield from (time.iso for time in times_in(said.whole[sentence.start : sentence.end]))


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


_TIED = 8


def _others(pieces: Found, cover: Floats, theirs: Truths) -> Ints:
    """Where the pieces of somebody else are that cover most, the first of those that cover as much."""
    others = np.where(pieces.somebodys & ~theirs, cover, 0.0)
    most: Ints = np.flatnonzero((others == others.max()) & (others > 0))[:_TIED] if len(others) else np.zeros(0, dtype=np.int64)
    return most
