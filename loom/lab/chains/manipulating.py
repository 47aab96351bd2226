"""Manipulations of a page: each changes the right answer, or takes away what a model may know of it, and leaves the rest alone."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from random import Random

from loom.lab.chains.naming import names_any
from loom.lab.chains.unit import Page, Unit


def swapped(page: Page, one: str, other: str, label: str) -> Page:
    """The edge swap: two units exchange what they state by a relation. The page shows the same names at the same length."""
    stated = {unit.iri: unit.stated(label) or () for unit in page}
    given = {one: stated[other], other: stated[one]}
    return tuple(unit.stating(label, given[unit.iri]) if unit.iri in given else unit for unit in page)


def turned(page: Page, middle: str, before: str, label: str) -> Page:
    """The reversal: of E –r2→ B –r2→ C both edges are turned round, so that the page says C –r2→ B –r2→ E.

    `middle` is the unit of B, which states C alone, `before` that of E, which states B: the names of E and C change places, and
    the page keeps its names and its length.
    """
    units = {unit.iri: unit for unit in page}
    (end,), begin = units[middle].stated(label) or ("",), units[before].title
    given = {middle: units[middle].stating(label, [begin]), before: replace(units[before], title=end)}
    return tuple(given.get(unit.iri, unit) for unit in page)


def masked(page: Page, draw: Random) -> Page:
    """Every relation's label is a token that says nothing, the same for the same label, in a drawn order."""
    labels = sorted({line.label for unit in page for line in unit.lines})
    draw.shuffle(labels)
    token = {label: f"relation-{at}" for at, label in enumerate(labels, 1)}
    return tuple(replace(unit, lines=tuple(replace(line, label=token[line.label]) for line in unit.lines)) for unit in page)


def renamed(page: Page, names: Mapping[str, str]) -> Page:
    """Every name that is given another has it wherever it stands. What else a heading says of a concept goes."""
    return tuple(_renamed(unit, names) for unit in page)


def _renamed(unit: Unit, names: Mapping[str, str]) -> Unit:
    lines = (replace(line, names=tuple(names.get(name, name) for name in line.names)) for line in unit.lines)
    return replace(unit, title=names.get(unit.title, unit.title), facets="", lines=tuple(lines))


_FIRST, _NEXT, _VOWELS, _LAST = "bdfgkmprtvz", "bdfgklmnprtvz", "aeiou", "klmnrx"


def unfamiliar(names: Iterable[str], draw: Random, beside: str) -> dict[str, str]:
    """For each name an identifier that is no word: letters that can be read, which hold none of the names and are not in the text `beside`."""
    found: dict[str, str] = {}
    taken = set[str]()
    text = beside.lower()
    known = sorted(set(names))
    for name in known:
        made = _made(draw)
        while made in taken or made.lower() in text or names_any(made, known):
            made = _made(draw)
        taken.add(made)
        found[name] = made
    return found


def _made(draw: Random) -> str:
    """Three syllables and an ending, eight letters together, so that none holds another unless they are the same."""
    syllables = [draw.choice(_FIRST) + draw.choice(_VOWELS), *(draw.choice(_NEXT) + draw.choice(_VOWELS) for _ in range(2))]
    return ("".join(syllables) + draw.choice(_VOWELS) + draw.choice(_LAST)).capitalize()
