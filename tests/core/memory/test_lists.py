"""Several people in one sentence: joined, listed, set apart, and quoted in the marks of other languages."""

from time import process_time

import pytest
from support.remembered import Talk

GROUP = (("Ana", "Morning."), ("Bea", "Hello."), ("Carl", "Here."), ("Dan", "I slept."), ("Bea", "Me too."))


@pytest.mark.parametrize(
    ("text", "subjects"),
    [
        ("Bea, Carl and I hiked the ridge.", {"ana", "bea", "carl"}),
        ("Bea, Carl, and Dan cooked goulash.", {"bea", "carl", "dan"}),
        ("Bea as well as Carl lost gloves.", {"bea", "carl"}),
        ("Bea & Carl found gloves.", {"bea", "carl"}),
        ("Neither Bea nor I own a dryer.", {"ana", "bea"}),
        ("Bea, my brother Carl and my friend Dan fell.", {"bea", "carl", "dan"}),
        ("Bea, Carl snores.", {"carl"}),
        ("Dan, Bea and Carl are late.", {"dan", "bea", "carl"}),
        ("Unlike Carl, I can swim.", {"ana"}),
        ("Thanks to Carl, Bea can swim.", {"bea"}),
        ("Not Bea but Carl burnt the rice.", {"carl"}),
        ("It wasn't Bea, it was Carl who burnt it.", {"carl"}),
        ("With Carl I can swim.", {"carl"}),
        ("„I love stew“, said Bea.", {"bea"}),
        ("Carl said: «I love stew».", {"carl"}),
        ("Carl said 「I love stew」.", {"carl"}),
    ],
)
def test_of_whom_a_sentence_with_several_people_speaks(text: str, subjects: set[str]) -> None:
    talk = Talk(*GROUP, ("Ana", text))
    assert {subject for subject, said in talk.filed(5).items() if said} == subjects


def test_of_two_who_talk_the_other_is_rather_called_than_listed() -> None:
    talk = Talk(("Ana", "Morning."), ("Bea", "My sister is Carla Voss."), ("Ana", "Bea, Carla and I hiked the ridge."))
    assert "ridge" not in str(talk.filed(2).get("bea")) and set(talk.filed(2)) == {"ana", "carla voss"}


def test_she_is_who_was_asked_in_the_same_turn() -> None:
    talk = Talk(*GROUP, ("Ana", 'I asked Bea, "Where did you learn it?" and she answered, "My granny taught me."'))
    assert "My granny taught me." in talk.filed(5)["bea"] and "My granny taught me." not in talk.filed(5).get("ana", [])


LATE = Talk(
    ("Ana", "Bea, Carl and I hiked the ridge. I sold my boat. Carl hates noise."),
    ("Bea", "The ridge was steep."),
    ("Carl", "I bake."),
    ("Ana", "I told Bea that Carl snores."),
    ("lee", "dan is loud. i sing"),
    ("dan", "so what"),
)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Did Bea hike the ridge?", "hiked"),
        ("What does Carl hate?", "noise"),
        ("What did Carl sell?", None),
        ("Does Bea snore?", None),
        ("is dan loud?", "dan is loud"),
        ("does dan sing?", None),
    ],
)
def test_what_was_said_of_somebody_before_they_spoke_is_found(question: str, found: str | None) -> None:
    shown = LATE.shown(question)
    assert found in shown if found else not shown


RELATIVES = Talk(
    ("Greta", "My sister sold her violin. I rent a drum."),
    ("Henrik", "Greta's sister is brave. My sister paints."),
    ("Greta", "My sister Alma plays the oboe."),
)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("What did Greta's sister sell?", "violin"),
        ("What did Alma sell?", "violin"),
        ("Is Alma brave?", "brave"),
        ("Does Alma rent a drum?", None),
        ("Does Alma paint?", None),
    ],
)
def test_what_was_said_of_a_sister_before_she_had_a_name_is_found(question: str, found: str | None) -> None:
    shown = RELATIVES.shown(question)
    assert found in shown if found else not shown


def test_what_is_said_of_two_people_is_shown_once() -> None:
    talk = Talk(
        ("Ana", "Bea and Carl hiked the ridge."),
        ("Bea", "Yes."),
        ("Carl", "We did."),
        ("Ana", "Bea and Carl hiked the dunes, too."),
    )
    assert talk.shown("What did Bea and Carl hike?").count("dunes") == 1


def test_a_long_question_full_of_dates_is_read_at_once() -> None:
    talk = Talk(("Ana", "Bea and Carl hiked the ridge."))
    began = process_time()
    talk.shown("Did Ana hike in May 2021, " + "in June 2021, " * 9_000 + "or ever?")
    assert process_time() - began < 3  # seconds of the processor
