"""What is left of a turn when somebody is to be forgotten."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from loom.core.memory.people import key_of
from loom.core.memory.values import Person, Reading, Said
from loom.core.text import words


def names_of(subject: str, people: Iterable[Person]) -> tuple[str, ...]:
    """Every name by which a subject is known, its key first."""
    found = dict.fromkeys([subject])
    for person in people:
        if person.key == subject:
            found.update(dict.fromkeys((person.name, *person.aliases)))
    return tuple(found)


def cut(said: Said, reading: Reading, names: Sequence[str]) -> Said | None:
    """The turn without whoever has these names, the subject's key first; None where nothing is left.

    All that they said goes, every sentence that is filed under them or quotes them, and every sentence with a name of theirs, of
    whomever it speaks. The same value comes back where they are not in it.
    """
    if key_of(said.speaker) in {key_of(name) for name in names}:
        return None
    whole, spoken = said.whole, [words(name) for name in names]
    doomed = [
        (start, end)
        for start, end, theirs in _stretches(reading, names[0], len(whole))
        if theirs or any(_says(words(whole[start:end]), name) for name in spoken)
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


def _says(said: Sequence[str], name: Sequence[str]) -> bool:
    return bool(name) and any(said[at : at + len(name)] == name for at in range(len(said) - len(name) + 1))
