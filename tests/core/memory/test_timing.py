"""Times that a question names, and whether dates are of them."""

import pytest

from loom.core.memory.asking import asked
from loom.core.memory.memory_view import MemoryView
from loom.core.memory.people import Names
from loom.core.memory.policy import Reads, Recalls
from loom.core.memory.reading import parsed, pieces_of
from loom.core.memory.recall import recall
from loom.core.memory.subjects import Present
from loom.core.memory.timing import fits, times_in
from loom.core.memory.values import Person, Reading, Said

PETRA = Person("petra", "Petra", speaks=True)
OSMAN = Person("osman", "Osman", speaks=True)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("What did Petra do on 4 February, 2023?", ["2023-02-04"]),
        ("What did Petra do on February 4th 2023?", ["2023-02-04"]),
        ("What did Petra do in March?", ["*-03"]),
        ("What did Petra do on 14 March?", ["*-03-14"]),
        ("What did Petra do in 2022?", ["2022"]),
        ("What did Petra do in May 2021 and on 2023-05-01?", ["2021-05", "2023-05-01"]),
        ("What may Petra do with 2022 euros?", []),
    ],
)
def test_times_are_read_off_a_question(text: str, wanted: list[str]) -> None:
    assert [time.iso for time in times_in(text)] == wanted


@pytest.mark.parametrize(
    ("time", "date", "wanted"),
    [
        ("2023-02-04", "2023-02-04", True),
        ("2023-02-04", "2023-02", True),
        ("2023-02", "2023-02-04", True),
        ("2023-02", "2023-03-04", False),
        ("*-02", "2021-02-04", True),
        ("*-02", "2021", False),
        ("*-02-04", "2021-02-05", False),
        ("2023", "2023-02-04/2023-02-10", True),
        ("2023-02-06", "2023-02-04/2023-02-10", True),
        ("2023-02-11", "2023-02-04/2023-02-10", False),
        ("*-02-10", "2023-02-04/2023-02-10", True),
        ("*-02", "2023-01-30/2023-02-05", True),
        ("2023", "", False),
        ("*-02", "", False),
        ("*-02", "*-02", True),
        ("*-02", "*-03", False),
        ("2023-02", "*-02-04", True),
        ("2023", "*-02", False),
    ],
)
def test_a_date_fits_a_time_where_one_lies_in_the_other(time: str, date: str, wanted: bool) -> None:
    assert fits([time], [date]) is wanted


def talk(*turns: tuple[str, str, str]) -> MemoryView:
    view = MemoryView()
    for number, (speaker, text, date) in enumerate(turns):
        said = Said(speaker, text, date)
        present = Present(speaker.lower(), "osman" if speaker == "Petra" else "petra")
        pieces = pieces_of(number, said, parsed(said, Reads()), Names([PETRA, OSMAN]), present, Reads())
        view.add(said, Reading(number, pieces, (PETRA, OSMAN)))
    return view


def test_the_right_time_is_surer_than_the_wrong_one() -> None:
    view = talk(
        ("Petra", "I baked rye bread with walnuts.", "2024-03-03"),
        ("Osman", "I paddled to the island.", "2024-03-03"),
        ("Petra", "I planted a quince tree.", "2024-05-20"),
    )
    right = recall(view, "What did Petra bake in March?", Recalls())
    wrong = recall(view, "What did Petra bake in May?", Recalls())
    assert right.confidence == 1.0
    assert wrong.confidence < 0.6
    assert right.topic == ("bake",)


def test_of_two_like_pieces_the_one_of_the_time_comes_first() -> None:
    view = talk(
        ("Petra", "I baked bread.", "2024-03-03"), ("Petra", "I baked cake.", "2024-05-20"), ("Petra", "I sleep.", "2024-06-20")
    )
    assert recall(view, "What did Petra bake in May?", Recalls()).hits[0].turn == 1
    assert recall(view, "What did Petra bake in March?", Recalls()).hits[0].turn == 0


def test_what_another_said_at_that_time_is_held_against_it() -> None:
    view = talk(
        ("Osman", "I baked bread.", "2024-03-03"), ("Petra", "I baked cake and bread.", "2024-05-20"), ("Osman", "I rest.", "")
    )
    assert (
        recall(view, "What bread did Petra bake in March?", Recalls()).confidence
        < recall(view, "What bread did Petra bake in May?", Recalls()).confidence
    )


def test_where_nobody_knows_the_day_a_time_is_what_was_said() -> None:
    view = talk(("Petra", "I baked bread in March.", ""), ("Petra", "I baked cake in May.", ""), ("Osman", "I rest.", ""))
    found = {month: recall(view, f"What did Petra bake in {month}?", Recalls()) for month in ("March", "May", "July")}
    assert [found[month].hits[0].turn for month in ("March", "May")] == [0, 1]
    assert found["March"].confidence == found["May"].confidence == 1.0 > found["July"].confidence


def test_words_of_times_stay_where_they_are_no_matter() -> None:
    names = Names([PETRA])
    assert asked("What did Petra bake in March?", names, named=False).focus == ("bake", "march")
    assert asked("What did Petra bake in March?", names, named=False, timed=True).focus == ("bake",)
