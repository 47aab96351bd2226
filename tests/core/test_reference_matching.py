"""The reference matcher against an oracle of plain loops: same rows, same floats, same order."""

import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import oracle, real
from support.asking import matches, pinned
from support.oracle import Class
from support.worked import CLASSES

from loom.core.matching import match as match_module
from loom.core.matching.match import best, totals
from loom.core.text import slug_of, slugify
from loom.core.values import Concept

WORDS = "kiln tide glaze salt harbour harbourmaster master the of a x 42 ash glazes kilns été".split()
word = st.sampled_from(WORDS)
title = st.one_of(
    st.lists(word, min_size=1, max_size=6).map(" ".join),
    st.lists(word, min_size=1, max_size=3).map("-".join),
    st.lists(word.map(str.title), min_size=1, max_size=4).map("".join),
    st.text(min_size=1, max_size=12).filter(lambda text: "\n" not in text),
    st.sampled_from(["The", "What is it?", "A", "Ünïcode Kiln", "窯", "C++", "Salt & Glaze", "salt salt salt"]),
)
quality = st.sampled_from([None, 0.0, 0.25, 0.5, 0.5, 0.9, 1.0])
own_slug = st.one_of(
    st.none(),
    st.lists(word, min_size=1, max_size=3).map("-".join),
    st.sampled_from(["oneM2M", "Tide-Kiln", "web-id", "kiln--tide", "été-kiln", "kiln-", "the", "x", "harbourmasters"]),
)


@st.composite
def corpora(draw: st.DrawFn) -> list[Class]:
    """Up to a dozen classes: most have the slug of their title, some another's, some one that no title gives."""
    found: dict[str, Class] = {}
    for text, slug, worth in draw(st.lists(st.tuples(title, own_slug, quality), min_size=0, max_size=12)):
        slug = slug or slugify(text) or "nameless"
        found.setdefault(slug, Class(slug, text, worth))
    return list(found.values())


short = st.lists(
    st.one_of(word, st.sampled_from(["arbour", "lazes", "bourmas", "aster", "about", "Kiln?", "tide-kiln"])), max_size=14
).map(" ".join)
prompts = st.one_of(short, title, st.text(max_size=40))


def as_concepts(classes: list[Class]) -> list[Concept]:
    return [Concept(f"urn:ngm:class:{each.slug}", each.title, quality=each.quality) for each in classes]


def found_by_node(classes: list[Class], text: str, limit: int) -> list[tuple[str, float]]:
    pin = pinned(*as_concepts(classes))
    slugs = sorted(each.slug for each in classes)
    return [(slugs[match.row], match.score) for match in matches(pin, text, limit, "reference")]


@settings(max_examples=400)
@given(corpora(), prompts, st.integers(1, 10))
def test_seeds_equal_the_oracle(classes: list[Class], text: str, limit: int) -> None:
    assert found_by_node(classes, text, limit) == oracle.seeds(classes, text, limit)


@settings(max_examples=40)
@given(corpora(), st.lists(prompts, min_size=1, max_size=3), st.integers(1, 10), st.integers(60, 160))
def test_seeds_of_long_texts_equal_the_oracle(classes: list[Class], texts: list[str], limit: int, unknown: int) -> None:
    """More words than are looked up one by one; some have more terms than are remembered one by one."""
    padding = " ".join(f"pad{number}" for number in range(unknown))
    text = f"{texts[0]} {padding} {' '.join(texts)} harbourm rboursaster"
    assert found_by_node(classes, text, limit) == oracle.seeds(classes, text, limit)


def test_a_long_text_with_parts_of_slugs_equals_the_oracle() -> None:
    slugs = [f"{'abcdefghij'[n % 10] * 3}warehouse{n:03d}keeper-{'klmnopqrst'[n // 10] * 4}" for n in range(90)]
    classes = [Class(slug, f"Title {slug[:6]} {at % 7}") for at, slug in enumerate(slugs)]
    terms = (
        [slug[at : at + 5 + at % 9] for at, slug in enumerate(slugs)]
        + [f"house{n:03d}keep" for n in range(90)]
        + ["wareh", "keeper"]
    )
    text = " ".join(terms + terms[:5])
    assert found_by_node(classes, text, 10) == oracle.seeds(classes, text, 10)
    assert len(oracle.seeds(classes, text, 10)) == 10


