"""Stems are those of NLTK's Porter stemmer in its default mode; the table was made with NLTK 3.10.4."""

import pytest

from loom.core.memory.porter import stem

GOLDEN = """
caresses caress
ponies poni
ties tie
dies die
flies fli
cats cat
caress caress
feed feed
agreed agre
bled bled
plastered plaster
motoring motor
sing sing
conflated conflat
troubled troubl
sized size
hopping hop
tanned tan
falling fall
hissing hiss
fizzed fizz
failing fail
filing file
died die
spied spi
enjoy enjoy
happy happi
sky sky
skies sky
dying die
lying lie
tying tie
news news
innings inning
outings outing
cannings canning
howe howe
proceed proceed
exceed exceed
succeed succeed
fly fli
relational relat
conditional condit
rational ration
valenci valenc
hesitanci hesit
digitizer digit
conformably conform
radically radic
differently differ
vilely vile
analogously analog
vietnamization vietnam
predication predic
operator oper
feudalism feudal
decisiveness decis
hopefulness hope
callousness callous
formality formal
sensitivity sensit
sensibility sensibl
geology geolog
archaeologist archaeologist
carefully care
triplicate triplic
formative form
formalize formal
electricity electr
electrical electr
hopeful hope
goodness good
revival reviv
allowance allow
inference infer
airliner airlin
gyroscopic gyroscop
adjustable adjust
defensible defens
irritant irrit
replacement replac
adjustment adjust
dependent depend
adoption adopt
communism commun
activate activ
angularity angular
homologous homolog
effective effect
bowdlerize bowdler
probate probat
rate rate
cease ceas
controlling control
roll roll
say say
yes ye
was wa
this thi
is is
animals anim
camping camp
painting paint
universities univers
generalizations gener
oscillators oscil
being be
agreeing agre
owed owe
yoyos yoyo
eyed eye
anyway anyway
kayaking kayak
Running run
SUNDAYS sunday
lgbtq lgbtq
2023 2023
co-worker co-work
tried tri
tries tri
ied i
sses ss
eed eed
ing ing
alli alli
usually usual
"""


@pytest.mark.parametrize(("word", "wanted"), [line.split() for line in GOLDEN.strip().splitlines()])
def test_a_stem_is_that_of_nltk(word: str, wanted: str) -> None:
    assert stem(word) == wanted


@pytest.mark.parametrize("word", ["", "a", "is", "1234", "naïv", "東京"])
def test_what_has_no_ending_stays(word: str) -> None:
    assert stem(word) == word
