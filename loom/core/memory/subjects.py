"""Of whom a sentence speaks: the seed's rule by the first word that means a person, and one by all of them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from loom.core.memory.people import KIN, Mention, Names
from loom.core.memory.quotes import SAYING
from loom.core.memory.sentences import Parsed
from loom.core.memory.words import STOP, Word, words_in

FIRST_PERSON = frozenset("i im ive me my mine myself we us our ours ourselves".split())
_SHORTENED = frozenset("were weve".split())
SECOND_PERSON = frozenset("you your yours yourself yourselves youre youve youll youd u ya".split())
THIRD_PERSON = frozenset("he him his himself hes she her hers herself shes".split())
_MEN = frozenset("he him his himself hes".split())
_RECENT = 8
"""People named before of whom "she" or "he" may speak."""


@dataclass(slots=True)
class Present:
    """Who is who while a turn is read. `last` are the keys of those named so far of whom "she" may speak, the last one last: whoever
    takes no part in the talk, and in a talk of more than two whoever is not spoken to."""

    speaker: str
    other: str
    last: tuple[str, ...] = ()

    def named(self, key: str) -> None:
        """Somebody was named of whom "she" may speak from now on."""
        self.last = (*(each for each in self.last if each != key), key)[-_RECENT:]


def speaks(word: Word) -> bool:
    """Whether a word is of the first person; "we're" is, "were" is not."""
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
    those that "and" joins to it; whoever does not speak here is a subject of all that mentions them. "She" is the first one named
    before it in the sentence, else the last such person. What one thinks or tells of another ("I remember that you sold …", "Anna
    said that Ben sold …") is told of that other.
    """
    named = _named(sentence.words, names, present)
    calls = _called(sentence, text, named, names, present)
    if calls:
        present.other = calls[-1].key
    called = {each.start for each in calls}
    meant = _meaning(sentence.words, [each for each in named if each.start not in called], names, present, you=you)
    by_name = {each.start for each in named}
    found = dict.fromkeys(
        _joined(text, sentence.words, _without_apart(text, sentence.words, _thought_of(sentence.words, meant)))
        or [mention.key for mention in calls[:1]]
        or [present.speaker]
    )
    group = len(names.speakers) > 2
    for mention in meant:
        if mention.key not in names.speakers:
            found[mention.key] = None
            present.named(mention.key)
        elif group and mention.key != present.speaker and (mention.start in by_name or mention.key != present.other):
            present.named(mention.key)
    return tuple(found)


def _named(words: Sequence[Word], names: Names, present: Present) -> list[Mention]:
    """Who is named; a name of several is that of the one named last, else of who is spoken to, else of the only one who is not the
    speaker, else nobody's."""
    found = names.mentions(words)
    for start, end, keys in names.shared(words):
        others = [key for key in keys if key != present.speaker]
        likely = [each.key for each in found if each.start < start] + [present.other, *reversed(present.last)]
        key = next((key for key in likely if key in others), others[0] if len(others) == 1 else "")
        if key:
            found.append(Mention(start, end, key))
    return sorted(found, key=lambda mention: mention.start)


def _meaning(words: Sequence[Word], named: Sequence[Mention], names: Names, present: Present, *, you: bool) -> list[Mention]:
    """All words that mean persons, in order: names, and pronouns as those they stand for."""
    found = {mention.start: mention for mention in named}
    here = list(dict.fromkeys(mention.key for mention in named if mention.key != present.speaker))
    first = {mention.key: mention.end for mention in reversed(named)}
    for at, word in enumerate(words):
        if at in found:
            continue
        key = ""
        if speaks(word):
            key = present.speaker
        elif word.form in SECOND_PERSON and you:
            key = present.other
        elif word.form in THIRD_PERSON:
            kind = "he" if word.form in _MEN else "she"
            before = [each for each in here[:_RECENT] if first[each] <= at]
            key = next((each for each in (*before, *reversed(present.last)) if names.kind(each) in ("", kind)), "")
        if key:
            found[at] = Mention(at, at + 1, key)
    return [found[at] for at in sorted(found)]


def _called(sentence: Parsed, text: str, named: Sequence[Mention], names: Names, present: Present) -> list[Mention]:
    """The speakers who are called by name: the name stands alone between commas or the ends of the sentence, or has an @ before it."""
    words, found = sentence.words, []
    listed = _listed(text, words, named, names, present)
    greeted = next((at for at, word in enumerate(words) if word.form not in _GREETINGS), len(words))
    for mention in named:
        if mention.key not in names.speakers or mention.key == present.speaker or mention.start in listed:
            continue
        before = text[sentence.start if not mention.start else words[mention.start - 1].end : words[mention.start].start]
        after = text[words[mention.end - 1].end : sentence.end if mention.end == len(words) else words[mention.end].start]
        opens = mention.start <= greeted or "," in before
        closes = mention.end == len(words) or bool(set(after) & set(",!-—:;"))
        if (opens and closes) or (before.endswith("@") and not mention.start):
            found.append(mention)
    return found


