"""What a question asks for: which relations of the corpus, what is above a concept, what is below it.

A relation is asked for by the words of its own name, or in the ways in which English asks for what the name means. Which meaning
a name has is read from its words too, so that `has component`, `hasPart` and `contains` are one to "What is it made of?". Words
are compared by their stems.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from loom.core.concepts import ANCESTOR, IS_A
from loom.core.retrieval.stem import stem
from loom.core.text import words

NARROWER = -1
"""Stands among relation numbers for the concepts of which a concept is a parent."""

# Words of relations' names that have the meaning; ways to ask for it.
MEANINGS = (
    ("require, need, prerequisite, precondition", "require, need, necessary, prerequisite, precondition, in place, must have"),
    (
        "part, component, ingredient, element, member, contain, consist, compose, include, comprise, made of",
        "part, component, ingredient, element, member, contain, consist, compose, composition, include, comprise, constituent, "
        "made of, made from, made up, make up, built from, inside, what is in, what's in",
    ),
    (
        "part of, component of, ingredient of, element of, member of, belong, contained in, included in",
        "part of, component of, ingredient of, element of, member of, belong, contained in, included in",
    ),
    (
        "enable, allow, permit, facilitate",
        "enable, possible, allow, permit, let, unlock, facilitate, lead to, get out of, good for, open up",
    ),
    (
        "depend, rely, based on",
        "depend, dependency, dependent, rely, reliant, reliance, built on, build on, built upon, based on, rest on, rests upon, "
        "underneath, hinge",
    ),
    ("use, utilise, employ, apply", "use, usage, utilise, employ, apply, work with, run on"),
    ("implement, realise", "implement, implementation, realise, put into practice, carry out"),
    ("support", "support, help, back, aid, assist, contribute"),
    (
        "contrast, differ, different, opposite, disjoint, alternative, distinguish",
        "contrast, differ, different, difference, opposite, oppose, alternative, versus, vs, compare, comparison, distinguish, "
        "unlike, confuse",
    ),
    ("relate, related, associate, connect, link, see also", "relate, related, associate, connect, connection, link, see also"),
    ("bridge", "bridge, connect, connection, link, cross over"),
    ("derive, origin", "derive, origin, originate, come from, source"),
    ("cause, result, produce, output, yield", "cause, result, effect, produce, output, yield, give rise, lead to"),
    ("locate, adjacent, surround, near", "where, locate, location, near, next to, adjacent, border, surround"),
    ("precede, before, follow, after", "precede, before, follow, after, next, previous"),
    ("topic, subject, about", "topic, subject, about, deal with, cover, concern"),
    ("standard, specify, governed", "standard, standardise, spec, specify, specification, norm, defined by, govern"),
    (
        "kind, type of, instance of, subclass, superclass, broader, category",
        "kind, type, sort, class, form of, category, categorise, classify, classification, parent, ancestor, broad, broader, above, "
        "under, file, belong, superclass, supertype, subclass of, subtype of, hypernym, family, taxonomy, generalise, example of, "
        "instance of",
    ),
)
_ABOVE = len(MEANINGS) - 1

# What is below a concept is asked for in the plural; compared as written.
BELOW = (
    "kinds of, types of, sorts of, forms of, classes of, varieties of, variants of, examples of, instances of, kinds are, "
    "types are, sorts are, forms are, examples are, narrower, children, subclasses, subtypes, subcategories, specialisations, "
    "specializations"
)

_PIECE = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+(?![^\W\d_A-Z])")
_SMALL = frozenset("a an and are at by for from has have in is of on the to with".split())

Way = tuple[tuple[str, ...], frozenset[int]]


def asked_for(predicates: tuple[str, ...], question: str) -> frozenset[int]:
    """Numbers of what a question asks for: relations by their place in `predicates`, IS_A and ANCESTOR, NARROWER."""
    written = words(question)
    stems = tuple(map(stem, written))
    ways = _ways(predicates)
    found: set[int] = set()
    for at, first in enumerate(stems):
        for way, numbers in ways.get(first, ()):
            if stems[at : at + len(way)] == way:
                found |= numbers
    if any(tuple(written[at : at + len(way)]) == way for at, word in enumerate(written) for way in _BELOW.get(word, ())):
        found.add(NARROWER)
    return frozenset(found)


def _phrases(text: str) -> Iterator[tuple[str, ...]]:
    return (tuple(words(phrase)) for phrase in text.split(", "))


def _stems(text: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(map(stem, phrase)) for phrase in _phrases(text))


_NAMED = tuple((phrase, meaning) for meaning, (names, _) in enumerate(MEANINGS) for phrase in _stems(names))
_ASKED = tuple(_stems(ways) for _, ways in MEANINGS)
ASKS = frozenset(way[0] for ways in _ASKED for way in ways if len(way) == 1)
"""Stems of the single words that ask for some relation."""

_BELOW: dict[str, list[tuple[str, ...]]] = {}
for _phrase in _phrases(BELOW):
    _BELOW.setdefault(_phrase[0], []).append(_phrase)


@lru_cache(maxsize=64)
def _ways(predicates: tuple[str, ...]) -> Mapping[str, tuple[Way, ...]]:
    """By its first stem, every way of asking, and the numbers that it asks for."""
    numbers: dict[tuple[str, ...], set[int]] = {way: {IS_A, ANCESTOR} for way in _ASKED[_ABOVE]}
    for number, predicate in enumerate(predicates):
        if number > ANCESTOR:
            for way in _ways_of(predicate):
                numbers.setdefault(way, set()).add(number)
    by_first: dict[str, list[Way]] = {}
    for way, asked in numbers.items():
        by_first.setdefault(way[0], []).append((way, frozenset(asked)))
    return {first: tuple(ways) for first, ways in by_first.items()}


def pieces(predicate: str) -> list[str]:
    """The words of a relation's name, folded: `dependsOn`, `depends_on` and `depends on` are depends, on."""
    return [word for piece in _PIECE.findall(predicate) for word in words(piece)] or words(predicate)


def _ways_of(predicate: str) -> Iterator[tuple[str, ...]]:
    """How a relation is asked for: in the ways of what its name means, and by the words of the name that this leaves over."""
    name = tuple(map(stem, pieces(predicate)))
    phrase, meaning = _meaning(name)
    if meaning is not None:
        yield from _ASKED[meaning]
    left = [each for each in name if each not in phrase]
    yield from ((each,) for each in left if each not in _SMALL)


def _meaning(name: tuple[str, ...]) -> tuple[tuple[str, ...], int | None]:
    """The longest phrase with a meaning in a name, the first of those that are equally long."""
    held = [
        (phrase, meaning)
        for phrase, meaning in _NAMED
        if any(name[at : at + len(phrase)] == phrase for at in range(len(name) - len(phrase) + 1))
    ]
    return max(held, key=lambda each: len(each[0]), default=((), None))
