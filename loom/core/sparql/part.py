"""The part `triples` of a generation: what was asserted and what was inferred, as sorted N-Triples, and the corpus' prefixes."""

from typing import ClassVar, Self

from loom.core.generation import PartFiles
from loom.core.sparql.prefixes import known

ASSERTED = "urn:loom:graph:asserted"
INFERRED = "urn:loom:graph:inferred"
CLAIMS = "urn:loom:graph:claims"
"""What claims rest on, where a build was given a store of them."""


class Triples:
    """`files` maps graph names to their N-Triples. A part may hold `graphs.nq` beside them: further named graphs as N-Quads."""

    KIND: ClassVar[str] = "triples"

    def __init__(self, files: PartFiles) -> None:
        self._files = files

    @classmethod
    def open(cls, files: PartFiles) -> Self:
        return cls(files)

    def graph(self, name: str) -> memoryview:
        """The N-Triples of one of the two graphs."""
        return self._files.blob({ASSERTED: "asserted.nt", INFERRED: "inferred.nt"}[name])

    def quads(self) -> memoryview:
        return self._files.blob("graphs.nq")

    def prefixes(self) -> dict[str, str]:
        return known(self._files.blob("prefixes.json"))
