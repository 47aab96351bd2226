"""Which questions a block is about: those whose subject one of its headings names."""

from collections.abc import Sequence

from loom.core.exposure.names import DefaultText
from loom.core.matching.default import plain_words
from loom.lab.completing.segments import HEADING, HIDDEN, Segment
from loom.lab.question import LabQuestion


def subjects(question: LabQuestion) -> tuple[str, ...]:
    """What a question says that it is about: titles where it states them, else slugs as words."""
    stated = question.more.get("subject_title")
    if isinstance(stated, str) and stated.strip():
        return (stated,)
    return tuple(slug.replace("-", " ").replace("_", " ") for slug in question.class_slugs)


def about(pieces: Sequence[Segment], questions: Sequence[LabQuestion]) -> list[LabQuestion]:
    """The questions whose subject is a heading, or begins the text; all, where that is so of none.

    A heading may say more than the title ("Emulsion (chemistry, maturity: established)"). Of a question that states no subject,
    its prompt must name what a heading says before any bracket.
    """
    headings = [piece.text for piece in pieces if piece.kind == HEADING]
    opening = next((piece.text for piece in pieces if piece.kind not in (HEADING, HIDDEN)), "")
    said = [DefaultText(text) for text in (*headings, " ".join(opening.split()[:12]))]
    titles = [title for text in headings if plain_words(title := text.split(" (")[0])]
    chosen = []
    for question in questions:
        stated = subjects(question)
        if stated:
            found = any(text.holds(subject) for subject in stated for text in said)
        else:
            prompt = DefaultText(question.prompt)
            found = any(prompt.holds(title) for title in titles)
        if found:
            chosen.append(question)
    return chosen or list(questions)
