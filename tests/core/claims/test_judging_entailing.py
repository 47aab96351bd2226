"""Whether a text alone says what another says."""

import pytest
from hypothesis import strategies as st
from support.trying import many

from loom.core.claims.judging.asked import Inference, Known
from loom.core.claims.judging.entailing import entailed
from loom.core.claims.judging.replacing import of_one_subject, replaceable


@pytest.mark.parametrize(
    "premise, proposition, given",
    [
        ("The old kiln in Riga is open.", "The kiln is open.", ()),
        ("Kolb purchased the kiln.", "Kolb bought the kiln.", ()),
        ("She sold the kiln.", "Jane Mwangi sold the kiln.", ("Jane Mwangi",)),
        ("I sold our kiln.", "Ana sold Ana's kiln.", ("Ana",)),
        ("The kiln holds 40 bricks.", "The kiln holds more than 30 bricks.", ()),
        ("The kiln was sold on 3 May 2026.", "The kiln was sold in May 2026.", ()),
        ("The gate is not open.", "The gate is closed.", ()),
        ("The kiln is not open.", "The kiln isn't open.", ()),
        ("The kiln will be open in March.", "The kiln will be open.", ()),
        ("The kiln was nearly sold in March.", "The kiln was nearly sold.", ()),
        ("The price of the kiln fell by half.", "The price of the kiln fell.", ()),
    ],
)
def test_it_does(premise: str, proposition: str, given: tuple[str, ...]) -> None:
    assert entailed(Inference(premise, proposition, given))


@pytest.mark.parametrize(
    "premise, proposition, given",
    [
        ("The kiln is open.", "The old kiln is open.", ()),
        ("The kiln is open.", "The kiln is not open.", ()),
        ("The kiln is not open.", "The kiln is open.", ()),
        ("The gate is not open.", "The gate is not closed.", ()),
        ("The kiln may be open.", "The kiln is open.", ()),
        ("Is the kiln open?", "The kiln is open.", ()),
        ("The kiln is hot, provided that the valve is open.", "The valve is open.", ()),
        ("The kiln is hot as long as the valve is open.", "The kiln is hot.", ()),
        ("Without a valve the kiln is hot.", "The kiln is hot.", ()),
        ("Ben says the kiln is open.", "The kiln is open.", ()),
        ("The kiln was nearly sold.", "The kiln was sold.", ()),
        ("Ana tried to sell the kiln.", "Ana sold the kiln.", ()),
        ("The kiln is to be sold.", "The kiln is sold.", ()),
        ("The kiln will be sold.", "The kiln was sold.", ()),
        ("The kiln was sold.", "The kiln will be sold.", ()),
        ("The kiln is too small to feed the shop.", "The kiln feeds the shop.", ()),
        ("The former head of the shop is Ana.", "The head of the shop is Ana.", ()),
        ("Kolb bought the oven rather than the kiln.", "Kolb bought the kiln.", ()),
        ("Except for the kiln, everything is new.", "The kiln is new.", ()),
        ("One of the kilns is open.", "The kilns are open.", ()),
        ("It is unlikely that the kiln is open.", "The kiln is open.", ()),
        ("The price fell by 10 euros.", "The price is 10 euros.", ()),
        ("The kiln holds 40 bricks.", "The kiln holds 50 bricks.", ()),
        ("The kiln holds more than 30 bricks.", "The kiln holds 40 bricks.", ()),
        ("The kiln was sold in May 2026.", "The kiln was sold on 3 May 2026.", ()),
        ("The kiln was sold.", "The kiln was sold on 3 May 2026.", ()),
        ("The kiln was sold.", "Jane Mwangi sold the kiln.", ("Jane Mwangi",)),
        ("She sold the kiln.", "Jane Mwangi sold the kiln.", ()),
        ("Ana sold it to Ben.", "Ben sold it to Ana.", ()),
        ("Only the kiln is open.", "The kiln is open today and tomorrow.", ()),
        ("The kiln is open.", "", ()),
        ("", "The kiln is open.", ()),
    ],
)
def test_it_does_not(premise: str, proposition: str, given: tuple[str, ...]) -> None:
    assert not entailed(Inference(premise, proposition, given))


WORDS = st.lists(
    st.sampled_from("the kiln Ana Ben sold open closed not in_May may Riga only never 3_bricks five_bricks".split()).map(
        lambda word: word.replace("_", " ")
    ),
    min_size=1,
    max_size=8,
)


@many(WORDS, WORDS)
def test_a_premise_with_more_in_it_says_no_less(one: list[str], other: list[str]) -> None:
    """Entailment is of words: what a sentence says, it says with a place behind it."""
    premise, proposition = " ".join(one), " ".join(other)
    if entailed(Inference(premise, proposition)):
        assert entailed(Inference(f"{premise} near Talsi", proposition))


@many(WORDS, WORDS, WORDS)
def test_entailment_goes_on(one: list[str], other: list[str], third: list[str]) -> None:
    first, second, last = (" ".join(words) for words in (one, other, third))
    if entailed(Inference(first, second)) and entailed(Inference(second, last)) and set(second.split()) >= set(last.split()):
        assert set(map(str.lower, last.split())) - {"the"} and not entailed(Inference(first, f"{last} Zanzibar"))


@pytest.mark.parametrize(
    "one, other, same",
    [
        ("Consortium Y has left Kenya.", "Consortium Y is back in Kenya.", True),
        ("The feed pump depends on the valve.", "The feed pump no longer depends on the valve.", True),
        ("The price of gas rose in May.", "The price of gas fell in May.", True),
        ("Our mill in Riga ships on Mondays.", "Our mill in Riga does not ship on Mondays.", True),
        ("The kiln leaks if the valve is open.", "The kiln does not leak if the valve is open.", True),
        ("The old kiln is open.", "The new kiln is open.", False),
        ("The old kiln is open.", "The old pump is open.", False),
        ("", "The old pump is open.", False),
    ],
)
def test_whether_two_signals_are_of_one_subject(one: str, other: str, same: bool) -> None:
    assert of_one_subject(one, other) == of_one_subject(other, one) == same


def test_the_month_of_may_leaves_nothing_open() -> None:
    assert entailed(Inference("The price of gas rose in May.", "The price of gas rose."))
    assert not entailed(Inference("The price of gas may rise.", "The price of gas rose."))


def test_only_signals_of_the_same_subject_may_be_replaced() -> None:
    new = Known("s3", "The kiln in Riga is closed.", "2026-03-02")
    earlier = [Known("s1", "The kiln in Riga is open."), Known("s2", "The shop in Riga is open."), new]
    found = dict(replaceable(new, earlier))
    assert list(found) == ["s1"] and (found["s1"].new.text, found["s1"].candidate.text) == (new.text, earlier[0].text)
    assert not dict(replaceable(Known("s4", ""), earlier))
