"""Choice tasks: the threshold is the true optimum, exclusions are no evidence, populations stand apart."""

import random
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom.core.errors import BadInput
from loom.lab.choice import Choice, Option, compare, rank, tune
from loom.lab.choice.ranking import positive
from loom.lab.choice.task import choice_of
from loom.lab.choice.threshold import held_out, on_grid, right_at

SKILLS = (
    Option("bake", "Bake bread, rolls and cakes in the oven.", "Not for frying, or for anything cooked in oil."),
    Option("fry", "Fry food in hot oil: chips, fritters, tempura."),
    Option("boil", "Boil pasta, potatoes and eggs in water. Do not use for frying chips."),
)

tables = st.lists(
    st.tuples(st.sampled_from([0.0, 0.5, 1.0, 1.25, 2.0, 7.5]) | st.floats(-5, 20), st.booleans(), st.booleans()),
    min_size=1,
    max_size=40,
).map(lambda rows: tuple(map(list, zip(*rows, strict=True))))


def brute(scores: list[float], picked: list[bool], declined: list[bool]) -> tuple[int, float]:
    """The best count over every threshold that can differ, and the lowest threshold among the scores that reaches it."""
    candidates = sorted({*scores, inf})
    counts = [sum(right_at(each, scores, picked, declined)) for each in candidates]
    return max(counts), candidates[counts.index(max(counts))]


@given(tables)
def test_the_tuned_threshold_is_that_of_brute_force(table: tuple[list[float], list[bool], list[bool]]) -> None:
    found = tune(*table)
    assert (found.right, found.threshold) == brute(*table)
    assert sum(right_at(found.threshold, *table)) == found.right


def test_on_a_thousand_random_tables_it_equals_brute_force_and_no_grid_beats_it() -> None:
    draw = random.Random(7)
    for _ in range(1000):
        n = draw.randint(1, 30)
        scores = [round(draw.choice([draw.random(), draw.gauss(0, 3)]), draw.choice([0, 1, 6])) for _ in range(n)]
        answers = [draw.random() < 0.4 for _ in range(n)]
        table = scores, [not each and draw.random() < 0.6 for each in answers], answers
        found = tune(*table)
        assert (found.right, found.threshold) == brute(*table)
        assert all(on_grid(steps, *table) <= found.accuracy for steps in (2, 3, 11, 21, 101))
        between = [(low + high) / 2 for low, high in zip(sorted(scores), sorted(scores)[1:], strict=False)]
        assert all(sum(right_at(each, *table)) <= found.right for each in between)


def test_of_equally_good_thresholds_the_one_that_declines_least_is_taken() -> None:
    found = tune([1.0, 2.0], [True, False], [False, True])
    assert (found.right, found.threshold, found.ties) == (1, 1.0, 2)
    assert tune([1.0], [False], [True]).threshold == inf


def test_a_coarse_grid_steps_over_the_optimum() -> None:
    table = [0.0, 4.1, 4.2, 10.0], [False, False, True, True], [True, True, False, False]
    assert tune(*table).accuracy == 1.0
    assert on_grid(3, *table) < 1.0


@pytest.mark.parametrize("bad", [([], [], []), ([1.0], [True], []), ([float("nan")], [True], [False])])
def test_tables_that_are_none_are_refused(bad: tuple[list[float], list[bool], list[bool]]) -> None:
    with pytest.raises(BadInput):
        tune(*bad)


def test_what_an_option_excludes_is_no_evidence_for_it() -> None:
    turn = Choice("a", "frying chips in oil", SKILLS, "fry")
    assert rank(turn).option == "fry"
    assert dict(rank(turn).scores)["bake"] == 0.0
    assert dict(rank(turn).scores)["boil"] == 0.0
    naive = dict(rank(turn, exclusions_count=True).scores)
    assert naive["bake"] > 0 and naive["boil"] > 0


def test_a_stated_exclusion_that_the_text_repeats_is_taken_out() -> None:
    assert "frying" not in positive("Bake bread. Bread, frying it is another skill.", "frying it is another skill.")
    assert positive("Boil eggs. Unless they are to be poached.").strip() == "Boil eggs."
    assert "avocado" in positive("Slice avocado, avoiding the stone.")


