"""Words that rules about claims know: opposites, words for one thing, words that end something, words that leave it open.

The lists are of ordinary English as organisations write it. What is not on them is not known: a rule then says "unrelated".
"""

from functools import lru_cache

from loom.core.memory.inflecting import forms_of
from loom.core.memory.porter import stem
from loom.core.memory.words import term

_OPPOSITES = """
open close|opened closed|accept reject|approve reject|approve refuse|approve decline|allow forbid|allow prohibit|allow ban|permit forbid
rise fall|rise drop|rise decrease|rise decline|grow shrink|grow fall|grow decline|increase decrease|increase drop|raise lower|raise cut|gain lose
pass fail|succeed fail|win lose|support oppose|support reject|favour oppose|favour against|support against|agree disagree|agree refuse
optional mandatory|voluntary mandatory|optional required|early late|before after|inside outside|indoor outdoor|above below
safe dangerous|safe hazardous|cheap expensive|high low|large small|big small|long short|short long|fast slow|faster slower|quick slow
better worse|best worst|more less|more fewer|strong weak|stronger weaker|hot cold|warm cold|wet dry|full empty|heavy light|hard easy|difficult easy
include exclude|cover exclude|hire dismiss|start stop|continue stop|keep abandon|keep drop
paid outstanding|paid unpaid|paid due|public private|internal external|domestic foreign|local remote|manual automatic|temporary permanent
true false|right wrong|correct incorrect|possible impossible|legal illegal|valid expired|valid void|present absent|available unavailable
profit loss|profitable loss-making|surplus deficit|success failure|confirm deny|confirm dispute|admit deny|enable disable|active inactive
online offline|alive dead|healthy sick|full-time part-time|majority minority|stable volatile|stable doubled|ready blocked
complete incomplete|finished unfinished|compatible incompatible|available sold-out|trust distrust|improve worsen|expand shrink|widen narrow
appoint dismiss|employ dismiss|accelerate delay|advance delay|encourage discourage|centralise decentralise
"""

_SAME = """
start begin launch commence|end finish conclude terminate|buy purchase acquire|approve authorise authorize ratify endorse greenlight
employee staff worker workforce|company firm business|rise increase grow climb raise|fall decrease drop decline lower sink shrink reduce
client customer|use employ utilise utilize|need require|delay postpone defer|hire recruit|price cost|choose select pick opt
fund finance|help assist aid|show demonstrate|tell inform|get receive obtain|give provide supply|repair fix mend|build construct
big large|small little|fast quick rapid|mandatory compulsory obligatory required|optional voluntary|safe secure|location site
situated located|lead head direct|chair preside|leader head lead chief director|renew extend prolong|back support|favour favor support
against oppose|change alter modify|stable unchanged|meeting session|contract agreement deal|programme program|organisation organization
licence license|centre center|catalogue catalog|car vehicle|shop store|doctor physician|person individual|child kid|house home
region area|document paper|problem issue|result outcome|plan intend|want desire wish|ask request|answer reply respond
operate run|work function|broken faulty|cheap inexpensive|expensive costly|important significant|correct right accurate|wrong incorrect
sell market|send deliver ship dispatch|keep retain|stop cease halt|forbid prohibit ban|allow permit|own possess|join enter
due deadline|annual yearly|monthly month|county counties|grant subsidy|purchase procurement|vote elect
"""

_ENDINGS = """
cancel withdraw leave quit resign terminate discontinue abandon revoke suspend cease stop lapse expire dissolve scrap drop end lose
retire depart demolish shelve halt abolish repeal rescind annul dismantle liquidate disband axe remove decommission
"""

_HEDGES = frozenset(
    """
    may might could would should plan plans planned intends intend propose proposes proposed consider considers considering
    perhaps maybe possibly probably likely expected hopes hope wants aims aim rumoured allegedly reportedly whether if unless
    discuss discusses discussed debate debates debated suggest suggests suggested
    """.split()
)
"""What such a word stands with is not said to be so."""

_DENIALS = frozenset(
    "lack lacks lacked lacking deny denies denied refuse refuses refused fail fails failed unable zero false".split()
)
"""Verbs that deny what follows them, as "not" does; those of failing and refusing only before "to"."""

ORDINALS = {
    word: number
    for number, words in enumerate(
        "first 1st q1|second 2nd q2|third 3rd q3|fourth 4th q4|fifth 5th|sixth 6th|seventh 7th|eighth 8th".split("|"), 1
    )
    for word in words.split()
}

TIMES = frozenset(
    """
    day days week weeks month months quarter quarters year years morning afternoon evening night today yesterday tomorrow
    monday tuesday wednesday thursday friday saturday sunday last next since until
    """.split()
)

_PREFIXES = ("un", "in", "im", "ir", "il", "dis", "non", "mis")


