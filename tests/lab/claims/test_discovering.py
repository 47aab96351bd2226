"""Axes that a domain's own vectors show, beside those that people wrote."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from support.claim_worlds import SMALL

from loom.compose_lab import claims_in_memory, scripted_judges
from loom.core.claims.dimensions.contract import Contract, Procedure, Prototype
from loom.core.claims.dimensions.spaces import Scalar
from loom.lab.claims.building import built
from loom.lab.claims.discovering import Discovery, discovery
from loom.lab.claims.pooling import placed, pooled, split
from loom.lab.claims.retrieval import Bench, ndcg_at_ten, retrieval, settings_of
from loom.lab.claims.study import PARTS
from loom.lab.claims.tested import Gain, share
from loom.lab.claims.verdicts import Found, thesis, verdicts
from loom.lab.claims.worlds import WORLDS, Recipe, made, tables
from loom.lab.claims.worlds.likeness import WorldLikeness
from loom.lab.claims.worlds.recognising import recognise, would_compare
from loom.lab.claims.worlds.words import AXES

RECIPE = replace(SMALL, queries=160)


async def found(recipe: Recipe = RECIPE, *, blind: bool = False) -> Discovery:
    """Discovery over two configurations; `blind`: the projector knows no axis that it was not told of."""
    world = made(recipe, 1)
    said = tables(world, recipe, 1)
    held = await built(world, claims_in_memory, scripted_judges, said, PARTS)
    validation, test = split(world.queries, 1)
    pools = await pooled(held, world.queries)
    claims = await held.claims()
    domains = sorted({each.domain for each in await held.dimensions()})
    places = {domain: await placed(held, domain, world.queries) for domain in domains}
    grades = {
        each.id: {id: grade for id, grade in world.grades[each.id].items() if id in claims or id.startswith("signal:")}
        for each in world.queries
    }
    settings = sorted(settings_of(1), key=lambda each: each.sparsity / each.steep)[:2]
    bench = Bench(pools, places, grades, validation, test, settings, frozenset())
    orders = {"iii": bench.orders(bench.tuned(), test), "ii": bench.orders(bench.tuned(axes=False), test)}
    scores = {arm: [ndcg_at_ten(order[each.id], grades[each.id]) for each in test] for arm, order in orders.items()}
    knows = (lambda contract, texts, alike: None) if blind else partial(recognise, said)
    result = await discovery(held, bench, scores, knows, would_compare(world), 1)
    await held.aclose()
    return result


async def test_axes_that_vectors_show_rank_as_authored_ones_do_and_read_no_standing() -> None:
    made = await found()
    assert made.kept and made.unmoved and made.returned == 1.0
    assert made.authored.significant and made.retained > 0.9 and made.gain.low > -0.01
    assert (
        all(len(names) == 1 for names in made.promoted.values()) and made.proposed > 2
    )  # what says the same again is not promoted
    assert (made.meaningful.hits, made.meaningful.n) == (2, 2)
    assert (made.small.hits, made.small.n) == (4, 4) and 0 < made.ratio <= 0.1
    assert made.calls and sum(each.price for each in made.calls) > 0
    assert all(each.of["line"] == "upkeep" for each in made.calls if isinstance(each.of, dict))


@pytest.mark.slow
async def test_axes_are_screened_as_sparse_as_authored_ones_are_fitted() -> None:
    """In a domain of this world the least sparse weights are those that rank best, and the sparsest are none at all."""
    recipe, seed = WORLDS["holds"], 401
    world = made(recipe, seed)
    said = tables(world, recipe, seed)
    held = await built(world, claims_in_memory, scripted_judges, said, PARTS)
    ranked = await retrieval(held, world, seed)
    assert ranked.bench is not None
    result = await discovery(held, ranked.bench, ranked.scores, partial(recognise, said), would_compare(world), seed)
    await held.aclose()
    assert all(len(names) == 1 for names in result.promoted.values())
    assert result.kept and result.retained > 0.9


async def test_axes_that_the_projector_makes_nothing_of_are_not_promoted() -> None:
    made = await found(blind=True)
    assert not any(made.promoted.values()) and made.retained == 0.0 and not made.kept


async def test_a_projector_that_puts_claims_elsewhere_is_no_help_to_either() -> None:
    made = await found(replace(RECIPE, placed=False))
    assert not made.authored.significant or made.authored.mean < 0.1


def axis(low: list[str], high: list[str]) -> Contract:
    prototypes = [Prototype(0.0, text) for text in low] + [Prototype(1.0, text) for text in high]
    return Contract("low to high", "Between.", Scalar(0.0, 1.0), Procedure("between"), "difference", "range", tuple(prototypes))


def test_an_axis_is_told_by_its_ends_whichever_way_round() -> None:
    name, levels = AXES[0]
    world = made(SMALL, 1)
    by_level = {level: [each.text for each in world.claims if each.places[name] == level] for level in levels}
    first, last = by_level[levels[0]], by_level[levels[-1]]
    for low, high, turned in ((first, last, False), (last, first, True)):
        said = tables(world, SMALL, 1)
        contract = axis(low[:3], high[:3])
        recognise(said, contract, [*first, *last, "again"], {"again": last[5]})
        place = said.values[contract.name, last[5]].value
        assert isinstance(place, float) and (place < 0.1 if turned else place > 0.9)
        assert said.values[contract.name, "again"].value == place
        assert said.values[contract.name, low[0]].value == 0.0 and said.values[contract.name, high[0]].value == 1.0
    said = tables(world, SMALL, 1)
    recognise(said, axis(first[:3], first[3:6]), first, {})
    assert not any(key[0] == "low to high" for key in said.values)


def test_where_a_claim_leans_changes_no_nearness_to_what_does_not() -> None:
    texts = [f"Arlen Mill cost expense word{at}." for at in range(40)]
    plain = WorldLikeness().embed([*texts, "expense of Arlen Mill"])
    leaning = WorldLikeness({text: at / 39 for at, text in enumerate(texts)}).embed([*texts, "expense of Arlen Mill"])
    before, after = plain[:-1] @ plain[-1], leaning[:-1] @ leaning[-1]
    assert np.allclose(after / before, after[0] / before[0], atol=1e-5) and after[0] < before[0]
    assert leaning[0] @ leaning[1] > leaning[0] @ leaning[39] + 0.1


GAIN = Gain(100, 0.1, 0.08, 0.0)
MADE = Discovery(
    8, {"d": ["a to b"]}, Gain(100, 0.0, -0.01, 0.5), GAIN, GAIN, share(1, 1, 0.6, 0.85), share(2, 2, 0.6, 0.85),
    0.03, 1.0, True, 60, (),
)  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "outcome"),
    [
        ({}, "kept"),
        ({"gain": Gain(100, -0.01, -0.04, 1.0)}, "dropped"),
        ({"found": Gain(100, 0.04, 0.03, 0.0)}, "dropped"),
        ({"meaningful": share(12, 24, 0.6, 0.85)}, "dropped"),
        ({"meaningful": share(22, 24, 0.6, 0.85)}, "kept"),
        ({"authored": Gain(100, 0.01, -0.01, 0.2)}, "not judged"),
        ({"sampled": 12}, "not judged"),
        ({"gain": Gain(12, 0.0, -0.01, 0.5)}, "not judged"),
    ],
)
def test_discovery_stays_where_it_ranks_as_well_and_raters_see_sense_in_it(changes: dict[str, object], outcome: str) -> None:
    result = Found(discovery=replace(MADE, **changes))  # type: ignore[arg-type]
    assert {each.part: each.outcome for each in verdicts(result)}["discovery"] == outcome


def test_a_prototype_that_does_not_come_back_is_a_defect_and_so_is_reading_standings() -> None:
    for changes in ({"returned": 0.9}, {"unmoved": False}):
        result = Found(discovery=replace(MADE, **changes))  # type: ignore[arg-type]
        assert thesis(result, verdicts(result)).defects
