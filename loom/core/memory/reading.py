"""A turn read into pieces: what it says of whom, against what was kept before it."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from loom.core.memory.calendar import dates_of, spoken
from loom.core.memory.claims import claim_of
from loom.core.memory.people import Names
from loom.core.memory.policy import FIRST, FULL, SPEAKER, TURN, Reads
from loom.core.memory.quotes import parts_of
from loom.core.memory.sentences import Parse, Parsed, answers, sentences_in
from loom.core.memory.subjects import Present, by_all, by_first, quoter
from loom.core.memory.values import NOBODY, Piece, Said, Sentence
from loom.core.memory.words import Word, any_term, term, words_in


@dataclass(frozen=True, slots=True)
class Parsing:
    """A turn's text and its sentences; `quotes` gives for each the range that says whom it quotes, None where it quotes nobody."""

    text: str
    sentences: tuple[Parsed, ...]
    quotes: tuple[tuple[int, int] | None, ...]
    code: tuple[tuple[int, int], ...] = ()

    def in_code(self, at: int) -> bool:
        """Whether a place lies in a block of code."""
        return any(start <= at < end for start, end in self.code)


def parsed(said: Said, reads: Reads, parse: Parse = sentences_in) -> Parsing:
    """The sentences of a turn; quoted speech makes sentences of its own where subjects are told by all that speak of people."""
    text = said.whole if reads.captions else said.text
    if reads.subjects != FULL:
        sentences = tuple(parse(text))
        return Parsing(text, sentences, (None,) * len(sentences))
    found: list[tuple[Parsed, tuple[int, int] | None]] = []
    for part in parts_of(text):
        found += [(sentence, part.told) for sentence in parse(text, part.start, part.end)]
    code = tuple(match.span() for match in _CODE.finditer(text)) if "```" in text else ()
    return Parsing(text, tuple(each for each, _ in found), tuple(told for _, told in found), code)


_CODE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_BULLETS = ("- ", "* ", "• ", "– ", "+ ")


def pieces_of(
    number: int, said: Said, parsing: Parsing, names: Names, present: Present, reads: Reads, before: Parsing | None = None
) -> tuple[Piece, ...]:
    """The pieces of a turn, by subject; `before` is the turn before it where another spoke it. A topic with a question mark ("My first
    car?") belongs to the sentence behind it, where that is of the same subjects, and so does a question that one answers oneself ("Is
    Anna here? She isn't."). What is listed below a line with a colon is of its subjects; code is its speaker's. What only answers ("Yes, I did.") is said of its
    subjects where the turn before asks."""
    filed: dict[str, list[Sentence]] = {}
    counted: dict[str, Counter[str]] = {}
    topic: tuple[Sentence, Counter[str], tuple[str, ...], bool] | None = None
    listed: tuple[str, ...] = ()
    beside = _asked(before) if before and reads.adjacent else Counter[str]()
    answering = {present.speaker}
    for sentence, told in zip(parsing.sentences, parsing.quotes, strict=True):
        own = _terms(sentence.words, reads)
        of, quoted = _subjects(sentence, told, parsing.text, names, present, reads)
        written = parsing.text[sentence.start : sentence.end]
        if reads.subjects == FULL:
            of = (present.speaker,) if parsing.in_code(sentence.start) else of
            if written.startswith(_BULLETS):
                of = listed if listed and of == (present.speaker,) else of
            else:
                listed = of if written.endswith(":") else ()
        short = (bool(beside) or topic is not None) and answers(sentence)
        subjects = of if short or _asserts(sentence, names, present, reads) else ()
        if short:
            answering.update(subjects)
        made = Sentence(
            sentence.start,
            sentence.end,
            sentence.negated,
            quoted,
            dates_of(written, said.date),
        )
        for subject in subjects or (NOBODY,):
            if topic and subjects == topic[2] and (topic[3] or short):
                filed.setdefault(subject, []).append(topic[0])
                counted.setdefault(subject, Counter()).update(topic[1])
            filed.setdefault(subject, []).append(made)
            counted.setdefault(subject, Counter()).update(own)
        topic = (made, own, of, sentence.names_topic) if reads.subjects == FULL and sentence.asks else None
    if reads.unit == TURN:
        return _whole(number, said, filed, parsing, reads)
    return tuple(
        Piece(number, subject, tuple(filed[subject]), counted[subject], beside if subject in answering else {})
        for subject in sorted(filed)
    )


def _subjects(
    sentence: Parsed, told: tuple[int, int] | None, text: str, names: Names, present: Present, reads: Reads
) -> tuple[tuple[str, ...], str]:
    """Of whom a sentence speaks, and whom it quotes."""
    if reads.subjects == SPEAKER:
        return (present.speaker,), ""
    if reads.subjects == FIRST:
        return (by_first(sentence, names, present, you=reads.you)[0],), ""
    if told is None:
        found = by_all(sentence, text, names, present, you=reads.you)
        teller = present.speaker
        if reads.told and teller not in found and all(key not in names.speakers for key in found):
            found = (*found, teller)
        return found, ""
    key = quoter(text, told, names, present, behind=told[0] > sentence.start)
    if key == present.speaker:
        return by_all(sentence, text, names, present, you=reads.you), ""
    inside = Present(key, present.speaker, present.last)
    return tuple(found for found in by_all(sentence, text, names, inside, you=reads.you) if found), key or SOMEBODY


SOMEBODY = "?"
"""Whom a sentence quotes that has no name: nobody's claim, unless the quote itself names somebody."""


def _terms(words: Iterable[Word], reads: Reads) -> Counter[str]:
    make = any_term if reads.common else term
    return Counter(found for word in words if (found := make(word.form)))


def _asserts(sentence: Parsed, names: Names, present: Present, reads: Reads) -> bool:
    """Whether a sentence says something: it asks nothing, and there is more to it than names and common words."""
    if sentence.asks and not reads.questions:
        return False
    if reads.verbs:
        return bool(claim_of(sentence, names, present, you=reads.you).things)
    mentions = names.mentions(sentence.words)
    named = {at for mention in mentions for at in range(mention.start, mention.end)}
    if any(term(word.form) for at, word in enumerate(sentence.words) if at not in named):
        return True
    # "My manager is Anna Berg" says who she is.
    return len({mention.key for mention in mentions}) < len(mentions)


def _whole(number: int, said: Said, filed: Mapping[str, list[Sentence]], parsing: Parsing, reads: Reads) -> tuple[Piece, ...]:
    """The whole turn for each of its owners, with its date and speaker beside it; for nobody where it has none."""
    own: Counter[str] = Counter()
    for sentence in parsing.sentences:
        own.update(_terms(sentence.words, reads))
    beside = _terms(words_in(f"{spoken(said.date)} {said.speaker}"), reads)
    owners = sorted(filed.keys() - {NOBODY}) or [NOBODY]
    every = tuple(sorted({each for made in filed.values() for each in made}, key=lambda each: each.start))
    return tuple(Piece(number, owner, every, own, beside) for owner in owners)


def _asked(before: Parsing) -> Counter[str]:
    """The terms of a turn's questions."""
    return Counter(
        found for sentence in before.sentences if sentence.asks for word in sentence.words if (found := term(word.form))
    )
