"""Exposure: which titles a text names under each matcher, and the counts that follow."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import real
from support.asking import pinned, plan

from loom.core.concepts import Concepts
from loom.core.exposure import READERS, beyond, hit, of_block, of_gold, shown_names
from loom.core.matching.default import DefaultLexicon
from loom.core.values import Concept, Ref

REFERENCE = [
    ("Tide Kiln", "a tide kiln", True),
    ("Tide Kiln", "the TIDE-KILN!", True),
    ("Tide Kiln", "kiln of the tide", True),
    ("Tide Kiln", "a kiln", False),
    ("AI", "to maintain it", True),
    ("café", "caffeine", True),
    ("café", "scaffold", True),
    ("窯", "窯", False),
    ("", "anything", False),
    ("a b c", "c b a", False),
    ("alpha beta gamma delta", "alpha beta gamma", False),
    ("alpha beta gamma delta epsilon", "epsilon delta gamma beta", True),
    ("alpha alpha alpha alpha beta", "alpha", True),
    ("alphabet soup", "alphabets soup", False),
    ("K Factor", "K factor", True),
]
DEFAULT = [
    ("Tide Kiln", "a tide kiln", True),
    ("Tide Kiln", "the TIDE-KILN!", True),
    ("Tide Kiln", "tide kilns", True),
    ("Tide Kilns", "one tide kiln", True),
    ("Tide Kiln", "kiln of the tide", True),
    ("Tide Kiln", "a kiln", False),
    ("AI", "to maintain it", False),
    ("AI", "AI, surely", True),
    ("café", "a cafe nearby", True),
    ("cafe", "the CAFÉ", True),
    ("café", "cafeteria", False),
    ("窯", "登り窯です", True),
    ("登り窯", "窯り登", False),
    ("Ｆｕｌｌ Width", "full width", True),
    ("web id", "a WebID", True),
    ("WebID", "a web id", True),
    ("WebID", "a webideal", False),
    ("Data Set", "datasets", True),
    ("Potter's Wheel", "the potter’s wheel", True),
    ("", "anything", False),
    ("?!", "?!", False),
    ("alpha beta gamma delta", "alpha beta gamma", False),
    ("alpha beta gamma delta epsilon", "epsilon delta gamma beta", True),
]


@pytest.mark.parametrize(("title", "text", "expected"), REFERENCE)
def test_the_reference_matcher(title: str, text: str, expected: bool) -> None:
    assert hit(title, text, "reference") is expected


@pytest.mark.parametrize(("title", "text", "expected"), DEFAULT)
def test_the_default_matcher(title: str, text: str, expected: bool) -> None:
    assert hit(title, text) is expected


def oracle(title: str, text: str) -> bool:
    """The reference matcher in other words."""

    def normal(each: str) -> str:
        return " ".join("".join(c if c in "abcdefghijklmnopqrstuvwxyz0123456789" else " " for c in each.lower()).split())

    name, said = normal(title), normal(text)
    if not name:
        return False
    long = [word for word in name.split() if len(word) >= 4]
    return name in said or (bool(long) and sum(word in said.split() for word in long) / len(long) >= 0.8)


words = st.lists(st.sampled_from("kiln tide glaze-salt Kilns a of KILN été 窯 kilntide".split()), max_size=7).map(" ".join)


@given(st.one_of(words, st.text(max_size=12)), st.one_of(words, st.text(max_size=300), words.map(lambda text: text * 40)))
def test_the_reference_matcher_against_plain_loops(title: str, text: str) -> None:
    assert hit(title, text, "reference") == oracle(title, text)


@given(words.filter(lambda text: text.strip(" -")), words, words)
def test_what_is_said_whole_is_named(title: str, before: str, after: str) -> None:
    assert hit(title, f"{before} {title} {after}")


KILN = Concept(
    "urn:c:kiln",
    "Tide Kiln",
    "Fires.",
    parents=(Ref("urn:c:oven", "Oven"),),
    relations=(("uses", (Ref("urn:x:s", "Sea Salt"),)),),
)
OTHERS = (
    Concept("urn:c:crucible", "Crucible", aliases=("Melting Pot",)),
    Concept("urn:c:glass-furnace", "Glass Furnace"),
    Concept("urn:c:furnace", "Furnace"),
    Concept("urn:c:age", "Age"),
    *(Concept(f"urn:c:table-{at}", f"{name} Table") for at, name in enumerate(("Round", "Long", "Side", "Work"))),
    Concept("urn:c:table", "Table"),
)
PIN = pinned(KILN, *OTHERS)
CONCEPTS, LEXICON = PIN.generation.part(Concepts), PIN.generation.part(DefaultLexicon)
BLOCK = plan(PIN, "tide kiln").block


def outside(answer: str, *known: str) -> tuple[str, ...]:
    assert CONCEPTS is not None and LEXICON is not None
    return beyond(CONCEPTS, LEXICON, answer, [READERS["default"](text) for text in known])


@pytest.mark.parametrize(
    ("answer", "known", "expected"),
    [
        ("A crucible in a glass furnace.", (), ("Crucible", "Glass Furnace")),
        ("Crucibles!", (), ("Crucible",)),
        ("A crucible.", ("about the crucible",), ()),
        ("A glass furnace.", ("glass", "a furnace of glass"), ()),
        ("A furnace.", ("glass furnace",), ()),
        ("A table at this age.", (), ()),
        ("A round table.", (), ("Round Table",)),
        ("A roundtable", (), ()),
        ("", (), ()),
        ("Nothing of this.", (), ()),
    ],
)
def test_names_beyond_what_was_known(answer: str, known: tuple[str, ...], expected: tuple[str, ...]) -> None:
    assert outside(answer, *known) == expected


@given(st.lists(st.sampled_from([each.title for each in OTHERS] + ["and", "the", "kiln"]), max_size=12), st.integers(0, 12))
def test_what_was_known_is_never_beyond(names: list[str], split: int) -> None:
    answer, known = " ".join(names), ". ".join(names[:split])
    found = outside(answer, known)
    assert not any(hit(title, known) for title in found)
    assert all(hit(title, answer) for title in found)
    assert found == tuple(sorted(set(found)))


def test_counts_over_what_the_block_shows() -> None:
    assert shown_names(BLOCK) == ("Tide Kiln", "Oven", "Sea Salt")
    found = of_block(BLOCK, "A tide kiln is an oven.", ("Crucible",), "default")
    assert found.as_json() == {
        "targets": 3,
        "delivered": 2,
        "dropped": ["Sea Salt"],
        "beyond": ["Crucible"],
        "counts": {"n11": 2, "n10": 1, "n01": 1, "n00": None},
    }


@given(st.lists(st.sampled_from(["tide kiln", "oven", "sea salt", "crucible", "words"]), max_size=6).map(" and ".join))
def test_counts_are_consistent(answer: str) -> None:
    for matcher in READERS:
        found = of_block(BLOCK, answer, outside(answer), matcher)
        assert found.n11 + found.n10 == found.targets == 3
        assert found.delivered == found.n11 and len(found.dropped) == found.n10 and found.n01 == len(found.beyond)


def test_all_four_counts_over_gold() -> None:
    found = of_gold(["Oven", "Sea Salt", "Crucible", "Furnace", "Oven"], BLOCK.text, "An oven, a crucible", (), "default")
    assert (found.n11, found.n10, found.n01, found.n00) == (1, 1, 1, 1)
    assert (found.targets, found.delivered, found.dropped) == (4, 2, ("Sea Salt",))


@given(
    st.lists(st.sampled_from(["Oven", "Sea Salt", "Crucible", "Furnace", "", "窯"]), max_size=8),
    st.lists(st.sampled_from(["oven", "crucible", "窯", "salt"]), max_size=4).map(" ".join),
    st.sampled_from(sorted(READERS)),
)
def test_the_four_counts_are_a_partition(gold: list[str], answer: str, matcher: str) -> None:
    found = of_gold(gold, BLOCK.text, answer, (), matcher)
    assert found.n00 is not None
    assert found.n11 + found.n10 + found.n01 + found.n00 == found.targets == len(set(gold))
    assert found.delivered == found.n11 + found.n01


def test_lists_are_cut_and_counts_are_whole() -> None:
    many = tuple(f"Name {number}" for number in range(30))
    found = of_gold(many, " ".join(many), "nothing", many, "default").as_json()
    assert len(found["dropped"]) == len(found["beyond"]) == 12
    assert found["counts"]["n10"] == 30


@pytest.mark.data
def test_the_block_itself_delivers_every_name_that_it_shows() -> None:
    pin = real.pin()
    for case in real.lines("questions.jsonl")[::10]:
        for policy in ("default", "reference"):
            block = plan(pin, case["prompt"], policy).block
            found = of_block(block, block.text, (), policy)
            unread = [name for name in found.dropped if policy == "default" or any(c.isascii() and c.isalnum() for c in name)]
            assert unread == []


@pytest.mark.parametrize(
    "title",
    [
        "Time Series Model",
        "Decentralised Identity",
        "Hollandaise Sauce",
        "Algorithmic Bias",
        "Database Entry",
        "Peak Calling",
        "GraphQL API",
    ],
)
@pytest.mark.parametrize("between", ["", " ", "-", "_", "\n"])
def test_spaced_and_run_together_forms_of_a_title_are_one(title: str, between: str) -> None:
    written = between.join(title.split())
    for text, name in ((f"a {written}, b", title), (f"a {title}, b", written)):
        assert READERS["default"](text).names(name)
        assert READERS["default"](text).lacks((name, "Quite Otherwise")) == ("Quite Otherwise",)
    assert not READERS["default"](f"x{''.join(title.split())}y").names(title)
