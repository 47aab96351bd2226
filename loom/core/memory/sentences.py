"""A turn in sentences: where each lies, its words, and whether it asks or denies."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from loom.core.memory.words import ASKING, Word, words_in

_STOP = re.compile(r"[.!?…]+(?=[\s\"'”’)\]]|$)|[?!]+|\n+")

NEGATIONS = frozenset(
    """
    not no never none nobody nothing nowhere neither nor cannot without hardly scarcely barely
    dont doesnt didnt isnt arent wasnt werent hasnt havent hadnt wont wouldnt cant couldnt shouldnt mustnt aint
    """.split()
)


@dataclass(frozen=True, slots=True)
class Parsed:
    """A sentence at [start, end) of its text."""

    start: int
    end: int
    words: tuple[Word, ...]
    asks: bool

    @property
    def negated(self) -> bool:
        return any(word.form in NEGATIONS for word in self.words)

    @property
    def names_topic(self) -> bool:
        """Whether it only names something with a question mark behind it, and asks nothing by its words ("And the old car?")."""
        words = [word.form for word in self.words]
        return self.asks and not ASKING & set(words) and not _AUXILIARY & set(words[:2])


_AUXILIARY = frozenset(
    "is are was were am do does did have has had can could will would shall should may might must isnt arent wasnt werent dont doesnt "
    "didnt havent hasnt cant couldnt wont wouldnt".split()
)


class Parse(Protocol):
    """Gives the sentences of a text, or of a part of it: `sentences_in`, or the same with what it gave before kept."""

    def __call__(self, text: str, start: int = 0, stop: int | None = None) -> Sequence[Parsed]: ...


def sentences_in(text: str, start: int = 0, stop: int | None = None) -> list[Parsed]:
    """The sentences of a text, or of a part of it, that hold a word, in order. A full stop inside a word or number ends none."""
    stop = len(text) if stop is None else stop
    words = words_in(text, start, stop)
    found: list[Parsed] = []
    at = 0
    for match in [*_STOP.finditer(text, start, stop), None]:
        end = match.end() if match else stop
        until = at
        while until < len(words) and words[until].start < end:
            until += 1
        if until > at:
            found.append(_parsed(text, start, end, tuple(words[at:until])))
        start, at = end, until
    return found


def _parsed(text: str, start: int, end: int, words: tuple[Word, ...]) -> Parsed:
    begin = start + len(text[start:end]) - len(text[start:end].lstrip())
    stop = start + len(text[start:end].rstrip())
    return Parsed(begin, stop, words, "?" in text[words[-1].end : end])
