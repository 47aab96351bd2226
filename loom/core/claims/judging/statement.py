"""A proposition as rules compare it: what it is about, whether it denies, how many, when."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from loom.core.claims.judging.asked import Stated
from loom.core.claims.judging.counting import Quantity, quantities_in
from loom.core.claims.judging.lexicon import ORDINALS, RELATIONS, TIMES, base, canon, denies, ends, happened, hedges, narrows
from loom.core.claims.judging.stance import emphasises
from loom.core.claims.judging.tongues import foreign_to_rules
from loom.core.facts.dates import dates_in
from loom.core.memory.calendar import dates_of
from loom.core.memory.porter import stem
from loom.core.memory.sentences import NEGATIONS, sentences_in
from loom.core.memory.timing import times_in
from loom.core.memory.words import Word, term, words_in

_QUOTED = re.compile(r'["“„«](?:[^\s"“”„«»]+\s+){2,}[^\s"“”„«»]+(?:["”“»]|\Z)')
"""At least three words within quotation marks."""
_MAY = "in-may"
_SCOPE = 4
"""Words behind "without", itself among them, that it denies."""
_LONGEST = 4000
"""Characters of a proposition that are read."""


@dataclass(frozen=True, slots=True)
class Statement:
    """`order` are the canonical terms that carry something, in order, without numbers, dates and words that deny; `terms` is their set.

    `names` are those that are written as names, `denials` how many words deny, `head` the terms before the first word that may be
    its verb, `without` what it says to be missing beside the rest; `narrow` whether it says "only". `ordinals` are what is counted off
    ("third quarter"); `dates` are ISO, "*" where the year is open; `quotes` says whether it has the words of another within it, `foreign` whether
    it is of a language that no rule reads, `dated_head` whether a date stands before its verb ("the meeting on 3 May"). `endings` are the terms that end
    something, `ending` is the place in `order` of the first one that did, -1 where none did.
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
    quotes: bool
    foreign: bool
    dated_head: bool
    ending: int
    endings: frozenset[str]

    @property
    def terms(self) -> frozenset[str]:
        return frozenset(self.order)

    @property
    def predicate(self) -> str:
        """The first term behind the head: what is said of it, as far as that can be told; "" where nothing is."""
        return self.order[len(self.head)] if len(self.order) > len(self.head) else ""

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

_JOINING = frozenset("provided if unless when whenever because although though while whereas until".split())
"""Words that begin a second clause; its verb is not that of the subject."""


@lru_cache(maxsize=16_384)
def read(stated: Stated) -> Statement:
    """A proposition, read. The same text observed on the same day is the same statement."""
    text = stated.text[:_LONGEST]
    words = words_in(text)
    dated, dates = _dates(text, stated.at)
    taken, quantities = quantities_in(text, words, dated)
    out = {at for at, word in enumerate(words) if any(start <= word.start < end for start, end in (*taken, *dated))}
    words = [_month(word, at, at in out) for at, word in enumerate(words)]
    order: list[str] = []
    names: set[str] = set()
    head: tuple[str, ...] | None = None
    denials, second, dated_head, ending = 0, False, False, -1
    endings: set[str] = set()
    ordinals: set[int] = set()
    without: set[str] = set()
    missing = 0
    for at, word in enumerate(words):
        then = words[at + 1].form if at + 1 < len(words) else ""
        second = second or (bool(order) and word.form in _JOINING)
        if head is None and order and not second and (word.form in _VERBS or canon(word.form) in RELATIONS):
            head, dated_head = tuple(order), any(start < word.start for start, _ in dated)
        if word.form == "without":
            missing = _SCOPE
        elif (word.form in NEGATIONS and not emphasises(word.form, then)) or denies(word.form, then):
            denials += 1
        missing -= 1
        if word.form in ORDINALS:
            ordinals.add(ORDINALS[word.form])
        if (
            at in out
            or word.form == _MAY
            or denies(word.form, then)
            or word.form in TIMES
            or word.form in ORDINALS
            or hedges(word.form)
        ):
            continue
        if word.form == "longer" and at and words[at - 1].form == "no":
            continue
        over = ends(word.form, then)
        if found := over or canon(word.form) or _letter(word, text, at):
            if missing > 0:
                without.add(found)
                continue
            if over and happened(word.form) and ending < 0 and not future(words, at):
                ending = len(order)
            if over:
                endings.add(over)
            order.append(found)
            if word.capital and (at or len(word.form) == 1 or _named(words, at)):
                names.add(found)
    asks = any(sentence.asks for sentence in sentences_in(text))
    forms = tuple(word.form for word in words)
    hedged = any(hedges(form) for form in forms)
    return Statement(
        tuple(order),
        head if head is not None else tuple(order[: _run(words, text)]),
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
        any(narrows(form) and not emphasises(before, form) for before, form in zip(("", *forms), forms, strict=False)),
        bool(_QUOTED.search(text)),
        foreign_to_rules(text, words),
        dated_head,
        ending,
        frozenset(endings),
    )


def future(words: Sequence[Word], at: int) -> bool:
    """Whether a verb is said of what is to come: "will be closed"."""
    return any(word.form in ("will", "shall", "to") for word in words[max(0, at - 3) : at])


def _month(word: Word, at: int, dated: bool) -> Word:
    """The word, told apart from "may" where it is the month."""
    return word._replace(form=_MAY) if word.form == "may" and word.capital and (at or dated) else word


def _letter(word: Word, text: str, at: int) -> str:
    """A single capital letter that names something ("Consortium Y", "Dam A"); "I" does not, nor "A" at the beginning."""
    written = text[word.start : word.end]
    return word.form if len(written) == 1 and word.capital and written != "I" and (at or written != "A") else ""


def _named(words: Sequence[Word], at: int) -> bool:
    """Whether the first word is a name: another one follows it at once ("Jane Mwangi")."""
    return at == 0 and len(words) > 1 and words[1].capital


def _run(words: Sequence[Word], text: str) -> int:
    """How many terms the name has with which a sentence without an auxiliary begins; 1 where it begins with none."""
    at = 0
    while at < len(words) and words[at].capital and (canon(words[at].form) or _letter(words[at], text, at)):
        at += 1
    return max(1, at)


def _passive(forms: Sequence[str]) -> bool:
    """Whether a form of "be" stands right before a participle, or before an adverb and one, or two words before "by"."""
    return any(
        form in _BE and ("by" in forms[at + 2 : at + 3] or any(map(_participle, forms[at + 1 : at + 3])))
        for at, form in enumerate(forms)
    )


def _participle(form: str) -> bool:
    return form.endswith("ed") or (bool(term(form)) and base(form) != stem(form))


_BE = frozenset("is are was were been be being isnt arent wasnt werent".split())


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