@lru_cache(maxsize=65_536)
def base(word: str) -> str:
    """The first form of a folded word that carries something: its stem, irregular forms brought together; "" for a common word."""
    found = term(word)
    return forms_of(found)[0] if found else ""


@lru_cache(maxsize=1)
def _same() -> dict[str, str]:
    """Each base to the first of its group; a word of several groups stays with the first."""
    found: dict[str, str] = {}
    for group in _SAME.replace("\n", "|").split("|"):
        bases = [each for word in group.split() if (each := base(word))]
        for each in bases:
            found.setdefault(each, found.get(bases[0], bases[0]))
    return found


@lru_cache(maxsize=65_536)
def canon(word: str) -> str:
    """The base of a folded word, words for one thing made one."""
    found = base(word)
    return _same().get(found, found)


def _all(words: str) -> frozenset[str]:
    return frozenset(map(canon, words.split()))


ROLES = _all(
    """head lead leader chair chairman chairwoman chairperson director manager owner president ceo cfo cto mayor capital author
    founder minister headquarters editor coordinator supervisor principal name"""
)
"""What something has one of: "the head of procurement" is one person."""

RELATIONS = _all("located situated based headquartered seated housed stationed works located called named titled")
"""Words between a thing and the one place or name that it has; they say no more than "is"."""

ONCE = _all(
    "start begin launch open close end expire due sign found publish release deliver arrive scheduled move finish complete"
)
"""What happens to a thing once, so that two dates of it are a difference."""

BEGINNINGS = _all("start begin arrive join enter found hire buy")
"""What begins may end: neither is denied by the other."""

CONVERSE = frozenset(
    (canon(one), canon(other))
    for pair in ("before after", "above below", "more less", "faster slower", "better worse", "stronger weaker")
    for one, other in (pair.split(), pair.split()[::-1])
)
"""Opposites that say the same of two things that change places: "A opens before B", "B opens after A"."""

MADE = _all("written founded owned led headed designed invented managed chaired built")
"""Passives whose "by" names the one who did it."""


@lru_cache(maxsize=1)
def _opposites() -> frozenset[tuple[str, str]]:
    pairs = [pair.split() for pair in _OPPOSITES.replace("\n", "|").split("|") if pair.strip()]
    made = {(_key(one), _key(other)) for one, other in pairs}
    return frozenset(made | {(other, one) for one, other in made})


def _key(word: str) -> str:
    return _same().get(base(word) or stem(word), base(word) or stem(word))


@lru_cache(maxsize=65_536)
def opposite(one: str, other: str) -> bool:
    """Whether two canonical terms are opposites: on the list, or one is the other with a prefix that denies it."""
    if (one, other) in _opposites():
        return True
    short, long = sorted((one.removesuffix("e"), other.removesuffix("e")), key=len)
    return len(short) > 2 and any(long == prefix + short for prefix in _PREFIXES)


@lru_cache(maxsize=1)
def _endings() -> frozenset[str]:
    return frozenset(base(word) for word in _ENDINGS.split() if base(word))


_PARTING = "move on|pull out|step down|stand down|phase out|shut down|wind down|call off|drop out|back out|give up|close down|walk away|wind up"


@lru_cache(maxsize=1)
def _partings() -> frozenset[tuple[str, str]]:
    return frozenset((base(verb), behind) for verb, behind in (pair.split() for pair in _PARTING.split("|")))


_DROPS = frozenset("drop drops dropped dropping".split())
_OF_THINGS = frozenset("the a an its their our his her all".split())


@lru_cache(maxsize=65_536)
def ends(form: str, then: str) -> str:
    """The canonical term of a word that ends what it is said of: one of those, or, with the word behind it, of withdrawing ("pulled
    out", "dropped the guide"; what merely dropped was lowered). Else ""."""
    if (base(form), then) in _partings() or (form in _DROPS and then in _OF_THINGS):
        return canon("withdraw")
    return canon(form) if base(form) in _endings() and form not in _DROPS else ""


@lru_cache(maxsize=65_536)
def happened(form: str) -> bool:
    """Whether a verb that ends something is written as having done so: "left", "expired", and not "leaves", "expiring"."""
    return form not in _ENDINGS_NOW and not form.endswith("ing")


_ENDINGS_NOW = frozenset(
    each for verb in (*_ENDINGS.split(), "move", "pull", "step", "stand", "phase", "shut", "wind", "call", "give", "close", "walk", "back")
    for each in (verb, f"{verb}s", f"{verb}es") if verb not in ("quit", "shut")
)  # fmt: skip


def narrows(form: str) -> bool:
    """Whether a word says that there is no more than what follows it."""
    return form in ("only", "just", "merely", "few", "solely")


def hedges(form: str) -> bool:
    return form in _HEDGES


def denies(form: str, then: str) -> bool:
    """Whether a word denies what follows it, where `then` is the next word."""
    if form == "false":
        return then == "that"
    return form in _DENIALS and (not form.startswith(("fail", "refus")) or then == "to")
