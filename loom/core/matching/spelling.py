"""The form in which words are compared: one for an English word and its plural, for its British and its American spelling.

The same rules are applied to titles and to questions, so that a form need not be a word, and a wrong guess costs nothing unless two
unlike words fall together. Every rule says what must stand before it, so that they do not: `filling` and `filing`, `scoured` and
`scored`, `demon` and `daemon`, `timber` and `timbre` stay apart. Words in other letters have no such endings and stay as they are, but for ligatures, which keyboards lack.
"""

import re
from functools import lru_cache
from typing import NamedTuple

_PLURALS = """
algae alga, appendices appendix, automata automaton, bacteria bacterium, calves calf, children child, codices codex, cortices cortex,
crises crisis, criteria criterion, diagnoses diagnosis, elves elf, feet foot, foci focus, fungi fungus, geese goose, halves half,
helices helix, hooves hoof, indices index, knives knife, loaves loaf, loci locus, lice louse, matrices matrix, men man, mice mouse,
neuroses neurosis, nuclei nucleus, oxen ox, phenomena phenomenon, radii radius, scarves scarf, schemata schema, shelves shelf,
spectra spectrum, stimuli stimulus, strata stratum, teeth tooth, thieves thief, vertices vertex, vortices vortex, wives wife,
wolves wolf, women woman
"""
_IRREGULAR = dict(pair.split() for pair in _PLURALS.split(","))

_NO_PLURALS = frozenset("alias atlas bias canvas lens".split())
"""Words in -s whose plural ends in -ses, without a letter before the s that tells."""

_SAME = dict(
    pair.split()
    for pair in "aluminium aluminum, disk disc, gray grey, jewellery jewelry, programme program, tyre tire, woollen woolen".split(
        ","
    )
)


class _Rule(NamedTuple):
    """`pattern` is tried only where a word holds `mark`, which costs a twentieth of a match."""

    mark: str
    pattern: re.Pattern[str]
    instead: str


def _rule(mark: str, pattern: str, instead: str) -> _Rule:
    return _Rule(mark, re.compile(pattern), instead)


_RULES = (
    _rule("ll", r"([aeiouy]\w*[aeo])ll(?=(?:ing|ed|er|or|ous|ously)$)", r"\1l"),
    _rule("ll", r"ll(?=(?:ment|ful|fully)$)|(?<=^fulfi)ll$|(?<=^enro)ll$|(?<=^disti)ll$|(?<=^insti)ll$", "l"),
    _rule("our", r"(\w{3}|^od)our(?=(?:ed|ing|er|ful|fully|al|ally|hood|ite|able|less|ism|ist|ation|y)?$)", r"\1or"),
    _rule("ctis", r"ctis(?=(?:ed|ing)$)", "ctic"),
    _rule("ctis", "ctis$", "ctice"),
    _rule("is", r"(?<=\w\w\w)is(?=(?:ation|ational|ing|ed|er|able|ability)?$)", "iz"),
    _rule("lys", r"lys(?=(?:ing|ed|er)?$)", "lyz"),
    _rule("ens", r"(?<=\w\w)ens(?=(?:ed|ing)$)", "enc"),
    _rule("ens", r"(?<=\w\w)ens$", "ence"),
    _rule("re", r"(?<=\w\w)(?<!tim)([tbv])re$", r"\1er"),
    _rule("tre", r"(?<=en)tred$", "tered"),
    _rule("logu", r"(?<!^pro)logu(?:e$|(?=(?:ed|ing)$))", "log"),
    _rule("dge", r"dgement$", "dgment"),
    _rule("aem", r"(?<=[hnkxc])aem(?=[aio])", "em"),
    _rule(
        "ae",
        r"(?<=p)ae(?=d)|(?<=rch)ae(?=o)|(?<=pal)ae(?=o)|(?<=gyn)ae(?=c)|(?<=f)ae(?=c)|(?<=di)ae(?=v)|ae(?=sth|tiolog)",
        "e",
    ),
    _rule(
        "oe", r"oe(?=str[aoiu]|soph|dema)|(?<=^f)oe(?=t)|(?<=rrh)oe(?=a)|(?<=am)oe(?=b)|(?<=man)oe(?=u)|(?<=^c)oe(?=liac)", "e"
    ),
    _rule("sulph", "sulph", "sulf"),
    _rule("skept", "^skept", "scept"),
    _rule("artef", "^artef", "artif"),
    _rule("mould", "^mould", "mold"),
    _rule("plough", "^plough", "plow"),
)

_MARKED = re.compile("ll|our|is|lys|ens|[tbv]re|logu|dge|ae|oe|sulph|skept|artef|mould|plough")
_ENDINGS = ("s", "e", "x")
_WRITTEN_OUT = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "đ": "d"})


@lru_cache(maxsize=65_536)
def singular(word: str) -> str:
    """The form in which an English word and its plural are one. After a hiss or an o a plural is -es, so that the e is taken from
    the singular too: `glaze`, `glazes`, `box`, `boxes`."""
    word = _IRREGULAR.get(word, word)
    if len(word) < 4 or not word.endswith(_ENDINGS):
        return word
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        if word in _NO_PLURALS:
            return word
        if word.endswith(("lyses", "theses")):
            return word[:-2] + "is"
        word = word[:-1]
    if len(word) > 3 and word.endswith("ie"):
        return word[:-2] + "y"
    if len(word) > 3 and word.endswith(("che", "she", "xe", "ze", "se", "oe")):
        return word[:-1]
    if word.endswith(("eaux", "eux")):
        return word[:-1]
    return word


@lru_cache(maxsize=65_536)
def form(word: str) -> str:
    """What a word (folded, as `loom.core.text.words` gives it) is compared by."""
    if word in _IRREGULAR or word[-1:] in _ENDINGS:
        word = singular(word)
    if not word.isascii():
        word = word.translate(_WRITTEN_OUT)
    if len(word) < 4:
        return word
    if _MARKED.search(word) and word.isascii():
        for mark, pattern, instead in _RULES:
            if mark in word:
                word = pattern.sub(instead, word)
    return _SAME.get(word, word)
