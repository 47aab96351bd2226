"""An evaluation cycle of the dimensions (seed 001 §5.4, §6): candidates are proposed and validated, small projectors held against large
ones, axes screened and weights fitted on graded queries, domain by domain. All of it takes effect with the version that it is in."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from loom.claims.asks import Cycle
from loom.claims.axes import dimensions_of, held, row_of
from loom.claims.drafting import NODE, Draft
from loom.claims.fitting import Asked, fitted, found, judged
from loom.claims.judges import Judges
from loom.claims.unexplained import unexplained
from loom.claims.validating import distillation, paraphrases, validated
from loom.core.claims.dimensions import fitted as kept
from loom.core.claims.dimensions.cycle import Shift, closed
from loom.core.claims.dimensions.dimension import Dimension
from loom.core.claims.dimensions.directions import directions
from loom.core.claims.dimensions.discovery import Material, material
from loom.core.claims.dimensions.distilling import Distilled
from loom.core.claims.dimensions.grades import Grade, by_query
from loom.core.claims.dimensions.judging import axis_of, composed
from loom.core.claims.dimensions.positions import Positions, positions
from loom.core.claims.dimensions.projection import Projection
from loom.core.claims.dimensions.rules import DEFAULT, Rules
from loom.core.claims.dimensions.screen import Screened, screen
from loom.core.claims.dimensions.validation import sampled
from loom.core.claims.intake.ids import content_id
from loom.core.claims.judging.asked import Placing, Sample
from loom.core.claims.parts import Parts
from loom.core.claims.reach import GENERAL
from loom.core.claims.records import Domain
from loom.core.claims.stored import DimensionRow, ProjectionRow
from loom.core.claims.view import ClaimView
from loom.ports import ClaimStore

PROPOSED = 4
"""Candidates that a cycle adds to a domain at most."""


async def cycle(
    draft: Draft,
    number: int,
    wish: Cycle,
    rows: Sequence[DimensionRow],
    domains: Sequence[Domain],
    store: ClaimStore,
    judges: Judges,
    parts: Parts,
    rules: Rules = DEFAULT,
) -> None:
    """Evaluates every domain that has dimensions or graded queries. Grades of what is not held, or of a domain that is not there, are
    left out and counted; where no grade is left of those that were given, the cycle is refused."""
    grades = await _held_grades(draft, wish.grades, domains, store)
    if wish.grades and not grades:
        draft.refuse(number, f"None of the {len(wish.grades):,} grades names a claim that is held, in a domain that is there.")
        return
    if unheld := len(wish.grades) - len(grades):
        draft.say(number, unheld_grades=unheld)
    now = {each.id: each for each in (*dimensions_of(rows), *dimensions_of(draft.dimensions.values()))}
    named = {each.domain for each in now.values()} | {each.domain for each in grades}
    if parts.discovery:
        named |= {each.id for each in domains}
    fits = kept.fits_of(rows)
    told: dict[str, Any] = {}
    for domain in sorted(named):
        mine = [each for each in now.values() if each.domain == domain]
        graded = by_query(grades, domain)
        description = next((each for each in domains if each.id == domain), Domain(domain, domain))
        weights = fits[domain].weights if domain in fits else {}
        told[domain] = await _domain(draft, description, mine, graded, weights, store, judges, parts, rules)
    draft.say(number, domains=told)


async def _held_grades(draft: Draft, grades: Sequence[Grade], domains: Sequence[Domain], store: ClaimStore) -> list[Grade]:
    """The grades of claims and signals that are held, whatever their standing, in domains that are there."""
    names = sorted({each.claim for each in grades})
    held = {*draft.claims, *draft.signals}
    for at in range(0, len(names), 500):
        some = names[at : at + 500]
        held |= await store.look(lambda view, some=some: {*view.claims(some), *view.signals(some)})  # type: ignore[misc]
    there = {GENERAL, *(each.id for each in domains), *draft.domains}
    return [each for each in grades if each.claim in held and each.domain in there]


async def _domain(
    draft: Draft,
    domain: Domain,
    dimensions: Sequence[Dimension],
    graded: Mapping[str, Mapping[str, float]],
    weights: Mapping[str, float],
    store: ClaimStore,
    judges: Judges,
    parts: Parts,
    rules: Rules,
) -> dict[str, Any]:
    ids, texts = await _sample(store, domain.id, rules)
    before = {each.id: each for each in dimensions}
    mine = dict(before)
    if parts.discovery:
        for each in await _proposed(
            draft, domain, list(mine.values()), ids, texts, weights, list(graded), store, judges, rules
        ):
            mine[each.id] = each
    active = [each for each in mine.values() if each.active]
    places = await store.look(lambda view: positions(ids, active, _held(view, ids), rules))
    others: list[str] = []
    for each in [one for one in mine.values() if one.state == "candidate"]:
        others = others or await paraphrases(draft, texts, judges)
        mine[each.id] = await validated(draft, each, texts, others, active, places, judges, rules)
    small: dict[str, Distilled] = {}
    for each in [one for one in mine.values() if one.state in ("validated", "active") and not one.distilled]:
        checked = await distillation(draft, each, texts, judges, rules)
        if checked is not None:
            small[each.id] = checked
            mine[each.id] = replace(each, distilled=checked.met)
    given = await found(draft, graded, domain.id, store, judges)
    tried = [each for each in mine.values() if each.state in ("validated", "active")]
    await _projected(draft, given, [each for each in tried if each.state == "validated"], store, judges)
    features = await judged(draft, given, tried, store, judges, rules)
    outcome = _screened(tried, features, rules)
    ended = closed(list(mine.values()), outcome, draft.after + 1, rules)
    for each in ended.dimensions:
        if each != before.get(each.id):
            draft.dimensions[each.id] = row_of(each)
    serving = {each.id for each in ended.dimensions if each.active}
    columns = [at for at, each in enumerate(tried) if each.id in serving]
    fit = fitted(domain.id, tried, features, columns, draft.at, rules, axes=parts.dimensions)
    row = kept.row_of(fit, draft.after + 1)
    draft.dimensions[row.id] = row
    return _told(ended.dimensions, before, ended.shifts, outcome, small, fit, len(ids))


async def _sample(store: ClaimStore, domain: str, rules: Rules) -> tuple[tuple[str, ...], list[str]]:
    """Claims of a domain, whatever their standing, and their texts."""

    def read(view: ClaimView) -> tuple[tuple[str, ...], list[str]]:
        drawn = sampled(view.claims_of(domain), rules)
        claims = view.claims(drawn)
        return drawn, [claims[id].claim.proposition for id in drawn]

    return await store.look(read)


def _held(view: ClaimView, ids: Sequence[str]) -> list[Projection]:
    rows = [row for several in view.projections(ids).values() for row in several if row.value is not None]
    return [Projection(row.claim, row.dimension, row.version, row.projector, row.value, row.relevance, row.at) for row in rows]


async def _proposed(
    draft: Draft,
    domain: Domain,
    dimensions: Sequence[Dimension],
    ids: Sequence[str],
    texts: Sequence[str],
    weights: Mapping[str, float],
    queries: Sequence[str],
    store: ClaimStore,
    judges: Judges,
    rules: Rules,
) -> list[Dimension]:
    """Candidates: a judge's where one proposes any, from what the axes do not explain; else the main directions of the sample's vectors.
    No standing is read (I13)."""
    taken = [each.contract.name for each in dimensions]
    active = [each for each in dimensions if each.active]

    def read(view: ClaimView) -> tuple[Material, Positions]:
        vectors = view.vectors(NODE, ids)
        known = [id for id in ids if id in vectors]
        return material(known, dict(zip(ids, texts, strict=True)), vectors), positions(known, active, _held(view, known), rules)

    given, places = await store.look(read)
    pairs = await unexplained(draft, given, active, places, weights, queries, judges, rules)
    sample = Sample(domain.name, domain.description, tuple(texts), tuple(taken), pairs)
    proposals = draft.take(await judges.proposing.propose(sample), "upkeep")
    contracts = composed(proposals, taken).contracts
    by = type(judges.proposing).__name__
    if not proposals:
        contracts = directions(given, taken, rules=rules)
        by = "directions"
    return [
        Dimension(content_id("dimension", domain.id, each.name), domain.id, each, proposed_by=by)
        for each in contracts[:PROPOSED]
    ]


async def _projected(
    draft: Draft, given: Sequence[Asked], dimensions: Sequence[Dimension], store: ClaimStore, judges: Judges
) -> None:
    """Positions on validated dimensions of whatever the graded queries retrieve, where there are none yet."""
    texts = {id: text for each in given for id, text in each.texts.items()}
    if not texts or not dimensions:
        return
    rows = await store.look(lambda view: view.projections(texts))
    have = {(row.claim, row.dimension) for several in rows.values() for row in several}
    projector = type(judges.projecting).__name__
    for each in dimensions:
        lacking = [id for id in sorted(texts) if (id, each.id) not in have]
        if not lacking:
            continue
        axis = axis_of(each.contract)
        placed = draft.take(await judges.projecting.project([Placing(axis, texts[id]) for id in lacking]), "upkeep")
        for id, one in zip(lacking, placed, strict=True):
            value = held(each.contract, one)
            relevance = one.relevance if value is not None else 0.0
            draft.projections.append(ProjectionRow(id, each.id, each.version, projector, value, relevance, draft.at))


def _screened(tried: Sequence[Dimension], features: Sequence[Any], rules: Rules) -> dict[str, Screened] | None:
    active = [at for at, each in enumerate(tried) if each.active]
    candidates = [at for at, each in enumerate(tried) if not each.active]
    outcome = screen(features, active, candidates, rules) if features else None
    return None if outcome is None else {tried[at].id: each for at, each in outcome.items()}


def _told(
    dimensions: Sequence[Dimension],
    before: Mapping[str, Dimension],
    shifts: Sequence[Shift],
    outcome: Mapping[str, Screened] | None,
    small: Mapping[str, Distilled],
    fit: kept.Fitted,
    sample: int,
) -> dict[str, Any]:
    """What a cycle did in a domain, as JSON."""
    records = {each.id: each.contract.validation for each in dimensions}
    return {
        "sample": sample,
        "queries": fit.queries,
        "fit": {"unfit": fit.unfit, "penalty": fit.penalty, "weights": dict(fit.weights), "residual": fit.residual},
        "proposed": [each.id for each in dimensions if each.id not in before],
        "validated": {
            id: {each.name: {"figure": _plain(each.figure), "met": each.met, "said": each.said} for each in record.criteria}
            for id, record in records.items()
            if record is not None and (id not in before or before[id].contract.validation != record)
        },
        "distilled": {
            id: {"met": each.met, "agreement": _plain(each.agreement), "ratio": each.ratio} for id, each in small.items()
        },
        "screened": {
            id: {"useful": each.useful, "nonzero": each.nonzero, "higher": each.higher, "weight": each.weight}
            for id, each in (outcome or {}).items()
        },
        "shifts": [{"dimension": each.dimension, "from": each.before, "to": each.after, "why": each.why} for each in shifts],
    }


def _plain(figure: float | None) -> float | None:
    return None if figure is None or not np.isfinite(figure) else float(figure)
