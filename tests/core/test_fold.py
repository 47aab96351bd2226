"""Folding: the form in which words are compared."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom.core.text import fold


def by_the_book(text: str) -> str:
    """The definition, over the whole text at once."""
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    return unicodedata.normalize("NFKC", "".join(c for c in decomposed if not unicodedata.combining(c)))


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Kiln", "kiln"),
        ("Café au Lait", "cafe au lait"),
        ("STRASSE Straße", "strasse strasse"),
        ("ﬁring Ⅳ", "firing iv"),
        ("e\u0301A", "ea"),
    ],
)
def test_fold(text: str, folded: str) -> None:
    assert fold(text) == folded


ODD = st.text("eEaA\u0301\u0327ßΣσςİıⅣﬁ…—×가각\u1100\u1161Å\u212bᎠꭰ'’ ", max_size=12)


@given(text=st.one_of(ODD, st.text(max_size=12)))
def test_folding_by_runs_is_folding_the_whole(text: str) -> None:
    assert fold(text) == by_the_book(text)