def test_a_name_of_very_many_letters_is_like_any_other() -> None:
    """Its substrings are many; looking at each of them would take minutes."""
    classes = [Class("l" * 20_000, "L" * 20_000), Class("lllllll", "Lllllll"), Class("kiln", "Kiln")]
    assert found_by_node(classes, "what is a kiln and lllllll", 4) == oracle.seeds(classes, "what is a kiln and lllllll", 4)


CASES = [
    ("How does a tide kiln work?", [("tide-kiln", 18.0), ("kiln", 10.0)]),
    ("What is a kiln in a kiln?", [("kiln", 18.0)]),
    ("tell me about glazing with salt", []),
    ("harbours", []),
    ("", []),
    ("the of a", []),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_worked_vectors(text: str, expected: list[tuple[str, float]]) -> None:
    pin = pinned(*CLASSES)
    concepts = sorted(CLASSES, key=lambda each: each.iri)
    assert [(slug_of(concepts[match.row].iri), match.score) for match in matches(pin, text, 4, "reference")] == expected


def test_the_oracle_gives_the_worked_vectors_too() -> None:
    classes = [Class(slug_of(each.iri), each.title, each.quality) for each in CLASSES]
    for text, expected in CASES:
        assert oracle.seeds(classes, text, 4) == expected


def test_scores_are_exact_before_they_are_narrowed() -> None:
    (found,) = matches(pinned(Concept("urn:c:one", "Alpha Beta Gamma")), "alpha beta gamma, alpha", 4, "reference")
    assert found.score == 24 + 2 / 3 + 2 / 3 + 2 / 3 == 26.000000000000004
    assert struct.unpack("f", struct.pack("f", 8 / 3))[0] == 2.6666667461395264


def test_ties_are_broken_by_quality_then_by_slug() -> None:
    concepts = [
        Concept(f"urn:c:{slug}", "Same Name Here", quality=worth) for slug, worth in (("b", None), ("a", None), ("c", 0.5))
    ]
    found = matches(pinned(*concepts), "name here", 4, "reference")
    assert [match.row for match in found] == []
    found = matches(pinned(*concepts), "same same name here", 4, "reference")
    assert [(match.row, match.score) for match in found] == [(1, 26.000000000000004), (2, 2.0), (0, 2.0)]


contributions = st.lists(st.tuples(st.integers(0, 30), st.floats(0, 40, allow_nan=False)), max_size=60)


@given(contributions, st.sampled_from([0.0, 2.0, 3.0]))
def test_dense_and_sparse_sums_agree(given_to: list[tuple[int, float]], floor: float) -> None:
    rows = np.array([row for row, _ in given_to], dtype=np.int64)
    worth = np.array([value for _, value in given_to], dtype=np.float64)
    dense, dense_sums = totals(rows, worth, 31, floor)
    sparse, sparse_sums = totals(rows, worth, match_module.DENSE + 1, floor)
    touched = np.isin(dense, rows)
    assert dense[touched].tolist() == sparse.tolist()
    assert dense_sums[touched].tolist() == sparse_sums.tolist()
    sums = [0.0] * 31
    for row, value in given_to:
        sums[row] += value
    assert [(row, sums[row]) for row in sorted(set(rows.tolist())) if sums[row] >= floor] == list(
        zip(sparse.tolist(), sparse_sums.tolist(), strict=True)
    )


@given(st.lists(st.tuples(st.sampled_from([1.0, 2.0, 2.0, 3.5]), st.sampled_from([0.0, 0.5])), max_size=20), st.integers(0, 25))
def test_the_best_are_the_first_of_a_full_sort(rows: list[tuple[float, float]], limit: int) -> None:
    scores = np.array([score for score, _ in rows])
    qualities = np.array([worth for _, worth in rows])
    expected = sorted(range(len(rows)), key=lambda row: (-rows[row][0], -rows[row][1], row))[:limit]
    assert best(np.arange(len(rows)), scores, qualities, limit) == [(row, rows[row][0]) for row in expected]


@pytest.mark.data
@pytest.mark.slow
def test_real_questions_and_long_prompts_equal_the_oracle() -> None:
    pin = real.pin()
    classes = [Class(slug_of(each.iri), each.title, each.quality) for each in real.index()]
    slugs = sorted(each.slug for each in classes)
    texts = [case["prompt"] for case in real.lines("questions.jsonl")[::25]]
    texts += [" ".join(each.title for each in classes[start : start + 150]) for start in (0, 4000)]
    for text in texts:
        found = [(slugs[match.row], match.score) for match in matches(pin, text, 10, "reference")]
        assert found == oracle.seeds(classes, text, 10)
