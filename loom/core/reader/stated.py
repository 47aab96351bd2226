"""What the reader says of evidence whose lines say what they state: the lines that answer, or the notes on what is absent.

A line is quoted whole, with the source that it carries, and nothing is quoted beside it that only looks like an answer: where what
was asked for is absent, its note is the answer; where nothing shown states it, nothing is said.
"""

import re
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import groupby

from loom.core.matching.default import plain_words
from loom.core.values import Role, Served

MOST = 48
"""Lines that an answer quotes; of more it says that there are more."""
PASSAGES = 6
"""Units of content that were searched for and are quoted."""
MORE = "Further lines on this stand in what was shown."
UNSTATED = "What this node holds on the question does not state what is asked for."
_CITED = re.compile(r"\[[^\]\n]*\]")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the unit with this number."""

    number: int
    title: str
    text: str
    iri: str
    role: Role
    position: str = ""

    @property
    def figures(self) -> bool:
        """Whether it holds figures beside its own position and its source."""
        told = _CITED.sub("", self.text).replace(self.position, "") if self.position else _CITED.sub("", self.text)
        return any(letter.isdigit() for letter in told)


def spoken(asking: Sequence[str], served: Sequence[tuple[int, Served]]) -> list[str]:
    """Paragraphs about numbered evidence that says what its lines state; [] where none of it answers anything."""
    lines = [line for number, each in served for line in _lines(number, each)]
    absent = [line for line in lines if line.role is Role.ABSENT]
    answers = [line for line in lines if line.role is Role.ANSWER]
    found = [] if absent else _best(asking, [line for line in lines if line.role is Role.FOUND], beside=bool(answers))
    quoted = {id(line) for line in (*answers, *found)}
    kept = list(_headed(lines, lambda line: id(line) in quoted))
    paragraphs = ["\n".join(f"{line.text} [{line.number}]" for line in absent)] if absent else []
    paragraphs += [_paragraph(list(group)) for _, group in groupby(kept[:MOST], key=lambda line: line.number)]
    return [*paragraphs, MORE] if len(kept) > MOST else paragraphs


def _lines(number: int, served: Served) -> Iterator[Line]:
    evidence = served.evidence
    for text, stated in zip(served.lines, evidence.stated, strict=False):
        if stated is not None:
            yield Line(number, evidence.title, text, stated.iri, stated.role, stated.position)


def _headed(lines: Sequence[Line], wanted: Callable[[Line], bool]) -> Iterator[Line]:
    """The wanted lines, each group of them behind the heading that it stands under."""
    heading: Line | None = None
    for line in lines:
        if line.role is Role.HEADING:
            heading = line
        elif wanted(line):
            if heading is not None and heading.number == line.number:
                yield heading
            heading = None
            yield line


def _best(asking: Sequence[str], found: Sequence[Line], *, beside: bool) -> list[Line]:
    """The units of content that hold most of the question's words. Beside lines that answer, only such as hold more of them than
    their title does, and none with figures: they could be taken for what was asked for."""
    units = [list(group) for _, group in groupby(found, key=lambda line: (line.number, line.iri))]
    sought = {word for word in asking if len(word) > 3}
    if beside:
        units = [unit for unit in units if not any(line.figures for line in unit) and any(_adds(sought, line) for line in unit)]
    scores = [len(sought & {word for line in unit for word in plain_words(f"{line.title} {line.text}")}) for unit in units]
    best = max(scores, default=0)
    least = best if beside else min(best, 1)
    kept = [unit for unit, score in zip(units, scores, strict=True) if score >= least and (score or not beside)]
    return [line for unit in kept[:PASSAGES] for line in unit]


def _adds(sought: Set[str], line: Line) -> bool:
    """Whether a line holds a word that is sought and stands neither in its title nor in its source."""
    return bool((sought & set(plain_words(_CITED.sub("", line.text)))) - set(plain_words(line.title)))


def _paragraph(lines: Sequence[Line]) -> str:
    """Lines of one unit: a sentence alone as it stands, several as a list, under their heading where they have one."""
    alone = len(lines) == 1
    return "\n".join(f"{'' if alone or line.role is Role.HEADING else '- '}{line.text} [{line.number}]" for line in lines)
