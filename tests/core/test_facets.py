"""Values that search narrows by, and the words of definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom.build.seal import PressedFiles
from loom.core.facets import FIELDS, Facets, press, source_of
from loom.core.values import Concept, Where

CONCEPTS = (
    Concept("urn:c", "C", "Clay and fire.", domain="ceramics", maturity="draft", where=Where("pots/c.md", 1)),
    Concept("urn:a", "A", "Fire.", domain="cooking", where=Where("a.md", 1)),
    Concept("urn:b", "B", full="A longer one: fire, naïvely said.", domain="ceramics", where=Where("tools.owl", 9)),
    Concept("urn:d", "D", "Fire.", domain="ceramics", deprecated=True, where=Where("tools.owl", 10)),
)


def facets(*concepts: Concept) -> Facets:
    return Facets.open(PressedFiles(press(concepts)))


def test_rows_are_in_the_order_of_iris_and_deprecated_ones_have_nothing() -> None:
    found = facets(*CONCEPTS)
    assert {name: [found.values[name][at] for at in found.columns[name]] for name in FIELDS} == {
        "domain": ["cooking", "ceramics", "ceramics", ""],
        "maturity": ["", "", "draft", ""],
        "source": ["", "tools.owl", "pots", ""],
    }
    assert found.defined_with(b"fire").tolist() == [0, 1, 2]
    assert found.defined_with(b"naively").tolist() == [1]
    assert found.defined_with(b"fir").tolist() == found.defined_with(b"zzz").tolist() == []


def test_values_are_counted_most_first() -> None:
    found = facets(*CONCEPTS)
    everything = np.arange(found.count)
    assert found.counts("domain", everything) == [("ceramics", 2), ("cooking", 1)]
    assert found.counts("maturity", everything) == [("draft", 1)]
    assert found.with_values("domain", ["cooking", "nowhere"]).tolist() == [True, False, False, False]
    assert found.with_values("maturity", [""]).tolist() == [True, True, False, True]


@pytest.mark.parametrize(
    ("file", "source"), [("a/b/c.md", "a"), ("c.md", ""), ("x.owl", "x.owl"), ("folder/x.ttl", "folder/x.ttl"), ("", "")]
)
def test_the_source_is_the_folder_of_a_page_and_the_file_of_anything_else(file: str, source: str) -> None:
    assert source_of(Concept("urn:a", "A", where=Where(file, 1))) == source


@given(st.permutations(CONCEPTS))
def test_order_does_not_matter(concepts: list[Concept]) -> None:
    one, other = press(concepts), press(CONCEPTS)
    assert one.keys() == other.keys()
    for name, data in one.items():
        assert np.array_equal(data, other[name]) if isinstance(data, np.ndarray) else data == other[name]


def test_a_corpus_without_words_has_a_part_as_well() -> None:
    found = facets(Concept("urn:a", ""))
    assert found.defined_with(b"a").tolist() == []
    assert found.counts("domain", np.arange(1)) == []
