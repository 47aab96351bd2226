"""What names and texts say of one question: its content words, the names that it uses, how far units explain it, a ranking.

A question's content words weigh by how rare they are in everyday speech, and words that ask for a relation next to nothing, so
that what the question is about counts more than how it is put. A ranking adds what a unit's text holds of the question, what its
meaning has in common with it where vectors are at hand, and the share of the question that the unit's name takes up:

    standing = TEXT·score/most + NEAR·cosine + NAMED·share        (without vectors: score/most + NAMED·share)
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from loom.core.concepts import remember
from loom.core.matching import default
from loom.core.matching.default import DefaultLexicon
from loom.core.matching.match import Match
from loom.core.mint.asked import ASKS
from loom.core.retrieval.stem import FIRST_UNSPACED, pieces, stem, term
from loom.core.retrieval.text import TextIndex
from loom.core.text import words
from loom.core.values import Row

TEXT, NEAR, NAMED = 0.65, 0.35, 0.1
MATCHES, TEXTS, NEAREST = 16, 24, 24
"""How many of each list are looked at."""

_SOURCE = (
    r"(?:graph|ontology|thesaurus|taxonomy|vocabulary|glossary|corpus|wiki|vault|handbook|manual|guide|documentation|docs?|"
    r"documents?|knowledge base|report|text|pages?|notes|context)"
)
SPEAKS_OF = re.compile(
    r"\s*(?:(?:according to|as per|per|based on|going by|judging by)\s+[^,.;:!?\n]{2,60}"
    rf"|(?:in|within|inside|from|using|with)\s+(?:the|our|this|my|your|their|its)\s(?:[^,.;:!?\n]{{1,50}}\s)?{_SOURCE}),\s+(?=\S)",
    re.IGNORECASE,
)
"""A clause in front of a question that says where to look, and nothing of what for."""

META = frozenset(
    map(stem, "concept concepts immediate direct entry entries article page term terms two three four five several".split())
)
"""Words by which one speaks about a body of knowledge rather than about something in it."""

EVERYDAY = 6.0
"""Zipf value from which a word tells nothing by itself."""
LEAST_WEIGHT, BARELY = 0.05, 0.01
TELLING = 0.15
"""Rarity below which words tell nothing: a question of such words alone, without a name, says nothing."""
LEAN_MOST, UNKNOWN_LEAN, NO_LEAN = 2.0, -1.0, 0.5
RAREST_LISTED = 0.5
EXPLAINED = 4
"""Units whose texts together may explain a question."""

AS_WRITTEN = ("name", "words")
OTHER_SHAPES = ("typo", "joined", "abbreviation")

WORDS_KEPT = 16_384

NOBODY: frozenset[Row] = frozenset()


@dataclass(frozen=True, slots=True)
class Views:
    """What of a generation is read to look at a question."""

    lexicon: DefaultLexicon
    quality: np.ndarray
    text: TextIndex
    title: Callable[[Row], str]
    surface: bool = True
    """Whether names count in other forms than the corpus writes."""
    texts: bool = True
    """Whether texts are searched."""


class Word(NamedTuple):
    """A content word: as written, its term and the number of that (-1: in no unit), what it weighs, its rarity in everyday speech
    (0 to 1), and how much more the corpus uses it than everyday speech does (powers of ten, -2 to 2)."""

    word: str
    term: str
    number: int
    weight: float
    rarity: float
    lean: float


class Named(NamedTuple):
    """A name that the question uses: the match, which content words it takes up, how rare its rarest word is, and which shares of
    the question's weight the name takes up, its unit's text explains beside it, and neither does."""

    match: Match
    own: tuple[bool, ...]
    rarity: float
    share: float
    beside: float
    left: float

    @property
    def several(self) -> bool:
        """Whether a name of several words is written out, be it in one piece."""
        return self.match.covered > 1 or (self.match.how == "joined" and self.match.name_words > 1)


@dataclass(frozen=True, slots=True)
class Look:
    """What was seen of one question. `names` is strongest first; `rows` and `scores` are those of the text index, best first."""

    words: tuple[Word, ...]
    matches: tuple[Match, ...]
    names: tuple[Named, ...]
    rows: tuple[Row, ...]
    scores: Mapping[Row, float]
    most: float
    held: dict[Row, np.ndarray] = field(default_factory=dict, repr=False)

    @property
    def total(self) -> float:
        return math.fsum(word.weight for word in self.words) or 1.0

    @property
    def best_score(self) -> float:
        return self.scores[self.rows[0]] if self.rows else 0.0


@dataclass(frozen=True, slots=True)
class Near:
    """What vectors say: the nearest rows, best first, and the cosine of every row that may be ranked."""

    rows: tuple[Row, ...]
    cosines: Mapping[Row, float]

    @property
    def best(self) -> float:
        return self.cosines[self.rows[0]] if self.rows else 0.0


def look(views: Views, text: str, hidden: frozenset[Row] = NOBODY) -> Look:
    """Look at a question with names and texts; `hidden` rows are as if they were not there."""
    index = views.text
    text = SPEAKS_OF.sub("", text, count=1) if SPEAKS_OF.match(text) else text
    said = content(index, text)
    known = None if not views.surface else lambda word: index.everyday(word) > 0
    matches = [
        match
        for match in default.search(views.lexicon, views.quality, text, MATCHES + len(hidden), known)
        if match.row not in hidden and (views.surface or match.how in AS_WRITTEN)
    ]
    if all(word.word.isdigit() for word in said):
        return Look((), (), (), (), {}, 1.0)
    held: dict[Row, np.ndarray] = {}
    names = _names(index, said, words(text), [match for match in matches if match.named], held)
    if not names and all(word.rarity < TELLING for word in said):
        return Look((), (), (), (), {}, 1.0)
    terms = _meant(views, said, names)
    found, worth = index.search(terms if views.texts else (), TEXTS + len(hidden))
    scores = {row: score for row, score in zip(found.tolist(), worth.tolist(), strict=True) if row not in hidden}
    return Look(said, tuple(matches), names, tuple(scores), scores, index.most(terms) or 1.0, held)


def _meant(views: Views, said: Sequence[Word], names: Sequence[Named]) -> list[str]:
    """The terms of a question; of a name in another shape (a slip, an abbreviation, run together), those of the name as it is."""
    shaped = [name for name in names if name.match.how in OTHER_SHAPES and name.match.shared == 1]
    if not shaped:
        return [word.term for word in said]
    replaced = [any(name.own[at] for name in shaped) for at in range(len(said))]
    titles = (views.title(name.match.row) for name in shaped)
    meant = [found for title in titles for piece in pieces(title) if (found := term(piece))]
    return [*(word.term for word, gone in zip(said, replaced, strict=True) if not gone), *meant]


def near_of(seen: Look, nearest: Sequence[tuple[Row, float]], cosines: Callable[[np.ndarray], np.ndarray]) -> Near:
    """The nearest rows with their cosines, and the cosines of what names and texts propose."""
    known = dict(nearest)
    others = [row for row in dict.fromkeys([*(name.match.row for name in seen.names), *seen.rows]) if row not in known]
    if others:
        known.update(zip(others, cosines(np.array(others, dtype=np.int64)).tolist(), strict=True))
    return Near(tuple(row for row, _ in nearest), known)


def content(index: TextIndex, text: str) -> tuple[Word, ...]:
    """The distinct content words of a text, in order."""
    known: dict[str, Word] = index.memo
    return tuple(
        known.get(piece) or remember(known, piece, _word(index, piece, found), WORDS_KEPT)
        for piece in dict.fromkeys(pieces(text))
        if (found := term(piece))
    )


def _word(index: TextIndex, word: str, term: str) -> Word:
    (number,) = index.numbers((term,))
    zipf = index.everyday(word)
    asks = term in ASKS or term in META or any("\u3040" <= letter <= "\u309f" for letter in word)  # kana ask, kanji name
    rarity = 0.0 if asks or word.isdigit() else min(1.0, max(0.0, (EVERYDAY - zipf) / EVERYDAY))
    if number < 0:
        lean = UNKNOWN_LEAN
    else:
        expected = max(zipf, RAREST_LISTED) - 9.0 + math.log10(index.length)
        lean = math.log10((index.holding(number) + 0.5) / index.count) - expected
    return Word(word, term, number, BARELY if asks else LEAST_WEIGHT + rarity, rarity, min(LEAN_MOST, max(-LEAN_MOST, lean)))


def explained(index: TextIndex, said: Sequence[Word], row: Row, held: dict[Row, np.ndarray]) -> np.ndarray:
    """Which content words a unit's text holds (bool each)."""
    found = held.get(row)
    if found is None:
        found = held[row] = index.held(row, np.array([word.number for word in said], dtype=np.int64))
    return found


