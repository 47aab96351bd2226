"""What is left of a turn when somebody is to be forgotten."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from loom.core.memory.people import Names, key_of
from loom.core.memory.values import Person, Reading, Said
from loom.core.memory.words import words_in
from loom.core.text import words

_UNSEEN = re.compile(
    r"[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)
"""Characters that nobody sees, by which a name is still the same to whoever reads it."""


def _is(said: Sequence[str], name: Sequence[str]) -> bool:
    """Whether these words are a name, or its possessive without an apostrophe ("annas car")."""
    return len(said) == len(name) and said[:-1] == name[:-1] and said[-1] in (name[-1], f"{name[-1]}s")


class Subject:
    """Somebody who is to be forgotten, and how they are told in a text: by every name that anybody gave them, though it be another's
    too, and by what a reader takes for their name (a first name, the beginning of a speaker's)."""

    def __init__(self, key: str, people: Sequence[Person]) -> None:
        names = dict.fromkeys([key])
        for person in people:
            if person.key == key:
                names.update(dict.fromkeys((person.name, *person.aliases)))
        self.key = key
        self._keys = {key_of(name) for name in names}
        self._spoken = [words(name) for name in names]
        self._names = Names(people, worded=False)

    def said(self, turn: Said) -> bool:
        """Whether they are who speaks."""
        return key_of(turn.speaker) in self._keys

    def named(self, text: str) -> bool:
        """Whether they are named in a text."""
        plain = _UNSEEN.sub("", text)
        said = words(plain)
        if any(name and any(_is(said[at : at + len(name)], name) for at in range(len(said))) for name in self._spoken):
            return True
        here = words_in(plain)
        shared = (key for _, _, keys in self._names.shared(here) for key in keys)
        return self.key in shared or any(mention.key == self.key for mention in self._names.mentions(here))


def cut(said: Said, reading: Reading, subject: Subject) -> Said | None:
    """The turn without somebody; None where nothing is left.

    All that they said goes, every sentence that is filed under them or quotes them, and every sentence that names them, of whomever
    it speaks. The same value comes back where they are not in it.
    """
    if subject.said(said):
        return None
    whole = said.whole
    doomed = [
        (start, end)
        for start, end, theirs in _stretches(reading, subject.key, len(whole))
        if theirs or subject.named(whole[start:end])
    ]
    if not doomed:
        return said
    shared = len(said.text)
    gone = {at for start, end in doomed for at in range(start, min(end, shared))}
    text = " ".join("".join(" " if at in gone else letter for at, letter in enumerate(said.text)).split())
    caption = "" if any(end > shared for _, end in doomed) else said.caption
    return replace(said, text=text, caption=caption) if text or caption else None


def freed(reading: Reading, subject: str) -> Reading:
    """A reading without pieces of a subject, and without the person."""
    pieces = tuple(piece for piece in reading.pieces if piece.subject != subject)
    return replace(reading, pieces=pieces, people=tuple(each for each in reading.people if each.key != subject))


def alone(reading: Reading) -> Reading:
    """A reading without what stands beside its pieces: what was said in the turn before it, which is gone."""
    return replace(reading, pieces=tuple(replace(piece, beside={}) for piece in reading.pieces))


def _stretches(reading: Reading, subject: str, length: int) -> Iterator[tuple[int, int, bool]]:
    """Sentences and what lies between them, and whether they are filed under the subject or quote it."""
    theirs: dict[tuple[int, int], bool] = {}
    for piece in reading.pieces:
        for each in piece.sentences:
            place = (each.start, each.end)
            theirs[place] = theirs.get(place, False) or subject in (piece.subject, each.quoted)
    at = 0
    for (start, end), found in sorted(theirs.items()):
        if at < start:
            yield at, start, False
        yield start, end, found
        at = max(at, end)
    if at < length:
        yield at, length, False
