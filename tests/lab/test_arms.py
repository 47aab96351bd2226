"""All arms over the example corpus: what they promise, held against the texts themselves."""

import asyncio
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest
from support.arms import Kitchen, by_arm, opened

from loom.answer.plan import Pin
from loom.core.errors import BadInput
from loom.core.exposure import READERS, shown_names
from loom.core.exposure.names import DefaultText
from loom.core.policy.packing import FOOTER, HEADER
from loom.core.values import tokens_of
from loom.lab.arms import ARMS, Planned, measured, plan_arms
from loom.lab.arms.arm import BARE, MATCHED_TO
from loom.lab.arms.basis import admitted
from loom.lab.arms.shuffled import sentences
from loom.lab.question import LabQuestion, Target
from loom.lab.showing import NO_BLOCK, NO_DONOR, PLANNED, Showing, visible


@pytest.fixture(scope="module")
def kitchen() -> Iterator[Kitchen]:
    with opened() as made:
        yield made


@pytest.fixture(scope="module")
def planned(kitchen: Kitchen) -> Planned:
    return kitchen.plan(kitchen.questions, "all")


@pytest.fixture(scope="module")
def arms(planned: Planned) -> dict[str, list[Showing]]:
    return by_arm(planned)


def served(showing: Showing) -> set[str]:
    return {each.evidence.iri for each in showing.block.served}


def exposed(matcher: str, text: str, titles: tuple[str, ...]) -> set[str]:
    return {title for title in titles if READERS[matcher](text).names(title)}


def test_showings_are_questions_times_arms_in_order(kitchen: Kitchen, planned: Planned) -> None:
    assert planned.arms == ARMS and not planned.unavailable
    assert [(each.question.id, each.arm) for each in planned.showings] == [
        (question.id, arm) for question in kitchen.questions for arm in ARMS
    ]
    for showing in planned.showings:
        assert showing.block.tokens == tokens_of(showing.block.text)
        assert showing.wrapper == ("bare" if showing.arm in BARE or showing.arm == "raw" else "authoritative")
        assert showing.decision["engaged"] == showing.engaged
        if showing.status != PLANNED:
            assert not showing.block.text and showing.as_json()["messages"] == []


def test_raw_shows_the_question_alone_and_scaffold_what_is_served(kitchen: Kitchen, arms: dict[str, list[Showing]]) -> None:
    for raw, scaffold in zip(arms["raw"], arms["scaffold"], strict=True):
        assert raw.asking.sent == [{"role": "user", "content": raw.question.prompt}]
        plan = asyncio.run(kitchen.ground.plan(raw.question.prompt))
        assert scaffold.asking.sent == plan.prompt.body["messages"]


def test_true_is_the_block_of_the_scaffold_without_its_sentence(arms: dict[str, list[Showing]]) -> None:
    for true, scaffold in zip(arms["true"], arms["scaffold"], strict=True):
        assert true.block.text == scaffold.block.text
        if true.status == PLANNED:
            assert true.asking.sent[0] == {"role": "system", "content": true.block.text}
        else:
            assert true.status == NO_BLOCK and not scaffold.block.text


def test_shuffled_holds_the_same_sentences_and_exposes_the_same_names(kitchen: Kitchen, arms: dict[str, list[Showing]]) -> None:
    concepts = kitchen.concepts
    titles = tuple(map(concepts.title, range(concepts.count)))
    moved = 0
    for true, other in zip(arms["true"], arms["shuffled"], strict=True):
        if true.status == NO_BLOCK:
            assert other.status == NO_BLOCK
            continue
        body = other.block.text.split("\n")
        assert (body[0], body[-1]) == (HEADER, FOOTER)
        assert Counter(body[1:-1]) == Counter(line for line, _ in sentences(true.block))
        assert set(shown_names(other.block)) == set(shown_names(true.block))
        for matcher in READERS:
            assert exposed(matcher, other.block.text, titles) == exposed(matcher, true.block.text, titles)
        moved += [line for line, _ in sentences(true.block)] != body[1:-1]
    assert moved == sum(true.status == PLANNED for true in arms["true"])


def test_masked_names_no_seed(kitchen: Kitchen, arms: dict[str, list[Showing]]) -> None:
    concepts = kitchen.concepts
    for true, masked in zip(arms["true"], arms["masked"], strict=True):
        text = DefaultText(masked.block.text)
        for number, each in enumerate(true.block.served, 1):
            row = concepts.row(each.evidence.iri)
            assert row is not None
            for name in (concepts.title(row), *concepts.record(row).get("aliases", ())):
                assert not text.holds(name), (name, masked.block.text)
            assert f"Entity-{number}" in masked.block.text
        assert all(text.holds(name) for name in shown_names(masked.block))
        assert set(shown_names(masked.block)) < set(shown_names(true.block)) or not true.block.text


