"""The reader over evidence whose lines say what they state: it quotes what answers, or the note on what is absent, and no more."""

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom.core.mint.make import make
from loom.core.policy.packing import pack_lines
from loom.core.reader.extract import answer
from loom.core.reader.stated import MORE, MOST, UNSTATED
from loom.core.values import Evidence, Role, Served, Stated, Tier

QUESTION = "What was the highest wind speed of Gannet, and when?"


def piece(title: str, *lines: tuple[str, Role], tier: Tier = Tier.COMPUTED) -> Evidence:
    told = [(text, (), Stated(f"urn:t:{title}:{at}", role)) for at, (text, role) in enumerate(lines)]
    return make(iri=f"urn:t:{title}", title=title, lines=told, tier=tier, must=tier is Tier.COMPUTED)


def served(*evidence: Evidence) -> Sequence[Served]:
    return pack_lines(evidence, 100_000).served


RULES = piece("rules", ("Every line names its source.", Role.BESIDE))
GANNET = piece(
    "Gannet",
    ("Gannet, wind, maximum: 31.5 at 146 [source: wind.csv]", Role.ANSWER),
    ("Gannet, wind, minimum: 2.5 at 12 [source: wind.csv]", Role.BESIDE),
)
PROSE = piece("Log", ("Log", Role.HEADING), ("Gannet met a wind of 99 that night.", Role.FOUND), tier=Tier.DISCOVERED)
UNIT = make(iri="urn:c:gannet", title="Gannet", lines=[("## Gannet", ()), ("A bird of the open sea.", ())])


def test_the_line_that_answers_is_quoted_with_its_source_and_the_number_of_its_unit() -> None:
    assert answer(QUESTION, served(RULES, GANNET)) == "Gannet, wind, maximum: 31.5 at 146 [source: wind.csv] [2]"


def test_what_is_absent_is_said_and_nothing_that_could_be_taken_for_it() -> None:
    note = piece("no-source", ('No source named "Gannet" exists.', Role.ABSENT))
    beside = piece("Petrel", ("Petrel, wind, maximum: 40 at 3 [source: wind.csv]", Role.BESIDE))
    assert answer(QUESTION, served(RULES, beside, note, PROSE, UNIT)) == 'No source named "Gannet" exists. [3]'


def test_what_is_absent_stands_before_what_is_answered() -> None:
    note = piece("no-source", ('No source named "Fulmar" exists.', Role.ABSENT))
    said = answer(QUESTION, served(GANNET, note)).split("\n\n")
    assert said[0] == 'No source named "Fulmar" exists. [2]' and said[1].startswith("Gannet, wind, maximum: 31.5")


def test_where_nothing_states_it_nothing_is_said() -> None:
    beside = piece("Gannet", ("Gannet, wind, minimum: 2.5 at 12 [source: wind.csv]", Role.BESIDE))
    assert answer(QUESTION, served(RULES, beside)) == UNSTATED


def test_a_table_row_stands_under_its_header_and_a_passage_under_its_window() -> None:
    rows = piece(
        "Boats", ("Boats, columns: name | berth", Role.HEADING), ("Gannet | 7", Role.ANSWER), ("Petrel | 8", Role.ANSWER)
    )
    other = piece("Log", ("Log, at 146", Role.HEADING), ("[02:26] The mast bends.", Role.ANSWER), tier=Tier.ADDRESSED)
    assert answer(QUESTION, served(rows, other)).split("\n") == [
        "Boats, columns: name | berth [1]",
        "- Gannet | 7 [1]",
        "- Petrel | 8 [1]",
        "",
        "Log, at 146 [2]",
        "- [02:26] The mast bends. [2]",
    ]


def test_a_heading_of_lines_that_do_not_answer_is_left_out() -> None:
    assert "Boats" not in answer(
        QUESTION, served(GANNET, piece("Boats", ("Boats, columns", Role.HEADING), ("x | 1", Role.BESIDE)))
    )


def test_prose_with_figures_is_not_quoted_beside_values() -> None:
    assert "99" not in answer(QUESTION, served(GANNET, PROSE))
    assert "99" in answer(QUESTION, served(RULES, PROSE)), "where nothing was computed, it is what there is"


def test_prose_without_figures_is_quoted_beside_values_where_it_holds_what_was_asked() -> None:
    status = piece("Status notes", ("Status notes", Role.HEADING), ("Gannet is overdue.", Role.FOUND), tier=Tier.DISCOVERED)
    other = piece("Status notes of others", ("Petrel is in port.", Role.FOUND), tier=Tier.DISCOVERED)
    said = answer("What are status and wind of Gannet?", served(GANNET, status, other))
    assert "- Gannet is overdue. [2]" in said and "Petrel" not in said


def test_prose_that_holds_no_more_than_its_title_is_not_quoted_beside_values() -> None:
    sheet = piece("Gannet sheet", ("# Gannet sheet [source: gannet.md]", Role.FOUND), tier=Tier.DISCOVERED)
    assert "sheet" not in answer("What was the wind of Gannet?", served(GANNET, sheet))


def test_a_unit_of_another_kind_is_answered_from_where_the_question_names_it() -> None:
    assert "**Gannet**: A bird of the open sea. [2]" in answer(QUESTION, served(GANNET, UNIT))
    assert "bird" not in answer("What was the highest wind?", served(GANNET, UNIT))
    assert answer("What is a gannet?", served(RULES, UNIT)) == "**Gannet**: A bird of the open sea. [2]"


def test_a_long_answer_says_that_there_is_more() -> None:
    many = piece("Rows", *((f"Row {at}", Role.ANSWER) for at in range(MOST + 1)))
    assert answer(QUESTION, served(many)).endswith(MORE)
    just = piece("Rows", *((f"Row {at}", Role.ANSWER) for at in range(MOST)))
    assert MORE not in answer(QUESTION, served(just))


PIECES = st.lists(
    st.tuples(
        st.sampled_from(list(Tier)),
        st.lists(st.sampled_from(list(Role)), min_size=1, max_size=5),
    ),
    max_size=6,
)


@given(PIECES)
@pytest.mark.parametrize("question", [QUESTION, "line", ""])
def test_only_lines_of_the_block_are_quoted_and_none_that_stands_beside(
    question: str, pieces: list[tuple[Tier, list[Role]]]
) -> None:
    evidence = [
        piece(f"piece{at}", *((f"line {at}-{number} {role.name}", role) for number, role in enumerate(roles)), tier=tier)
        for at, (tier, roles) in enumerate(pieces)
    ]
    block = served(*evidence)
    said = answer(question, block)
    assert said == answer(question, block)
    if not block or said == UNSTATED:
        return
    roles = {stated.role for each in evidence for stated in each.stated if stated}
    for line in filter(None, said.split("\n")):
        quoted = re.fullmatch(r"(?:- )?(.*) \[(\d+)\]", line)
        assert quoted, line
        text, number = quoted[1], int(quoted[2])
        assert text in block[number - 1].lines
        role = Role[text.rpartition(" ")[2]]
        assert role is not Role.BESIDE
        assert role is not Role.FOUND or Role.ABSENT not in roles
    for role in (Role.ABSENT, Role.ANSWER):
        assert (role.name in said) == (role in roles)
