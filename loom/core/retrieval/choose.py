"""Which units are proposed for a question, by which path.

Names stand alone where one is used that leaves little of the question over, or where names and texts agree on what comes first and
that is likely to be right. Everything else is a disagreement: the lists become one ranking, vectors take part where there are any,
and no name that is meant exactly can be pushed out of what is served.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from loom.core.retrieval.look import RARE, Look, Named, Near
from loom.core.retrieval.overlap import overlap
from loom.core.values import Row

MOSTLY, LEFT_OVER, TOGETHER = 0.5, 0.35, 0.7
WHOLE = 0.8
AGREED, SURE = 0.6, 0.9
"""Agreement and confidence from which names and texts by themselves decide, though no name is meant exactly."""
FAR_BELOW = 0.35
"""A candidate this much weaker than the best is about something else, unless the question uses its name."""
STILL_NEAR = 0.5
"""As much of the best standing is what a fused ranking serves with it."""
DEPTH = 10


@dataclass(frozen=True, slots=True)
class Proposed:
    """One unit that is proposed: its row, what it is worth, which retriever put it there and why."""

    row: Row
    worth: float
    retriever: str
    why: str


def exact(name: Named) -> bool:
    """Whether a name is meant as such: it has several words, is rare in everyday speech, or is most of what is asked."""
    return name.several or name.rarity >= RARE or name.share >= MOSTLY


def sole(seen: Look) -> bool:
    """Whether the question uses a name exactly, which is a good part of it and whose unit explains most of the rest, or is made up
    of several such names."""
    meant = [name for name in seen.names if exact(name)]
    if not meant or any(name.share >= LEFT_OVER >= name.left for name in meant):
        return bool(meant)
    own = np.logical_or.reduce([name.own for name in meant]).tolist()
    return sum(word.weight for word, named in zip(seen.words, own, strict=True) if named) >= TOGETHER * seen.total


def whole(seen: Look) -> bool:
    """Whether a name is nearly all that the question says: then it is meant, however everyday a word it is."""
    return any(name.share >= WHOLE for name in seen.names)


def agreement(seen: Look) -> float:
    """How far the lists by names and by texts agree, 0 to 1, to four places."""
    return round(overlap([match.row for match in seen.matches[:DEPTH]], seen.rows[:DEPTH]), 4)


def _first(names: Sequence[Named]) -> list[Named]:
    """Names by how much of the question they take up, those that say about as much in the order in which they stand."""
    return sorted(names, key=lambda name: (-round(name.share, 1), name.match.start))


def by_names(seen: Look, limit: int) -> list[Proposed]:
    """What names alone propose: those that take up most of the question first, then titles that share words."""
    best = max((match.score for match in seen.matches), default=0.0)
    named = [name.match for name in _first(seen.names)]
    rest = [match for match in seen.matches if not match.named and match.score >= FAR_BELOW * best]
    return [Proposed(match.row, match.score, "lexical", match.how) for match in [*named, *rest][:limit]]


def fused(seen: Look, order: dict[Row, float], near: Near | None, few: int, many: int) -> list[Proposed]:
    """What the joint ranking proposes: names that are most of the question, then what stands near the best, and every other name
    that is meant exactly; `few` units where there are names of the first kind, `many` where the question describes."""
    names = [name for name in _first(seen.names) if exact(name)]
    leading = [name.match.row for name in names if name.share >= LEFT_OVER]
    limit = few if leading else many
    best = max(order.values(), default=0.0)
    near_best = [row for row, worth in order.items() if worth >= STILL_NEAR * best]
    kept = list(dict.fromkeys((*leading, *near_best)))[:limit]
    missing = [row for name in names if (row := name.match.row) not in kept][: max(0, limit - len(leading))]
    if missing:
        kept = [*kept[: limit - len(missing)], *missing]
    hows = {name.match.row: name.match.how for name in seen.names}
    return [Proposed(row, round(max(0.0, order[row]), 6), *_source(seen, near, hows, row)) for row in kept]


def _source(seen: Look, near: Near | None, hows: dict[Row, str], row: Row) -> tuple[str, str]:
    if row in hows:
        return "lexical", hows[row]
    if row in seen.scores:
        return ("fused", "text and meaning") if near and row in near.rows else ("text", "text")
    return "semantic", "meaning"


def reason(proposed: Sequence[Proposed]) -> str:
    """How the first of what is proposed was found, as a decision says it."""
    first = proposed[0] if proposed else None
    if first is None:
        return "off_topic"
    if first.retriever == "lexical":
        return "lexical" if first.why == "words" else "exact"
    return "semantic" if first.retriever == "semantic" else "fused"
