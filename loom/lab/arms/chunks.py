"""What a generation says, as plain text in pieces: what retrieval without a graph has to work with.

Everything that a unit can show is in it, relations too, but as sentences: a baseline that lacked them would lose for want of
content rather than of structure.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from loom.core.concepts import Concepts
from loom.core.mint.neutral import neutral_name, neutral_sentence
from loom.core.retrieval.stem import terms
from loom.core.text import slug_of
from loom.core.values import Row
from loom.lab.arms.fitting import at_word, shown

LONGEST = 600
"""Code points of a chunk: about a hundred words."""
SIZES = (LONGEST, LONGEST // 2)
"""Where a block has no room for two chunks they are halved, so that it holds what answers rather than what comes first."""

_STOP = re.compile(r"(?<=[.!?;。！？])\s+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[-_]+")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of what is known of one concept, beginning with its title; `terms` are those by which it is found, `title` those of
    the title and its aliases."""

    row: Row
    at: int
    text: str
    names: tuple[str, ...]
    terms: tuple[str, ...]
    title: tuple[str, ...]


def size_for(tokens: int) -> int:
    """How long the chunks are of which a block of so many tokens is made."""
    return next((size for size in SIZES if 2 * size <= 4 * tokens), SIZES[-1])


def chunks(concepts: Concepts, row: Row, longest: int = LONGEST) -> tuple[Chunk, ...]:
    """The text of a concept in order; sentences end chunks, and one that is longer than a chunk is cut at words."""
    title = neutral_name(concepts.title(row))
    targets = _targets(concepts, row)
    known = dict.fromkeys((title, *(name for _, names in targets for name in names)))
    texts = list(_packed(title, _sentences(concepts, row, targets), longest))
    called = tuple(word for name in (title, *concepts.record(row).get("aliases", ())) for word in terms(name))
    return tuple(Chunk(row, at, text, shown(text, known), tuple(terms(text)), called) for at, text in enumerate(texts))


@lru_cache(maxsize=512)
def spoken(predicate: str) -> str:
    """The words of a relation's name: `dependsOn` is "depends on"."""
    return " ".join(_CAMEL.sub(" ", predicate).lower().split())


def _targets(concepts: Concepts, row: Row) -> list[tuple[str, tuple[str, ...]]]:
    links = concepts.links(row)
    groups = [("parent concept", links.parents), ("ancestors", links.ancestors)]
    groups += [(spoken(concepts.predicates[number]), targets) for number, targets in links.relations]
    return [(verb, tuple(dict.fromkeys(_name(concepts, target) for target in targets))) for verb, targets in groups if targets]


def _name(concepts: Concepts, target: int) -> str:
    return neutral_name(concepts.title(target)) or neutral_name(slug_of(concepts.iri(target)))


def _sentences(concepts: Concepts, row: Row, targets: Iterable[tuple[str, tuple[str, ...]]]) -> Iterator[str]:
    record = concepts.record(row)
    yield from _STOP.split(neutral_sentence(record.get("full") or record.get("definition", "")))
    if aliases := record.get("aliases"):
        yield f"Also called {_listed(tuple(map(neutral_name, aliases)))}."
    for verb, names in targets:
        yield f"{verb[:1].upper()}{verb[1:]}: {_listed(names)}."
    yield from _STOP.split(neutral_sentence(record.get("prose", "")))


def _listed(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _packed(title: str, sentences: Iterable[str], longest: int) -> Iterator[str]:
    """Sentences together as far as they fit, each piece under the title."""
    text = begun = f"{title}:"
    for sentence in sentences:
        rest = sentence.strip()
        while rest:
            room = longest - len(text) - 1
            if len(rest) > room and text != begun:
                yield text
                text = begun
                continue
            head = at_word(rest, max(room, 80)) or rest[: max(room, 80)]
            text, rest = f"{text} {head}", rest[len(head) :].strip()
    yield text
