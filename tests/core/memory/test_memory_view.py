"""The in-memory view: what a deleted turn said is nowhere any more, whatever was added and deleted in between."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom.core.errors import BadInput
from loom.core.memory.memory_view import MemoryView
from loom.core.memory.values import NOBODY, Person, Piece, Postings, Reading, Said, Scope, Sentence, Size

TERMS = ("tea", "yoga", "sister")
counts = st.dictionaries(st.sampled_from(TERMS), st.integers(1, 3))
readings = st.lists(
    st.dictionaries(st.sampled_from([NOBODY, "anna", "ben"]), st.tuples(counts, counts), max_size=3), min_size=1, max_size=6
)


def reading(turn: int, pieces: dict[str, tuple[dict[str, int], dict[str, int]]]) -> Reading:
    made = tuple(Piece(turn, who, (Sentence(0, 1),), own, beside) for who, (own, beside) in sorted(pieces.items()))
    return Reading(turn, made, tuple(Person(who, who.title()) for who in sorted(pieces) if who))


def shown(view: MemoryView) -> list[object]:
    found = view.postings(TERMS)
    rows = {
        term: [
            (turn, columns.subjects[who], *rest)
            for turn, who, *rest in zip(
                *(getattr(columns, name).tolist() for name in ("turn", "who", "own", "beside", "length", "width")), strict=True
            )
        ]
        for term, columns in found.items()
    }
    return [view.size(), view.people(), rows]


@given(readings, st.data())
def test_a_deleted_turn_leaves_what_is_left_had_it_never_been_said(turns: list, data: st.DataObject) -> None:
    view, other = MemoryView(), MemoryView()
    gone = data.draw(st.integers(0, len(turns) - 1))
    for number, pieces in enumerate(turns):
        view.add(Said("Anna", f"turn {number}"), reading(number, pieces))
        if number == gone:
            pieces = {}
        elif number == gone + 1:
            pieces = {who: (own, {}) for who, (own, _) in pieces.items()}
        other.add(Said("Anna", f"turn {number}"), reading(number, pieces))
    view.postings(TERMS)
    view.delete(gone)
    before = shown(other)
    assert shown(view) == [Size(view.size().turns, *list(_numbers(before[0]))[1:]), *before[1:]]
    assert gone not in view.said(range(len(turns)))
    assert view.size().turns == len(turns) - 1


def _numbers(size: object) -> tuple[int, ...]:
    assert isinstance(size, Size)
    return size.turns, size.pieces, size.length, size.width


def test_people_of_one_key_are_one_person() -> None:
    view = MemoryView()
    view.add(Said("Ben", "hi"), Reading(0, (), (Person("anna", "Anna"), Person("ben", "Ben", speaks=True))))
    view.add(Said("Ben", "hi"), Reading(1, (), (Person("anna", "Anna", ("Ben's sister", "Annie")),)))
    assert view.people() == (Person("anna", "Anna", ("Ben's sister", "Annie")), Person("ben", "Ben", (), True))


def test_turns_come_in_order() -> None:
    with pytest.raises(ValueError, match="turn 0"):
        MemoryView().add(Said("Ben", "hi"), Reading(3, ()))


def test_postings_of_no_rows_are_empty() -> None:
    assert len(Postings.of([])) == 0


@pytest.mark.parametrize(("caller", "conversation"), [("", "a"), ("a", " ")])
def test_a_scope_has_both_halves(caller: str, conversation: str) -> None:
    with pytest.raises(BadInput):
        Scope(caller, conversation)
