"""Pronouns of a sentence put into names: "I" is who speaks, "you" the other of two, "she" the last person named, "it" the last subject.

A pronoun behind a name in its own sentence needs none ("Jane presented her budget"). One that means nobody who is known leaves the
sentence unresolved: it cannot be judged without the rest of its entry.
"""

import re
from dataclasses import dataclass, field

from loom.core.memory.sentences import NEGATIONS
from loom.core.memory.subjects import FIRST_PERSON, SECOND_PERSON, THIRD_PERSON, speaks
from loom.core.memory.words import STOP, Word, words_in

_THINGS = frozenset("it its itself they them their theirs".split())
_POINTERS = frozenset({"this", "that", "these", "those"})
_OWNING = frozenset("my mine our ours your yours his her hers its their theirs".split())
_OWNERS = _OWNING - {"her"}
_AUXILIARY = frozenset(
    """
    am is are was were do does did has have had can could will would shall should may might must isnt arent wasnt werent doesnt dont
    didnt hasnt havent hadnt cant cannot wont
    """.split()
)
_SHORT = {
    "im": "is",
    "ive": "has",
    "ill": "will",
    "id": "would",
    "hes": "is",
    "shes": "is",
    "youre": "is",
    "youve": "has",
    "youll": "will",
    "weve": "has",
    "well": "will",
    "wed": "would",
    "were": "is",
}
_AGREEING = {"am": "is", "have": "has", "do": "does", "havent": "has not", "dont": "does not", "are": "is"}
_DETERMINERS = frozenset("a an the each every all some most many several any both two three four five six our my your".split())
_EXPLETIVE = re.compile(r"\bit(?:['’]s|\s+(?:is|was|seems|rained|rains|takes|took))\b[^.]*\b(?:that|to)\b", re.IGNORECASE)


@dataclass(slots=True)
class Present:
    """Who and what an entry has named so far: who speaks, to whom, the last person, the subject of the last sentence. `addressed` says
    that somebody is spoken to; elsewhere "you" is anybody."""

    speaker: str = ""
    other: str = ""
    addressed: bool = False
    person: str = ""
    subject: str = ""
    people: set[str] = field(default_factory=set)


def resolved(text: str, present: Present) -> tuple[str, tuple[str, ...]] | None:
    """A sentence with names for its pronouns, and the names that were put in; None where one means nobody who is known."""
    words = words_in(text)
    if _EXPLETIVE.match(text):
        return text, ()
    parts: list[str] = []
    given: dict[str, None] = {}
    at, named, since = 0, False, -2
    for place, word in enumerate(words):
        name = _meant(words, place, present, named)
        if name is None:
            return None
        named = named or (word.capital and not speaks(word) and (place > 0 or _is_name(words, place, present)))
        if name:
            parts += [text[at : word.start], _written(word, name, words, place)]
            at = word.end
            given[name] = None
            since = place
            named = named or word.form in THIRD_PERSON or word.form in _THINGS
        elif since == place - 1 and word.form in _AGREEING and words[since].form not in _OWNING:
            parts += [text[at : word.start], _AGREEING[word.form]]
            at = word.end
    return "".join((*parts, text[at:])), tuple(given)


def _meant(words: list[Word], place: int, present: Present, named: bool) -> str | None:
    """The name that a word stands for; "" where it stands for none, or one before it in the sentence; None where for nobody known."""
    word = words[place]
    if speaks(word) or word.form in FIRST_PERSON:
        return present.speaker or None
    if word.form in SECOND_PERSON:
        return present.other or (None if present.addressed else "")
    if word.form in THIRD_PERSON:
        return "" if named else (present.person if not _speaker(present) else "") or None
    if word.form in _THINGS and not named and not _noun_before(words, place):
        return (present.subject if place == 0 else "") or None
    if place == 0 and word.form in _POINTERS and (len(words) < 2 or words[1].form in _AUXILIARY):
        return None
    return ""


def _speaker(present: Present) -> bool:
    """Whether the last person named is who speaks: they are no "she" of their own."""
    return not {word.form for word in words_in(present.person)}.isdisjoint(word.form for word in words_in(present.speaker))


def _noun_before(words: list[Word], place: int) -> bool:
    """Whether a noun stands before a pronoun in its sentence, as far as words tell: behind a determiner, or the first word of all."""
    return any(word.form in _DETERMINERS for word in words[:place]) or (place > 0 and words[0].form not in STOP)


def _is_name(words: list[Word], place: int, present: Present) -> bool:
    """Whether the first word of a sentence begins a name: another capital follows, or it is a name that was heard."""
    return (place + 1 < len(words) and words[place + 1].capital) or words[place].form in present.people


def _written(word: Word, name: str, words: list[Word], place: int) -> str:
    owns = word.form in _OWNERS or (word.form == "her" and place + 1 < len(words) and words[place + 1].form not in STOP)
    if owns:
        return name if name.endswith(("'s", "’s")) else f"{name}'s"
    if word.form in _SHORT and word.end - word.start > len(word.form):
        return f"{name} {_SHORT[word.form]}"
    return name


def note(text: str, present: Present) -> None:
    """Remember whom and what a sentence, as it was resolved, has named."""
    words = words_in(text)
    run: list[Word] = []
    for word in [*words, None]:
        joined = (
            run
            and word is not None
            and not re.search(r"[,;:.()]\s|\s-", text[run[-1].end : word.start].replace("_", " ") + " ")
        )
        if word is not None and word.capital and not speaks(word) and (word.form not in STOP or joined) and (joined or not run):
            run.append(word)
            continue
        if run and (len(run) > 1 or run[0].form in present.people or run[0] is not words[0]):
            name = text[run[0].start : run[-1].end]
            if _personal(run, present):
                present.person = name.removesuffix("'s").removesuffix("’s")
                present.people.update(each.form for each in run)
        run = [word] if word is not None and word.capital and not speaks(word) and word.form not in STOP else []
    if subject := subject_of(text, words):
        present.subject = subject


_TITLES = frozenset("mr mrs ms dr prof".split())
_BODIES = frozenset(
    """
    foundation consortium ministry county university bank group institute council agency company committee union inc ltd corp
    department office board commission association hospital city river lake fund trust network party
    """.split()
)


def _personal(run: list[Word], present: Present) -> bool:
    """Whether a run of capitals may be a person's name: of two or three words, none of them a body's, or one that was heard."""
    forms = [word.form for word in run]
    if forms[0] in present.people:
        return True
    return (2 <= len(run) <= 3 or forms[0] in _TITLES) and not _BODIES & set(forms) and all(len(form) > 1 for form in forms)


def subject_of(text: str, words: list[Word] | None = None) -> str:
    """The subject of a sentence as it is written: the words before its first auxiliary, or the names that it begins with; "" where
    neither can be told."""
    words = words_in(text) if words is None else words
    if words and words[0].form in ("there", "here"):
        return ""
    for at, word in enumerate(words[:8]):
        if at and word.form in _AUXILIARY and not any(each.form in NEGATIONS for each in words[:at]):
            found = text[words[0].start : words[at - 1].end]
            return found if not re.search(r"[,;:]", found) else ""
    until = 0
    while until < len(words) and words[until].capital:
        until += 1
    return text[words[0].start : words[until - 1].end] if until > 1 else ""
