"""Questions with known answers, made from a corpus: it is named, it is described in other words, or it is something else.

What tells a question about the corpus from one that is not must be learned from cases that are hard both ways. So names stand in
everyday sentences where they mean something else, units are asked for that are hidden, names are invented, and descriptions lose
most of the words of the definition to everyday ones. A description is given twice: `text` is what names and texts are matched with,
and `fluent`, which keeps its meaning, what is embedded: a person who paraphrases changes the words and keeps the meaning.
"""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from loom.build.calibrating.frames import BESIDE, DESCRIBED, NAMED, PAIRED, SOMEBODY, SYLLABLES
from loom.core.retrieval.stem import term
from loom.core.text import words
from loom.core.values import Concept, Row

T = TypeVar("T")

KINDS = ("named", "beside", "paired", "described", "general", "misplaced", "invented", "hidden name", "hidden description")
SEED = 5
LONGEST = 30
COMMON, TOO_COMMON = 3.3, 5.0
"""Zipf values from which a word is everyday, and from which it is so common that a name does not take its place."""

_SENTENCE = re.compile(r"[.;:,]\s+")
_WORD = re.compile(r"[^\W\d_]{3,}")

Zipf = Callable[[str], float]


@dataclass(frozen=True, slots=True)
class Example:
    """A question, the rows that it is about (none: nothing in the corpus), and rows that are as if they were not there."""

    kind: str
    text: str
    gold: frozenset[Row] = frozenset()
    hidden: frozenset[Row] = frozenset()
    fluent: str = ""

    @property
    def meaning(self) -> str:
        """The text that is embedded."""
        return self.fluent or self.text


