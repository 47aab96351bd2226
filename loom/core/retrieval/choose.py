"""Which units are proposed for a question, by which path.

Names stand alone where one is used that leaves little of the question over, or where names and texts agree on what comes first and
that is likely to be right. Everything else is a disagreement: the lists become one ranking, vectors take part where there are any,
and no name that is meant exactly can be pushed out of what is served.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from loom.core.retrieval.look import Look, Named, Near
from loom.core.retrieval.overlap import overlap
from loom.core.values import Row

RARE, MOSTLY, LEFT_OVER = 0.75, 0.6, 0.35
AGREED = 0.6
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
    """Whether the question uses a name exactly and says little beside it that the named unit does not explain."""
    return bool(seen.names) and exact(seen.names[0]) and seen.names[0].left <= LEFT_OVER


def agreement(seen: Look) -> float:
    """How far the lists by names and by texts agree, 0 to 1, to four places."""
    return round(overlap([match.row for match in seen.matches[:DEPTH]], seen.rows[:DEPTH]), 4)


def by_names(seen: Look, limit: int) -> list[Proposed]:
    """What names alone propose: those that take up most of the question first, then titles that share words."""
    shares = {name.match.row: name.share for name in seen.names}
    best = max((match.score for match in seen.matches), default=0.0)
    kept = [match for match in seen.matches if match.named or match.score >= FAR_BELOW * best]
    kept.sort(key=lambda match: (not match.named, -round(shares.get(match.row, 0.0), 3)))
    return [Proposed(m.row, m.score, "lexical", m.how if m.named else "words") for m in kept[:limit]]


def fused(seen: Look, order: dict[Row, float], near: Near | None, few: int, many: int) -> list[Proposed]:
    """What the joint ranking proposes: `few` where the question uses a name exactly, `many` where it describes."""
    meant = [name.match.row for name in seen.names if exact(name) and name.share >= LEFT_OVER]
    limit = min(few, many) if meant else many
    best = max(order.values(), default=0.0)
    kept = [row for row, worth in order.items() if worth >= STILL_NEAR * best or row in meant][:limit]
    missing = [row for row in meant if row not in kept][:limit]
    if missing:
        free = [row for row in kept if row not in meant]
        kept = [row for row in kept if row not in free[max(0, len(free) - (len(kept) + len(missing) - limit)) :]] + missing
    hows = {name.match.row: name.match.how for name in seen.names}
    return [Proposed(row, round(order[row], 6), *_source(seen, near, hows, row)) for row in kept[:limit]]


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
