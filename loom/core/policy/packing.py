"""Packing: evidence becomes a block and its receipt. The one place where blocks are constructed."""

from collections.abc import Callable, Sequence
from itertools import chain

from loom.core.errors import BudgetError
from loom.core.values import LEAD, Block, Evidence, Served, tokens_of

HEADER, FOOTER = "[ONTOLOGY CONTEXT]", "[END ONTOLOGY CONTEXT]"

Pack = Callable[[Sequence[Evidence], int], Block]

_FRAME = len(HEADER) + len(FOOTER) + 2
_BETWEEN = 2


def pack_whole(evidence: Sequence[Evidence], budget: int) -> Block:
    """The reference's packing: sections are whole or absent, and are dropped from the end until the block fits."""
    ordered = sorted(evidence, key=lambda each: each.tier)
    sizes = [sum(map(len, each.lines)) + len(each.lines) - 1 for each in ordered]
    kept = len(ordered)
    size = _FRAME + sum(sizes) + _BETWEEN * max(0, kept - 1)
    while kept and (size + 3) // 4 > budget:
        kept -= 1
        size -= sizes[kept] + (_BETWEEN if kept else 0)
    lost = next((each for each in ordered[kept:] if each.must), None)
    if lost:
        raise BudgetError(_too_small(lost, budget))
    return _block([(each, len(each.lines)) for each in ordered[:kept]], ordered[kept:])


def pack_lines(evidence: Sequence[Evidence], budget: int) -> Block:
    """The default packing: what must be shown, whole; then the leads of all, in the order of the tiers; then the rest, a share for
    each by its weight and what is left in order; then what is spare. Sections end between lines, never inside one.

    Where not all leads fit, the last are left out: of the first that is not whole there are its first two lines or nothing, and
    nothing of those after it. Only what no budget left over from `must` could begin is passed over.
    """
    ordered = sorted((each for each in evidence if each.lines), key=lambda each: (not each.must, each.tier))
    left = budget * 4 - _FRAME
    if sum([sum(map(len, each.lines)) + len(each.lines) + 1 for each in ordered]) <= left + _BETWEEN:
        return _block([(each, len(each.lines)) for each in ordered], ())
    shown = [0] * len(ordered)

    def room(at: int, upto: int, limit: int, least: int = 1) -> int:
        """Show lines of one piece while they fit, at least so many or none; returns the characters spent."""
        lines, before = ordered[at].lines, shown[at]
        first = 1 if before else _BETWEEN if any(shown) else 0
        spent, now = 0, before
        while now < upto and (after := spent + len(lines[now]) + (first if now == before else 1)) <= limit:
            spent, now = after, now + 1
        if now < min(least, upto):
            return 0
        shown[at] = now
        return spent

    for at, each in enumerate(ordered):
        if each.must:
            left -= room(at, len(each.lines), left)
            if shown[at] < len(each.lines):
                raise BudgetError(_too_small(each, budget))
    free = [(at, each) for at, each in enumerate(ordered) if not each.must]
    whole = left
    for at, each in free:
        lead = min(each.lead, len(each.lines))
        if sum(map(len, each.lines[:LEAD])) + 1 > whole:
            continue
        left -= room(at, lead, left, LEAD)
        if shown[at] < lead:
            break
    begun = [(at, each, len(each.lines) - each.spare) for at, each in free if shown[at] >= each.lead]
    total = sum(each.weight for _, each, _ in begun) or 1.0
    shares = [int(left * each.weight / total) for _, each, _ in begun]
    for (at, _, upto), share in zip(begun, shares, strict=True):
        left -= room(at, upto, min(left, share))
    for at, _, upto in begun:
        left -= room(at, upto, left)
    if all(shown[at] >= len(each.lines) - each.spare for at, each in free):
        for at, each in free:
            left -= room(at, len(each.lines), left)
    return _block(
        [(each, shown[at]) for at, each in enumerate(ordered) if shown[at]],
        [each for at, each in enumerate(ordered) if not shown[at]],
    )


def _block(kept: Sequence[tuple[Evidence, int]], dropped: Sequence[Evidence]) -> Block:
    if not kept:
        return Block("", (), tuple(dropped), 0)
    sections = ["\n".join(each.lines[:lines]) for each, lines in kept]
    text = f"{HEADER}\n{chr(10).join(chr(10) + section if at else section for at, section in enumerate(sections))}\n{FOOTER}"
    served = tuple(
        Served(
            each,
            each.lines[:lines],
            tuple(dict.fromkeys(chain.from_iterable(each.names[:lines]))),
            tokens_of(section),
            lines < len(each.lines),
        )
        for (each, lines), section in zip(kept, sections, strict=True)
    )
    return Block(text, served, tuple(dropped), tokens_of(text))


def _too_small(each: Evidence, budget: int) -> str:
    needed = tokens_of("\n".join(each.lines)) + tokens_of(HEADER + FOOTER)
    return f"{each.title!r} must be shown whole and needs about {needed} tokens; the budget is {budget}. Raise the budget."


NOTHING = Block("", (), (), 0)
