"""What was said of somebody who is not known, or was not yet: it names them, and is filed under whoever said it.

A name that nobody introduced is known from its second turn on (`incremental`), and pieces are never filed anew. So a question about
such a person, or one with a name that is nobody's, looks at pieces of others that hold the name, by the sentences that do.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from loom.core.memory.finding import Found, Truths
from loom.core.memory.inflecting import forms_of
from loom.core.memory.sentences import sentences_in
from loom.core.memory.values import Person, Piece, Said, View
from loom.core.memory.words import term

LOOKED = 64
"""Pieces at the end of a conversation that are looked at."""


def with_unfiled(view: View, pieces: Found, subjects: Sequence[str]) -> tuple[Found, Truths]:
    """The pieces found, and which of them are of these subjects. Of a piece that only names one of them, the sentences that do are
    counted, and nothing else."""
    theirs = pieces.of(subjects)
    people = {person.key: person for person in view.people()} if len(pieces.turn) else {}
    named = [words for key in subjects if (person := people.get(key)) and (words := _words(person))]
    return _naming(view, pieces, theirs, named) if named else (pieces, theirs)


def with_names(view: View, pieces: Found, names: Sequence[str]) -> tuple[Found, Truths]:
    """The pieces found, and which of them hold all of these terms as names, in a sentence of theirs or in what they answer. The names
    themselves are no longer asked about, where anything else is."""
    rows = np.array([each in names for each in pieces.terms], dtype=bool)
    beside = (pieces.beside[rows] > 0).all(axis=0) & pieces.somebodys
    found, theirs = _naming(view, pieces, beside, [tuple(names)])
    focus = np.where(rows, 0.0, found.focus)
    return (replace(found, focus=focus) if focus.any() else found), theirs


def _naming(view: View, pieces: Found, theirs: Truths, named: Sequence[tuple[str, ...]]) -> tuple[Found, Truths]:
    """The same with the pieces of others that hold one of these names, each a tuple of terms."""
    naming = view.postings(sorted({each for names in named for each in names}))
    holding = {
        (turn, columns.subjects[who])
        for columns in naming.values()
        for turn, who, own in zip(columns.turn.tolist(), columns.who.tolist(), columns.own.tolist(), strict=True)
        if own
    }
    keys = {
        place: key
        for place in np.flatnonzero(~theirs & pieces.somebodys).tolist()
        if (key := (int(pieces.turn[place]), pieces.subjects[pieces.who[place]])) in holding
    }
    keys = dict(list(keys.items())[-LOOKED:])
    said, held = view.said(sorted({turn for turn, _ in keys.values()})), view.pieces(list(keys.values()))
    own, theirs = pieces.own.copy(), theirs.copy()
    for place, key in keys.items():
        counts = _counts(said[key[0]], held[key], named)
        if counts:
            own[:, place] = [sum(counts.get(form, 0) for form in forms_of(each)) for each in pieces.terms]
            theirs[place] = bool(own[:, place].any())
    return replace(pieces, own=own), theirs


def _words(person: Person) -> tuple[str, ...]:
    """The terms of the name by which somebody who does not speak is told; none of whoever speaks, since they were always known."""
    words = tuple(map(term, person.key.split()))
    return words if not person.speaks and all(words) else ()


def _counts(said: Said, piece: Piece, named: Sequence[tuple[str, ...]]) -> Mapping[str, int]:
    """The terms of the sentences of a piece that hold one of these names."""
    counts: dict[str, int] = {}
    for part in piece.sentences:
        for sentence in sentences_in(said.whole, part.start, part.end):
            held = {term(word.form) for word in sentence.words if word.capital}
            if any(held.issuperset(names) for names in named):
                for word in sentence.words:
                    if found := term(word.form):
                        counts[found] = counts.get(found, 0) + 1
    return counts
