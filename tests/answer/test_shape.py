"""What kind of question a request is, and which of its words retrieval reads."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom.answer.shape import shape_of, text_of


def user(content, **more):
    return {"messages": [{"role": "user", "content": content}], **more}


@pytest.mark.parametrize(
    "text",
    [
        "What is a kiln?",
        "what is Tide Kiln",
        "What are tidal bellows?",
        "What's a kiln?",
        "Define kiln.",
        "define: kiln shelf".replace(":", ""),
        "What does WebID mean?",
        "definition of kiln",
        "Give me the definition of kiln.",
        "How is a kiln related to a furnace?",
        "Please describe a tide kiln",
    ],
)
def test_lookups(text: str):
    assert shape_of(user(text), text) == "lookup"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "kiln",
        "Write a poem about a kiln",
        "Translate 'kiln' into French",
        "Why do kilns crack?",
        "What is the best kiln?",
        "What is a kiln? " + "Tell me everything. " * 20,
    ],
)
def test_other_questions_are_plain(text: str):
    assert shape_of(user(text), text) == "plain"


def test_what_an_answer_must_look_like_wins():
    text = "What is a kiln?"
    assert shape_of(user(text, tools=[{"type": "function"}]), text) == "tools"
    assert shape_of(user(text, response_format={"type": "json_object"}), text) == "schema"
    assert shape_of(user(text, response_format={"type": "text"}), text) == "lookup"
    assert shape_of(user(text, tools=[]), text) == "lookup"
    turns = [{"role": "user", "content": text}, {"role": "assistant", "content": None}, {"role": "tool", "content": "42"}]
    assert shape_of({"messages": turns}, text) == "tools"


def test_a_second_turn_or_an_image_is_no_lookup():
    text = "What is a kiln?"
    turns = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hi"}, {"role": "user", "content": text}]
    assert shape_of({"messages": turns}, text) == "plain"
    parts = [{"type": "text", "text": text}, {"type": "image_url", "image_url": {"url": "data:,"}}]
    assert shape_of(user(parts), text) == "plain"
    assert shape_of(user(parts[:1]), text) == "lookup"
    assert shape_of({"messages": [{"role": "system", "content": "Be brief."}, *user(text)["messages"]]}, text) == "lookup"


def test_the_text_is_the_last_user_message_and_its_text_parts():
    messages = [
        {"role": "user", "content": "first"},
        {
            "role": "user",
            "content": [{"type": "text", "text": "What is"}, {"type": "file"}, {"type": "text", "text": "a kiln?"}],
        },
        {"role": "assistant", "content": "A furnace."},
    ]
    assert text_of(messages) == "What is a kiln?"
    assert text_of([{"role": "system", "content": "x"}]) == ""
    assert text_of([{"role": "user", "content": None}]) == ""
    assert text_of([{"role": "user", "content": [{"type": "text"}, {"type": "text", "text": 3}]}]) == ""


@given(st.text(max_size=400))
def test_any_text_has_a_shape(text: str):
    assert shape_of(user(text), text) in ("lookup", "plain")
