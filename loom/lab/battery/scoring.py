"""Whether a context or an answer has what a question of the battery asks for: strict, all of it and nothing that is forbidden.

Texts are compared as they are written, white space aside. A number is found only where it stands by itself: 36.5 is not in 136.5, in
36.55 or in 36.5.1, and 2:26 is not in 12:26; a word is not found inside of another.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from loom.core.values import Json
from loom.lab.battery.question import BatteryQuestion, Needle


@dataclass(frozen=True, slots=True)
class Score:
    """`missing` are needles that are not there; `apart` groups that no line has together; `found` forbidden texts that are there;
    `below` pairs in the wrong order; `foreign` sources of other bases."""

    id: str
    battery: str
    missing: tuple[Needle, ...] = ()
    apart: tuple[tuple[Needle, ...], ...] = ()
    found: tuple[str, ...] = ()
    below: tuple[tuple[str, str], ...] = ()
    foreign: tuple[str, ...] = ()

    @property
    def needle(self) -> bool:
        """Whether all that was asked for is there."""
        return not (self.missing or self.apart or self.below)

    @property
    def clean(self) -> bool:
        """Whether nothing is there that must not be."""
        return not (self.found or self.foreign)

    @property
    def passed(self) -> bool:
        return self.needle and self.clean

    def as_json(self) -> dict[str, Json]:
        return {
            "id": self.id,
            "battery": self.battery,
            "passed": self.passed,
            "missing": [list(one) for one in self.missing],
            "apart": [[list(one) for one in group] for group in self.apart],
            "found": list(self.found),
            "below": [list(pair) for pair in self.below],
            "foreign": list(self.foreign),
        }


def scored(context: str, question: BatteryQuestion, sources: Iterable[str] = ()) -> Score:
    """The score of a context; `sources` are those it was made of, as base/path."""
    return _scored(context, question, question.forbidden, sources)


def answered(answer: str, question: BatteryQuestion) -> Score:
    """The score of an answer: what must not be said is forbidden too."""
    return _scored(answer, question, (*question.forbidden, *question.unsaid), ())


def _scored(text: str, question: BatteryQuestion, forbidden: Iterable[str], sources: Iterable[str]) -> Score:
    folded = _folded(text)
    rows = [_folded(line) for line in text.splitlines()]
    return Score(
        question.id,
        question.battery,
        missing=tuple(one for one in question.needle if not _any(folded, one)),
        apart=tuple(group for group in question.aligned if not any(all(_any(row, one) for one in group) for row in rows)),
        found=tuple(one for one in forbidden if place(folded, one) >= 0),
        below=tuple((first, second) for first, second in question.above if _below(folded, first, second)),
        foreign=tuple(
            source for source in sorted(set(sources)) if question.within and source.partition("/")[0] not in question.within
        ),
    )


def place(text: str, wanted: str) -> int:
    """Where a text begins in another that is folded already, -1 where it does not stand there by itself."""
    found = _pattern(_folded(wanted)).search(text)
    return found.start() if found else -1


def holds(text: str, wanted: str) -> bool:
    return place(_folded(text), wanted) >= 0


def _any(text: str, needle: Needle) -> bool:
    return any(place(text, one) >= 0 for one in needle)


def _below(text: str, first: str, second: str) -> bool:
    after = place(text, second)
    return after >= 0 and not 0 <= place(text, first) < after


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


@lru_cache(maxsize=4096)
def _pattern(wanted: str) -> re.Pattern[str]:
    return re.compile(_before(wanted) + re.escape(wanted) + _after(wanted))


def _before(wanted: str) -> str:
    if not wanted[:1].isdigit():
        return r"(?<!\w)" if wanted[:1].isalpha() else ""
    alone = r"(?<!\w)(?<!\d[.:])(?<!(?<!\w)[-−])"
    # A comma sets cells apart where what follows it cannot be a group or decimals: "8,34.6", but not "8,346" or "1,346.5".
    cell = "," not in wanted and re.match(r"\d{3}\.|\d+$", wanted) is None
    return alone if cell else alone + r"(?<!\d,)"


def _after(wanted: str) -> str:
    if not wanted[-1:].isdigit():
        return r"(?!\w)" if wanted[-1:].isalpha() else ""
    alone = r"(?!\w)(?![.:]\d)"
    cell = "." in wanted and "," not in wanted
    return alone if cell else alone + r"(?!,\d{3}(?!\d))(?!,\d+(?![\d.:]))"
