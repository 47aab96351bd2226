"""Signals of entries: what becomes one, whose words they are, and that every span says what its proposition says."""

import pytest
from hypothesis import strategies as st
from support.trying import many

from loom.core.claims.judging.asked import Inference
from loom.core.claims.judging.entailing import entailed
from loom.core.claims.judging.extracting import extract
from loom.core.claims.judging.given import PASSED, Extract
from loom.core.claims.judging.layout import plain, running
from loom.core.claims.records import Entry


def of(text: str, kind: str = "document", author: str = "", at: str = "") -> Extract:
    return extract(Entry("entry:1", "s", text, kind, author, at))


def told(text: str, kind: str = "document", author: str = "", at: str = "") -> list[str]:
    return [each.proposition for each in of(text, kind, author, at).drawn]


@pytest.mark.parametrize(
    "text, propositions",
    [
        ("The kiln is open. The shop is closed!", ["The kiln is open.", "The shop is closed!"]),
        ("Is the kiln open? The shop is closed.", ["The shop is closed."]),
        ("# The kiln is open\n\nThe shop is closed.", ["The shop is closed."]),
        ("- The kiln is open\n- The shop is closed\n", ["The kiln is open", "The shop is closed"]),
        ("1. The kiln is open.\n2) The shop is closed.", ["The kiln is open.", "The shop is closed."]),
        ("| The kiln | is open |\n\nThe shop is closed.", ["The shop is closed."]),
        ("```\nThe kiln is open.\n```\nThe shop is closed.", ["The shop is closed."]),
        ("> The kiln is open.\n\nThe shop is closed.", ["The shop is closed."]),
        ("The **kiln** at [the shop](http://x.y/z.html) is `open`.", ["The kiln at the shop is open."]),
        ("Dr. Okafor met Mr. A. Lang at Kolb Inc. in Riga.", ["Dr. Okafor met Mr. A. Lang at Kolb Inc. in Riga."]),
        ("The kiln was bought by Kolb Inc. The shop is closed.", ["The kiln was bought by Kolb Inc.", "The shop is closed."]),
        ("The kiln, which stands in the old hall by the river,\nis open on Mondays.", ["The kiln, which stands in the old hall by the river, is open on Mondays."]),
        ("The kiln is open; the shop is closed.", ["The kiln is open", "The shop is closed."]),
        ("The kiln is open, but the shop was closed in May.", ["The kiln is open", "The shop was closed in May."]),
        ("Kilns, bricks and the shop were sold.", ["Kilns, bricks and the shop were sold."]),
        ("Hello all! Thanks.", []),
        ("", []),
    ],
)  # fmt: skip
def test_sentences_become_propositions(text: str, propositions: list[str]) -> None:
    assert told(text) == propositions


@pytest.mark.parametrize(
    "text, author, propositions",
    [
        ("I repaired the kiln.", "Ana", ["Ana repaired the kiln."]),
        ("I'm sure the kiln is open.", "Ana", ["Ana is sure the kiln is open."]),
        ("I have my kiln in our shop.", "Ana", ["Ana has Ana's kiln in Ana's shop."]),
        ("I repaired the kiln.", "", []),
        ("Jane Mwangi repaired the kiln. She was paid well.", "", ["Jane Mwangi repaired the kiln.", "Jane Mwangi was paid well."]),
        ("Jane Mwangi lost her keys in the kiln.", "", ["Jane Mwangi lost her keys in the kiln."]),
        ("She repaired the kiln.", "", []),
        ("Consortium Y has two kilns. It sold one kiln.", "", ["Consortium Y has two kilns.", "Consortium Y sold one kiln."]),
        ("The old kiln was sold. Its roof is broken.", "", ["The old kiln was sold.", "The old kiln's roof is broken."]),
        ("Consortium Y has left. It closed its office.", "", ["Consortium Y has left.", "Consortium Y closed its office."]),
        ("I sold it in May.", "Ana", []),
        ("I sold our kiln to Kolb. She was paid well.", "Ana", ["Ana sold Ana's kiln to Kolb."]),
        ("There is no kiln in the hall. It is cold in Riga.", "", ["There is no kiln in the hall."]),
        ("This is a broken kiln.", "", []),
        ("It repaired the kiln.", "", []),
        ("You have to order 200 bricks.", "", ["You have to order 200 bricks."]),
    ],
)  # fmt: skip
def test_pronouns_become_names_or_the_sentence_is_passed_over(text: str, author: str, propositions: list[str]) -> None:
    assert told(text, author=author) == propositions


