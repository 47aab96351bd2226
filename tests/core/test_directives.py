"""Replies of directives alone: told from answers, and no longer waited for than needed."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loom.core.directives import LONGEST, WIDEST, alone, asked, pending

P = "HYDRATE:"
many = settings(max_examples=2000, deadline=None, derandomize=True)

ALONE = [
    ("HYDRATE: a.txt", ["a.txt"]),
    ("  hydrate : a.txt@10-40 \n\n", ["a.txt@10-40"]),
    ("Hydrate: a.txt\r\nHYDRATE: b c.txt", ["a.txt", "b c.txt"]),
    ("```\nHYDRATE: a.txt\n```", ["a.txt"]),
    ("```text\nHYDRATE: a.txt\n```\n", ["a.txt"]),
    ("```HYDRATE: a.txt```", ["a.txt```"]),
    ("~~~\nHYDRATE: a.txt\n~~~", ["a.txt"]),
    ("`HYDRATE: a.txt`", ["a.txt`"]),
    ("- HYDRATE: a.txt\n- HYDRATE: b.txt", ["a.txt", "b.txt"]),
    ("1. HYDRATE: a.txt\n2) HYDRATE: b.txt", ["a.txt", "b.txt"]),
    ("> **HYDRATE:** a.txt", ["** a.txt"]),
    ("**HYDRATE**: a.txt", ["a.txt"]),
    ("“HYDRATE: a.txt”", ["a.txt”"]),
    ("«HYDRATE:» a.txt", ["» a.txt"]),
    ("\ufeff\u200b\x00HYDRATE：a.txt", ["a.txt"]),
    ("HYDRATE: a.txt HYDRATE: b.txt", ["a.txt ", "b.txt"]),
    ("---\nHYDRATE: a.txt\n---", ["a.txt"]),
    ("HYDRATE:", [""]),
    ("HYDRATE: a\u2028HYDRATE: b", ["a", "b"]),
]
ANSWERS = [
    "",
    "   \n",
    "```\n```",
    "HYDRATE",
    "HYDRAT: a.txt",
    "FETCH: a.txt",
    "HYDRATE a.txt",
    "The peak was 37.5.\nHYDRATE: a.txt",
    "HYDRATE: a.txt\nThe peak was 37.5.",
    "You may ask `HYDRATE: a.txt` to see it.",
    "HYDRATE: a.txt\n1",
    "HYDRATE: " + "x" * (WIDEST + 1),
    "DEHYDRATE: a.txt",
    "123. HYDRATE: a.txt",
    "```python\nprint()\n```",
]


@pytest.mark.parametrize(("text", "names"), ALONE)
def test_directives_alone(text: str, names: list[str]) -> None:
    assert alone(text, P)
    assert [each.strip() for each in asked(text, P)] == [each.strip() for each in names]
    assert all(pending(text[:end], P) for end in range(len(text) + 1))


@pytest.mark.parametrize("text", ANSWERS)
def test_answers_are_left_alone(text: str) -> None:
    assert not alone(text, P)


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("The peak", 0),
        ("Hydrogen is light", 4),
        ("hydrate the skin", 8),
        ("37.5 %", 3),
        ("- one\n- two", 2),
        ("```python\nprint(1)", 10),
        ("HYDRATE: a.txt\nIt is", 15),
        ("\n\n  No", 4),
        ("123 is", 2),
        ("1. The", 3),
    ],
)
def test_no_more_is_held_than_needed(text: str, held: int) -> None:
    """The first character that rules it out ends the waiting, and nothing after it brings it back."""
    assert [pending(text[:end], P) for end in range(len(text) + 1)] == [end <= held for end in range(len(text) + 1)]


PIECES = st.sampled_from(
    [
        *(
            "HYDRATE:",
            "hydrate",
            "H",
            "HYD",
            " : ",
            ":",
            "\n",
            "\r\n",
            " ",
            "```",
            "~~~",
            "`",
            "**",
            "- ",
            "> ",
            '"',
            "«",
            "1.",
            "2",
            ")",
        ),
        *("text", "a.txt", "@10-40", "The", "x", "\u200b", "\x00", "\u2028", "é", "\ud800", "/etc/passwd", "37.5"),
    ]
)
TEXTS = st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=14).map("".join))
ENDS = ["", *(P[at:] + end for at in range(len(P) + 1) for end in ("", "\nHYDRATE:")), "\nHYDRATE:", ".HYDRATE:", "HYDRATE:"]


@many
@given(TEXTS, TEXTS)
def test_what_is_ruled_out_stays_so(text: str, more: str) -> None:
    if not pending(text, P):
        assert not pending(text + more, P)
        assert not alone(text + more, P)
    if alone(text + more, P):
        assert pending(text, P)


@many
@given(TEXTS)
def test_what_is_waited_for_can_still_come(text: str) -> None:
    """Pending means that some ending makes it directives alone."""
    assert pending(text, P) == any(alone(text + end, P) for end in ENDS)


@many
@given(TEXTS, st.sampled_from(["HYDRATE:", "need file =", "?", "ﬁnd:", " ", ""]))
def test_any_text_and_any_prefix_is_read(text: str, prefix: str) -> None:
    assert pending(text, prefix) in (True, False)
    assert alone(text, prefix) in (True, False)
    assert all(len(each) <= WIDEST for each in asked(text, prefix))


def test_a_flood_is_not_waited_for_and_still_told() -> None:
    flood = "HYDRATE: a.txt\n" * 10_000
    assert not pending(flood, P)
    assert not pending(flood[: LONGEST + 1], P)
    assert pending(flood[:LONGEST], P)
    assert alone(flood, P)


@pytest.mark.parametrize(
    "text", ["`" * 200_000, "H" * 200_000, "- " * 100_000, "\n" * 200_000, "HYDRATE: " * 22_000, " " * 200_000]
)
def test_long_replies_take_the_time_of_their_length(text: str) -> None:
    began = time.process_time()
    alone(text, P)
    asked(text, P)
    assert time.process_time() - began < 2
