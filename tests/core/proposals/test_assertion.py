"""Assertions and the pages that they land on: fingerprints, what is refused, and pages that are only added to."""

import random
from dataclasses import replace

import pytest
from hypothesis import strategies as st
from support.trying import every_world, many

from loom.core.errors import BadInput
from loom.core.pages.note import read_note
from loom.core.proposals.assertion import Assertion, Span, assertion_of, normalised
from loom.core.proposals.ledger import HEAD, added, begun, is_ledger, page_name, read_page, unknown
from loom_adapters.vault import front_matter

HOSTILE = (
    *(
        "isA:: [[Poison]]",
        "title:: Other",
        "--> <!-- x",
        "<!-- loom:assertion {} -->",
        "[[A]] and [[B|c]]",
        "# Heading",
        "```",
        "~~~ x",
    ),
    *(
        "{{embed ((x))}}",
        "%% hidden",
        "| a | b |",
        "--- ---",
        "<script>alert(1)</script>",
        "a -> b <b>",
        "\u00fc\u4e2d \u2028 x",
        "![](x.png)",
    ),
    *("**bold**:: x", "- - nested", "1. one", "> quote", "\\", "`code`", "a\u200bb", "same as above."),
)
TEXTS = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(min_size=1, max_size=80),
    st.lists(st.sampled_from(HOSTILE), min_size=1, max_size=3).map(" ".join),
).filter(lambda text: any(map(str.isalnum, text)) and any(c.isalnum() and c.isprintable() for c in text))
ASSERTIONS = st.builds(
    lambda text, tier, confidence, terms, verified: assertion_of(
        {
            "text": text,
            "source": "episode 1",
            "span": text,
            "tier": tier,
            "confidence": confidence,
            "terms": terms,
            "verified": verified,
        },
        "it",
    ),
    TEXTS,
    st.sampled_from([None, 1, 2, 3]),
    st.one_of(st.none(), st.floats(0, 1)),
    st.lists(st.one_of(TEXTS, st.builds(lambda term: {"term": term, "iri": "urn:x:y"}, TEXTS)), max_size=3),
    st.booleans(),
)


@many(st.lists(ASSERTIONS, max_size=5), st.lists(ASSERTIONS, max_size=5))
def test_a_page_gives_back_what_landed_and_is_only_added_to(first: list[Assertion], second: list[Assertion]) -> None:
    titles = {"urn:x:y": "A [strange] | title <!-- "}.get
    page = added(None, "episode 1", unknown(None, first), lambda iri: titles(iri, ""))
    assert page.startswith(begun("episode 1")) and is_ledger(page.encode())
    read = read_page(page, "it.md")
    new = unknown(read, second)
    longer = added(page, "episode 1", new, lambda iri: titles(iri, ""))
    assert longer.startswith(page)
    again = read_page(longer, "it.md")
    assert not again.faults and again.source == "episode 1"
    assert list(again.assertions) == unknown(None, [*first, *second])
    assert unknown(again, [*second, *first]) == []


@many(ASSERTIONS)
def test_a_page_states_nothing_and_is_not_public(assertion: Assertion) -> None:
    note = read_note("it.md", added(None, "episode 1", [assertion], lambda iri: "Bread").encode(), front_matter)
    assert not note.public and not note.parents and not note.relations and not note.aliases
    assert note.text.get("title") == "Ledger of episode 1"
    assert {named.text for named in note.links} <= {"Bread"}


@many(ASSERTIONS)
def test_json_gives_the_same_assertion(assertion: Assertion) -> None:
    assert assertion_of(assertion.as_json(), "it") == assertion


def test_a_fingerprint_is_of_text_source_and_concepts() -> None:
    base = Assertion("Bread  rises.", "a", terms=(("Bread", "urn:b"), ("Dough", "")))
    assert (
        base.fingerprint
        == replace(base, text=" bread RISES ", tier=2, confidence=0.5, verified=True, span=Span("x")).fingerprint
    )
    assert base.fingerprint == replace(base, terms=(("Loaf", ""),), iris=("urn:b",)).fingerprint
    others = [
        replace(base, text="Bread falls."),
        replace(base, source="b"),
        replace(base, iris=("urn:c",)),
        replace(base, terms=()),
    ]
    assert len({each.fingerprint for each in (base, *others)}) == 5
    assert base.statement == replace(base, terms=()).statement != others[1].statement


@every_world
def test_pieces_of_a_fingerprint_do_not_run_together(seed: int, draw: random.Random) -> None:
    letters = [draw.choice("ab0:1") for _ in range(6)]
    cut, other = sorted(draw.sample(range(1, 6), 2))
    one = Assertion("".join(letters[:cut]), "".join(letters[cut:]))
    two = Assertion("".join(letters[:other]), "".join(letters[other:]))
    if normalised(one.text) != normalised(two.text):
        assert one.fingerprint != two.fingerprint


