"""Which units are proposed: names that are meant exactly stay, whatever a joint ranking prefers."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from loom.core.matching.match import Match
from loom.core.retrieval.choose import by_names, exact, fused, reason, sole, whole
from loom.core.retrieval.look import Look, Named, Near, Word, blended, standings

WORDS = tuple(Word(word, word, at, weight, rarity, 0.0) for at, (word, weight, rarity) in enumerate(
    [("tide", 0.4, 0.35), ("kiln", 0.9, 0.85), ("harbour", 0.5, 0.45), ("salt", 0.3, 0.25)]
))  # fmt: skip


def seen(names: list[tuple[int, int, int]], rows: list[int]) -> Look:
    """A look at four words: names as (row, first word, words), and rows of texts, best first."""
    total = sum(word.weight for word in WORDS)
    found, held = [], {}
    for row, start, words in names:
        own = tuple(start <= at < start + words for at in range(len(WORDS)))
        share = sum(word.weight for word, named in zip(WORDS, own, strict=True) if named) / total
        rarity = max(word.rarity for word, named in zip(WORDS, own, strict=True) if named)
        match = Match(row, 8.0 * words, True, 1.0, "name", words, start, words)
        found.append(Named(match, own, rarity, share, 0.0, 1.0 - share))
        held[row] = np.zeros(len(WORDS), dtype=bool)
    scores = {row: 10.0 - at for at, row in enumerate(rows)}
    return Look(WORDS, tuple(name.match for name in found), tuple(found), tuple(rows), scores, 20.0, held)


def test_a_rare_word_or_several_are_exact_and_an_everyday_one_is_not() -> None:
    names = seen([(1, 0, 2), (2, 1, 1), (3, 3, 1)], []).names
    assert [exact(name) for name in names] == [True, True, False]


def test_names_alone_put_first_what_takes_up_most() -> None:
    assert [each.row for each in by_names(seen([(3, 3, 1), (1, 0, 2)], [7]), 4)] == [1, 3]


def test_a_name_that_leaves_most_of_a_question_over_does_not_stand_alone() -> None:
    assert sole(seen([(1, 0, 3)], [])) and not sole(seen([(2, 0, 1)], []))


@given(
    st.lists(st.sampled_from([(1, 0, 2), (2, 1, 1), (3, 3, 1)]), unique=True, max_size=3),
    st.permutations(range(20, 40)),
    st.permutations(range(30, 60)),
)
def test_a_name_that_is_meant_exactly_is_never_pushed_out(
    names: list[tuple[int, int, int]], texts: list[int], near: list[int]
) -> None:
    shown = seen(names, texts)
    meaning = Near(
        tuple(near[:24]), {**dict.fromkeys((1, 2, 3), -0.2), **dict.fromkeys(texts, 0.1), **dict.fromkeys(near, 0.9)}
    )
    proposed = fused(shown, standings(shown, meaning), meaning, 4, 8)
    rows = [each.row for each in proposed]
    assert len(rows) == len(set(rows)) <= 8
    assert {name.match.row for name in shown.names if exact(name)} <= set(rows)


def test_where_only_meaning_finds_something_the_decision_says_so() -> None:
    shown = seen([], [])
    near = Near((5,), {5: 0.7})
    assert reason(fused(shown, standings(shown, near), near, 4, 8)) == "semantic"
    assert reason([]) == "off_topic"


def test_rankings_are_blended_by_weight() -> None:
    assert list(blended([(1.0, {1: 2.0, 2: 1.0}), (0.4, {2: 1.0, 3: 0.5})])) == [1, 2, 3]


def test_a_name_that_is_nearly_all_that_is_said_is_meant() -> None:
    assert whole(seen([(1, 0, 3)], [])) and not whole(seen([(1, 0, 2), (3, 3, 1)], []))
