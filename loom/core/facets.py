"""By which values of a few fields concepts can be told apart, and which words their definitions hold: what search narrows by and
looks into beside names.

Rows are those of `Concepts`. Deprecated concepts have neither values nor words. Files:

    values.json                     {field: [value, …]}, sorted; number 0 is "", which stands for nothing
    domain.npy maturity.npy source.npy   u32, one a row: the number of its value
    words.txt words.off.npy         distinct words of definitions between line feeds, sorted; u64
    words.ptr.npy words.row.npy     u64 word -> i32 rows, ascending
"""

import json
from collections.abc import Sequence
from typing import ClassVar, Self

import numpy as np

from loom.core.concepts import canonical
from loom.core.generation import PartFiles
from loom.core.names import Sorted, between_lines
from loom.core.text import words
from loom.core.values import Concept

FIELDS = ("domain", "maturity", "source")
LONGEST_WORD = 64


def source_of(concept: Concept) -> str:
    """Where a concept comes from, coarsely: the topmost folder of a page, the file of anything else."""
    file = concept.where.file
    if not file.lower().endswith((".md", ".markdown")):
        return file
    return file.split("/", 1)[0] if "/" in file else ""


def press(concepts: Sequence[Concept]) -> dict[str, bytes | np.ndarray]:
    """The files of the part. Concepts come in any order."""
    ordered = sorted(concepts, key=lambda concept: concept.iri)
    files: dict[str, bytes | np.ndarray] = {}
    values: dict[str, list[str]] = {}
    for field, value in (
        ("domain", lambda one: one.domain),
        ("maturity", lambda one: one.maturity),
        ("source", source_of),
    ):
        column = ["" if one.deprecated else value(one).encode("utf-8", "replace").decode() for one in ordered]
        values[field] = sorted({"", *column})
        number = {text: at for at, text in enumerate(values[field])}
        files[f"{field}.npy"] = np.array([number[text] for text in column], np.uint32)
    files["values.json"] = canonical(values).encode()
    return files | _words(ordered)


def _words(ordered: Sequence[Concept]) -> dict[str, bytes | np.ndarray]:
    holding: dict[str, list[int]] = {}
    for row, concept in enumerate(ordered):
        if not concept.deprecated:
            for word in set(words(concept.full or concept.definition)):
                if len(word) <= LONGEST_WORD:
                    holding.setdefault(word, []).append(row)
    vocabulary = {word.encode("utf-8", "replace").decode(): rows for word, rows in holding.items()}
    known = sorted(vocabulary)
    text, offsets = between_lines(known)
    sizes = [len(vocabulary[word]) for word in known]
    return {
        "words.txt": text,
        "words.off.npy": offsets,
        "words.ptr.npy": np.cumsum([0, *sizes], dtype=np.uint64),
        "words.row.npy": np.array([row for word in known for row in vocabulary[word]], np.int32),
    }


class Facets:
    """Values of fields by row, and rows by word of their definitions."""

    KIND: ClassVar[str] = "facets"

    def __init__(self, files: PartFiles) -> None:
        self.values: dict[str, list[str]] = json.loads(bytes(files.blob("values.json")))
        self.columns = {field: files.array(f"{field}.npy") for field in FIELDS}
        self.words = Sorted(files.blob("words.txt"), files.array("words.off.npy"))
        self._pointers = files.array("words.ptr.npy")
        self._rows = files.array("words.row.npy")
        self.count = len(self.columns["domain"])

    @classmethod
    def open(cls, files: PartFiles) -> Self:
        return cls(files)

    def defined_with(self, word: bytes) -> np.ndarray:
        """Rows whose definition holds a word, ascending."""
        at = self.words.first(word)
        if at >= len(self.words) or self.words[at] != word:
            return np.zeros(0, np.int32)
        rows: np.ndarray = self._rows[int(self._pointers[at]) : int(self._pointers[at + 1])]
        return rows

    def with_values(self, field: str, wanted: Sequence[str]) -> np.ndarray:
        """For each row, whether its value of a field is one of those wanted; "" wants rows that have none."""
        numbers = [at for at, value in enumerate(self.values[field]) if value in wanted]
        chosen: np.ndarray = np.isin(self.columns[field], numbers)
        return chosen

    def counts(self, field: str, rows: np.ndarray) -> list[tuple[str, int]]:
        """Values of a field among rows with how often each is there, most first; rows without a value are not counted."""
        found = np.bincount(self.columns[field][rows], minlength=len(self.values[field])).tolist()
        pairs = [(value, count) for value, count in zip(self.values[field], found, strict=True) if value and count]
        return sorted(pairs, key=lambda pair: (-pair[1], pair[0]))
