"""The embedding contract: what is stated of vectors, and what it refuses."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.generations import MemoryGeneration
from support.nodes import KILNS, concept

from loom.core.concepts import Concepts
from loom.core.errors import BrokenGeneration
from loom.core.retrieval.contract import RECIPE, RECIPES, EmbeddingContract, cut, read_contract

CONTRACT = EmbeddingContract("m", 4, RECIPE, "hash", (0.5, 0.5, 0.5, 0.5))


def test_it_is_read_back_as_it_was_written() -> None:
    read = read_contract(json.loads(json.dumps(CONTRACT.as_json())))
    assert read == CONTRACT and read.digest == CONTRACT.digest and read.fault() is None


@pytest.mark.parametrize(
    "change",
    [
        {"model": "n"},
        {"revision": "1"},
        {"recipe": "r"},
        {"embedder": "onnx"},
        {"probe": (0.5, 0.5, 0.5, -0.5)},
        {"tolerance": 0.5},
    ],
)
def test_every_field_is_in_the_digest(change: dict) -> None:
    assert replace(CONTRACT, **change).digest != CONTRACT.digest


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"recipe": "haiku"}, "recipe 'haiku'"),
        ({"embedder": "oracle"}, "kind 'oracle'"),
        ({"normalised": False}, "not normalised"),
        ({"width": 5}, "probe has 4 numbers"),
    ],
)
def test_a_contract_that_nothing_can_keep_says_why(change: dict, said: str) -> None:
    assert said in (replace(CONTRACT, **change).fault() or "")


@pytest.mark.parametrize(
    "content", [None, [], {}, {"model": "m"}, {**CONTRACT.as_json(), "probe": ["x"]}, {**CONTRACT.as_json(), "more": 1}]
)
def test_what_is_no_contract_is_refused(content: object) -> None:
    with pytest.raises(BrokenGeneration, match="loom embed"):
        read_contract(content)


def test_the_probe_tells_another_model_from_the_same_one() -> None:
    assert CONTRACT.mismatch(np.full(4, 0.5, dtype=np.float32)) is None
    assert CONTRACT.mismatch(np.array([0.51, 0.5, 0.49, 0.5], dtype=np.float32)) is None
    assert "cosine 0.500" in (CONTRACT.mismatch(np.array([1, 0, 0, 0], dtype=np.float32)) or "")
    assert "3 numbers" in (CONTRACT.mismatch(np.ones(3, dtype=np.float32)) or "")
    for nothing in (np.zeros(4), np.full(4, np.nan)):
        assert CONTRACT.mismatch(nothing) is not None


def test_the_text_of_a_unit_is_its_title_and_definition() -> None:
    corpus = (*KILNS, concept("Bare", "", "Kiln", uses=["Tidal Bellows", "Kiln Shelf"]), concept("Alone", ""))
    part = MemoryGeneration(corpus).part(Concepts)
    texts = {part.title(row): RECIPES[RECIPE].text(part, row) for row in range(part.count)}
    assert texts["Furnace"] == "Furnace. A closed space that is heated."
    assert texts["Bare"] == "Bare. Kiln. uses: Tidal Bellows, Kiln Shelf."
    assert texts["Alone"] == "Alone"


@given(st.text(), st.integers(1, 40))
def test_a_cut_text_is_a_beginning_of_it(text: str, longest: int) -> None:
    short = cut(text, longest)
    assert len(short) <= longest and text.startswith(short) and (short == text) == (len(text) <= longest)
