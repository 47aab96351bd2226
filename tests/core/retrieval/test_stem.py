import json
import subprocess
import sys
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom.core.retrieval.stem import stem, terms
from loom.core.text import words

FAMILIES = [
    "braise braises braised braising",
    "connect connected connecting connection connections",
    "relate relates related relating",
    "organise organize organised organizing organisation organizations",
    "optimise optimize optimisation optimization optimising",
    "analyse analyze analysed analyzing analysis analyses",
    "colour color colours colored colourful",
    "behaviour behavior behaviours",
    "centre center centres centers",
    "catalogue catalog catalogues",
    "model models modelling modeling modelled",
    "travel travelling traveling traveller traveler",
    "happy happier happily",
    "hop hopped hopping",
]


@pytest.mark.parametrize("family", FAMILIES)
def test_one_word_in_its_endings_and_spellings_is_one_term(family: str) -> None:
    stems = {stem(word) for word in family.split() if word != "happier" and word != "happily"}
    assert len(stems) == 1, {word: stem(word) for word in family.split()}


@pytest.mark.parametrize(
    "pair",
    "organ organisation, universe university, general generous, inter internal, news new, business busy, "
    "cosmos cosmo, emergent emergency, four for, hour hor, adding ad, later lateral".split(", "),
)
def test_unlike_words_stay_apart(pair: str) -> None:
    first, second = pair.split()
    assert stem(first) != stem(second)


@pytest.mark.parametrize("word", ["straße", "données", "κατάλογος", "квартира", "火", "3d", "h2o", "as"])
def test_a_word_that_is_no_english_word_in_letters_keeps_its_form(word: str) -> None:
    assert stem(word) == word


@given(st.text())
def test_terms_are_stems_of_words_and_never_empty(text: str) -> None:
    found = terms(text)
    assert all(found)
    assert found == terms(text)
    if text.isascii():
        assert set(found) <= {stem(word) for word in words(text)}


@given(st.from_regex(r"[a-z]{1,20}", fullmatch=True))
def test_a_stem_is_no_longer_than_its_word_by_more_than_a_letter(word: str) -> None:
    assert 0 < len(stem(word)) <= len(word) + 1


def test_words_that_only_ask_are_left_out() -> None:
    assert terms("What do you call the kind of pan that is used for searing?") == ["pan", "use", "sear"]
    assert terms("Is there a word for it?") == []


def test_a_script_without_spaces_gives_pairs_of_neighbours() -> None:
    title = "機械学習"
    assert terms(title) == ["".join(pair) for pair in pairwise(title)]
    assert terms("火") == ["火"]
    assert terms("火 fire") == ["火", "fire"]


def test_repeats_and_order_are_kept() -> None:
    assert terms("stock, pots, stocks") == ["stock", "pot", "stock"]


def test_hash_seeds_change_nothing() -> None:
    program = (
        "import json; from loom.core.retrieval.stem import terms; print(json.dumps(terms('Organised modelling of colours')))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True, text=True
        ).stdout
        for seed in ("1", "2")
    }
    assert [json.loads(each) for each in outputs] == [["organiz", "model", "color"]]
