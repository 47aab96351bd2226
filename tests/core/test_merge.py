"""Merging: where a block joins a conversation, and what stays as the client sent it."""

import copy
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.asking import TESTER

from loom.core.mint.make import make
from loom.core.policy.merge import at_own_temperature, merge
from loom.core.policy.packing import NOTHING, pack_lines
from loom.core.policy.wrappers import WRAPPERS, digest, wrap
from loom.core.values import Prompt, Question, tokens_of

BLOCK = pack_lines([make(iri="urn:c:kiln", title="Kiln", lines=[("## Kiln", ("Kiln",)), ("A chamber.", ())])], 200)
OTHER = pack_lines([make(iri="urn:c:salt", title="Salt", lines=[("## Salt", ("Salt",))])], 200)
TEXT = wrap("neutral", BLOCK.text)
USER = {"role": "user", "content": "What is a kiln?"}
CALL = {
    "role": "assistant",
    "content": None,
    "tool_calls": [{"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
}
RESULT = {"role": "tool", "tool_call_id": "1", "content": "42"}


def merged(messages: Any, block: Any = BLOCK, wrapper: str = "neutral", **more: Any) -> Prompt:
    body = {"model": "m", "messages": messages, **more}
    before = copy.deepcopy(body)
    prompt = merge(Question("What is a kiln?", TESTER, body), block, wrapper)
    assert body == before, "the client's own body was changed"
    return prompt


def system(content: Any, role: str = "system") -> dict[str, Any]:
    return {"role": role, "content": content}


PART = {"type": "text", "text": TEXT}

TABLE = {
    "no system message": ([USER], [system(TEXT), USER]),
    "a system message in words": ([system("Be brief."), USER], [system(f"Be brief.\n\n{TEXT}"), USER]),
    "white space at its end": ([system("Be brief. \n\n"), USER], [system(f"Be brief.\n\n{TEXT}"), USER]),
    "an empty one": ([system(""), USER], [system(TEXT), USER]),
    "a blank one": ([system(" \n"), USER], [system(TEXT), USER]),
    "one without content": ([system(None), USER], [system(TEXT), USER]),
    "one in parts": (
        [system([{"type": "text", "text": "Be brief."}]), USER],
        [system([{"type": "text", "text": "Be brief."}, PART]), USER],
    ),
    "one without parts": ([system([]), USER], [system([PART]), USER]),
    "a developer message": ([system("Be brief.", "developer"), USER], [system(f"Be brief.\n\n{TEXT}", "developer"), USER]),
    "developer, then system": (
        [system("A.", "developer"), system("B."), USER],
        [system(f"A.\n\n{TEXT}", "developer"), system("B."), USER],
    ),
    "system in the middle": ([USER, system("Later."), USER], [system(TEXT), USER, system("Later."), USER]),
    "tool calls": ([USER, CALL, RESULT], [system(TEXT), USER, CALL, RESULT]),
    "tool calls after a system message": (
        [system("Be brief."), USER, CALL, RESULT, USER],
        [system(f"Be brief.\n\n{TEXT}"), USER, CALL, RESULT, USER],
    ),
    "fields of the message beside its content": (
        [{**system("Be brief."), "name": "boss"}, USER],
        [{**system(f"Be brief.\n\n{TEXT}"), "name": "boss"}, USER],
    ),
}


@pytest.mark.parametrize("case", TABLE)
def test_where_the_block_goes(case: str) -> None:
    messages, expected = TABLE[case]
    prompt = merged(messages, temperature=0)
    assert prompt.body == {"model": "m", "messages": expected, "temperature": 0}
    assert prompt.injected_tokens == tokens_of(TEXT)
    assert prompt.block is BLOCK


@pytest.mark.parametrize("case", TABLE)
def test_only_the_first_place_changes(case: str) -> None:
    messages, _ = TABLE[case]
    found = merged(messages).body["messages"]
    tail = messages[1:] if messages[0]["role"] in ("system", "developer") else messages
    assert all(now is before for now, before in zip(found[1:], tail, strict=True))


@pytest.mark.parametrize("case", TABLE)
def test_what_is_merged_again_stands_there_once(case: str) -> None:
    """A client that sends back the messages as they went upstream."""
    messages, expected = TABLE[case]
    assert merged(merged(messages).body["messages"]).body["messages"] == expected


@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_an_earlier_block_goes_whatever_wrapped_it(wrapper: str) -> None:
    earlier = merged([system("Be brief."), USER], OTHER, wrapper).body["messages"]
    (first, _) = merged(earlier).body["messages"]
    assert first["content"] == f"Be brief.\n\n{TEXT}"
    parts = [{"type": "text", "text": "Be brief."}, {"type": "text", "text": wrap(wrapper, OTHER.text)}]
    (first, _) = merged([system(parts), USER]).body["messages"]
    assert first["content"] == [{"type": "text", "text": "Be brief."}, PART]


def test_words_around_an_earlier_block_stay() -> None:
    content = f"Before. {wrap('authoritative', OTHER.text)}\n\nAfter.\n\n{wrap('bare', OTHER.text)}"
    (first, _) = merged([system(content), USER]).body["messages"]
    assert first["content"] == f"Before.\n\nAfter.\n\n{TEXT}"


def test_a_header_without_a_footer_is_the_clients_own_text() -> None:
    (first, _) = merged([system("[ONTOLOGY CONTEXT]\nunfinished"), USER]).body["messages"]
    assert first["content"] == f"[ONTOLOGY CONTEXT]\nunfinished\n\n{TEXT}"


@pytest.mark.parametrize(
    "content", [" " * 200_000 + "[ONTOLOGY CONTEXT]", "[ONTOLOGY CONTEXT]\n" * 20_000, "\n[END ONTOLOGY CONTEXT]" * 20_000]
)
def test_odd_content_costs_no_time(content: str) -> None:
    began = time.thread_time()
    merged([system(content), USER])
    assert time.thread_time() - began < 0.5


@pytest.mark.parametrize("messages", [[USER], [system("A."), USER], [system([]), USER]])
def test_nothing_is_merged_where_nothing_is_shown(messages: list[dict[str, Any]]) -> None:
    prompt = merged(messages, NOTHING)
    assert prompt.body["messages"] is messages and prompt.injected_tokens == 0


@pytest.mark.parametrize("body", [{}, {"messages": []}, {"messages": None}, {"prompt": "What is a kiln?"}])
def test_a_body_without_messages_stays_as_it_is(body: dict[str, Any]) -> None:
    assert merge(Question("What is a kiln?", TESTER, body), BLOCK, "neutral").body == body


def test_the_bare_wrapper_says_nothing() -> None:
    assert merged([USER], wrapper="bare").body["messages"][0] == system(BLOCK.text)


@given(st.text(max_size=80).filter(lambda text: "[ONTOLOGY CONTEXT]" not in text))
def test_the_clients_words_are_kept(text: str) -> None:
    (first, _) = merged([system(text), USER]).body["messages"]
    assert first["content"] == (f"{text.rstrip()}\n\n{TEXT}" if text.strip() else TEXT)
    (again, _) = merged([first, USER]).body["messages"]
    assert again == first


def test_wrappers_differ_and_are_identified() -> None:
    assert tuple(WRAPPERS) == ("authoritative", "incomplete", "supplement", "neutral", "bare")
    assert len(set(WRAPPERS.values())) == 5
    assert digest().startswith("sha256:") and len(digest()) == 71
    assert wrap("authoritative", "") == ""


@pytest.mark.parametrize("stated", [{}, {"temperature": None}, {"temperature": 0.7}, {"temperature": 0}])
def test_a_temperature_goes_where_the_client_states_none(stated: dict[str, Any]) -> None:
    body = {"model": "m", "messages": [USER], **stated}
    prompt = merge(Question("What is a kiln?", TESTER, body), BLOCK, "neutral", temperature=0)
    client = stated.get("temperature")
    assert prompt.body["temperature"] == (0 if client is None else client) and prompt.tempered == (client is None)
    plain = merge(Question("What is a kiln?", TESTER, body), BLOCK, "neutral")
    assert at_own_temperature(prompt) == plain and at_own_temperature(plain) is plain
    assert body == {"model": "m", "messages": [USER], **stated}


def test_a_question_for_no_model_has_no_temperature() -> None:
    assert merge(Question("What is a kiln?", TESTER, {}), BLOCK, "neutral", temperature=0).body == {}
