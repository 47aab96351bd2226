"""Forms of one word are found by any of them, as one term."""

from loom.core.memory.finding import found
from loom.core.memory.inflecting import forms_of, postings_of_forms
from loom.core.memory.memory_view import MemoryView
from loom.core.memory.policy import Policy, Recalls
from loom.core.memory.porter import stem
from loom.core.memory.recall import recall
from loom.core.memory.values import Person, Piece, Reading, Said, Sentence


def view(*told: dict[str, int]) -> MemoryView:
    made = MemoryView()
    for number, own in enumerate(told):
        text = " ".join(own)
        people = (Person("ada", "Ada", speaks=True),) if not number else ()
        piece = Piece(number, "ada", (Sentence(0, len(text)),), own)
        made.add(Said("Ada", text), Reading(number, (piece,), people))
    return made


def test_each_form_leads_to_all_and_any_other_word_to_itself() -> None:
    assert set(forms_of(stem("bought"))) == {stem("buy"), stem("bought")} == set(forms_of(stem("buy")))
    assert forms_of("cano") == ("cano",)


def test_a_piece_with_two_forms_has_one_posting_with_their_sum() -> None:
    columns = postings_of_forms(view({"bought": 1, "buy": 2, "cano": 1}, {"bought": 1}, {"sail": 1}), ["buy"])["buy"]
    assert columns.turn.tolist() == [0, 1]
    assert columns.own.tolist() == [3, 1]
    assert columns.length.tolist() == [4, 1]


def test_rarity_counts_the_turns_that_hold_any_form() -> None:
    talk = view({"bought": 1, "buy": 1}, {"bought": 1}, {"sail": 1})
    assert found(talk, ["buy"], ["buy"], inflected=True).weights[0] == found(talk, ["bought"], ["bought"]).weights[0]


def test_what_was_bought_is_found_by_whoever_asks_what_was_to_buy() -> None:
    talk = view({"bought": 1, "cano": 1}, {"sail": 1, "cano": 1})
    question = "Where did Ada buy the canoe?"
    assert recall(talk, question, Policy().recalls).confidence == 1.0
    assert recall(talk, question, Recalls(inflected=False)).confidence < 1.0


def test_what_a_piece_answers_counts_as_covered_but_only_where_it_is_told_to() -> None:
    talk = MemoryView()
    piece = Piece(0, "ada", (Sentence(0, 10),), {"harbour": 1}, {"buy": 1, "cano": 1})
    talk.add(Said("Ada", "At harbour"), Reading(0, (piece,), (Person("ada", "Ada", speaks=True),)))
    question = "Where did Ada buy the canoe?"
    assert recall(talk, question, Recalls()).confidence == 1.0
    assert recall(talk, question, Recalls(answering=False)).confidence == 0.0
