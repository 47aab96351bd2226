from pathlib import Path

import pytest
from support.generations import MemoryGeneration
from support.nodes import KILNS

from loom.bench.prompts import long_prompts
from loom.bench.questions import made, read
from loom.core.concepts import Concepts
from loom.core.errors import BadInput


@pytest.fixture
def concepts() -> Concepts:
    found = MemoryGeneration(KILNS).part(Concepts)
    assert found is not None
    return found


def test_questions_are_about_the_generation_and_the_same_every_time(concepts: Concepts) -> None:
    questions = made(concepts)
    assert questions == made(concepts)
    assert len(questions) == len(KILNS)
    for concept, question in zip(sorted(KILNS, key=lambda concept: concept.iri), questions, strict=True):
        assert concept.title.lower() in question.lower()


def test_no_more_questions_than_asked_for(concepts: Concepts) -> None:
    assert len(made(concepts, 2)) == 2


def test_long_prompts_are_as_long_as_they_say(concepts: Concepts) -> None:
    prompts = long_prompts(concepts, made(concepts), 3000)
    assert {len(text) for text in prompts.values()} == {3000}
    assert len(set(prompts.values())) == len(prompts)


@pytest.mark.parametrize(
    "text", ["", "\n", "[]\n", '{"prompt": 3}\n', '{"prompt": " "}\n', '{"question": "What?"}\n', "What?\n"]
)
def test_a_file_without_prompts_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "questions.jsonl"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadInput):
        read(file)
