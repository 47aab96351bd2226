"""The quote gate: a verdict that finds something in an answer must cite it, and the citation must be there (seed 000 §10.2)."""

from dataclasses import dataclass

from loom.core.exposure import READERS
from loom.core.exposure.names import reference_form
from loom.core.matching.default import plain_words


@dataclass(frozen=True, slots=True)
class Cited:
    """Whether a quote occurs in an answer: character for character, and under the matcher's normalisation."""

    verbatim: bool
    normalised: bool

    @property
    def stands(self) -> bool:
        return self.verbatim or self.normalised


UNCITED = Cited(False, False)
"""No quote, or one that is not there."""


def cited(quote: str, answer: str, matcher: str) -> Cited:
    """Where a quote stands in an answer. A quote without a letter or digit cites nothing; under `normalised` it has to begin and
    end with whole words, so that no two letters are found everywhere."""
    quote = quote.strip()
    if not any(map(str.isalnum, quote)):
        return UNCITED
    return Cited(quote in answer, _within(quote, answer, matcher))


def _within(quote: str, answer: str, matcher: str) -> bool:
    if matcher == "reference":
        wanted = reference_form(quote)
        return bool(wanted) and f" {wanted} " in f" {reference_form(answer)} "
    if matcher not in READERS:
        raise KeyError(matcher)
    wanted_words, said = plain_words(quote), plain_words(answer)
    return bool(wanted_words) and f" {' '.join(wanted_words)} " in f" {' '.join(said)} "
