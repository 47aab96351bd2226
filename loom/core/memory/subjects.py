"""Of whom a sentence speaks: the seed's rule by the first word that means a person, and one by all of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from loom.core.memory.people import KIN, Mention, Names
from loom.core.memory.quotes import SAYING
from loom.core.memory.sentences import Parsed
from loom.core.memory.words import STOP, Word, words_in

FIRST_PERSON = frozenset("i im ive me my mine myself we us our ours ourselves".split())
_SHORTENED = frozenset("ill id were weve well wed".split())
SECOND_PERSON = frozenset("you your yours yourself yourselves youre youve youll youd u ya".split())
THIRD_PERSON = frozenset("he him his himself hes she her hers herself shes".split())
_JOINED = frozenset({"and", "or", "my", "our", "nor"})


@dataclass(slots=True)
class Present:
    """Who is who while a turn is read. `last` is the key of the last person named who takes no part in the talk."""

    speaker: str
    other: str
    last: str = ""


def speaks(word: Word) -> bool:
    """Whether a word is of the first person; "we'll" is, "well" is not."""
    return word.form in FIRST_PERSON or (word.form in _SHORTENED and word.end - word.start > len(word.form))


def by_first(sentence: Parsed, names: Names, present: Present, *, you: bool) -> tuple[str, int]:
    """The subject by the first word that means a person, and the place after it; the speaker and 0 where none does (seed 004 §2)."""
    named = {mention.start: mention for mention in names.mentions(sentence.words)}
    for at, word in enumerate(sentence.words):
        if speaks(word):
            return present.speaker, at + 1
        if word.form in SECOND_PERSON and present.other and you:
            return present.other, at + 1
        if at in named:
            return named[at].key, named[at].end
    return present.speaker, 0


def by_all(sentence: Parsed, text: str, names: Names, present: Present, *, you: bool) -> tuple[str, ...]:
    """The subjects by all words that mean persons.

    A name that is only called out ("Mel, I went …") says to whom one speaks. The first other one is the subject, together with
    those that "and" joins to it; whoever does not speak here is a subject of all that mentions them. "She" is the last such person.
    What I think or remember of somebody ("I remember that you sold …") is told of them.
    """
    calls: list[Mention] = []
    meant: list[Mention] = []
    for mention in _meaning(sentence.words, names, present, you=you):
        (calls if _called(sentence, text, mention, names, present) else meant).append(mention)
    if calls:
        present.other = calls[-1].key
    found = dict.fromkeys(
        _joined(sentence.words, _thought_of(sentence.words, meant))
        or [mention.key for mention in calls[:1]]
        or [present.speaker]
    )
    for mention in meant:
        if mention.key not in names.speakers:
            found[mention.key] = None
            present.last = mention.key
    return tuple(found)


def _meaning(words: Sequence[Word], names: Names, present: Present, *, you: bool) -> list[Mention]:
    found = {mention.start: mention for mention in names.mentions(words)}
    for at, word in enumerate(words):
        if at in found:
            continue
        key = ""
        if speaks(word):
            key = present.speaker
        elif word.form in SECOND_PERSON and you:
            key = present.other
        elif word.form in THIRD_PERSON:
            key = present.last
        if key:
            found[at] = Mention(at, at + 1, key)
    return [found[at] for at in sorted(found)]


def _called(sentence: Parsed, text: str, mention: Mention, names: Names, present: Present) -> bool:
    """Whether a speaker is called by name: the name stands alone between commas or the ends of the sentence."""
    if mention.key not in names.speakers or mention.key == present.speaker:
        return False
    words = sentence.words
    if words[mention.start].form in SECOND_PERSON:
        return False
    before = text[sentence.start if not mention.start else words[mention.start - 1].end : words[mention.start].start]
    after = text[words[mention.end - 1].end : sentence.end if mention.end == len(words) else words[mention.end].start]
    opens = not mention.start or "," in before or all(word.form in _GREETINGS for word in words[: mention.start])
    closes = mention.end == len(words) or bool(set(after) & set(",!-—:;"))
    return opens and closes


_GREETINGS = frozenset("hey hi hello oh wow thanks thank you yeah yes no congrats bye good morning well so aw aww".split())


_THINKING = frozenset(
    "hear heard think thought believe believed bet guess guessed hope remember remembered know knew imagine noticed suppose mentioned".split()
)


def _thought_of(words: Sequence[Word], meant: Sequence[Mention]) -> Sequence[Mention]:
    """Those meant without the "I" of "I think", where another is meant behind it."""
    if len(meant) < 2 or words[meant[0].start].form != "i" or meant[1].key == meant[0].key:
        return meant
    at = meant[0].end
    while at < meant[1].start and words[at].form in STOP:
        at += 1
    return meant[1:] if at < meant[1].start and words[at].form in _THINKING else meant


def _joined(words: Sequence[Word], meant: Sequence[Mention]) -> list[str]:
    """The first of those meant, and those that follow it with nothing but "and", "my" and kin words between."""
    if not meant:
        return []
    found, end = [meant[0].key], meant[0].end
    for mention in meant[1:]:
        between = [word.form for word in words[end : mention.start]]
        if not between or between[0] not in ("and", "or") or any(word not in _JOINED and word not in KIN for word in between):
            break
        found.append(mention.key)
        end = mention.end
    return found


def quoter(text: str, told: tuple[int, int], names: Names, present: Present, *, behind: bool) -> str:
    """Whom the clause of saying at `told` makes speak: a name before the word of saying, else a pronoun there; `behind` a quote also
    a name after it ("…", said Anna). "" where that is nobody who is known."""
    words = words_in(text, *told)
    verb = next((at for at, word in enumerate(words) if word.form in SAYING), len(words))
    named = {mention.start for mention in names.mentions(words)}
    meant = [each for each in _meaning(words, names, present, you=True) if words[each.start].form not in _OWNING]
    before = [each for each in meant if each.end <= verb]
    chosen = [each for each in before if each.start in named] or before
    if not chosen and behind:
        chosen = [each for each in meant if each.start > verb and each.start in named][:1]
    return chosen[-1].key if chosen else ""


_OWNING = frozenset("my our your his her their".split())
