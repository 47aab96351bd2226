"""Words of turns and questions: where they stand, the terms they make, and which of them carry nothing by themselves."""

import re
from functools import lru_cache
from typing import NamedTuple

from loom.core.memory.porter import stem
from loom.core.text import fold

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")

EMPTY = frozenset(
    """
    a an the
    am is are was were be been being do does did doing done have has had having
    can could will would shall should may might must ought cannot
    and or but if so because while
    """.split()
)
"""Articles, auxiliary verbs and conjunctions: what is left out even where common words count."""

STOP = EMPTY | frozenset(
    """
    this that these those such same other each every either neither both all any some none no not nor
    i me my mine myself you your yours yourself yourselves he him his himself she her hers herself it its itself
    we us our ours ourselves they them their theirs themselves one ones someone somebody something anyone anybody anything
    everyone everybody everything nobody nothing
    im ive id youre youve youd youll hes shes its were weve well theyre theyve theyd theyll
    thats theres heres whats whos wheres hows lets dont doesnt didnt isnt arent wasnt werent hasnt havent hadnt wont wouldnt
    cant couldnt shouldnt mustnt aint gonna wanna gotta
    s t d m ll re ve
    of in on at by as for with from to into onto about over under up down out off
    here there now then just very too also even still already yet again ever never only really quite rather
    maybe perhaps almost always often sometimes usually soon later ago
    oh hey hi hello ok okay yeah yes yep yup nope nah wow whoa woah yay ugh hmm hm ah aw aww ooh huh gosh omg lol haha hehe hooray
    yikes congrats congratulations cheers bye thanks thank please sure
    """.split()
)
"""Words too common to tell one turn from another."""

ASKING = frozenset(
    """
    what which who whom whose when where why how
    whatever whichever whoever whenever wherever
    """.split()
)
"""Words that say what kind of answer is wanted."""


class Word(NamedTuple):
    """A word at [start, end) of its text; `form` is folded, without apostrophes and a possessive ending."""

    form: str
    start: int
    end: int
    capital: bool


def words_in(text: str, start: int = 0, end: int | None = None) -> list[Word]:
    """The words of a text, or of a part of it, in order."""
    found = _WORD.finditer(text, start, len(text) if end is None else end)
    return [Word(form(match[0]), match.start(), match.end(), match[0][0].isupper()) for match in found]


_CONTRACTS, _CONTRACTED = frozenset("i he she we".split()), frozenset("ll d".split())


@lru_cache(maxsize=65_536)
def form(written: str) -> str:
    """A word as words are compared: folded, its possessive ending and its apostrophes off; "she'll" is "she", and no shell."""
    folded = fold(written).replace("’", "'")
    who, mark, rest = folded.partition("'")
    if mark and rest in _CONTRACTED and who in _CONTRACTS:
        return who
    return folded.removesuffix("'s").replace("'", "")


@lru_cache(maxsize=65_536)
def term(word: str) -> str:
    """The term of a folded word: its stem; "" for a word that carries nothing."""
    return "" if word in STOP or word in ASKING else stem(word)


@lru_cache(maxsize=65_536)
def any_term(word: str) -> str:
    """The stem of a folded word, whether it carries something or not; "" for articles, auxiliary verbs and conjunctions."""
    return "" if word in EMPTY else stem(word)


def terms(text: str, start: int = 0, end: int | None = None) -> list[str]:
    """The terms of a text in order, repeats kept."""
    return [found for word in words_in(text, start, end) if (found := term(word.form))]
