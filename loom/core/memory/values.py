"""Conversation memory as values: turns, the people in them, what each turn says of whom, and what a question is given of it.

A conversation is a list of turns, numbered in the order in which they came; a number is never given twice. Every turn is read once,
against what was kept before it (`reading.read`); what comes out is written beside it and goes with it when it is deleted. All that
a question needs is asked of a `View`, which the in-memory view and every store give alike.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from loom.core.errors import BadInput

Ints = NDArray[np.int64]

NOBODY = ""
"""The subject of what a turn says of nobody (its questions): counted where terms are counted, never found."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose conversation: the key of everything that is kept. Raises BadInput where either half is empty."""

    caller: str
    conversation: str

    def __post_init__(self) -> None:
        for name in ("caller", "conversation"):
            if not getattr(self, name).strip():
                raise BadInput(f"Expected a {name} for a memory, but it is empty.", param=name)


@dataclass(frozen=True, slots=True)
class Said:
    """One turn as it was said. `date` is ISO ("2023-05-08", or with a time behind it), "" where it is not known; `id` is the
    caller's own name of the turn; `caption` describes a picture that was shared with it."""

    speaker: str
    text: str
    date: str = ""
    id: str = ""
    caption: str = ""

    @property
    def whole(self) -> str:
        """The text that is read, and that positions count in: what was said, and on a line below it what was shared."""
        return f"{self.text}\n[shares {self.caption}]" if self.caption else self.text


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody a conversation knows. `key` is the folded name, by which pieces are filed; `aliases` are further names, as written;
    `speaks` says whether turns of theirs are there."""

    key: str
    name: str
    aliases: tuple[str, ...] = ()
    speaks: bool = False


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence at [start, end) of a turn's `whole`. `quoted` is the key of whom it quotes, "" where the speaker speaks;
    `dates` are the ISO days, months ("2023-05") or years that it names, resolved against the turn's date."""

    start: int
    end: int
    negated: bool = False
    quoted: str = ""
    dates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Piece:
    """What one turn says of one subject; (turn, subject) is its key.

    `own` counts the terms of its sentences. `beside` counts those of what stands beside it: the questions of the turn before, which
    it answers; they help to find it and are no part of it. They were said in turn `turn - 1`: a store that deletes that turn
    drops `beside` here.
    """

    turn: int
    subject: str
    sentences: tuple[Sentence, ...]
    own: Mapping[str, int]
    beside: Mapping[str, int] = field(default_factory=dict)

    @property
    def length(self) -> int:
        """Terms of its sentences, repeats counted."""
        return sum(self.own.values())

    @property
    def width(self) -> int:
        """The same with what stands beside it."""
        return self.length + sum(self.beside.values())

    def postings(self) -> list[tuple[str, "Posting"]]:
        """(term, posting), one for each term of it or beside it, by term."""
        length, width = self.length, self.width
        return [
            (term, Posting(self.turn, self.subject, self.own.get(term, 0), self.beside.get(term, 0), length, width))
            for term in sorted({*self.own, *self.beside})
        ]


class Posting(NamedTuple):
    """How often a term is in a piece (`own`) and beside it (`beside`), with the piece's length and width: all that ranking needs,
    so that a store may give it in one scan of an index by term."""

    turn: int
    subject: str
    own: int
    beside: int
    length: int
    width: int


@dataclass(frozen=True, slots=True)
class Postings:
    """The postings of one term over all pieces of a conversation, as columns in order of turn, then subject; `who` gives the place
    of each subject in `subjects`. Pieces of NOBODY are among them."""

    turn: Ints
    who: Ints
    own: Ints
    beside: Ints
    length: Ints
    width: Ints
    subjects: tuple[str, ...]

    @classmethod
    def of(cls, rows: Iterable[Posting | tuple[int, str, int, int, int, int]]) -> Self:
        """Columns of rows in the order of their turns and subjects."""
        places: dict[str, int] = {}
        numbers = [(turn, places.setdefault(subject, len(places)), *rest) for turn, subject, *rest in rows]
        table = np.array(numbers, dtype=np.int64).reshape(-1, 6)
        turn, who, own, beside, length, width = table.T
        return cls(turn, who, own, beside, length, width, tuple(places))

    def __len__(self) -> int:
        return len(self.turn)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a turn adds to what is kept: its pieces (that of NOBODY among them), and the people it speaks of or gives a further name
    to. People of one key are one person, with all names that any turn gave."""

    turn: int
    pieces: tuple[Piece, ...]
    people: tuple[Person, ...] = ()


@dataclass(frozen=True, slots=True)
class Size:
    """How much a conversation holds: turns, pieces with a subject, and the summed length and width of those."""

    turns: int = 0
    pieces: int = 0
    length: int = 0
    width: int = 0


class View(Protocol):
    """What may be asked of the conversation of one `Scope`. Costs are those of what is given back, never of the conversation."""

    def size(self) -> Size: ...

    def people(self) -> Sequence[Person]:
        """All persons, by key."""
        ...

    def postings(self, terms: Sequence[str]) -> Mapping[str, Postings]:
        """The postings of each of these terms; a term that is nowhere is left out."""
        ...

    def frequency(self, terms: Sequence[str]) -> Mapping[str, int]:
        """How many turns hold each of these terms in a piece of theirs (NOBODY's, too; not beside it); 0 may be left out."""
        ...

    def said(self, turns: Sequence[int]) -> Mapping[int, Said]:
        """The turns of these numbers; a number that is not there (any more) is left out."""
        ...

    def turns(self, after: int, most: int) -> Sequence[int]:
        """The numbers of the first turns behind this number that are there, in order."""
        ...

    def pieces(self, keys: Sequence[tuple[int, str]]) -> Mapping[tuple[int, str], Piece]:
        """The pieces of these (turn, subject); one that is not there is left out."""
        ...


@dataclass(frozen=True, slots=True)
class Hit:
    """A piece that was found. `cover` is the share of the question that it covers, by weight of terms, from 0 to 1."""

    turn: int
    subject: str
    score: float
    cover: float


@dataclass(frozen=True, slots=True)
class Recall:
    """What a question is given. `subjects` are the keys of whom it asks about, none where it names nobody that is known (all was
    searched then); `topic` is what it asks about them, as terms; `confidence` is from 0 to 1. `silent` says why nothing is to be
    said: "" where there is something, else one of SILENCES. Hits are there even then, best first."""

    hits: tuple[Hit, ...]
    subjects: tuple[str, ...]
    topic: tuple[str, ...]
    confidence: float
    silent: str = ""


NOTHING, UNSURE = "nothing", "unsure"
SILENCES = (NOTHING, UNSURE)
"""Nothing that shares a term with the question was said of its subjects; or what was said is too little of what it asks."""

DECLINED = "No information available"
"""The whole reply where nothing is to be said (specs/memory.md §9: the scorer looks for it)."""
