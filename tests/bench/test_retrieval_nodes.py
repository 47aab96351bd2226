"""Nodes that are measured: single retrievers, switches, an open gate."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.nodes import KILNS
from support.sealed import sealed
from support.semantics import hashed

from loom import compose
from loom.answer.finders.ontology import OntologyFinder
from loom.answer.finders.switches import ALL, COMPONENTS, Switches
from loom.answer.plan import Pin
from loom.answer.replay import Asked
from loom.bench.retrieval.beside import alone, fused, retrievers
from loom.bench.retrieval.cost import Forgetful, kind_of, times
from loom.bench.retrieval.nodes import ask, gate_open, switched, without
from loom.bench.retrieval.trade import Bargain, gains
from loom.compose import opened


@pytest.fixture
def kilns(tmp_path: Path) -> Iterator[tuple[compose.Node, Pin]]:
    sealed(tmp_path, KILNS)
    with opened(tmp_path) as found:
        yield found


def asking(*texts: str) -> list[Asked]:
    return [Asked(str(at), ({"role": "user", "content": text},)) for at, text in enumerate(texts)]


async def test_fusion_adds_the_reciprocals_of_ranks() -> None:
    async def first(text: str, limit: int) -> Sequence[int]:
        return [5, 3, 9]

    async def second(text: str, limit: int) -> Sequence[int]:
        return [9, 5]

    ranked = fused(first, second)
    # 5: 1/61 + 1/62, 9: 1/63 + 1/61, 3: 1/62
    assert await ranked("", 4) == [5, 9, 3]
    assert await ranked("", 1) == [5]


async def test_equals_are_fused_in_the_order_of_rows() -> None:
    async def one(text: str, limit: int) -> Sequence[int]:
        return [8]

    async def other(text: str, limit: int) -> Sequence[int]:
        return [2]

    assert await fused(one, other)("", 4) == [2, 8]


def test_a_single_retriever_shows_what_it_ranks_best_whatever_it_is_worth(kilns: tuple[compose.Node, Pin]) -> None:
    node, pin = kilns

    async def ranked(text: str, limit: int) -> Sequence[int]:
        return [3, 1][:limit]

    async def nothing(text: str, limit: int) -> Sequence[int]:
        return []

    found = ask(alone(node, ranked), pin, asking("Thank you, that was helpful."))[0].given
    assert found.engaged and len(found.units) == 2
    assert not ask(alone(node, nothing), pin, asking("What is a kiln?"))[0].given.engaged


def test_what_a_generation_lacks_is_told(kilns: tuple[compose.Node, Pin]) -> None:
    _, pin = kilns
    found = retrievers(pin)
    assert found["BM25 over the units"] and found["title matcher of this node"]
    assert found["embeddings"] is None and found["plain rank fusion of BM25 and embeddings"] is None


def test_one_component_is_off_at_a_time() -> None:
    for component in COMPONENTS:
        off = replace(ALL, **{component: False})
        assert [name for name in COMPONENTS if not getattr(off, name)] == [component]


def test_a_switched_node_hands_its_switches_to_the_finders(kilns: tuple[compose.Node, Pin]) -> None:
    node, _ = kilns
    for component in COMPONENTS:
        reduced = without(node, component)
        switches = [each.switches for each in reduced.finders if isinstance(each, OntologyFinder)]
        assert [getattr(each, component) for each in switches] == [False]
        assert reduced.policies["default"].follows is (component != "conversation")
    first = switched(node, Switches(text=False, semantic=False)).finders[0]
    assert isinstance(first, OntologyFinder)
    assert first.switches == Switches(text=False, semantic=False)


def test_an_open_gate_shows_what_was_found(kilns: tuple[compose.Node, Pin]) -> None:
    node, pin = kilns
    asked = asking("What is a tide kiln?", "Thank you, that was helpful.")
    shut, wide = ask(node, pin, asked), ask(gate_open(node), pin, asked)
    assert [each.given.engaged for each in wide] == [True, False]
    assert wide[0].given.units[:1] == shut[0].given.units[:1]
    assert wide[0].given.confidence == shut[0].given.confidence


@pytest.mark.parametrize(
    ("path", "kind"),
    [(None, "lexical"), ("lexical", "lexical"), ("text", "text"), ("fused", "semantic"), ("semantic", "semantic")],
)
def test_a_path_is_as_dear_as_its_dearest_retriever(path: str | None, kind: str) -> None:
    assert kind_of(path) == kind


def test_gains_are_points_for_what_was_spent() -> None:
    names = Bargain("names", 0.2, 0.0, 0.1, 4.0)
    text = Bargain("names and text", 0.7, 0.6, 0.6, 10.0, "names")
    free = Bargain("free", 0.7, 0.6, 0.5, 0.0, "names and text")
    found = {each.name: (per_ms, per_mb) for each, per_ms, per_mb in gains([names, text, free])}
    assert found["names"] == (None, None)
    assert found["names and text"] == (pytest.approx(100), pytest.approx(5))
    assert found["free"] == (None, None)


def test_embeddings_are_single_retrievers_where_there_are_some(kilns: tuple[compose.Node, Pin]) -> None:
    node, pin = kilns
    pin = replace(pin, semantics=hashed(KILNS))
    for name in ("embeddings", "plain rank fusion of BM25 and embeddings"):
        ranked = retrievers(pin)[name]
        assert ranked is not None
        found = ask(alone(node, ranked), pin, asking("closed space that is heated"))[0].given
        assert found.keys[0] == "furnace"


async def test_time_is_taken_of_vectors_that_nobody_remembered() -> None:
    inner, heard = hashed(KILNS), []

    class Listening:
        contract = inner.contract

        async def vector(self, text: str) -> np.ndarray:
            heard.append(text)
            return await inner.vector(text)

    forgetful = Forgetful(Listening())
    first, second = await forgetful.vector("kilns of clay"), await forgetful.vector("kilns of clay")
    assert np.array_equal(first, second) and np.array_equal(first, await inner.vector("kilns of clay"))
    assert len(set(heard)) == 2 and forgetful.contract is inner.contract


def test_every_question_is_timed(kilns: tuple[compose.Node, Pin]) -> None:
    node, pin = kilns
    rows = ask(node, pin, asking("What is a kiln?", "Thank you!"))
    finding, preparing = times(node, pin, rows)
    assert len(finding) == len(preparing) == 2 and min(finding) > 0
