"""A question: of whom it asks, and what."""

from dataclasses import dataclass

from loom.core.memory.people import Names
from loom.core.memory.timing import times_in
from loom.core.memory.words import ASKING, Word, any_term, term, words_in


@dataclass(frozen=True, slots=True)
class Asked:
    """`subjects` are the keys of whom a question names; `focus` the terms it asks about, each once, in order; `words` its words;
    `times` the times it asks about (`timing.Time.iso`), which are then no terms; `required` those of its terms that are names and
    nobody's: what is found has to hold them, or where it has subjects, the conversation has."""

    subjects: tuple[str, ...]
    focus: tuple[str, ...]
    words: tuple[Word, ...]
    times: tuple[str, ...] = ()
    required: tuple[str, ...] = ()

    @property
    def every(self) -> tuple[str, ...]:
        """The stems of all its words, each once, in order."""
        return tuple(dict.fromkeys(found for word in self.words if (found := any_term(word.form))))

    @property
    def when(self) -> bool:
        """Whether the first word that asks is "when"."""
        return next((word.form for word in self.words if word.form in ASKING), "") == "when"


def asked(question: str, names: Names, *, named: bool, several: bool = False, timed: bool = False) -> Asked:
    """Read a question. Its subject is the longest name that is known, the first of equals, or all of them where `several`; `named`
    keeps the words of the names in the focus, `timed` takes those of times out of it."""
    words = words_in(question)
    mentions = names.mentions(words)
    inside = {at for mention in mentions for at in range(mention.start, mention.end)} if not named else set()
    times = times_in(question) if timed else []
    timely = {place for time in times for place in range(time.start, time.end)}
    inside |= {at for at, word in enumerate(words) if word.start in timely}
    shared = names.shared(words) if several else []
    inside |= {at for start, end, _ in shared for at in range(start, end)} if not named else set()
    terms = dict.fromkeys(found for at, word in enumerate(words) if at not in inside and (found := term(word.form)))
    if not several and mentions:
        mentions = [max(mentions, key=lambda mention: sum(len(word.form) for word in words[mention.start : mention.end]))]
    subjects = dict.fromkeys([*(mention.key for mention in mentions), *(key for _, _, keys in shared for key in keys)])
    return Asked(tuple(subjects), tuple(terms), tuple(words), tuple(dict.fromkeys(time.iso for time in times)))
