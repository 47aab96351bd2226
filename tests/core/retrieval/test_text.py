import math
import os
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loom.build.seal import PressedFiles
from loom.core.retrieval.pressing import FIELDS, press_text
from loom.core.retrieval.stem import stem, terms
from loom.core.retrieval.text import DENSE, SATURATION, TextIndex
from loom.core.values import Concept, Ref

WORDS = "stock pot pan braise searing oven dutch larder knife flour colour gravy broth bones simmer".split()
SPOKEN = {"pot": 5.0, "knife": 4.4, "oven": 4.1, "the": 7.7, "don't": 6.5}

texts = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)


@st.composite
def corpora(draw: st.DrawFn, least: int = 0) -> list[Concept]:
    count = draw(st.integers(least, 9))
    iris = [f"urn:x:{number}" for number in range(count)]
    refs = st.lists(st.sampled_from([*iris, "urn:x:stranger"]), max_size=3).map(lambda found: tuple(map(Ref, found)))
    return [
        Concept(
            iri,
            draw(texts),
            definition=draw(texts),
            prose=draw(texts),
            aliases=tuple(draw(st.lists(texts, max_size=1))),
            parents=draw(refs),
            relations=(("requires", draw(refs)), ("uses", draw(refs))),
            backlinks=tuple(draw(st.lists(st.sampled_from(iris), max_size=2))),
            deprecated=draw(st.integers(0, 5)) == 0,
        )
        for iri in iris
    ]


def index(concepts: Sequence[Concept], spoken: dict[str, float] | None = None, **how: int) -> TextIndex:
    return TextIndex.open(PressedFiles(press_text(concepts, spoken or {}, **how)))


def fields_of(concepts: Sequence[Concept]) -> list[list[list[str]]]:
    titles = {concept.iri: concept.title for concept in concepts}

    def named(iris: Sequence[str]) -> list[str]:
        return [term for iri in dict.fromkeys(iris) for term in terms(titles.get(iri) or iri.rsplit(":", 1)[1])]

    return [
        [[]] * 6
        if concept.deprecated
        else [
            [term for name in (concept.title, *concept.aliases) for term in terms(name)],
            terms(concept.full or concept.definition),
            terms(concept.prose),
            named([ref.iri for ref in concept.parents]),
            named([ref.iri for _, refs in concept.relations for ref in refs]),
            named(concept.backlinks),
        ]
        for concept in concepts
    ]


def oracle(concepts: Sequence[Concept], spoken: dict[str, float], query: Sequence[str]) -> dict[int, float]:
    """BM25 over weighted fields, by the book and over dicts."""
    documents = fields_of(concepts)
    average = [
        sum(len(document[at]) for document in documents) / max(1, sum(bool(document[at]) for document in documents))
        for at in range(len(FIELDS))
    ]
    scores: dict[int, float] = defaultdict(float)
    for term in sorted(set(query)):
        holding = sum(term in document[0] or term in document[1] for document in documents)
        zipf = max([2.3, *(min(7.0, value) for word, value in spoken.items() if stem(word) == term)])
        weight = math.log(1 + (len(documents) - max(1, holding) + 0.5) / (max(1, holding) + 0.5))
        weight *= 1 - 0.5 * (zipf - 2.3) / (7.0 - 2.3)
        for row, document in enumerate(documents):
            frequency = sum(
                field.weight * Counter(held)[term] / (1 - field.damping + field.damping * len(held) / mean)
                for field, held, mean in zip(FIELDS, document, average, strict=True)
                if held
            )
            if frequency:
                scores[row] += weight * frequency * (SATURATION + 1) / (SATURATION + frequency)
    return scores


@given(corpora(), texts, st.integers(1, 12), st.sampled_from([{}, SPOKEN]))
def test_search_is_bm25_over_weighted_fields(concepts: list[Concept], text: str, limit: int, spoken: dict[str, float]) -> None:
    query = [*terms(text), "unheard"]
    expected = oracle(concepts, spoken, query)
    rows, scores = index(concepts, spoken).search(query, limit)
    assert len(rows) == min(limit, len(expected))
    assert scores.tolist() == pytest.approx([expected[row] for row in rows.tolist()], rel=1e-5)
    assert sorted(expected.values(), reverse=True)[: len(rows)] == pytest.approx(scores.tolist(), rel=1e-5)
    assert (rows.dtype, scores.dtype) == (np.int64, np.float64)
    order = list(zip((-scores).tolist(), rows.tolist(), strict=True))
    assert order == sorted(order)


