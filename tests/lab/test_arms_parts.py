"""The pieces that arms are made of: blocks of a given size, matchings, masked names, names across sentences, chunks."""

import math
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from loom.core.exposure import READERS
from loom.core.exposure.names import DefaultText
from loom.core.matching.default import plain_words
from loom.core.mint.make import make
from loom.lab.arms.chunks import LONGEST, Chunk, spoken
from loom.lab.arms.crossing import Crossing
from loom.lab.arms.fitting import at_word, cut, fitted, whole
from loom.lab.arms.flat import by_bm25, fused
from loom.lab.arms.masked import replaced
from loom.lab.arms.pairing import paired

WORD = st.text(st.sampled_from("abcdefghij"), min_size=1, max_size=11)
LINE = st.lists(WORD, min_size=1, max_size=30).map(" ".join)
PIECES = st.lists(st.lists(LINE, min_size=1, max_size=5), min_size=1, max_size=12)


@given(PIECES, st.integers(12, 400))
def test_a_fitted_block_has_the_tokens_that_are_wanted_or_all_there_is(pieces: list[list[str]], tokens: int) -> None:
    evidence = [
        make(iri=f"urn:t:{at}", title="T", lines=[(line, ()) for line in lines], lead=1) for at, lines in enumerate(pieces)
    ]
    block, everything = fitted(evidence, tokens), whole(evidence)
    assert block.tokens <= tokens
    if everything.tokens <= tokens:
        assert block.text == everything.text
    else:
        assert abs(block.tokens - tokens) <= math.ceil(0.02 * tokens)
        body = block.text.removesuffix("\n[END ONTOLOGY CONTEXT]").removesuffix("…")
        assert everything.text.startswith(body)
    if everything.tokens > tokens >= 50:
        assert abs(block.tokens - tokens) <= 0.02 * tokens


@given(LINE, st.integers(0, 60))
def test_a_text_is_cut_after_a_word(text: str, most: int) -> None:
    found = at_word(text, most)
    assert len(found) <= max(0, most) and text.startswith(found)
    assert found == "" or found == text or text[len(found)] == " "
    rest = text[len(found) :].split()
    assert found == text or len(found) + 1 + len(rest[0]) > most or (not found and len(rest[0]) > most)


def test_a_cut_line_keeps_the_names_that_it_still_shows() -> None:
    line = ("requires: Egg Yolk, Butter, White Wine", ("Egg Yolk", "Butter", "White Wine"))
    assert cut([line], 26, 1) == [("requires: Egg Yolk,", ("Egg Yolk",))]
    assert cut([line], 5, 1) == [("requ…", ())]
    assert cut([line], 5, 0) == []


def admissible(n: int, rng: Random, share: float) -> np.ndarray:
    made = np.array([[rng.random() < share for _ in range(n)] for _ in range(n)], dtype=bool).reshape(n, n)
    return made | made.T


def most_pairs(allowed: np.ndarray) -> int:
    """The size of a largest matching, by augmenting paths."""
    holder: dict[int, int] = {}

    def found(target: int, seen: set[int]) -> bool:
        for donor in np.flatnonzero(allowed[target]).tolist():
            if donor not in seen:
                seen.add(donor)
                if donor not in holder or found(holder[donor], seen):
                    holder[donor] = target
                    return True
        return False

    return sum(found(target, set()) for target in range(len(allowed)))


@given(st.integers(1, 14), st.integers(0, 10_000), st.floats(0, 0.6))
def test_as_many_are_paired_as_can_be(n: int, seed: int, share: float) -> None:
    rng = Random(seed)
    allowed = admissible(n, rng, share)
    sizes = [rng.randint(10, 900) for _ in range(n)]
    donors = paired(allowed, sizes, seed, "test")
    given_away = [donor for donor in donors if donor is not None]
    assert len(set(given_away)) == len(given_away)
    assert all(allowed[target, donor] and donor != target for target, donor in enumerate(donors) if donor is not None)
    assert len(given_away) == most_pairs(allowed & ~np.eye(n, dtype=bool))
    assert donors == paired(allowed, sizes, seed, "test")


