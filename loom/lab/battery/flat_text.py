"""Retrieval without facts, positions or outlines: chunks of the files of a route, by words or by meaning (seed 003 §8.2).

A chunk is whole lines of one file under its title and citation, and of a table under its column names too: a baseline that lacked
them would lose for want of content. The route is that of the full context; where that has none, every file counts.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from loom.core.facts.citing import cite
from loom.core.facts.likeness import DIGITS, Findable, Likeness
from loom.core.facts.values import Base
from loom.core.mint.make import make
from loom.core.mint.neutral import neutral_name, neutral_sentence
from loom.core.policy.packing import NOTHING
from loom.core.values import Block, Candidate, Evidence, Iri
from loom.lab.arms.fitting import fitted
from loom.lab.battery.arm import MEANING

LONGEST = 600
"""Code points of a chunk; a longer line is one of its own."""
TABLES = (".csv", ".tsv")

Embed = Callable[[Sequence[str]], np.ndarray]


@dataclass(frozen=True, slots=True)
class Chunk:
    base: Iri
    source: Iri
    at: int
    title: str
    lines: tuple[str, ...]

    @property
    def iri(self) -> Iri:
        return f"{self.source}#chunk={self.at:04d}"

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


class FlatText:
    """The files of a corpus in chunks. `texts` are theirs by base and path; `embed` gives a row of numbers a text."""

    def __init__(self, bases: Sequence[Base], texts: Mapping[str, str], embed: Embed | None = None) -> None:
        self._chunks = {chunk.iri: chunk for base in bases for chunk in _of_base(base, texts)}
        self._words = Likeness([Findable(one.iri, one.base, one.source, one.text) for one in self._chunks.values()])
        self._embed = embed
        self._vectors = _even(embed([one.text for one in self._chunks.values()])) if embed and self._chunks else None

    def block(self, prompt: str, route: frozenset[Iri], tokens: int, ranked: str) -> Block:
        """The best chunks in so many tokens, in the order of their rank."""
        open_to = frozenset(one.source for one in self._chunks.values() if not route or one.base in route)
        found = self._by_meaning(prompt, open_to) if ranked == MEANING else self._by_words(prompt, open_to)
        return fitted((_evidence(self._chunks[iri], ranked) for iri in found), tokens) if tokens else NOTHING

    def _by_words(self, prompt: str, open_to: frozenset[Iri]) -> list[Iri]:
        return [iri for iri, _ in self._words.search([prompt], len(self._chunks), open_to)]

    def _by_meaning(self, prompt: str, open_to: frozenset[Iri]) -> list[Iri]:
        assert self._embed is not None and self._vectors is not None, "an arm by vectors runs only where there is an embedder"
        likeness = np.rint((self._vectors @ _even(self._embed([prompt]))[0]) * 10**DIGITS).tolist()
        ranked = sorted(zip(likeness, self._chunks.values(), strict=True), key=lambda one: (-one[0], one[1].iri))
        return [chunk.iri for _, chunk in ranked if chunk.source in open_to]


def _of_base(base: Base, texts: Mapping[str, str]) -> Iterator[Chunk]:
    for source in base.sources:
        lines = [line for line in texts.get(f"{base.id}/{source.name}", "").splitlines() if line.strip()]
        columns = lines[:1] if source.name.endswith(TABLES) else []
        title = neutral_name(source.title or source.name)
        head = (f"{title} {cite(neutral_name(source.name))}", *columns)
        for at, piece in enumerate(_pieces(lines[len(columns) :], LONGEST - sum(map(len, head)))):
            shown = tuple(neutral_sentence(line) for line in (*head, *piece))
            yield Chunk(base.iri, source.iri, at, title, shown)


def _pieces(lines: Sequence[str], most: int) -> Iterator[list[str]]:
    kept: list[str] = []
    size = 0
    for line in lines:
        if kept and size + len(line) > most:
            yield kept
            kept, size = [], 0
        kept.append(line)
        size += len(line) + 1
    if kept:
        yield kept


def _even(vectors: np.ndarray) -> np.ndarray:
    """Rows of length 1."""
    found = np.asarray(vectors, dtype=np.float64)
    even: np.ndarray = found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-12)
    return even


def _evidence(chunk: Chunk, ranked: str) -> Evidence:
    return make(
        iri=chunk.iri,
        title=chunk.title,
        lines=[(line, ()) for line in chunk.lines],
        home=chunk.source,
        found=Candidate(chunk.iri, 1.0, f"flat-{ranked}", f"chunk {chunk.at}", chunk.source),
    )
