"""The seed's one rule of inference: who did something with a thing did it with what the thing is called (seed 004 §7.2).

"I have a snake" and, elsewhere, "the snake named Susie" give that the speaker has Susie. The name becomes a term of the piece that
tells of the thing.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from loom.core.memory.claims import Claim, claim_of
from loom.core.memory.memory_view import MemoryView
from loom.core.memory.people import key_of
from loom.core.memory.policy import Reads
from loom.core.memory.porter import stem
from loom.core.memory.subjects import Present
from loom.core.memory.values import NOBODY, Piece, Reading
from loom.core.memory.words import Word, any_term, term
from loom.lab.locomo.views import Read, parse

_NAMING = frozenset({"named", "called"})


@dataclass(frozen=True, slots=True)
class Facts:
    """What a conversation states: claims with their turns, and the names of things by the stem of the thing."""

    claims: tuple[tuple[int, Claim], ...]
    names: tuple[tuple[str, str], ...]

    @property
    def stated(self) -> int:
        """One fact for each thing of each claim."""
        return sum(len(claim.things) for _, claim in self.claims)


def facts_of(read: Read) -> Facts:
    """The claims of all sentences that assert something."""
    claims: list[tuple[int, Claim]] = []
    names: list[tuple[str, str]] = []
    for number, said in enumerate(read.talk.turns):
        speaker = key_of(said.speaker)
        others = [key for key in read.names.speakers if key != speaker]
        present = Present(speaker, others[0] if len(others) == 1 else "")
        for sentence in parse(said.whole):
            if not sentence.asks:
                claims.append((number, claim_of(sentence, read.names, present)))
                names += _names(sentence.words)
    return Facts(tuple(claims), tuple(dict.fromkeys(names)))


def _names(words: tuple[Word, ...]) -> Iterator[tuple[str, str]]:
    for thing, naming, name in zip(words, words[1:], words[2:], strict=False):
        if naming.form in _NAMING and name.capital and term(thing.form):
            yield stem(thing.form), name.form


def derived(facts: Facts) -> list[tuple[int, str, str]]:
    """(turn, who, name) of each derived fact: the last word of a claim's thing is called by that name."""
    called: dict[str, list[str]] = {}
    for thing, name in facts.names:
        called.setdefault(thing, []).append(name)
    found = dict.fromkeys(
        (turn, claim.subject, name)
        for turn, claim in facts.claims
        for thing in claim.things
        for name in called.get(stem(thing[-1].form), ())
        if name not in {word.form for word in thing}
    )
    return list(found)


def with_derived(read: Read, facts: Facts, reads: Reads) -> Read:
    """The conversation with its derived facts among its pieces."""
    more: dict[tuple[int, str], Counter[str]] = {}
    make = any_term if reads.common else term
    for turn, who, name in derived(facts):
        more.setdefault((turn, who), Counter())[make(name)] += 1
    view = MemoryView()
    held: dict[int, list[Piece]] = {}
    for (turn, subject), piece in read.view.every():
        extra = more.get((turn, subject)) if subject != NOBODY else None
        held.setdefault(turn, []).append(replace(piece, own=Counter(piece.own) + extra) if extra else piece)
    people = tuple(read.view.people())
    for number, said in enumerate(read.talk.turns):
        view.add(said, Reading(number, tuple(held.get(number, ())), people if not number else ()))
    return Read(read.talk, view, read.names)
