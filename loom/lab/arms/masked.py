"""The true block with every name of its seeds replaced: what depends on how the subject is called (seed §5.4).

Names are found as the default matcher finds them: whole words, in any case, number or spelling, spaced, hyphened or run together;
the longest first. A possessive ending stays.
"""

from collections.abc import Mapping, Sequence

from loom.core.concepts import Concepts
from loom.core.matching.default import plain_words
from loom.core.text import words_as_written
from loom.core.values import Block, Iri
from loom.lab.arms.basis import Base, Basis
from loom.lab.arms.fitting import Line, remade, whole

Span = tuple[int, int]


def masked(base: Base, item: Basis) -> Block:
    """The block with each title, label and alias of its k-th unit as Entity-k; seeds for which it had no room are counted on from
    there. A line keeps the names that it still shows."""
    aliases = names_of(base.ground.concepts, item.true, item.seeds)
    return whole(
        [
            remade(served.evidence, [_line(aliases, line) for line in _lines(item.true, at)])
            for at, served in enumerate(item.true.served)
        ]
    )


def names_of(concepts: Concepts, block: Block, seeds: frozenset[Iri] = frozenset()) -> dict[str, str]:
    """What each name is replaced by, by its words run together. A name that two seeds share is the first one's."""
    found: dict[str, str] = {}
    shown = {served.evidence.iri: [served.evidence.title] for served in block.served}
    for number, iri in enumerate([*shown, *sorted(seeds - shown.keys())], 1):
        row = concepts.row(iri)
        stated = [] if row is None else [concepts.title(row), *concepts.record(row).get("aliases", ())]
        for name in (*shown.get(iri, ()), *stated):
            if key := "".join(plain_words(name)):
                found.setdefault(key, f"Entity-{number}")
    return found


def replaced(aliases: Mapping[str, str], text: str) -> str:
    """A text with every name that is one of these replaced."""
    spans: list[Span] = []
    forms: list[str] = []
    at = 0
    for word in words_as_written(text):
        at = text.index(word, at)
        spans.append((at, at + len(word)))
        forms.append("".join(plain_words(word)))
        at += len(word)
    longest = max(map(len, aliases), default=0)
    found: list[tuple[int, int, int, str]] = []
    for first in range(len(forms)):
        key = ""
        for last in range(first, len(forms)):
            key += forms[last]
            if len(key) > longest:
                break
            if forms[last] and key in aliases:
                found.append((-len(key), first, last, aliases[key]))
    taken: set[int] = set()
    made: list[tuple[int, int, str]] = []
    for _, first, last, alias in sorted(found):
        if taken.isdisjoint(range(first, last + 1)):
            taken.update(range(first, last + 1))
            start, end = spans[first][0], spans[last][1]
            made.append((start, end, alias + _possessive(text[start:end])))
    for start, end, alias in sorted(made, reverse=True):
        text = text[:start] + alias + text[end:]
    return text


def _possessive(text: str) -> str:
    return text[-2:] if text[-2:] in ("'s", "’s") else ""


def _lines(block: Block, at: int) -> Sequence[Line]:
    served = block.served[at]
    return list(zip(served.lines, served.evidence.names[: len(served.lines)], strict=True))


def _line(aliases: Mapping[str, str], line: Line) -> Line:
    text, names = line
    return replaced(aliases, text), tuple(name for name in names if replaced(aliases, name) == name)
