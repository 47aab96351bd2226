"""Sections of pages: every byte outside one stays, a place that is not certain is refused, and taking one out undoes it."""

import pytest
from hypothesis import strategies as st
from support.trying import many

from loom.core.pages.note import read_note
from loom.core.pages.page import read_page
from loom.core.proposals.anchors import Unplaceable, headings
from loom.core.proposals.assertion import Assertion
from loom.core.proposals.plain import plain
from loom.core.proposals.rendering import items
from loom.core.proposals.sections import LAST, Touched, bodies, key_of, sections, with_section, without
from loom_adapters.vault import front_matter

PAGE = b"""---
title: Bread
# not: a heading
---
Bread is baked.

## Uses
Eaten.

```
## Uses
```

### With butter
Good.

<!-- ## Kinds -->
## Kinds
Many.
"""

PIECES = st.sampled_from(
    [
        *(
            "## Uses",
            "# Uses",
            "## Kinds ##",
            "### Uses",
            "- ## Uses",
            "Text.",
            "",
            "",
            "   ",
            "- item",
            "a\tb",
            "\u00fc\u4e2d",
            "key:: value",
            "---",
            "> ## Uses",
            "    # Uses",
            "\t## Uses",
            "Uses\n---",
            "===",
            "$$",
            "<pre>",
            "</pre>",
            "<div>",
            "## Uses#",
            "##",
        ),
        *(
            "```",
            "~~~",
            "```python",
            "<!-- c -->",
            "<!--",
            "-->",
            "%%",
            "## Uses\u00a0",
            "[[Link]] <!-- a --> b",
            "x\x0cy",
            "\u2028",
        ),
    ]
)
FEEDS = st.sampled_from(["\n", "\n", "\n", "\r\n"])
PAGES = st.builds(
    lambda front, lines, mixed, end: (front + mixed.join(lines) + end).encode(),
    st.sampled_from(["", "", "---\ntitle: A\n---\n", "\ufeff", "---\nopen: yes\n"]),
    st.lists(PIECES, max_size=14),
    FEEDS,
    st.sampled_from(["", "\n", "\n\n", "\r\n", "  ", "\r"]),
)
ANCHORS = st.sampled_from(["", "## Uses", "Uses", "## Kinds", "# Uses", "Nowhere"])
BODIES = st.sampled_from(["- one", "- one\n- two", "## Reported\n\n- \u00fc [[Link]]\n\nrelatedTo:: [[Link]]"])


@many(PAGES, st.lists(st.tuples(ANCHORS, st.one_of(st.just(""), BODIES)), min_size=1, max_size=6))
def test_whatever_is_written_nothing_else_changes(page: bytes, edits: list[tuple[str, str]]) -> None:
    now, there = page, {}
    for anchor, body in edits:
        try:
            now = with_section(now, anchor, body)
        except Unplaceable:
            continue
        there[key_of(anchor)] = body
        assert without(now) == page
        assert dict(bodies(now)) == {key: text for key, text in there.items() if text}
        assert with_section(now, anchor, body) == now
    for anchor, _ in edits:
        if key_of(anchor) in there:
            now = with_section(now, anchor, "")
    assert now == page


@many(PAGES, ANCHORS)
def test_a_section_goes_under_the_one_heading_or_nowhere(page: bytes, anchor: str) -> None:
    text = page.decode()
    try:
        there = [each for each in headings(text) if each.title == anchor.lstrip("# ") and anchor.count("#") in (0, each.level)]
    except Unplaceable:
        with pytest.raises(Unplaceable):
            with_section(page, anchor, "- x")
        return
    if anchor and len(there) != 1:
        with pytest.raises(Unplaceable):
            with_section(page, anchor, "- x")
    else:
        try:
            made = with_section(page, anchor, "- x").decode()
        except Unplaceable as refusal:
            assert "outline" in refusal.message or "\r" in text
            return
        (section,) = sections(made)
        if anchor:
            before = [each for each in headings(made[: section.start] or "") if each.level <= there[0].level]
            assert before[-1].start == there[0].start
        else:
            assert not made[section.end :].strip()


@pytest.mark.parametrize("anchor", ["## Uses", "Uses", "  ##   Uses  "])
def test_headings_in_code_comments_and_front_matter_are_none(anchor: str) -> None:
    made = with_section(PAGE, anchor, "- more").decode()
    assert "<!-- ## Kinds -->\n\n<!-- loom:section" in made and made.index("- more") < made.index("\n## Kinds\n")
    assert [each.title for each in headings(PAGE.decode())] == ["Uses", "With butter", "Kinds"]


