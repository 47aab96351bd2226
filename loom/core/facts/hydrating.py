"""What a model may ask for in a first round, and what its reply asks for (seed 003 §6; R26, R28).

A directive is a line `HYDRATE: <file>[@<start>-<end>]`. Files are looked up among declared names and never opened: by path, by the
base's id and path, by file name, title or alias, whatever their case, quotes and spaces. Every reply is read, however malformed: a
file that nobody declares is dropped, a range that is none means the whole file.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from loom.core.directives import asked
from loom.core.facts.inventory import Inventory, inventory_of
from loom.core.facts.labels import Labels
from loom.core.facts.numerals import position_of
from loom.core.facts.same import Same
from loom.core.facts.tokens import folded
from loom.core.facts.values import Attribute, Base, Held, SourceFile
from loom.core.mint.neutral import neutral_name
from loom.core.values import Iri

PREFIX = "HYDRATE:"
MOST = 4
"""Directives of one reply that count."""
READ = 20_000
"""Characters of a reply that are read."""
LISTED = 600
"""Characters of file names that a contract lists."""

_AROUND = "\"'`´«»‹›“”„‟‘’‚*_()[]{}<>,;"
_CITED = re.compile(r"\s*\[?\s*source\s*:\s*", re.IGNORECASE)
_SEVERAL = re.compile(r"[,;]")
_COMMENT = re.compile(r"\s+(?:[-–—(\[#]|//).*")
_UNTIL = re.compile(r"\s*(?:[-–—‐‑−]|\.\.+|…|\bto\b)\s*")
_PLACE = re.compile(
    r"(?P<lead>[^\d:]{0,40}?)\s*(?P<number>\d{1,12}(?:[.,]\d{1,9})?|\d{1,6}(?::\d{1,2}){1,2}(?:[.,]\d{1,6})?)\s*(?P<tail>[^\d:]{0,40})"
)


@dataclass(frozen=True, slots=True)
class Fetch:
    """A file that is asked for: whole (`start` None), at a point (`end` None), or [start, end) of its positions."""

    source: Iri
    start: Decimal | None = None
    end: Decimal | None = None


def fetches(text: str, held: Held, routed: Collection[Iri] = ()) -> tuple[Fetch, ...]:
    """What a reply asks for, in its order, MOST at the most; what is asked for twice counts once. Of a name that files of several
    bases have, those of `routed` bases are meant, where any are."""
    stock, files = inventory_of(held.bases), _files(Same(held.bases))
    found: list[Fetch] = []
    for target in asked(text[:READ], PREFIX):
        for fetch in _read(target, stock, files, frozenset(routed)):
            found = _merged(found, fetch)
        if len(found) >= MOST:
            break
    return tuple(found[:MOST])


def contract_line(stock: Inventory, sources: Sequence[Iri], words: Labels) -> str:
    """What a model is told that it may ask for; `sources` are the files that it may name, as many as fit are listed. "" without any."""
    files = [stock.sources[source] for source in sources]
    often = Counter(file.name for file in stock.sources.values())
    listed: list[str] = []
    room = LISTED
    for file in files:
        name = neutral_name(f"{stock.bases[file.base].id}/{file.name}" if often[file.name] > 1 else file.name)
        room -= len(name) + 2
        if room < 0:
            break
        listed.append(name)
    return words.contract.format(form=f"{PREFIX} <file>@<start>-<end>", names=", ".join(listed)) if listed else ""


def _merged(found: Sequence[Fetch], more: Fetch) -> list[Fetch]:
    """With one more: a file that is asked for whole holds its ranges, and ranges that overlap are one."""
    same = [one for one in found if one.source == more.source]
    if more in same or any(one.start is None for one in same):
        return list(found)
    if more.start is None:
        at = next((place for place, one in enumerate(found) if one.source == more.source), len(found))
        rest = [one for one in found if one.source != more.source]
        return [*rest[:at], more, *rest[at:]]
    for place, one in enumerate(found):
        if one.source != more.source or one.start is None or one.end is None or more.end is None:
            continue
        if one.start <= more.end and more.start <= one.end:
            joined = Fetch(one.source, min(one.start, more.start), max(one.end, more.end))
            return [*found[:place], joined, *found[place + 1 :]]
    return [*found, more]


def _read(target: str, stock: Inventory, files: "_Files", routed: frozenset[Iri]) -> Iterator[Fetch]:
    """One target; where nobody has all of it as a name, its parts between commas."""
    found = list(_one(target, stock, files, routed))
    if not found:
        parts = _SEVERAL.split(target)
        found = [fetch for part in parts for fetch in _one(part, stock, files, routed)] if len(parts) > 1 else []
    yield from found


def _one(target: str, stock: Inventory, files: "_Files", routed: frozenset[Iri]) -> Iterator[Fetch]:
    """A name with or without a range. A name may hold an @ itself: the longest that is declared wins."""
    target = _CITED.sub("", target, count=1) if _CITED.match(target) else target
    for whole in (target, _COMMENT.sub("", target)):
        for cut in (len(whole), *[at for at in range(len(whole) - 1, -1, -1) if whole[at] == "@"][:MOST]):
            sources = files.named(whole[:cut], routed)
            if sources:
                for source in sources:
                    place = _placed(whole[cut + 1 :], stock, stock.sources[source])
                    yield Fetch(source, *place) if place else Fetch(source)
                return


class _Files:
    """The files of all bases by their names. A path outranks a path behind its base's name, and that any other name."""

    def __init__(self, bases: Iterable[Base]) -> None:
        tiers: tuple[dict[str, set[Iri]], ...] = ({}, {}, {}, {})
        for base in bases:
            owners = (base.id, base.title, base.iri, *(alias for _, alias in base.aliases))
            for source in base.sources:
                path = source.name
                tiers[0].setdefault(path, set()).add(source.iri)
                tiers[1].setdefault(_key(path), set()).add(source.iri)
                called = (path.rsplit("/", 1)[-1], source.title, *(alias for _, alias in source.aliases))
                for owner in filter(None, map(_key, owners)):
                    for form in ("{0}/{1}", "{0}:{1}", "{0}{1}", "{1}({0}"):
                        tiers[2].setdefault(form.format(owner, _key(path)), set()).add(source.iri)
                for name in (source.iri, *filter(None, called)):
                    tiers[3].setdefault(_key(name), set()).add(source.iri)
        self._tiers = tuple({name: tuple(sorted(found)) for name, found in tier.items() if name} for tier in tiers)
        self._spoken = self._words(bases)
        self._base = {source.iri: base.iri for base in bases for source in base.sources}

    @staticmethod
    def _words(bases: Iterable[Base]) -> dict[tuple[str, ...], tuple[Iri, ...]]:
        """Names as words, for those that are written with other marks between them."""
        found: dict[tuple[str, ...], set[Iri]] = {}
        for base in bases:
            for source in base.sources:
                for name in (source.name.rsplit("/", 1)[-1], source.title, *(alias for _, alias in source.aliases)):
                    found.setdefault(folded(name), set()).add(source.iri)
        return {words: tuple(sorted(sources)) for words, sources in found.items() if words}

    def named(self, text: str, routed: frozenset[Iri]) -> tuple[Iri, ...]:
        """The files that a name means, those of routed bases alone where any are; () where nobody declares it."""
        stripped = _seen(text).strip()
        bare = stripped.strip(_AROUND + " ")
        owned = _key(bare).replace("[", "(")
        keys = (
            (0, stripped), (0, bare), (1, _key(stripped)), (1, _key(bare)), (2, owned), (3, _key(stripped)), (3, _key(bare)),
            (1, _key(bare.rstrip(".:!"))), (3, _key(bare.rstrip(".:!?"))),
        )  # fmt: skip
        found = next((sources for tier, key in keys if (sources := self._tiers[tier].get(key))), ())
        if not found and "/" not in bare and "\\" not in bare:
            found = self._spoken.get(folded(bare), ())
        return tuple(source for source in found if self._base[source] in routed) or found


