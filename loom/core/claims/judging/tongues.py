"""Whether a text is of another language than the rules read: then they say nothing, so that "nicht" is not taken for a word like another.

Told by its common words, those of the languages listed here against those of English, and by letters that English is not written in.
"""

from collections.abc import Sequence

from loom.core.memory.words import ASKING, STOP, Word

_WORDS = """
der die das den dem des ein eine einen einem einer ist sind war waren wird werden wurde hat haben und oder nicht kein keine keinen nie im am um mit
für von zu zum zur auf aus bei nach über es er sie wir ihr sich auch noch nur wie als dass
le la les un une du de et est sont était a ont pas ne n'est n'a ni avec pour dans sur par au aux ce cette ces il elle nous vous ils qui que plus
el los las una del y es son está están fue era no ha han con para por en su sus se lo que muy más al
il lo gli i uno della dello dei delle e è sono non con per nel nella al alla che più di da si
het een van zijn niet geen en met voor naar bij wordt werd heeft hebben ook
o os as um uma do da dos das não é são está foi com em no na nos nas por seu sua mais ao
och är inte en ett det som på av för med till från var ikke er og ikkje den et til fra ei
ei ole on ja oli ovat että se tämä
gab gibt jahr
nie jest są w z na i do się to że był była
"""
_ENGLISH = (STOP | ASKING) - frozenset("im s t d m ll re ve me".split())
FOREIGN = frozenset(_WORDS.split()) - _ENGLISH
_PARTICLES = frozenset("de la le du des del della da dos di van von der den el al los las".split())


def foreign_to_rules(text: str, words: Sequence[Word]) -> bool:
    """Whether a text is of another language: at least two of its words, and no fewer than common ones of English, are common ones of
    another language or have an accent; or half of its letters are none of Latin writing. Names ("Carlos de la Vega") tell nothing."""
    letters = [each for each in text if each.isalpha()]
    if sum(each > "\u024f" for each in letters) * 2 > len(letters):
        return True
    told = [text[word.start : word.end].lower() for at, word in enumerate(words) if not _in_name(words, at)]
    other = sum(form in FOREIGN or not form.replace("’", "'").isascii() for form in told)
    return other >= max(2, sum(form in _ENGLISH for form in told))


def _in_name(words: Sequence[Word], at: int) -> bool:
    """Whether a word belongs to a name: a capital letter behind the first word, or a particle behind one that has it."""
    if words[at].capital:
        return at > 0
    while at and words[at].form in _PARTICLES and not words[at].capital:
        at -= 1
        if words[at].capital:
            return at > 0 or words[at].form not in FOREIGN
    return False
