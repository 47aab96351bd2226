"""The default matcher: against an oracle of plain loops, and what people may rely on."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import plain
from support.asking import matches, pinned

from loom.core.matching.match import Match
from loom.core.matching.spelling import singular
from loom.core.values import Concept

word = st.sampled_from("kiln kilns tide tides glaze salt harbour glass glasses of the and ash café 窯 42 x".split())
name = st.one_of(st.lists(word, min_size=1, max_size=5).map(" ".join), st.text(min_size=1, max_size=8))
concept = st.tuples(name, st.lists(name, max_size=2), st.sampled_from([0.0, 0.5, 0.9]))
text = st.one_of(st.lists(word, max_size=16).map(" ".join), st.text(max_size=30))


def plain_case(text: str) -> bool:
    """Everyday words in capitals are names of their own; the oracle leaves them out."""
    return text == text.lower()


def found(concepts: list[tuple[str, list[str], float]], text: str, limit: int) -> list[tuple[int, float, bool]]:
    pin = pinned(
        *(
            Concept(f"urn:c:{at:03d}", title, aliases=tuple(further), quality=worth)
            for at, (title, further, worth) in enumerate(concepts)
        )
    )
    return [(match.row, match.score, match.named) for match in matches(pin, text, limit, "default")]


def expected(concepts: list[tuple[str, list[str], float]], text: str, limit: int) -> list[tuple[int, float, bool]]:
    return plain.seeds([(title, further) for title, further, _ in concepts], [worth for *_, worth in concepts], text, limit)


cases = st.lists(concept.filter(lambda each: plain_case(each[0] + "".join(each[1]))), max_size=10)


@settings(max_examples=300)
@given(cases, text.filter(plain_case), st.integers(1, 10))
def test_it_finds_what_the_oracle_finds(concepts: list[tuple[str, list[str], float]], text: str, limit: int) -> None:
    assert found(concepts, text, limit) == expected(concepts, text, limit)


@settings(max_examples=40)
@given(cases, text.filter(plain_case), st.integers(1, 10), st.sampled_from([70, 130]))
def test_texts_of_many_words_are_no_exception(
    concepts: list[tuple[str, list[str], float]], text: str, limit: int, words: int
) -> None:
    many = [f"word{number}" for number in range(words)]
    concepts = [*concepts, (" ".join(many[:40]), [], 0.1), (" ".join(many[30:]), [], 0.2)]
    text = f"{text} {' '.join(many)} {text}"
    assert found(concepts, text, limit) == expected(concepts, text, limit)


@pytest.mark.parametrize(
    "forms",
    [
        *(
            "kiln kilns",
            "glaze glazes",
            "size sizes",
            "box boxes",
            "branch branches",
            "cache caches",
            "class classes",
            "bus buses",
        ),
        *(
            "case cases",
            "house houses",
            "virus viruses",
            "city cities",
            "movie movies",
            "potato potatoes",
            "shoe shoes",
            "tie ties",
        ),
        *("ash ashes", "waltz waltzes", "gas gases", "axis axis", "glass glass", "use uses", "series series"),
    ],
)
def test_a_word_and_its_plural_are_one(forms: str) -> None:
    one, many = forms.split()
    assert singular(one) == singular(many)


def test_words_that_only_look_alike_are_not_one() -> None:
    apart = ["save", "safe", "leave", "leaf", "bath", "bathe", "kiln", "killing", "us", "use", "glass", "glaze"]
    assert len({singular(word) for word in apart}) == len(apart)


KILN = Concept("urn:c:kiln", "Kiln", aliases=("Firing Chamber",))
TIDE_KILN = Concept("urn:c:tide-kiln", "Tide Kiln")
AI = Concept("urn:c:ai", "AI")
NAIVE = Concept("urn:c:naive", "Naïve Set Theory")
WHEEL = Concept("urn:c:wheel", "Potter's Wheel")
STEP = Concept("urn:c:step", "Step-by-Step Firing")
GAMA = Concept("urn:c:gama", "登り窯")
CRUCIBLES = Concept("urn:c:crucibles", "Crucibles")
NOTHING = Concept("urn:c:nothing", "Unrelated Thing")
ALL = (KILN, TIDE_KILN, AI, NAIVE, WHEEL, STEP, GAMA, CRUCIBLES, NOTHING)
PIN = pinned(*ALL)
IRIS = sorted(each.iri for each in ALL)


def named(text: str) -> list[str]:
    return [IRIS[match.row] for match in matches(PIN, text, 9, "default") if match.named]


def best(text: str) -> Match:
    return matches(PIN, text, 1, "default")[0]


@pytest.mark.parametrize(
    ("text", "iri"),
    [
        ("what is a kiln?", "urn:c:kiln"),
        ("KILN", "urn:c:kiln"),
        ("kilns of the world", "urn:c:kiln"),
        ("kiln's temperature", "urn:c:kiln"),
        ("kiln’s temperature", "urn:c:kiln"),
        ("the ｋｉｌｎ", "urn:c:kiln"),
        ("a firing-chamber, please", "urn:c:kiln"),
        ("firing chambers", "urn:c:kiln"),
        ("naive set theory", "urn:c:naive"),
        ("nai\u0308ve set theories", "urn:c:naive"),
        ("NAÏVE_SET_THEORY", "urn:c:naive"),
        ("potters wheel", "urn:c:wheel"),
        ("a potter’s wheel", "urn:c:wheel"),
        ("potter's-wheels", "urn:c:wheel"),
        ("step by step firing", "urn:c:step"),
        ("登り窯とは何ですか", "urn:c:gama"),
        ("What about AI?", "urn:c:ai"),
        ("crucible", "urn:c:crucibles"),
    ],
)
def test_a_name_is_found_in_the_forms_that_people_write(text: str, iri: str) -> None:
    assert named(text) == [iri]


@pytest.mark.parametrize(
    "text", ["maintain the aisle", "painstaking", "kilnfired", "sekiln", "登る", "A. I.", "", "?!", "the of and"]
)
def test_a_name_is_not_found_inside_other_words(text: str) -> None:
    assert named(text) == []


def test_a_longer_name_covers_the_one_inside_it() -> None:
    assert named("how hot is a tide kiln?") == ["urn:c:tide-kiln"]
    assert named("is a tide kiln a kiln?") == ["urn:c:tide-kiln", "urn:c:kiln"]


def test_a_name_that_only_adjoining_longer_names_hold_is_covered() -> None:
    concepts = [("raw salt glaze", [], 0.0), ("kiln tide table", [], 0.0), ("glaze kiln", [], 0.0)]
    assert [(row, own) for row, _, own in found(concepts, "raw salt glaze kiln tide table", 3)] == [
        (0, True),
        (1, True),
        (2, False),
    ]


def test_of_names_that_differ_in_a_plural_the_one_written_is_meant() -> None:
    concepts = [("Glass", [], 0.0), ("Glasses", [], 0.9)]
    assert [row for row, _, own in found(concepts, "a glass of water", 2) if own] == [0]
    assert [row for row, _, own in found(concepts, "my glasses", 2) if own] == [1]


def test_two_concepts_of_one_name_are_both_found() -> None:
    concepts = [("Crane", [], 0.0), ("Crane", [], 0.5), ("Heron", ["Crane"], 0.9)]
    assert [row for row, _, own in found(concepts, "crane", 3) if own] == [1, 0, 2]


@pytest.mark.parametrize("text", ["kiln", "tide kiln", "set theory", "firing step", "the wheel of the potter"])
@pytest.mark.parametrize("times", [2, 50])
def test_repetition_raises_no_score(text: str, times: int) -> None:
    assert best(" ".join([text] * times)).score <= best(text).score


@settings(max_examples=100)
@given(cases, text.filter(plain_case), st.integers(2, 4))
def test_a_text_said_again_scores_as_it_did(concepts: list[tuple[str, list[str], float]], text: str, times: int) -> None:
    """Apart by a word that no name has, so that the repeats make no name together."""
    once = {row: score for row, score, _ in found(concepts, text, 10)}
    again = {row: score for row, score, _ in found(concepts, " zzzz ".join([text] * times), 10)}
    assert again == once


@given(st.text(max_size=200))
def test_scores_are_bounded_whatever_is_asked(text: str) -> None:
    assert all(match.score <= 38.0 and 0.0 <= match.share <= 1.0 for match in matches(PIN, text * 3, 9, "default"))


def test_a_pasted_document_cannot_outscore_a_question() -> None:
    document = " ".join(f"{each.title} and more" for each in ALL) * 20
    assert best(document).score <= max(best(each.title).score for each in ALL)


def test_everyday_words_name_nothing_unless_in_capitals() -> None:
    pin = pinned(Concept("urn:c:it", "IT"), Concept("urn:c:does", "Nothing"))
    assert [match.named for match in matches(pin, "what does IT do?", 2, "default")] == [True]
    assert matches(pin, "what does it do?", 2, "default") == []


def test_no_rows_are_found_where_none_are_wanted() -> None:
    assert matches(PIN, "kiln", 0, "default") == []