@lru_cache(maxsize=8)
def _files(same: Same) -> _Files:
    return _Files(same.bases)


def _seen(text: str) -> str:
    """Without what cannot be seen; white space of any kind is a space."""
    if text.isascii() and text.isprintable():
        return text
    kinds = ((letter, unicodedata.category(letter)) for letter in text)
    return "".join(
        " " if kind[0] == "Z" or letter.isspace() else letter for letter, kind in kinds if kind[0] != "C" or letter.isspace()
    )


def _key(name: str) -> str:
    """A name as it is compared: case-folded, without spaces, folders parted by a slash."""
    seen = _seen(unicodedata.normalize("NFKC", name)).casefold().replace("\\", "/")
    return "".join(seen.split()).removeprefix("./")


def _placed(text: str, stock: Inventory, file: SourceFile) -> tuple[Decimal, Decimal | None] | None:
    """The range that a text is in units of a file's attribute, or a point of it; None where it is neither.

    Where an attribute has no unit, and so counts whole things, a range reaches up to the end of the last.
    """
    attribute = stock.attributes.get((file.base, file.attribute))
    pieces = [piece.strip(_AROUND + " ") for piece in _UNTIL.split(_seen(text).strip())]
    if not 1 <= len(pieces) <= 2:
        return None
    read = [found for piece in pieces if (found := _PLACE.fullmatch(piece))]
    if len(read) != len(pieces):
        return None
    said = [_factor(attribute, found["lead"], found["tail"]) for found in read]
    spoken = [factor for factor in said if factor is not None]
    if any(factor is None and (found["lead"] or found["tail"]).strip() for factor, found in zip(said, read, strict=True)):
        return None
    numbers = [position_of(found["number"].replace(",", "."), clock=bool(attribute and attribute.clock)) for found in read]
    if any(number is None for number in numbers):
        return None
    alike = spoken[0] if spoken else Decimal(1)
    start, *rest = (
        number * (Decimal(1) if ":" in found["number"] else factor or alike)
        for number, factor, found in zip(numbers, said, read, strict=True)
        if number is not None
    )
    if not rest or (rest[0] == start and attribute and attribute.unit):
        return start, None
    end = rest[0] + (Decimal(0) if attribute and attribute.unit else alike)
    return (start, end) if start < end else None


def _factor(attribute: Attribute | None, *said: str) -> Decimal | None:
    """How many units a declared word beside a number stands for; None where no word is said, or one that is not declared."""
    word = next((key for text in said if (key := folded(text))), ())
    if attribute is None or not word:
        return None
    known = {folded(name): factor for name, factor in (*attribute.words, (attribute.unit, "1"), (attribute.name, "1")) if name}
    return position_of(known[word]) if word in known else None