@pytest.mark.parametrize(
    "stated",
    [
        *(
            None,
            [],
            {},
            {"text": "a"},
            {"source": "b"},
            {"text": "a", "source": 3},
            {"text": " ", "source": "b"},
            {"text": "!", "source": "b"},
        ),
        {"text": "a", "source": "b", "tier": 4},
        {"text": "a", "source": "b", "tier": True},
        {"text": "a", "source": "b", "confidence": 1.5},
        {"text": "a", "source": "b", "confidence": float("nan")},
        {"text": "a", "source": "b", "terms": "c"},
        {"text": "a", "source": "b", "terms": [{"name": "c"}]},
        {"text": "a", "source": "b", "terms": ["c"] * 101},
        {"text": "a", "source": "b", "span": {"text": "a", "start": 3, "end": 2}},
        {"text": "a", "source": "b", "span": {"start": 0.5, "end": 2}},
        {"text": "a", "source": "b", "verified": "yes"},
        {"text": "a", "source": "b", "iris": [""]},
        {"text": "a", "source": "b", "extra": 1},
        {"text": "a", "source": "b", "fingerprint": "0" * 64},
        {"text": "a" * 10_001, "source": "b"},
    ],
)
def test_what_is_no_assertion_is_refused(stated: object) -> None:
    with pytest.raises(BadInput) as refusal:
        assertion_of(stated, "line 3 of x")
    assert "line 3 of x" in refusal.value.message


def test_a_line_that_was_changed_is_told_and_does_not_count() -> None:
    one, two = Assertion("Bread rises.", "a"), Assertion("Bread falls.", "a")
    page = added(None, "a", [one, two], lambda iri: "")
    for broken in (
        page.replace('"text":"Bread rises."', '"text":"Bread sings."'),
        page.replace('"tier":null', '"tier":'),
        page.replace("} -->\n- Bread f", "}\n- Bread f"),
    ):
        read = read_page(broken, "a.md")
        assert read.assertions == (two,) or len(read.assertions) < 2
        assert read.faults and "a.md" in read.faults[0][1]
        assert one in unknown(read, [one, two])
    with_notes = page.replace("- Bread falls", "My own note.\n\n- Bread falls").replace("\n", "\r\n")
    assert read_page(with_notes, "a.md").assertions == (one, two)
    with pytest.raises(BadInput):
        read_page("---\nloom: ledger\n---\n", "a.md")
    with pytest.raises(BadInput):
        read_page("---\nloom: ledger\n---\n\nsource: a note of mine\n", "a.md")


@pytest.mark.parametrize("source", ["a.txt", "it's: a 'talk' # 3", "2024", '\u4e2d \\ "x"', "- a", "a" * 400])
def test_a_page_keeps_its_source_whoever_writes_its_front_matter_anew(source: str) -> None:
    """Editors of properties write a text with other quotes or without any, in another order, and with properties of their own."""
    said = Assertion("Bread rises.", source)
    page = added(None, source, [said], lambda iri: "")
    stated = next(line for line in page.split("\n") if line.startswith("source: "))
    single = "'" + source.replace("'", "''") + "'"
    ways = [single, f"{single} # whose it is", *([source] if source.isalnum() or source == "a.txt" else [])]
    for way in ways:
        rewritten = page.replace(stated, "aliases:\n" + "  - another name\n" * 400 + f"source: {way}")
        for each in (rewritten, rewritten.replace("\n", "\r\n")):
            assert is_ledger(each.encode())
            assert read_page(each, "a.md").source == source and read_page(each, "a.md").assertions == (said,)


def test_pages_have_names_of_their_own() -> None:
    names = [
        page_name(source) for source in ("Episode 1", "episode 1", "Episode-1", "\u4e2d", "\u4e2d\u6587", "a/../b", "x" * 400)
    ]
    assert len(set(names)) == len(names)
    assert all(
        name.startswith("assertion-ledger/") and name.count("/") == 1 and name.isascii() and len(name) < 100 for name in names
    )


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("---\nloom: ledger\n---\n", True),
        ('\ufeff---\r\ntitle: x\r\nloom: "ledger"\r\n---\r\n', True),
        ("---\ntitle: x\n---\nloom: ledger\n", False),
        ("loom: ledger\n", False),
        ("---\nloom: ledgers\n---\n", False),
        ("---\nloom: ledger # ours\n---\n", True),
        ("---\n'loom' : 'ledger'\r\n---\n", True),
        ("---\nloom: [ledger]\n---\n", True),
        ("---\nloom:\n  - ledger\n---\n", True),
        ("---\naliases:\n" + "  - what somebody calls it\n" * 500 + "loom: ledger\n---\n", True),
        ("---\nloom: ledger#ours\n---\n", False),
        ("---\nloom:\n---\n- ledger\n", False),
        ("---\nloom:" + " " * HEAD + "\n---\n", False),
        ("# A\n---\nloom: ledger\n---\n", False),
        ("---\nheirloom: ledger\n---\n", False),
        ("---\n" + "a: b\n" * HEAD + "loom: ledger\n---\n", False),
        ("", False),
    ],
)
def test_a_ledger_page_is_told_by_its_front_matter(text: str, is_one: bool) -> None:
    assert is_ledger(text.encode()) is is_one