def _names(
    index: TextIndex, said: Sequence[Word], written: Sequence[str], matches: Sequence[Match], held: dict[Row, np.ndarray]
) -> tuple[Named, ...]:
    total = math.fsum(word.weight for word in said) or 1.0
    found = []
    for match in matches:
        covered = frozenset(written[match.start : match.start + match.covered])
        own = tuple(word.word in covered or (word.word >= FIRST_UNSPACED and covered.issuperset(word.word)) for word in said)
        share = beside = left = rarity = 0.0
        for word, named, explains in zip(said, own, explained(index, said, match.row, held).tolist(), strict=True):
            if named:
                share += word.weight
                rarity = max(rarity, word.rarity)
            elif explains:
                beside += word.weight
            else:
                left += word.weight
        found.append(Named(match, own, rarity, share / total, beside / total, left / total))
    return tuple(sorted(found, key=lambda name: -_strength(name)))


def _strength(name: Named) -> float:
    return name.share + 0.3 * name.rarity + 0.5 * name.several + name.beside - name.left


def standings(seen: Look, near: Near | None = None) -> dict[Row, float]:
    """What each row that any retriever proposes is worth, best first; ties keep the order of proposal."""
    shares: dict[Row, float] = {}
    for name in seen.names:
        shares[name.match.row] = max(name.share, shares.get(name.match.row, 0.0))
    rows = dict.fromkeys([*shares, *seen.rows, *(near.rows if near else ())])
    worth = {row: _standing(seen, near, row, shares.get(row, 0.0)) for row in rows}
    return dict(sorted(worth.items(), key=lambda item: -item[1]))


