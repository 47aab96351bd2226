"""The reader: it quotes what was served, cites it, and says nothing of its own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.asking import pinned, plan
from support.worked import CLASSES

from loom.core.reader.extract import SILENCE, answer
from loom.core.values import Concept, Ref

PIN = pinned(*CLASSES)


def read(text: str, policy: str = "default", **options: int) -> str:
    return answer(text, plan(PIN, text, policy, **options).block.served)


@pytest.mark.parametrize("policy", ["default", "reference"])
@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("What does a tide kiln require?", "- requires: Tide Table"),
        ("What are the requirements of the tide kiln?", "- requires: Tide Table"),
        ("Which things does a tide kiln use?", "- uses: Salt Glaze, missing-thing"),
        ("What kind of thing is a tide kiln?", "- is-a: Kiln"),
        ("What are the broader concepts of tide kiln?", "- ancestors: heat-source, artefact"),
        ("What is the tide kiln zoned by?", "- zonedBy: Harbour Rule"),
    ],
)
def test_a_question_for_a_relation_is_answered_with_its_line(text: str, line: str, policy: str) -> None:
    said = read(text, policy).split("\n\n")[0].split("\n")
    assert said[0].startswith("**Tide Kiln**") and said[0].endswith("[1]")
    assert said[1:] == [line]


def test_a_question_for_a_thing_is_answered_with_its_definition() -> None:
    assert read("What is a kiln?") == "**Kiln**: A chamber that reaches firing temperature. [1]"


def test_each_thing_asked_for_is_cited_by_its_place_in_the_block() -> None:
    said = read("How do a tide kiln and salt glaze compare?")
    assert said.count("**") == 6
    assert "**Tide Kiln**: A kiln whose firing schedule follows the tide table. [1]" in said
    assert "**Salt Glaze**: A glaze formed by salt vapour. [2]" in said


def test_where_nothing_was_served_it_says_that_and_no_more() -> None:
    assert read("How do I bake bread?") == SILENCE == answer("kiln", ())


@given(
    st.lists(
        st.sampled_from("what is a tide kiln require salt glaze kind parent harbour rule uses the".split()), max_size=9
    ).map(" ".join)
)
def test_every_line_is_quoted_and_the_answer_is_always_the_same(text: str) -> None:
    served = plan(PIN, text).block.served
    said = answer(text, served)
    assert said == answer(text, served)
    if served:
        shown = {line for each in served for line in each.lines}
        for line in filter(None, said.split("\n")):
            if line.startswith("**"):
                title, _, rest = line.removeprefix("**").partition("**")
                number = int(rest[rest.rindex("[") + 1 : -1])
                assert served[number - 1].evidence.title == title
                quoted = rest.removeprefix(": ").rpartition("[")[0].strip()
                assert not quoted or quoted in shown
            else:
                assert line in shown or line.removeprefix("- ") in shown


def test_a_unit_that_is_no_more_than_its_heading_is_named() -> None:
    (served,) = plan(pinned(Concept("urn:c:oven", "Oven")), "oven").block.served
    assert len(served.lines) == 1 and answer("oven", (served,)) == "**Oven** [1]"


def test_what_is_asked_of_a_unit_without_a_definition_is_quoted() -> None:
    uses = (("uses", (Ref("urn:x:salt", "Salt"),)), ("reuses", (Ref("urn:x:ash", "Ash"),)))
    served = plan(pinned(Concept("urn:c:oven", "Oven", relations=uses)), "What does an oven use?").block.served
    assert answer("What does an oven use?", served).startswith("**Oven** [1]\n- uses: Salt")