def test_equal_scores_go_to_the_option_listed_first() -> None:
    assert rank(Choice("a", "nothing of it", SKILLS, None)).option == "bake"
    assert rank(Choice("a", "nothing of it", SKILLS, None)).score == 0.0


def asked() -> list[Choice]:
    return [
        Choice("1", "bake bread", SKILLS, "bake", "plain", True, "bake"),
        Choice("2", "fry chips", SKILLS, "fry", "plain", True, "fry"),
        Choice("3", "boil eggs", SKILLS, "boil", "plain", True, "boil"),
        Choice("4", "what is the weather", SKILLS, None, "boundary", True, None),
        Choice("5", "eggs that are fried in oil", SKILLS, "boil", "boundary", True, "fry"),
        Choice("6", "cakes without an oven", SKILLS, None, "boundary", True, None),
    ]


def test_accuracy_is_told_by_population_with_the_judge_beside_and_disagreements_first() -> None:
    found = compare(asked(), folds=3)
    result = found.as_json()
    assert next(iter(result)) == "disagreements"
    assert [each["id"] for each in result["disagreements"]] == ["6"]
    assert [each["id"] for each in result["suspect_labels"]] == ["5"]
    assert result["populations"]["plain"]["ranker"]["accuracy"] == 1.0
    assert result["populations"]["boundary"]["judge"]["right"] == 2
    assert result["populations"]["boundary"]["judge_against_ranker"] == {
        "only_a": 1,
        "only_b": 0,
        "discordant": 1,
        "p_exact": 1.0,
        "p_holm": 1.0,
    }
    assert result["populations"]["pooled"]["n"] == 6


def test_a_held_out_threshold_has_not_seen_its_item() -> None:
    table = [1.0, 2.0, 4.0, 8.0], [False, True, False, True], [True, False, True, False]
    ids = list("abcd")
    assert tune(*table).right == 3
    # Tuned on the others: all are picked; from 6 on; from 1.5 on; from 1.5 on.
    assert held_out(ids, *table, folds=4) == [False, False, False, True]
    assert held_out(ids, *table, folds=2, seed=1) == held_out(ids, *table, folds=2, seed=1)


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"id": "a", "options": [{"id": "x", "text": "t"}], "shown": "s"}, "answer"),
        ({"id": "a", "options": [{"id": "x", "text": "t"}], "shown": "s", "answer": "y"}, "'y'"),
        ({"id": "a", "options": [{"id": "x", "text": "t"}], "shown": "s", "answer": "x", "judge_choice": "z"}, "'z'"),
        ({"id": "a", "options": [], "shown": "s", "answer": None}, "options"),
        ({"id": "a", "options": [{"id": "x", "text": "t"}] * 2, "shown": "s", "answer": None}, "twice"),
        ({"id": "a", "options": ["x"], "shown": "s", "answer": None}, "object"),
        ({"id": "a", "options": [{"id": "x", "text": "t"}], "answer": None}, "turn"),
    ],
)
def test_what_is_no_choice_is_refused_in_a_sentence(row: dict[str, object], told: str) -> None:
    with pytest.raises(BadInput, match=told):
        choice_of(row, "line 1")


def test_ids_may_be_numbers_and_a_judge_may_decline() -> None:
    made = choice_of({"id": 1, "options": [{"id": 7, "text": "t"}], "turn": "s", "answer": 7, "judge_choice": None}, "line 1")
    assert (made.answer, made.judged, made.judge) == ("7", True, None)


@pytest.mark.parametrize(
    "turn",
    [
        ", but not for bread",
        ", except bread",
        " and never for bread",
        ". This skill is not for bread",
        ". It should not be used for bread",
    ],
)
def test_what_a_clause_turns_to_exclude_is_no_evidence(turn: str) -> None:
    assert positive(f"Soup{turn} in an oven.").startswith("Soup")
    assert "bread" not in positive(f"Soup{turn} in an oven.")
    assert positive("Bread that is not sweet, for an oven.") == "Bread that is not sweet, for an oven."
