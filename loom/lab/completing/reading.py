"""One piece of a block in words: which are gold names, which only ask or join, which are its own.

A piece carries its names when it says something of them: it has an asking or joining word, four words, and an own word for each
name; a sentence of many names needs fewer, as long as it does not string them up. Of sentences in the definitions and prose of a
corpus of 8,142 concepts that name three targets and more, 99 % have 1.2 own words a name.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from loom.core.matching.default import ASKING, plain_words
from loom.lab.completing.names import NameIndex, Place
from loom.lab.completing.saying import NAME, has_verb, states_names
from loom.lab.completing.segments import HEADING, HIDDEN, RECORD, TYPED, Segment

STRUNG, STRUNG_ALONE = 3, 2
"""Names in a row, with nothing between but "and" and commas, from which a sentence enumerates: in a paragraph, and as a line."""

OWN_OF_STRUNG = 2 / 3
"""Own words for each name that an enumerating sentence must have."""

FEW, PREDICATE = 4, 3
"""Names that a sentence inside a paragraph may string up, as examples or as the subject of so many words after them."""

_EXAMPLE = frozenset("example include including such".split())

GLUED = 3
"""Different names side by side, with nothing but blanks between, that no sentence has."""

PARTS, SCRAP = 10, 5
"""Scraps of so many words between commas, of which a line is a list, whatever names it has beside those that are asked for."""

LABEL = 4
"""Words of the longest label before a colon."""

FEWEST = 4
"""Words of the shortest sentence."""

_OF_TEXT = frozenset(
    "page section topic article entry document paragraph cover mention discuss keyword subject following term relevant".split()
)
"""Words about the text itself, which say nothing of the names that they are followed by."""

_APART = re.compile(r"[,;|•·]")

_JOINING = frozenset("and or as well plus with etc".split())


@dataclass(frozen=True, slots=True)
class Reading:
    """A segment in words: its names in order, the words that names take, its own words, words that ask or join, the longest string
    of names, the words after the last name, its frame (each name one mark), the names that stand side by side with nothing between,
    whether it is a list of scraps, and whether a string of names says some again."""

    segment: Segment
    words: tuple[str, ...]
    named: tuple[str, ...]
    name_words: int
    own: int
    joining: int
    strung: int
    after: int
    frame: tuple[str, ...]
    glued: int
    listed: bool
    twice: bool

    @property
    def is_text(self) -> bool:
        return self.segment.kind not in (TYPED, RECORD, HIDDEN, HEADING)

    @property
    def distinct(self) -> int:
        return len(set(self.named))

    @property
    def enumerates(self) -> bool:
        """Whether it is a string of names with a few words before it. A few examples inside a paragraph are none."""
        if self.is_text and (self.glued >= GLUED or (self.listed and self.named)):
            return True
        least = STRUNG_ALONE if self.segment.whole else STRUNG
        if not self.is_text or self.strung < least or self.states or self.says >= OWN_OF_STRUNG * self.distinct:
            return False
        return self.segment.whole or self.distinct > FEW or not (_EXAMPLE.intersection(self.words) or self.after >= PREDICATE)

    @property
    def of_text(self) -> int:
        return sum(word in _OF_TEXT for word in self.frame)

    @property
    def says(self) -> int:
        """How many of its own words are not about the text itself."""
        return self.own - self.of_text

    @property
    def states(self) -> bool:
        """Whether it is a relation in words: a subject, a verb, names other than the subject."""
        return self.is_text and (self.distinct > 1 or len(self.named) == 1) and states_names(self.frame)

    @property
    def of_itself(self) -> bool:
        """Whether it is a sentence about the text alone ("This page mentions Flour")."""
        return self.is_text and bool(self.named) and self.sentence and not self.states and self.says <= 0

    @property
    def sentence(self) -> bool:
        """Whether it has the words of a sentence."""
        return len(self.words) >= FEWEST and self.joining > 0 and self.own > 0

    @property
    def carries(self) -> bool:
        return not self.enumerates and (self.states or (self.sentence and (self.says >= 2 or self.says >= self.distinct)))

    @property
    def bare(self) -> bool:
        """Whether it is names and hardly anything else."""
        return bool(self.named) and not self.carries and self.says < self.distinct


def read_piece(piece: Segment, index: NameIndex) -> Reading:
    """A segment as read with the names of an index."""
    words = tuple(plain_words(piece.text))
    places = index.places(words)
    starts = {place.start for place in places}
    inside = {place.start + at for place in places for at in range(place.words)}
    frame = tuple(NAME if at in starts else word for at, word in enumerate(words) if at in starts or at not in inside)
    rest = _without(index, words)
    own = _own(rest)
    label, colon, listed = piece.text.partition(":")
    if colon and len(plain_words(label)) <= LABEL and not _own(_without(index, plain_words(listed))):
        # What stands before a colon and nothing but names says nothing of them, unless it states a relation.
        own = 0
    return Reading(
        piece,
        words,
        tuple(place.name for place in places),
        len(inside),
        own,
        len(rest) - own,
        _strung(frame),
        len(words) - max(inside, default=-1) - 1,
        frame,
        _glued(piece.text, places),
        _listed(piece.text),
        _twice(frame, places),
    )


def _own(words: Sequence[str]) -> int:
    return sum(word not in ASKING and word not in _JOINING for word in words)


def _without(index: NameIndex, words: Sequence[str]) -> list[str]:
    inside = {place.start + at for place in index.places(words) for at in range(place.words)}
    return [word for at, word in enumerate(words) if at not in inside]


def _strung(frame: Sequence[str]) -> int:
    longest = now = 0
    for word in frame:
        if word == NAME:
            now += 1
            longest = max(longest, now)
        elif word not in _JOINING:
            now = 0
    return longest


def _glued(text: str, places: Sequence[Place]) -> int:
    """The most different names side by side with blanks alone between them, however far their sentence goes on."""
    most, run = 0, list(places[:1])
    for before, place in pairwise(places):
        joined = rf"{re.escape(before.name)}\s+{re.escape(place.name)}"
        if before.start + before.words != place.start or not re.search(joined, text, re.I):
            run = []
        run.append(place)
        most = max(most, len({each.name for each in run}))
    return most


def _listed(text: str) -> bool:
    """Whether a piece is scraps between commas and nothing else: no verb comes before the first of them."""
    parts = [plain_words(part) for part in _APART.split(text)]
    parts = [part for part in parts if part]
    told = parts and (has_verb(parts[0]) or not ASKING.isdisjoint(parts[0]))
    return len(parts) >= PARTS and not told and all(len(part) <= SCRAP for part in parts)


def _twice(frame: Sequence[str], places: Sequence[Place]) -> bool:
    """Whether a string of names says two again; one may stand as a label and again in brackets behind its long form."""
    at, run = 0, list[str]()
    for word in (*frame, "."):
        if word == NAME:
            run.append(places[at].name)
            at += 1
        elif word not in _JOINING:
            if len(run) - len(set(run)) > 1:
                return True
            run = []
    return False
