"""The `concepts` part: records as sorted JSON lines, titles, and the links between rows, mapped rather than loaded.

Rows are concepts in the order of their IRIs. A link target below `count` is a row; above, it is a stranger: something that a
concept refers to and the corpus does not define, known by label only. Files:

    concepts.jsonl  concepts.off.npy   one canonical JSON line a row; u64 offsets, count + 1
    titles.txt      titles.off.npy     titles of rows, then of strangers; u64 offsets
    iris.txt        iris.off.npy       IRIs of rows, then of strangers; u64 offsets
    iri_hash.npy    iri_row.npy        u64 hashes in order, and the i32 row of each
    links.ptr.npy                      u64, count + 1: where the links of a row begin
    links.kind.npy  links.target.npy   u16 index into predicates.txt; i32 row or stranger
    predicates.txt  predicates.off.npy the names; the first two are `is-a` and `ancestor`
    quality.npy                        f64, 0 where a concept states none
"""

import json
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise
from typing import Any, ClassVar, Self, TypeVar

import numpy as np

from loom.core.errors import BadSource
from loom.core.generation import PartFiles
from loom.core.text import slug_of
from loom.core.values import Concept, Iri, Json, Ref, Row

IS_A, ANCESTOR = 0, 1

# The order in which the reference format prints relations; any other follows in code-point order (reference §2.1).
RELATIONS = "hasPart requires enables dependsOn implements uses partOf relatedTo bridgesTo supports standardizedBy contrastsWith".split()
_RANK = {name: rank for rank, name in enumerate(RELATIONS)}

TITLES_KEPT, RECORDS_KEPT, WORKS_KEPT = 32_768, 1_024, 4_096

Decode = Callable[[bytes], Any]
K = TypeVar("K")
V = TypeVar("V")


def remember(memo: dict[K, V], key: K, value: V, most: int) -> V:
    """Keep a value that was just computed; a full memo starts again, which costs less than keeping an order."""
    if len(memo) >= most:
        memo.clear()
    memo[key] = value
    return value


@dataclass(frozen=True, slots=True)
class Links:
    """What a row points at, by predicate index, in printing order; targets are rows or strangers."""

    parents: tuple[int, ...]
    ancestors: tuple[int, ...]
    relations: tuple[tuple[int, tuple[int, ...]], ...]


def relation_order(name: str) -> tuple[int, str]:
    """Sort key of a relation name in the reference format."""
    return (_RANK.get(name, len(RELATIONS)), name)


