import asyncio
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.generations import MemoryGeneration

from loom.answer.plan import Pin, Plan
from loom.core.errors import BadInput
from loom.core.policy.merge import merge
from loom.core.policy.packing import NOTHING
from loom.core.policy.policy import reference
from loom.core.values import Candidate, Concept, Decision, Outcome, Question, Scope
from loom.serve import peer

MESSAGES = [{"role": "user", "content": "What is a kiln?"}]


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ({"ontology_budget": 700}, {"budget": 700}),
        ({"ontology_budget": 10**9}, {"budget": 100_000}),
        ({"ontology_budget": 0}, {"off": True}),
        ({"ontology_budget": None, "ontology_prose": True}, {"prose": True}),
        ({"loom_options": {"verbatim": False, "later": 1}}, {"verbatim": False}),
        ({"ontology_budget": 700, "loom": {"budget": 50, "hops": 0}}, {"budget": 50, "hops": 0}),
        ({"ontology_prose": False, "loom": None}, {"prose": False}),
    ],
)
def test_fields_of_a_chat_request_become_options(theirs: dict, ours: dict) -> None:
    body = {"messages": MESSAGES, "top_k": 3, **theirs}
    assert peer.take_chat(body)
    assert body == {"messages": MESSAGES, "top_k": 3, "loom": ours}


def test_a_request_of_ours_is_left_as_it_is() -> None:
    body = {"messages": MESSAGES, "loom": {"budget": 5}}
    assert not peer.take_chat(body)
    assert body == {"messages": MESSAGES, "loom": {"budget": 5}}
    asked = {"prompt": "kiln", "budget": 5, "hops": 1}
    assert not peer.take_scaffold(asked)
    assert asked == {"prompt": "kiln", "budget": 5, "hops": 1}


@pytest.mark.parametrize("options", [{}, {"verbatim": True}])
def test_options_that_say_nothing_are_taken_all_the_same(options: dict) -> None:
    """Verbatim can be refused, not asked for: the node's own setting decides."""
    body = {"messages": MESSAGES, "loom_options": options}
    assert peer.take_chat(body)
    assert body == {"messages": MESSAGES}


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ({"query": "kiln", "budget_tokens": 60}, {"prompt": "kiln", "budget": 60}),
        ({"prompt": "kiln", "max_seeds": 2, "hops": 3}, {"prompt": "kiln", "max_units": 2, "hops": 1}),
        ({"prompt": "kiln", "max_seeds": 999}, {"prompt": "kiln", "max_units": 64}),
        ({"prompt": "kiln", "max_seeds": 0}, {"prompt": "kiln", "off": True}),
        ({"prompt": "kiln", "budget_tokens": 0}, {"prompt": "kiln", "off": True}),
        ({"prompt": "kiln", "budget_tokens": None, "prose": True}, {"prompt": "kiln", "prose": True}),
        ({"prompt": "kiln", "budget_tokens": 60, "budget": 9}, {"prompt": "kiln", "budget": 9}),
    ],
)
def test_fields_of_a_scaffold_request_become_options(theirs: dict, ours: dict) -> None:
    body = dict(theirs)
    assert peer.take_scaffold(body)
    assert body == ours


@pytest.mark.parametrize(
    ("take", "body", "param"),
    [
        (peer.take_chat, {"ontology_budget": "700"}, "ontology_budget"),
        (peer.take_chat, {"ontology_budget": -1}, "ontology_budget"),
        (peer.take_chat, {"ontology_budget": True}, "ontology_budget"),
        (peer.take_chat, {"ontology_prose": "yes"}, "ontology_prose"),
        (peer.take_chat, {"loom_options": []}, "loom_options"),
        (peer.take_chat, {"loom_options": {"verbatim": "no"}}, "loom_options.verbatim"),
        (peer.take_scaffold, {"prompt": "kiln", "budget_tokens": 1.5}, "budget_tokens"),
        (peer.take_scaffold, {"prompt": "kiln", "max_seeds": []}, "max_seeds"),
    ],
)
def test_a_wrong_type_is_refused_and_not_ignored(take: Any, body: dict, param: str) -> None:
    with pytest.raises(BadInput) as refused:
        take(body)
    assert refused.value.param == param


@given(st.floats(2, 1e6))
def test_scores_are_written_as_32_bits_make_them(score: float) -> None:
    assert peer.widened(score) == float(np.float32(score))
    assert peer.widened(8 / 3) == 2.6666667461395264


GENERATION = MemoryGeneration([Concept("urn:x:kiln", "Kiln"), Concept("urn:x:ash", "Ash")])
ABOUT = {"built_at": "2026-01-01T00:00:00Z"}


def plan_of(*candidates: Candidate) -> Plan:
    question = Question("kiln", Scope("test"), {"messages": MESSAGES})
    decision = Decision(bool(candidates), "lexical", 1500, None, None, (("ontology", candidates),) if candidates else ())
    return Plan(question, Pin(GENERATION), reference(), decision, NOTHING, merge(question, NOTHING, "bare"), "bare")


def test_a_scaffold_in_the_peers_words() -> None:
    said = peer.scaffold_fields(plan_of(Candidate("urn:x:kiln", 8 / 3, "lexical")), ABOUT, prose=False)
    assert said == {
        "scaffold": "",
        "engaged": True,
        "approx_tokens": 0,
        "prose": False,
        "seeds": [{"iri": "urn:x:kiln", "score": 2.6666667461395264, "provenance": "Lexical", "served": False}],
        "top_score": 2.6666667461395264,
        "effective_budget": 1500,
        "fusion_path": "LexicalHit",
        "generation": said["generation"],
    }
    assert said["generation"] | {"artifacts": []} == {
        "id": GENERATION.id,
        "source": "BuildManifest",
        "generated_at": "2026-01-01T00:00:00Z",
        "commit_sha": None,
        "promoted_at": None,
        "cluster_span_seconds": None,
        "artifacts": [],
        "verified_single_generation": True,
        "class_count": 2,
    }


def test_nothing_found_is_said_as_nothing() -> None:
    said = peer.scaffold_fields(plan_of(), ABOUT, prose=True)
    assert (said["engaged"], said["seeds"], said["top_score"], said["effective_budget"]) == (False, [], 0.0, 0)
    assert (said["fusion_path"], said["prose"]) == ("NoMatch", True)
    report = peer.PeerWatch(plan_of(), ABOUT, verbatim=False).report(Outcome("answered", "x"))
    assert (report["grounding"], report["served_mode"], report["mode"]) == (None, "delegated", "scaffold")


def test_a_candidate_of_a_meaning_says_so() -> None:
    plan = plan_of(Candidate("urn:x:kiln", 0.8, "semantic"))
    report = peer.PeerWatch(plan, ABOUT, verbatim=True).report(Outcome("answered", "x"))
    assert (report["fusion_path"], report["served_mode"]) == ("SemanticFallback", "verbatim")
    assert report["grounding"]["seeds"][0]["provenance"] == "SemanticHnsw"


@pytest.mark.parametrize(("path", "seen"), [*peer.PATHS.items(), ("/search/", "/search/"), ("/v1/models", "/v1/models")])
def test_short_paths_mean_the_long_ones(path: str, seen: str) -> None:
    found = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        found.append(scope["path"])

    asyncio.run(peer.Aliases(app)({"type": "http", "path": path, "raw_path": path.encode()}, None, None))
    assert found == [seen]
