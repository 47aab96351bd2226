"""Projection: where claims lie on the active dimensions of their domains (§6). New claims before their check, others when their
dimension became active or their projection stale."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from loom.claims.axes import held
from loom.claims.drafting import NODE, Draft
from loom.claims.judges import Judges
from loom.core.claims.dimensions.dimension import Dimension
from loom.core.claims.dimensions.gate import chosen, gate
from loom.core.claims.dimensions.judging import axis_of
from loom.core.claims.dimensions.rules import DEFAULT, Rules
from loom.core.claims.judging.asked import Placing
from loom.core.claims.standing import readable
from loom.core.claims.stored import ProjectionRow, Wanted
from loom.core.claims.view import ClaimView
from loom.ports import ClaimStore

SAMPLE = 500
"""Claims of a domain that its gate is told from: the first that were written."""
AT_ONCE = 1000
LOOKED = 5000
"""Claims of one upkeep that are looked at for whether they lack a position."""
PAGE = 500


async def project_new(
    draft: Draft, store: ClaimStore, judges: Judges, dimensions: Sequence[Dimension], rules: Rules = DEFAULT
) -> None:
    """The claims of the batch on the dimensions of their home."""
    claims = {id: (new.claim.proposition, new.home, new.vector) for id, new in draft.claims.items()}
    await _project(draft, claims, store, judges, dimensions, "writes", rules)


async def project_again(
    draft: Draft,
    store: ClaimStore,
    judges: Judges,
    dimensions: Sequence[Dimension],
    rules: Rules = DEFAULT,
    *,
    limit: int = AT_ONCE,
    behind: dict[str, str] | None = None,
    looked: int = LOOKED,
) -> int:
    """Claims that were there and have no position that holds on a dimension that is active: first those that readers met; gives how
    many were placed. At most `looked` others are looked at, domain by domain; `behind` keeps for each domain the claim behind which the
    next call goes on."""
    if not dimensions:
        return 0
    wanted = await store.look(lambda view: _missing(view, dimensions, limit, {} if behind is None else behind, looked))
    before = len(draft.projections)
    await _project(draft, wanted, store, judges, dimensions, "upkeep", rules)
    return len(draft.projections) - before


async def _project(
    draft: Draft,
    claims: Mapping[str, tuple[str, frozenset[str], np.ndarray]],
    store: ClaimStore,
    judges: Judges,
    dimensions: Sequence[Dimension],
    line: str,
    rules: Rules,
) -> None:
    homes = {each.domain for each in dimensions}
    at_home = {id: each for id, each in claims.items() if not each[1].isdisjoint(homes)}
    if not at_home or not dimensions:
        return
    definitions = await judges.vectors([f"{each.contract.name}: {each.contract.definition}" for each in dimensions])
    gates = await store.look(lambda view: _gates(view, dimensions, definitions, rules))
    rows = np.stack([vector for _, _, vector in at_home.values()])
    home = np.array([[each.domain in mine for each in dimensions] for _, mine, _ in at_home.values()], np.bool_)
    cosines = np.einsum("ij,kj->ik", rows, definitions)
    flags = chosen(cosines, home, dimensions, [gates[each.domain] for each in dimensions], rules)
    pairs = [(id, dimensions[axis]) for at, id in enumerate(at_home) for axis in np.flatnonzero(flags[at]).tolist()]
    if not pairs:
        return
    asked = [Placing(axis_of(each.contract), at_home[id][0]) for id, each in pairs]
    placed = draft.take(await judges.projecting.project(asked), line)
    projector = type(judges.projecting).__name__
    for (id, each), found in zip(pairs, placed, strict=True):
        value = held(each.contract, found)
        relevance = found.relevance if value is not None else 0.0
        draft.projections.append(ProjectionRow(id, each.id, each.version, projector, value, relevance, draft.at))


def _gates(view: ClaimView, dimensions: Sequence[Dimension], definitions: np.ndarray, rules: Rules) -> dict[str, float]:
    """The gate of each domain over the cosines of its claims and of its active dimensions' definitions."""
    found: dict[str, float] = {}
    for domain in {each.domain for each in dimensions}:
        ids = [each.claim.id for each in view.list_claims(Wanted(domain=domain, limit=SAMPLE)) if readable(each.standing)]
        vectors = view.vectors(NODE, ids)
        rows = [vectors[id] for id in ids if id in vectors]
        axes = definitions[[at for at, each in enumerate(dimensions) if each.domain == domain]]
        found[domain] = gate(np.einsum("ij,kj->ik", np.stack(rows), axes), rules) if rows else gate(np.zeros((0, 0)), rules)
    return found


def _missing(
    view: ClaimView, dimensions: Sequence[Dimension], limit: int, behind: dict[str, str], looked: int
) -> dict[str, tuple[str, frozenset[str], np.ndarray]]:
    """Claims that lack a position that holds on a dimension of their home: those that were met stale, then in order of writing."""
    valid = {each.id: each for each in dimensions}
    found: dict[str, tuple[str, frozenset[str], np.ndarray]] = {}

    def take(ids: Collection[str]) -> None:
        claims = view.claims(ids)
        rows, vectors = view.projections(ids), view.vectors(NODE, ids)
        for id in ids:
            each = claims.get(id)
            if each is None or each.lifted or not readable(each.standing) or id in found or id not in vectors:
                continue
            have = {
                row.dimension
                for row in rows.get(id, ())
                if row.dimension in valid and row.version >= valid[row.dimension].valid_from
            }
            if any(axis.domain in each.home and axis.id not in have for axis in dimensions) and len(found) < limit:
                found[id] = each.claim.proposition, each.home, vectors[id]

    take([each.claim for each in view.stale(limit)])
    left = looked
    for domain in sorted({each.domain for each in dimensions}, key=lambda each: (each in behind, each)):
        while left > 0 and len(found) < limit:
            page = view.list_claims(Wanted(domain=domain, after=behind.get(domain, ""), limit=min(PAGE, left)))
            take([each.claim.id for each in page])
            left -= len(page)
            if not page:
                behind.pop(domain, None)
                break
            behind[domain] = page[-1].claim.id
    return found