@pytest.mark.parametrize(
    ("page", "anchor", "why"),
    [
        (b"# A\n## Uses\n## Uses\n", "## Uses", "it has 2"),
        (b"# A\n", "## Uses", "none"),
        (b"## uses\n", "## Uses", "none"),
        (b"text\n```\ncode\n", "", "code"),
        (b"text <!-- never\n", "", "comment"),
        (b"100 %% of\n", "", "comment"),
        (b"---\ntitle: x\n", "", "front matter"),
        (b"- ## Uses\n  - a\n", "## Uses", "outline"),
        (b"\xff\xfe", "", "UTF-8"),
        (b"## C#\n", "## C", "none"),
        (b"a\n\n    ## Uses\n", "## Uses", "none"),
        (b"a\n\n\t## Uses\n", "## Uses", "none"),
        (b"<pre>\n\n## Uses\n</pre>\n", "## Uses", "none"),
        (b"<div>\n## Uses\n</div>\n", "## Uses", "none"),
        (b"$$\n# Uses\n$$\n", "# Uses", "none"),
        (b"<pre>\n", "", "element"),
        (b"$$\nx\n", "", "formula"),
        (b"Uses\n====\na\n# Uses\n", "Uses", "it has 2"),
        (b"a\n<!-- loom:section last 0123456789abcdef 1 -->\nb\n", "", "pairs"),
        (b"<!-- /loom:section last -->\n", "", "pairs"),
        (b"`<!-- loom:section`\n", "", "pairs"),
    ],
)
def test_a_page_without_one_certain_place_is_refused(page: bytes, anchor: str, why: str) -> None:
    with pytest.raises(Unplaceable, match=why):
        with_section(page, anchor, "- x")


UNDER_A = "\n<!-- loom:section"


@pytest.mark.parametrize(
    ("part", "rest"),
    [
        ("    make\n    # and then\n    make install\n", "## B\n"),
        ("\tmake\n\t# and then\n", "# B\n"),
        ("    - # in code\n    - b\n", "## B\n"),
        ("$$\n# x\n$$\n", "## B\n"),
        ("<pre>\n\n# x\n</pre>\n", "## B\n"),
        ("<div>\n# x\n</div>\n", "## B\n"),
        ("```\n    ```\n# x\n```\n", "## B\n"),
        ("    ```\n    # x\n", "## B\n"),
        ("text\n", "B\n---\nof B\n"),
        ("text\n", "B\nin two lines\n=====\n"),
        ("text\n", "##\nof nothing\n"),
        ("- item\n  ```\n# x\n  ```\n", "## B\n"),
        ("| a |\n|---|\n| b |\n", "---\nstill of A\n"),
        ("- item\n", "---\nstill of A\n"),
    ],
)
def test_a_part_ends_at_the_next_heading_and_at_nothing_that_looks_like_one(part: str, rest: str) -> None:
    for feed in ("\n", "\r\n"):
        page = f"# L\n\n## A\n{part}\n{rest}".replace("\n", feed).encode()
        made = with_section(page, "## A", "- new").decode().replace("\r\n", "\n")
        before, _, _ = made.partition(UNDER_A)
        assert before == f"# L\n\n## A\n{part}" + (f"\n{rest}" if "still of A" in rest else "")
        assert without(made.replace("\n", feed).encode()) == page


@pytest.mark.parametrize("around", ["```\n{}```\n", "%%\n{}%%\n", "<pre>\n{}</pre>\n", "$$\n{}$$\n", "<!--\n{}"])
def test_marks_in_code_and_comments_are_shown_and_not_written_into(around: str) -> None:
    section = with_section(b"a\n", "", "- x").decode()
    page = f"How a section looks:\n\n{around.format(section)}".encode()
    for body in ("- y", "- x", ""):
        with pytest.raises(Unplaceable, match=r"code or a comment|pairs|never does"):
            with_section(page, "", body, overwrite=True)


@many(
    st.lists(
        st.sampled_from(["%", "%%", "$$", "$", "`", "~~", "~", "[", "((", "{", "]", "<", "!--", "-->", " ", "a", "#"]),
        max_size=9,
    )
)
def test_what_others_say_opens_nothing_in_a_page(pieces: list[str]) -> None:
    said = "".join(pieces) + " says a"
    for text in (f"- {plain(said)}", f"- So: {plain(said)} (*{plain(said)}*)"):
        page = with_section(PAGE, "", f"## Reported\n\n{text}")
        assert [each.title for each in headings(page.decode())] == ["Uses", "With butter", "Kinds", "Reported"]
        assert not any(mark in text for mark in ("%%", "$$", "```", "~~~", "[[", "((", "{{", "<!--", "-->"))