@pytest.mark.parametrize("arm", ["irrelevant", "answer-disjoint"])
def test_donors_are_a_derangement_without_a_common_seed(planned: Planned, arms: dict[str, list[Showing]], arm: str) -> None:
    items = {item.question.id: item for item in planned.items}
    donors = [showing.donor for showing in arms[arm] if showing.status == PLANNED]
    assert len(set(donors)) == len(donors)
    for showing in arms[arm]:
        if showing.status != PLANNED:
            assert showing.donor is None
            continue
        item, donor = items[showing.question.id], items[str(showing.donor)]
        assert donor is not item and showing.block == donor.true
        assert admitted(item.live).isdisjoint(admitted(donor.live))
        assert showing.question.class_slugs != donor.question.class_slugs
    able = sum(showing.status != NO_BLOCK for showing in arms["irrelevant"])
    if arm == "irrelevant":
        assert len(donors) >= 0.95 * able


def test_an_answer_disjoint_block_exposes_none_of_the_answer(arms: dict[str, list[Showing]]) -> None:
    paired = [showing for showing in arms["answer-disjoint"] if showing.status == PLANNED]
    assert len(paired) > 100
    for showing in paired:
        for matcher in READERS:
            assert not exposed(matcher, showing.block.text, showing.question.titles)


def test_fluent_noise_is_about_nothing_near(kitchen: Kitchen, planned: Planned, arms: dict[str, list[Showing]]) -> None:
    concepts = kitchen.concepts
    for item, showing in zip(planned.items, arms["fluent-noise"], strict=True):
        for iri in admitted(item.live):
            row = concepts.row(iri)
            assert row is not None
            links = concepts.links(row)
            near = {row, *links.parents, *links.ancestors, *(each for _, group in links.relations for each in group)}
            assert served(showing).isdisjoint(concepts.iri(each) for each in near)


@pytest.mark.parametrize(("arm", "to"), MATCHED_TO.items())
def test_matched_arms_have_the_tokens_of_the_other(arms: dict[str, list[Showing]], arm: str, to: str) -> None:
    pairs = [(showing, other.block.tokens) for showing, other in zip(arms[arm], arms[to], strict=True) if other.block.tokens]
    near = [abs(showing.block.tokens - tokens) <= 0.02 * tokens for showing, tokens in pairs]
    assert len(pairs) > 100 and sum(near) >= 0.95 * len(near)
    for (showing, tokens), held in zip(pairs, near, strict=True):
        assert showing.notes["tokens_wanted"] == tokens and ("off_by" in showing.notes) == (not held)


def test_entities_are_the_same_units_without_a_relation(kitchen: Kitchen, arms: dict[str, list[Showing]]) -> None:
    relations = tuple(f"{name}: " for name in (*kitchen.concepts.predicates, "is-a", "ancestors", "- "))
    for showing, scaffold in zip(arms["entity-only"], arms["scaffold"], strict=True):
        assert served(showing) == served(scaffold)
        assert not [line for line in showing.block.text.split("\n") if line.startswith(relations)]
        assert showing.block.tokens <= scaffold.block.tokens


def test_an_open_gate_shows_what_a_shut_one_kept_back(kitchen: Kitchen) -> None:
    shut = [question for question in kitchen.questions if not asyncio.run(kitchen.ground.plan(question.prompt)).block.text]
    asked = [*shut, LabQuestion("weak", "Which bowl would suit a picnic by the sea?")]
    found = by_arm(kitchen.plan(asked, ["scaffold", "true", "always-inject", "flat-bm25", "graph-query"]))
    weak = {arm: showings[-1] for arm, showings in found.items()}
    assert not weak["scaffold"].block.text and weak["scaffold"].status == PLANNED and weak["scaffold"].engaged is False
    assert weak["true"].status == NO_BLOCK
    assert weak["always-inject"].block.text and weak["always-inject"].notes["differs"] and not weak["always-inject"].engaged
    assert not weak["flat-bm25"].block.text and not weak["graph-query"].block.text


def test_what_the_template_names_is_no_seed(kitchen: Kitchen) -> None:
    subjects = ["Brioche", "Dashi", "Umami", "Béchamel", "Wok", "Emulsion", "Focaccia", "Miso Soup"]
    questions = [
        LabQuestion(str(at), f"For a stock pot and {name}, what is {name} part of?") for at, name in enumerate(subjects)
    ]
    pot = "urn:loom:kitchen:stockpot"
    found = kitchen.plan(questions, ["scaffold", "true", "irrelevant", "fluent-noise"])
    assert [(seed.iri, seed.share) for seed in found.template_seeds] == [(pot, 1.0)]
    arms = by_arm(found)
    assert all(pot in served(showing) for showing in arms["scaffold"])
    assert not any(pot in served(showing) for arm in ("true", "irrelevant", "fluent-noise") for showing in arms[arm])
    assert all(showing.status == PLANNED for showing in arms["irrelevant"])
    assert all(showing.notes["template_removed"] for showing in arms["true"])


def test_the_subject_of_a_set_is_not_its_template(kitchen: Kitchen) -> None:
    questions = [
        LabQuestion(str(at), f"What does Brioche {verb}?", class_slugs=("brioche",))
        for at, verb in enumerate(["require", "use", "need", "contain"])
    ]
    found = kitchen.plan(questions, ["true", "irrelevant"])
    assert found.template_seeds == ()
    assert [showing.status for showing in found.showings] == [PLANNED, NO_DONOR] * 4


