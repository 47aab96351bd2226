"""Corpora that are made up, of any size: words by Zipf's law, a vocabulary that grows by Heaps', concepts that refer to their like."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random

import numpy as np

from loom.core.concepts import Concepts
from loom.core.retrieval.stem import ASKING
from loom.core.values import Concept, Ref

SEED = 20_240
RELATIONS = ("hasPart", "requires", "enables", "dependsOn", "uses", "relatedTo")
BRANCHES = 8
NEAR = 40
_ONSETS = "b c d f g h k l m n p r s t v w br cr dr fl gr pl st tr".split()
_RIMES = "a e i o u ai ea io an en in on ar er or al el il".split()


@lru_cache(maxsize=1 << 20)
def word(rank: int) -> str:
    """A word that can be spoken, another for each rank; those of low rank are short."""
    syllables: list[str] = []
    rest = rank + len(_ONSETS) * len(_RIMES) // 4
    while rest or not syllables:
        rest, syllable = divmod(rest, len(_ONSETS) * len(_RIMES))
        syllables.append(_ONSETS[syllable % len(_ONSETS)] + _RIMES[syllable // len(_ONSETS)])
    made = "".join(syllables)
    return f"{made}x" if made in ASKING else made


def _ranks(random: np.random.Generator, vocabulary: int, count: int, flatter: float) -> np.ndarray:
    """Ranks drawn by the law of Zipf and Mandelbrot; with a greater `flatter` common words are less common."""
    worth = np.cumsum(1.0 / (np.arange(vocabulary) + flatter))
    return np.asarray(worth.searchsorted(random.random(count) * worth[-1]))


def concepts(count: int) -> list[Concept]:
    """So many concepts, in the order of their IRIs, the same every time: titles of 1 to 4 words, definitions that share words with
    their neighbours, one parent, six relations to concepts near by."""
    random, choices = np.random.default_rng(SEED), Random(SEED)
    vocabulary = int(44 * count**0.6) + 500
    sizes = random.choice([1, 2, 3, 4], size=count, p=[0.15, 0.5, 0.25, 0.1])
    named = iter(_ranks(random, vocabulary, 4 * count, 200.0).tolist())
    titles = _titles(sizes.tolist(), named)
    said = iter(_ranks(random, vocabulary, 24 * count, 2.7).tolist())
    lengths = random.integers(10, 22, size=count).tolist()
    refs = [Ref(f"urn:loom:made:{number:07}") for number in range(count)]
    edges = np.clip(np.arange(count)[:, None] + random.integers(-NEAR, NEAR + 1, size=(count, len(RELATIONS))), 0, count - 1)
    found = []
    for number, targets in enumerate(edges.tolist()):
        spoken = [word(next(said)) for _ in range(lengths[number])]
        for target in targets[:3]:
            spoken.insert(choices.randrange(len(spoken) + 1), titles[target].split()[0].lower())
        found.append(
            Concept(
                refs[number].iri,
                titles[number],
                definition=f"{titles[number]} is the {' '.join(spoken)}.",
                quality=0.5,
                parents=(refs[number // BRANCHES],) if number else (),
                ancestors=tuple(refs[each] for each in _above(number)),
                relations=tuple(
                    (name, (refs[target],)) for name, target in zip(RELATIONS, targets, strict=True) if target != number
                ),
            )
        )
    return found


def _titles(sizes: Sequence[int], ranks: Iterator[int]) -> list[str]:
    """A title of so many words each; one that was given before gets its number."""
    given: dict[str, int] = {}
    titles = []
    for size in sizes:
        title = " ".join(word(next(ranks)).capitalize() for _ in range(size))
        again = given[title] = given.get(title, 0) + 1
        titles.append(title if again == 1 else f"{title} {word(10_000 + again).capitalize()}")
    return titles


def _above(number: int) -> Iterator[int]:
    while number:
        number //= BRANCHES
        yield number


def questions(held: Concepts, count: int) -> Mapping[str, list[str]]:
    """Questions that name a concept, and questions of some twenty words that describe one; the same every time."""
    choices = Random(SEED + count)
    rows = [choices.randrange(held.count) for _ in range(count)]
    return {
        "named": [f"What does {held.title(row)} require, and why?" for row in rows],
        "described": [_described(held, row, choices) for row in rows],
    }


def _described(held: Concepts, row: int, choices: Random) -> str:
    spoken = str(held.record(row)["definition"]).rstrip(".").split(" is the ", 1)[1].split()
    chosen = choices.sample(spoken, min(len(spoken), 12))
    return f"Which is the one with {' and '.join(chosen[:4])} that does {' '.join(chosen[4:])}, and what is it used for?"
