"""Units as chains show them: headings and stated edges, in a form in which an edge can be moved.

A unit is what the default policy mints for somebody who asks for the two relations, without its definition: a definition tells
edges in prose, which no manipulation of edges reaches.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from loom.core.mint import unit as default_mint
from loom.core.mint.asked import pieces
from loom.core.mint.make import make
from loom.core.policy.packing import pack_lines
from loom.core.values import Block, Candidate, Evidence, Row
from loom.lab.chains.graph import Graph

Page = tuple["Unit", ...]
"""The units of one context, in the order in which they are shown."""


@dataclass(frozen=True, slots=True)
class Line:
    """`label: names`, and what says that there are more of them ("" where the names are all)."""

    label: str
    names: tuple[str, ...]
    more: str = ""

    @property
    def text(self) -> str:
        return f"{self.label}: {', '.join(self.names)}{self.more}"


@dataclass(frozen=True, slots=True)
class Unit:
    """One section of a block: `## title facets`, then a line for each relation."""

    iri: str
    title: str
    facets: str
    lines: tuple[Line, ...]

    @property
    def text(self) -> str:
        return "\n".join([self.heading, *(line.text for line in self.lines)])

    @property
    def heading(self) -> str:
        return f"## {self.title}{self.facets}"

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that it shows, its own first."""
        return tuple(dict.fromkeys([self.title, *(name for line in self.lines for name in line.names)]))

    def stated(self, label: str) -> tuple[str, ...] | None:
        """The names of a relation where it is stated whole, else None."""
        return next((line.names for line in self.lines if line.label == label and not line.more), None)

    def lists(self, label: str) -> bool:
        return any(line.label == label for line in self.lines)

    def stating(self, label: str, names: Sequence[str]) -> "Unit":
        """The same with other names for a relation."""
        lines = (replace(line, names=tuple(names)) if line.label == label else line for line in self.lines)
        return replace(self, lines=tuple(lines))


def asking(*relations: str) -> str:
    """A question for relations in the words of their names and no others."""
    return ", ".join(" ".join(pieces(name)) for name in relations)


def minted(graph: Graph, row: Row, question: str, *, hops: int = 0) -> Evidence:
    """The unit of a row by itself, as the default policy mints it for a question."""
    candidate = Candidate(graph.concepts.iri(row), 1.0, "chain")
    return default_mint.mint(graph.concepts, [(row, candidate)], question, hops=hops, prose=False)[0]


def unit_of(graph: Graph, row: Row, question: str) -> Unit:
    evidence = minted(graph, row, question)
    heading, lines = evidence.lines[0], zip(evidence.lines[1:], evidence.names[1:], strict=True)
    facets = heading.removeprefix(f"## {evidence.title}") if heading.startswith(f"## {evidence.title}") else ""
    return Unit(evidence.iri, evidence.title, facets, tuple(_line(text, names) for text, names in lines if names))


def _line(text: str, names: tuple[str, ...]) -> Line:
    label, found, more = text.partition(f": {', '.join(names)}")
    return Line(label, names, more) if found else Line(text.partition(": ")[0], names)


def block_of(page: Page, budget: int) -> Block | None:
    """The page as a block; None where the budget does not hold all of it."""
    evidence = [
        make(
            iri=unit.iri,
            title=unit.title,
            lines=[(unit.heading, [unit.title]), *((line.text, line.names) for line in unit.lines)],
            lead=1 + len(unit.lines),
        )
        for unit in page
    ]
    block = pack_lines(evidence, budget)
    return None if block.dropped or any(served.cut for served in block.served) else block


def names_of(pages: Iterable[Page]) -> tuple[str, ...]:
    """Every name that any of the pages shows, in order."""
    return tuple(sorted({name for page in pages for unit in page for name in unit.names}))