def test_sets_lend_to_one_another(kitchen: Kitchen) -> None:
    questions = [LabQuestion("1", "What is Dashi?", set="a"), LabQuestion("1", "What is Brioche?", set="b")]
    found = by_arm(kitchen.plan(questions, ["irrelevant", "true"]))
    assert [showing.notes for showing in found["irrelevant"]] == [{"donor_set": "b"}, {"donor_set": "a"}]
    assert found["irrelevant"][0].block == found["true"][1].block


def test_gold_stands_in_where_a_question_has_none(kitchen: Kitchen) -> None:
    questions = [LabQuestion("1", "What is Dashi?"), LabQuestion("2", "What is Brioche?")]
    found = kitchen.plan(questions, ["true", "answer-disjoint"])
    result = measured(found, "default")
    assert all(item.proxied and item.targets for item in found.items) and result["without_gold"] == 2
    assert result["ceiling"]["true"]["default"] == {"n": 0, "macro": None, "reference": None, "micro": None}
    assert result["arms"]["true"]["block_exposure"]["default"]["macro"] == 1.0
    assert result["arms"]["answer-disjoint"]["block_exposure"]["default"]["max"] == 0.0


def test_what_is_measured_is_what_is_shown(planned: Planned, arms: dict[str, list[Showing]]) -> None:
    result = measured(planned, "default")
    assert list(result)[:5] == ["matcher", "seed", "questions", "engaged", "without_gold"]
    assert list(result["ceiling"]) == list(ARMS)
    for arm in ("raw", "scaffold", "masked", "irrelevant"):
        shares, items = [], []
        for showing in arms[arm]:
            if showing.status == PLANNED:
                text = visible(showing.asking.sent)
                hits = [READERS["default"](text).names(title) for title in showing.question.titles]
                items += hits
                shares.append(float(any(hits)) if showing.question.gold_type == "any" else sum(hits) / len(hits))
        found = result["ceiling"][arm]["default"]
        assert math.isclose(found["macro"], sum(shares) / len(shares))
        assert math.isclose(found["micro"], sum(items) / len(items)) and found["n"] == len(shares)
    checks = result["checks"]
    assert all(check["violations"] == 0 for name, check in checks.items() if "within" not in name), checks
    assert checks["irrelevant_seed_disjoint"]["donors_twice"] == 0


def test_a_broken_control_is_counted(planned: Planned) -> None:
    """The checks read the showings: one that shows its own block as its donor's fails them."""
    broken = [
        replace(showing, block=item.true, donor=item.question.id)
        if showing.arm in ("irrelevant", "answer-disjoint") and showing.status == PLANNED
        else replace(showing, block=item.true)
        if showing.arm == "fluent-noise"
        else showing
        for showing, item in zip(planned.showings, [item for item in planned.items for _ in planned.arms], strict=True)
    ]
    checks = measured(replace(planned, showings=tuple(broken)), "default")["checks"]
    assert checks["irrelevant_seed_disjoint"]["violations"] == checks["irrelevant_seed_disjoint"]["n"]
    assert checks["answer-disjoint_exposes_nothing"]["violations"] > 0
    assert checks["fluent-noise_within_tokens_of_true"]["violations"] == 0


def test_another_seed_draws_other_donors_and_the_same_seed_the_same(kitchen: Kitchen) -> None:
    some = kitchen.questions[:60]
    drawn = ["shuffled", "irrelevant", "fluent-noise"]

    def lines(seed: int) -> list[dict]:
        return list(kitchen.plan(some, drawn, seed, pin=replace(kitchen.ground.pin, grounded={})).lines())

    first, again, other = lines(1), lines(1), lines(2)
    assert first == again
    for at in range(3):
        assert first[at::3] != other[at::3]
    assert {line["showing"]["seed"] for line in other} == {2}


def test_arms_that_need_what_is_not_there_say_so(kitchen: Kitchen) -> None:
    without = replace(kitchen.ground, pin=Pin(kitchen.ground.pin.generation))
    found = asyncio.run(plan_arms(without, kitchen.questions[:2], "all", seed=1))
    assert sorted(found.unavailable) == ["flat-dense", "flat-fused", "graph-query"]
    assert "loom embed" in found.unavailable["flat-dense"] and "triples" in found.unavailable["graph-query"]
    assert len(found.showings) == 2 * (len(ARMS) - 3)


@pytest.mark.parametrize(
    ("arms", "said"),
    [(["scaffold", "sham"], "'sham'"), (["raw", "raw"], "raw is given twice"), ([], "at least one arm"), ("none", "'none'")],
)
def test_arms_that_are_none(kitchen: Kitchen, arms: list[str] | str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        kitchen.plan(kitchen.questions[:2], arms)


def test_questions_that_are_none(kitchen: Kitchen) -> None:
    with pytest.raises(BadInput, match="at least one question"):
        kitchen.plan([], "all")
    twice = LabQuestion("1", "What is Dashi?", (Target("Stock"),))
    with pytest.raises(BadInput, match="own id"):
        kitchen.plan([twice, twice], ["raw"])
