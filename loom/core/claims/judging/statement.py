"""A proposition as rules compare it: what it is about, whether it denies, how many, when."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from loom.core.claims.judging.asked import Stated
from loom.core.claims.judging.lexicon import ORDINALS, RELATIONS, TIMES, canon, denies, hedges, narrows
from loom.core.facts.dates import dates_in
from loom.core.facts.figures import NUMBER, PERCENT
from loom.core.facts.scanning import figures_in
from loom.core.facts.words_of_number import spelled
from loom.core.memory.calendar import dates_of
from loom.core.memory.sentences import NEGATIONS, sentences_in
from loom.core.memory.timing import times_in
from loom.core.memory.words import Word, words_in

ABOUT = Decimal("0.1")
"""How far "about 200" reaches, as a part of it."""

_LEAST = ("more than", "at least", "over", "above", "minimum of", "exceeds", "from", "no fewer than", "no less than")
_MOST = (
    "less than",
    "at most",
    "under",
    "below",
    "maximum of",
    "up to",
    "within",
    "fewer than",
    "no more than",
    "not more than",
)
_NEARLY = ("about", "around", "roughly", "nearly", "almost", "approximately", "some", "circa")
_TIMES_WORDS = {"once": 1, "twice": 2, "thrice": 3}
_BETWEEN = frozenset("of the these those our their its such more".split())
_SCOPE = 4
"""Words behind "without", itself among them, that it denies."""
_NO_NUMBERS = frozenset({"one", "due"})
"""Words that may be numbers (the second in Italian) and mostly are none."""
_LONGEST = 4000
"""Characters of a proposition that are read."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of something, as the range [low, high] that it leaves open; None is no bound. `unit` is the canonical term behind it,
    "%" for a percentage, "$" and the like for money."""

    low: Decimal | None
    high: Decimal | None
    unit: str

    def meets(self, other: "Quantity") -> bool:
        """Whether one number can be both."""
        below = self.low is not None and other.high is not None and other.high < self.low
        above = self.high is not None and other.low is not None and other.low > self.high
        return not below and not above

    def within(self, other: "Quantity") -> bool:
        """Whether every number that this leaves open is one that the other leaves open."""
        low = other.low is None or (self.low is not None and self.low >= other.low)
        high = other.high is None or (self.high is not None and self.high <= other.high)
        return low and high


@dataclass(frozen=True, slots=True)
class Statement:
    """`order` are the canonical terms that carry something, in order, without numbers, dates and words that deny; `terms` is their set.

    `names` are those that are written as names, `denials` how many words deny, `head` the terms before the first word that may be
    its verb, `without` what it says to be missing beside the rest; `narrow` whether it says "only". `ordinals` are what is counted off
    ("third quarter"); `dates` are ISO, "*" where the year is open.
    """

    order: tuple[str, ...]
    head: tuple[str, ...]
    names: frozenset[str]
    denials: int
    hedged: bool
    asks: bool
    passive: bool
    quantities: tuple[Quantity, ...]
    dates: tuple[str, ...]
    ordinals: frozenset[int]
    forms: tuple[str, ...]
    without: frozenset[str]
    narrow: bool

    @property
    def terms(self) -> frozenset[str]:
        return frozenset(self.order)

    @property
    def counted(self) -> frozenset[str]:
        """What its numbers count."""
        return frozenset(each.unit for each in self.quantities if each.unit)

    def denied(self, other: "Statement") -> int:
        """How many words deny, as far as it concerns another statement: "without remarks" denies remarks alone."""
        return self.denials + bool(self.without & other.terms)


_VERBS = frozenset(
    """
    am is are was were be been being do does did has have had can could will would shall should may might must isnt arent wasnt
    werent doesnt dont didnt hasnt havent hadnt cant cannot wont no not never
    """.split()
)


@lru_cache(maxsize=16_384)
def read(stated: Stated) -> Statement:
    """A proposition, read. The same text observed on the same day is the same statement."""
    text = stated.text[:_LONGEST]
    words = words_in(text)
    dated, dates = _dates(text, stated.at)
    taken, quantities = _quantities(text, words, dated)
    out = {at for at, word in enumerate(words) if any(start <= word.start < end for start, end in (*taken, *dated))}
    order: list[str] = []
    names: set[str] = set()
    head: tuple[str, ...] | None = None
    denials = 0
    ordinals: set[int] = set()
    without: set[str] = set()
    missing = 0
    for at, word in enumerate(words):
        then = words[at + 1].form if at + 1 < len(words) else ""
        if head is None and order and (word.form in _VERBS or canon(word.form) in RELATIONS):
            head = tuple(order)
        if word.form == "without":
            missing = _SCOPE
        elif word.form in NEGATIONS or denies(word.form, then):
            denials += 1
        missing -= 1
        if word.form in ORDINALS and then in TIMES:
            ordinals.add(ORDINALS[word.form])
        if at in out or denies(word.form, then) or word.form in TIMES or word.form in ORDINALS or hedges(word.form):
            continue
        if word.form == "longer" and at and words[at - 1].form == "no":
            continue
        if found := canon(word.form) or _letter(word, text):
            if missing > 0:
                without.add(found)
                continue
            order.append(found)
            if word.capital and (at or len(word.form) == 1 or _named(words, at)):
                names.add(found)
    asks = any(sentence.asks for sentence in sentences_in(text))
    forms = tuple(word.form for word in words)
    hedged = any(hedges(form) for form in forms)
    return Statement(
        tuple(order),
        head if head is not None else tuple(order[:1]),
        frozenset(names),
        denials,
        hedged,
        asks,
        _passive(forms),
        tuple(quantities),
        dates,
        frozenset(ordinals),
        forms,
        frozenset(without),
        any(map(narrows, forms)),
    )


def _letter(word: Word, text: str) -> str:
    """A single capital letter that names something ("Consortium Y"); "I" and "A" do not."""
    written = text[word.start : word.end]
    return word.form if len(written) == 1 and word.capital and written not in "IA" else ""


def _named(words: Sequence[Word], at: int) -> bool:
    """Whether the first word is a name: another one follows it at once ("Jane Mwangi")."""
    return at == 0 and len(words) > 1 and words[1].capital


def _passive(forms: Sequence[str]) -> bool:
    been = any(form in ("is", "are", "was", "were", "been", "be", "being") for form in forms)
    return been and "by" in forms


def _quantities(
    text: str, words: Sequence[Word], dated: Sequence[tuple[int, int]]
) -> tuple[list[tuple[int, int]], list[Quantity]]:
    """Where numbers stand, and what they count."""
    found: list[tuple[int, int, Decimal, str]] = []
    for figure in figures_in(text):
        reading = next((each for each in figure.readings if each.kind in (NUMBER, PERCENT)), None)
        if reading is not None and not figure.mark:
            unit = "%" if reading.kind == PERCENT else _money(text, figure.first)
            found.append((figure.first, figure.last, reading.value, unit))
    for number in spelled(text):
        ordinary = text[number.start : number.end].casefold() in _NO_NUMBERS
        if not ordinary and not any(start <= number.start < end for start, end, _, _ in found):
            found.append((number.start, number.end, number.value, ""))
    for word in words:
        if word.form in _TIMES_WORDS:
            found.append((word.start, word.end, Decimal(_TIMES_WORDS[word.form]), "time"))
    found = sorted(each for each in found if not any(start <= each[0] < end for start, end in dated))
    made = [_bounded(text[:start].casefold(), value, unit or _unit(words, end)) for start, end, value, unit in found]
    return [(start, end) for start, end, _, _ in found], made


def _money(text: str, start: int) -> str:
    before = text[:start].rstrip()[-1:]
    return {"$": "dollar", "€": "euro", "£": "pound"}.get(before, "")


def _unit(words: Sequence[Word], end: int) -> str:
    """The canonical term of the next word that carries something; words such as "of the" may stand between."""
    for word in [word for word in words if word.start >= end][:4]:
        if word.form in TIMES:
            return word.form.removesuffix("s")
        if found := canon(word.form):
            return found
        if word.form not in _BETWEEN:
            return ""
    return ""


def _bounded(before: str, value: Decimal, unit: str) -> Quantity:
    before = " ".join(before.rstrip(" $€£").split())
    if any(before == each or before.endswith(" " + each) for each in _MOST):
        return Quantity(None, value, unit)
    if any(before == each or before.endswith(" " + each) for each in _LEAST):
        return Quantity(value, None, unit)
    if any(before == each or before.endswith(" " + each) for each in _NEARLY):
        return Quantity(value - abs(value) * ABOUT, value + abs(value) * ABOUT, unit)
    return Quantity(value, value, unit)


def _dates(text: str, at: str) -> tuple[list[tuple[int, int]], tuple[str, ...]]:
    """Where dates stand, and which they are: resolved against the day of observation, or with an open year."""
    places = [(each.start, each.end) for each in dates_in(text)] + [(each.start, each.end) for each in times_in(text)]
    resolved = dates_of(text, at)
    if resolved:
        return places, resolved
    written = [
        f"{year or '*'}-{month:02}" + (f"-{day:02}" if day else "")
        for each in dates_in(text)
        for year, month, day in each.days[:1]
    ]
    return places, tuple(dict.fromkeys(written or [each.iso for each in times_in(text)]))