def _listed(text: str, words: Sequence[Word], named: Sequence[Mention], names: Names, present: Present) -> set[int]:
    """Where names stand that begin a list ("Bea, Carl and I left"). Of two who talk, the other one is rather called there."""
    own = [Mention(at, at + 1, present.speaker) for at, word in enumerate(words) if speaks(word)]
    row = _row(text, words, sorted([*named, *own], key=lambda mention: mention.start))
    called = len(row) > 1 and len(names.speakers) <= 2 and row[0].key == present.other
    return {mention.start for mention in row} if len(row) > 2 and not called else set()


_GREETINGS = frozenset(
    "hey hi hello oh ok okay wow sorry please thanks thank you yeah yes no sure dear congrats bye good morning well so aw aww".split()
)


_THINKING = SAYING | frozenset(
    "hear heard think thought believe believed bet guess guessed hope remember remembered know knew imagine noticed suppose mentioned".split()
)


def _thought_of(words: Sequence[Word], meant: Sequence[Mention]) -> Sequence[Mention]:
    """Those meant without who thinks or tells it ("I think", "Ben told me that"), where another is meant right behind that."""
    if len(meant) < 2:
        return meant
    at = _behind_common(words, meant[0].end)
    if at >= meant[1].start or words[at].form not in _THINKING:
        return meant
    rest, behind = list(meant[1:]), at + 1
    if words[at].form in _TO_SOMEBODY and rest[0].start == behind:
        behind = rest.pop(0).end
    mine = words[meant[0].start].form == "i" and words[at].form not in SAYING
    if not rest or rest[0].key == meant[0].key or not (mine or _behind_common(words, behind, rest[0].start) == rest[0].start):
        return meant
    return rest


def _behind_common(words: Sequence[Word], at: int, end: int | None = None) -> int:
    """The place behind the words that carry nothing, from one place on."""
    end = len(words) if end is None else end
    while at < end and words[at].form in STOP:
        at += 1
    return at


_TO_SOMEBODY = frozenset("tell tells told telling ask asks asked asking text texted remind reminded".split())


def _joined(text: str, words: Sequence[Word], meant: Sequence[Mention]) -> list[str]:
    """The first of those meant, and those that are joined to it ("Anna, my sister Ida and I", "Ben as well as Jo")."""
    return list(dict.fromkeys(mention.key for mention in _row(text, words, meant)))


_LINK = re.compile(
    rf"(?P<comma>\s*,)?\s*(?P<joins>\b(?:and|or|nor|as\s+well\s+as|along\s+with|together\s+with)\b|[&+])?\s*(?:(?:my|our)\s+)?"
    rf"(?:(?:{'|'.join(sorted(KIN))})\s+)*",
    re.IGNORECASE,
)


def _row(text: str, words: Sequence[Word], meant: Sequence[Mention]) -> list[Mention]:
    """The first of those meant, and those that follow it with nothing but commas, "and" and the like, "my" and kin words between; none
    that follow behind a comma alone, where no "and" comes."""
    found, open = list(meant[:1]), list[Mention]()
    named = [each for at, each in enumerate(meant) if not at or words[each.start].form not in _OURS]
    for before, mention in pairwise(named):
        link = _LINK.fullmatch(text, _end(words, before), words[mention.start].start)
        if link is None or not (link["comma"] or link["joins"]):
            break
        open.append(mention)
        if link["joins"]:
            found += open
            open.clear()
    return found


_OURS = frozenset("my our your".split())


def _end(words: Sequence[Word], mention: Mention) -> int:
    return words[mention.end - 1].end


_APART = frozenset(
    "unlike like besides except without with for after before despite thanks to according because of instead as by".split()
)
_INSTEAD = re.compile(r"\s*(?:,|,?\s*but\b|,\s*it\s+was\b)\s*", re.IGNORECASE)
_NOT = frozenset("not wasnt isnt werent".split())


def _without_apart(text: str, words: Sequence[Word], meant: Sequence[Mention]) -> Sequence[Mention]:
    """Those meant without one who is set apart from what is said of the next ("Unlike Ben, I swim", "Not Ben but Anna swims")."""
    if len(meant) < 2:
        return meant
    first, second = meant[:2]
    between = text[_end(words, first) : words[second.start].start]
    before = [word.form for word in words[: first.start]]
    led = bool(before) and all(form in _APART for form in before) and between.strip() == ","
    denied = bool(before) and before[-1] in _NOT and bool(_INSTEAD.fullmatch(between))
    return meant[1:] if led or denied else meant


def quoter(text: str, told: tuple[int, int], names: Names, present: Present, *, behind: bool) -> str:
    """Whom the clause of saying at `told` makes speak: a name before the word of saying, else a pronoun there; `behind` a quote also
    a name after it ("…", said Anna). "" where that is nobody who is known."""
    words = words_in(text, *told)
    verb = next((at for at, word in enumerate(words) if word.form in SAYING), len(words))
    found = _named(words, names, present)
    named = {mention.start for mention in found}
    meant = [each for each in _meaning(words, found, names, present, you=True) if words[each.start].form not in _OWNING]
    before = [each for each in meant if each.end <= verb]
    chosen = [each for each in before if each.start in named] or before
    if not chosen and behind:
        chosen = [each for each in meant if each.start > verb and each.start in named][:1]
    return chosen[-1].key if chosen else ""


_OWNING = frozenset("my our your his her their".split())
