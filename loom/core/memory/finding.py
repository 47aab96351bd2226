"""All pieces that share a term with a question, as columns: what ranking, cover and contrast are computed from."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from loom.core.memory.inflecting import postings_of_forms
from loom.core.memory.values import NOBODY, Ints, View

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]

FEW = 20
"""Turns as which a conversation of fewer counts: where there is one turn, a word in every turn still tells something."""


@dataclass(frozen=True, slots=True)
class Found:
    """Pieces in order of turn, then subject. `own` and `beside` count terms (terms × pieces); `weights` are those of the terms,
    `focus` the same, but 0 for terms that the question only contains and does not ask about."""

    terms: tuple[str, ...]
    weights: Floats
    focus: Floats
    turn: Ints
    who: Ints
    subjects: tuple[str, ...]
    own: Ints
    beside: Ints
    length: Ints
    width: Ints

    def of(self, subjects: Sequence[str]) -> Truths:
        """Which pieces are of one of these subjects."""
        theirs = np.array([subject in subjects for subject in self.subjects], dtype=bool)
        return theirs[self.who]

    @property
    def somebodys(self) -> Truths:
        """Which pieces are of somebody."""
        return ~self.of((NOBODY,))

    def anywhere(self, terms: Collection[str]) -> bool:
        """Whether each of these terms is in some piece."""
        rows = [term in terms for term in self.terms]
        return bool((self.own[rows] > 0).any(axis=1).all())

    def once(self) -> Truths:
        """The first piece of each turn."""
        first: Truths = np.diff(self.turn, prepend=-1) != 0
        return first

    def cover(self, *, answering: bool = False) -> Floats:
        """The share of the question, by weight, that each piece holds in its own text, or where `answering` also in what it answers;
        0 where the question asks nothing."""
        total = float(self.focus.sum())
        covered: Floats = self.focus @ ((self.own + self.beside if answering else self.own) > 0)
        return covered / total if total > 0 else covered * 0.0

    def cover_of_turns(self) -> Floats:
        """The same of the whole turn of each piece."""
        total = float(self.focus.sum())
        turns, place = np.unique(self.turn, return_inverse=True)
        held = np.zeros((len(self.terms), len(turns)), dtype=bool)
        for row in range(len(self.terms)):
            held[row, place[self.own[row] > 0]] = True
        covered: Floats = (self.focus @ held)[place]
        return covered / total if total > 0 else covered * 0.0


def found(view: View, terms: Sequence[str], focus: Collection[str], *, inflected: bool = False) -> Found:
    """The pieces that hold any of the terms, or have one beside them; `focus` are those asked about, `inflected` finds other forms of
    the same words, too. A term's weight is ln((turns + 1) / (turns that hold it + 1)), so that one which is nowhere weighs most
    (specs/memory.md §3)."""
    postings = postings_of_forms(view, terms) if inflected else view.postings(terms)
    turns = max(view.size().turns, FEW)
    subjects = tuple(sorted({subject for columns in postings.values() for subject in columns.subjects}))
    places = {subject: place for place, subject in enumerate(subjects)}
    many = max(len(subjects), 1)
    weights = np.full(len(terms), log(turns + 1))
    keys: list[Ints] = []
    for row, term in enumerate(terms):
        columns = postings.get(term)
        if columns is None:
            keys.append(np.zeros(0, dtype=np.int64))
            continue
        who = np.array([places[subject] for subject in columns.subjects], dtype=np.int64)[columns.who]
        keys.append(columns.turn * many + who)
        held = columns.turn[columns.own > 0]
        weights[row] -= log(1 + (1 + np.count_nonzero(np.diff(held)) if len(held) else 0))
    every, at = np.unique(np.concatenate(keys) if keys else np.zeros(0, dtype=np.int64), return_inverse=True)
    own = np.zeros((len(terms), len(every)), dtype=np.int64)
    beside = np.zeros_like(own)
    length, width = np.zeros(len(every), dtype=np.int64), np.zeros(len(every), dtype=np.int64)
    start = 0
    for row, term in enumerate(terms):
        columns = postings.get(term)
        if columns is None:
            continue
        here = at[start : start + len(columns)]
        start += len(columns)
        own[row, here], beside[row, here] = columns.own, columns.beside
        length[here], width[here] = columns.length, columns.width
    asked = np.array([term in focus for term in terms], dtype=bool)
    return Found(tuple(terms), weights, weights * asked, every // many, every % many, subjects, own, beside, length, width)