def iri_hash(iri: Iri) -> int:
    return int.from_bytes(blake2b(iri.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


class Blob:
    """Strings end to end with their offsets; decodes only what is asked for."""

    __slots__ = ("_bytes", "_off")

    def __init__(self, data: memoryview, offsets: np.ndarray) -> None:
        self._bytes = data
        self._off = offsets

    def __len__(self) -> int:
        return len(self._off) - 1

    def bytes(self, index: int) -> bytes:
        start, end = self._off[index : index + 2].tolist()
        return bytes(self._bytes[start:end])

    def text(self, index: int) -> str:
        return self.bytes(index).decode("utf-8")

    def lines(self) -> list[str]:
        """Every string, where each was written with a line end, without it."""
        return bytes(self._bytes).decode("utf-8").split("\n")[:-1]


def blob(texts: Iterable[str]) -> tuple[bytes, np.ndarray]:
    """Encode strings for a `Blob`: the bytes, and the u64 offset at which each begins and the last ends."""
    data, ends = bytearray(), array("Q", [0])
    for text in texts:
        data += text.encode("utf-8")
        ends.append(len(data))
    return bytes(data), np.array(ends, np.uint64)


class Concepts:
    """A mapped view of every concept of a generation."""

    KIND: ClassVar[str] = "concepts"

    def __init__(self, files: PartFiles, decode: Decode = json.loads) -> None:
        self._decode = decode
        self._lines = Blob(files.blob("concepts.jsonl"), files.array("concepts.off.npy"))
        self._titles = Blob(files.blob("titles.txt"), files.array("titles.off.npy"))
        self._iris = Blob(files.blob("iris.txt"), files.array("iris.off.npy"))
        self._hash = files.array("iri_hash.npy")
        self._hash_row = files.array("iri_row.npy")
        self._ptr = files.array("links.ptr.npy")
        self._kind = files.array("links.kind.npy")
        self._target = files.array("links.target.npy")
        predicates = Blob(files.blob("predicates.txt"), files.array("predicates.off.npy"))
        self.predicates = tuple(map(predicates.text, range(len(predicates))))
        self.quality = files.array("quality.npy")
        self.count = len(self._lines)
        self._known_titles: dict[int, str] = {}
        self._known_records: dict[Row, dict[str, Json]] = {}
        self._known_works: dict[tuple[Row, Any], Any] = {}
        self._known_rows: dict[Iri, Row] = {}

    @classmethod
    def open(cls, files: PartFiles) -> Self:
        return cls(files, getattr(files, "decode", json.loads))

    def row(self, iri: Iri) -> Row | None:
        """The row of an IRI, or None where the corpus does not define it."""
        row = self._known_rows.get(iri)
        if row is None and (row := self._find(iri)) is not None:
            remember(self._known_rows, iri, row, WORKS_KEPT)
        return row

    def _find(self, iri: Iri) -> Row | None:
        key = np.uint64(iri_hash(iri))
        at = int(np.searchsorted(self._hash, key))
        while at < len(self._hash) and self._hash[at] == key:
            row = int(self._hash_row[at])
            if self._iris.text(row) == iri:
                return row
            at += 1
        return None

    def iri(self, index: int) -> Iri:
        """IRI of a row or of a stranger."""
        return self._iris.text(index)

    def title(self, index: int) -> str:
        """Title of a row, or label of a stranger (its local name where no source labels it)."""
        title = self._known_titles.get(index)
        if title is None:
            title = remember(self._known_titles, index, self._titles.text(index), TITLES_KEPT)
        return title

    def line(self, row: Row) -> bytes:
        """The canonical JSON of a row, without a line end."""
        return self._lines.bytes(row)[:-1]

    def record(self, row: Row) -> dict[str, Json]:
        """The decoded record of a row; shared, so not to be changed."""
        record = self._known_records.get(row)
        if record is None:
            record = remember(self._known_records, row, self._decode(self.line(row)), RECORDS_KEPT)
        return record

    def remembered(self, row: Row, make: Callable[["Concepts", Row], V]) -> V:
        """What `make` makes of a row, kept for the next time; it must follow from the generation alone, and is shared."""
        work: V | None = self._known_works.get((row, make))
        if work is None:
            work = remember(self._known_works, (row, make), make(self, row), WORKS_KEPT)
        return work

    def lines(self) -> Iterator[bytes]:
        return (self.line(row) for row in range(self.count))

    def links(self, row: Row) -> Links:
        start, end = self._ptr[row : row + 2].tolist()
        parents: list[int] = []
        ancestors: list[int] = []
        relations: dict[int, list[int]] = {}
        for kind, target in zip(self._kind[start:end].tolist(), self._target[start:end].tolist(), strict=True):
            if kind == IS_A:
                parents.append(target)
            elif kind == ANCESTOR:
                ancestors.append(target)
            else:
                relations.setdefault(kind, []).append(target)
        return Links(tuple(parents), tuple(ancestors), tuple((kind, tuple(targets)) for kind, targets in relations.items()))

    def children(self, row: Row) -> list[Row]:
        """The rows of which this one is a parent, in order: one pass over all links, so for the few who ask."""
        at = np.flatnonzero(self._target == row)
        below = np.searchsorted(self._ptr, at[self._kind[at] == IS_A].astype(np.uint64), side="right") - 1
        return [int(child) for child in dict.fromkeys(below.tolist())]


def _text(value: str) -> str:
    """Lone surrogates cannot be written as UTF-8; they become the replacement character."""
    return value.encode("utf-8", "replace").decode("utf-8")


def canonical(value: Json) -> str:
    """Canonical JSON: sorted keys, compact, UTF-8 as itself."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def as_record(concept: Concept, strangers: Mapping[Iri, str]) -> dict[str, Json]:
    """The sealed record of a concept; empty members are left out. `labels` names the strangers that it refers to."""
    refs = [*concept.parents, *(concept.ancestors or ()), *(ref for _, targets in concept.relations for ref in targets)]
    record: dict[str, Json] = {
        "iri": concept.iri,
        "title": concept.title,
        "definition": concept.definition,
        "full": concept.full,
        "prose": concept.prose,
        "aliases": list(concept.aliases),
        "domain": concept.domain,
        "maturity": concept.maturity,
        "quality": concept.quality,
        "parents": [ref.iri for ref in concept.parents],
        "ancestors": [ref.iri for ref in concept.ancestors or ()],
        "relations": {name: [ref.iri for ref in targets] for name, targets in concept.relations if targets},
        "backlinks": list(concept.backlinks),
        "labels": {
            ref.iri: strangers[ref.iri] for ref in refs if ref.iri in strangers and strangers[ref.iri] != slug_of(ref.iri)
        },
        "source": str(concept.where),
        "deprecated": concept.deprecated or None,
        "replaced_by": list(concept.replaced_by),
    }
    return {key: value for key, value in record.items() if value not in ("", [], {}, None)}


def press(concepts: Sequence[Concept]) -> dict[str, bytes | np.ndarray]:
    """The files of the part. Concepts come in any order; two with one IRI raise BadSource."""
    ordered = sorted(concepts, key=lambda concept: concept.iri)
    rows = {concept.iri: row for row, concept in enumerate(ordered)}
    if len(rows) != len(ordered):
        twice = next(a.iri for a, b in pairwise(ordered) if a.iri == b.iri)
        raise BadSource(f"Expected one concept per IRI, but {twice} is defined twice; merge the sources before sealing.")
    strangers = _strangers(ordered, rows)
    numbers = {**rows, **{iri: len(rows) + at for at, iri in enumerate(strangers)}}
    names = sorted({name for concept in ordered for name, _ in concept.relations}, key=relation_order)
    predicates, predicate_off = blob(_text(name) for name in ("is-a", "ancestor", *names))
    number_of = {name: at + 2 for at, name in enumerate(names)}

    ptr, kinds, targets = [0], [], []
    for concept in ordered:
        groups: list[tuple[int, Sequence[Ref]]] = [(IS_A, concept.parents), (ANCESTOR, concept.ancestors or ())]
        groups += [
            (number_of[name], refs) for name, refs in sorted(concept.relations, key=lambda item: relation_order(item[0]))
        ]
        for kind, refs in groups:
            kinds += [kind] * len(refs)
            targets += [numbers[ref.iri] for ref in refs]
        ptr.append(len(kinds))

    lines, line_off = blob(_text(canonical(as_record(concept, strangers))) + "\n" for concept in ordered)
    titles, title_off = blob(_text(text) for text in [*(concept.title for concept in ordered), *strangers.values()])
    iris, iri_off = blob(_text(iri) for iri in [*rows, *strangers])
    hashes = np.array([iri_hash(iri) for iri in rows], dtype=np.uint64)
    order = np.lexsort((np.arange(len(hashes)), hashes))
    return {
        "concepts.jsonl": lines,
        "concepts.off.npy": line_off,
        "titles.txt": titles,
        "titles.off.npy": title_off,
        "iris.txt": iris,
        "iris.off.npy": iri_off,
        "iri_hash.npy": hashes[order],
        "iri_row.npy": order.astype(np.int32),
        "links.ptr.npy": np.array(ptr, dtype=np.uint64),
        "links.kind.npy": np.array(kinds, dtype=np.uint16),
        "links.target.npy": np.array(targets, dtype=np.int32),
        "predicates.txt": predicates,
        "predicates.off.npy": predicate_off,
        "quality.npy": np.array([concept.quality or 0.0 for concept in ordered], dtype=np.float64),
    }


def _strangers(ordered: Sequence[Concept], rows: Mapping[Iri, Row]) -> dict[Iri, str]:
    """IRIs that are referred to and not defined, in order, each with the label used most (ties: the first in order)."""
    labels: dict[Iri, dict[str, int]] = {}
    for concept in ordered:
        for ref in [*concept.parents, *(concept.ancestors or ()), *(ref for _, refs in concept.relations for ref in refs)]:
            if ref.iri not in rows:
                counts = labels.setdefault(ref.iri, {})
                if ref.label:
                    counts[ref.label] = counts.get(ref.label, 0) + 1
    return {
        iri: min(counts, key=lambda label: (-counts[label], label)) if (counts := labels[iri]) else slug_of(iri)
        for iri in sorted(labels)
    }
