"""A ranker without a judge: BM25 over the options of a choice, what an option excludes kept out of its evidence.

score(option) = Σ over the distinct terms of the turn: idf · f·(k1 + 1) / (f + k1·(1 − b + b·length/mean length)), with
idf = ln(1 + (n − df + 0.5)/(df + 0.5)) over the n options of the choice (Robertson & Zaragoza 2009, k1 = 1.2, b = 0.75).
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from loom.core.retrieval.stem import terms
from loom.lab.choice.task import Choice, Option

K1, B = 1.2, 0.75

_CLAUSES = re.compile(r"(?<=[.!?;\n])\s*|\s+(?=[(\[])|\s[–—-]\s")
_EXCLUDES = re.compile(
    r"^\W*(?:(?:this is |it is |is )?not (?:for|when|if|to be used|suitable|intended)\b|(?:do not|don['’]t|never|not to) (?:use|pick|choose|"
    r"select|invoke|call|trigger|route|apply)\b|avoid\b|except\b|exclud(?:e|es|ing)\b|unless\b|skip (?:if|when|for)\b|out of scope\b)",
    re.I,
)
_TURNS = re.compile(
    r"\b(?:(?:is|are|but|and|or|,)\s+(?:not|never) (?:meant |intended |suitable |suited )?(?:for|when|if|to be used)|never for|(?:should|must|may|can) (?:not|never) "
    r"be (?:used|picked|chosen|called|invoked)|(?:do not|don['’]t|never) use|cannot be used|except(?:ing)?|excluding|unless|other than)\b",
    re.I,
)
"""Where a clause turns to what it excludes: what stands before it counts, what follows does not."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """What the ranker would pick of one choice: the best option, its score (0 where no term of the turn occurs), and the next."""

    id: str
    option: str
    score: float
    second: str | None
    scores: tuple[tuple[str, float], ...]


def rank(choice: Choice, *, exclusions_count: bool = False) -> Ranked:
    """The options by score; of equal scores the one listed first. `exclusions_count` reads what options exclude as evidence for
    them, which is the mistake that the baseline must not make, to measure what it costs."""
    texts = [Counter(terms(_evidence(option, exclusions_count))) for option in choice.options]
    asked = sorted(set(terms(choice.shown)))
    lengths = [sum(text.values()) for text in texts]
    mean = sum(lengths) / len(lengths) or 1.0
    spread = {term: sum(term in text for text in texts) for term in asked}
    weights = {term: log(1 + (len(texts) - df + 0.5) / (df + 0.5)) for term, df in spread.items()}
    scores = [
        sum(
            weights[term] * text[term] * (K1 + 1) / (text[term] + K1 * (1 - B + B * length / mean))
            for term in asked
            if text[term]
        )
        for text, length in zip(texts, lengths, strict=True)
    ]
    order = sorted(range(len(scores)), key=lambda at: (-scores[at], at))
    ids = [option.id for option in choice.options]
    return Ranked(
        choice.id,
        ids[order[0]],
        float(scores[order[0]]),
        ids[order[1]] if len(order) > 1 else None,
        tuple((ids[at], float(scores[at])) for at in order),
    )


def _evidence(option: Option, exclusions_count: bool) -> str:
    if exclusions_count:
        return f"{option.text} {option.exclusion}"
    return positive(option.text, option.exclusion)


def positive(text: str, exclusion: str = "") -> str:
    """What speaks for an option: its text without the stated exclusion, and without clauses that begin by excluding ("Not for …",
    "Do not use when …", "Except …", "Unless …"), and what follows where a clause turns to excluding ("Soup, but not for bread")."""
    if exclusion.strip():
        text = text.replace(exclusion.strip(), " ")
    return " ".join(_TURNS.split(clause, maxsplit=1)[0] for clause in _clauses(text) if not _EXCLUDES.match(clause))


def _clauses(text: str) -> Sequence[str]:
    return [clause for clause in _CLAUSES.split(text) if clause and clause.strip()]
