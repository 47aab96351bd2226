"""Generated workspaces: the same for the same seed, and as the experiments need them."""

from collections import Counter
from dataclasses import replace

import pytest

from loom.lab.claims.expected import EXPECTED
from loom.lab.claims.worlds import WORLDS, WorldLikeness, made, tables


@pytest.mark.parametrize("name", WORLDS)
def test_a_world_is_the_same_for_the_same_seed(name: str) -> None:
    one, other = made(WORLDS[name], 3), made(WORLDS[name], 3)
    assert (one.claims, one.facts, one.queries, one.grades) == (other.claims, other.facts, other.queries, other.grades)
    assert tables(one, WORLDS[name], 3) == tables(other, WORLDS[name], 3)
    assert made(WORLDS[name], 4).claims != one.claims


def test_contradictions_share_the_entity_and_no_other_word() -> None:
    world = made(WORLDS["holds"], 1)
    for claim in world.claims:
        words = set(claim.text.lower().rstrip(".").split())
        for injected in (*world.injected[claim.id], world.late[claim.id]):
            shared = words & set(injected.fact.text.lower().rstrip(".").split())
            assert shared == set(claim.text.lower().split()[:2]), (claim.text, injected.fact.text)


def test_an_entity_has_twenty_claims_and_a_domain_enough_queries() -> None:
    world = made(WORLDS["holds"], 1)
    assert min(Counter(each.entity for each in world.claims if not each.held).values()) >= 20
    assert min(Counter(each.domain for each in world.queries).values()) >= 75
    assert all(set(grades.values()) <= {1, 2, 3} for grades in world.grades.values())


def test_what_is_planted_changes_nothing_but_itself() -> None:
    holds = made(WORLDS["holds"], 1)
    for name in ("shuffled", "stale", "unrecalled", "misrouted"):
        other = made(WORLDS[name], 1)
        assert (other.claims, other.facts, other.grades, other.requests) == (
            holds.claims,
            holds.facts,
            holds.grades,
            holds.requests,
        )
    assert made(WORLDS["unread"], 1).grades == holds.grades and made(WORLDS["unread"], 1).reads != holds.reads
    assert set(EXPECTED) == set(WORLDS)


def test_synonyms_are_near_and_strangers_are_not() -> None:
    near, same, far = WorldLikeness().embed(
        ["Arlen Mill expense funds abc.", "Arlen Mill cost budget xyz.", "Borth Quay delay lag xyz."]
    )
    assert float(near @ same) > 0.85 and float(near @ far) < 0.3


def test_a_recipe_holds_for_other_sizes() -> None:
    world = made(replace(WORLDS["holds"], entities=3, past=1, held=1, queries=20), 5)
    assert len(world.claims) == 3 * 12 * 2 and len(world.queries) == 20
