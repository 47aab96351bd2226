"""One edit apart: against the definition."""

import string

from hypothesis import given
from hypothesis import strategies as st

from loom.build.seal import PressedFiles
from loom.core.matching.spelling import form
from loom.core.matching.typos import Typos, one_apart, press_typos

word = st.text(alphabet="kilnew", min_size=4, max_size=7)


def edits(word: str) -> set[str]:
    letters = string.ascii_lowercase
    parts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    made = {one + other[1:] for one, other in parts if other}
    made |= {one + letter + other for one, other in parts for letter in letters}
    made |= {one + letter + other[1:] for one, other in parts if other for letter in letters}
    made |= {one + other[1] + other[0] + other[2:] for one, other in parts if len(other) > 1}
    return made - {word}


@given(word, word)
def test_one_edit_is_one_of_four(one: str, other: str) -> None:
    assert one_apart(one, other) == (other in edits(one))


@given(st.sets(word, max_size=5), word)
def test_every_word_one_edit_away_is_found(vocabulary: set[str], asked: str) -> None:
    numbers = {each: number for number, each in enumerate(sorted({form(each) for each in vocabulary}))}
    typos = Typos(PressedFiles(press_typos(sorted(vocabulary), numbers)))
    written = vocabulary | {form(each) for each in vocabulary}
    expected = {
        numbers[form(each) if each in vocabulary else each]
        for each in written
        for said in (asked, form(asked))
        if len(each) > 3 and each in edits(said)
    }
    assert {number for number, _ in typos.near(asked)} <= expected | {
        numbers[form(each)] for each in vocabulary if form(each) in edits(asked) | edits(form(asked))
    }
    assert expected <= {number for number, _ in typos.near(asked)} or len(expected) > 6
