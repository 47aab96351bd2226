"""Attribution: whether the units that an answer cites by number hold what the sentence says.

A citation is a number in square brackets: the unit's place in the block, from 1. A sentence's names are those of the candidates
that it names. Cited alone, a unit must hold all of them; cited with others, at least one. Source: specs/lab.md, Definitions.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from loom.core.exposure import READERS
from loom.core.exposure.ceiling import share
from loom.core.policy.packing import FOOTER
from loom.core.values import Json

_CITED = re.compile(r"\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]")
_SENTENCE = re.compile(r"(?<=[.!?;])(?!\s*\[\d)\s+|\n+")
_HEADING = "## "


@dataclass(frozen=True, slots=True)
class Attribution:
    """`cited` counts pairs of a sentence and a unit that it cites, `judged` those of which sentence and unit can be read, `held`
    those whose unit holds the sentence's names; `unknown` are numbers of no unit; `named` units whose title the answer names,
    `named_cited` those of them that are cited; `cut` cited units of which lines were left out."""

    cited: int = 0
    judged: int = 0
    held: int = 0
    unknown: int = 0
    named: int = 0
    named_cited: int = 0
    cut: int = 0

    def __add__(self, other: "Attribution") -> "Attribution":
        return Attribution(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))

    def as_json(self) -> dict[str, Json]:
        return {
            **{name: getattr(self, name) for name in self.__slots__},
            "accuracy": share(self.held, self.judged),
            "named_cited_share": share(self.named_cited, self.named),
        }


def sections(block: str, titles: Sequence[str]) -> list[str] | None:
    """The text of each unit of a block, told by its headings; None where the block does not keep them (shuffled, masked)."""
    lines = block.split("\n")
    starts: list[int] = []
    for at, line in enumerate(lines):
        if len(starts) < len(titles) and line.startswith(_HEADING + titles[len(starts)]):
            starts.append(at)
    if len(starts) < len(titles):
        return None
    ends = [*starts[1:], len(lines)]
    return ["\n".join(line for line in lines[a:b] if line != FOOTER) for a, b in zip(starts, ends, strict=True)]


def attribution(
    answer: str, block: str, units: Sequence[Mapping[str, Json]], names: Sequence[str], matcher: str
) -> Attribution | None:
    """How an answer cites the units of its block; None where it cites nothing or there are no units. `names` are the candidates
    that its sentences may state."""
    if not units or "[" not in answer or not _CITED.search(answer):
        return None
    read = READERS[matcher]
    titles = [str(unit.get("title") or "") for unit in units]
    texts = sections(block, titles)
    held_by = None if texts is None else [read(text) for text in texts]
    cited = judged = held = 0
    unknown: set[int] = set()
    used: set[int] = set()
    for sentence in _SENTENCE.split(answer):
        numbers = dict.fromkeys(int(n) for found in _CITED.findall(sentence) for n in found.split(","))
        places = [number - 1 for number in numbers if 1 <= number <= len(units)]
        unknown.update(number for number in numbers if not 1 <= number <= len(units))
        used.update(places)
        cited += len(places)
        if not places or held_by is None:
            continue
        said = read(_CITED.sub(" ", sentence))
        stated = [name for name in names if said.names(name)]
        if stated:
            enough = all if len(places) == 1 else any
            judged += len(places)
            held += sum(enough(held_by[place].names(name) for name in stated) for place in places)
    whole = read(answer)
    named = {place for place, title in enumerate(titles) if title and whole.names(title)}
    cut = sum(bool(units[place].get("cut")) for place in used)
    return Attribution(cited, judged, held, len(unknown), len(named), len(named & used), cut)
