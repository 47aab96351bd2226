"""Names with a possessive ending in them, or behind them: nobody's name is whole, and a known one ends where it ends."""

import pytest
from support.asked_bases import LIGHTS, held

from loom.core.facts.reading import read


@pytest.mark.parametrize(
    ("question", "unowned"),
    [
        ("What was the peak share of Uncle Ferdie's Almanac?", ("Uncle Ferdie's Almanac",)),
        ("What was the peak share of the Harbour’s Weekly Almanac?", ("Harbour’s Weekly Almanac",)),
        ("What was Uncle Ferdie's peak share?", ("Uncle Ferdie",)),
        ("Who plays in the programme Mercer's Orchard?", ("Mercer's Orchard",)),
    ],
)
def test_a_name_of_nobody_is_noted_whole(question: str, unowned: tuple[str, ...]) -> None:
    ask = read(held(), question)
    assert ask.unowned == unowned and ask.entities == () and ask.sources == ()


@pytest.mark.parametrize("question", ["What was Harbour Lights's peak share?", "What was Harbour Lights' Peak Share?"])
def test_a_known_name_ends_before_its_possessive(question: str) -> None:
    ask = read(held(), question)
    assert ask.entities == (LIGHTS,) and ask.unowned == ()
