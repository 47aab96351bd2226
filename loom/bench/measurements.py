"""Everything that can be measured, by name, in the order in which it is run."""

from collections.abc import Callable, Mapping

from loom.bench.building import build
from loom.bench.conversations import conversations
from loom.bench.facts import facts
from loom.bench.figures import Figure
from loom.bench.index import index
from loom.bench.lab import lab
from loom.bench.matching import match, scaffold
from loom.bench.overhead import overhead
from loom.bench.setup import Setup
from loom.bench.sparql import sparql
from loom.bench.starting import memory, start
from loom.bench.swap import swap
from loom.bench.throughput import throughput

MEASUREMENTS: Mapping[str, Callable[[Setup], list[Figure]]] = {
    "match": match,
    "scaffold": scaffold,
    "overhead": overhead,
    "throughput": throughput,
    "start": start,
    "memory": memory,
    "build": build,
    "swap": swap,
    "sparql": sparql,
    "index": index,
    "lab": lab,
    "facts": facts,
    "conversations": conversations,
}
ALONE = frozenset(("facts", "conversations"))
"""Measurements that make what they measure, and need no generation."""
