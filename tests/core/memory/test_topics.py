"""Of whom a thought is told, and a topic that only has a question mark behind it."""

import pytest

from loom.core.memory.people import Names
from loom.core.memory.policy import FIRST, Reads
from loom.core.memory.reading import parsed, pieces_of
from loom.core.memory.sentences import sentences_in
from loom.core.memory.subjects import Present
from loom.core.memory.values import NOBODY, Person, Said

NAMES = Names((Person("petra", "Petra", speaks=True), Person("osman", "Osman", speaks=True)))


def told(text: str, reads: Reads | None = None) -> dict[str, list[str]]:
    """What Osman says to Petra, by subject."""
    reads = reads or Reads()
    said = Said("Osman", text, "2024-05-20")
    pieces = pieces_of(1, said, parsed(said, reads), NAMES, Present("osman", "petra"), reads)
    return {each.subject: [text[one.start : one.end] for one in each.sentences] for each in pieces if each.subject != NOBODY}


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("I remember that you sold the canoe.", "petra"),
        ("I still can't believe that Petra sold the canoe.", "petra"),
        ("I think I sold the canoe.", "osman"),
        ("I sold Petra the canoe.", "osman"),
        ("I think the canoe leaks.", "osman"),
    ],
)
def test_what_one_thinks_of_another_is_told_of_them(text: str, subject: str) -> None:
    assert list(told(text)) == [subject]


def test_a_topic_with_a_question_mark_belongs_to_what_is_said_of_it() -> None:
    assert told("My first canoe? That was a wreck.") == {"osman": ["My first canoe?", "That was a wreck."]}
    assert told("My first canoe? That was a wreck.", Reads(subjects=FIRST)) == {"osman": ["That was a wreck."]}


@pytest.mark.parametrize(
    "text", ["Did I sell my canoe? I kept the paddle.", "Your canoe? I kept the paddle.", "Where is my oar? I lost it."]
)
def test_a_question_asserts_nothing(text: str) -> None:
    assert told(text) == {"osman": [text.split("? ")[1]]}


def test_what_only_names_a_topic() -> None:
    texts = ["And the old car?", "Did you sell it?", "And did you?", "What a car?", "The old car."]
    assert [each.names_topic for text in texts for each in sentences_in(text)] == [True, False, False, False, False]
