"""Which turns of a request came before its question, and what is read of them."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from loom.answer.asked import question_of
from loom.answer.shape import text_of, turns_of
from loom.core.policy.wrappers import WRAPPERS, wrap
from loom.core.retrieval.follow import TURN_READ, TURNS
from loom.core.values import Options, Scope, Turn


def said(role: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content, **more}


ASKED = said("user", "and what does it need?")
TALK = [said("user", "What is a kiln?"), said("assistant", "A furnace.")]
TURNS_OF_TALK = (Turn("user", "What is a kiln?"), Turn("assistant", "A furnace."))


def test_a_first_question_has_none_before_it() -> None:
    assert turns_of([ASKED]) == turns_of([said("system", "Be brief."), ASKED]) == turns_of([]) == ()
    assert turns_of([said("assistant", "Hello!")]) == ()


def test_words_of_user_and_assistant_count_and_nothing_else() -> None:
    call = said("assistant", None, tool_calls=[{"id": "1"}])
    picture = said("user", [{"type": "image_url", "image_url": {"url": "data:,"}}])
    parts = said("user", [{"type": "text", "text": "What is"}, {"type": "text", "text": "a kiln?"}])
    system = said("system", "You know kilns.")
    messages = [
        system,
        picture,
        parts,
        call,
        said("tool", "42"),
        said("assistant", " "),
        said("developer", "x"),
        TALK[1],
        ASKED,
    ]
    assert turns_of(messages) == TURNS_OF_TALK


def test_what_follows_the_question_is_not_before_it() -> None:
    """An agent sends its question again with what its tools said."""
    assert turns_of([*TALK, ASKED, said("assistant", "Let me see."), said("tool", "42")]) == TURNS_OF_TALK


def test_a_clients_own_history_is_read_without_our_blocks() -> None:
    for wrapper in WRAPPERS:
        block = wrap(wrapper, "[ONTOLOGY CONTEXT]\n## Oven\nAn oven.\n[END ONTOLOGY CONTEXT]")
        assert turns_of([said("user", block), said("user", f"{block}\n\nWhat is a kiln?"), TALK[1], ASKED]) == TURNS_OF_TALK


def test_long_conversations_and_long_turns_are_bounded() -> None:
    found = turns_of([*TALK * 5_000, said("user", "kiln " * 100_000), ASKED])
    assert len(found) == TURNS and found[-2] == TURNS_OF_TALK[1]
    assert found[-1] == Turn("user", ("kiln " * 100_000)[:TURN_READ])


@given(st.lists(st.sampled_from([*TALK, said("system", "x"), said("tool", "y"), said("assistant", None)]), max_size=30))
def test_the_turns_are_the_talk_up_to_the_last_question(messages: list[dict[str, Any]]) -> None:
    roles = [message["role"] for message in messages]
    last = len(roles) - 1 - roles[::-1].index("user") if "user" in roles else 0
    earlier = [message for message in messages[:last] if message["role"] in ("user", "assistant") and message["content"]]
    assert turns_of(messages) == tuple(Turn(each["role"], each["content"]) for each in earlier[-TURNS:])


def test_the_question_of_a_conversation() -> None:
    body = {"messages": [*TALK, ASKED]}
    question, kind = question_of(body, Scope("tester"), Options(), side_calls=True)
    assert (question.text, question.before, question.shape, kind) == (text_of(body["messages"]), TURNS_OF_TALK, "plain", None)
    title = said("user", "Generate a title for this chat in 3-5 words, reply with the title only.\n<chat_history>\nUSER: kiln")
    asked, kind = question_of({"messages": [title]}, Scope("tester"), Options(), side_calls=True)
    assert (asked.shape, kind) == ("side_call", "title")
    asked, kind = question_of({"messages": [title]}, Scope("tester"), Options(), side_calls=False)
    assert (asked.shape, kind) == ("plain", None)
