"""The mechanism census: how often structural properties of matcher and questions decide a credit; no judge (seed 000, §10.2).

Subject substring: the name is part of the question's own subject, so that restating the question earns credit. Run together: the
name writes its words without spaces (GraphQL). Spaced expansion: the answer has the spaced form of such a name ("Graph QL"), which
a matcher that does not part words leaves uncredited. A unit is one name of one row; all are counted by the matcher's cell.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from loom.core.exposure import READERS
from loom.core.text import ascii_words
from loom.core.values import Json
from loom.lab.row import ANSWERED, EMPTY, Row
from loom.lab.scoring.scored import Scored

CELLS = ("n11", "n10", "n01", "n00")
SUBJECT, NAMED, TOGETHER, SPACED = "subject_substring", "named_in_question", "run_together", "spaced_expansion"
MECHANISMS = (SUBJECT, NAMED, TOGETHER, SPACED)

_JOINT = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD = re.compile(r"\w+")


@lru_cache(maxsize=16_384)
def expansion(title: str) -> str | None:
    """The spaced form of a title whose words are written together; None of any other."""
    if not _WORD.fullmatch(title):
        return None
    spaced = _JOINT.sub(" ", title)
    return spaced if " " in spaced and any(letter.islower() for letter in title) else None


@dataclass(slots=True)
class Census:
    """Counts by arm, mechanism and cell. `titles` counts each run-together name that came up; `examples` names units of spaced
    expansions that were not credited."""

    matcher: str
    frame: Counter[tuple[str, str]] = field(default_factory=Counter)
    counts: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    titles: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    without_subject: int = 0

    def add(self, row: Row, scored: Scored) -> None:
        """One row and its score."""
        if scored.status not in (ANSWERED, EMPTY) or not scored.exposed:
            return
        question, arm = row.question, row.arm
        subjects = [" ".join(ascii_words(slug)) for slug in question.class_slugs]
        self.without_subject += not subjects
        asked = READERS[self.matcher](question.prompt)
        said: str | None = None
        for title, shown, named in zip(question.titles, scored.exposed, scored.recovered, strict=True):
            cell = CELLS[2 * (not shown) + (not named)]
            self.frame[arm, cell] += 1
            plain = " ".join(ascii_words(title))
            if plain and any(plain in subject for subject in subjects):
                self.counts[arm, SUBJECT, cell] += 1
            if asked.names(title):
                self.counts[arm, NAMED, cell] += 1
            if (spaced := expansion(title)) is None:
                continue
            self.counts[arm, TOGETHER, cell] += 1
            self.titles[arm, title, cell] += 1
            if not named:
                if said is None:
                    said = f" {' '.join(ascii_words(row.answer))} "
                if f" {' '.join(ascii_words(spaced))} " in said:
                    self.counts[arm, SPACED, cell] += 1

    def as_json(self) -> dict[str, Json]:
        return {
            "matcher": self.matcher,
            "questions_without_subject": self.without_subject,
            "arms": {arm: self._arm(arm) for arm in dict.fromkeys(arm for arm, _ in self.frame)},
        }

    def _arm(self, arm: str) -> dict[str, Json]:
        told = sorted({title for one, title, _ in self.titles if one == arm})
        return {
            "frame": _cells({cell: self.frame[arm, cell] for cell in CELLS}),
            **{kind: _cells({cell: self.counts[arm, kind, cell] for cell in CELLS}) for kind in MECHANISMS},
            "run_together_titles": {title: _cells({cell: self.titles[arm, title, cell] for cell in CELLS}) for title in told},
        }


def _cells(counts: dict[str, int]) -> dict[str, int]:
    """The cells with their sums: credited is n11 and n01, omitted the other two."""
    credited = counts["n11"] + counts["n01"]
    total = sum(counts.values())
    return {"units": total, "credited": credited, "omitted": total - credited, **counts}


def census(rows: Iterable[tuple[Row, Scored]], matcher: str) -> Census:
    """The census of scored rows, read one at a time."""
    found = Census(matcher)
    for row, scored in rows:
        found.add(row, scored)
    return found