def test_speakers_of_a_transcript_are_who_they_are() -> None:
    text = "Ana: I sold the kiln.\nBen: You sold the oven too late, and my shop was loud. You have had it.\nAna: Nobody saw it, but our shop was closed.\nNote: nothing."
    assert told(text, "transcript") == [
        "Ana sold the kiln.",
        "Ana sold the oven too late",
        "Ben's shop was loud.",
        "Ana's shop was closed.",
    ]
    assert told("Note: the kiln is open.") == ["Note: the kiln is open."], "a document has no speakers"


def test_a_speaker_may_have_something_in_brackets() -> None:
    assert told("Dr. Smith: The kiln is safe.\nAna (Kolb): I sold the oven.", "transcript") == [
        "The kiln is safe.",
        "Ana sold the oven.",
    ]


@pytest.mark.parametrize(
    "text, propositions",
    [
        ('Ben said: "The kiln is old. The shop is closed." The hall is open.', ['Ben said: "The kiln is old.', "The hall is open."]),
        ("Ben wrote “The kiln is old. The shop is closed.” on the door.\n\nThe hall is open.", ["Ben wrote “The kiln is old.", "The hall is open."]),
        ('The pipe is 5" wide. The kiln is old. The beam is 6" wide.', ['The pipe is 5" wide.', "The kiln is old.", 'The beam is 6" wide.']),
        ('"The kiln is old. The shop is closed."', ['"The kiln is old.', "The shop is closed."]),
    ],
)  # fmt: skip
def test_what_somebody_is_quoted_to_say_is_not_said_by_the_entry(text: str, propositions: list[str]) -> None:
    assert told(text) == propositions


def test_days_that_only_the_day_of_saying_tells_are_written_behind() -> None:
    assert told("The kiln was sold yesterday.", at="2026-03-02") == ["The kiln was sold yesterday (1 March, 2026)."]
    assert told("The kiln was sold on 1 March 2026.", at="2026-03-02") == ["The kiln was sold on 1 March 2026."]
    assert told("The kiln was sold yesterday.") == ["The kiln was sold yesterday."]


def test_what_is_passed_over_says_why() -> None:
    found = of("Is it open? She repaired the kiln. Well done!")
    assert [each.why for each in found.passed] == ["asks", "unresolved", "fragment"] and not found.drawn


WORDS = st.sampled_from(
    "the The a kiln Kiln I you She it They Jane Mwangi Consortium Y is was has sold not never yesterday 3 May $5 open, closed. but and; ? ! "
    "\n \n\n - # > | ``` Ana: Dr. [x](y) **b** her its 2026-01-02 café".split(" ")
)
ENTRIES = st.one_of(st.lists(WORDS, max_size=40).map(" ".join), st.text(max_size=120))
KINDS = st.sampled_from(["document", "mail", "transcript"])
AUTHORS = st.sampled_from(["", "Ana", "Ana Silva"])
DAYS = st.sampled_from(["", "2026-03-02", "2026-03-02T10:00:00Z", "soon"])


@many(ENTRIES, KINDS, AUTHORS, DAYS)
def test_spans_lie_in_the_entry_and_entail(text: str, kind: str, author: str, at: str) -> None:
    found = of(text, kind, author, at)
    before = 0
    for each in found.drawn:
        assert before <= each.start < each.end <= len(text), "spans lie in the entry, in its order, apart from one another"
        before = each.end
        span = text[each.start : each.end]
        assert entailed(Inference(plain(span), each.proposition, each.given, at))
        assert each.proposition.strip() and "\n" not in each.proposition
    assert all(0 <= each.start <= each.end <= len(text) and each.why in PASSED for each in found.passed)
    assert found == of(text, kind, author, at)


@many(ENTRIES, KINDS)
def test_blanking_keeps_every_place(text: str, kind: str) -> None:
    blanked, said = running(text, kind)
    assert len(blanked) == len(text)
    assert all(one in (other, " ", "_") for one, other in zip(blanked, text, strict=True))
    assert all(0 <= start < end <= len(text) for start, end, _ in said)
    assert [end for _, end, _ in said[:-1]] == [start for start, _, _ in said[1:]]


@many(ENTRIES)
def test_without_a_name_given_nothing_comes_from_outside_the_span(text: str) -> None:
    for each in of(text).drawn:
        if not each.given:
            letters = {letter for letter in each.proposition.casefold() if letter.isalnum()}
            assert letters <= {letter for letter in text[each.start : each.end].casefold() if letter.isalnum()}
