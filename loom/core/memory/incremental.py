"""A turn read when it comes, against what was kept before it: its pieces, and the people it makes known.

Whoever speaks is known at once, by further names that they give themselves ("my name is Anna Berg") too, and so is whoever a turn says
who it is ("my sister Anna", "a dog named Rex", "my manager is Anna Berg"), or speaks of as "he" or "she" right behind. Any other name
is known from its second turn on: a word that is capitalised inside a sentence, was so before, and was written small nowhere (seed
004, the names that its memory knows, as far as a conversation has come), nor stands where places and things do ("in Lisbon", "the
Heron", "DHL").
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from loom.core.facts.dates import MONTHS
from loom.core.memory.calendar import day_of
from loom.core.memory.fitting import is_name
from loom.core.memory.people import DAYS, KIN, ROLES, TITLES, Names, capitals, key_of, merged
from loom.core.memory.policy import FULL, Reads
from loom.core.memory.quotes import parts_of
from loom.core.memory.reading import Parsing, parsed, pieces_of
from loom.core.memory.sentences import AUXILIARY, Parsed, sentences_in
from loom.core.memory.subjects import THIRD_PERSON, Present
from loom.core.memory.values import Person, Reading, Said, View
from loom.core.memory.words import STOP, Word, form, term

SERVES = Reads()
LOOKED_BACK = 8
"""Turns back that are looked through for whoever spoke last."""
HEARD = 12
"""Earlier turns with a word that are looked at before it is taken for a name."""

# Bounded, so that a turn of one endless word costs no more than any other.
_MONTH_NAMES = frozenset("january february march april may june july august september october november december".split())
_ONE = r"[A-Z][\w'’-]{0,38}[^\W_]"
_TWO = rf"\b{_ONE}\b[ \u00a0]{_ONE}\b"
_NAME = rf"\b{_ONE}\b(?:[ \u00a0]{_ONE}\b)?"
_BEING = (
    "guy|girl|man|woman|boy|kid|lady|gentleman|person|someone|somebody|child|baby|parrot|rabbit|hamster|horse|pony|bird|fish"
)
_KIN = "|".join(sorted(KIN, key=lambda word: (-len(word), word)))
_WHOSE = r"(?P<whose>(?i:my|our|his|her|their|an|a|the)|[A-Z][\w-]{0,38}['’]s)\s+(?:[a-z][\w-]{0,38}\s+){0,2}?"
_TOLD = (
    re.compile(rf"\b{_WHOSE}(?P<kin>{_KIN}),?\s+(?:(?:is\s+)?(?:named|called)\s+)?(?P<name>{_NAME})"),
    re.compile(rf"(?P<name>{_NAME}),\s+{_WHOSE}(?P<kin>{_KIN})\b"),
    re.compile(rf"\b(?:{_KIN}|{_BEING})s?,?\s+(?:(?:is|was|who\s+is|who\s+was)\s+)?(?:named|called)\s+(?P<name>{_NAME})"),
    re.compile(rf"\b{_WHOSE}(?P<kin>{_KIN})(?:['’]s\s+name\s+is\s+(?P<name>{_NAME})|(?:['’]s|\s+is)\s+(?P<full>{_TWO}))"),
)
_TITLED = re.compile(rf"\b(?:{'|'.join(sorted(word.title() for word in TITLES))})\.?\s(?P<name>{_NAME})")
_SELF = re.compile(
    rf"\b(?i:my\s+name['’]s|my\s+name\s+is|my\s+full\s+name\s+is|(?:call|calls)\s+me|i['’]m\s+called|i\s+am\s+called"
    rf"|(?:hi|hello|hey)\b[^.?!\n\w]{{0,3}}(?:(?:all|everyone|everybody|there|team|folks)\b[^.?!\n\w]{{0,3}})?(?:i['’]m|i\s+am|this\s+is))"
    rf"\s+(?P<name>{_NAME})"
)


def read(view: View, turn: int, said: Said, reads: Reads = SERVES) -> Reading:
    """What a turn adds to what is kept."""
    speaker = key_of(said.speaker)
    own = Person(speaker, said.speaker, speaks=True)
    known = merged((*view.people(), own))
    parsing = parsed(said, reads)
    found = _found(view, parsing, own, known) if reads.known else (own,)
    names = Names(heard_by(speaker, merged((*known, *found))), shortened=reads.subjects == FULL)
    earlier = view.said(range(max(turn - LOOKED_BACK, 0), turn))
    present = Present(speaker, _other(turn, speaker, names, earlier))
    pieces = pieces_of(turn, said, parsing, names, present, reads, _before(turn, said, earlier, reads))
    return Reading(turn, pieces, tuple(dict.fromkeys(found)))


def _fitting(people: Iterable[Person]) -> Iterator[Person]:
    """The people whose names an export may hold, with those of their further names that it may."""
    for person in people:
        if is_name(person.key) and is_name(person.name):
            yield replace(person, aliases=tuple(alias for alias in person.aliases if is_name(alias)))


def _found(view: View, parsing: Parsing, own: Person, known: Sequence[Person]) -> tuple[Person, ...]:
    """Who speaks, and whomever a turn makes known: first whoever it says who it is."""
    told = tuple(_fitting((*_self(parsing.text, own), *_introduced(parsing.text, own.name, known))))
    known = merged((*known, *told))
    return (own, *told, *_fitting(_heard_again(view, parsing, known)))


def _self(text: str, own: Person) -> Iterator[Person]:
    """The speaker by a further name that they give themselves."""
    known = set(own.key.split())
    spoken = [part for part in parts_of(text) if part.told is None]
    given = dict.fromkeys(
        " ".join(match["name"].split()) for part in spoken for match in _SELF.finditer(text, part.start, part.end)
    )
    names = [name for name in given if _a_name(name) and not set(key_of(name).split()) <= known]
    if names:
        yield Person(own.key, own.name, tuple(names), own.speaks)


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
    for pattern in (*_TOLD, _TITLED):
        for match in pattern.finditer(text):
            parts = match.groupdict()
            name = " ".join((parts["name"] or parts.get("full") or "").split())
            key = _key(name, here)
            if not key:
                continue
            whose, kin = parts.get("whose") or "", parts.get("kin") or ""
            owner = speaker if whose.lower() in ("my", "our") else whose[:-2] if whose.endswith(("'s", "’s")) else ""
            yield Person(key, name, (f"{owner}'s {kin}",) if owner and kin else ())


def _key(name: str, known: Names) -> str:
    """The key of a name: that of whoever is known by it, else its own; "" for what is no name."""
    words = tuple(form(word) for word in name.split())
    return (known.meant(words) or known.short(words[-1]) or key_of(name)) if _a_name(name) else ""


def _a_name(name: str) -> bool:
    first = form(name.split()[0]) if name.split() else ""
    return bool(first) and first not in STOP and first not in DAYS and first not in _MONTH_NAMES and first not in ROLES


def _heard_again(view: View, parsing: Parsing, known: Sequence[Person]) -> Iterator[Person]:
    """People whose names were heard before this turn, or are plainly people's, and are known from now on."""
    here = Names(known)
    spoken_of = _spoken_of(parsing.sentences)
    begin = [each.words[0].form for each in parsing.sentences if each.words[0].capital and len(each.words[0].form) > 2]
    inside = [word.form for sentence in parsing.sentences for word in capitals(sentence)]
    for word in dict.fromkeys([*inside, *spoken_of, *begin]):
        if here.meant((word,)) or here.bearers(word) or here.short(word) or not _a_name(word) or word in TITLES:
            continue
        if not word.isalpha() or not term(word) or word in MONTHS or not _written(word, parsing.text, parsing.sentences):
            continue
        if word in spoken_of or _named_before(view, word):
            yield Person(word, word.capitalize())


