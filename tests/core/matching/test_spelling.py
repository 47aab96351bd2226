"""The form of words: plurals and spellings fall together, unlike words do not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom.core.matching.spelling import form, singular


@pytest.mark.parametrize(
    "forms",
    [
        *("optimise optimize optimises optimizes", "optimisation optimization optimisations", "optimising optimizing"),
        *("organisational organizational", "generalisability generalizability", "tokeniser tokenizer"),
        *("colour color colours", "behavioural behavioral", "neighbourhood neighborhood", "odour odor"),
        *("centre center centres", "theatre theater", "fibre fiber", "kilometre kilometer", "centred centered"),
        *("modelling modeling", "modelled modeled", "traveller traveler", "counsellor counselor", "marvellous marvelous"),
        *("catalogue catalog catalogues", "dialogue dialog", "cataloguing cataloging", "catalogued cataloged"),
        *("licence license licences licenses", "defence defense", "practise practice", "licensing licencing"),
        *("analyse analyze", "analysed analyzed", "analysis analyses"),
        *("anaemia anemia", "paediatric pediatric", "archaeology archeology", "aesthetic esthetic", "leukaemia leukemia"),
        *("oestrogen estrogen", "foetus fetus", "manoeuvre maneuver", "diarrhoea diarrhea"),
        *("enrolment enrollment", "fulfil fulfill", "skilful skillful", "judgement judgment", "artefact artifact"),
        *("grey gray", "sulphur sulfur", "programme program programmes", "sceptic skeptic", "mould mold"),
        *("lens lenses", "alias aliases", "bias biases", "hypothesis hypotheses", "matrix matrices", "index indices"),
        *("criterion criteria", "knife knives", "mouse mice", "woman women", "bureau bureaux", "jeu jeux", "œuvre oeuvre"),
    ],
)
def test_one_word_has_one_form(forms: str) -> None:
    assert len({form(word) for word in forms.split()}) == 1


@pytest.mark.parametrize(
    "forms",
    [
        *("filling filing", "billing biling", "calling caling", "scoured scored", "daemon demon", "timbre timber"),
        *("boeing being", "prologue prolog", "michael michel", "poem pem", "four for", "hour hor", "tour tor", "acre acer"),
        *("base basis", "metre metro", "lens len", "safe save", "us use", "sense sent", "rise rice", "miss mis"),
    ],
)
def test_unlike_words_keep_apart(forms: str) -> None:
    one, other = forms.split()
    assert form(one) != form(other)


@given(st.text(st.characters(categories=["Lo"]), min_size=1, max_size=12))
def test_words_in_letters_without_case_stay_as_they_are(word: str) -> None:
    assert form(word) == singular(word) == word


@pytest.mark.parametrize("word", ["haus", "gas", "обучение", "νευρωνικα", "학습"])
def test_words_of_other_languages_are_not_cut_into_others(word: str) -> None:
    assert form(word) == word
