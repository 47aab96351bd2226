"""Whatever a turn says, what is read in it may stand in an export, and comes back from it."""

import random

import pytest
from support.trying import every_world

from loom.core.memory.fitting import checked
from loom.core.memory.incremental import read
from loom.core.memory.memory_view import MemoryView
from loom.core.memory.values import Said

LONG = "Z" + "y" * 250
WORDS = (
    *("I My sister brother Anna Berg Dr. Mr he she is was called named Max's , . ? ! \n \u2028 \xa0 \" “ ”").split(" "),
    *("on the in 29 31 0001 9999 31st February Feb May Friday last next two 100 a year years month weeks ago before").split(),
    *(
        "’s",
        "\ufffd",
        "\u200d",
        "\u00ad",
        "İ",
        "ß",
        "Ⅷ",
        "ǅ",
        "e\u0301",
        "🦊",
        "X" * 60,
        LONG,
        "My sister Anna\xa0Berg",
        "2024-02-30",
    ),
)
SPEAKERS, DAYS = (
    ("Ann", "Z" * 200, "İx", "Éa"),
    ("", "2023-03-01", "2024-02-29T09:00", "2024-03-31", "0001-01-01", "9999-12-31"),
)


def come_back(*turns: Said) -> MemoryView:
    view = MemoryView()
    for number, said in enumerate(turns):
        reading = read(view, number, said)
        checked(said, reading)  # as an import does
        view.add(said, reading)
    return view


@pytest.mark.parametrize(
    ("speaker", "text", "date"),
    [
        ("Ann", "On 29 February we met.", "2023-03-01"),
        ("Ann", "We will meet on 29 February.", "2025-01-10"),
        ("A" * 200, "My sister Anna sings.", "2024-05-20"),
        ("Ann", "My sister Anna\xa0Berg sings.", "2024-05-20"),
        ("Ann", f"I saw {LONG} there.", "2024-05-20"),
    ],
)
def test_a_turn_is_read_into_what_an_import_takes(speaker: str, text: str, date: str) -> None:
    come_back(Said(speaker, text, date, "t0"), Said(speaker, text, date, "t1"))


def test_a_name_ends_with_its_line() -> None:
    assert [person.key for person in come_back(Said("Ann", "I met my sister Anna\nBerlin was cold.", "", "t0")).people()] == [
        "ann",
        "anna",
    ]


@every_world
def test_whatever_is_said_comes_back(seed: int, draw: random.Random) -> None:
    texts = [" ".join(draw.choices(WORDS, k=draw.randint(1, 14))) for _ in range(3)]
    come_back(
        *(
            Said(draw.choice(SPEAKERS), text, draw.choice(DAYS), f"t{number}")
            for number, text in enumerate(texts)
            if text.strip()
        )
    )
