"""Words that a stemmer does not bring together: what one did is asked for in another form of the verb ("bought", "buy")."""

from collections.abc import Mapping, Sequence

import numpy as np

from loom.core.memory.porter import stem
from loom.core.memory.values import Ints, Postings, View

_VERBS = """
arise arose arisen|awake awoke awoken|bear bore borne|beat beaten|become became|begin began begun|bend bent|bet|bind bound
bite bit bitten|bleed bled|blow blew blown|break broke broken|breed bred|bring brought|build built|burn burnt|buy bought
catch caught|choose chose chosen|cling clung|come came|creep crept|deal dealt|dig dug|draw drew drawn|dream dreamt
drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found|flee fled
fly flew flown|forbid forbade forbidden|forget forgot forgotten|forgive forgave forgiven|freeze froze frozen|get got gotten
give gave given|go went gone|grow grew grown|hang hung|hear heard|hide hid hidden|hold held|keep kept|kneel knelt|know knew known
lay laid|lead led|leap leapt|learn learnt|leave left|lend lent|light lit|lose lost|make made|mean meant|meet met|overcome overcame
pay paid|ride rode ridden|ring rang rung|rise rose risen|run ran|say said|see saw seen|seek sought|sell sold|send sent
sew sewn|shake shook shaken|shine shone|shoot shot|show shown|shrink shrank shrunk|sing sang sung|sink sank sunk|sit sat
sleep slept|slide slid|smell smelt|sow sown|speak spoke spoken|spend spent|spill spilt|spin spun|spoil spoilt|stand stood
steal stole stolen|stick stuck|sting stung|strike struck|strive strove striven|swear swore sworn|sweep swept|swim swam swum
swing swung|take took taken|teach taught|tear tore torn|tell told|think thought|throw threw thrown|understand understood
undertake undertook undertaken|wake woke woken|wear wore worn|weave wove woven|weep wept|win won|withdraw withdrew withdrawn
write wrote written
"""
_NOUNS = """
child children|foot feet|goose geese|half halves|knife knives|leaf leaves|life lives|man men|mouse mice|person people
shelf shelves|thief thieves|tooth teeth|wife wives|wolf wolves|woman women
"""


PAST = frozenset(
    form
    for group in _VERBS.replace("\n", "|").split("|")
    for base, *forms in [group.split() or [""]]
    for form in forms
    if form != base
)
"""Forms of irregular verbs that speak of what was."""


def _groups() -> dict[str, tuple[str, ...]]:
    """The terms of each word's forms, by each of them; a term of two words ("leaves") stays with the first."""
    found: dict[str, tuple[str, ...]] = {}
    for group in (_VERBS + _NOUNS).replace("\n", "|").split("|"):
        terms = tuple(term for term in dict.fromkeys(stem(word) for word in group.split()) if term not in found)
        found.update(dict.fromkeys(terms, terms))
    return found


_GROUPS = _groups()


def forms_of(term: str) -> tuple[str, ...]:
    """A term and the terms of its other forms."""
    return _GROUPS.get(term, (term,))


def postings_of_forms(view: View, terms: Sequence[str]) -> Mapping[str, Postings]:
    """The postings of each of these terms in any form; a piece that holds several has one posting, with the sum of their counts."""
    groups = {term: forms_of(term) for term in terms}
    held = view.postings(list(dict.fromkeys(form for group in groups.values() for form in group)))
    found = {}
    for term, group in groups.items():
        columns = [held[form] for form in group if form in held]
        if columns:
            found[term] = columns[0] if len(columns) == 1 else _joined(columns)
    return found


def _joined(columns: Sequence[Postings]) -> Postings:
    subjects = tuple(sorted({subject for each in columns for subject in each.subjects}))
    places = {subject: place for place, subject in enumerate(subjects)}
    who = np.concatenate(
        [np.array([places[subject] for subject in each.subjects], dtype=np.int64)[each.who] for each in columns]
    )
    keys = np.concatenate([each.turn for each in columns]) * len(subjects) + who
    every, first, at = np.unique(keys, return_index=True, return_inverse=True)

    def summed(counts: Sequence[Ints]) -> Ints:
        total = np.zeros(len(every), dtype=np.int64)
        np.add.at(total, at, np.concatenate(counts))
        return total

    return Postings(
        every // len(subjects),
        every % len(subjects),
        summed([each.own for each in columns]),
        summed([each.beside for each in columns]),
        np.concatenate([each.length for each in columns])[first],
        np.concatenate([each.width for each in columns])[first],
        subjects,
    )
