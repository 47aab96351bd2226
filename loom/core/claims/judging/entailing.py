"""Whether one text alone says what another says: its words are there, it denies as much, and its numbers and dates agree."""

from loom.core.claims.judging.asked import Inference, Stated
from loom.core.claims.judging.opposing import pairs_of, turned
from loom.core.claims.judging.stance import ahead, by_so_much, hinges, over, partial, reported, weakened
from loom.core.claims.judging.statement import Statement, read
from loom.core.memory.subjects import FIRST_PERSON, SECOND_PERSON, THIRD_PERSON, speaks
from loom.core.memory.timing import fits
from loom.core.memory.words import words_in

POINTING = (
    FIRST_PERSON
    | SECOND_PERSON
    | THIRD_PERSON
    | frozenset("it its itself they them their theirs this that these those".split())
)
"""Words that stand for a name."""


def entailed(asked: Inference) -> bool:
    """Whether a premise alone says what a proposition says. A name among `given` may stand where the premise has a pronoun."""
    premise, proposition = read(Stated(asked.premise, asked.at)), read(Stated(asked.proposition, asked.at))
    points = any(word.form in POINTING or speaks(word) for word in words_in(asked.premise))
    given = frozenset(term for name in asked.given for term in read(Stated(name)).terms) if points else frozenset[str]()
    return covers(premise, proposition, given=given)


def covers(premise: Statement, other: Statement, *, given: frozenset[str] = frozenset(), exactly: bool = True) -> bool:
    """Whether a premise has another's terms, denies as much, is as sure, and has its numbers and dates (`exactly`: no date of it less
    precisely). Opposites count as terms that are there where the words that deny make up for them."""
    if not other.order:
        return False
    pairs = pairs_of(premise, other)
    held = premise.terms | given | {b for _, b in pairs}
    if premise.asks or other.asks or (premise.hedged and not other.hedged) or (premise.narrow and not other.narrow):
        return False
    if (reported(premise.forms) and not reported(other.forms)) or not _of_as_many(premise, other):
        return False
    if not weakened(premise.forms) <= weakened(other.forms) or _other_tense(premise, other):
        return False
    if other.quantities and by_so_much(premise.forms) and not by_so_much(other.forms):
        return False
    if hinges(premise.forms) and not hinges(other.forms):
        return False
    if (premise.foreign or other.foreign) and not _word_for_word(premise, other):
        return False
    if (premise.denied(other) + other.denied(premise) + len({a for a, _ in pairs})) % 2:
        return False
    held |= other.counted & premise.counted
    if not other.terms <= held:
        return False
    if not all(
        any(_counts(mine.unit, each.unit) and mine.within(each) for mine in premise.quantities) for each in other.quantities
    ):
        return False
    if other.dates and not _dated(premise, other, exactly=exactly):
        return False
    return premise.ordinals >= other.ordinals and not turned(premise, other)


def _other_tense(premise: Statement, other: Statement) -> bool:
    """Whether one tells of what was and the other of what is to come, or the other says that it is so."""
    if ahead(premise.forms) and not ahead(other.forms):
        return True
    return ahead(other.forms) and not ahead(premise.forms) and over(premise.forms)


def _of_as_many(premise: Statement, other: Statement) -> bool:
    """Whether what a premise says of some, or of sometimes, another says no more widely."""
    some = partial(premise.forms)
    return not some or bool(some & partial(other.forms))


def _word_for_word(premise: Statement, other: Statement) -> bool:
    """Whether all words of a premise are in another text: of a language that no rule reads, a word less may be the one that denies."""
    return set(premise.forms) <= set(other.forms)


def _dated(premise: Statement, other: Statement, *, exactly: bool) -> bool:
    """Whether a premise names the times of another: one that may be the same, or `exactly` each, no less precisely."""
    if exactly:
        return all(any(_tells(mine, each) for mine in premise.dates) for each in other.dates)
    return bool(premise.dates) and fits(other.dates, premise.dates)


def _tells(mine: str, other: str) -> bool:
    """Whether a time lies in another one, or is it."""
    if mine == other:
        return True
    if "/" in mine:
        return "/" not in other and all(end.startswith(other) for end in mine.split("/"))
    if "/" in other:
        first, last = other.split("/")
        return len(mine) >= len(first) and first <= mine[: len(first)] <= last
    parts, wanted = mine[:10].split("-"), other[:10].split("-")
    same = all(want in ("*", part) for part, want in zip(parts, wanted, strict=False))
    return same and len(parts) >= len(wanted)


def _counts(one: str, other: str) -> bool:
    """Whether two numbers may count one thing."""
    return one == other or not one or not other
