"""Verifying an answer: every number, date and position in it is looked up in what was shown (R30).

Equality is by value: 1,000 is 1.0e3 and 37.5 is 37.50, but 38 is not 37.5, and a share of 0.375 is not 37.5 %. A number that stands
nowhere is not wrong by that; it only has no support here, and is named.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from loom.core.facts.asides import COUNT, counts_in, named_after
from loom.core.facts.axes import Axes, axes_of
from loom.core.facts.derivable import Derivable, follows
from loom.core.facts.figures import NUMBER, PERCENT, Figure
from loom.core.facts.scanning import figures_in
from loom.core.facts.shown_figures import ShownFigures
from loom.core.facts.values import Attribute

SHOWN, ASKED, DERIVED, STRUCTURAL, UNSUPPORTED = "shown", "asked", "derived", "structural", "unsupported"
CLASSES = (SHOWN, ASKED, DERIVED, STRUCTURAL, UNSUPPORTED)
MOST_COUNTED = 99
"""A count of listed items above this one is a number like any other."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number, date or position of an answer, at [start, end) of it.

    `text` has its unit; `found` is its class, `kind` what it was read as; `place` is where in the shown text it stands, [start, end),
    None where it does not; `why` is the kind of mark of a structural one.
    """

    text: str
    start: int
    end: int
    kind: str
    found: str
    place: tuple[int, int] | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Verified:
    """All numbers of an answer, in order."""

    numbers: tuple[Number, ...] = ()

    @property
    def unsupported(self) -> tuple[Number, ...]:
        return tuple(each for each in self.numbers if each.found == UNSUPPORTED)

    @property
    def counts(self) -> dict[str, int]:
        """How many numbers are of each class."""
        found = Counter(each.found for each in self.numbers)
        return {name: found[name] for name in CLASSES}


def verify(
    answer: str,
    shown: str,
    asked: str | Sequence[str] = "",
    *,
    attributes: Sequence[Attribute] = (),
    derived: Sequence[Derivable] = (),
) -> Verified:
    """Class every number of `answer` by the evidence `shown` and by what was `asked`, question and conversation.

    `attributes` are those that positions are counted in: with them "2:26" is "second 146". `derived` are shown values from which
    their metric lets a difference or a change in percent be computed.
    """
    axes = axes_of(attributes)
    said = asked if isinstance(asked, str) else "\n".join(asked)
    return _verified(answer, ShownFigures(shown, axes), ShownFigures(said, axes), axes, derived)


class Verifier:
    """Verifies an answer that comes in pieces: `feed` each, then `close`. Numbers may be cut anywhere, so all are read at the end."""

    def __init__(
        self,
        shown: str,
        asked: str | Sequence[str] = "",
        *,
        attributes: Sequence[Attribute] = (),
        derived: Sequence[Derivable] = (),
    ) -> None:
        self._shown, self._asked = shown, asked
        self._attributes, self._derived = attributes, derived
        self._pieces: list[str] = []

    def feed(self, piece: str) -> None:
        self._pieces.append(piece)

    def close(self) -> Verified:
        """What was fed, verified."""
        return verify("".join(self._pieces), self._shown, self._asked, attributes=self._attributes, derived=self._derived)


def _verified(answer: str, shown: ShownFigures, asked: ShownFigures, axes: Axes, derived: Sequence[Derivable]) -> Verified:
    listed = counts_in(answer)
    numbers = []
    for figure in figures_in(answer, axes):
        found, place, why = UNSUPPORTED, None, ""
        if figure.mark:
            found, why = STRUCTURAL, figure.mark
        elif (where := shown.find(figure)) is not None:
            found, place = SHOWN, (where.first, where.last)
        elif asked.find(figure) is not None:
            found = ASKED
        elif _derives(figure, derived):
            found = DERIVED
        elif _counts(figure, answer, listed):
            found, why = STRUCTURAL, COUNT
        text = answer[figure.first : figure.last]
        numbers.append(Number(text, figure.first, figure.last, figure.kind, found, place, why))
    return Verified(tuple(numbers))


def _derives(figure: Figure, derived: Sequence[Derivable]) -> bool:
    return any(follows(each.value, bool(figure.sign), derived) for each in figure.readings if each.kind in (NUMBER, PERCENT))


def _counts(figure: Figure, answer: str, listed: frozenset[int]) -> bool:
    """Whether a bare number says how many things the answer lists."""
    if figure.kind != NUMBER or figure.sign or figure.last != figure.end:
        return False
    number = figure.readings[0].value
    if number != number.to_integral_value() or not Decimal(2) <= number <= MOST_COUNTED:
        return False
    return (int(number) in listed and _before_noun(answer, figure)) or named_after(answer, figure.end) == int(number)


def _before_noun(answer: str, figure: Figure) -> bool:
    """Whether a word follows, as what is counted does: "the 3 programmes"."""
    return answer[figure.end : figure.end + 1] in (" ", "\u00a0") and answer[figure.end + 1 : figure.end + 2].isalpha()
