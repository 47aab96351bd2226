"""Tagged reasoning, told apart from the answer in any chunking."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom.core.thinking import TAGS, TagReader


def read(*chunks: str) -> tuple[str, str]:
    reader = TagReader()
    parts = [*map(reader.feed, chunks), reader.close()]
    return "".join(answer for answer, _ in parts), "".join(thought for _, thought in parts)


@pytest.mark.parametrize(
    ("text", "answer", "reasoning"),
    [
        ("An answer.", "An answer.", ""),
        ("<think>why</think>An answer.", "An answer.", "why"),
        ("\n<think>\nwhy\n</think>\n\nAn answer.", "\n\nAn answer.", "\nwhy\n"),
        ("<think>never closed", "", "never closed"),
        ("<think>never closed</thi", "", "never closed</thi"),
        ("[THINK]why[/THINK]An answer.", "An answer.", "why"),
        ("<thinker> is a tag of its own", "<thinker> is a tag of its own", ""),
        ("Use <think> to think.</think>", "Use <think> to think.</think>", ""),
        ("<think></think>An answer about <think>x</think>", "An answer about <think>x</think>", ""),
        ("<thi", "<thi", ""),
        ("  ", "  ", ""),
        ("", "", ""),
    ],
)
def test_one_text(text: str, answer: str, reasoning: str) -> None:
    assert read(text) == read(*text) == (answer, reasoning)


PIECE = st.one_of(st.sampled_from([tag for pair in TAGS for tag in pair]), st.text("<>/think [] é", max_size=8))


@given(text=st.lists(PIECE, max_size=6).map("".join), cuts=st.lists(st.integers(0, 60), max_size=6))
def test_chunking_does_not_matter(text: str, cuts: list[int]) -> None:
    places = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    assert read(*(text[a:b] for a, b in itertools.pairwise(places))) == read(text)
