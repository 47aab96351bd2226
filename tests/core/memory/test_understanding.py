"""Who is meant, and what is found: whole talks, read turn by turn and asked as a chat asks."""

import pytest
from support.remembered import Talk

from loom.core.memory.sentences import sentences_in

SHARED = Talk(
    ("Nora Lind", "I keep bees."),
    ("Nora Beck", "I keep goats."),
    ("Karl", "Nora Lind, your honey was great. Nora B. told me she is moving to Lund."),
    ("Nora Lind", "Nora sold two goats."),
)


@pytest.mark.parametrize(
    ("question", "subjects", "found"),
    [
        ("What does Nora Lind keep?", {"nora lind"}, "bees"),
        ("What does Nora Beck keep?", {"nora beck"}, "goats"),
        ("Whose honey of Nora Lind was great?", {"nora lind"}, "honey"),
        ("Where is Nora Beck moving?", {"nora beck"}, "Lund"),
        ("Where is Nora Lind moving?", {"nora lind"}, None),
        ("What did Nora Beck sell?", {"nora beck"}, "two goats"),
        ("What does Nora keep?", {"nora beck", "nora lind"}, "bees"),
        ("What does Nora Holm keep?", set(), None),
    ],
)
def test_a_name_of_several_is_told_apart_and_makes_no_third(question: str, subjects: set[str], found: str | None) -> None:
    assert set(SHARED.people()) == {"nora lind", "nora beck", "karl"}
    assert (set(SHARED.subjects(question)), found is not None) == (subjects, bool(SHARED.shown(question)))
    assert found is None or found in SHARED.shown(question)


def test_people_with_one_first_name_who_take_no_part_are_two() -> None:
    talk = Talk(
        ("Petra", "My manager is Hanna Park. Hanna hates noise."),
        ("Osman", "My manager is Hanna Ross. Hanna Ross loves noise."),
    )
    assert {"hanna park", "hanna ross"} <= set(talk.people())
    assert talk.shown("What does Hanna Park hate?") and not talk.shown("What does Hanna Ross hate?")
    assert "Hanna Ross" in talk.shown("Who is Osman's manager?") and "Park" not in talk.shown("Who is Osman's manager?")


GROUP = (("Petra", "Morning."), ("Osman", "Hello."), ("Tilde", "Here."), ("Karl", "I slept."))


@pytest.mark.parametrize(
    ("text", "subjects"),
    [
        ("Petra, you still have my tent.", {"petra"}),
        ("@Petra you still have my tent.", {"petra"}),
        ("Sorry Petra, your tent leaks.", {"petra"}),
        ("You have my tent.", {"tilde"}),
        ("Osman said that Petra lost the tent.", {"petra"}),
        ("Osman told Tilde that Petra lost the tent.", {"petra"}),
        ("Osman told me he lost the tent.", {"osman"}),
        ("Osman lost the tent. He looked everywhere.", {"osman"}),
        ("My sister Ida and my brother Jan came. She plays the cello.", {"ida", "jan"}),
        ("She'll lend us a shell.", {"karl"}),
        ("Things Petra packed:\n- stove\n- rope", {"petra"}),
        ("```\nprint('Petra sold the boat')\n```", {"karl"}),
    ],
)
def test_of_whom_a_turn_in_a_group_speaks(text: str, subjects: set[str]) -> None:
    talk = Talk(*GROUP, ("Karl", text))
    assert {subject for subject, said in talk.filed(4).items() if said} == subjects


def test_she_is_a_sister_and_he_a_brother() -> None:
    filed = Talk(("Petra", "My sister Ida and my brother Jan came. She plays the cello. He studies law.")).filed(0)
    assert "She plays the cello." in filed["ida"] and "She plays the cello." not in filed["jan"]
    assert "He studies law." in filed["jan"] and "He studies law." not in filed["ida"]


@pytest.mark.parametrize(
    ("turns", "unknown"),
    [
        (["I moved to Graz.", "Graz is green.", "I love Graz. He sings."], "graz"),
        (["My band is called Redshift.", "Redshift played."], "redshift"),
        (["The parcel is with DHL.", "I called DHL."], "dhl"),
        (["I WANT MY REFUND", "GIVE ME THE REFUND"], "refund"),
        (["We paint the Heron.", "I saw Heron."], "heron"),
    ],
)
def test_places_and_things_are_nobody(turns: list[str], unknown: str) -> None:
    assert unknown not in Talk(*(("Petra", text) for text in turns)).people()


