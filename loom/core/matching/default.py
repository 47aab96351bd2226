"""The default matcher: Unicode words, whole names, no growth by repetition.

A name counts once however often it occurs, and a name inside a longer one counts for little, so that a pasted document cannot
outscore a question and "Stock" is not what "Stock Pot" asks for. The rest of a score is the share of a title's weight (rare
words weigh more) that the text holds:

    score = 8·min(words, 4) for a name that stands on its own, 2 for one inside a longer name, + 6·share

A name in another shape (see `variants`) counts as the name does, with all of its title, less what makes it second to a name of as
many words that stands as it is written.
"""

import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from loom.core.generation import PartFiles
from loom.core.matching.abbreviations import halves, has_capitals
from loom.core.matching.casing import as_the_name, cased
from loom.core.matching.held import SHORT
from loom.core.matching.lexicon import Entry, Lexicon, press, runs, vocabulary_of
from loom.core.matching.match import Match, best, totals
from loom.core.matching.naming import Naming, Place, as_places, few_numbers, names_in, numbers_of, places_short, written_hash
from loom.core.matching.spelling import form
from loom.core.matching.stopwords import DEFAULT
from loom.core.matching.variants import REACH, Known, Variant, Variants, press_variants
from loom.core.text import words
from loom.core.values import Row

LONGEST_NAME = 24
NAME, INNER, SHARE = 8.0, 2.0, 6.0
COUNTED_WORDS = 4
FLOOR = 3.0

BEHIND = {"joined": 0.0, "stated": 0.5, "abbreviation": 1.0, "typo": 1.5}
"""How far each shape stays behind the name itself."""

_CAPITALS = re.compile(r"\b[A-Z]{2,5}\b")

ASKING = DEFAULT | frozenset(map(form, DEFAULT))


class DefaultLexicon(Lexicon):
    """Adds `name.cased.npy` (u8: whether a name is written in capitals that tell it from a word) and the tables of `variants`."""

    KIND: ClassVar[str] = "lexicon.default"

    def __init__(self, files: PartFiles) -> None:
        super().__init__(files)
        self.asking = frozenset(self.numbers.get(word, -1) + 1 for word in ASKING)
        self.forms = self.name_form.data
        self.cased = files.array("name.cased.npy").data
        self.variants = Variants(files, self)

    def worth(self, words: np.ndarray | int, rows: np.ndarray) -> np.ndarray:
        return np.asarray(SHARE * self.weight[words] / self.scale[rows])


def plain_words(text: str) -> list[str]:
    """The words by which this matcher compares."""
    return [form(word) for word in words(text)]


def press_default(entries: Sequence[Entry]) -> dict[str, bytes | np.ndarray]:
    """The lexicon's files. Titles and further names alike are names, and the long half of a title that gives its
    abbreviation too; several rows may share one."""
    names: dict[tuple[str, ...], dict[Row, int]] = {}
    every: list[tuple[Row, list[str]]] = []
    in_capitals: set[tuple[Row, int]] = set()
    for row, entry in enumerate(entries):
        twice = halves(entry.title)
        for name in (entry.title, *entry.names, *([twice.long] if twice else [])):
            written = words(name)
            key = tuple(map(form, written))
            if len(key) == 1 and key[0] in ASKING and name.isupper():
                key = (_shouted(key[0]),)
            if _can_be_named(key):
                names.setdefault(key, {}).setdefault(row, written_hash(written))
                every.append((row, written))
                if cased(name):
                    in_capitals.add((row, written_hash(written)))
    files = press(entries, plain_words, names=names, weighted=True)
    rows, forms = np.asarray(files["name.row.npy"]).tolist(), np.asarray(files["name.form.npy"]).tolist()
    files["name.cased.npy"] = np.array([pair in in_capitals for pair in zip(rows, forms, strict=True)], dtype=np.uint8)
    return files | press_variants(entries, every, vocabulary_of(files))


def _shouted(word: str) -> str:
    """An everyday word that is a name only in capitals ("IT", "DID"), as the lexicon keeps it."""
    return f"^{word}"


def _can_be_named(key: Sequence[str]) -> bool:
    if not key or len(key) > LONGEST_NAME or all(word in ASKING for word in key):
        return False
    return len(key) > 1 or len(key[0]) > 1 or not key[0].isascii()


def search(lexicon: Lexicon, quality: np.ndarray, text: str, limit: int, known: Known | None = None) -> list[Match]:
    """The best `limit` rows for a text, best first. `known` says of a folded word whether it is an everyday one: such words are
    not taken for slips, and others for abbreviations even in small letters."""
    if not isinstance(lexicon, DefaultLexicon):
        raise TypeError(f"The default matcher was given a {lexicon.KIND}; give it a {DefaultLexicon.KIND}.")
    found = words(text)
    if not found:
        return []
    if lexicon.held is not None and len(found) <= SHORT:
        numbers = few_numbers(lexicon, found)
        places = places_short(lexicon, lexicon.held, found, numbers)
    else:
        every = numbers_of(lexicon, found)
        numbers = every.tolist()
        names = names_in(lexicon, found, every)
        places = _outstanding(lexicon, names) if len(found) > REACH else as_places(names)
    variants: Mapping[Row, Variant] = {}
    capitals = has_capitals(text)
    shouted = _in_capitals(lexicon, text) if capitals else {}
    shaped = lexicon.variants.find(text, found, numbers, known, capitals) if len(found) <= REACH else []
    if shaped:
        real = frozenset(shouted.values())
        shaped = [
            each for each in shaped if found[each.start] not in real and not _within(each, places) and not _second(each, shaped)
        ]
        places = _inside(places, shaped)
    named, where = _worth_of_places(lexicon, places)
    if shaped:
        variants = _best_shapes(shaped, named)
    named |= dict.fromkeys(shouted, NAME)
    terms = [number - 1 for number in dict.fromkeys(numbers) if number and number not in lexicon.asking]
    holding, shares = lexicon.postings(terms)
    addressed = np.concatenate([np.array(list(named), dtype=np.int64), *holding])
    worth = np.concatenate([np.array(list(named.values()), dtype=np.float64), *shares])
    rows, scores = totals(addressed, worth, lexicon.count, FLOOR)
    for row, shape in variants.items():
        at = int(rows.searchsorted(row))
        scores[at] = _worth_of_shape(shape) + SHARE
    matches = []
    for row, score in best(rows, scores, quality, limit):
        name = named.get(row, 0.0)
        if row in variants:
            matches.append(_in_shape(text, found, variants[row], score))
        elif name < NAME:
            matches.append(Match(row, score, False, min(1.0, (score - name) / SHARE)))
        elif row in shouted:
            matches.append(_as_shouted(found, row, score, shouted[row]))
        else:
            matches.append(_as_named(lexicon, text, found, score, name, row, where[row]))
    return matches


