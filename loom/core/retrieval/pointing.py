"""Where a message points at something that it does not say itself: pronouns and pointing words without an antecedent.

An antecedent stands in an earlier clause, since "which systems use it" never means the systems; a possessive may find its own
in the same one ("how does a kiln keep its heat"). Words that `which` or `what` determine are asked for, so they are none.
"""

import re
from typing import NamedTuple

from loom.core.retrieval.tongues import ENGLISH, Tongue

READ = 600
"""Code points of a message that are read; by then it has said what it is about."""

_STOP = r"[.,;:!?()\n…—–\"“”]|(?<=\s)-+(?=\s)"
_TOKEN = re.compile(rf"[^\W_]+(?:['’-][^\W_]+)*|{_STOP}")
_SPLIT = re.compile(rf"[^\W_]+|{_STOP}")
_SHORT = {"'s": 2, "’s": 2, "'re": 3, "’re": 3, "'ll": 3, "’ll": 3, "'d": 2, "’d": 2, "'ve": 3, "’ve": 3}
STOPS = frozenset((*'.,;:!?()\n…—–"“”', "-", "--"))
_ENDS = frozenset(".;:!?\n…")
_QUOTES = frozenset(':\n"“”')


class Word(NamedTuple):
    """One word or stop of a message: in lower case, and where it begins."""

    text: str
    at: int


class Pointing(NamedTuple):
    """Where the first word that points outside begins (-1: none does), and whether it surely does or might find its meaning in
    what the message says before it."""

    first: int = -1
    sure: bool = False


NOWHERE = Pointing()


def tokens(text: str, pattern: re.Pattern[str] = _TOKEN) -> list[Word]:
    """Words and stops in order; of "what's" and "it's" the first half."""
    found = []
    for match in pattern.finditer(text[:READ]):
        word = match.group().lower()
        if len(word) > 3 and (word[-2] in "'’" or word[-3] in "'’"):
            word = next((word[:-cut] for ending, cut in _SHORT.items() if word.endswith(ending)), word)
        found.append(Word(word, match.start()))
    return found


def plain_tokens(text: str) -> list[Word]:
    """Words and stops, split at apostrophes and hyphens: for languages other than English."""
    return tokens(text, _SPLIT)


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_BE = _set("is are was were be been being isn't aren't wasn't weren't")
_AUX = _BE | _set("do does did can could will would shall should may might must has have had don't doesn't didn't can't won't")
_DO = _set("do does did don't doesn't didn't")
_CLAUSE = _set("and but or so because when if while since although though before until unless whereas than compared versus vs")
_RELATES = _set("who whose whom how where why")
_BEFORE = _set(
    "in into inside of on to for from with without by about at under underneath below behind over after against between through like "
    "around towards upon within outside near beyond"
)
_ARTICLES = _set("a an the any some")
_DETERMINES = (
    _ARTICLES
    | _set("my your our two three four five each every many no his her their its this that these those another")
    | _BEFORE
)
_ASKS = _set(
    "explain elaborate expand clarify describe define compare use uses using need needs do did doing mean means call called see put make get take give why how what"
)
_ACTING = _set("i we you who i'm we're you're to")
_POSSESS = _set("its their theirs his her itself themselves")
_PERSONS = _set("someone somebody anyone anybody everyone everybody people nobody person")
_KINDS = _set("one ones kind kinds sort sorts type types way option approach method version variant two thing part bit")
_TIMES = _set("week month year morning afternoon evening night century decade weekend summer winter autumn spring season")
_STEADY = _set(
    "well widely commonly really still always ever even so very too more less not actually generally usually often just also only all quite as"
)
_TAKEN = _set(
    "takes take took cost costs matter matters help helps hurt hurts make makes pay pays feel feels mean called like comes turns seems appears"
)
_SAID = _set(
    "true possible impossible necessary better best worth ok okay fine good bad hard difficult easy easier harder common rare legal illegal "
    "likely unlikely important normal safe dangerous rude polite cheaper wise smart weird strange wrong right fair known said clear "
    "time useful helpful ethical healthy unhealthy a"
)
_WEATHER = _set(
    "raining rain rains snowing snow snows sunny cloudy windy foggy late early dark midnight noon christmas monday friday sunday"
)
_COUNTED = _set(
    "layer level tier phase step number version stage chapter part day formula page volume section act round no any every each"
)
_ORDERED = _set("first second third fourth last other others older newer earlier later previous two three rest")


