"""What tells one base from the others: its descriptor, and the activation that a region must exceed (R8, R12).

Both are fixed at build, from content alone, over all bases of the generation.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from loom.core.facts.content import BaseContent
from loom.core.facts.likeness import DIGITS, Findable
from loom.core.facts.part_bases import Files
from loom.core.facts.part_mentions import MentionsPart, Pressed, press_mentions
from loom.core.facts.values import Base
from loom.core.text import words

MOST_TERMS = 256
SHORTEST = 3
FEWEST_BASES = 3
"""Among fewer bases no word is generic: every word of one is in half of two."""
REGIONS = 10
PERCENT = 95

PROBES = (
    "boil egg yolk soft", "learn swim adult", "planets telescope", "sky blue evening red", "poem cat lighthouse", "players chess board",
    "pack week mountains", "joke child six understand", "bicycle stay upright moving", "tomatoes planted cold garden",
    "difference violin viola", "translate good morning three languages", "walk ten kilometres long", "invented printing press live",
    "onions cry cut", "serendipity mean", "prepara pasta pomodoro", "libro viaggio treno lungo", "cambia ruota bicicletta", "mare salato",
    "passaporto perdo fare", "lettera breve vecchio amico", "repariert tropfenden wasserhahn", "unterschied hasen kaninchen",
    "sprache brasilien gesprochen", "remove wine stain carpet", "time tokyo noon london", "fall asleep faster night",
    "animals sleep winter", "gravity explain heard", "name small grey dog", "water cactus often",
)  # fmt: skip
"""The telling words of questions about nothing that is kept as a knowledge base; words that only ask are never searched for."""


def described(
    contents: Sequence[BaseContent], documents: Sequence[Findable], mentions: Files | None = None
) -> list[BaseContent]:
    """The same bases with descriptors and thresholds, from all that can be found in them; `mentions` is the index of these documents,
    where it has been pressed."""
    index = MentionsPart(Pressed(press_mentions(documents) if mentions is None else mentions))
    texts = _counted([content.base for content in contents], documents, index)
    holding = Counter(word for counts in texts.values() for word in counts)
    limits = _thresholds([content.base for content in contents], index)
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


def _counted(bases: Sequence[Base], documents: Sequence[Findable], index: MentionsPart) -> dict[str, Counter[str]]:
    """The telling words of each base, its title's among them, with how often they occur."""
    places = {base.iri: at for at, base in enumerate(bases)}
    texts = np.array([places.get(one.base, -1) for one in documents], np.int32)
    counts: dict[str, Counter[str]] = {base.iri: Counter(filter(_tells, words(base.title))) for base in bases}
    for word, times in index.times(texts, len(bases)):
        if _tells(word):
            for at in np.flatnonzero(times).tolist():
                counts[bases[at].iri][word] += int(times[at])
    return counts


def _tells(word: str) -> bool:
    return len(word) >= SHORTEST and not word.isdigit()


def _descriptor(counts: Counter[str], holding: Counter[str], bases: int) -> tuple[tuple[str, float], ...]:
    """Terms by weight, then by themselves; a term of more than half of the bases is generic and left out."""
    weighed = [
        (word, round((1 + math.log(times)) * math.log(1 + bases / holding[word]), DIGITS))
        for word, times in counts.items()
        if bases < FEWEST_BASES or 2 * holding[word] <= bases
    ]
    return tuple(sorted(weighed, key=lambda one: (-one[1], one[0]))[:MOST_TERMS])


def _thresholds(bases: Sequence[Base], index: MentionsPart) -> dict[str, float]:
    """Of each base the score that its regions stay under in 95 of 100 unrelated cases; 0 where no probe touches it."""
    limits: dict[str, float] = {}
    for base in bases:
        sources = frozenset(source.iri for source in base.sources)
        scores = [score for probe in PROBES for _, score in index.search([probe], REGIONS, sources)]
        limits[base.iri] = _percentile(sorted(scores))
    return limits


def _percentile(scores: Sequence[float]) -> float:
    return scores[min(len(scores) - 1, len(scores) * PERCENT // 100)] if scores else 0.0
