"""How a statement stands to what it says: told of somebody else, under a condition, of some and not of all, of what was or will be.

Read from the forms of its words alone. Rules are silent between statements that differ in it: neither excludes the other.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from loom.core.claims.judging.lexicon import base, canon, hedges
from loom.core.memory.porter import stem

Forms = tuple[str, ...]

_SAYING = frozenset(
    """
    say says said saying claim claims claimed believe believes believed think thinks thought argue argues argued allege alleges alleged
    insist insists insisted doubt doubts doubted fear fears feared suspect suspects suspected assume assumes assumed reckon reckons
    guess guesses guessed suppose supposes supposed pretend pretends pretended
    """.split()
)
_BEFORE_NOUNS = frozenset("the a an its their our my your his her this that these those no any of some such".split())
_GROUNDS = frozenset(
    "evidence proof sign rumour rumor hint idea belief suspicion claim allegation fear doubt hope indication".split()
)
_IF = frozenset("if unless whether whenever".split())
_LEADING = frozenset("if unless whenever should had were without".split())
_CONDITIONS = (
    ("provided", "that"), ("providing", "that"), ("assuming", "that"), ("supposing", "that"), ("in", "case"), ("as", "long"), ("on", "condition"),
    ("subject", "to"), ("only", "with"), ("only", "after"), ("only", "when"),
)  # fmt: skip
_PARTLY = frozenset(
    """
    some several certain various someone somebody something sometimes often usually mostly partly partially occasionally rarely seldom
    hardly scarcely barely few
    """.split()
)
_WHOLLY = frozenset("all every each both everyone everybody everything always entirely fully completely necessarily".split())
_NONE = frozenset("no none nobody nothing never nowhere neither nor".split())
_NO_DENIAL = frozenset("only just merely solely simply".split())
_PAST = frozenset("was were did had wasnt werent didnt hadnt been".split())
_PRESENT = frozenset("is are am isnt arent has have hasnt havent do does dont doesnt can cannot may will shall must".split())
_HAVING = frozenset(
    "has have cost costs weigh weighs measure measures contain contains number numbers comprise comprises consist consists".split()
)
_AHEAD = frozenset("will shall wont".split())
_WEAK = frozenset(
    """
    nearly almost virtually practically former formerly fake forged alleged supposed instead except excluding unlikely doubtful impossible
    improbable seem seems seemed appears appeared apparently seemingly please
    """.split()
)
_TO_DO = frozenset(
    """
    tries tried try promises promised promise agrees agreed agree asks asked ask forgets forgot refuses refused declines declined needs
    needed need about is are was were be wants wanted offers offered ordered told supposed due set
    """.split()
)
"""Words before "to" and a verb with which that is not done."""
_WEAK_PAIRS = frozenset(
    {
        ("rather", "than"),
        ("moved", "from"),
        ("one", "of"),
        ("half", "of"),
        ("half", "the"),
        ("none", "of"),
        ("all", "but"),
        ("apart", "from"),
        ("rumour", "has"),
    }
)
_NOW = frozenset("is are am isnt arent".split())
_SPANS = frozenset("week month quarter year season winter spring summer autumn time night".split())
_DAYS = {
    form: day
    for day in "monday tuesday wednesday thursday friday saturday sunday".split()
    for form in (day, f"{day}s")
}  # fmt: skip


def emphasises(form: str, then: str) -> bool:
    """Whether a "not" denies nothing: "not only loud", "not just old"."""
    return form == "not" and then in _NO_DENIAL


@lru_cache(maxsize=16_384)
def reported(forms: Forms) -> bool:
    """Whether somebody else is named as the one who says so: "Ben says …", "according to Ben", "no evidence that …"; not
    where it is said as well ("as Ben says")."""
    pairs = list(zip(("", *forms), forms, (*forms[1:], ""), strict=False))
    return any(
        (form in _SAYING and bool(before) and before not in _BEFORE_NOUNS and "as" not in forms[max(0, at - 4) : at])
        or (form == "according" and then == "to")
        or (form in _GROUNDS and then == "that")
        for at, (before, form, then) in enumerate(pairs)
    )


@lru_cache(maxsize=16_384)
def hinges(forms: Forms) -> bool:
    """Whether it is said to hold under a condition alone, that may fail: "… provided that the tank is full", "without a permit …"."""
    if forms[:1] and forms[0] in _LEADING:
        return True
    return bool(_IF & set(forms)) or any(_follows(forms, *each) for each in _CONDITIONS)


@lru_cache(maxsize=16_384)
def conditional(forms: Forms) -> bool:
    """Whether it holds under a condition, or at some times only: "when it rains", "not until …", beside what hinges on one."""
    if hinges(forms) or "when" in forms or forms[:1] == ("once",):
        return True
    return "until" in forms and any(
        form in ("not", "cannot", "never", "cant", "wont", "no") for form in forms[: forms.index("until")]
    )


@lru_cache(maxsize=16_384)
def supposed(forms: Forms) -> bool:
    """Whether it is planned, allowed or likely rather than so; "could not" says that it was not so."""
    return any(
        hedges(form) and not (form == "could" and then == "not") for form, then in zip(forms, (*forms[1:], ""), strict=False)
    )


@lru_cache(maxsize=16_384)
def partial(forms: Forms) -> frozenset[str]:
    """The words by which it speaks of some, or of sometimes; "not all" and "not always" are such."""
    found: set[str] = set()
    for form, then in zip(forms, (*forms[1:], ""), strict=False):
        if form in _PARTLY and not then.isdecimal():
            found.add(form)
        if form == "not" and then in _WHOLLY:
            found.add(then)
    return frozenset(found)


@lru_cache(maxsize=16_384)
def whole(forms: Forms) -> bool:
    """Whether it speaks of all or of none, always or never."""
    before = ("", *forms)
    then = (*forms[1:], "")
    return any(
        (form in _WHOLLY and before[at] != "not") or (form in _NONE and then[at] != "longer") for at, form in enumerate(forms)
    )


@lru_cache(maxsize=16_384)
def former(forms: Forms) -> bool:
    """Whether it says that something was so and need not be any more: "used to", "was once", "last year", "had been"."""
    if {"formerly", "previously", "ago"} & set(forms) or _follows(forms, "had", "been"):
        return True
    for at, form in enumerate(forms):
        then, before = forms[at + 1] if at + 1 < len(forms) else "", forms[at - 1] if at else ""
        if form == "used" and then == "to" and before not in (*_NOW, "was", "were", "be", "been", "being"):
            return True
        if form == "once" and ("was" in (before, then) or "were" in (before, then)):
            return True
        if form == "last" and then in _SPANS:
            return True
    return False


@lru_cache(maxsize=16_384)
def past(forms: Forms) -> bool:
    return bool(_PAST & set(forms)) or any(form.endswith("ed") for form in forms)


@lru_cache(maxsize=16_384)
def weakened(forms: Forms) -> frozenset[str]:
    """The words by which it says less than the words beside them do: "nearly sold", "tried to sell", "the former head", "instead of
    the pump"."""
    pairs = zip(forms, (*forms[1:], ""), strict=False)
    found = {form for form in forms if form in _WEAK}
    found.update(form for form, then in pairs if (then == "to" and form in _TO_DO) or (form, then) in _WEAK_PAIRS)
    if "too" in forms and "to" in forms[forms.index("too") :]:
        found.add("too")
    return frozenset(found)