def english(words: list[Word]) -> Pointing:
    """The first word of an English message that points at something outside it; where none surely does, the first that might."""
    small, light, points = ENGLISH.small, ENGLISH.light, ENGLISH.points
    said, shown = 0, False  # of earlier clauses: words that name something, and whether one stands as a noun does
    here, here_shown = 0, False
    asked = determined = exists = False  # what follows is asked for, or asked after; a noun must follow
    acting = bare = False  # somebody acts, so that a noun stands second; the clause begins with what it names
    before, maybe = ".", -1
    for at, (word, place) in enumerate(words):
        if here and _in_a_clause_of_its_own(words, at, before, here_shown):
            said, shown, here, here_shown = said + here, shown or here_shown, 0, False
        pointed = word in points and _points(words, at, here)
        if pointed:
            own = word in _POSSESS
            if not (shown or said >= 3 or here >= 5 or (own and here_shown)):
                if not (said or here >= 3 or (word == "same" and _names(words, at))):
                    return Pointing(place, True)
                maybe = place if maybe < 0 else maybe
        begins = before in STOPS or before in _CLAUSE or before in _BEFORE
        wh = word == "which" or word == "what"
        if word in STOPS or word in _CLAUSE or (not begins and (wh or word in _RELATES or (word == "that" and not pointed))):
            said, shown = said + here, shown or here_shown or (bare and here > 0)
            here, here_shown, asked, determined, exists, acting, bare = 0, False, False, False, False, False, False
        elif word in _PERSONS:
            here, here_shown = here + 1, True
        elif word in _ACTING:
            asked, determined, acting = False, word == "to", True
        elif word == "there":
            exists = not pointed
        elif wh:
            asked, determined = True, False
        elif word in _DETERMINES:
            asked = asked and word == "of"
            determined, exists = not asked, exists and word in _ARTICLES
        elif word in _AUX:
            asked, exists = False, exists and word in _BE
            determined = word in _BE or word in _DO or before not in ("who", "which", "what")
        elif word in small:
            asked, determined, exists = asked and word == "other", determined and word in _STEADY, exists and word in _STEADY
        elif word not in light and not asked and not exists:
            bare = bare or before in STOPS
            here, here_shown = here + 1, here_shown or determined or (acting and here > 0)
        before = word
    return Pointing(maybe, False)


def _in_a_clause_of_its_own(words: list[Word], at: int, before: str, shown: bool) -> bool:
    """Whether a word begins a clause that no joining word marks: "without ruining it", "the picture it shows"."""
    word = words[at].text
    if shown and before in ("without", "by", "before", "after", "while", "for") and word.endswith("ing"):
        return True
    if word not in ("it", "they", "he", "she") or before in ENGLISH.small or before in ENGLISH.light or before in STOPS:
        return False
    after = words[at + 1].text if at + 1 < len(words) else "."
    return after not in STOPS and after not in ENGLISH.small


def _names(words: list[Word], at: int) -> bool:
    """Whether what follows in the sentence names something."""
    for word, _ in words[at + 1 :]:
        if word in _ENDS:
            return False
        if word not in STOPS and word not in ENGLISH.small and word not in ENGLISH.light:
            return True
    return False


def _points(words: list[Word], at: int, here: int) -> bool:
    """Whether the word at a place, which can point, does so here; `here` counts the words of its clause that name something."""
    word = words[at].text
    last = words[at - 1].text if at else "."
    after = words[at + 1].text if at + 1 < len(words) else "."
    match word:
        case "it":
            return not _empty(words, at, last)
        case "that":
            if last == "so" or after == ":" or (after == "said" and last in STOPS):
                return last == "so" and at == 1
            if last == "called" and here:
                return False
            if last in _BE:
                subject = words[at - 2].text if at > 1 else "."
                return here == 0 and (subject in STOPS or subject in ENGLISH.small)
            return last in STOPS or last in _CLAUSE or last in _AUX or last in _BEFORE or last in _ASKS or after in STOPS
        case "this" | "these" | "those":
            if after in _TIMES or (word == "those" and after in ("that", "who", "which", "whose", "with", "of", "where")):
                return False
            return word == "those" or all(later.text not in _QUOTES for later in words[at:])
        case "one" | "ones":
            return _stands_alone(last, after)
        case "there":
            return after in STOPS and at > 1 and (last not in ENGLISH.small or last in _BEFORE)
        case "such":
            return here == 0 and after not in STOPS and after != "that" and not _joined(words[: at + 5], at, ("as",))
        case "both":
            return not _joined(words, at, ("and",))
        case "either" | "neither":
            return after in STOPS or not _joined(words, at, ("or", "nor"))
        case "same":
            return last == "the" and after not in ("as", "time") and not _joined(words, at, ("as",))
        case "former" | "latter":
            return last == "the"
        case _ if word in _ORDERED:
            if last != "the":
                return word == "others" and after in STOPS
            beyond = words[at + 2].text if at + 2 < len(words) else "."
            if word == "two" and after in _BEFORE:
                return after != "of"
            return (
                after in STOPS
                or after in _AUX
                or after in _CLAUSE
                or (after in _KINDS and beyond not in ("of", "to", "that", "who"))
            )
    return True


