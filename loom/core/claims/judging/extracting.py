"""An entry into signals: its sentences, with layout left out, clauses parted where both stand by themselves, pronouns resolved."""

import re
from collections.abc import Iterator

from loom.core.claims.judging.asked import Inference
from loom.core.claims.judging.entailing import entailed
from loom.core.claims.judging.given import Drawn, Extract, Passed
from loom.core.claims.judging.layout import SPOKEN, plain, running
from loom.core.claims.judging.resolving import Present, note, resolved
from loom.core.claims.records import Entry
from loom.core.memory.calendar import dates_of, spoken
from loom.core.memory.inflecting import forms_of
from loom.core.memory.porter import stem
from loom.core.memory.sentences import Parsed, sentences_in
from loom.core.memory.words import term, words_in

EXTRACTOR = "sentences-1"
"""The name of this extractor in what it makes."""
FEWEST = 3
"""Words of a sentence."""

ADDRESSED = frozenset({"mail", "message", "letter", *SPOKEN})
"""Kinds of entries in which "you" is somebody."""

LONGEST = 2000
"""Characters of a sentence; what is longer is a table, a log or noise, and nothing that one could check or show."""

_PARTED = re.compile(
    r";\s+|,\s+(?:and|but|while|whereas)\s+(?=(?:the|an?|my|our|your|his|her|its|their|it|he|she|they|we|you|all|most|no|[A-Z])\b)"
)
_FINITE = re.compile(
    r"\b(?:am|is|are|was|were|has|have|had|can|could|will|would|shall|should|may|might|must|does|did|do|cannot|\w{3,}ed)\b",
    re.IGNORECASE,
)


_QUOTATION = re.compile(
    r'(?<!\w)"(?=\S)(?:[^"\n]|\n(?!\s*\n))*(?<=\S)"(?!\w)|“[^“”]*”|„[^“”„]*[“”]|«[^«»]*»',
)
"""Straight marks stand before and behind a word, within one paragraph (5" is a measure)."""

_CLOSED = re.compile(r'^["”»]\s+')
"""The mark that closes what stood in the sentence before."""


def extract(entry: Entry) -> Extract:
    """The signals of an entry. Every span lies in its text, and every proposition is entailed by its span with the names given."""
    text, said = running(entry.text, entry.kind)
    voices = tuple(dict.fromkeys(name for _, _, name in said))
    present = Present(speaker=entry.author, addressed=bool(said) or entry.kind in ADDRESSED)
    present.people.update(word.form for name in (*voices, entry.author) for word in words_in(name))
    drawn: list[Drawn] = []
    passed: list[Passed] = []
    quotations = [found.span() for found in _QUOTATION.finditer(text) if found[0] != text.strip()]
    for sentence in sentences_in(text):
        if any(start <= sentence.start and sentence.end <= end for start, end in quotations):
            passed.append(Passed(sentence.start, sentence.end, "quoted"))
            continue
        _speaks(present, entry.author, said, voices, sentence.start)
        for start, end in _clauses(text, sentence):
            written = _CLOSED.sub("", plain(entry.text[start:end]))
            made = _signal(written, sentence, present, entry.observed_at)
            if isinstance(made, str):
                passed.append(Passed(start, end, made))
                continue
            proposition, given = made
            note(proposition, present)
            drawn.append(Drawn(start, end, proposition, given))
    return Extract(tuple(drawn), tuple(passed))


def _speaks(present: Present, author: str, said: tuple[tuple[int, int, str], ...], voices: tuple[str, ...], at: int) -> None:
    """Who speaks at a place, and to whom."""
    speaker = next((name for start, end, name in said if start <= at < end), author)
    others = [name for name in voices if name != speaker]
    present.speaker, present.other = speaker, others[0] if len(others) == 1 else ""


def _clauses(text: str, sentence: Parsed) -> Iterator[tuple[int, int]]:
    """The sentence, or its clauses where each has a verb of its own."""
    start = sentence.start
    for found in _PARTED.finditer(text, sentence.start, sentence.end):
        before, behind = text[start : found.start()], text[found.end() : sentence.end]
        if all(map(_stands, (before, behind))):
            yield start, found.start()
            start = found.end()
    yield start, sentence.end


def _stands(part: str) -> bool:
    """Whether a clause has a verb that is told by its form: an auxiliary, a past tense, or an irregular one."""
    words = words_in(part)
    irregular = any(forms_of(stemmed)[0] != stemmed for word in words if (stemmed := stem(word.form)))
    return len(words) >= FEWEST and bool(irregular or _FINITE.search(part))


def _signal(written: str, sentence: Parsed, present: Present, at: str) -> tuple[str, tuple[str, ...]] | str:
    """The proposition of a clause with the names that were put in, or why there is none."""
    if sentence.asks:
        return "asks"
    words = words_in(written)
    if len(words) < FEWEST or len(written) > LONGEST:
        return "fragment"
    if (found := resolved(written, present)) is None:
        return "unresolved"
    proposition, given = found
    if sum(bool(term(word.form)) for word in words_in(proposition)) < 2:
        return "fragment"
    proposition = _dated(proposition[:1].upper() + proposition[1:], written, at)
    return (proposition, given) if entailed(Inference(written, proposition, given, at)) else "fragment"


def _dated(proposition: str, written: str, at: str) -> str:
    """The proposition with the days behind it that it names only from the day on which it was said ("yesterday")."""
    told = dates_of(written, "")
    days = [spoken(date) for date in dates_of(written, at) if date not in told]
    if not days:
        return proposition
    stop = "." if proposition.endswith(".") else ""
    return f"{proposition.removesuffix('.')} ({'; '.join(days)}){stop}"
