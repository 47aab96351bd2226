"""Content files become spans: verbatim, each at its place, gaps kept."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loom.core.facts.aligning import NONE, segments
from loom.core.facts.checks import KINDS
from loom.core.facts.layout import Layout
from loom.core.facts.values import Attribute, Base, SourceFile, Span
from loom.core.report import Report
from loom_adapters.kb.content import LARGEST, attribute_of, declared, spans_of

BASE = Base("urn:kb:t:", "t", "T", attributes=(Attribute("second", clock=True), Attribute("scene", words=(("scena", "1"),))))


def read(
    path: str, text: str | bytes, kind: str = "transcript", attribute: str = "second"
) -> tuple[list[Span], dict[str, int]]:
    source = SourceFile(f"urn:kb:t:source/{path}", BASE.iri, path, path, kind, (), attribute)
    report = Report(KINDS)
    data = text.encode() if isinstance(text, str) else text
    return spans_of(BASE, source, Layout(source.iri, path, kind), data, report), report.counts()


def places(spans: list[Span]) -> list[tuple[str, str | None, str]]:
    return [(str(span.start), str(span.end) if span.end is not None else None, span.text) for span in spans]


SRT = """\ufeff1
00:00:01,000 --> 00:00:03,500
<i>The quay.</i>
Two lines.

2
00:01:02,250 --> 00:01:04,000
Later &amp; later.

x
not a time --> at all
Lost.

3
00:02:00,000 --> 00:01:00,000
Backwards.
"""


def test_subtitles_keep_their_gaps_and_their_words() -> None:
    spans, counts = read("a.srt", SRT)
    assert places(spans) == [("1", "3.5", "The quay.\nTwo lines."), ("62.25", "64", "Later &amp; later.")]
    assert [span.label for span in spans] == ["[00:01]", "[01:02.25]"]
    assert [span.where.line for span in spans] == [2, 7]
    assert spans[0].iri == "urn:kb:t:span/a.srt/1"
    assert counts == {"kb-cue": 2}


@pytest.mark.parametrize(("path", "mark"), [("a.srt", ","), ("a.vtt", ".")])
def test_cues_of_the_same_times_are_one_unit_whoever_stands_between(path: str, mark: str) -> None:
    def cue(start: int, end: int, words: str) -> str:
        return f"00:00:0{start}{mark}000 --> 00:00:0{end}{mark}000\n{words}\n\n"

    text = cue(3, 8, "- Who is there?") + cue(4, 5, "A knock.") + cue(3, 8, "- Only me.") + cue(3, 7, "Rain.")
    spans, counts = read(path, text if path == "a.srt" else f"WEBVTT\n\n{text}")
    assert [(start, end, words) for start, end, words in places(spans) if start == "3" and end == "8"] == [
        ("3", "8", "- Who is there?\n- Only me.")
    ]
    assert len(spans) == 3
    assert counts.get("kb-cue", 0) == 0


def test_cues_with_no_empty_line_between_them_stay_two() -> None:
    text = (
        "1\n00:00:01,000 --> 00:00:02,000\nSeven\n7\n2\n00:00:03,000 --> 00:00:04,000\nEight --> nine\n"
        "00:00:05,000 --> 00:00:06,000\n00:00:07,000 --> 00:00:08,000\nTen\n"
    )
    spans, counts = read("a.srt", text)
    assert places(spans) == [("1", "2", "Seven\n7"), ("3", "4", "Eight --> nine"), ("7", "8", "Ten")]
    assert [span.where.line for span in spans] == [2, 6, 9]
    assert counts == {}


def test_captions_are_read_without_their_markup() -> None:
    text = (
        "WEBVTT - title\n\nNOTE a remark\n00:09.000 is no cue\n\nSTYLE\n::cue { color: red }\n\nintro\n00:01.500 --> 00:02.000 align:start\n"
        "<v.loud Rosa Bianchi>Where <c.yellow>is</c> it?</v>\n\n01:00:00.000 --> 01:00:01.000\nfish &amp; chips <00:01.000>now\n"
    )
    spans, counts = read("a.vtt", text)
    assert places(spans) == [("1.5", "2", "Rosa Bianchi: Where is it?"), ("3600", "3601", "fish & chips now")]
    assert spans[1].label == "[1:00:00]"
    assert counts == {}


def test_a_transcript_ends_each_unit_where_the_next_begins_and_leaves_the_last_open() -> None:
    spans, counts = read("a.txt", "Title of all\n[00:00] One.\nstill one\n\n[02:26] Two.\r\n[1:00:00] Three.\n")
    assert places(spans) == [("0", "146", "One.\nstill one"), ("146", "3600", "Two."), ("3600", None, "Three.")]
    assert [span.label for span in spans] == ["[00:00]", "[02:26]", "[1:00:00]"]
    assert [span.where.line for span in spans] == [2, 5, 6]
    assert counts == {"kb-cue": 1}


def test_a_transcript_keeps_stated_ends_and_silent_times_as_gaps() -> None:
    spans, _ = read("a.txt", "[00:10-00:20] One.\n[00:30] Two.\n[00:40]\n[00:50 – 00:55] Three.\n")
    assert places(spans) == [("10", "20", "One."), ("30", "40", "Two."), ("50", "55", "Three.")]


def test_times_without_brackets_are_read_where_none_has_them() -> None:
    spans, _ = read("a.txt", "00:05 - One.\n0:15.5 Two\n12 o'clock\n00:20\n")
    assert places(spans) == [("5", "15.5", "One."), ("15.5", "20", "Two\n12 o'clock")]
    spans, _ = read("a.txt", "[00:05] One.\n00:15 is a time that was mentioned\n")
    assert places(spans) == [("5", None, "One.\n00:15 is a time that was mentioned")]


def test_two_lines_at_one_time_are_one_unit_and_backward_times_are_put_in_order() -> None:
    spans, counts = read("a.txt", "[00:30] Late.\n[00:10] Early.\n[00:10] Also early.\n")
    assert places(spans) == [("10", "30", "Early.\nAlso early."), ("30", None, "Late.")]
    assert counts == {"kb-order": 1}


MARKDOWN = """---
title: no section
---
# The whole
Before all.