def by_so_much(forms: Forms) -> bool:
    """Whether its number may be that by which something changed: "fell by 10 euros"."""
    changes = (canon("fall"), canon("rise"))
    return any(then == "by" and canon(form) in changes for form, then in pairwise(forms))


@lru_cache(maxsize=16_384)
def ahead(forms: Forms) -> bool:
    """Whether it speaks of what is to come."""
    return bool(_AHEAD & set(forms))


@lru_cache(maxsize=16_384)
def over(forms: Forms) -> bool:
    """Whether it tells of what was: a past tense, and no auxiliary of the present."""
    return not _PRESENT & set(forms) and (past(forms) or any(base(form) not in ("", stem(form)) for form in forms))


def has(forms: Forms) -> bool:
    """Whether it says what something has, costs or measures, which stays so when that is over."""
    return bool(_HAVING & set(forms))


@lru_cache(maxsize=16_384)
def days(forms: Forms) -> frozenset[str]:
    """The days of the week that it names."""
    return frozenset(_DAYS[form] for form in forms if form in _DAYS)


def apart(one: Forms, other: Forms) -> bool:
    """Whether two statements are of other times: days of the week that differ, what was against what is, what will be against it."""
    return (
        bool(days(one) and days(other) and days(one).isdisjoint(days(other)))
        or _was(one, other)
        or _was(other, one)
        or _ahead(one, other)
        or _ahead(other, one)
    )


def _was(one: Forms, other: Forms) -> bool:
    return former(one) and not former(other) and not past(other)


def _ahead(one: Forms, other: Forms) -> bool:
    return ahead(one) and not ahead(other) and bool(_NOW & set(other)) and not _follows(other, "going", "to")


def rates(forms: Forms) -> frozenset[str]:
    """What a number is for each of: "per hour"."""
    return frozenset(then for form, then in pairwise(forms) if form == "per" and then not in ("cent", "annum"))


def _follows(forms: Sequence[str], one: str, then: str) -> bool:
    return any(a == one and b == then for a, b in pairwise(forms))