def _spoken_of(sentences: Sequence[Parsed]) -> list[str]:
    """Names with which a sentence begins that says what people do or have, and that are "he" or "she" in it or in the next one ("Max's
    knee hurts. He …", "Max won't come, he …")."""
    found = []
    for at, sentence in enumerate(sentences):
        first, forms = sentence.words[0], [word.form for word in sentence.words]
        does = forms[1:3] if forms[1:2] and forms[1] in AUXILIARY else forms[1:2]
        alive = _possessive(first) or bool(_ALIVE & set(does))
        behind = sentences[at + 1].words[0].form if at + 1 < len(sentences) and not sentences[at + 1].asks else ""
        if first.capital and len(first.form) > 2 and alive and not _people_in(sentence) and THIRD_PERSON & {*forms[2:], behind}:
            found.append(first.form)
    return found


def _people_in(sentence: Parsed) -> bool:
    return any(word.form not in DAYS and word.form not in MONTHS for word in capitals(sentence))


# Verbs of people, in the forms that stand behind a name.
_ALIVE = frozenset(
    """
    did didnt does doesnt say says said think thinks thought want wants wanted like likes liked love loves loved hate hates hated know
    knows knew tell tells told call calls called ask asks asked go goes went come comes came live lives lived move moved play plays
    played eat eats ate buy buys bought sell sells sold speak speaks spoke study studies studied drive drives drove sleep sleeps slept
    marry married write wrote feel feels felt believe believes believed wear wears wore swim swims swam sing sings sang
    """.split()
)


def _possessive(word: Word) -> bool:
    return word.end - word.start == len(word.form) + 2


def _named_before(view: View, word: str) -> bool:
    """Whether the last turns with a word write it as a name, and none of them otherwise."""
    found = view.postings([term(word)]).get(term(word))
    if found is None:
        return False
    turns = list(dict.fromkeys(found.turn[found.own > 0].tolist()))[-HEARD:]
    high = False
    for said in view.said(turns).values():
        sentences = sentences_in(said.whole)
        if not _written(word, said.whole, sentences):
            return False
        high = high or any(each.form == word for sentence in sentences for each in capitals(sentence))
    return high


def _written(word: str, text: str, sentences: Sequence[Parsed]) -> bool:
    """Whether a word is written as people's names are wherever it stands: with a capital, but not in capitals, and not behind words
    that stand before places and things."""
    for sentence in sentences:
        shouted = all(each.capital for each in sentence.words)
        for at, each in enumerate(sentence.words):
            if each.form != word:
                continue
            if not each.capital or (not shouted and text[each.start : each.start + len(word)].isupper()):
                return False
            if at and _placed(sentence.words, at):
                return False
    return True


_BEFORE_PLACES = frozenset("in into near a an the this these those called named".split())
_MOVING = frozenset(
    "go goes going went gone come comes coming came move moves moving moved travel travelled traveled travelling traveling "
    "fly flies flying flew drive drove driving trip trips flight train bus way back return returned relocate relocated relocating".split()
)


def _placed(words: Sequence[Word], at: int) -> bool:
    """Whether the words before a name are those before a place ("in Lisbon", "moved to Graz") or a thing ("the Heron")."""
    before = words[at - 1].form
    return before in _BEFORE_PLACES or (before in ("to", "from") and at > 1 and words[at - 2].form in _MOVING)


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
