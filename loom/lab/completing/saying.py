"""A relation that a sentence states: subject, verb, names ("Bread requires Flour, Salt and Yeast"), or a line that begins a list
of them ("Bread requires:").

The verbs are those of corpora's relations, as people write them in a sentence. What speaks of the text itself or of its words
("This page includes", "Key terms include") states nothing of the names that follow.
"""

from collections.abc import Sequence

from loom.core.concepts import RELATIONS
from loom.core.matching.default import plain_words
from loom.lab.completing.labels import folded

VERBS = (
    "requires|uses|enables|supports|implements|extends|produces|provides|contains|comprises|includes|involves|combines|needs|employs|"
    "depends on|is dependent on|relies on|builds on|draws on|is built on|is built from|is based on|consists of|is composed of|"
    "is made of|is made from|is made up of|makes use of|is part of|is a part of|has part|has parts|has as parts|has as its parts|"
    "leads to|calls for|belongs to|falls under|is a|is an|is a kind of|is a type of|is a form of|is a sort of|is an example of|"
    "is a subclass of|is a child of|relates to|is related to|is required by|is used by|is used in|is used for|is enabled by|"
    "is supported by|is implemented by|is standardised by|is standardized by|contrasts with|differs from|bridges to"
).split("|")

_OF_WORDS = frozenset(
    "page section topic article entry document paragraph keyword term concept word name title tag label list item thing idea text "
    "block question answer".split()
)
_BETWEEN = frozenset("a an the both either its their all of these following as well and or such".split())

_OF = frozenset("of for on in about".split())

LONGEST_SUBJECT = 8
"""Words before the verb."""

LONGEST_BETWEEN = 3
"""Words between the verb and the first name: "requires both the Oven and …"."""

NAME = "·"
"""The mark of a name in a frame."""


def _phrases() -> frozenset[tuple[str, ...]]:
    """The verbs as the matcher reads words, said of one thing and of several."""
    found = set()
    for verb in VERBS:
        words = plain_words(verb)
        found.add(tuple(words))
        if words[0] in ("is", "has"):
            found.add(({"is": "are", "has": "have"}[words[0]], *words[1:]))
    return frozenset(found)


_PHRASES = _phrases()
_RELATIONS = frozenset(map(folded, [*RELATIONS, "is-a", "subclass of", "parent", "parents", "broader", "narrower", "related"]))
_LONGEST = max(map(len, _PHRASES))
_FEWEST_OF_A_LIST = frozenset(phrase for phrase in _PHRASES if phrase[-1] not in ("a", "an"))


def states_names(frame: Sequence[str]) -> bool:
    """Whether a sentence, each of its names one mark, states a relation between a subject and the first names after the verb."""
    for at in range(1, min(len(frame), LONGEST_SUBJECT + _LONGEST + LONGEST_BETWEEN + 1)):
        if frame[at] != NAME:
            continue
        for end in range(at, max(0, at - LONGEST_BETWEEN - 1), -1):
            if any(word not in _BETWEEN for word in frame[end:at]):
                break
            if (subject := _subject(frame[:end], _PHRASES)) is not None:
                return subject
        if NAME in frame[1:at]:
            return False
    return False


def begins_list(label: str) -> bool:
    """Whether what stands before a colon is a subject and a verb, so that the names after it are what is said of the subject."""
    words = plain_words(label)
    while words and words[-1] in _BETWEEN and words[-2:] != ["part", "of"] and not _ends(words, _FEWEST_OF_A_LIST):
        words = words[:-1]
    return bool(_subject(words, _FEWEST_OF_A_LIST))


def _ends(words: Sequence[str], phrases: frozenset[tuple[str, ...]]) -> int:
    """How many of the last words are a verb; 0 for none. The longest counts."""
    return next((many for many in range(min(_LONGEST, len(words)), 0, -1) if tuple(words[-many:]) in phrases), 0)


def _subject(words: Sequence[str], phrases: frozenset[tuple[str, ...]]) -> bool | None:
    """Whether there is a subject before the verb at the end of the words that is no word about words; None without such a verb."""
    many = _ends(words, phrases)
    if not many:
        return None
    subject = words[:-many]
    heads = [word for word, after in zip(subject, [*subject[1:], "of"], strict=False) if after in _OF]
    return 0 < len(subject) <= LONGEST_SUBJECT and _OF_WORDS.isdisjoint(heads)


def is_verb(cell: str) -> bool:
    """Whether a cell of a table is a relation and no more."""
    return tuple(plain_words(cell)) in _PHRASES or folded(cell) in _RELATIONS


def has_verb(words: Sequence[str]) -> bool:
    """Whether a relation, or any form of "to be", is among the words."""
    return any(tuple(words[at : at + many]) in _PHRASES for at in range(len(words)) for many in range(1, _LONGEST + 1)) or not (
        {"is", "are", "was", "were", "has", "have"}.isdisjoint(words)
    )
