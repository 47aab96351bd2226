"""Conversations read under one policy, each as the view that serves; the names of a whole conversation are known from its start."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from loom.core.memory.finding import Floats, Found
from loom.core.memory.memory_view import MemoryView
from loom.core.memory.people import Names, heard, key_of
from loom.core.memory.policy import FULL, Reads, Recalls
from loom.core.memory.ranking import Ranker
from loom.core.memory.reading import Parsing, parsed, pieces_of
from loom.core.memory.sentences import sentences_in
from loom.core.memory.subjects import Present
from loom.core.memory.values import Person, Reading, Size
from loom.lab.locomo.dataset import Dataset, Talk


@dataclass(frozen=True, slots=True)
class Read:
    """A conversation as it was read."""

    talk: Talk
    view: MemoryView
    names: Names


parse = lru_cache(maxsize=65_536)(sentences_in)
"""Sentences of the turns of a data set, which many arms read alike."""


def read(data: Dataset, reads: Reads) -> list[Read]:
    """All conversations under one policy."""
    return [_read(talk, reads) for talk in data.talks]


def _read(talk: Talk, reads: Reads) -> Read:
    parsings = [parsed(said, reads, parse) for said in talk.turns]
    people = people_of(talk, known=reads.known)
    names = Names(people, shortened=reads.subjects == FULL)
    view = MemoryView()
    for number, said in enumerate(talk.turns):
        speaker = key_of(said.speaker)
        before = _before(talk, number, parsings)
        present = Present(speaker, _other(talk, number, speaker, names))
        pieces = pieces_of(number, said, parsings[number], names, present, reads, before)
        view.add(said, Reading(number, pieces, people if not number else ()))
    return Read(talk, view, names)


@lru_cache(maxsize=64)
def people_of(talk: Talk, *, known: bool = True) -> tuple[Person, ...]:
    """The speakers, and everybody whom the conversation names where they are `known`."""
    spoken = [*talk.speakers, *(said.speaker for said in talk.turns)]
    speakers = {key_of(name): Person(key_of(name), name, speaks=True) for name in spoken}
    if not known:
        return tuple(speakers.values())
    named = heard([parse(said.text) for said in talk.turns])
    return (*speakers.values(), *(Person(word, word.capitalize()) for word in named if word not in speakers))


def _before(talk: Talk, number: int, parsings: Sequence[Parsing]) -> Parsing | None:
    """The turn before, where it is another's of the same day."""
    if not number:
        return None
    before, said = talk.turns[number - 1], talk.turns[number]
    return parsings[number - 1] if before.speaker != said.speaker and before.date == said.date else None


def _other(talk: Talk, number: int, speaker: str, names: Names) -> str:
    """To whom a turn speaks: the other of two; of more, whoever spoke last."""
    others = [key for key in names.speakers if key != speaker]
    if len(others) == 1:
        return others[0]
    for said in reversed(talk.turns[:number]):
        if key_of(said.speaker) != speaker:
            return key_of(said.speaker)
    return ""


def cosine(read: Read) -> Ranker:
    """The seed's ranking over a conversation: the cosine of term counts weighted by rarity (seed 004 §2). It needs the length of
    every vector, which moves with every turn: for measuring, not for serving."""
    view = read.view
    turns = view.size().turns
    norms: dict[tuple[int, str], float] = {}
    for key, piece in view.every():
        counts = {term: piece.own.get(term, 0) + piece.beside.get(term, 0) for term in {*piece.own, *piece.beside}}
        frequency = view.frequency(sorted(counts))
        weighed = [counts[term] * np.log((turns + 1) / (many + 1)) for term, many in frequency.items() if many]
        norms[key] = float(np.sqrt(np.square(weighed).sum())) or 1.0

    def rank(found: Found, size: Size, recalls: Recalls) -> Floats:
        known = found.weights * found.own.any(axis=1) if len(found.turn) else found.weights
        length = np.array(
            [norms[turn, found.subjects[who]] for turn, who in zip(found.turn.tolist(), found.who.tolist(), strict=True)]
        )
        scores: Floats = (known * known) @ (found.own + found.beside) / length if len(length) else np.zeros(0)
        return scores

    return rank
