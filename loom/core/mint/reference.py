"""Units in the reference format, byte for byte (reference §5)."""

from collections.abc import Sequence

from loom.core.concepts import Concepts, Links
from loom.core.mint.make import make
from loom.core.text import slug_of, truncate
from loom.core.values import Candidate, Evidence, Json, Row

ANCESTORS, TARGETS, NEIGHBOURS = 5, 3, 2
NEIGHBOUR_TEXT, FULL_TEXT, PROSE_TEXT = 220, 900, 1200
WITH_PROSE = 2

Line = tuple[str, Sequence[str]]


def mint(
    concepts: Concepts, admitted: Sequence[tuple[Row, Candidate]], question: str, *, hops: int, prose: bool
) -> tuple[Evidence, ...]:
    """One unit an admitted row, in the order given. `question` does not matter to this format."""
    seeds = {row for row, _ in admitted}
    return tuple(
        _unit(concepts, row, candidate, seeds, hops=hops, prose=prose and at < WITH_PROSE)
        for at, (row, candidate) in enumerate(admitted)
    )


def _unit(concepts: Concepts, row: Row, candidate: Candidate, seeds: set[Row], *, hops: int, prose: bool) -> Evidence:
    record = concepts.record(row)
    links = concepts.links(row)
    lines: list[Line] = [(heading(record), (record["title"],))]
    full, definition = record.get("full", ""), record.get("definition", "")
    if prose and full:
        lines.append((truncate(full.strip(), FULL_TEXT), ()))
    elif definition:
        lines.append((definition.strip(), ()))
    lines += _taxonomy(concepts, links)
    lines += _relations(concepts, links)
    if hops >= 1:
        lines += _neighbours(concepts, links, seeds)
    if prose and record.get("prose"):
        lines.append((f"landscape: {truncate(record['prose'].strip(), PROSE_TEXT)}", ()))
    return make(
        iri=candidate.iri, title=record["title"], lines=lines, home=candidate.home, weight=candidate.score, found=candidate
    )


def heading(record: dict[str, Json]) -> str:
    """`## Title (domain, maturity: m)`, with what there is of the bracket."""
    facets = [record["domain"]] if record.get("domain") else []
    if record.get("maturity"):
        facets.append(f"maturity: {record['maturity']}")
    return f"## {record['title']} ({', '.join(facets)})" if facets else f"## {record['title']}"


def _title(concepts: Concepts, target: int) -> str:
    """A concept's title; what the corpus does not define goes by its slug."""
    return concepts.title(target) if target < concepts.count else slug_of(concepts.iri(target))


def _taxonomy(concepts: Concepts, links: Links) -> list[Line]:
    parents = [_title(concepts, target) for target in links.parents]
    ancestors = [_title(concepts, target) for target in links.ancestors[:ANCESTORS]]
    bits = [f"is-a: {', '.join(parents)}"] if parents else []
    if ancestors:
        bits.append(f"ancestors: {', '.join(ancestors)}")
    return [("; ".join(bits), parents + ancestors)] if bits else []


def _relations(concepts: Concepts, links: Links) -> list[Line]:
    groups = [
        (concepts.predicates[kind], [_title(concepts, target) for target in targets[:TARGETS]])
        for kind, targets in links.relations
    ]
    if not groups:
        return []
    text = "; ".join(f"{name}: {', '.join(titles)}" for name, titles in groups)
    return [(f"relations: {text}", [title for _, titles in groups for title in titles])]


def _neighbours(concepts: Concepts, links: Links, seeds: set[Row]) -> list[Line]:
    lines: list[Line] = []
    shown: set[Row] = set()
    for target in (target for _, targets in links.relations for target in targets[:TARGETS]):
        if target in shown or target in seeds or target >= concepts.count:
            continue
        record = concepts.record(target)
        if not record.get("definition"):
            continue
        shown.add(target)
        title = record["title"]
        lines.append((f"- {title}: {truncate(record['definition'].strip(), NEIGHBOUR_TEXT)}", (title,)))
        if len(lines) == NEIGHBOURS:
            break
    return lines
