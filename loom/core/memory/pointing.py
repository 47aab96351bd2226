"""Of whom a question in a chat asks: whoever it names, whoever an earlier turn named, or those who talk."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from loom.core.facts.dates import MONTHS
from loom.core.memory.asking import Asked, asked
from loom.core.memory.incremental import heard_by
from loom.core.memory.people import DAYS, TITLES, Names, capitals
from loom.core.memory.quotes import SAYING
from loom.core.memory.sentences import sentences_in
from loom.core.memory.subjects import SECOND_PERSON, THIRD_PERSON, speaks
from loom.core.memory.values import Person
from loom.core.memory.words import ASKING, Word, term, words_in

_COURTESY = re.compile(
    r"\b(?:(?:can|could|would|will)\s+you\s+(?:please\s+|kindly\s+)?(?:(?:help|let)\s+me\s+)?"
    r"|(?:please\s+)?(?:let\s+me\s+know|tell\s+me|show\s+me|give\s+me|help\s+me|teach\s+me|explain\s+to\s+me)\b"
    r"|do\s+you\s+(?:know|remember|recall|think)\b|you\s+know\b|thank\s+you\b|if\s+you\s+(?:can|please)\b"
    r"|i(?:['’]d|\s+would)?\s+(?:want|like|need|wish)\s+to\s+(?:know|ask|see|hear)\b|i\s+wonder(?:\s+if)?\b|i\s+(?:have|had)\s+a\s+question\b"
    r"|(?:can|could|may|should|do|would|how\s+(?:do|can|should|would))\s+i\b)",
    re.IGNORECASE,
)
"""How people ask, without asking of you or me."""

_IMPERATIVE = frozenset("tell list name remind describe say show give recall summarize summarise repeat".split())
_AUXILIARY = frozenset(
    "is are was were am do does did have has had can could will would shall should may might must isnt arent wasnt dont doesnt didnt".split()
)
_ALL_OF_US = frozenset("we us our ours ourselves".split())
_SELF = frozenset({"me"})
_SAYS_NOTHING = SAYING | {"know", "remember", "recall", "list", "name", "remind", "describe", "show", "give", "talk", "talked"}
TOPIC = 8
"""Words of a topic that are said."""

NAMED, POINTED, OPEN = "named", "pointed", "open"


@dataclass(frozen=True, slots=True)
class Pointed:
    """A question as it was read: `how` its subjects were found is by a name in it (NAMED), by a word that points at somebody (POINTED),
    or not at all (OPEN). `topic` is what it asks about, in its own words; `asks` whether it asks anything; `whole` whether it asks
    who somebody is, or what was of them at a time, and of no topic."""

    asked: Asked
    how: str
    topic: tuple[str, ...]
    asks: bool
    whole: bool


def pointed(text: str, people: Sequence[Person], speaker: str, before: Sequence[str] = (), *, timed: bool = True) -> Pointed:
    """Read a question of a chat. `speaker` is the key of who asks, `before` what they asked before it, oldest first; `timed` as in
    `asked`. Times are part of the topic all the same: what is not recorded is not recorded of them."""
    names = Names(heard_by(speaker, people))
    told = [sentence for sentence in sentences_in(text) if sentence.asks]
    asking = " ".join(text[each.start : each.end] for each in told)
    part = asking if asking and asked(asking, names, named=False, several=True).subjects else text
    plain = _COURTESY.sub(" ", part)
    worded = asked(plain, names, named=False, several=True)
    found = asked(plain, names, named=False, several=True, timed=timed)
    subjects, how = _subjects(found, names, speaker, before)
    asks = bool(told) or _asks(text)
    whole = asks and not found.focus and (how == NAMED or subjects == (speaker,))
    required = _named(part, found)
    return Pointed(replace(found, subjects=subjects, required=required), how, _topic(plain, worded, names), asks, whole)


def _named(text: str, found: Asked) -> tuple[str, ...]:
    """The terms of a question's words that are written as names and are nobody's who is known: what was said of others is no answer. A
    sentence in capitals, or with all great words in capitals, tells no names; of some joined by "or" none is required."""
    names: dict[str, None] = {}
    nameless = TITLES | DAYS | MONTHS.keys()
    for sentence in sentences_in(text):
        forms = [word.form for word in sentence.words]
        if "or" in forms or sum(word.capital for word in sentence.words[1:]) * 2 >= len(forms):
            continue
        names.update(dict.fromkeys(term(word.form) for word in capitals(sentence) if word.form not in nameless))
    return tuple(name for name in names if name in found.focus)


def _subjects(found: Asked, names: Names, speaker: str, before: Sequence[str]) -> tuple[tuple[str, ...], str]:
    own = [word for word in found.words if speaks(word)]
    if found.subjects:
        mine = (speaker,) if any(word.form not in _SELF and word.form != "my" for word in own) else ()
        return tuple(dict.fromkeys((*found.subjects, *mine))), NAMED
    if own and any(word.form in _ALL_OF_US for word in own):
        return tuple(dict.fromkeys((*names.speakers, speaker))), POINTED
    if own:
        return (speaker,), POINTED
    if any(word.form in THIRD_PERSON for word in found.words) and (last := _last_named(names, before)):
        return (last,), POINTED
    if any(word.form in SECOND_PERSON for word in found.words) and (other := _other(names, speaker)):
        return (other,), POINTED
    return (), OPEN


def _last_named(names: Names, before: Sequence[str]) -> str:
    """Whom the latest of some texts that names anybody names last; "" where none does."""
    for text in reversed(before):
        if mentions := names.mentions(words_in(text)):
            return mentions[-1].key
    return ""


def _other(names: Names, speaker: str) -> str:
    """Whom "you" means: the other of two who talk, or the assistant."""
    others = [key for key in names.speakers if key != speaker]
    return others[0] if len(others) == 1 else "assistant" if "assistant" in others else ""


def _topic(text: str, found: Asked, names: Names) -> tuple[str, ...]:
    """What is asked about, as it was written: the stretch of words that carry something, or these alone where it names somebody whom
    it asks about, or is long."""
    focus = set(found.focus)
    carrying = [word for word in found.words if _carries(word, focus)]
    if not carrying:
        return ()
    first, last = carrying[0].start, carrying[-1].end
    between = [word for word in found.words if first <= word.start < last]
    if len(between) <= TOPIC and not any(mention.key in found.subjects for mention in names.mentions(between)):
        return tuple(text[first:last].split())
    words = {term(word.form): text[word.start : word.end] for word in reversed(carrying)}
    return tuple(list(reversed(words.values()))[:TOPIC])


def _carries(word: Word, focus: set[str]) -> bool:
    return word.form not in _SAYS_NOTHING and term(word.form) in focus


def _asks(text: str) -> bool:
    """Whether a text without a question mark asks: by its first words, or as an order to tell something."""
    words = words_in(text[:200])
    first = words[0].form if words else ""
    return first in ASKING or first in _IMPERATIVE or first in _AUXILIARY or bool(_COURTESY.match(text.lstrip()))
