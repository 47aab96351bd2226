"""Turns for tests of stores, and a reader of them that is simple enough to be seen through."""

import re
from collections import Counter

from loom.core.memory.people import key_of
from loom.core.memory.values import NOBODY, Person, Piece, Reading, Said, Scope, Sentence, View

HERE = Scope("alice", "holidays")

DIALOGUE = (
    Said("Anna", "I started pottery in March. Ben hates pottery.", "2024-03-02", "t1"),
    Said("Ben", "Do you like the kiln, Anna? I bought a canoe.", "2024-03-02", "t2"),
    Said("Anna", "The kiln is huge. Clara gave me glazes.", "2024-03-03", "t3", "a blue bowl"),
    Said("Clara", "I live in Lisbon. My sister Dora paints.", "", "t4"),
    Said("Ben", "Clara and Anna are friends. Nothing else.", "2024-03-05", "t5"),
)
TERMS = ("pottery", "kiln", "canoe", "glazes", "lisbon", "friends", "the", "bowl", "nowhere")


def terms(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text.lower()))


def read(view: View, turn: int, said: Said) -> Reading:
    """Sentences are filed under whom they name first, else under the speaker; questions under nobody. What the turn before asked
    stands beside every piece."""
    before = view.said([turn - 1]).get(turn - 1)
    asked = [found for found in re.findall(r"[^.?]+[.?]?", before.whole if before else "") if found.endswith("?")]
    beside = terms(" ".join(asked))
    filed: dict[str, list[Sentence]] = {}
    people = [Person(key_of(said.speaker), said.speaker, (), True)]
    for found in re.finditer(r"[^.?\n]+[.?]?", said.whole):
        names = [name for name in re.findall(r"\b[A-Z][a-z]+\b", found[0]) if name in ("Anna", "Ben", "Clara", "Dora", "Zoë")]
        people += [Person(key_of(name), name, (f"{name}y",)) for name in names]
        subject = NOBODY if found[0].endswith("?") else key_of(names[0] if names else said.speaker)
        filed.setdefault(subject, []).append(
            Sentence(*found.span(), "hates" in found[0], "", (said.date,) if said.date else ())
        )
    pieces = tuple(
        Piece(
            turn,
            subject,
            tuple(sentences),
            terms(" ".join(said.whole[each.start : each.end] for each in sentences)),
            beside if subject else {},
        )
        for subject, sentences in sorted(filed.items())
    )
    return Reading(turn, pieces, tuple(people))


def shown(view: View, asked: tuple[str, ...] = TERMS) -> dict[str, object]:
    """All that a view says, as plain values."""
    rows = {}
    for term, found in view.postings(asked).items():
        columns = (getattr(found, name).tolist() for name in ("turn", "who", "own", "beside", "length", "width"))
        rows[term] = [(turn, found.subjects[who], *rest) for turn, who, *rest in zip(*columns, strict=True)]
    said = view.said(range(-1, 60))
    keys = [(turn, person.key) for turn in said for person in view.people()] + [(turn, NOBODY) for turn in said]
    return {
        "size": view.size(),
        "people": list(view.people()),
        "postings": rows,
        "frequency": {term: number for term, number in view.frequency(asked).items() if number},
        "said": dict(sorted(said.items())),
        "pieces": dict(sorted(view.pieces(keys).items())),
    }
