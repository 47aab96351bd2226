"""The scorer of LoCoMo, against figures worked out by hand from the original's text (with NLTK's stems)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom.lab.locomo.scorer import ADVERSARIAL, MULTI, OPEN, SINGLE, TEMPORAL, declines, f1, normalised, reach, score

replies = st.text(alphabet="abc ,.;-'THEand", max_size=30)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("The Cat, and a dog!", "cat dog"),
        ("self-care", "selfcare"),
        ("7 May, 2023", "7 may 2023"),
        ("an   ANT & the  theatre", "ant theatre"),
        ("", ""),
        ("“quoted”", "“quoted”"),
        ("rock'n'roll", "rocknroll"),
    ],
)
def test_text_is_normalised_as_the_original_does(text: str, wanted: str) -> None:
    assert normalised(text) == wanted


@pytest.mark.parametrize(
    ("category", "reply", "reference", "wanted"),
    [
        (SINGLE, "painted animals", "an animal painting", 1.0),  # stems "paint" and "anim" on both sides
        (SINGLE, "red red car", "red car", 0.8),  # 2 of 3 and 2 of 2: a bag counts a repeated word once where it stands once
        (SINGLE, "boat", "car", 0.0),
        (SINGLE, "", "car", 0.0),
        (SINGLE, "car; boat", "car", 2 / 3),
        (TEMPORAL, "7 May, 2023", "7 May 2023", 1.0),
        (TEMPORAL, "8 May, 2023", "7 May 2023", 2 / 3),
        (OPEN, "yes", "Yes; she paints", 1.0),  # only what stands before the first semicolon
        (OPEN, "she paints", "Yes; she paints", 0.0),
        (MULTI, "tea, yoga", "yoga, tea", 1.0),
        (MULTI, "tea, yoga, chess, swimming", "yoga, tea", 1.0),  # a wrong part costs nothing
        (MULTI, "tea", "yoga, tea", 0.5),
        (MULTI, "green tea", "tea, yoga", 1 / 3),
        (MULTI, "tea, ", "tea,", 0.5),  # an empty part of the reference is matched by nothing
        (ADVERSARIAL, "No information available", "yoga", 1.0),
        (ADVERSARIAL, "That was NOT MENTIONED.", "", 1.0),
        (ADVERSARIAL, "yoga", "yoga", 0.0),  # the reference is not looked at
        (ADVERSARIAL, "none", "", 0.0),
        (SINGLE, "No information available", "information about tea", 1 / 3),  # 1 of 3 on both sides
    ],
)
def test_a_reply_scores_as_the_original_scores_it(category: int, reply: str, reference: str, wanted: float) -> None:
    assert score(category, reply, reference) == pytest.approx(wanted)


@given(replies, replies)
def test_f1_is_symmetric_and_one_only_for_the_same_bag(one: str, other: str) -> None:
    assert f1(one, other) == pytest.approx(f1(other, one))
    assert 0 <= f1(one, other) <= 1
    if sorted(normalised(one).split()) == sorted(normalised(other).split()) != []:
        assert f1(one, other) == pytest.approx(1)


@given(replies)
def test_what_declines_scores_on_adversarial_questions_only(reply: str) -> None:
    assert score(ADVERSARIAL, reply, "tea") == float(declines(reply))


def test_reach_is_the_share_of_the_evidence() -> None:
    assert reach(["D1:1", "D1:2"], {"D1:2"}) == 0.5
    assert reach([], set()) == 1.0
    assert reach(["D1:1; D1:2"], {"D1:1", "D1:2"}) == 0.0
