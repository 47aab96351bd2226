"""What is kept of what was said: nothing that the node itself, or a chat program, put before a model."""

import re
from bisect import bisect_right
from collections.abc import Sequence

from loom.core.memory.minting import HEADING, NOTHING, ONLY
from loom.core.memory.sentences import Parsed, sentences_in
from loom.core.memory.values import DECLINED
from loom.core.memory.words import term

SHARE = 0.8
"""Of the words of a sentence that carry something, the share that one quote has to hold for the sentence to repeat it."""
FEWEST = 2
"""Words that carry something, below which a sentence repeats nothing but a whole quote."""

_CITED = re.compile(r"\s?\[(?:\d{1,3}|source: [^\]\n]{1,400})\]")
_BEGIN = re.compile(r"\[\s*ONTOLOGY\s+CONTEXT\s*\]", re.IGNORECASE)
_END = re.compile(r"\[\s*END\s+ONTOLOGY\s+CONTEXT\s*\]", re.IGNORECASE)
_GAP = re.compile(r"\n\s*\n")
_MARGIN = r"(?m:^[ \t>|*-]*)"
_LINE = r"(?:[^\n\"]|\"[^\n\"]*\"){0,500}:[ \t]*\"[^\n\"]*\"(?:[ \t]*\(that is: [^\n)]*\))?[ \t]*"
_SHOWN = re.compile(
    rf"{re.escape(HEADING)}(?:[ \t]*{_LINE}(?=\n|\Z))?(?:\n{_MARGIN}{_LINE}(?=\n|\Z))*"
    rf"|{re.escape(NOTHING)}[^\n]{{0,1200}}?\.(?=\s*(?:{re.escape(ONLY)}|\Z|\n))|{re.escape(ONLY)}[ \t]*(?:{re.escape(DECLINED)})?",
    re.IGNORECASE,
)
"""Lines of memory without a block round them, as the routes give them, and notes of absence."""
_TASK = re.compile(r"\A\s*#{1,4} ?task\b.*?<context>.*</context>", re.IGNORECASE | re.DOTALL)
_ASKED = re.compile(r"<user_query>(.*?)</user_query>", re.IGNORECASE | re.DOTALL)


def own_text(text: str) -> str:
    """A text without memory that this node showed, and of a question that a chat program wrapped in documents only the question."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if task := _TASK.search(text):
        asked = _ASKED.search(text)
        text = asked[1] if asked else text[task.end() :]
    return _SHOWN.sub("", _unframed(text)).strip()


def _unframed(text: str) -> str:
    """A text without blocks, however their lines are ended, indented or quoted; one whose end is cut off goes on to the next empty
    line."""
    ends = [found.end() for found in _END.finditer(text)]
    kept, at = "", 0
    for begin in _BEGIN.finditer(text):
        if begin.start() >= at:
            kept += text[at : begin.start()]
            place = bisect_right(ends, begin.end())
            gap = None if place < len(ends) else _GAP.search(text, begin.end())
            at = ends[place] if place < len(ends) else gap.start() if gap else len(text)
    return kept + text[at:]


def own_words(answer: str, quotes: Sequence[str]) -> str:
    """An answer without the sentences that repeat one of these quotes, and without marks of citation."""
    text = _CITED.sub("", answer)
    held = [frozenset(_terms(quote)) for quote in quotes]
    kept = [text[each.start : each.end] for each in sentences_in(text) if not _repeats(each, text, held)]
    return "\n".join(kept)


def _repeats(sentence: Parsed, text: str, quotes: Sequence[frozenset[str]]) -> bool:
    said = {found for word in sentence.words if (found := term(word.form))}
    if DECLINED.lower() in text[sentence.start : sentence.end].lower():
        return True
    if not said:
        return False
    return any(
        quote and (said <= quote if len(said) < FEWEST else len(said & quote) >= SHARE * len(said) or _holds(said, quote))
        for quote in quotes
    )


def _holds(said: set[str], quote: frozenset[str]) -> bool:
    """Whether a sentence is a quote with a few words around it ("Anna said that …")."""
    return len(quote) > FEWEST and quote <= said


def _terms(text: str) -> list[str]:
    return [found for sentence in sentences_in(text) for word in sentence.words if (found := term(word.form))]
