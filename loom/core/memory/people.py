"""Who a conversation knows: names, which of them are one person's, and where a text names them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from loom.core.memory.namesakes import is_word
from loom.core.memory.sentences import Parsed
from loom.core.memory.values import Person
from loom.core.memory.words import STOP, Word, form, words_in

KIN = frozenset(
    """
    mother mom mum father dad sister brother son daughter wife husband partner girlfriend boyfriend fiance fiancee aunt uncle
    cousin niece nephew grandmother grandma grandfather grandpa friend roommate flatmate neighbor neighbour colleague coworker
    boss manager supervisor landlord landlady classmate teacher coach doctor dog cat puppy kitten
    """.split()
)
"""What somebody may be to somebody: "my sister Anna" names Anna, and is another name of hers."""

TITLES = KIN | frozenset(
    "mr mrs ms miss dr prof professor sir madam auntie granny papa captain officer agent nurse chef".split()
)
"""Words that stand before a name as part of it: "Uncle Jo", "Dr. Chen"."""

_WOMEN = frozenset("mother mom mum sister daughter wife girlfriend fiancee aunt niece grandmother grandma landlady".split())
_MEN = frozenset("father dad brother son husband boyfriend fiance uncle nephew grandfather grandpa landlord".split())

ROLES = frozenset({"user", "assistant"})
"""Keys of speakers of whom no more is known than their part in a chat: no word of a text is their name."""

DAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
_SHORTEST = 3


def key_of(name: str) -> str:
    """The key of a person: the words of the name folded, apart by one space."""
    return " ".join(word.form for word in words_in(name)) or " ".join(form(name).split())


def merged(people: Iterable[Person]) -> tuple[Person, ...]:
    """One person a key, by key: the first name that was given, all aliases in the order in which they came."""
    found: dict[str, Person] = {}
    for person in people:
        before = found.get(person.key)
        if before is None:
            found[person.key] = person
            continue
        names = dict.fromkeys((*before.aliases, person.name, *person.aliases))
        names.pop(before.name, None)
        found[person.key] = Person(person.key, before.name, tuple(names), before.speaks or person.speaks)
    return tuple(found[key] for key in sorted(found))


@dataclass(frozen=True, slots=True)
class Mention:
    """A person named by the words [start, end) of a list of words."""

    start: int
    end: int
    key: str


class Names:
    """The names of people, for finding them in words. A first name, the beginning of a speaker's name ("Mel" for Melanie), or a later
    word of it ("Sara" for Agent Sara) means a person where it can mean no other; a title before a name is part of it. A name that is a
    word, too, is one where it is written as a name (`namesakes`), or anywhere where not `worded`."""

    def __init__(self, people: Sequence[Person], *, shortened: bool = True, worded: bool = True) -> None:
        self.people = {person.key: person for person in people}
        self.speakers = tuple(person.key for person in people if person.speaks)
        titled: set[tuple[str, ...]] = set()
        full: dict[tuple[str, ...], set[str]] = {}
        first: dict[tuple[str, ...], set[str]] = {}
        for person in people:
            for name in (person.name, *person.aliases):
                words = tuple(word.form for word in words_in(name))
                if words and " ".join(words) not in ROLES:
                    given = len(words) == 1 and " ".join(words) != person.key
                    (first if given else full).setdefault(words, set()).add(person.key)
                bare = _untitled(words)
                if words[-1:] and words[-1] in KIN:
                    continue
                if bare and len(bare) < len(words):
                    (first if len(bare) == 1 else full).setdefault(bare, set()).add(person.key)
                    titled.add(bare[-1:])
                if len(bare) > 1:
                    first.setdefault(bare[:1], set()).add(person.key)
        for words in titled & first.keys():
            first[words] |= {person.key for person in people if (person.key.split() or [""])[-1:] == list(words)}
        sure = {words: min(keys) for words, keys in full.items() if len(keys) == 1}
        self._first = {words[0]: min(keys) for words, keys in first.items() if len(keys) == 1 and words not in full}
        sure |= {(word,): key for word, key in self._first.items()}
        self._sure = sure
        self._shared = {
            words: tuple(sorted(keys | first.get(words, set())))
            for words, keys in (*first.items(), *full.items())
            if words not in sure
        }
        self._worded = shortened and worded
        self._longest = max(map(len, sure), default=0)
        self._widest = max(map(len, self._shared), default=0)
        self._shortened = shortened
        self._last: dict[str, set[str]] = {}
        for key in self.speakers if shortened else ():
            for word in key.split()[1:]:
                self._last.setdefault(word, set()).add(key)

    def meant(self, words: tuple[str, ...]) -> str:
        """The key of whom these folded words name; "" where nobody."""
        return self._sure.get(words, "")

    def short(self, word: str) -> str:
        """The key of the one speaker whose name begins with a folded word of three letters or more; "" where none or several."""
        if not self._shortened or len(word) < _SHORTEST:
            return ""
        if (word,) in self._shared:
            return ""
        found = {key for key in self.speakers if key.startswith(word) and key not in ROLES} or self._last.get(word, set())
        return min(found) if len(found) == 1 else ""

    def bearers(self, word: str) -> tuple[str, ...]:
        """The keys of all whom a folded word may name, where these are several."""
        return self._shared.get((word,), ())

    def shared(self, words: Sequence[Word]) -> list[tuple[int, int, tuple[str, ...]]]:
        """Where words [start, end) name one of several, and the keys of those: a first name, or what they are to somebody ("my son", "my
        sons"). An initial behind the name ("Anna H.") or a title before it rules some out."""
        found: list[tuple[int, int, tuple[str, ...]]] = []
        for at in range(len(words)) if self._shared else ():
            if found and at < found[-1][1]:
                continue
            for size in range(min(self._widest, len(words) - at), 0, -1):
                keys = self._shared.get(_singular(words[at : at + size]), ())
                if keys and size == 1 and (behind := _family(words, at)):
                    keys = tuple(key for key in keys if _has(key, behind))
                if keys and size == 1 and at and words[at - 1].form in TITLES:
                    keys = tuple(key for key in keys if key.startswith(f"{words[at - 1].form} ")) or keys
                if keys and not self._meant_at(words, at) and not (size == 1 and self._common(words, at)):
                    found.append((at, at + size, keys))
                    break
        return found

    def _common(self, words: Sequence[Word], at: int) -> bool:
        """Whether a name is only a word where it stands."""
        return self._worded and is_word(words, at)

    def _meant_at(self, words: Sequence[Word], at: int) -> bool:
        """Whether a longer name that is somebody's alone begins here."""
        return any(
            tuple(word.form for word in words[at : at + size]) in self._sure
            for size in range(2, min(self._longest, len(words) - at) + 1)
        )

    def kind(self, key: str) -> str:
        """ "she" or "he" where an alias says it ("Ben's sister"), else ""."""
        person = self.people.get(key)
        for alias in person.aliases if person else ():
            kin = alias.rpartition(" ")[2].lower()
            if kin in _WOMEN or kin in _MEN:
                return "she" if kin in _WOMEN else "he"
        return ""

    def _another(self, words: Sequence[Word], at: int) -> bool:
        """Whether a first name is that of somebody else, by the family name behind it."""
        key = self._first.get(words[at].form, "")
        behind = _family(words, at) if key else ""
        return bool(behind) and not _has(key, behind)

    def mentions(self, words: Sequence[Word]) -> list[Mention]:
        """Who is named, in order, the longest name at each place."""
        found: list[Mention] = []
        at = 0
        while at < len(words):
            for size in range(min(self._longest, len(words) - at), 0, -1):
                key = self._sure.get(tuple(word.form for word in words[at : at + size]), "")
                if not key and size == 1 and words[at].capital:
                    key = self.short(words[at].form)
                if key and not (size == 1 and (self._another(words, at) or self._common(words, at))):
                    titled = (
                        at > 0
                        and words[at - 1].capital
                        and words[at - 1].form in TITLES
                        and not (found and found[-1].end == at)
                    )
                    found.append(Mention(at - titled, at + size, key))
                    at += size - 1
                    break
            else:
                if not self._longest and words[at].capital and (key := self.short(words[at].form)):
                    found.append(Mention(at, at + 1, key))
            at += 1
        return found


def _untitled(words: tuple[str, ...]) -> tuple[str, ...]:
    """A name without the titles before it."""
    at = next((at for at, word in enumerate(words) if word not in TITLES), 0)
    return words[at:]


def _singular(words: Sequence[Word]) -> tuple[str, ...]:
    """The forms of words, the last of several as the one of its kin ("my sons")."""
    forms = tuple(word.form for word in words)
    many = len(forms) > 1 and forms[-1].endswith("s") and forms[-1][:-1] in KIN
    return (*forms[:-1], forms[-1][:-1]) if many else forms


def _family(words: Sequence[Word], at: int) -> str:
    """What stands right behind a first name as a family name or its initial does; "" where nothing does, and where all words are in
    capitals."""
    if at + 1 == len(words) or not words[at + 1].capital:
        return ""
    word, behind = words[at], words[at + 1]
    whole = word.end - word.start == len(word.form) and behind.start == word.end + 1
    if not whole or behind.form in STOP or behind.form in DAYS or all(each.capital for each in words):
        return ""
    return behind.form


def _has(key: str, family: str) -> bool:
    return any(name.startswith(family) for name in key.split()[1:])


def capitals(sentence: Parsed) -> list[Word]:
    """The words of a sentence that are capitalised without beginning it, three letters or more: names, unless they are not. Where all
    words are, none tells anything."""
    if all(word.capital for word in sentence.words):
        return []
    return [word for word in sentence.words[1:] if word.capital and len(word.form) >= _SHORTEST]


def heard(turns: Iterable[Sequence[Parsed]]) -> list[str]:
    """Words of a whole conversation that are capitalised inside a sentence twice or more and written small nowhere (seed 004, the
    names that its memory knows)."""
    high: Counter[str] = Counter()
    low: set[str] = set()
    for sentences in turns:
        for sentence in sentences:
            high.update(word.form for word in capitals(sentence))
            low.update(word.form for word in sentence.words if not word.capital)
    return sorted(word for word, many in high.items() if many >= 2 and word not in low and word.isalpha())