def _as_named(
    lexicon: DefaultLexicon, text: str, written: Sequence[str], score: float, name: float, row: Row, place: Place
) -> Match:
    entry, start, n, _ = place
    how = "name" if lexicon.forms[entry] == written_hash(written[start : start + n]) else "spelling"
    case = as_the_name(text, written, start, n) if lexicon.cased[entry] else 0
    return Match(row, score, True, min(1.0, (score - name) / SHARE), how, n, start, n, case)


def _in_shape(text: str, written: Sequence[str], shape: Variant, score: float) -> Match:
    case = as_the_name(text, written, shape.start, shape.covered) if shape.how == "abbreviation" else 0
    return Match(shape.row, score, True, 1.0, shape.how, shape.words, shape.start, shape.covered, case, shape.shared)


def _as_shouted(written: Sequence[str], row: Row, score: float, word: str) -> Match:
    share = max(0.0, min(1.0, (score - NAME) / SHARE))
    return Match(row, score, True, share, "name", 1, written.index(word), 1, 1)


def _within(shape: Variant, names: Sequence[Place]) -> bool:
    """Whether a name as it stands holds every word of one in another shape."""
    end = shape.start + shape.covered
    return any(start <= shape.start and end <= start + n for _, start, n, _ in names)


def _second(shape: Variant, shaped: Sequence[Variant]) -> bool:
    """Whether a longer name in another shape holds every word of one."""
    end = shape.start + shape.covered
    return any(
        each.start <= shape.start and end <= each.start + each.covered and shape.covered < each.covered for each in shaped
    )


def _inside(names: Sequence[Place], shaped: Sequence[Variant]) -> list[Place]:
    """The names, each inside also where a longer one in another shape covers it."""
    return [
        (
            entry,
            start,
            n,
            inner
            or any(each.start <= start and start + n <= each.start + each.covered and n < each.covered for each in shaped),
        )
        for entry, start, n, inner in names
    ]


def _best_shapes(shaped: Sequence[Variant], named: dict[Row, float]) -> dict[Row, Variant]:
    """Of each row the shape that is worth most, where its name as it is written is not; `named` takes what it is worth."""
    chosen: dict[Row, Variant] = {}
    for shape in shaped:
        worth = _worth_of_shape(shape)
        if worth > named.get(shape.row, 0.0):
            named[shape.row] = worth
            chosen[shape.row] = shape
    return chosen


def _worth_of_shape(shape: Variant) -> float:
    counted = 2 if shape.how == "abbreviation" else max(shape.words, shape.covered)
    return NAME * min(counted, COUNTED_WORDS) - BEHIND["stated" if shape.stated else shape.how]


def _in_capitals(lexicon: Lexicon, text: str) -> dict[Row, str]:
    """The rows that everyday words name which the text writes in capitals, and those words, folded."""
    acronyms = [found.lower() for found in dict.fromkeys(_CAPITALS.findall(text)) if found.lower() in DEFAULT]
    if not acronyms:
        return {}
    spans = lexicon.names_in(lexicon.number(mark for word in acronyms for mark in (_shouted(word), "")))
    sizes = spans.last - spans.first
    meant = lexicon.name_row[runs(spans.first, sizes)].tolist()
    return {row: acronyms[at // 2] for row, at in zip(meant, np.repeat(spans.start, sizes).tolist(), strict=True)}


def _outstanding(lexicon: Lexicon, names: Naming) -> list[Place]:
    """Of each row the first of the places that are worth most: what counts of a long text."""
    worth = np.where(names.inner, INNER, NAME * np.minimum(names.words, COUNTED_WORDS))
    order = np.lexsort((names.start, -worth))
    _, first = np.unique(lexicon.name_row[names.entries[order]], return_index=True)
    return as_places(Naming(*(array[order[first]] for array in names)))


def _worth_of_places(lexicon: Lexicon, places: Sequence[Place]) -> tuple[dict[Row, float], dict[Row, Place]]:
    """What each named row is worth, by its longest name that no longer name covers, else as an inner name; and where that is."""
    rows = lexicon.name_row if lexicon.held is None else lexicon.held.rows
    named: dict[Row, float] = {}
    where: dict[Row, Place] = {}
    for place in places:
        entry, _, n, inner = place
        row = int(rows[entry])
        worth = INNER if inner else NAME * min(n, COUNTED_WORDS)
        if worth > named.get(row, 0.0):
            named[row] = worth
            where[row] = place
    return named, where