@given(corpora(least=1))
def test_the_forward_index_is_the_text(concepts: list[Concept]) -> None:
    text = index(concepts)
    vocabulary = sorted({stem(word) for word in [*WORDS, "stranger", "unheard"]})
    numbers = np.array(text.numbers(vocabulary))
    for row, document in enumerate(fields_of(concepts)):
        said = {term for field in document for term in field}
        assert text.held(row, numbers).tolist() == [term in said for term in vocabulary]


@given(corpora(least=1))
def test_a_term_has_a_number_and_a_weight_where_some_unit_holds_it(concepts: list[Concept]) -> None:
    text = index(concepts)
    said = sorted({term for document in fields_of(concepts) for field in document for term in field})
    assert text.numbers(said) == list(range(len(said)))
    assert len(text.weight) == len(said) and (text.weight > 0).all()
    assert text.numbers(["unheard"]) == [-1]


@given(corpora(least=1), texts)
def test_what_is_deprecated_is_never_found(concepts: list[Concept], text: str) -> None:
    rows, _ = index(concepts).search(terms(text), 100)
    assert not any(concepts[row].deprecated for row in rows.tolist())


@given(corpora(), texts, st.integers(1, 3))
def test_capped_postings_keep_those_to_which_a_term_is_worth_most(concepts: list[Concept], text: str, champions: int) -> None:
    whole, capped = index(concepts), index(concepts, champions=champions)
    for term in set(terms(text)):
        rows, scores = whole.search([term], 100)
        kept, worth = capped.search([term], 100)
        assert kept.tolist() == rows.tolist()[:champions]
        assert worth.tolist() == scores.tolist()[:champions]


@given(corpora(), texts, st.integers(1, 40))
def test_under_a_budget_candidates_are_scored_in_full(concepts: list[Concept], text: str, budget: int) -> None:
    text_index, query = index(concepts), terms(text)
    full = dict(zip(*(found.tolist() for found in text_index.search(query, 100)), strict=True))
    rows, scores = text_index.search(query, 100, budget)
    assert scores.tolist() == pytest.approx([full[row] for row in rows.tolist()])
    order = list(zip((-scores).tolist(), rows.tolist(), strict=True))
    assert order == sorted(order)


def test_under_a_budget_the_rarest_terms_choose_the_candidates() -> None:
    concepts = [Concept(f"urn:x:{number}", "pan" if number else "pan rillettes") for number in range(9)]
    text = index(concepts)
    assert text.search(terms("pan rillettes"), 5, budget=1)[0].tolist() == [0]
    assert text.search(terms("pan rillettes"), 5)[0].tolist() == [0, 1, 2, 3, 4]


def test_a_large_corpus_is_summed_as_a_small_one() -> None:
    concepts = [Concept(f"urn:x:{number:05}", WORDS[number % 7], definition=WORDS[number % 11]) for number in range(400)]
    concepts += [Concept(f"urn:y:{number:05}", "", deprecated=True) for number in range(DENSE)]
    text, query = index(concepts), terms("stock pan oven flour knife")
    total: dict[int, float] = defaultdict(float)
    for term in sorted(query, key=lambda term: (-text.weight[text.numbers([term])[0]], text.numbers([term])[0])):
        for row, score in zip(*(found.tolist() for found in text.search([term], len(concepts))), strict=True):
            total[row] += score
    ranked = sorted((-score, row) for row, score in total.items())
    for limit in (1, 7, 64, 1, 1000):
        rows, scores = text.search(query, limit)
        assert list(zip((-scores).tolist(), rows.tolist(), strict=True)) == ranked[:limit]


def test_an_empty_corpus_and_an_empty_question_find_nothing() -> None:
    nothing = index([])
    assert nothing.count == 0
    assert [len(each) for each in nothing.search(["stock"], 5)] == [0, 0]
    assert nothing.most(["stock"]) >= 0
    stock = index([Concept("urn:x:stock", "Stock")])
    assert len(stock.search([], 5)[0]) == len(stock.search(["stock"], 0)[0]) == len(stock.search(["unheard"], 5)[0]) == 0


