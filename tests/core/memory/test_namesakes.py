"""Names that are words, too, titles that are no names, and sons of whom there are two."""

import pytest
from support.remembered import Talk

WORDS = Talk(
    ("Will", "I planted a quince tree. My sister Hope moved to Oslo."),
    ("May", "Will, I'll visit Hope in May."),
    ("Mark", "I will mark the date. Hope lent me her kayak."),
    ("Will", "I hope May may come. Mark my words, it will rain."),
    ("May", "Hope you slept well, Will! Will you bring a cake?"),
    ("Mark", "Will owns a saw."),
)


@pytest.mark.parametrize(
    ("turn", "subjects"),
    [(1, {"may", "hope"}), (2, {"mark", "hope"}), (3, {"may", "will"}), (4, {"will"}), (5, {"will"})],
)
def test_a_word_is_a_name_only_where_it_is_written_as_one(turn: int, subjects: set[str]) -> None:
    assert set(WORDS.filed(turn)) == subjects


@pytest.mark.parametrize(
    ("question", "subjects"),
    [
        ("What did Will plant?", {"will"}),
        ("Will May visit Hope?", {"may", "hope"}),
        ("What will Mark mark?", {"mark"}),
        ("What may May do in May?", {"may"}),
        ("What did May do at the end of May?", {"may"}),
        ("Who may come?", set()),
        ("I hope so. Will it rain on Hope?", {"hope"}),
        ("what did will plant?", {"will"}),
        ("What did hope lend Mark?", {"hope", "mark"}),
        ("where is mark's kayak?", {"mark"}),
        ("WHAT DID WILL PLANT?", {"will"}),
    ],
)
def test_a_question_is_about_whom_it_names_and_nobody_else(question: str, subjects: set[str]) -> None:
    assert set(WORDS.subjects(question)) == subjects


def test_a_name_with_a_comma_behind_it_asks_nothing() -> None:
    assert "Will, I'll visit Hope in May." in WORDS.shown("Will May visit Hope?")


TITLED = Talk(
    ("Mr. Tanaka", "I like fishing."),
    ("Dr. Ines Prado", "I brought the microscope."),
    ("Prof. Prado", "I teach botany."),
    ("Aunt Lotte", "I collect stamps."),
)


@pytest.mark.parametrize(
    ("question", "subjects"),
    [
        ("What does Mr. Tanaka like?", {"mr tanaka"}),
        ("What does Tanaka like?", {"mr tanaka"}),
        ("What does Ines like?", {"dr ines prado"}),
        ("What does Dr. Prado like?", {"dr ines prado"}),
        ("What does Prof. Prado like?", {"prof prado"}),
        ("What does Prado like?", {"dr ines prado", "prof prado"}),
        ("What does Lotte like?", {"aunt lotte"}),
        ("What does Mr. Novak like?", set()),
    ],
)
def test_a_title_is_nobodys_name(question: str, subjects: set[str]) -> None:
    assert set(TITLED.subjects(question)) == subjects


SONS = Talk(
    ("Petra", "My son Theo hates peas. My other son Emil hates beans."),
    ("Osman", "My son Jakob hates leeks."),
    ("Petra", "Theo fell. My son is brave."),
)


@pytest.mark.parametrize("question", ["What does my son hate?", "What do my sons hate?", "What do Petra's sons hate?"])
def test_whoever_has_two_sons_is_told_of_both(question: str) -> None:
    shown = SONS.shown(question, "Petra")
    assert "peas" in shown and "beans" in shown and "leeks" not in shown


def test_of_two_sons_the_one_named_last_is_meant() -> None:
    assert "My son is brave." in SONS.filed(2)["theo"] and "emil" not in SONS.filed(2)