def test_donors_of_similar_size_come_first() -> None:
    sizes = [100, 104, 400, 410, 1000, 1020]
    donors = paired(np.ones((6, 6), dtype=bool), sizes, 7, "test")
    assert donors == [1, 0, 3, 2, 5, 4]


def test_many_are_dealt_into_groups() -> None:
    donors = paired(np.ones((45, 45), dtype=bool), [100] * 45, 1, "test", at_once=10)
    assert sorted(donor for donor in donors if donor is not None) == list(range(45))
    assert all(donor != target for target, donor in enumerate(donors))


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("A stock pot holds stock.", "A Entity-1 holds Entity-2."),
        ("Stock Pots, stock-pots and stockpots", "Entity-1, Entity-1 and Entity-1"),
        ("the Stock Pot's lid; stocks’ salt", "the Entity-1's lid; Entity-2’ salt"),
        ("Livestock and stocking, laughingstock", "Livestock and stocking, laughingstock"),
        ("Bún Chả and bun cha", "Entity-3 and Entity-3"),
        ("- Stock Pot: a pot", "- Entity-1: a pot"),
        ("", ""),
    ],
)
def test_names_are_masked_at_word_boundaries_longest_first(text: str, masked: str) -> None:
    aliases = {"".join(plain_words(name)): entity for name, entity in NAMES.items()}
    assert replaced(aliases, text) == masked


NAMES = {"Stock": "Entity-2", "Stock Pot": "Entity-1", "Bún Chả": "Entity-3"}


@given(st.lists(st.sampled_from("stock Stocks pot pots broth Bún Chả and the-pot stock-pot's".split()), max_size=20))
def test_nothing_that_is_masked_is_found(words: list[str]) -> None:
    aliases = {"".join(plain_words(name)): entity for name, entity in NAMES.items()}
    found = DefaultText(replaced(aliases, " ".join(words)))
    assert not any(found.holds(name) for name in NAMES)


SMALL = st.sampled_from("ab cd abc d bridges to h m net graph graphs ql".split())


@given(
    st.lists(SMALL, min_size=1, max_size=4).map(" ".join),
    st.lists(SMALL, min_size=1, max_size=4).map(" ".join),
    st.lists(SMALL, min_size=1, max_size=3).map(" ".join),
)
def test_every_name_that_two_sentences_make_together_is_found(before: str, after: str, name: str) -> None:
    together = f"{before}.\n{after}"
    assume(any(READERS[each](together).names(name) for each in READERS))
    apart = any(READERS[each](part).names(name) for each in READERS for part in (before, after, f"{after}\n{before}"))
    assert apart or name in set(Crossing([name]).names(before + ".", after))


def test_names_within_a_sentence_are_not_across() -> None:
    assert list(Crossing(["Graph", "Data Mesh"]).names("a data mesh graph", "in use")) == []
    assert set(Crossing(["H-Bridge", "GraphQL"]).names("semantic search", "bridgesTo: x")) == {"H-Bridge"}
    assert set(Crossing(["H-Bridge", "GraphQL"]).names("a graph", "QL is a word")) == {"GraphQL"}


def chunk(row: int, text: str, title: str = "", at: int = 0) -> Chunk:
    return Chunk(row, at, text, (), tuple(text.split()), tuple(title.split()))


def test_bm25_takes_rare_words_titles_and_short_chunks_first() -> None:
    weights = {"wok": 4.0, "pan": 1.0}
    long = chunk(0, "wok " + "x " * 50)
    short, common, titled = chunk(1, "wok y"), chunk(2, "pan y"), chunk(3, "wok y", "wok")
    assert by_bm25([long, short, common, titled], weights) == [titled, short, long, common]
    assert by_bm25([chunk(5, "a"), chunk(4, "b")], weights) == [chunk(4, "b"), chunk(5, "a")]


def test_lists_are_fused_by_reciprocal_ranks() -> None:
    a, b, c = chunk(1, "a"), chunk(2, "b"), chunk(3, "c")
    assert fused([[a, b], [b, c]]) == [b, a, c]
    assert LONGEST == 600 and spoken("dependsOn") == "depends on" and spoken("has-part") == "has part"
