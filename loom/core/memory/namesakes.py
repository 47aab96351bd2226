"""Names that are words, too: "Will", "May", "Mark" and "Hope" are people where they are written and stand as names do."""

from collections.abc import Sequence

from loom.core.facts.dates import MONTHS
from loom.core.memory.sentences import AUXILIARY
from loom.core.memory.words import STOP, Word

NAMESAKES = frozenset(
    """
    amber angel april art ash aspen august autumn bear bill bliss blue brook buddy bud cash chance charity chase chip clay cliff
    cookie coral crystal daisy dawn dean destiny diamond don drew ebony eve faith fern flora forest frank gay gene genesis
    ginger glen grace grant guy hazel heath heather heaven holly honor honey hope hunter ivory ivy jade jasmine jewel joy june
    juniper justice king kitty lane lark liberty lily love mark max maverick may melody mercy merry miles mist misty noble nova
    ocean olive opal opera pansy park pat patience pearl peg penny pierce poppy precious prince princess prudence queen rain ray
    red reed rich river rob robin rock rocky rose rowan ruby rusty sage sandy saint scarlet sky skip stew stone storm sue summer
    sunny sunshine temperance tiger trinity trip van violet wade ward will willow win winter wren
    """.split()
)
"""Names by which people go that are common words."""

_SEASONS = frozenset("summer autumn winter".split())
_TIMED = frozenset("in since until till during last next this early mid late every each through throughout by".split())
_PARTS = frozenset("month end beginning start middle first last week weekend day rest half summer spring".split())
_FOLLOW = frozenset(
    """
    i im ive id ill you youre youve your he hes she shes it its we weve they theyre theyve my his her our their the a an this that
    these those some all any everything everyone everybody everybodys someone somebody nobody nothing there to so not for me us them him
    """.split()
)
"""What stands behind a verb and behind no name: "Hope you slept", "Mark my words"."""
_BARE = frozenset("be do have not also probably definitely".split())
_DOING = frozenset("does did doesnt didnt".split())


def is_word(words: Sequence[Word], at: int) -> bool:
    """Whether a word that may be a name is no name where it stands: it is a common one, and is written small, or is capitalised only as
    the first of its sentence with what follows a verb behind it, or is a month or a season. Written small, it is a name where nothing
    else may stand ("what did mark buy", "mark's boat"); where nobody writes capitals, also as the first word ("hope is ill")."""
    word = words[at]
    if word.form not in NAMESAKES:
        return False
    if _is_time(words, at):
        return True
    before = words[at - 1].form if at else ""
    if before in _DOING or word.end - word.start == len(word.form) + 2:
        return False
    small = not any(each.capital for each in _round(words, at))
    if word.capital if not small else at == 0:
        return _as_verb(words, at) if at == 0 or _shouted(_round(words, at)) else _asks_on(words, at)
    return not (small and (before in AUXILIARY or before == "about"))


def _as_verb(words: Sequence[Word], at: int) -> bool:
    word = words[at]
    if at + 1 == len(words):
        return False
    behind = words[at + 1]
    if behind.start - word.end > 1:  # punctuation
        return False
    if not word.capital:
        return behind.form not in AUXILIARY or behind.form in _BARE
    return behind.form in _FOLLOW or (word.form in AUXILIARY and (behind.form in _BARE or behind.capital))


def _asks_on(words: Sequence[Word], at: int) -> bool:
    """Whether a capitalised word inside a text begins a question of its own ("Hello! Will you come")."""
    word = words[at]
    if word.form not in AUXILIARY or at + 1 == len(words) or words[at + 1].start - word.end > 1:
        return False
    return words[at + 1].form in _FOLLOW and word.start - words[at - 1].end > 1


def _round(words: Sequence[Word], at: int) -> Sequence[Word]:
    """The words round a place: a sentence may be endless."""
    return words[max(at - _NEAR, 0) : at + _NEAR]


_NEAR = 25


def _shouted(words: Sequence[Word]) -> bool:
    return len(words) > 1 and all(word.capital for word in words)


def _is_time(words: Sequence[Word], at: int) -> bool:
    """Whether a month or a season stands as a time: "in May", "4 May", "May 2021", "the end of May", "next summer"."""
    form = words[at].form
    if form not in MONTHS and form not in _SEASONS:
        return False
    before, behind = words[at - 1].form if at else "", words[at + 1].form if at + 1 < len(words) else ""
    if before[:1].isdigit() or behind[:1].isdigit() or (at == 0 and form in _SEASONS and behind in STOP):
        return True
    if before == "of":
        return at > 1 and (words[at - 2].form in _PARTS or words[at - 2].form[:1].isdigit())
    return before in _TIMED
