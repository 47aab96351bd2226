"""Rules by which two statements cannot both be so. Each gives the name of the rule that found it, or "".

All of them want the two to speak of the same thing first: names that only one of them has, or further words that each has without
the other, are taken for another subject. So a rule rather misses a contradiction than makes one up; none knows what words mean.
"""

from loom.core.claims.judging.lexicon import BEGINNINGS, CONVERSE, MADE, ONCE, RELATIONS, ROLES, opposite
from loom.core.claims.judging.stance import apart, conditional, days, has, over, partial, rates, reported, supposed, whole
from loom.core.claims.judging.statement import Statement
from loom.core.memory.timing import fits

ALIKE = 0.8
"""The share of the shorter statement's terms that the other has, from which both speak of one thing."""


def opposed(one: Statement, other: Statement) -> str:
    """The rule by which two statements exclude each other; the same whichever comes first. "" where none does."""
    if one.asks or other.asks or _conditional(one) or _conditional(other) or _other_period(one, other):
        return ""
    if one.foreign or other.foreign or conditional(one.forms) != conditional(other.forms) or _others_words(one, other):
        return ""
    return (
        _polarity(one, other)
        or _figure(one, other)
        or _date(one, other)
        or _filler(one, other)
        or _ended(one, other)
        or _ended(other, one)
    )


def _conditional(one: Statement) -> bool:
    return bool(one.forms) and (one.forms[0] in ("if", "unless") or "whether" in one.forms)


def _others_words(one: Statement, other: Statement) -> bool:
    """Whether one of the two, and not the other, tells what somebody else says; or both do, of different people."""
    told, also = reported(one.forms) or one.quotes, reported(other.forms) or other.quotes
    return told != also or (told and one.head[:1] != other.head[:1])


def _other_period(one: Statement, other: Statement) -> bool:
    """Whether each speaks of a quarter, half or year of its own."""
    if one.ordinals and other.ordinals and one.ordinals.isdisjoint(other.ordinals):
        return True
    return bool(one.dates and other.dates and one.quantities and other.quantities and not fits(one.dates, other.dates))


def pairs_of(one: Statement, other: Statement) -> list[tuple[str, str]]:
    """Opposites of which each statement has one."""
    left, right = one.terms - other.terms, other.terms - one.terms
    return [(a, b) for a in sorted(left) for b in sorted(right) if opposite(a, b)]


def foreign(one: Statement, other: Statement) -> bool:
    """Whether each names somebody or something that the other does not."""
    return bool(one.names - other.terms) and bool(other.names - one.terms)


def alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two sets of terms are of one thing: two shared, nearly all of the smaller, and not further ones on both sides."""
    shared = one & other
    if len(shared) < min(2, len(one | other)) or not shared:
        return False
    smaller = min(len(one), len(other))
    left, right = len(one - other), len(other - one)
    return len(shared) >= ALIKE * smaller and not (left and right and len(shared) < 2 * max(left, right) + 1)


def _polarity(one: Statement, other: Statement) -> str:
    """One denies what the other says, or says the opposite of it."""
    pairs = pairs_of(one, other)
    odd = (one.denied(other) + other.denied(one) + len({a for a, _ in pairs})) % 2
    if not odd or foreign(one, other) or not _same_figures(one, other):
        return ""
    if supposed(one.forms) != supposed(other.forms) or _other_time(one, other) or _of_some(one, other) or turned(one, other):
        return ""
    left = one.terms - {a for a, _ in pairs}
    right = other.terms - {b for _, b in pairs}
    if not pairs:
        return "polarity" if alike(left, right) else ""
    if any(each in CONVERSE for each in pairs) and set(one.head).isdisjoint(other.head):
        return ""
    return "opposites" if _about(left, right) else ""


def _other_time(one: Statement, other: Statement) -> bool:
    """Whether the two speak of other days, or of what was and of what is."""
    return apart(one.forms, other.forms) or bool(one.dates and other.dates and not fits(one.dates, other.dates))


def _of_some(one: Statement, other: Statement) -> bool:
    """Whether one speaks of some, or of sometimes, and the other neither of all nor of none: both may be so."""
    return bool(partial(one.forms) and not whole(other.forms)) or bool(partial(other.forms) and not whole(one.forms))


def turned(one: Statement, other: Statement) -> bool:
    """Whether two names have changed places ("Anna sold it to Ben"), unless one of the two sentences is passive."""
    if one.passive != other.passive:
        return False
    names = (one.names | other.names) & one.terms & other.terms
    mine, theirs = ([term for term in dict.fromkeys(each.order) if term in names] for each in (one, other))
    return mine != theirs


def _about(left: frozenset[str], right: frozenset[str]) -> bool:
    """Whether what is left beside two opposites is one thing: shared, and nothing further on both sides."""
    shared = left & right
    return bool(shared) and (left <= right or right <= left or alike(left, right))


def _same_figures(one: Statement, other: Statement) -> bool:
    """Whether no number of one is another number of the same unit in the other."""
    return all(a.meets(b) for a in one.quantities for b in other.quantities if a.unit == b.unit)


def _figure(one: Statement, other: Statement) -> str:
    """Another number of the same thing."""
    if (one.denied(other) + other.denied(one)) % 2 or foreign(one, other) or pairs_of(one, other):
        return ""
    if rates(one.forms) != rates(other.forms) or apart(one.forms, other.forms):
        return ""
    units = {each.unit for each in one.quantities} & {each.unit for each in other.quantities}
    for unit in sorted(units):
        mine = [each for each in one.quantities if each.unit == unit]
        theirs = [each for each in other.quantities if each.unit == unit]
        if not any(a.meets(b) for a in mine for b in theirs) and alike(one.terms - {unit}, other.terms - {unit}):
            return "figure"
    return ""


def _date(one: Statement, other: Statement) -> str:
    """Another day of what happens once."""
    if (one.denied(other) + other.denied(one)) % 2 or foreign(one, other) or not (one.dates and other.dates):
        return ""
    if fits(one.dates, other.dates) or not (ONCE & one.terms & other.terms):
        return ""
    return "date" if alike(one.terms, other.terms) else ""


def _filler(one: Statement, other: Statement) -> str:
    """Another holder of a role that one has, another place of a thing that is in one, another maker of a thing."""
    if one.denials or other.denials or one.hedged or other.hedged:
        return ""
    left, right = one.terms - other.terms - RELATIONS, other.terms - one.terms - RELATIONS
    shared = one.terms & other.terms
    if not left or not right:
        return ""
    if left <= one.names and right <= other.names:
        if shared & ROLES and "the" in one.forms and "the" in other.forms:
            return "role"
        whole = set(one.head) == set(other.head) == shared - RELATIONS
        if whole and _is(one) and _is(other) and _definite(one) and _definite(other):
            return "place"
    by = all(each.passive and "by" in each.forms for each in (one, other))
    if by and shared & MADE and set(one.head) == set(other.head):
        return "maker"
    return ""


def _is(one: Statement) -> bool:
    """Whether it says what, where or who its subject is."""
    return bool({"is", "are", "was", "were"} & set(one.forms) or one.terms & RELATIONS)


def _definite(one: Statement) -> bool:
    """Whether it speaks of one thing: "the office", "our office", "Mr. Tanaka"."""
    return one.forms[:1] in (("the",), ("our",), ("its",)) or bool(one.names & set(one.head))


def _ended(one: Statement, other: Statement) -> str:
    """One says that something ended, was left or withdrawn, of which the other says that it is so: not that it was, nor what it has."""
    if one.denials or one.hedged or other.denials or (other.endings or BEGINNINGS & other.terms) or foreign(one, other):
        return ""
    if days(one.forms) and days(other.forms) and days(one.forms).isdisjoint(days(other.forms)):
        return ""
    if one.dated_head and other.dates and not fits(one.dates, other.dates):
        return ""  # "the meeting on 3 May" is not the one on 10 May
    if one.ending < 0 or over(other.forms):
        return ""
    before, after = frozenset(one.order[: one.ending]), frozenset(one.order[one.ending + 1 :])
    if not before or not before & other.terms:
        return ""
    if not after:
        return "ended" if before <= other.terms and not before <= one.names | other.names and not has(other.forms) else ""
    if next((each for each in one.order[one.ending + 1 :] if each not in one.endings), "") not in other.terms:
        return ""  # what was ended, left or lost is not what the other speaks of
    return "ended" if len(after & other.terms) * 2 >= len(after) and len((before | after) & other.terms) >= 2 else ""
