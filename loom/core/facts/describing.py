"""What tells one base from the others: its descriptor, and the activation that a region must exceed (R8, R12).

Both are fixed at build, from content alone, over all bases of the generation.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from loom.core.facts.content import BaseContent
from loom.core.facts.likeness import DIGITS, Findable, Likeness
from loom.core.facts.values import Base
from loom.core.text import words

MOST_TERMS = 256
SHORTEST = 3
FEWEST_BASES = 3
"""Among fewer bases no word is generic: every word of one is in half of two."""
REGIONS = 10
PERCENT = 95

PROBES = (
    "How do I boil an egg so that the yolk stays soft?", "What is the best way to learn to swim as an adult?",
    "Which planets can be seen without a telescope?", "Why is the sky blue during the day and red in the evening?",
    "Can you write a short poem about a cat and a lighthouse?", "How many players are on a chess board at the start?",
    "What should I pack for a week in the mountains?", "Tell me a joke that a child of six would understand.",
    "How does a bicycle stay upright while it is moving?", "When should tomatoes be planted in a cold garden?",
    "What is the difference between a violin and a viola?", "Translate good morning into three languages.",
    "How long does it take to walk ten kilometres?", "Who invented the printing press and where did he live?",
    "Why do onions make people cry when they are cut?", "What does the word serendipity mean?",
    "Come si prepara una buona pasta al pomodoro?", "Quale libro consigli per un lungo viaggio in treno?",
    "Come si cambia la ruota di una bicicletta?", "Perché il mare è salato?", "Che cosa devo fare se perdo il passaporto?",
    "Scrivi una breve lettera a un vecchio amico.", "Wie repariert man einen tropfenden Wasserhahn?",
    "Was ist der Unterschied zwischen einem Hasen und einem Kaninchen?", "Welche Sprache wird in Brasilien gesprochen?",
    "How do I remove a red wine stain from a carpet?", "What time is it in Tokyo when it is noon in London?",
    "How can I fall asleep faster at night?", "Which animals sleep through the winter?",
    "Explain gravity to someone who has never heard of it.", "What is a good name for a small grey dog?",
    "How often should I water a cactus?",
)  # fmt: skip
"""Questions about nothing that is kept as a knowledge base."""


def described(contents: Sequence[BaseContent], documents: Sequence[Findable]) -> list[BaseContent]:
    """The same bases with descriptors and thresholds, from all that can be found in them."""
    texts = {content.base.iri: Counter(_content_words(content, documents)) for content in contents}
    holding = Counter(word for counts in texts.values() for word in counts)
    limits = _thresholds([content.base for content in contents], documents)
    return [
        replace(
            content,
            base=replace(
                content.base,
                descriptor=_descriptor(texts[content.base.iri], holding, len(contents)),
                threshold=limits[content.base.iri],
            ),
        )
        for content in contents
    ]


def _content_words(content: BaseContent, documents: Iterable[Findable]) -> Iterable[str]:
    iri = content.base.iri
    for text in (*(one.text for one in documents if one.base == iri), content.base.title):
        yield from (word for word in words(text) if len(word) >= SHORTEST and not word.isdigit())


def _descriptor(counts: Counter[str], holding: Counter[str], bases: int) -> tuple[tuple[str, float], ...]:
    """Terms by weight, then by themselves; a term of more than half of the bases is generic and left out."""
    weighed = [
        (word, round((1 + math.log(times)) * math.log(1 + bases / holding[word]), DIGITS))
        for word, times in counts.items()
        if bases < FEWEST_BASES or 2 * holding[word] <= bases
    ]
    return tuple(sorted(weighed, key=lambda one: (-one[1], one[0]))[:MOST_TERMS])


def _thresholds(bases: Sequence[Base], documents: Sequence[Findable]) -> dict[str, float]:
    """Of each base the score that its regions stay under in 95 of 100 unrelated cases; 0 where no probe touches it."""
    index = Likeness(documents)
    base_of = {document.iri: document.base for document in documents}
    reached: dict[str, list[float]] = {base.iri: [] for base in bases}
    for probe in PROBES:
        best: dict[str, list[float]] = {}
        for iri, score in index.search([probe], len(documents)):
            best.setdefault(base_of[iri], []).append(score)
        for iri, scores in best.items():
            reached[iri] += scores[:REGIONS]
    return {iri: _percentile(sorted(scores)) for iri, scores in reached.items()}


def _percentile(scores: Sequence[float]) -> float:
    return scores[min(len(scores) - 1, len(scores) * PERCENT // 100)] if scores else 0.0
