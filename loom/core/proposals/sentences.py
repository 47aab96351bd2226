"""Assertions without a model: the sentences of a document that name concepts of the corpus, as they stand there."""

import re
from collections.abc import Callable, Iterator, Sequence

from loom.core.names import fold_name
from loom.core.proposals.assertion import LONGEST, Assertion, Span, cleaned
from loom.core.proposals.lines import CODE, COMMENT, FORMULA, FRONT, lines
from loom.core.values import Iri

LEAST, MOST = 5, 60
"""Words of a sentence that is taken for an assertion."""

STATED = 2
"""The tier of what is stated as a fact, without a source of its own."""

_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?]+(?=[\s\"')\]]|$)[\"')\]]*|[.!?]+(?=\S)[^.!?\n]*)*", re.M)
_LEAD = re.compile(r"^\s*(?:[-*+•>#|]+\s+|\d+[.)]\s+)*")
_SPEAKER = re.compile(r"^[A-Z][\w .'-]{0,40}:\s+")
_NAME = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-Z][\w-]+(?:[ -](?:of |and |de )?[A-Z][\w-]+)+")

_TITLE = re.compile(r"^[ \t]*(?:[-*] )?#{1,6}(?:[ \t]|$)")
_ASIDE = re.compile(r"<!--.*?-->|%%.*?%%")
_UNSAID = (FRONT, CODE, COMMENT, FORMULA)

Named = Callable[[str], Sequence[tuple[str, Iri]]]
"""The concepts that a text names: the words that name them, and their IRIs."""


def said_in(page: str) -> str:
    """A page of Markdown with blanks in the place of what it does not say to its readers: front matter, code, comments, formulas and
    headings. What stands anywhere else stands where it did. One of these that never ends hides nothing."""
    there = list(lines(page))
    closed = len(there)
    if there and there[-1].open:
        while closed and there[closed - 1].inside == there[-1].open:
            closed -= 1
    kept = []
    for number, line in enumerate(there):
        raw = page[line.start : line.end]
        if number < closed and (line.inside in _UNSAID or _TITLE.match(line.text)):
            kept.append(_blank(raw))
        else:
            kept.append(_ASIDE.sub(lambda aside: _blank(aside[0]), raw))
    return "".join(kept)


def _blank(text: str) -> str:
    return "".join(letter if letter in "\r\n" else " " for letter in text)


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Where the sentences of a text stand, list marks and speakers left out."""
    for match in _SENTENCE.finditer(text):
        said = match[0]
        lead = _LEAD.match(said)
        start = lead.end() if lead else 0
        if speaker := _SPEAKER.match(said[start:]):
            start += speaker.end()
        start += len(said[start:]) - len(said[start:].lstrip())
        end = len(said.rstrip())
        if start < end:
            yield match.start() + start, match.start() + end


def extracted(text: str, source: str, named: Named, *, strict: bool = True) -> Iterator[Assertion]:
    """The assertions of a document: every statement of LEAST to MOST words that names a concept, with the names in it; names of two
    words and more that are no concept's are terms without one. With `strict` a statement that names no concept is left out. Each is
    verified: it is its source's own words."""
    seen: set[str] = set()
    for start, end in sentences(text):
        said = cleaned(text[start:end])
        if not LEAST <= len(said.split()) <= MOST or len(said) > LONGEST or said.endswith("?"):
            continue
        terms = dict(named(said))
        known = {fold_name(term) for term in terms}
        for match in _NAME.finditer(said):
            if not any(fold_name(match[0]) in name or name in fold_name(match[0]) for name in known):
                terms.setdefault(match[0], "")
        if not any(terms.values()) and (strict or not terms):
            continue
        made = Assertion(said, source, Span(said, start, end), STATED, None, tuple(terms.items()), (), True)
        if made.statement not in seen:
            seen.add(made.statement)
            yield made
