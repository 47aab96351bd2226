"""One piece of a block in words: which are gold names, which only ask or join, which are its own.

A piece carries its names when it says something of them: it has an asking or joining word, four words, and an own word for each
name; a sentence of many names needs fewer, as long as it does not string them up. Of sentences in the definitions and prose of a
corpus of 8,142 concepts that name three targets and more, 99 % have 1.2 own words a name.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from loom.core.matching.default import ASKING, plain_words
from loom.lab.completing.names import NameIndex
from loom.lab.completing.segments import HEADING, HIDDEN, RECORD, TYPED, Segment

STRUNG = 3
"""Names in a row, with nothing between but "and" and commas, from which a sentence enumerates."""

OWN_OF_STRUNG = 2 / 3
"""Own words for each name that an enumerating sentence must have."""

FEW, PREDICATE = 4, 3
"""Names that a sentence inside a paragraph may string up, as examples or as the subject of so many words after them."""

_EXAMPLE = frozenset("example include including such".split())

FEWEST = 4
"""Words of the shortest sentence."""

_JOINING = frozenset("and or as well plus with etc".split())


@dataclass(frozen=True, slots=True)
class Reading:
    """A segment in words: its names in order, the words that names take, its own words, words that ask or join, the longest string
    of names, the words after the last name, and its frame (each name one mark)."""

    segment: Segment
    words: tuple[str, ...]
    named: tuple[str, ...]
    name_words: int
    own: int
    joining: int
    strung: int
    after: int
    frame: tuple[str, ...]

    @property
    def is_text(self) -> bool:
        return self.segment.kind not in (TYPED, RECORD, HIDDEN, HEADING)

    @property
    def distinct(self) -> int:
        return len(set(self.named))

    @property
    def enumerates(self) -> bool:
        """Whether it is a string of names with a few words before it. A few examples inside a paragraph are none."""
        if not self.is_text or self.strung < STRUNG or self.own >= OWN_OF_STRUNG * self.distinct:
            return False
        return self.segment.whole or self.distinct > FEW or not (_EXAMPLE.intersection(self.words) or self.after >= PREDICATE)

    @property
    def sentence(self) -> bool:
        """Whether it has the words of a sentence."""
        return len(self.words) >= FEWEST and self.joining > 0 and self.own > 0

    @property
    def carries(self) -> bool:
        return self.sentence and not self.enumerates and (self.own >= 2 or self.own >= self.distinct)

    @property
    def bare(self) -> bool:
        """Whether it is names and hardly anything else."""
        return bool(self.named) and not self.carries and self.own < self.distinct


def read_piece(piece: Segment, index: NameIndex) -> Reading:
    """A segment as read with the names of an index."""
    words = tuple(plain_words(piece.text))
    places = index.places(words)
    starts = {place.start for place in places}
    inside = {place.start + at for place in places for at in range(place.words)}
    frame = tuple("·" if at in starts else word for at, word in enumerate(words) if at in starts or at not in inside)
    rest = [word for at, word in enumerate(words) if at not in inside]
    own = sum(word not in ASKING and word not in _JOINING for word in rest)
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
    )


def _strung(frame: Sequence[str]) -> int:
    longest = now = 0
    for word in frame:
        if word == "·":
            now += 1
            longest = max(longest, now)
        elif word not in _JOINING:
            now = 0
    return longest
