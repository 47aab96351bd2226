"""A turn read into pieces: of whom each sentence speaks, what it denies, whom it quotes, and when."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loom.core.memory.calendar import dates_of, spoken
from loom.core.memory.people import Names
from loom.core.memory.policy import FIRST, SPEAKER, TURN, Reads
from loom.core.memory.reading import parsed, pieces_of
from loom.core.memory.subjects import Present
from loom.core.memory.values import NOBODY, Person, Piece, Said
from loom.core.memory.words import terms

PEOPLE = (
    Person("petra", "Petra", speaks=True),
    Person("osman", "Osman", speaks=True),
    Person("nadia", "Nadia", ("Osman's sister",)),
    Person("tilde", "Tilde"),
)
NAMES = Names(PEOPLE)


def read(
    text: str, reads: Reads | None = None, *, before: str = "", other: str = "petra", date: str = "2024-05-20"
) -> dict[str, Piece]:
    """What Osman says, by subject."""
    reads = reads or Reads()
    said = Said("Osman", text, date)
    last = parsed(Said("Petra", before, date), reads) if before else None
    pieces = pieces_of(7, said, parsed(said, reads), NAMES, Present("osman", other), reads, last)
    return {piece.subject: piece for piece in pieces}


def told(text: str, reads: Reads | None = None, **more: str) -> dict[str, list[str]]:
    return {
        subject: [text[each.start : each.end] for each in piece.sentences]
        for subject, piece in read(text, reads, **more).items()
        if subject != NOBODY
    }


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("I bought a canoe.", {"osman"}),
        ("Bought a canoe today.", {"osman"}),
        ("You bake wonderful bread.", {"petra"}),
        ("Your bread is wonderful.", {"petra"}),
        ("Petra bakes wonderful bread.", {"petra"}),
        ("Petra, I bought a canoe.", {"osman"}),
        ("Wow, Petra, that canoe looks great!", {"petra"}),
        ("Nadia loves honey.", {"nadia"}),
        ("My sister Nadia loves honey.", {"osman", "nadia"}),
        ("Nadia and I paddled to the island.", {"nadia", "osman"}),
        ("Nadia and Tilde paddled to the island.", {"nadia", "tilde"}),
        ("I met Nadia at the harbour.", {"osman", "nadia"}),
        ("We'll paddle to the island.", {"osman"}),
        ("Well, paddling is fun.", {"osman"}),
        ("Did you buy a canoe?", set()),
        ("Nadia loves honey, right?", set()),
        ("Thanks!", set()),
        ("", set()),
    ],
)
def test_a_sentence_is_filed_under_whom_it_speaks_of(text: str, wanted: set[str]) -> None:
    assert set(told(text)) == wanted


def test_she_is_the_last_one_named_who_takes_no_part() -> None:
    found = told("Nadia came along. She loves honey. Tilde stayed at home. Her knee hurts.")
    assert found["nadia"] == ["Nadia came along.", "She loves honey."]
    assert found["tilde"] == ["Tilde stayed at home.", "Her knee hurts."]


@pytest.mark.parametrize(
    ("text", "claims", "silent"),
    [
        ('Nadia said "I love rye bread".', "nadia", "osman"),
        ('"I love rye bread", said Nadia.', "nadia", "osman"),
        ("Nadia told me 'I love rye bread'.", "nadia", "osman"),
        ('Nadia, my sister, said "I love rye bread".', "nadia", "petra"),
        ('I said "I love rye bread".', "osman", "petra"),
        ('Nadia asked me "You love rye bread, so bake it".', "osman", "petra"),
    ],
)
def test_quoted_speech_is_the_claim_of_who_is_quoted(text: str, claims: str, silent: str) -> None:
    found = told(text)
    assert any("rye" in each for each in found[claims])
    assert not any("rye" in each for each in found.get(silent, ()))


def test_whoever_is_quoted_without_a_name_claims_nothing_for_the_teller() -> None:
    found = read('My doctor said "I love rye bread".')
    assert "rye" not in found["osman"].own
    assert "rye" in found[NOBODY].own


def test_a_title_in_quotation_marks_is_no_speech() -> None:
    assert told('I read "The Heron" twice.') == {"osman": ['I read "The Heron" twice.']}


def test_negation_is_kept_on_its_sentence() -> None:
    sentences = read("I don't eat honey. I eat bread.")["osman"].sentences
    assert [each.negated for each in sentences] == [True, False]


def test_questions_count_for_rarity_and_are_found_under_nobody() -> None:
    found = read("Did you harvest honey? I paddled.")
    assert "honey" in found[NOBODY].own
    assert "honey" not in found["osman"].own


def test_the_questions_before_stand_beside_what_the_speaker_says_of_himself() -> None:
    found = read("Bright orange. Petra likes it.", before="Lovely day. What colour is your canoe?")
    assert set(found["osman"].beside) == {"colour", "cano"}
    assert not found["petra"].beside
    assert not read("Bright orange.", Reads(adjacent=False), before="What colour is your canoe?")["osman"].beside


@pytest.mark.parametrize("common", [True, False])
def test_the_line_of_a_whole_turn_has_day_and_speaker_in_the_terms_of_its_text(common: bool) -> None:
    date, text = "2024-08-05", "On 5 August I will go with Osman."
    piece = read(text, Reads(unit=TURN, subjects=FIRST, common=common), date=date)["osman"]
    assert set(piece.beside) == {"5", "august", "2024", "osman"}
    assert set(piece.own) == {"5", "august", "osman", "go"} | ({"on", "i", "with"} if common else set())


def test_arms_are_policies() -> None:
    text = "Nadia and I met Petra. Petra, I left."
    assert set(told(text, Reads(subjects=FIRST))) == {"nadia", "petra"}
    assert set(told(text, Reads(subjects=SPEAKER))) == {"osman"}
    whole = read(text, Reads(unit=TURN, subjects=FIRST))
    assert whole["nadia"].own == whole["petra"].own
    assert "osman" in whole["nadia"].beside
    assert set(told("Did she leave?", Reads(questions=True, subjects=SPEAKER))) == {"osman"}


@given(st.text(alphabet="Nadia Iyou said\"'.?!,\n“” 's", max_size=80))
def test_every_term_of_a_turn_is_counted_somewhere_and_ranges_lie_in_it(text: str) -> None:
    said = Said("Osman", text)
    reads = Reads()
    parsing = parsed(said, reads)
    pieces = pieces_of(0, said, parsing, NAMES, Present("osman", "petra"), reads)
    counted = {term for piece in pieces for term in piece.own}
    assert counted == set(terms(text))
    for piece in pieces:
        assert all(0 <= each.start < each.end <= len(said.whole) for each in piece.sentences)
    assert len({piece.subject for piece in pieces}) == len(pieces)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("I left yesterday.", ("2024-05-19",)),
        ("I leave tomorrow.", ("2024-05-21",)),
        ("Two days ago I left.", ("2024-05-18",)),
        ("I left last week.", ("2024-05-13/2024-05-19",)),
        ("I left last weekend.", ("2024-05-18/2024-05-19",)),
        ("I left on Friday.", ("2024-05-17",)),
        ("I left last Monday.", ("2024-05-13",)),
        ("I leave next Monday.", ("2024-05-27",)),
        ("I left last year.", ("2023",)),
        ("I left a few years ago.", ("2021",)),
        ("I leave next month.", ("2024-06",)),
        ("I left in January.", ("2024-01",)),
        ("I left in December.", ("2023-12",)),
        ("I left in 2019.", ("2019",)),
        ("I left on 3 May.", ("2024-05-03",)),
        ("I left on 3 August.", ("2023-08-03",)),
        ("I may leave in three days.", ("2024-05-23",)),
        ("I left.", ()),
        ("I left the day before yesterday.", ("2024-05-18",)),
        ("I leave the day after tomorrow.", ("2024-05-22",)),
        ("I left the weekend before last.", ("2024-05-11/2024-05-12",)),
        ("I left a fortnight ago.", ("2024-05-06/2024-05-12",)),
        ("I left half a year ago.", ("2023-11",)),
        ("It stood 1,000 years ago.", ()),
        ("I left 2.5 years ago.", ()),
        ("I will leave on 12 April.", ("2025-04-12",)),
        ("I left on 25 May.", ("2023-05-25",)),
        ("I'll leave on Friday.", ("2024-05-24",)),
        ("On Friday I'll leave.", ("2024-05-24",)),
        ("We're leaving on Friday.", ("2024-05-24",)),
        ("See you Friday.", ("2024-05-24",)),
        ("Friday was fun.", ("2024-05-17",)),
        ("Every Friday I swim.", ()),
        ("This Monday I fell.", ("2024-05-20",)),
        ("I have an exam on Friday.", ("2024-05-24",)),
        ("I have been ill since Friday.", ("2024-05-17",)),
        ("He wants the papers by Friday.", ("2024-05-24",)),
        ("We met on the 3rd.", ("2024-05-03",)),
        ("We met on the 23rd.", ("2024-04-23",)),
        ("We're meeting on the 3rd.", ("2024-06-03",)),
        ("We're meeting on the 3rd of next month.", ("2024-06-03",)),
        ("I live on the 2nd floor.", ()),
        ("I left on 31 February.", ()),
        ("I start in two weeks.", ("2024-06-03/2024-06-09",)),
        ("I start two weeks from now.", ("2024-06-03/2024-06-09",)),
        ("I bought it in January and will sell it in July.", ("2024-01", "2024-07")),
    ],
)
def test_dates_are_resolved_against_the_day_of_the_turn(text: str, wanted: tuple[str, ...]) -> None:
    assert dates_of(text, "2024-05-20T18:40:00") == wanted


def test_without_a_day_only_whole_dates_are_dates() -> None:
    assert dates_of("I left yesterday, not on 3 May 2022 or in 2021.", "") == ("2022-05-03", "2021")


@pytest.mark.parametrize(
    ("date", "wanted"),
    [
        ("2024-05-07", "7 May, 2024"),
        ("2024-05", "May, 2024"),
        ("2024", "2024"),
        ("2024-05-01/2024-05-07", "1 May, 2024 to 7 May, 2024"),
    ],
)
def test_a_date_is_spoken(date: str, wanted: str) -> None:
    assert spoken(date) == wanted