@pytest.mark.parametrize("text", ["Furnace(javascript:x) glows.", "!Furnace glows.", "Furnace[x] glows.", "A !Furnace(x)[y]"])
def test_a_link_is_a_link_to_its_page_and_no_other(text: str) -> None:
    made = items([Assertion(text, "a.txt", terms=(("Furnace", "urn:f"),))], "urn:k", lambda iri: "Furnace")
    assert "See [[Furnace]]" in made and not any(mark in made for mark in ("](", "![[", "]["))


def test_two_sections_of_one_key_are_refused() -> None:
    once = with_section(b"a\n", "", "- x")
    with pytest.raises(Unplaceable, match="pairs"):
        with_section(once + once, "", "- y")


def test_what_a_person_wrote_into_a_section_is_not_written_over() -> None:
    made = with_section(PAGE, "", "- x")
    touched = made.replace(b"- x", b"- x, and I know why")
    with pytest.raises(Touched):
        with_section(touched, "", "- y")
    with pytest.raises(Touched):
        with_section(touched, "", "")
    assert with_section(touched, "", "- y", overwrite=True) == with_section(made, "", "- y")
    assert without(touched) == PAGE


def test_a_person_may_write_around_a_section_and_change_line_ends() -> None:
    made = with_section(PAGE, "", "- x\n- y")
    around = b"Above.\n" + made.replace(b"Many.", b"Very many.") + b"\nBelow.\n"
    again = with_section(around, "", "- z")
    assert without(again) == without(around) == b"Above.\n" + PAGE.replace(b"Many.", b"Very many.") + b"\nBelow.\n"
    windows = made.replace(b"\n", b"\r\n")
    assert with_section(windows, "", "- x\n- y") == windows
    assert with_section(windows, "", "- z") == with_section(PAGE, "", "- z").replace(b"\n", b"\r\n")
    assert without(windows) == PAGE.replace(b"\n", b"\r\n")


def test_the_last_section_stays_last() -> None:
    last = with_section(b"## Uses\ntext", "", "## Reported\n\n- x")
    both = with_section(last, "## Uses", "- under")
    assert [each.key for each in sections(both.decode())] == [key_of("## Uses"), LAST]
    assert without(both) == b"## Uses\ntext"


CLASS = b"""```json-ld
{"@id": "urn:ngm:page:kiln", "@type": "vc:Page", "title": "Kiln", "vc:public": true, "vc:slug": "kiln"}
```
```json-ld
{"@id": "urn:ngm:class:kiln", "@type": "owl:Class", "label": "Kiln", "definition": "An oven for clay.", "relations": {}}
```
- ## Overview
\t- It is hot inside.
"""


def test_readers_of_both_kinds_see_the_text_and_no_mark() -> None:
    body = "## Reported\n\n- It glows ([[Furnace]]).\n\nrelatedTo:: [[Furnace]]"
    (concept,) = read_page("Kiln.md", with_section(CLASS, "", body)).concepts
    assert concept.prose == "It is hot inside.\nReported\nIt glows (Furnace)."
    note = read_note("Kiln.md", with_section(b"---\ntitle: Kiln\n---\nAn oven.\n", "", body), front_matter)
    assert (note.definition, note.prose) == ("An oven.", "Reported\n- It glows (Furnace).")
    assert [named.text for named in note.relations["relatedTo"]] == ["Furnace"]
    assert [named.text for named in note.links] == ["Furnace"]


def test_what_is_reported_defines_nothing() -> None:
    """A page without a text of its own has no definition before, and none after."""
    for page in (b"---\ntitle: Kiln\n---\n", b"# Kiln\n", b"# Kiln\n\n| a |\n"):
        note = read_note("Kiln.md", with_section(page, "", "## Reported\n\n- It glows."), front_matter)
        assert note.definition == read_note("Kiln.md", page, front_matter).definition and "- It glows." in note.prose
    below = with_section(b"# Kiln\n", "", "## Reported\n\n- It glows.") + b"\nAn oven, says somebody.\n"
    assert read_note("Kiln.md", below, front_matter).definition == "An oven, says somebody."
    own = b"# Kiln\n\n## Uses\nNone.\n\n## Definition\nAn oven.\n"
    assert read_note("Kiln.md", with_section(own, "## Uses", "- It glows."), front_matter).definition == "An oven."
