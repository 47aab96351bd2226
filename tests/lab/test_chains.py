"""Chains of two edges: what is mined, what every arm shows, what the manipulations hold fixed."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from support.kitchen import built_in, kitchen

from loom.cli.lab.planning import ground
from loom.core.concepts import Concepts
from loom.core.errors import BadInput
from loom.core.exposure import READERS
from loom.core.policy.packing import NOTHING
from loom.core.values import Candidate
from loom.lab.chains import ARMS, Chain, mine, read, showings, write
from loom.lab.chains.graph import Graph
from loom.lab.chains.scripted import sections
from loom.lab.ground import Ground
from loom.lab.question import Target
from loom.lab.showing import NO_BLOCK, NO_DONOR, PLANNED, Showing, visible

Plan = dict[str, dict[str, Showing]]


@pytest.fixture(scope="module")
def vault() -> Iterator[Ground]:
    with kitchen() as (node, pin):
        yield ground(node, pin)


@pytest.fixture(scope="module")
def every(vault: Ground) -> tuple[Chain, ...]:
    """Every chain of the vault."""
    return mine(vault, most=10_000, per_subject=1_000).chains


@pytest.fixture(scope="module")
def plan(vault: Ground, every: tuple[Chain, ...]) -> Plan:
    """By chain and arm what is shown, of the chains of which all but the reversal can be."""
    found: Plan = {}
    for showing in showings(vault, every):
        found.setdefault(showing.question.id, {})[showing.arm] = showing
    return {id: arms for id, arms in found.items() if arms["chain/both"].status == PLANNED}


def concepts(vault: Ground) -> Concepts:
    part = vault.pin.generation.part(Concepts)
    assert part is not None
    return part


def row_of(vault: Ground, target: Target) -> int:
    row = concepts(vault).row(target.iri)
    assert row is not None
    return row


def test_a_small_vault_has_chains_enough(every: tuple[Chain, ...], plan: Plan) -> None:
    assert len(every) >= 100
    assert len({chain.id for chain in every}) == len(every)
    assert len(plan) >= 0.95 * len(every)
    assert sum(arms["chain/reversal"].status == PLANNED for arms in plan.values()) >= 12


def test_the_edges_are_stated_and_no_edge_leads_from_a_to_the_end(vault: Ground, every: tuple[Chain, ...]) -> None:
    graph = Graph.of(concepts(vault))
    for chain in every:
        a, b = row_of(vault, chain.a), row_of(vault, chain.b)
        ends = {row_of(vault, target) for target in chain.targets}
        assert b in graph.related(a)[graph.numbers[chain.first]]
        assert ends == set(graph.related(b)[graph.numbers[chain.second]])
        links = concepts(vault).links(a)
        direct = {*links.parents, *links.ancestors, *(row for rows in graph.related(a).values() for row in rows)}
        for above in (*links.parents, *links.ancestors):
            direct |= {row for rows in graph.related(above).values() for row in rows}
        assert not ends & {a, b, *direct}


def test_the_targets_are_all_that_the_two_relations_lead_to(vault: Ground, every: tuple[Chain, ...]) -> None:
    graph = Graph.of(concepts(vault))
    for chain in every:
        middles = graph.related(row_of(vault, chain.a))[graph.numbers[chain.first]]
        reached = [set(graph.related(middle).get(graph.numbers[chain.second], ())) for middle in middles]
        assert set().union(*reached) == {row_of(vault, target) for target in chain.targets}
        assert sum(map(bool, reached)) == chain.routes
        assert 1 <= len(chain.targets) <= 4


@pytest.mark.parametrize("matcher", sorted(READERS))
def test_the_question_names_a_and_the_relations_only(every: tuple[Chain, ...], matcher: str) -> None:
    for chain in every:
        asked = READERS[matcher](chain.prompt)
        assert asked.names(chain.a.title)
        assert not any(asked.names(title) for title in chain.titles[1:])
        assert f'"{chain.first}"' in chain.prompt
        assert f'"{chain.second}"' in chain.prompt


def test_what_the_node_serves_of_a_names_no_target(vault: Ground, every: tuple[Chain, ...]) -> None:
    for chain in every:
        policy = vault.policies["default"]
        unit = policy.mint(
            concepts(vault), [(row_of(vault, chain.a), Candidate(chain.a.iri, 1.0, ""))], chain.prompt, hops=1, prose=False
        )[0]
        served = READERS["default"]("\n".join(unit.lines))
        assert not any(served.names(target.title) for target in chain.targets)


def test_every_arm_with_a_context_shows_as_many_units(plan: Plan) -> None:
    for arms in plan.values():
        for name, showing in arms.items():
            if name == "chain/raw":
                assert showing.block == NOTHING
                assert showing.asking.sent == [{"role": "user", "content": showing.question.prompt}]
            elif showing.status == PLANNED:
                assert len(showing.block.served) == 4
                assert not any(served.cut for served in showing.block.served)


@pytest.mark.parametrize("matcher", sorted(READERS))
def test_each_arm_shows_its_premises_and_nothing_else_of_the_chain(every: tuple[Chain, ...], plan: Plan, matcher: str) -> None:
    for chain in every:
        if chain.id not in plan:
            continue
        arms = plan[chain.id]
        units = {name: {served.evidence.iri for served in showing.block.served} for name, showing in arms.items()}
        assert {chain.a.iri, chain.b.iri} <= units["chain/both"]
        assert units["chain/b-only"] & chain.iris == {chain.b.iri}
        assert units["chain/a-only"] & chain.iris == {chain.a.iri}
        assert not units["chain/distractor"] & chain.iris
        assert not any(READERS[matcher](visible(arms["chain/a-only"].asking.sent)).names(each.title) for each in chain.targets)
        alone = READERS[matcher](arms["chain/distractor"].block.text)
        assert not any(alone.names(title) for title in chain.titles)
        without_a = READERS[matcher](arms["chain/b-only"].block.text)
        assert not without_a.names(chain.a.title)


def test_what_answers_stands_in_the_same_place_with_and_without_a(every: tuple[Chain, ...], plan: Plan) -> None:
    """Where a unit states the second relation in one arm, the unit in its place does in the other: only the route tells."""
    for chain in every:
        if chain.id not in plan:
            continue
        both, alone = (
            [chain.second in section.lines for section in sections(plan[chain.id][name].asking.sent)]
            for name in ("chain/both", "chain/b-only")
        )
        assert both == alone
        assert sum(both) >= 3


def test_places_are_drawn(every: tuple[Chain, ...], plan: Plan) -> None:
    places: Counter[int] = Counter()
    for chain in every:
        if chain.id in plan:
            served = plan[chain.id]["chain/both"].block.served
            places[[each.evidence.iri for each in served].index(chain.b.iri)] += 1
    assert sorted(places) == [0, 1, 2, 3]
    assert max(places.values()) < 0.4 * sum(places.values())


def shown(showing: Showing) -> list[str]:
    return sorted(name for served in showing.block.served for names in served.evidence.names for name in names)


@pytest.mark.parametrize("arm", ["chain/edge-swap", "chain/reversal"])
def test_a_changed_edge_changes_the_answer_and_neither_names_nor_length(plan: Plan, arm: str) -> None:
    tried = 0
    for arms in plan.values():
        both, changed = arms["chain/both"], arms[arm]
        if changed.status != PLANNED:
            continue
        tried += 1
        assert changed.block.text != both.block.text
        assert shown(changed) == shown(both)
        assert len(changed.block.text) == len(both.block.text)
        assert changed.question.prompt == both.question.prompt
        assert changed.notes["old"] == list(both.question.titles)
        for new in changed.question.titles:
            assert not any(READERS["default"](old).names(new) for old in both.question.titles)
            assert not READERS["default"](changed.question.prompt).names(new)
    assert tried >= 12


def test_the_reversal_turns_both_edges_of_b_round(every: tuple[Chain, ...], plan: Plan) -> None:
    for chain in every:
        changed = plan.get(chain.id, {}).get("chain/reversal")
        if changed is None or changed.status != PLANNED:
            continue
        edges = {
            (section.heading.removeprefix("## ").split(" (")[0], name)
            for section in sections(changed.asking.sent)
            for name in section.lines.get(chain.second, "").split(", ")
        }
        (end,), (begin,), b = [target.title for target in chain.targets], changed.question.titles, chain.b.title
        assert {(_bare(b), begin), (_bare(end), b)} <= edges
        assert not {(_bare(b), end), (_bare(begin), b)} & edges


def _bare(name: str) -> str:
    """A name without its brackets, as headings are compared here."""
    return name.split(" (")[0]


@pytest.mark.parametrize("matcher", sorted(READERS))
def test_renaming_leaves_no_name_of_the_chain_and_keeps_the_route(every: tuple[Chain, ...], plan: Plan, matcher: str) -> None:
    for chain in every:
        if chain.id not in plan:
            continue
        both, other = plan[chain.id]["chain/both"], plan[chain.id]["chain/renamed"]
        seen = READERS[matcher](" ".join([other.block.text, other.question.prompt]))
        assert not any(seen.names(title) for title in chain.titles)
        assert all(seen.names(title) for title in other.question.titles)
        assert len(other.question.gold) == len(chain.targets)
        assert len(set(shown(other))) == len(set(shown(both)))


def test_masking_leaves_the_names_and_takes_the_labels(every: tuple[Chain, ...], plan: Plan) -> None:
    for chain in every:
        if chain.id not in plan:
            continue
        both, other = plan[chain.id]["chain/both"], plan[chain.id]["chain/masked"]
        assert shown(other) == shown(both)
        labels = {label for section in sections(other.asking.sent) for label in section.lines}
        assert all(label.startswith("relation-") for label in labels)
        assert len(labels) == len({label for section in sections(both.asking.sent) for label in section.lines})


def test_what_is_written_reads_back(every: tuple[Chain, ...], tmp_path: Path) -> None:
    write(tmp_path / "c.jsonl", every)
    assert read(tmp_path / "c.jsonl") == every


def test_fewer_are_asked_for_and_each_subject_once(vault: Ground) -> None:
    mined = mine(vault, most=10)
    assert len(mined.chains) == len({chain.a.iri for chain in mined.chains}) == 10
    assert mined.read < 179
    assert mine(vault, most=10, seed=7).chains != mined.chains


def test_an_arm_that_cannot_be_had_says_why(vault: Ground, every: tuple[Chain, ...], plan: Plan) -> None:
    fit = [chain for chain in every if chain.id in plan][:5]
    small = list(showings(replace(vault, budget=40), fit, arms=["chain/both", "chain/raw"]))
    assert {(showing.arm, showing.status) for showing in small} == {("chain/both", NO_BLOCK), ("chain/raw", PLANNED)}
    several = [chain for chain in every if len(chain.targets) > 1][:5]
    for showing in showings(vault, several, arms=["chain/reversal"]):
        assert showing.status == NO_DONOR
        assert showing.notes["why"]
        assert showing.as_json()["messages"] == []


def test_chains_of_another_generation_are_refused(vault: Ground, every: tuple[Chain, ...]) -> None:
    strange = replace(every[0], b=Target("Nothing", "nothing", "urn:loom:kitchen:nothing"))
    with pytest.raises(BadInput, match="mine it anew"):
        list(showings(vault, [strange]))
    with pytest.raises(BadInput, match="mine it anew"):
        list(showings(vault, [replace(every[0], second="cooks")]))
    with pytest.raises(BadInput, match="Expected arms among"):
        list(showings(vault, every, arms=["both"]))
    with pytest.raises(BadInput, match="Expected most to be 1 or more"):
        mine(vault, most=0)


def test_the_plan_is_the_same_under_any_hash_seed(tmp_path: Path) -> None:
    store = str(built_in(tmp_path / "store"))
    for seed in ("0", "1"):
        env = {**os.environ, "PYTHONHASHSEED": seed}
        loom = [sys.executable, "-m", "loom", "lab", "chains"]
        chains, plan = str(tmp_path / f"c{seed}"), str(tmp_path / f"p{seed}")
        subprocess.run(
            [*loom, "mine", "--out", chains, "--store", store, "--most", "20"], check=True, capture_output=True, env=env
        )
        subprocess.run([*loom, "show", chains, "--out", plan, "--store", store], check=True, capture_output=True, env=env)
    assert (tmp_path / "c0").read_bytes() == (tmp_path / "c1").read_bytes()
    assert (tmp_path / "p0").read_bytes() == (tmp_path / "p1").read_bytes()
    assert ARMS[0] in (tmp_path / "p0").read_text(encoding="utf-8")
