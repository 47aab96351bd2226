"""Discovery against authored dimensions (seed 001 §10.5): axes that the claims' own vectors show, validated and projected as authored ones are,
ranked on the same held-out queries, and looked at by raters.

Axes come from the generator that needs no model, the main directions of a domain's claim vectors. It reads no standing, which is measured
by turning standings over and asking it again (I13).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

import numpy as np

from loom.claims.asks import Act
from loom.claims.axes import held
from loom.claims.drafting import NODE, Draft
from loom.claims.validating import distillation, paraphrases, run, validated
from loom.core.claims.dimensions.contract import Contract
from loom.core.claims.dimensions.dimension import Dimension
from loom.core.claims.dimensions.directions import directions
from loom.core.claims.dimensions.discovery import claims_of, material
from loom.core.claims.dimensions.distilling import distilled, returned
from loom.core.claims.dimensions.judging import axis_of
from loom.core.claims.dimensions.positions import Positions, positions
from loom.core.claims.dimensions.projection import Projection
from loom.core.claims.dimensions.screen import screen
from loom.core.claims.dimensions.spaces import Value
from loom.core.claims.dimensions.validation import sampled
from loom.core.claims.intake.ids import content_id
from loom.core.claims.judging.asked import Placing
from loom.core.claims.network import Network
from loom.core.claims.stored import CallRow
from loom.core.claims.tables import opened
from loom.core.claims.view import ClaimView
from loom.core.values import Json
from loom.lab.claims.pooling import Placed, asked_of
from loom.lab.claims.retrieval import Bench, ndcg_at_ten
from loom.lab.claims.tested import Gain, Share, gain, share
from loom.lab.claims.workspace import BY, RULES, Workspace, frontier_of

MARGIN = 0.03
"""By how much nDCG@10 discovered axes may rank worse (the paper's number is lost; 270 queries at a deviation of 0.20 find this much)."""
PAIRS = 10
"""Projected pairs of claims that raters see of each axis."""
Recognise = Callable[[Contract, Sequence[str], Mapping[str, str]], None]
"""Tells a scripted projector of an axis, the texts that it will be asked for, and which of them say the same."""
Rate = Callable[[str, str, float, float], bool]
"""Whether a rater would compare two claims by an axis on which they lie there."""


@dataclass(frozen=True, slots=True)
class Discovery:
    """`gain`: discovered over authored axes; `authored`, `found`: either over none. `returned`: the least share of prototypes that come back
    where they are; `unmoved`: the same axes were found when standings were turned over; `small`: axes on which the small projector may stand in
    for the large one, and `ratio` the largest of their prices; `calls` what a cycle of it costs."""

    proposed: int
    promoted: Mapping[str, Sequence[str]]
    gain: Gain
    authored: Gain
    found: Gain
    meaningful: Share
    small: Share
    ratio: float
    returned: float
    unmoved: bool
    sampled: int
    calls: Sequence[CallRow]

    @property
    def retained(self) -> float:
        """The share of the authored gain that discovered axes have."""
        return self.found.mean / self.authored.mean if self.authored.mean > 0 else 0.0

    @property
    def kept(self) -> bool:
        """At no worse ranking than the margin, with half the gain; and not where raters that are enough see no sense in the axes."""
        raters = self.meaningful.met or not self.meaningful.enough
        return self.gain.low > -MARGIN and self.retained >= 0.5 and raters

    def as_json(self) -> dict[str, Json]:
        return {
            "proposed": self.proposed,
            "promoted": {domain: list(names) for domain, names in self.promoted.items()},
            "discovered_over_authored": self.gain.as_json(),
            "authored_over_none": self.authored.as_json(),
            "discovered_over_none": self.found.as_json(),
            "retained": self.retained,
            "meaningful": self.meaningful.as_json(),
            "small_projector_meets": self.small.as_json(),
            "largest_price_ratio": self.ratio,
            "prototypes_returned": self.returned,
            "unchanged_when_standings_are_turned_over": self.unmoved,
            "claims_sampled": self.sampled,
            "dollars_a_cycle": sum(each.price for each in self.calls),
        }


async def discovery(
    workspace: Workspace,
    bench: Bench,
    scores: Mapping[str, Sequence[float]],
    recognise: Recognise | None,
    rate: Rate | None,
    seed: int,
) -> Discovery:
    """Over the queries and the authored arms of the retrieval experiment. On a copy whose judges have been asked nothing. A projector that is no
    script needs not be told of axes; without raters nothing is said of their sense."""
    made = await workspace.copy()
    network = await made.store.look(lambda view: Network(opened(view.network())))
    draft = Draft(0, made.now.isoformat(), "lab-discovery")
    names = {domain: place.dimensions for domain, place in bench.places.items()}
    sparsity = {domain: setting.sparsity for domain, (_, setting) in bench.tuned().items()}
    proposed: dict[str, tuple[Contract, ...]] = {}
    places: dict[str, Placed] = {}
    promoted: dict[str, list[Dimension]] = {}
    most = 0
    shares: list[float] = []
    for domain, authored in names.items():
        ids = sampled([id for id in claims_of(network, domain) if id not in bench.gone], RULES)
        most = max(most, len(ids))
        texts, proposed[domain] = await made.store.look(lambda view, i=ids, a=authored: _proposed(view, i, a))  # type: ignore[misc]
        others = await paraphrases(draft, texts, made.judges) if proposed[domain] else []
        queries = [each.text for each in bench.queries]
        alike = dict(zip(others, texts, strict=False))
        claims = list(bench.places[domain].rows)
        all_texts = await made.store.look(lambda view, c=claims: [view.claims(c)[id].claim.proposition for id in c])  # type: ignore[misc]
        valid: list[Dimension] = []
        for contract in proposed[domain]:
            if recognise is not None:
                recognise(contract, [*texts, *others, *all_texts, *queries], alike)
            each = Dimension(content_id("dimension", domain, contract.name), domain, contract, proposed_by="directions")
            tried = await validated(
                draft, each, texts, others, valid, await _places(draft, made, valid, ids, texts), made.judges, RULES
            )
            if tried.state == "validated":
                valid.append(replace(tried, state="active", distilled=await _stands_in(draft, tried, texts, made)))
        place = await _placed(draft, made, domain, valid, claims, all_texts, bench)
        places[domain], promoted[domain] = _useful(bench, domain, place, sparsity[domain])
        shares += [await _returned(made, each.contract) for each in (*authored, *promoted[domain])]
    small, ratio = await _distilled(made, names, promoted, bench)
    mine = replace(bench, places=places)
    orders = mine.orders(mine.tuned(), bench.held)
    ranked = [ndcg_at_ten(orders[each.id], bench.grades[each.id]) for each in bench.held]
    unmoved = await _turned(made, names, proposed, bench, seed)
    rated = await _meaningful(made, promoted, places, rate, seed) if rate is not None else []
    await made.aclose()
    return Discovery(
        sum(len(each) for each in proposed.values()),
        {domain: [each.contract.name for each in several] for domain, several in promoted.items()},
        gain(ranked, scores["iii"], seed=seed),
        gain(scores["iii"], scores["ii"], seed=seed),
        gain(ranked, scores["ii"], seed=seed),
        share(sum(rated), len(rated), 0.60, 0.85),
        share(sum(small), len(small), 0.60, 0.85),
        ratio,
        min(shares, default=1.0),
        unmoved,
        most,
        draft.calls,
    )


def _proposed(view: ClaimView, ids: Sequence[str], authored: Sequence[Dimension]) -> tuple[list[str], tuple[Contract, ...]]:
    """The texts of some claims, and the axes that their vectors show."""
    claims, vectors = view.claims(ids), view.vectors(NODE, ids)
    texts = {id: claims[id].claim.proposition for id in ids}
    taken = [each.contract.name for each in authored]
    return list(texts.values()), directions(material(ids, texts, vectors), taken, rules=RULES)


async def _turned(
    workspace: Workspace,
    names: Mapping[str, Sequence[Dimension]],
    proposed: Mapping[str, Sequence[Contract]],
    bench: Bench,
    seed: int,
) -> bool:
    """Whether the same axes are proposed after people have rejected a third of all claims and accepted another (I13)."""
    ids = sorted(await workspace.claims())
    Random(f"{seed}:standings").shuffle(ids)
    third = len(ids) // 3
    acts = [("reject", id) for id in ids[:third]] + [("accept", id) for id in ids[third : 2 * third]]
    await workspace.do([Act(act, id, BY) for act, id in acts], at_once=len(acts) or 1)
    network = await workspace.store.look(lambda view: Network(opened(view.network())))
    for domain, authored in names.items():
        ids = list(sampled([id for id in claims_of(network, domain) if id not in bench.gone], RULES))
        _, again = await workspace.store.look(lambda view, i=ids, a=authored: _proposed(view, i, a))  # type: ignore[misc]
        if again != proposed[domain]:
            return False
    return True


async def _stands_in(draft: Draft, dimension: Dimension, texts: Sequence[str], workspace: Workspace) -> bool:
    checked = await distillation(draft, dimension, texts, workspace.judges, RULES)
    return checked is not None and checked.agrees


async def _places(
    draft: Draft, workspace: Workspace, dimensions: Sequence[Dimension], ids: Sequence[str], texts: Sequence[str]
) -> Positions:
    """Where some claims lie on some axes."""
    known = []
    for each in dimensions:
        judged = await workspace.judges.projecting.project([Placing(axis_of(each.contract), text) for text in texts])
        placed = draft.take(judged, "upkeep", dimension=each.id)
        for id, one in zip(ids, placed, strict=True):
            value = held(each.contract, one)
            if value is not None:
                known.append(Projection(id, each.id, each.version, "lab", value, one.relevance, draft.at))
    return positions(ids, dimensions, known, RULES)


async def _placed(
    draft: Draft,
    workspace: Workspace,
    domain: str,
    dimensions: Sequence[Dimension],
    ids: Sequence[str],
    texts: Sequence[str],
    bench: Bench,
) -> Placed:
    found = {each.id: await asked_of(workspace.judges.queries, each.text, dimensions) for each in bench.queries}
    return Placed(
        dimensions, {id: at for at, id in enumerate(ids)}, await _places(draft, workspace, dimensions, ids, texts), found
    )


def _useful(bench: Bench, domain: str, place: Placed, sparsity: float) -> tuple[Placed, list[Dimension]]:
    """The axes that pass the screen on the validation queries, each against none: fitted as sparse as the authored axes are, which were
    tuned over it. At another the screen would hold one arm to what the other need not meet."""
    if not place.dimensions:
        return place, []
    judged = replace(bench, places={**bench.places, domain: place}).judged(domain, place, bench.validation)
    outcome = screen(judged, [], range(len(place.dimensions)), replace(RULES, sparsity=sparsity))
    columns = [at for at, each in (outcome or {}).items() if each.useful]
    kept = [place.dimensions[at] for at in columns]

    def only(each: Positions) -> Positions:
        return Positions(each.codes[:, columns], each.relevance[:, columns])

    queries = {name: only(each) for name, each in place.queries.items()}
    return Placed(kept, place.rows, only(place.claims), queries), kept


async def _returned(workspace: Workspace, contract: Contract) -> float:
    """The share of an axis' prototypes that its projector gives their own values."""
    judged = await workspace.judges.projecting.project([Placing(axis_of(contract), one.text) for one in contract.prototypes])
    pairs: list[tuple[Value, Value | None]] = [
        (one.value, held(contract, said)) for one, said in zip(contract.prototypes, judged.value, strict=True)
    ]
    there = [(value, said) for value, said in pairs if said is not None]
    if not there:
        return 0.0
    return returned(contract.space, [value for value, _ in there], [said for _, said in there]) * len(there) / len(pairs)


async def _distilled(
    workspace: Workspace, names: Mapping[str, Sequence[Dimension]], promoted: Mapping[str, Sequence[Dimension]], bench: Bench
) -> tuple[list[bool], float]:
    """Of each active axis whether the small projector agrees with the large one (the model that derives, asked to project) at a tenth of
    its price, on claims that the fit did not read."""
    large = frontier_of(workspace.judges)
    if not hasattr(large, "project"):
        return [], 0.0
    met, most = [], 0.0
    draft = Draft(0, workspace.now.isoformat(), "lab-distilling")
    fresh = workspace.unasked()
    for domain, authored in names.items():
        ids = sampled(bench.places[domain].rows, RULES)
        if len(ids) < RULES.minimum:
            continue
        texts = await workspace.store.look(lambda view, i=ids: [view.claims(i)[id].claim.proposition for id in i])  # type: ignore[misc]
        for each in (*authored, *promoted[domain]):
            one = await run(draft, fresh.queries or fresh.projecting, each, texts)
            other = await run(draft, large, each, texts)
            if one.price is None or not other.price:
                continue
            found = distilled(each.contract.space, one.readings, other.readings, (one.price, other.price), RULES)
            met.append(found.met)
            most = max(most, found.ratio)
    return met, most


async def _meaningful(
    workspace: Workspace, promoted: Mapping[str, Sequence[Dimension]], places: Mapping[str, Placed], rate: Rate, seed: int
) -> list[bool]:
    """Of each promoted axis whether a rater would use it on a majority of its pairs."""
    found = []
    random = Random(f"{seed}:pairs")
    for domain, several in promoted.items():
        place = places[domain]
        ids = list(place.rows)
        texts = await workspace.store.look(lambda view, i=ids: [view.claims(i)[id].claim.proposition for id in i])  # type: ignore[misc]
        for column in range(len(several)):
            codes = place.claims.codes[:, column]
            there = np.flatnonzero(~np.isnan(codes)).tolist()
            pairs = [random.sample(there, 2) for _ in range(PAIRS)] if len(there) > 1 else []
            said = [rate(texts[a], texts[b], float(codes[a]), float(codes[b])) for a, b in pairs]
            found.append(2 * sum(said) > len(said))
    return found