## Costs
Text of costs.
### Detail
```
## not a heading
```
## Dates ##
Text of dates.
"""


def test_markdown_is_read_by_sections() -> None:
    spans, counts = read("a.md", MARKDOWN, "document", "")
    assert [(str(span.start), str(span.end), span.label) for span in spans] == [
        ("0", "1", "section 0"), ("1", "2", "section 1"), ("2", "3", "section 2")
    ]  # fmt: skip
    assert spans[0].text == "# The whole\nBefore all."
    assert spans[1].text == "## Costs\nText of costs.\n### Detail\n```\n## not a heading\n```"
    assert spans[2].where.line == 13
    assert counts == {}


@pytest.mark.parametrize(
    ("titles", "attribute", "numbers"),
    [
        (["2. Two", "4) Four"], "", ["2", "4"]),
        (["Section 3", "Section 5: End"], "", ["3", "5"]),
        (["Scena 3", "scene 4 - The quay"], "scene", ["3", "4"]),
        (["2. Two", "Four"], "", ["1", "2"]),
        (["4. Two", "2. Four"], "", ["1", "2"]),
        (["Chapter 3", "Chapter 5"], "", ["1", "2"]),
        (["1.1 Sub", "1.2 Sub"], "", ["1", "2"]),
    ],
)
def test_sections_keep_the_numbers_that_they_all_state(titles: list[str], attribute: str, numbers: list[str]) -> None:
    spans, _ = read("a.md", "".join(f"## {title}\ntext\n" for title in titles), "document", attribute)
    assert [str(span.start) for span in spans] == numbers
    assert spans[0].label == f"{attribute or 'section'} {numbers[0]}"


def test_text_is_read_by_paragraphs() -> None:
    spans, _ = read("a.txt", "One\nline.\n\n \nTwo.", "text", "")
    assert places(spans) == [("1", "2", "One\nline."), ("2", "3", "Two.")]
    assert [(span.label, span.where.line) for span in spans] == [("paragraph 1", 1), ("paragraph 2", 5)]


def test_a_document_without_headings_is_one_section() -> None:
    spans, _ = read("a.md", "Only text.\n", "document", "")
    assert places(spans) == [("1", "2", "Only text.")]


def test_what_cannot_be_read_is_remarked_on() -> None:
    assert read("a.txt", b"\xff\xfe\x00") == ([], {"kb-encoding": 1})
    assert read("a.srt", "") == ([], {"kb-empty": 1})
    assert read("a.txt", b"x" * (LARGEST + 1)) == ([], {"kb-too-large": 1})
    assert read("a.txt", "no time at all\n") == ([], {"kb-cue": 1, "kb-empty": 1})


def test_positions_of_documents_are_sections_or_paragraphs_unless_declared() -> None:
    source = SourceFile("s", "b", "a", "A", "document")
    assert attribute_of(Layout("s", "a.MD", "document"), source) == "section"
    assert attribute_of(Layout("s", "a.txt", "text"), source) == "paragraph"
    assert attribute_of(Layout("s", "a.md", "document"), replace(source, attribute="scene")) == "scene"
    assert attribute_of(Layout("s", "a.txt", "transcript"), source) == ""
    assert declared(BASE, "scene") is BASE.attributes[1]
    assert declared(BASE, "section").words == (("section", "1"), ("sections", "1"))


LINES = st.lists(
    st.one_of(
        st.integers(0, 5000).map(lambda at: f"[{at // 60:02d}:{at % 60:02d}] words at {at}"),
        st.sampled_from(
            ["", "words", "[00:10-00:05] no", "[00:05]", "00:00:01,000 --> 00:00:02,000", "[99:99] no", "# head", "1"]
        ),
    ),
    max_size=12,
)


@settings(max_examples=300, deadline=None)
@given(LINES, st.sampled_from(["a.txt", "a.srt", "a.vtt", "a.md", "b.txt"]))
def test_no_file_raises_and_every_unit_is_found_at_its_start(lines: list[str], path: str) -> None:
    kind = {"a.md": "document", "b.txt": "text"}.get(path, "transcript")
    spans, _ = read(path, "\n".join(lines), kind, "" if kind != "transcript" else "second")
    assert [span.start for span in spans] == sorted(span.start for span in spans)
    cut = segments([(span.start, span.end) for span in spans])
    for number, span in enumerate(spans):
        found = cut.unit(span.start)
        assert found != NONE and (found == number or spans[found].start == span.start)
        assert span.text and span.end != span.start
    assert cut.unit(Decimal(-1)) == NONE
