"""What is kept of an answer: all but the sentences that only repeat what the node itself put before the model."""

import re
from collections.abc import Sequence

from loom.core.memory.sentences import Parsed, sentences_in
from loom.core.memory.values import DECLINED
from loom.core.memory.words import term

SHARE = 0.8
"""Of the words of a sentence that carry something, the share that one quote has to hold for the sentence to repeat it."""
FEWEST = 2
"""Words that carry something, below which a sentence repeats nothing but a whole quote."""

_CITED = re.compile(r"\s?\[(?:\d{1,3}|source: [^\]\n]{1,400})\]")


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
