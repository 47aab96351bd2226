from collections.abc import Callable

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from loom.build.seal import PressedFiles
from loom.core.names import ALIAS, SLUG, TITLE, Names, fold_name, press
from loom.core.values import Concept


def opened(*concepts: Concept) -> Names:
    return Names.open(PressedFiles(press(concepts)))


def test_folding_drops_case_accents_and_punctuation() -> None:
    assert fold_name("  Crème-brûlée, (flambé) ") == "creme brulee flambe"
    assert fold_name("L\u2019ŒUVRE_2") == fold_name("l œuvre 2")
    assert fold_name("--- !") == ""
    assert fold_name("木材 乾燥") == "木材 乾燥"


@given(st.text(max_size=40))
def test_folding_twice_is_folding_once(name: str) -> None:
    assert fold_name(fold_name(name)) == fold_name(name)


def test_a_name_leads_to_its_concept_and_says_what_it_is() -> None:
    names = opened(
        Concept("urn:x:tide-kiln", "Tide Kiln", aliases=("Sea kiln", "TIDE-KILN")),
        Concept("urn:x:k", "Kiln", aliases=("sea kiln",)),
    )
    assert names.exactly("kiln") == [(TITLE, 0)]
    assert names.exactly("sea kiln") == [(ALIAS, 0), (ALIAS, 1)]
    assert names.exactly("tide kiln") == [(TITLE, 1)]
    assert names.exactly("k") == [(SLUG, 0)]
    assert names.exactly("tide") == []
    assert names.exactly("zzz") == []


def test_the_files_do_not_depend_on_the_order_of_concepts() -> None:
    concepts = [Concept(f"urn:x:c{n}", f"Thing {n}", aliases=(f"T{n}",)) for n in range(9)]
    one, other = press(concepts), press(concepts[::-1])
    assert one["names.txt"] == other["names.txt"]
    assert all(np.array_equal(one[name], other[name]) for name in one if name.endswith(".npy"))


def test_a_corpus_without_names_opens() -> None:
    names = opened(Concept("urn:x:", "!!"))
    assert names.count == 0
    assert names.exactly("x") == []


@given(st.lists(st.text(max_size=12), min_size=1, max_size=20))
def test_every_stored_name_is_found_at_its_entry(titles: list[str]) -> None:
    names = opened(*(Concept(f"urn:x:{n:03}", title) for n, title in enumerate(titles)))
    stored = [names.names[entry] for entry in range(names.count)]
    assert stored == sorted(stored)
    for row, title in enumerate(titles):
        if fold_name(title):
            assert (TITLE, row) in names.exactly(fold_name(title))


@given(st.lists(st.text("ab é", max_size=8), max_size=12), st.text("abé", min_size=1, max_size=3))
def test_words_lead_to_the_names_that_hold_them(titles: list[str], needle: str) -> None:
    names = opened(*(Concept(f"urn:x:{n:03}", title) for n, title in enumerate(titles)))
    stored = [names.names[entry].decode() for entry in range(names.count)]
    word = fold_name(needle)

    def holding(found: Callable[[str], bool]) -> list[int]:
        return [entry for entry, name in enumerate(stored) if any(map(found, name.split()))]

    assert names.with_word(word.encode()).tolist() == holding(lambda held: held == word)
    assert sorted(set(names.with_word_beginning(word.encode()).tolist())) == holding(lambda held: held.startswith(word))
    assert sorted(set(names.with_word_holding(word.encode()).tolist())) == holding(lambda held: word in held)
    assert names.names.holding(word.encode()).tolist() == [entry for entry, name in enumerate(stored) if word in name]
