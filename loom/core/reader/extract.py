"""The reader: a deterministic answer from what was served, without a model.

It quotes. For each unit that the question is about it gives the definition and the lines that the question's words ask for,
with the unit's number as a citation; it never joins two statements into a third. Where evidence says what its lines state, those
that answer are quoted, and what is absent is said to be (`reader.stated`).
"""

from collections.abc import Sequence

from loom.core.matching.default import plain_words
from loom.core.reader.stated import UNSTATED, spoken
from loom.core.values import Role, Served

SILENCE = (
    "The corpus that this node serves has nothing on this question, and no language model is configured to answer without it."
)
UNITS, LINES = 3, 6

# Words of relation names that say nothing by themselves.
_SMALL = frozenset("a an and by for from has have in is of on or the to with".split())


def answer(question: str, served: Sequence[Served]) -> str:
    """An answer in Markdown; the same for the same question and block."""
    if not served:
        return SILENCE
    asking = list(dict.fromkeys(plain_words(question)))
    stating = [each for each in enumerate(served, 1) if each[1].evidence.stated]
    others = [each for each in enumerate(served, 1) if not each[1].evidence.stated]
    silent = [each for _, each in stating if each.evidence.reply]
    if silent and not spoken(asking, [each for each in stating if not each[1].evidence.reply]):
        # What was asked of somebody was never said; that a concept has a word of the question in its name is no answer to it.
        return silent[0].evidence.reply
    told = spoken(asking, stating)
    asked_about = [each for each in others if _names(each[1], asking)]
    if not told:
        asked_about = asked_about or others[:1]
    elif _absent(stating):
        asked_about = []
    paragraphs = [*told, *(_paragraph(number, each, asking) for number, each in asked_about[:UNITS])]
    return "\n\n".join(paragraph for paragraph in paragraphs if paragraph) or UNSTATED


def _absent(stating: Sequence[tuple[int, Served]]) -> bool:
    """Whether anything that was asked for is said to be absent."""
    return any(one and one.role is Role.ABSENT for _, each in stating for one in each.evidence.stated)


def _names(served: Served, asking: Sequence[str]) -> bool:
    """Whether the question uses every word of the unit's title."""
    return set(plain_words(served.evidence.title)) <= set(asking)


def _paragraph(number: int, served: Served, asking: Sequence[str]) -> str:
    title = served.evidence.title
    body = [part for line in served.lines if not line.startswith("## ") for part in _statements(line)]
    if not body:
        return f"**{title}** [{number}]"
    rest = [word for word in asking if word not in plain_words(title)]
    defined = not _is_list(body[0])
    wanted = [line for line in body[1 if defined else 0 :] if _asked(line, rest)][:LINES]
    first = body[0] if defined or not wanted else ""
    lines = [f"**{title}**: {first} [{number}]" if first else f"**{title}** [{number}]"]
    return "\n".join(lines + [line if line.startswith("- ") else f"- {line}" for line in wanted])


def _statements(line: str) -> list[str]:
    """A line as what it states one by one: the reference format prints its taxonomy and its relations on a line each."""
    if line.startswith("relations: "):
        return line.removeprefix("relations: ").split("; ")
    return line.split("; ") if line.startswith("is-a: ") else [line]


def _is_list(line: str) -> bool:
    head, colon, _ = line.partition(": ")
    return bool(colon) and " " not in head and len(head) <= 24


def _asked(line: str, asking: Sequence[str]) -> bool:
    """Whether the line's label, or the name that it defines, is an inflection of a word that was asked."""
    label = line.removeprefix("- ").partition(":")[0]
    found = ["is-a"] if label.startswith("is-a") else plain_words(_spaced(label))
    return any(_alike(word, other) for word in asking for other in found if other not in _SMALL)


def _spaced(label: str) -> str:
    """camelCase with its words apart."""
    return "".join(f" {letter}" if letter.isupper() else letter for letter in label)


def _alike(word: str, other: str) -> bool:
    if word == other or KINSHIP.get(word) == other:
        return True
    shared = min(len(word), len(other))
    return shared >= 4 and word[: shared - 1] == other[: shared - 1] and abs(len(word) - len(other)) <= 4


# How people ask for a taxonomy, by the label under which a unit prints it.
KINSHIP = {
    **dict.fromkeys(("broader", "grandparent", "general"), "ancestor"),
    **dict.fromkeys(("parent", "kind", "sort", "type", "category", "class", "subclass"), "is-a"),
}
