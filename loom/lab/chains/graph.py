"""The relations of a generation, held for mining: what follows directly, what follows from that, who points at whom."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from loom.core.concepts import ANCESTOR, Concepts, Links
from loom.core.mint.neutral import neutral_name
from loom.core.values import Row

KEPT = 16


@dataclass(frozen=True)
class Graph:
    """Every row's links, read once (a few microseconds a row)."""

    concepts: Concepts
    links: tuple[Links, ...]

    @classmethod
    def of(cls, concepts: Concepts) -> "Graph":
        return cls(concepts, tuple(map(concepts.links, range(concepts.count))))

    def name(self, row: int) -> str:
        """As blocks show it."""
        return neutral_name(self.concepts.title(row))

    def related(self, row: int) -> Mapping[int, tuple[int, ...]]:
        """By relation, what a row points at; nothing for a stranger."""
        return dict(self.links[row].relations) if row < len(self.links) else {}

    def leads_to(self, row: Row) -> frozenset[int]:
        """All that one edge leads to, asserted or inferred: what stands above a row, what it or anything above it is related to,
        and what stands above that (A ⊑ ∃r.C and C ⊑ D entail A ⊑ ∃r.D)."""
        own = self._above(row)
        near = {target for each in (row, *own) for targets in self.related(each).values() for target in targets}
        return frozenset(own).union(near, *(self._above(target) for target in near))

    def _above(self, row: int) -> tuple[int, ...]:
        return (*self.links[row].parents, *self.links[row].ancestors) if row < len(self.links) else ()

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """Relations by name."""
        return {name: number for number, name in enumerate(self.concepts.predicates) if number > ANCESTOR}

    @cached_property
    def stating(self) -> Mapping[int, tuple[Row, ...]]:
        """By relation, the rows that state it, in order."""
        found: dict[int, list[Row]] = {}
        for row, links in enumerate(self.links):
            for number, _ in links.relations:
                found.setdefault(number, []).append(row)
        return {number: tuple(rows) for number, rows in found.items()}

    @cached_property
    def into(self) -> Mapping[tuple[int, int], tuple[Row, ...]]:
        """By relation and target, rows that point at the target by it, up to `KEPT`: those that point at nothing else first."""
        found: dict[tuple[int, int], tuple[list[Row], list[Row]]] = {}
        for row, links in enumerate(self.links):
            for number, targets in links.relations:
                for target in targets:
                    alone, beside = found.setdefault((number, target), ([], []))
                    if len(targets) == 1:
                        alone.append(row)
                    elif len(beside) < KEPT:
                        beside.append(row)
        return {key: tuple([*alone, *beside][:KEPT]) for key, (alone, beside) in found.items()}