@pytest.mark.parametrize(
    ("speaker", "text", "name", "key"),
    [
        ("Customer", "My name is Paul Wood.", "Paul", "customer"),
        ("User", "Call me Sam.", "Sam", "user"),
        ("User", "Hi, I'm Sam.", "Sam", "user"),
        ("Agent Sara", "Hello.", "Sara", "agent sara"),
        ("Petra", "Uncle Jo stayed here.", "Uncle Jo", "jo"),
        ("Petra", "Dr. Chen called.", "Dr. Chen", "chen"),
        ("Petra", "Max's knee hurts. He won't ski.", "Max", "max"),
        ("Petra", "Tomas did it, he said.", "Tomas", "tomas"),
    ],
)
def test_names_that_are_known_at_once(speaker: str, text: str, name: str, key: str) -> None:
    assert Talk((speaker, text), ("Osman", "I see.")).subjects(f"What did {name} do?", "Osman") == (key,)


def test_what_is_no_name_is_none() -> None:
    talk = Talk(("Petra", "Traffic was awful. He was late."), ("Osman", "Honestly, she knows."))
    assert set(talk.people()) == {"petra", "osman"}


def test_what_was_said_before_somebody_was_known_is_found() -> None:
    talk = Talk(
        ("Petra", "Max is allergic to nuts. I sold my boat."),
        ("Osman", "I baked for Max."),
        ("Petra", "We all love Max."),
    )
    assert "max" in talk.people()
    assert "nuts" in talk.shown("What is Max allergic to?")
    assert not talk.shown("What did Max sell?")


STRANGERS = Talk(
    ("Petra", "I heard that he bought a van."),
    ("Osman", "My wife Eva works at the mill."),
    ("Petra", "Ken is ill on Monday, I think."),
    ("Osman", "Dr. Patel says that I need rest."),
)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("What did Zoltan buy?", None),
        ("Where does Zoltan work?", None),
        ("Where does Eva work?", "mill"),
        ("What did Ken buy?", None),
        ("Is Ken ill?", "Ken is ill"),
        ("Who is ill on Monday?", "Ken is ill"),
        ("Does Dr. Novak say that Osman needs rest?", None),
        ("WHO WORKS AT THE MILL?", "mill"),
        ("Who bought a van?", "van"),
    ],
)
def test_a_stranger_is_not_answered_for_with_what_was_said_of_others(question: str, found: str | None) -> None:
    shown = STRANGERS.shown(question)
    assert found in shown if found else not shown


@pytest.mark.parametrize(
    ("asked", "said", "question", "subject"),
    [
        ("Did you approve the plan?", "Yes, I did.", "Did Osman approve the plan?", "osman"),
        ("Who approved the plan?", "Tilde did.", "What did Tilde approve?", "tilde"),
        ("Did you find the badge?", "No.", "Did Osman find the badge?", "osman"),
    ],
)
def test_a_short_answer_is_said_of_whom_it_answers_for(asked: str, said: str, question: str, subject: str) -> None:
    talk = Talk(("Tilde", "Morning all."), ("Petra", asked), ("Osman", said))
    assert said in talk.shown(question)
    assert not Talk(("Tilde", "Morning all."), ("Petra", "I rest."), ("Osman", said)).filed(2).get(subject)


def test_a_question_one_answers_oneself_is_kept_with_its_answer() -> None:
    talk = Talk(("Petra", "My brother Jan is here."), ("Petra", "Is Jan married? He isn't."))
    assert "Is Jan married? He isn't." in talk.shown("Is Jan married?")


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("did you buy it", True),
        ("and where does Ben live", True),
        ("how much did you pay", True),
        ("what is your name", True),
        ("Do it now", False),
        ("Had I known that", False),
        ("What was great was the food", False),
        ("Which is why I left", False),
        ("when I was young I sang", False),
    ],
)
def test_a_question_needs_no_mark(text: str, asks: bool) -> None:
    assert [each.asks for each in sentences_in(text)] == [asks]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Dr. Chen called. I left.", 2),
        ("Anna H. told me so. I left.", 2),
        ("I left at 5 p.m. on Friday. I slept.", 2),
        ("J. K. Rowling wrote it.", 1),
        ("I take vitamin C. I swim.", 2),
        ("I live in the U.S. Ben does not.", 2),
        ("It was I. Then I left.", 2),
    ],
)
def test_a_full_stop_that_shortens_ends_no_sentence(text: str, sentences: int) -> None:
    assert len(sentences_in(text)) == sentences


def test_only_a_thing_is_a_topic() -> None:
    texts = ["anyone free on saturday?", "Going to Rome?", "My first car?", "Clara?"]
    assert [each.names_topic for text in texts for each in sentences_in(text)] == [False, False, True, True]
