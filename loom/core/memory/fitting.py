"""What may name a conversation, a speaker, a turn or a time: the same for requests, for imports, and for exports that come back.

Names stand in the paths of routes. A segment of two dots there is taken for "the folder above" by most clients, so that who deletes
a turn of that name would delete its conversation; no name has one. A name in which bytes were replaced that could not be read may
have been another's, and is none.
"""

import re

from loom.core.errors import BadInput
from loom.core.memory.calendar import day_of
from loom.core.memory.people import key_of
from loom.core.memory.values import Reading, Said

LONGEST, LONGEST_NAME = 100_000, 200
"""Characters of a turn's text or caption, and of a name or id."""

TAKEN = frozenset({"export", "import"})
"""Words that stand where a conversation's name does in the paths of routes."""

REPLACED = "\ufffd"
_ABOVE = re.compile(r"(?:\A|[/\\])\.{1,2}(?:[/\\]|\Z)")
_TIME = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-\d\d)?)?\Z")


def is_name(text: str) -> bool:
    """One line of 1 to 200 printable characters that means the same in a path."""
    return 0 < len(text) <= LONGEST_NAME and text.isprintable() and REPLACED not in text and not _ABOVE.search(text)


def is_conversation(text: str) -> bool:
    """A name that is one segment of a path, without blanks at its ends."""
    return is_name(text) and "/" not in text and text == text.strip() and text not in TAKEN


def is_speaker(text: str) -> bool:
    """A name, its words one blank apart, by whose letters somebody can be told."""
    return is_name(text) and text == " ".join(text.split()) and bool(key_of(text))


def is_time(date: str) -> bool:
    """A day, a month or a year in ISO's form, or days from and to, as sentences name them."""
    return all(_TIME.match(each) and (len(each) < 10 or day_of(each)) for each in date.split("/"))


def checked(said: Said, reading: Reading) -> None:
    """Raises BadInput for a turn of an export that no turn given to this node could have become."""
    if not is_name(said.id):
        raise BadInput(
            f"Expected 1 to {LONGEST_NAME} printable characters as the id of a turn, not {said.id!r:.80}.", param="id"
        )
    if not is_speaker(said.speaker):
        raise BadInput(f"Expected the name of a speaker, not {said.speaker!r:.80}.", param="speaker")
    if said.date and not day_of(said.date):
        raise BadInput(f"Expected an ISO date such as 2026-05-08, not {said.date!r:.80}.", param="date")
    if max(len(said.text), len(said.caption)) > LONGEST:
        raise BadInput(f"Expected a turn of at most {LONGEST:,} characters, but one is longer.", param="text")
    for date in (date for piece in reading.pieces for sentence in piece.sentences for date in sentence.dates):
        if not is_time(date):
            raise BadInput(f"Expected dates such as 2026-05-08 or 2026 of a sentence, not {date!r:.80}.", param="dates")
    keys = (*(piece.subject for piece in reading.pieces if piece.subject), *(person.key for person in reading.people))
    names = (name for person in reading.people for name in (person.name, *person.aliases))
    for name in (*keys, *names):
        if not is_name(name):
            raise BadInput(f"Expected the name of a person, not {name!r:.80}.", param="people")
