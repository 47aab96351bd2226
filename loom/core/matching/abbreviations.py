"""Abbreviations of titles: stated in parentheses beside the title, or the initials of a title of three words and more.

Initials are taken with and without the small words ("Infrastructure as Code": IaC; "Software Bill of Materials": SBOM), and of the
parts of hyphenated words ("Post-Quantum Cryptography": PQC). Several rows may share one; of these, a text that writes some of its
letters small means those whose small words they are.

The note of an entry is 1 where the abbreviation is stated, and above that one bit for each letter that is written small.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from loom.core.matching.stopwords import DEFAULT
from loom.core.matching.strings import Standing, Stood, Strings
from loom.core.text import words, words_as_written
from loom.core.values import Row

SHORTEST, LONGEST = 2, 10
INITIALS = 3
"""Words of the shortest title whose initials are an abbreviation, and letters of the shortest such abbreviation."""

UNMARKED = 4
"""Letters of the shortest abbreviation that is recognised in small letters: shorter ones are words of some language."""

STATED, LETTERS = 1, 1
"""The bit of a note that says that an abbreviation is stated, and the bits before those of its letters."""

SMALL = frozenset("a an and as at by for from in into of on or over per the to via with".split())

_IN_PARENTHESES = re.compile(r"\(\s*([^\W_][\w.&/-]{0,11})\s*\)")
_TWICE = re.compile(r"\s*([^()]+?)\s*(?:\(\s*([^()]+?)\s*\)|\s[-–—]\s+(\S.*?))\s*$")
FURTHER = 2
"""Words that a definition may add to the title before it gives an abbreviation of both."""

_OPENING = 240
"""Characters of a definition in which an abbreviation of the title is looked for."""

_CAPITALS = re.compile(r"[A-Z][a-z0-9]{0,2}[A-Z]")


class Abbreviated(NamedTuple):
    """An abbreviation found: the row, the word at which it stands, the words of the title, whether it is stated, and how many rows
    share it."""

    row: Row
    start: int
    words: int
    stated: bool
    shared: int


class Halves(NamedTuple):
    """A title that says its name twice: "Retrieval Augmented Generation (RAG)", "NFT (Non-Fungible Token)", "Mixed Reality - MR"."""

    long: str
    short: str


def halves(title: str) -> Halves | None:
    """The two halves of such a title; None for any other."""
    found = _TWICE.match(title)
    if found is None:
        return None
    one, other = found.group(1), found.group(2) or found.group(3)
    for long, short in ((one, other), (other, one)):
        if _is_short(short) and _abbreviates(short, words(long)):
            return Halves(long, short)
    return None


def abbreviations(row: Row, title: str, definition: str) -> list[Standing]:
    """The table's entries for one row."""
    twice = halves(title)
    written = words(twice.long if twice else title)
    stated: list[tuple[str, Sequence[str]]] = [(twice.short, written)] if twice else []
    for each in _IN_PARENTHESES.finditer(definition[:_OPENING]):
        stated += [(each.group(1), written), (each.group(1), _name_before(written, definition[: each.start()]))]
    found: dict[str, int] = {}
    for short, long in stated:
        if _is_short(short) and _abbreviates(short, long):
            short = _plain(short)
            found.setdefault(short.lower(), STATED | _small(short))
    for short in _initials(written):
        found.setdefault(short.lower(), _small(short))
    return [Standing(text, row, len(written), note) for text, note in found.items()]


def _name_before(written: Sequence[str], text: str) -> Sequence[str]:
    """The last words of a text from the title on, where no more than a few follow it: "Distributed ledger technology" of
    Distributed Ledger."""
    before = words(text)[-len(written) - FURTHER :]
    for start in range(len(before) - len(written) + 1):
        if before[start : start + len(written)] == written:
            return before[start:]
    return ()


def _small(short: str) -> int:
    return sum(1 << at for at, letter in enumerate(short) if letter.islower()) << LETTERS


def _initials(written: Sequence[str]) -> Iterable[str]:
    large = [word for word in written if word not in SMALL]
    for chosen in (written, large):
        if len(written) >= INITIALS and all(word.isalnum() for word in chosen):
            letters = (word if word[0].isdigit() else word[0] if word in SMALL else word[0].upper() for word in chosen)
            text = "".join(letters)
            if INITIALS <= len(text) <= LONGEST and text.isascii():
                yield text


def _is_short(text: str) -> bool:
    return SHORTEST <= len(text) <= LONGEST and sum(letter.isupper() for letter in text) >= SHORTEST and " " not in text


def _abbreviates(short: str, written: Sequence[str]) -> bool:
    """Whether a name of these words begins with an abbreviation's first letter and holds the others in order, but not it."""
    plain, letters = _plain(short).lower(), "".join(written)
    if not plain or letters[:1] != plain[0] or plain in written or letters.startswith(plain):
        return False
    rest = iter(letters)
    return all(letter in rest for letter in plain)


def _plain(short: str) -> str:
    """An abbreviation without its points and its plural ending: `SBOMs`."""
    return "".join(words_as_written(_singular(short)))


def _singular(short: str) -> str:
    return short[:-1] if short.endswith("s") and short[:-1].isupper() else short


def has_capitals(text: str) -> bool:
    """Whether some word of a text has two capitals, and not every one of several."""
    return _CAPITALS.search(text) is not None and (not text.isupper() or len(text.split()) == 1)


def abbreviated_in(
    table: Strings,
    text: str,
    written: Sequence[str],
    numbers: Sequence[int],
    known: Callable[[str], bool] | None,
    capitals: bool,
) -> list[Abbreviated]:
    """The abbreviations in a text: what it writes with two capitals and more; and, where `known` tells which words are everyday
    ones, whatever is neither such a word nor, by its number (0), one of a title. `capitals` as `has_capitals` says of the text."""
    places: list[int] = []
    shorts: list[str] = []
    if capitals:
        raw = words_as_written(text)
        if len(raw) == len(written):
            for start, token in enumerate(raw):
                if _CAPITALS.search(token):
                    places.append(start)
                    shorts.append(_singular(token.removesuffix("'s").removesuffix("’s")))
    if known is not None:
        for start, word in enumerate(written):
            if numbers[start] or start in places or word in DEFAULT or not word.isascii():
                continue
            if UNMARKED <= len(word) <= LONGEST and not known(word):
                places.append(start)
                shorts.append(word)
    if not shorts:
        return []
    by_place: dict[int, list[Stood]] = {}
    for each in table.find([short.lower() for short in shorts]):
        by_place.setdefault(each.at, []).append(each)
    return [
        Abbreviated(row, places[at], words, bool(note & STATED), len(meant))
        for at, found in by_place.items()
        for meant in [_meant(found, shorts[at])]
        for _, row, words, note in meant
    ]


def _meant(found: Sequence[Stood], short: str) -> Sequence[Stood]:
    """Those written with the same letters small, where there are such and the text writes letters of either size."""
    small = _small(short)
    if short.islower() or not small:
        return found
    return [each for each in found if each.note & ~STATED == small] or found
