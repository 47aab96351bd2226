"""Fluent noise: units of the same generation that have nothing to do with the question, as the live path would show them (seed §5.4)."""

from collections.abc import Iterator
from random import Random

from loom.core.concepts import Concepts
from loom.core.policy.packing import NOTHING
from loom.core.text import home_of
from loom.core.values import Block, Candidate, Evidence, Iri, Row
from loom.lab.arms.basis import Base, Basis
from loom.lab.arms.fitting import FRAME, fitted

DRAWS = 20_000


async def noise(base: Base, item: Basis, seed: int) -> Block:
    """Randomly drawn units, rendered by the live renderer for this question, as many tokens as the true block."""
    if not item.true.served:
        return NOTHING
    drawn = _drawn(base.ground.concepts, forbidden(base, item), Random(f"{seed}:fluent-noise:{item.key}"))
    candidates: list[Candidate] = []
    pieces: list[Evidence] = []
    wanted = len(item.true.served)
    while _size(pieces) < 4 * item.true.tokens:
        before = len(candidates)
        for iri in drawn:
            candidates.append(Candidate(iri, 1.0, "noise", "drawn", home_of(iri)))
            if len(candidates) >= wanted:
                break
        if len(candidates) == before:
            break
        pieces = list(await base.ground.mint(item.question.prompt, candidates))
        wanted = len(candidates) + 1
    return fitted(pieces, item.true.tokens)


def forbidden(base: Base, item: Basis) -> frozenset[Row]:
    """Rows (and strangers) that noise may not be about: the seeds, their one-hop targets, parents and ancestors; template seeds."""
    concepts = base.ground.concepts
    found: set[int] = set()
    for iri in item.seeds | base.removed | {served.evidence.iri for served in item.live.block.served}:
        row = concepts.row(iri)
        if row is not None:
            links = concepts.links(row)
            found |= {row, *links.parents, *links.ancestors, *(each for _, targets in links.relations for each in targets)}
    return frozenset(found)


def _drawn(concepts: Concepts, out: frozenset[Row], rng: Random) -> Iterator[Iri]:
    """Concepts with a definition in a random order, each once."""
    seen: set[Row] = set()
    if concepts.count <= DRAWS:
        rows: Iterator[Row] = iter(rng.sample(range(concepts.count), concepts.count))
    else:
        rows = (rng.randrange(concepts.count) for _ in range(DRAWS))
    for row in rows:
        if row not in out and row not in seen:
            seen.add(row)
            record = concepts.record(row)
            if record.get("definition") and not record.get("deprecated"):
                yield concepts.iri(row)


def _size(pieces: list[Evidence]) -> int:
    return FRAME + sum(sum(map(len, piece.lines)) + len(piece.lines) + 1 for piece in pieces) - 2 if pieces else 0
