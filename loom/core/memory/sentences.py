"""A turn in sentences: where each lies, its words, and whether it asks or denies.

A sentence asks where a question mark ends it, and where its words stand as a question's do ("did you buy it", "where is the key").
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from loom.core.memory.words import ASKING, STOP, Word, words_in

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
        if not self.asks or ASKING & set(words) or AUXILIARY & set(words[:2]):
            return False
        at = next((at for at, word in enumerate(words) if word not in _LEADS), len(words))
        if at == len(words):
            return False
        named = self.words[at].capital and words[at] not in STOP and not words[at].endswith("ing")
        return words[at] in _POINTING or (named and len(words) - at <= _NAME)


AUXILIARY = frozenset(
    "is are was were am do does did have has had can could will would shall should may might must isnt arent wasnt werent dont doesnt "
    "didnt havent hasnt cant couldnt wont wouldnt".split()
)
# "Had I known" and "should you need it" are conditions, "may you live long" a wish.
_OPENS = AUXILIARY - {"had", "should", "were", "may", "might", "must"}
_WHO = frozenset("i you he she it we they".split())
_POINTING = frozenset("my your our his her their its the a an this that these those some".split())
_NAME = 2
_LEADS = frozenset("and but so or well ok okay oh hey hi hello also then yeah yes no".split())
_MANY = frozenset("much many long often old far time kind sort".split())


_AGAIN = frozenset("too also not never already again well either indeed".split())
_SHORTEST_ANSWER = 6


def answers(sentence: Parsed) -> bool:
    """Whether a sentence only answers: it ends with the verb of the question ("Yes, I did", "Anna has"), or is a yes or no."""
    words = [word.form for word in sentence.words]
    while words and words[-1] in _AGAIN:
        words.pop()
    if sentence.asks or not words or len(words) > _SHORTEST_ANSWER:
        return False
    return (len(words) > 1 and words[-1] in AUXILIARY) or all(word in _YES for word in words)


_YES = frozenset("yes yeah yep yup no nope nah never sure".split())


def asking(words: Sequence[Word]) -> bool:
    """Whether words stand as those of a question: a verb before its subject, with or without a word that asks before it."""
    at = next((at for at, word in enumerate(words) if word.form not in _LEADS), len(words))
    forms = [word.form for word in words[at : at + 5]]
    if len(forms) < 2:
        return False
    if forms[0] in ASKING and forms[0] != "which":
        forms = forms[2:] if forms[1] in _MANY else forms[1:]
        names = at + 2 < len(words) and words[at + 2].capital and words[at + 2].form not in STOP
        return len(forms) > 1 and forms[0] in AUXILIARY and (forms[1] in _WHO or forms[1] in _POINTING or names)
    return forms[0] in _OPENS and forms[1] in _WHO and forms[:2] != ["do", "it"] and words[at + 1].start - words[at].end == 1


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
        if match and match[0] == "." and _abbreviates(text, start, match.start(), stop):
            continue
        end = match.end() if match else stop
        until = at
        while until < len(words) and words[until].start < end:
            until += 1
        if until > at:
            found.append(_parsed(text, start, end, tuple(words[at:until])))
        start, at = end, until
    return found


_TITLE = re.compile(r"\b(?:Dr|Mr|Mrs|Ms|Prof|St|vs)\Z")
_INITIAL = re.compile(r"(?:\A|\b[A-Z]\.\s|\b[A-Z][^\W\d_]+\s)[A-HJ-Z]\Z")
_DOTTED = re.compile(r"\b[A-Za-z]\.[A-Za-z]\Z")
_NEXT = re.compile(r"\s*([^\W\d_]+)")
_NEAR = 40


def _abbreviates(text: str, start: int, at: int, stop: int) -> bool:
    """Whether the full stop at a place shortens a word ("Dr. Chen", "Anna H. said", "at 5 p.m. on Friday") and ends no sentence."""
    before = text[max(start, at - _NEAR) : at].lstrip()
    behind = _NEXT.match(text, at + 1, min(stop, at + _NEAR))
    if behind is None:
        return False
    if _TITLE.search(before) or (_DOTTED.search(before) and behind[1].islower()):
        return True
    return bool(_INITIAL.search(before)) and (behind[1].islower() or behind[1].lower() not in STOP)


def _parsed(text: str, start: int, end: int, words: tuple[Word, ...]) -> Parsed:
    begin = start + len(text[start:end]) - len(text[start:end].lstrip())
    stop = start + len(text[start:end].rstrip())
    return Parsed(begin, stop, words, "?" in text[words[-1].end : end] or asking(words))