def _standing(seen: Look, near: Near | None, row: Row, share: float) -> float:
    told = seen.scores.get(row, 0.0) / seen.most
    if near is None:
        return told + NAMED * share
    return TEXT * told + NEAR * near.cosines.get(row, 0.0) + NAMED * share


def blended(read: Sequence[tuple[float, Mapping[Row, float]]]) -> dict[Row, float]:
    """Several rankings as one, each with its weight, and at its best worth one; best first."""
    worth: dict[Row, float] = {}
    for weight, order in read:
        best = max(order.values(), default=0.0) or 1.0
        for row, standing in order.items():
            worth[row] = worth.get(row, 0.0) + weight * standing / best
    return dict(sorted(worth.items(), key=lambda item: -item[1]))


FEATURES = ("several", "strength", "held", "lean", "rare", "everyday", "loose", "left", "strange", "near", "ahead")
LEXICAL, SEMANTIC = FEATURES[:9], FEATURES
"""What confidence is read from, without and with vectors."""

RARE, PROMINENT = 0.75, 0.3
STRONG = 3
"""Rare words whose worth together is strong evidence."""


def strange(word: Word) -> bool:
    """Whether a word is neither everyday nor the corpus's: most often the name of something else."""
    return word.number < 0 and word.rarity >= RARE


def features(views: Views, seen: Look, order: Sequence[Row], near: Near | None = None) -> tuple[float, ...]:
    """`LEXICAL` of a question and its ranking, or `SEMANTIC` where vectors took part. Each is 0 to 1, but `lean` -2 to 2.

    several: a name of several words is used; strength: what the best text is worth, in rare words; held: how much of what it could
    be worth; lean: how much more the corpus than everyday speech uses the words beside the name; rare: a name of one word is rare in
    everyday speech; everyday: a name that is one everyday word makes up so much of the question, if it is prominent in it; loose:
    such a name leaves so much of it unexplained; left: the share of the question that the first units leave unexplained; strange:
    the share of rare words that no unit holds; near: the best cosine; ahead: how far it is above those that follow.
    """
    best = seen.names[0] if seen.names else None
    own = best.own if best else (False,) * len(seen.words)
    common = best is not None and not best.several and best.rarity < RARE and best.share >= PROMINENT
    leans = [word.lean for word, named in zip(seen.words, own, strict=True) if not named and not word.word.isdigit()]
    texts = [explained(views.text, seen.words, row, seen.held) for row in order[:EXPLAINED]]
    texts += [np.array(name.own) for name in seen.names if name.match.row in order[:EXPLAINED]]
    told = np.logical_or.reduce(texts).tolist() if texts else [False] * len(seen.words)
    left = math.fsum(word.weight for word, explains in zip(seen.words, told, strict=True) if not explains)
    found = (
        float(best is not None and best.several),
        min(1.0, seen.best_score / (STRONG * views.text.rarest)),
        min(1.0, seen.best_score / seen.most),
        math.fsum(leans) / len(leans) if leans else NO_LEAN,
        0.0 if best is None or best.several else max(0.0, (best.rarity - RARE) / (1 - RARE)),
        best.share if best is not None and common else 0.0,
        best.left if best is not None and common else 0.0,
        left / seen.total,
        math.fsum(word.weight for word, named in zip(seen.words, own, strict=True) if strange(word) and not named) / seen.total,
    )
    if near is None:
        return found
    cosines = [near.cosines[row] for row in near.rows]
    return (*found, max(0.0, near.best), near.best - math.fsum(cosines) / len(cosines) if cosines else 0.0)
