"""Names that nobody owns, in small letters and alone, in five languages; and what is none (R15)."""

import pytest
from support import asked_bases as kb

from loom.core.facts.reading import read

HELD = kb.held()


@pytest.mark.parametrize(
    ("text", "unowned"),
    [
        ("Qual è il massimo della quota di ascolto del programma La fila delle macine?", "La fila delle macine"),
        ("qual è il massimo della quota di ascolto del programma la fila delle macine?", "la fila delle macine"),
        ("Qual è lo share massimo della trasmissione l'ombra del faro, e quando?", "l'ombra del faro"),
        ("quota di ascolto del programma fila delle macine", "fila delle macine"),
        ("del programma Domani forse nevica, quale share?", "Domani forse nevica"),
        ("share del film Sette cortili, il massimo?", "Sette cortili"),
        ("Chi recita nel programma la fila delle macine?", "la fila delle macine"),
        ("Lo share del programma intitolato macine?", "macine"),
        ("What was the peak share of the programme the row of mills, and when?", "the row of mills"),
        ("what was the peak share of the show mill lantern row?", "mill lantern row"),
        ("What was the peak share of the show called winterbourne?", "winterbourne"),
        ("share of the programme winterbourne?", "winterbourne"),
        ("What was the share of the film the house on the hill?", "the house on the hill"),
        ("Wie hoch war die höchste share der Sendung die lange mühle?", "die lange mühle"),
        ("wie hoch war die share der sendung lange mühlenreihe?", "lange mühlenreihe"),
        ("Wie hoch war die share der Serie namens mühle?", "mühle"),
        ("Quel est le pic de share de l'émission la rangée des meules ?", "la rangée des meules"),
        ("quel est le pic de share du programme rangée des meules ?", "rangée des meules"),
        ("¿Cuál fue el máximo de share del programa la fila de molinos?", "la fila de molinos"),
        ("cuál fue el máximo de share de la serie fila de molinos", "fila de molinos"),
        ('Il massimo dello share di "fila delle macine"?', "fila delle macine"),
        ("share of 'mill row lantern'?", "mill row lantern"),
        ("le pic de share de «rangée des meules»", "rangée des meules"),
        ("die höchste share von „lange mühle“", "lange mühle"),
        ("el máximo de share de «fila de molinos»", "fila de molinos"),
        ("What was the peak share of Winterbourne?", "Winterbourne"),
        ("Qual è il picco di share di Nebbiosa?", "Nebbiosa"),
        ("¿Cuál fue el máximo de share de Molinera?", "Molinera"),
    ],
)
def test_a_name_that_nobody_owns(text: str, unowned: str) -> None:
    ask = read(HELD, text)
    assert ask.unowned == (unowned,)
    assert (ask.bases, ask.sources, ask.entities) == ((), (), ())


def test_beside_an_owned_name() -> None:
    ask = read(HELD, "Confronta lo share di Orizzonte Blu e del programma la fila delle macine")
    assert (ask.entities, ask.unowned) == ((kb.BLU,), ("la fila delle macine",))


@pytest.mark.parametrize(
    "text",
    [
        "Which programme had the highest share?",
        "What was the highest share of the programme tonight?",
        "What does the programme say about ice?",
        "In the show, the host said what?",
        "Quale programma ha avuto il massimo di share?",
        "What is in the file?",
        "What was the share of the show at second 146?",
        "quanto share ha avuto il programma al secondo 146?",
        "How did the film festival go?",
        "which day had the highest potassium?",
        "What was the peak share of the day?",
        "Give me the table of revenue",
        "What was the share of Potassium?",
        "il valore del programma è alto?",
        "share of the programme, please",
        "Welche share hatte die Sendung gestern?",
        "Quel share a eu l'émission ?",
        "share of the programme harbour lights?",
        "quota del programma orizzonte blu?",
        "share della trasmissione via degli aceri, il massimo?",
        "the transcript of harbour lights",
    ],
)
def test_words_that_name_nothing_and_names_that_are_owned(text: str) -> None:
    assert read(HELD, text).unowned == ()
