"""What was said of somebody who is not known, or was not yet: it names them, and is filed under whoever said it.

A name that nobody introduced is known from its second turn on (`incremental`), that of who speaks from their first, and pieces are never
filed anew. So a question about
such a person, or one with a name that is nobody's, looks at pieces of others that hold the name, by the sentences that do.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from loom.core.memory.finding import Found, Truths
from loom.core.memory.incremental import heard_by
from loom.core.memory.inflecting import forms_of
from loom.core.memory.people import KIN, Names, key_of
from loom.core.memory.sentences import sentences_in
from loom.core.memory.values import Person, Piece, Said, View
from loom.core.memory.words import Word, term

LOOKED = 64
"""Pieces at the end of a conversation that are looked at."""
BEGINS = (8, 64)
"""Turns at the beginning of a conversation that are looked through for the first of whoever speaks: so many, then so many."""

Tells = Callable[[Said, int, Sequence[Word]], bool]
"""Whether a sentence of a turn tells of somebody."""


def with_unfiled(view: View, pieces: Found, subjects: Sequence[str]) -> tuple[Found, Truths]:
    """The pieces found, and which of them are of these subjects. Of a piece that only names one of them, the sentences that do are
    counted, and nothing else. Whoever speaks was known from their first turn on."""
    theirs = pieces.of(subjects)
    people = {person.key: person for person in view.people()} if len(pieces.turn) else {}
    asked_about = [people[key] for key in subjects if key in people]
    named = [words for person in asked_about if (words := _words(person))]
    kin = _kin(asked_about, people.values())
    holding = _holding(view, pieces, theirs, [*named, *((term(_kin_of(each.name)),) for each in kin)]) if named or kin else []
    late = _late(view, [person for person in asked_about if person.speaks], pieces)
    early = np.flatnonzero(~theirs & pieces.somebodys & (pieces.turn < max(late.values(), default=0))).tolist()
    if not holding and not early:
        return pieces, theirs
    late_names = Names([people[key] for key in late])

    def tells(said: Said, turn: int, words: Sequence[Word]) -> bool:
        held = {term(word.form) for word in words if word.capital}
        if any(held.issuperset(names) for names in named):
            return True
        relatives = Names(heard_by(key_of(said.speaker), kin)) if kin else late_names
        here = {mention.key for mention in (*late_names.mentions(words), *relatives.mentions(words))}
        return any(turn < late.get(key, turn + 1) for key in here)

    return _telling(view, pieces, theirs, sorted({*holding, *early}), tells)


def _kin(asked_about: Sequence[Person], people: Iterable[Person]) -> list[Person]:
    """Those asked about who do not speak, by what they alone were said to be to somebody ("Ben's sister")."""
    many = Counter(alias for person in people for alias in person.aliases)
    return [
        replace(person, name=alias, aliases=(alias,))
        for person in asked_about
        if not person.speaks
        for alias in person.aliases
        if many[alias] == 1 and _kin_of(alias) in KIN
    ]


def _kin_of(alias: str) -> str:
    return alias.rpartition(" ")[2].lower()


def _late(view: View, people: Sequence[Person], pieces: Found) -> dict[str, int]:
    """The first turns of people who began to speak when others had; what is none of the first ones, is the one behind them."""
    found: dict[str, int] = {}
    for many in BEGINS if people else ():
        numbers = view.turns(-1, many)
        said = view.said(numbers)
        spoke = {key_of(said[number].speaker): number for number in reversed(numbers) if number in said}
        found = {person.key: spoke.get(person.key, numbers[-1] + 1) for person in people} if numbers else {}
        if all(person.key in spoke for person in people) or len(numbers) < many:
            break
    first = int(pieces.turn[0]) if len(pieces.turn) else 0
    return {key: number for key, number in found.items() if first < number}


def with_names(view: View, pieces: Found, names: Sequence[str]) -> tuple[Found, Truths]:
    """The pieces found, and which of them hold all of these terms as names, in a sentence of theirs or in what they answer. The names
    themselves are no longer asked about, where anything else is."""
    rows = np.array([each in names for each in pieces.terms], dtype=bool)
    beside = (pieces.beside[rows] > 0).all(axis=0) & pieces.somebodys

    def tells(said: Said, turn: int, words: Sequence[Word]) -> bool:
        return {term(word.form) for word in words if word.capital}.issuperset(names)

    found, theirs = _telling(view, pieces, beside, _holding(view, pieces, beside, [tuple(names)]), tells)
    focus = np.where(rows, 0.0, found.focus)
    return (replace(found, focus=focus) if focus.any() else found), theirs


def _holding(view: View, pieces: Found, theirs: Truths, named: Sequence[tuple[str, ...]]) -> list[int]:
    """The places of the last pieces of others that hold one of these names, each a tuple of terms."""
    naming = view.postings(sorted({each for names in named for each in names}))
    holding = {
        (turn, columns.subjects[who])
        for columns in naming.values()
        for turn, who, own in zip(columns.turn.tolist(), columns.who.tolist(), columns.own.tolist(), strict=True)
        if own
    }
    places = np.flatnonzero(~theirs & pieces.somebodys).tolist()
    return [place for place in places if (int(pieces.turn[place]), pieces.subjects[pieces.who[place]]) in holding][-LOOKED:]


def _telling(view: View, pieces: Found, theirs: Truths, places: Sequence[int], tells: Tells) -> tuple[Found, Truths]:
    """The same with those of these pieces of others of which a sentence tells of whom is asked about."""
    keys = {place: (int(pieces.turn[place]), pieces.subjects[pieces.who[place]]) for place in places}
    said, held = view.said(sorted({turn for turn, _ in keys.values()})), view.pieces(list(keys.values()))
    own, theirs = pieces.own.copy(), theirs.copy()
    for place, key in keys.items():
        counts = _counts(said[key[0]], held[key], tells)
        if counts:
            own[:, place] = [sum(counts.get(form, 0) for form in forms_of(each)) for each in pieces.terms]
            theirs[place] = bool(own[:, place].any())
    return replace(pieces, own=own), theirs


def _words(person: Person) -> tuple[str, ...]:
    """The terms of the name by which somebody who does not speak is told; none of whoever speaks."""
    words = tuple(map(term, person.key.split()))
    return words if not person.speaks and all(words) else ()


def _counts(said: Said, piece: Piece, tells: Tells) -> Mapping[str, int]:
    """The terms of the sentences of a piece that tell of somebody."""
    counts: dict[str, int] = {}
    for part in piece.sentences:
        for sentence in sentences_in(said.whole, part.start, part.end):
            if tells(said, piece.turn, sentence.words):
                for word in sentence.words:
                    if found := term(word.form):
                        counts[found] = counts.get(found, 0) + 1
    return counts