class _Dice:
    """Draws that are the same on every machine and version."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def chance(self, share: float) -> bool:
        return self._random.random() < share

    def of(self, choices: Sequence[T]) -> T:
        return choices[int(self._random.random() * len(choices))]


class Maker:
    """Makes examples from concepts in the order of their rows and from general questions."""

    def __init__(self, concepts: Sequence[Concept], general: Sequence[str], zipf: Zipf, seed: int = SEED) -> None:
        self._concepts = concepts
        self._zipf = zipf
        self._general = general
        self._dice = _Dice(seed)
        self._rows = [row for row, concept in enumerate(concepts) if not concept.deprecated and term_of(concept.title)]
        self._alike: dict[str, list[Row]] = {}
        for row in self._rows:
            self._alike.setdefault(term_of(concepts[row].title), []).append(row)
        self._single = [row for row in self._rows if len(said := words(concepts[row].title)) == 1 and zipf(said[0]) > 0]
        spoken = {word for question in general for word in words(question) if word.isalpha() and term(word)}
        self._everyday = sorted(word for word in spoken if len(word) > 2 and zipf(word) > COMMON)
        self._titles = {concept.iri: concept.title for concept in concepts}

    def some(self, count: int) -> Iterator[Example]:
        """At most `count` examples of every kind but general; fewer where a corpus says little."""
        ways = (
            (30, self._named), (10, self._beside), (6, self._paired), (22, self._described), (4, self._hidden_description),
            (4, self._hidden_name), (8, self._invented), (16, self._misplaced),
        )  # fmt: skip
        drawn = [way for weight, way in ways for _ in range(weight)]
        for _ in range(count if self._rows else 0):
            if example := self._dice.of(drawn)():
                yield example

    def _row(self) -> Row:
        """Names of one word are a kind of their own, and drawn as if there were more of them."""
        return self._dice.of(self._single if self._single and self._dice.chance(0.25) else self._rows)

    def _gold(self, row: Row) -> frozenset[Row]:
        """The row, and those that have the same title."""
        return frozenset(self._alike[term_of(self._concepts[row].title)])

    def _name(self, row: Row) -> str:
        """A title as people write it: often in small letters, unless its capitals belong to it."""
        title = self._concepts[row].title
        inner = any(letter.isupper() for letter in title[1:]) and " " not in title
        return title if title.isupper() or inner or self._dice.chance(0.5) else title.lower()

    def _named(self) -> Example:
        row = self._row()
        return Example("named", self._frame(NAMED, a=self._name(row)), self._gold(row))

    def _beside(self) -> Example | None:
        row = self._row()
        own = set(map(term, words(self._concepts[row].title)))
        told = [
            word for word in dict.fromkeys(words(self._about(row))) if len(word) > 3 and term(word) and term(word) not in own
        ]
        if len(told) < 2:
            return None
        text = self._frame(BESIDE, a=self._name(row), c=f"{self._dice.of(told)} {self._dice.of(told)}")
        return Example("beside", text, self._gold(row))

    def _paired(self) -> Example:
        one, other = self._row(), self._row()
        text = self._frame(PAIRED, a=self._name(one), b=self._name(other))
        return Example("paired", text, self._gold(one) | self._gold(other))

    def _described(self) -> Example | None:
        return self._description("described", hidden=False)

    def _hidden_description(self) -> Example | None:
        return self._description("hidden description", hidden=True)

    def _description(self, kind: str, *, hidden: bool) -> Example | None:
        row = self._dice.of(self._rows)
        own = set(map(term, words(self._concepts[row].title)))
        clauses = [clause for clause in _SENTENCE.split(self._about(row)) if len(clause.split()) > 3]
        if not clauses:
            return None
        clause = self._dice.of(clauses)
        said = words(clause if len(clause.split()) > 13 else f"{clause} {self._dice.of(clauses)}")[:LONGEST]
        kept, meant = self._dice.of((0.0, 0.2, 0.4, 0.6)), self._dice.of((0.7, 0.85, 1.0))
        frame = self._dice.of(DESCRIBED)
        text = frame.format(d=" ".join(self._reworded(said, own, kept)))
        fluent = frame.format(
            d=" ".join(word for word in said if not term(word) or (term(word) not in own and self._dice.chance(meant)))
        )
        gold = self._gold(row)
        return Example(kind, text, frozenset() if hidden else gold, gold if hidden else frozenset(), fluent)

    def _reworded(self, said: Sequence[str], own: set[str], kept: float) -> Iterator[str]:
        """The words with that share of the content words kept and most others replaced by everyday ones."""
        for word in said:
            if not term(word):
                yield word
            elif term(word) not in own:
                if self._dice.chance(kept):
                    yield word
                elif self._everyday and self._dice.chance(0.6):
                    yield self._dice.of(self._everyday)

    def _hidden_name(self) -> Example:
        row = self._row()
        return Example("hidden name", self._frame(NAMED, a=self._name(row)), hidden=self._gold(row))

    def _invented(self) -> Example:
        name = self._invention() if self._dice.chance(0.6) else f"{self._invention()} {self._invention()}"
        return Example("invented", self._frame(NAMED, a=name))

    def _invention(self) -> str:
        syllables = [self._dice.of(SYLLABLES) for _ in range(2 if self._dice.chance(0.5) else 3)]
        return "".join(syllables).capitalize()

    def _misplaced(self) -> Example | None:
        """A general question with the name of a unit in the place of some word."""
        if not self._single or not self._general:
            return None
        row, question = self._dice.of(self._single), self._dice.of(self._general)
        places = [
            found for found in _WORD.finditer(question)
            if term(found[0].lower()) and self._zipf(found[0].lower()) < TOO_COMMON
        ]  # fmt: skip
        if not places:
            return None
        place = self._dice.of(places)
        return Example("misplaced", question[: place.start()] + self._concepts[row].title.lower() + question[place.end() :])

    def _about(self, row: Row) -> str:
        """What a unit says of itself: its definition, else what it is and what it points at."""
        concept = self._concepts[row]
        told = concept.full or concept.definition
        if told:
            return told
        refs = [*concept.parents, *(ref for _, targets in concept.relations for ref in targets)]
        return " ".join(self._titles.get(ref.iri) or ref.label for ref in refs)

    def _frame(self, frames: Sequence[str], **parts: str) -> str:
        return self._dice.of(frames).format(w=self._dice.of(SOMEBODY), **parts)


def term_of(title: str) -> str:
    """What titles that are alike have in common."""
    return " ".join(map(term, words(title)))
