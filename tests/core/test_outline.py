"""Fences, headings, links and prose of outline text."""

from hypothesis import given
from hypothesis import strategies as st

from loom.core.outline import fences, first_heading, links, prose, rendered


def test_fences_are_found_with_their_lines() -> None:
    text = "a\n```json-ld\n{}\n```\n- ```py x\n  1\n  ```\n~~~\n```\n~~~\nend"
    listed = list(fences(text))
    assert [(one.info, one.text, one.line, one.closed, one.margin) for one in listed] == [
        ("json-ld", "{}\n", 3, True, True),
        ("py x", "  1\n", 6, True, True),
        ("", "```\n", 9, True, True),
    ]
    assert text[listed[-1].end :] == "end"


def test_a_longer_fence_holds_shorter_ones() -> None:
    assert [one.text for one in fences("````\n```\ninside\n```\n````\n")] == ["```\ninside\n```\n"]


def test_inline_code_is_no_fence() -> None:
    assert list(fences("a ```b``` c\nd ~~~ e\n")) == []


def test_a_fence_that_is_never_closed_ends_before_a_data_block() -> None:
    first, second = fences("```\ntext\n```json-ld\n{}\n```\n")
    assert (first.closed, first.text) == (False, "text\n")
    assert (second.info, second.text, second.closed) == ("json-ld", "{}\n", True)


@given(st.text(alphabet="`~a \n-{}json", max_size=60))
def test_fences_of_any_text_are_in_order_and_inside(text: str) -> None:
    end = 0
    for one in fences(text):
        assert end <= one.start < one.end <= len(text)
        assert one.text in text
        assert 1 <= one.line <= text.count("\n") + 2
        end = one.end


def test_the_first_heading_is_of_level_one() -> None:
    assert first_heading("## Two\n# One \n# Other") == "One"
    assert first_heading("#tag\ntext") == ""


def test_links_have_targets_and_labels() -> None:
    text = "[[A]], [[b/C#d|see c]] [[#here]] ![[E.md]] [[F\\|f]]"
    assert [(target, label) for target, label, _ in links(text)] == [("A", ""), ("b/C", "see c"), ("E.md", ""), ("F", "f")]


def test_rendered_text_has_no_markup_of_links() -> None:
    assert rendered("An [[Oven|oven]] for [[Clay]], {{macro x}}see [[#Heat]].![[p.png|200]]") == "An oven for Clay, see Heat."


OUTLINE = """
- ### Definition
  - What it is.
- ### Relationships
  - uses:: [[Clay]]
- ### Overview
  - What it is.
  - Fired with [[Wood|wood]].
  - source:: x
- ### Current Landscape (2026)
  - Now.
"""


def test_prose_leaves_out_what_the_record_states() -> None:
    assert prose(OUTLINE, "What it is.") == ("Current Landscape (2026)\nNow.\nFired with wood.", False)


@given(st.text(max_size=300), st.integers(1, 200))
def test_prose_is_cut_at_line_ends_within_the_limit(text: str, limit: int) -> None:
    whole, cut = prose(text, "", 10_000)
    short, shortened = prose(text, "", limit)
    assert not cut
    assert len(short) <= limit
    assert whole.startswith(short)
    assert shortened == (short != whole)