def test_a_unit_is_found_by_what_it_says_in_other_words() -> None:
    corpus = [
        Concept("urn:x:braising", "Braising", definition="Browning food in fat, then cooking it slowly in a little liquid."),
        Concept("urn:x:frying", "Frying", definition="Cooking food in hot fat."),
        Concept("urn:x:larder", "Larder", definition="A cool room in which food is kept."),
    ]
    rows, _ = index(corpus).search(terms("which technique cooks slowly, covered, in some liquids"), 3)
    assert rows.tolist() == [0, 1]


def test_long_prose_does_not_drown_a_definition() -> None:
    corpus = [
        Concept("urn:x:a", "Larder", definition="A cool room in which food is kept."),
        Concept("urn:x:b", "House", definition="A building.", prose="A cool room. " + "Walls and doors and windows. " * 200),
    ]
    assert index(corpus).search(terms("cool room"), 2)[0].tolist() == [0, 1]


@given(corpora(least=2), st.lists(st.sampled_from([*WORDS, "unheard"]), min_size=1))
def test_most_grows_with_every_further_term(concepts: list[Concept], asked: list[str]) -> None:
    text = index(concepts)
    query = [stem(word) for word in asked]
    assert text.most([*query, "never"]) > text.most(query) > 0
    assert text.most([*query, *query]) == text.most(query)


def test_everyday_words_are_known_by_their_form_in_questions() -> None:
    text = index([Concept("urn:x:pot", "Pot")], SPOKEN)
    assert text.everyday("pot") == 5.0
    assert text.everyday("dont") == 6.5
    assert text.everyday("rillettes") == 0.0
    assert index([Concept("urn:x:pot", "Pot")]).everyday("pot") == 0.0


def test_of_words_equally_rare_here_the_one_rare_elsewhere_tells_more() -> None:
    text = index([Concept("urn:x:a", "Pot"), Concept("urn:x:b", "Rillettes")], SPOKEN)
    common, rare = text.weight[text.numbers(terms("pot rillettes"))].tolist()
    assert 0 < common < rare


@settings(max_examples=20)
@given(corpora())
def test_pressing_twice_gives_the_same_bytes(concepts: list[Concept]) -> None:
    first, second = press_text(concepts, SPOKEN), press_text([replace(each) for each in concepts], SPOKEN)
    assert {name: bytes(data) for name, data in first.items()} == {name: bytes(data) for name, data in second.items()}


def test_hash_seeds_change_no_byte() -> None:
    program = (
        "import hashlib; from loom.bench.made import concepts; from loom.core.retrieval.pressing import press_text\n"
        "files = press_text(concepts(200), {'pan': 4.5, 'pot': 5.0, 'stock': 4.0})\n"
        "print(hashlib.sha256(b''.join(name.encode() + bytes(data) for name, data in sorted(files.items()))).hexdigest())"
    )
    digests = [
        subprocess.run(
            [sys.executable, "-c", program], env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    ]
    assert digests[0] == digests[1]


def test_titles_written_without_spaces_are_found_by_what_they_say() -> None:
    corpus = [
        Concept("urn:x:a", "機械学習", definition="データから規則を学ぶ方法。"),
        Concept("urn:x:b", "深層学習", definition="多層の神経回路網を使う機械学習。"),
        Concept("urn:x:c", "図書館", definition="本を貸す建物。"),
    ]
    text = index(corpus)
    assert text.search(terms("本を借りる建物は?"), 3)[0].tolist() == [2]
    assert text.search(terms("機械学習とは"), 3)[0].tolist() == [0, 1]


def test_another_language_is_found_by_its_own_words() -> None:
    corpus = [
        Concept("urn:x:a", "Schmoren", definition="Fleisch anbraten und zugedeckt in wenig Flüssigkeit langsam garen."),
        Concept("urn:x:b", "Frittieren", definition="Speisen in heißem Fett garen."),
    ]
    rows, _ = index(corpus, {"in": 7.0, "und": 7.0}).search(
        terms("Wie heißt es, wenn man etwas langsam in Flüssigkeit gart?"), 2
    )
    assert rows.tolist()[0] == 0