def _stands_alone(last: str, after: str) -> bool:
    """Whether "one" stands for a thing: not for a number, for anybody, or for what is only now said ("one that …")."""
    if (
        last in _COUNTED
        or (last == "for" and after in STOPS)
        or after in ("of", "that", "which", "who", "whose", "where", "another", "more", "or")
    ):
        return last == "which" and after != "of"
    if last in _AUX:
        return after in STOPS
    return after in STOPS or after in ENGLISH.small or last in ("which", "this")


def _joined(words: list[Word], at: int, by: tuple[str, ...]) -> bool:
    """Whether one of the joining words follows before the sentence ends."""
    for word, _ in words[at + 1 :]:
        if word in _ENDS:
            return False
        if word in by:
            return True
    return False


def _empty(words: list[Word], at: int, last: str) -> bool:
    """Whether "it" stands for nothing: weather and time, and what a later "to …", "that …" or "when …" spells out."""
    if last == "worth":
        return True
    after = at + 1
    while after < len(words) and (words[after].text in _STEADY or words[after].text in _AUX):
        after += 1
    said = words[after].text if after < len(words) else "."
    if (said == "that" or said == "going") and (last in _BE or last == "how"):
        return said == "going" or (after + 1 < len(words) and words[after + 1].text not in STOPS)
    if said in _WEATHER or (at > 1 and last in _BE and words[at - 2].text in ("time", "day", "date")):
        return True
    if said in ("cold", "hot", "warm", "freezing") and after + 1 < len(words):
        return words[after + 1].text in ("outside", "out", "today", "tomorrow", "here", "now")
    if said not in _SAID and said not in _TAKEN and last not in ("call", "called"):
        return False
    if said == "a" and not (after + 1 < len(words) and words[after + 1].text in ("good", "bad", "great", "problem")):
        return False
    for further in range(min(after, len(words)), len(words)):
        word = words[further].text
        if word in _ENDS:
            return False
        if word in ("to", "that", "when", "if", "whether", "for") or (said == "worth" and word.endswith("ing")):
            left = [each.text for each in words[further + 1 :]]
            naming = sum(each not in STOPS and each not in ENGLISH.small for each in left)
            return naming + (said == "worth") >= (1 if word in ("that", "when", "if", "whether") else 2)
    return False


def other(tongue: Tongue, words: list[Word], text: str) -> Pointing:
    """As `english`, for a language of which only the small words are known."""
    said = here = 0
    for at, (word, place) in enumerate(words):
        if word in tongue.points:
            last = words[at - 1].text if at else "."
            after = words[at + 1].text if at + 1 < len(words) else "."
            if (word, after) not in tongue.empty and (last, word) not in tongue.empty and not _article(tongue, words, at, text):
                if said == 0:
                    return Pointing(place, here < 3)
                return NOWHERE
        if word in STOPS or word in tongue.opens:
            said, here = said + here, 0
        elif word not in tongue.small and word not in tongue.light:
            here += 1
    return NOWHERE


def _article(tongue: Tongue, words: list[Word], at: int, text: str) -> bool:
    """German writes nouns large: "das" before one is its article, and a large "Sie" is the person spoken to."""
    if tongue.name != "de":
        return (
            tongue.name == "nl"
            and words[at].text in ("dat", "die")
            and at > 0
            and words[at - 1].text not in tongue.small | tongue.light
        )
    word, place = words[at]
    if word == "das":
        return any(text[later.at].isupper() for later in words[at + 1 : at + 3])
    return at > 0 and text[place].isupper() and words[at - 1].text not in STOPS
