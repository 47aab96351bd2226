"""A turn read when it comes, against what was kept before it: its pieces, and the people it makes known.

Whoever speaks is known at once, and so is whoever a turn says who it is ("my sister Anna", "a dog named Rex"). Any other name is
known from its second turn on: a word that is capitalised inside a sentence, was so before, and was written small nowhere (seed 004,
the names that its memory knows, as far as a conversation has come).
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from loom.core.facts.dates import MONTHS
from loom.core.memory.calendar import day_of
from loom.core.memory.people import KIN, ROLES, Names, capitals, key_of, merged
from loom.core.memory.policy import FULL, Reads
from loom.core.memory.reading import Parsing, parsed, pieces_of
from loom.core.memory.sentences import Parsed, sentences_in
from loom.core.memory.subjects import Present
from loom.core.memory.values import Person, Reading, Said, View
from loom.core.memory.words import STOP, form, term

SERVES = Reads()
LOOKED_BACK = 8
"""Turns back that are looked through for whoever spoke last."""
HEARD = 12
"""Earlier turns with a word that are looked at before it is taken for a name."""

_DAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
# Bounded, so that a turn of one endless word costs no more than any other.
_ONE = r"[A-Z][\w'’-]{0,38}[^\W_]"
_NAME = rf"\b{_ONE}\b(?:\s{_ONE}\b)?"
_KIN = "|".join(sorted(KIN, key=lambda word: (-len(word), word)))
_WHOSE = r"(?P<whose>(?i:my|our|his|her|their|an|a|the)|[A-Z][\w-]{0,38}['’]s)\s+(?:[a-z][\w-]{0,38}\s+){0,2}?"
_TOLD = (
    re.compile(rf"\b{_WHOSE}(?P<kin>{_KIN}),?\s+(?:(?:is\s+)?(?:named|called)\s+)?(?P<name>{_NAME})"),
    re.compile(rf"(?P<name>{_NAME}),\s+{_WHOSE}(?P<kin>{_KIN})\b"),
    re.compile(rf"\b(?:named|called)\s+(?P<name>{_NAME})"),
)


def read(view: View, turn: int, said: Said, reads: Reads = SERVES) -> Reading:
    """What a turn adds to what is kept."""
    speaker = key_of(said.speaker)
    own = Person(speaker, said.speaker, speaks=True)
    known = merged((*view.people(), own))
    parsing = parsed(said, reads)
    found = (
        (own, *_introduced(parsing.text, said.speaker, known), *_heard_again(view, parsing, known)) if reads.known else (own,)
    )
    names = Names(heard_by(speaker, merged((*known, *found))), shortened=reads.subjects == FULL)
    earlier = view.said(range(max(turn - LOOKED_BACK, 0), turn))
    present = Present(speaker, _other(turn, speaker, names, earlier))
    pieces = pieces_of(turn, said, parsing, names, present, reads, _before(turn, said, earlier, reads))
    return Reading(turn, pieces, tuple(dict.fromkeys(found)))


def heard_by(speaker: str, people: Sequence[Person]) -> tuple[Person, ...]:
    """The people as one of them speaks of them: "Ben's sister" is "my sister" where Ben speaks."""
    return tuple(
        Person(person.key, person.name, (*person.aliases, *_mine(speaker, person)), person.speaks) for person in people
    )


def _mine(speaker: str, person: Person) -> Iterator[str]:
    for alias in person.aliases:
        owner, _, kin = alias.rpartition(" ")
        if kin in KIN and owner.endswith("'s") and key_of(owner) == speaker:
            yield f"my {kin}"


def _introduced(text: str, speaker: str, known: Sequence[Person]) -> Iterator[Person]:
    """People whom a text says who they are, with that as a further name where it says whose they are."""
    here = Names(known)
    for pattern in _TOLD:
        for match in pattern.finditer(text):
            parts = match.groupdict()
            name = parts["name"]
            key = _key(name, here)
            if not key:
                continue
            whose, kin = parts.get("whose") or "", parts.get("kin") or ""
            owner = speaker if whose.lower() in ("my", "our") else whose[:-2] if whose.endswith(("'s", "’s")) else ""
            yield Person(key, name, (f"{owner}'s {kin}",) if owner and kin else ())


def _key(name: str, known: Names) -> str:
    """The key of a name: that of whoever is known by it, else its own; "" for what is no name."""
    words = tuple(form(word) for word in name.split())
    if words[0] in STOP or words[0] in _DAYS or words[0] in MONTHS or words[0] in ROLES:
        return ""
    return known.meant(words) or key_of(name)


def _heard_again(view: View, parsing: Parsing, known: Sequence[Person]) -> Iterator[Person]:
    """People whose names were heard before this turn, and are known from now on."""
    here = Names(known)
    for word in dict.fromkeys(word.form for sentence in parsing.sentences for word in capitals(sentence)):
        if here.meant((word,)) or here.short(word) or word in ROLES or word in _DAYS or word in MONTHS:
            continue
        if word.isalpha() and term(word) and _named_before(view, word) and not _small(word, parsing.sentences):
            yield Person(word, word.capitalize())


def _named_before(view: View, word: str) -> bool:
    """Whether the last turns with a word write it as a name, and none of them small."""
    found = view.postings([term(word)]).get(term(word))
    if found is None:
        return False
    turns = list(dict.fromkeys(found.turn[found.own > 0].tolist()))[-HEARD:]
    high = False
    for said in view.said(turns).values():
        for sentence in sentences_in(said.whole):
            if _small(word, [sentence]):
                return False
            high = high or any(each.form == word for each in capitals(sentence))
    return high


def _small(word: str, sentences: Sequence[Parsed]) -> bool:
    return any(each.form == word and not each.capital for sentence in sentences for each in sentence.words)


def _other(turn: int, speaker: str, names: Names, earlier: Mapping[int, Said]) -> str:
    """To whom a turn speaks: the other of two; of more, whoever spoke last."""
    others = [key for key in names.speakers if key != speaker]
    if len(others) == 1:
        return others[0]
    for number in range(turn - 1, -1, -1):
        if number not in earlier:
            break
        if (key := key_of(earlier[number].speaker)) != speaker:
            return key
    return ""


def _before(turn: int, said: Said, earlier: Mapping[int, Said], reads: Reads) -> Parsing | None:
    """The turn before, where it is another's of the same day."""
    before = earlier.get(turn - 1)
    if before is None or key_of(before.speaker) == key_of(said.speaker) or day_of(before.date) != day_of(said.date):
        return None
    return parsed(before, reads)
