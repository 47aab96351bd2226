"""Who did what, as the seed's extractor takes it off a sentence: a subject, a verb, and the runs of content behind it."""

from dataclasses import dataclass

from loom.core.memory.people import Names
from loom.core.memory.sentences import Parsed
from loom.core.memory.subjects import Present, by_first
from loom.core.memory.words import Word, term


@dataclass(frozen=True, slots=True)
class Claim:
    """`things` are the runs of words that carry something behind the verb."""

    subject: str
    verb: str
    things: tuple[tuple[Word, ...], ...]
    negated: bool


def claim_of(sentence: Parsed, names: Names, present: Present, *, you: bool = True) -> Claim:
    """The claim of a sentence. The verb is the word behind the subject ("am" of "I am tired"), or the first word where no subject is
    named; "" where there is none."""
    subject, at = by_first(sentence, names, present, you=you)
    words = sentence.words
    verb = words[at].form if at < len(words) else ""
    runs: list[list[Word]] = [[]]
    for word in words[at + 1 :]:
        if not term(word.form):
            if runs[-1]:
                runs.append([])
        else:
            runs[-1].append(word)
    return Claim(subject, verb, tuple(tuple(run) for run in runs if run), sentence.negated)
