"""All that a network holds, in one place: names, graph, sources, disputes, labels, homes and open preconditions."""

from array import array
from dataclasses import dataclass, field

from loom.core.claims.disputes import Disputes
from loom.core.claims.graph import END, Graph, column
from loom.core.claims.homes import Homes
from loom.core.claims.labels import Labels
from loom.core.claims.records import Migration, Precondition
from loom.core.claims.sources import Sources
from loom.core.claims.standing import Standing, readable


@dataclass(slots=True)
class State:
    """`names[number]` is the id of a node, `numbers` the way back. `batch` counts commits."""

    names: list[str] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    graph: Graph = field(default_factory=Graph)
    sources: Sources = field(default_factory=Sources)
    disputes: Disputes = field(default_factory=Disputes)
    labels: Labels = field(default_factory=Labels)
    homes: Homes = field(default_factory=Homes)
    since: "array[int]" = field(default_factory=column)
    """The batch that wrote each node."""
    context: dict[int, tuple[Precondition, ...]] = field(default_factory=dict)
    """Preconditions without evidence, of claims that have any."""
    migrated: dict[int, tuple[Migration, ...]] = field(default_factory=dict)
    """Preconditions that found evidence, by justification."""
    lifted: dict[int, int] = field(default_factory=dict)
    """Lifted claims and the signals that they restate."""
    batch: int = 0

    def readable(self, claim: int) -> bool:
        """Whether a claim may be in an index: it stands, and is not lifted (I11)."""
        return claim not in self.lifted and readable(Standing(self.labels.standing[claim]))

    def add(self, name: str, *, claim: bool, entry: int = END, domains: frozenset[str] = frozenset()) -> int:
        """A node; its label is decided by the change that brings it."""
        self.names.append(name)
        self.numbers[name] = len(self.names) - 1
        self.sources.add_node(entry)
        self.labels.grow()
        self.homes.grow(domains)
        self.since.append(self.batch)
        return self.graph.add_node(claim=claim)
