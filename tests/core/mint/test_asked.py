"""Which relations a question asks for, in the words of their names or as English asks for what they mean."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom.core.concepts import ANCESTOR, IS_A, RELATIONS
from loom.core.mint.asked import NARROWER, asked_for

NAMES = ("is-a", "ancestor", *RELATIONS)
OTHERS = ("is-a", "ancestor", "hasPart", "requires", "uses", "usedBy", "isOwnedBy", "zonedBy", "madeOf", "standardizedBy")
ABOVE = {"is-a", "ancestor"}


def asked(names: tuple[str, ...], question: str) -> set[str]:
    return {"narrower" if number == NARROWER else names[number] for number in asked_for(names, question)}


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("What are the parts of it?", {"hasPart", "madeOf"}),
        ("Which part is it?", {"hasPart", "madeOf"}),
        ("What does it require?", {"requires"}),
        ("What are its requirements?", {"requires"}),
        ("What does it use?", {"uses", "usedBy"}),
        ("What is it used for?", {"uses", "usedBy"}),
        ("Who owns it?", {"isOwnedBy"}),
        ("Which zones has it?", {"zonedBy"}),
        ("What is it made of?", {"hasPart", "madeOf"}),
        ("Which standards does it follow?", {"standardizedBy"}),
        ("Tell us what is known, as I asked", set()),
        ("What is it and what has it to do with us?", set()),
        ("", set()),
    ],
)
def test_a_relation_is_asked_for_by_the_words_of_its_name(question: str, wanted: set[str]) -> None:
    assert asked(OTHERS, question) == wanted


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("What do I need before I can fire a kiln?", {"requires"}),
        ("Which tools must be in place first?", {"requires"}),
        ("What is necessary for it, what are the prerequisites?", {"requires"}),
        ("Which ingredients does it consist of?", {"hasPart"}),
        ("What is it made up of?", {"hasPart"}),
        ("What's in it?", {"hasPart"}),
        ("What does it make possible?", {"enables"}),
        ("What would that allow me to do, what does it lead to?", {"enables"}),
        ("What does it rely on?", {"dependsOn"}),
        ("On what is it built? What is it built on?", {"dependsOn"}),
        ("What does it work with?", {"uses"}),
        ("Which methods does it employ?", {"uses"}),
        ("How does it differ from the others?", {"contrastsWith"}),
        ("What is the opposite of it?", {"contrastsWith"}),
        ("one versus the other", {"contrastsWith"}),
        ("What is it associated with?", {"relatedTo"}),
        ("What is it connected to?", {"relatedTo", "bridgesTo"}),
        ("Which specification is it defined by?", {"standardizedBy"}),
        ("By what is it standardised?", {"standardizedBy"}),
        ("What does it help?", {"supports"}),
        ("What does it belong to?", {"partOf", *ABOVE}),
        ("What is its parent?", ABOVE),
        ("Where is it filed, under what?", ABOVE),
        ("Which category does it fall into?", ABOVE),
        ("What sort of thing is it?", ABOVE),
        ("What is it an example of?", ABOVE),
        ("Which concept is right above it?", ABOVE),
        ("What kinds of it are there?", {"narrower", *ABOVE}),
        ("List some examples of it.", {"narrower", *ABOVE}),
        ("Name its subclasses.", {"narrower"}),
        ("What does it need and what is it made of?", {"requires", "hasPart"}),
        ("How did it begin?", set()),
    ],
)
def test_a_relation_is_asked_for_as_english_does(question: str, wanted: set[str]) -> None:
    assert asked(NAMES, question) == wanted


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("has component", "What is it made of?"),
        ("hasComponent", "What does it contain?"),
        ("BFO_has_part", "What does it consist of?"),
        ("contains", "What are its components?"),
        ("is part of", "What does it belong to?"),
        ("member_of", "What is it part of?"),
        ("depends-on", "What does it rely on?"),
        ("is based on", "What does it rest on?"),
        ("facilitates", "What does it make possible?"),
        ("has_topic", "Which topics has it?"),
        ("HasISOCode", "What is its code?"),
        ("opposite of", "How does it compare?"),
        ("disjointWith", "What is it different from?"),
        ("related", "What is it connected with?"),
        ("broaderGeneric", "Which category is it in?"),
        ("utilises", "What does it employ?"),
        ("prerequisite", "What is necessary?"),
        ("derives_from", "Where does it come from?"),
        ("has output", "What does it produce?"),
        ("adjacent_to", "What is it next to?"),
        ("precededBy", "What comes before it?"),
        ("has topic", "What is it about?"),
    ],
)
def test_names_are_known_by_what_they_mean(name: str, question: str) -> None:
    assert name in asked((*NAMES, name), question)
    assert name not in asked((*NAMES, name), "How did it begin?")


def test_what_is_part_of_something_is_not_asked_for_by_its_ingredients() -> None:
    assert asked(("is-a", "ancestor", "is part of", "has part"), "Which ingredients has it?") == {"has part"}


@given(st.lists(st.text(max_size=12), max_size=5), st.text(max_size=60))
def test_what_is_asked_for_is_a_relation_or_the_taxonomy(names: list[str], question: str) -> None:
    found = asked_for(("is-a", "ancestor", *names), question)
    assert found <= {NARROWER, *range(len(names) + 2)}
    assert (IS_A in found) == (ANCESTOR in found)
