"""Question files, and what is kept of a plan."""

import json
from pathlib import Path

import pytest
from support.asking import pinned, plan
from support.nodes import KILNS

from loom.answer.replay import Asked, ceiling, given, key_of, question, read
from loom.core.errors import BadInput


def written(folder: Path, *lines: str) -> Path:
    file = folder / "questions.jsonl"
    file.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return file


def test_every_form_of_a_question_is_read(tmp_path: Path) -> None:
    talk = [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": "hello"},
        {"role": "user", "content": "What is ash?"},
    ]
    asked = read(
        written(
            tmp_path,
            json.dumps({"id": "a", "prompt": "What is a kiln?", "gold": [{"title": "Kiln Shelf"}, {"title": "Kiln Shelf"}]}),
            json.dumps({"text": "And a shelf?", "gold": ["Kiln"]}),
            "",
            json.dumps({"id": 7, "messages": talk}),
            "  Who fires it?",
        )
    )
    assert [(each.id, each.text, each.gold) for each in asked] == [
        ("a", "What is a kiln?", ("Kiln Shelf",)),
        ("2", "And a shelf?", ("Kiln",)),
        ("7", "What is ash?", ()),
        ("5", "Who fires it?", ()),
    ]
    assert len(asked[2].messages) == 3


@pytest.mark.parametrize(
    "line",
    ["{}", '{"prompt": " "}', '{"prompt": 3}', '{"prompt": "x", "gold": [1]}', '{"messages": [{"role": "user"}]}', '{"prompt"'],
)
def test_a_line_that_asks_nothing_is_named(tmp_path: Path, line: str) -> None:
    with pytest.raises(BadInput, match="line 2"):
        read(written(tmp_path, "What is a kiln?", line))


def test_a_file_without_questions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="at least one question"):
        read(written(tmp_path, ""))
    with pytest.raises(BadInput, match="cannot be read"):
        read(tmp_path / "nowhere.jsonl")


def test_a_question_has_the_shape_that_chat_would_give_it() -> None:
    def shape(text: str) -> str:
        return question(Asked("1", ({"role": "user", "content": text},))).shape

    assert shape("What is a kiln?") == "lookup"
    assert shape("Why do kilns crack when they cool?") == "plain"
    assert (
        shape('### Task:\nGenerate a title.\n{ "title": "" }\n### Chat History:\n<chat_history>\nUSER: kilns\n</chat_history>')
        == "side_call"
    )


def test_concepts_are_named_by_slugs() -> None:
    assert key_of("urn:test:tide-kiln") == key_of("https://example.org/onto#Tide_Kiln") == key_of("tide-kiln") == "tide-kiln"
    assert key_of("urn:test:出汁") == "urn:test:出汁"
    asked = Asked("1", (), row={"one": "Tide Kiln", "many": ["ash", "kiln"]})
    assert asked.slugs("one") == {"tide-kiln"} and asked.slugs("many") == {"ash", "kiln"} and asked.slugs("none") == frozenset()


def test_what_was_given_is_what_the_block_shows() -> None:
    asked = Asked("1", ({"role": "user", "content": "What is a tide kiln?"},), ("Tidal Bellows", "Moon"))
    found = given(plan(pinned(*KILNS), asked.text), asked)
    assert found.engaged and found.keys[0] == "tide-kiln" and "Tidal Bellows" in found.names
    assert found.ceiling == 0.5
    assert found.as_json()["served"][0] == "tide-kiln"


def test_a_ceiling_needs_gold() -> None:
    assert ceiling((), "anything") is None
    assert ceiling(("Kiln", "Moon"), "the kiln") == 0.5
