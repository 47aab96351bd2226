"""Units of the `default` policy: one relation a line, what the question asks for first, no target twice, nothing cut inside a line."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from loom.core.concepts import ANCESTOR, Concepts, Links
from loom.core.matching.default import plain_words
from loom.core.mint.make import make
from loom.core.mint.neutral import neutral, neutral_name, neutral_sentence
from loom.core.mint.reference import Line, heading
from loom.core.text import slug_of, truncate
from loom.core.values import Candidate, Evidence, Row

DEFINITION, NEIGHBOUR_TEXT, PROSE_TEXT = 420, 160, 1200
PARENTS, ANCESTORS, TARGETS, ASKED_TARGETS, NEIGHBOURS = 6, 8, 6, 40, 2

_CAMEL = re.compile(r"[a-z]+|[A-Z][a-z]*|\d+")
_SMALL = frozenset("by for from has in is of on the to with".split())
_ENDINGS = frozenset(("", "d", "e", "s", "ed", "es", "ing"))
_KINSHIP = frozenset("ancestor broader category class kind parent sort subclass superclass supertype taxonomy type".split())


def mint(
    concepts: Concepts, admitted: Sequence[tuple[Row, Candidate]], question: str, *, hops: int, prose: bool
) -> tuple[Evidence, ...]:
    """One unit an admitted row, in the order given."""
    asking = frozenset(plain_words(question))
    asked = asked_for(concepts.predicates, asking)
    seeds = {row for row, _ in admitted}
    return tuple(
        _unit(concepts, row, candidate, asked, seeds, first=at == 0 and hops >= 1, prose=prose, kinship=bool(asking & _KINSHIP))
        for at, (row, candidate) in enumerate(admitted)
    )


@lru_cache(maxsize=64)
def _stems(predicates: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """(beginning, predicate) for the words of relation names that carry meaning, each cut to what its inflections share."""
    return tuple(
        (_stem(word), kind)
        for kind, predicate in enumerate(predicates)
        for word in (_CAMEL.findall(predicate) if kind > ANCESTOR else ())
        if word.lower() not in _SMALL
    )


def _stem(word: str) -> str:
    stem = word.lower().rstrip("s")[:6]
    if stem.endswith("ed") and len(stem) > 3:
        return stem[:-2]
    return stem.removesuffix("e") if len(stem) > 4 else stem


def asked_for(predicates: tuple[str, ...], asking: Iterable[str]) -> frozenset[int]:
    """The relations that the question asks for: some word of it is an inflection of a word of the relation's name."""
    return frozenset().union(*(_asked_by(predicates, word) for word in asking))


@lru_cache(maxsize=8_192)
def _asked_by(predicates: tuple[str, ...], word: str) -> frozenset[int]:
    return frozenset(
        kind
        for stem, kind in _stems(predicates)
        if word.startswith(stem) and len(word) > 2 and (len(stem) > 3 or word.removeprefix(stem) in _ENDINGS)
    )


def _unit(
    concepts: Concepts,
    row: Row,
    candidate: Candidate,
    asked: frozenset[int],
    seeds: set[Row],
    *,
    first: bool,
    prose: bool,
    kinship: bool,
) -> Evidence:
    sketch = concepts.remembered(row, _sketch)
    lines = [*sketch.head, *(_taxonomy(concepts, sketch.links, kinship=True) if kinship else sketch.taxonomy)]
    lines += [
        line if len(targets) <= TARGETS else _relation(concepts, kind, targets, wanted=True)
        for line, (kind, targets) in zip(sketch.relations, sketch.links.relations, strict=True)
        if kind in asked
    ]
    lines += [line for line, (kind, _) in zip(sketch.relations, sketch.links.relations, strict=True) if kind not in asked]
    if first:
        lines += _neighbours(concepts, sketch.links, asked, seeds)
    if prose:
        lines += _prose(concepts, row)
    return make(
        iri=candidate.iri, title=sketch.title, lines=lines, home=candidate.home, weight=candidate.score, found=candidate
    )


@dataclass(frozen=True, slots=True)
class Sketch:
    """What the unit of a row shows whatever the question: heading and definition, taxonomy, and a line a relation."""

    title: str
    links: Links
    head: tuple[Line, ...]
    taxonomy: tuple[Line, ...]
    relations: tuple[Line, ...]


def _sketch(concepts: Concepts, row: Row) -> Sketch:
    record = concepts.record(row)
    links = concepts.links(row)
    title = neutral_name(record["title"])
    head: list[Line] = [(neutral(heading(record)), (title,))]
    definition = neutral_sentence(record.get("full") or record.get("definition", ""))
    if definition:
        head.append((truncate(definition, DEFINITION), ()))
    return Sketch(
        title,
        links,
        tuple(head),
        tuple(_taxonomy(concepts, links, kinship=False)),
        tuple(_relation(concepts, kind, targets, wanted=False) for kind, targets in links.relations),
    )


def _prose(concepts: Concepts, row: Row) -> list[Line]:
    text = concepts.record(row).get("prose")
    return [(f"prose: {truncate(neutral_sentence(text), PROSE_TEXT)}", ())] if text else []


def _titles(concepts: Concepts, targets: Iterable[int], most: int) -> list[str]:
    """The first `most` names of targets, none of them twice, be it one target or two that read alike."""
    found: dict[str, None] = {}
    for target in targets:
        if len(found) == most:
            break
        found[neutral_name(concepts.title(target)) or neutral_name(slug_of(concepts.iri(target)))] = None
    return list(found)


def _taxonomy(concepts: Concepts, links: Links, *, kinship: bool) -> list[Line]:
    lines: list[Line] = []
    for name, targets, most in (("is-a", links.parents, PARENTS), ("ancestors", links.ancestors, ANCESTORS)):
        titles = _titles(concepts, targets, ASKED_TARGETS if kinship else most)
        if titles:
            lines.append((f"{name}: {', '.join(titles)}", titles))
    return lines


def _relation(concepts: Concepts, kind: int, targets: Sequence[int], *, wanted: bool) -> Line:
    titles = _titles(concepts, targets, ASKED_TARGETS if wanted else TARGETS)
    return f"{neutral_sentence(concepts.predicates[kind])}: {', '.join(titles)}", titles


def _neighbours(concepts: Concepts, links: Links, asked: frozenset[int], seeds: set[Row]) -> list[Line]:
    """Definitions of the first targets, those of the relation that was asked for before others."""
    order = sorted(links.relations, key=lambda relation: relation[0] not in asked)
    lines: list[Line] = []
    for target in dict.fromkeys(target for _, targets in order for target in targets):
        if target in seeds or target >= concepts.count:
            continue
        lines += concepts.remembered(target, _as_neighbour)
        if len(lines) == NEIGHBOURS:
            break
    return lines


def _as_neighbour(concepts: Concepts, row: Row) -> tuple[Line, ...]:
    """The line of a row beside another's unit; none where it has no definition."""
    record = concepts.record(row)
    text = neutral_sentence(record.get("definition", ""))
    title = neutral_name(record["title"])
    return ((f"- {title}: {truncate(text, NEIGHBOUR_TEXT)}", (title,)),) if text else ()
