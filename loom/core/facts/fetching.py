"""What a reply asked for, read from the named files alone and up to a size (seed 003 §6; R27).

Of a range its units; of a whole file the units that the question's telling words find, with those that follow, or its beginning. A
series gives its computed facts, a table its rows. Nothing is searched for outside of the named files.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from loom.core.facts.asked import Ask, Position
from loom.core.facts.asked_for import terms_for
from loom.core.facts.assembling import HYDRATE, Ways, assemble, size_of
from loom.core.facts.choosing import Chosen, Passage
from loom.core.facts.filling import Limits, searched
from loom.core.facts.hydrating import Fetch, fetches
from loom.core.facts.inventory import Inventory
from loom.core.facts.minting import reading_line
from loom.core.facts.series import Window, there, window
from loom.core.facts.values import STATISTICS, Fact, Held, Reading, Span, StatedRow
from loom.core.values import Iri, Tier

FETCHED = 4_000
"""Characters that all that is fetched takes of a block."""
BESIDE, HEADING = 16, 80
"""Characters that a line has beside a unit's text and its file's name, and that a heading has beside the names of a file."""
_SENTENCE = re.compile(r"\n|[.?!] ")
LOOKED_THROUGH = 400
"""Units of a range beyond which it is searched as a whole file is."""
ROUTED = 1.0
"""The score of a base that only a directive led to."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """What the named files gave."""

    passages: tuple[Passage, ...] = ()
    facts: tuple[Fact, ...] = ()
    readings: tuple[Reading, ...] = ()
    rows: tuple[StatedRow, ...] = ()
    windows: tuple[Window, ...] = ()

    @property
    def anything(self) -> bool:
        return bool(self.passages or self.facts or self.readings or self.rows or self.windows)


def room_beside(held: Held, stock: Inventory, ask: Ask, chosen: Chosen, budget: int) -> int:
    """Characters that are left of a budget in tokens beside what was computed and addressed, about; below 0 where that is too much."""
    shown = assemble(held, stock, ask, chosen, Ways(budget, context=HYDRATE), fetched=True)
    return (budget * 4 - sum(size_of(each) for each in shown if each.tier in (Tier.COMPUTED, Tier.ADDRESSED))) * 9 // 10


def hydrated(held: Held, stock: Inventory, ask: Ask, chosen: Chosen, reply: str, budget: int) -> Chosen | None:
    """What was chosen for a question, with what a reply asks for beside it and nothing that was searched for; None where the reply
    names no file or the files hold nothing: the starvation valve is the caller's. Passages that are asked for get what is left of the
    budget in tokens, a quarter of it at the least."""
    asked = fetches(reply, held, [base for base, _ in chosen.bases])
    left = room_beside(held, stock, ask, chosen, budget) if asked else 0
    got = fetch(held, stock, ask, asked, min(FETCHED, max(left, budget)))
    # Readings are shown whatever room there is: more of them than fit would refuse the budget.
    if sum(len(reading_line(stock, one)[0]) + 2 for one in got.readings) > left:
        got = replace(got, readings=())
    if not got.anything:
        return None
    facts = {fact.iri for fact in (*chosen.facts, *chosen.more)}
    rows = {(row.source, row.row) for row in (*chosen.rows, *chosen.more_rows)}
    owners = sorted({stock.owner(one.source) for one in asked} - {base for base, _ in chosen.bases})
    shown = {span.iri for passage in got.passages for span in passage.spans}
    earlier = (replace(one, spans=tuple(span for span in one.spans if span.iri not in shown)) for one in chosen.passages)
    return replace(
        chosen,
        more=(*chosen.more, *(fact for fact in got.facts if fact.iri not in facts)),
        more_rows=(*chosen.more_rows, *(row for row in got.rows if (row.source, row.row) not in rows)),
        readings=(*chosen.readings, *(one for one in got.readings if one not in chosen.readings)),
        windows=(*chosen.windows, *(one for one in got.windows if one not in chosen.windows)),
        passages=(*got.passages, *(one for one in earlier if one.spans)),
        found=(),
        bases=(*chosen.bases, *((base, ROUTED) for base in owners)),
    )


def fetch(held: Held, stock: Inventory, ask: Ask, asked: Sequence[Fetch], cap: int = FETCHED) -> Fetched:
    """What the files that were asked for give, in that order, each an equal part of what the others before it left of `cap`
    characters."""
    passages: list[Passage] = []
    facts: list[Fact] = []
    readings: list[Reading] = []
    rows: list[StatedRow] = []
    windows: list[Window] = []
    told: set[Iri] = set()
    for number, one in enumerate(asked):
        share, kind = cap // (len(asked) - number), stock.sources[one.source].kind
        if kind == "series":
            facts += [fact for fact in held.facts(one.source) if fact.statistic in STATISTICS]
            readings += _readings(held, one)
            windows += _windows(held, stock, one)
        elif kind == "table":
            taken = list(_rows(held, stock, ask, one.source, share))
            cap -= sum(map(_size, taken))
            rows += taken
        else:
            spans = [span for span in units(held, stock, ask, one, share) if span.iri not in told]
            told.update(span.iri for span in spans)
            cap -= sum(_costs(stock, spans))
            passages += [Passage(one.source, run[0].start, run[-1].end, tuple(run)) for run in runs(spans)]
    return Fetched(tuple(passages), tuple(dict.fromkeys(facts)), tuple(dict.fromkeys(readings)), tuple(rows), tuple(windows))


def covered(ask: Ask, chosen: Chosen) -> bool:
    """Whether what a question asks for is computed, addressed or found absent, so that there is nothing to ask for (R30). Of a question
    that asks for no value and no passage, only an address that binds the route says that all is there."""
    read = chosen.readings or chosen.more_readings or chosen.windows
    values = bool(chosen.facts or chosen.more or read or chosen.rows or chosen.more_rows)
    valued = bool(ask.metrics or ask.statistics)
    told = bool(ask.passage or (ask.positions and not valued))
    if chosen.notes:
        return True
    return (
        (values or not valued)
        and (bool(chosen.passages) or not told)
        and (valued or told or bool(chosen.passages and chosen.committed))
    )


def offers(held: Held, stock: Inventory, chosen: Chosen) -> tuple[Iri, ...]:
    """The files that may be asked for: addressed ones first, then those of the routed bases; those that have text, and tables of
    which nothing is shown."""
    shown = {row.source for row in (*chosen.rows, *chosen.more_rows)}
    routed = [file.iri for base, _ in chosen.bases for file in stock.of_base(base)]
    files = (stock.sources[iri] for iri in dict.fromkeys((*sorted(chosen.within), *routed)) if iri in stock.sources)
    return tuple(
        file.iri
        for file in files
        if (file.iri not in shown if file.kind == "table" else file.kind != "series" and held.spans(file.iri))
    )


def units(held: Held, stock: Inventory, ask: Ask, one: Fetch, cap: int) -> list[Span]:
    """The units of one file that a directive means, in order, in at most `cap` characters; the first may be cut to it."""
    spans = held.spans(one.source)
    within = _in_range(held, stock, one, spans)
    wanted = spans if within is None else within
    if _fits(stock, wanted, cap):
        return list(wanted)
    bounds = (within[0].start, within[-1].start) if within else None
    best = [
        span
        for found in _searched(held, stock, ask, one.source)
        for span in found
        if bounds is None or bounds[0] <= span.start <= bounds[1]
    ]
    taken: dict[Iri, Span] = {}
    room = cap
    for span in best or within or spans:
        if span.iri in taken:
            continue
        cost = _cost(stock, span, follows=any(one.end == span.start for one in taken.values()))
        if cost > room:
            if not taken:
                terms = terms_for(held, stock, ask, frozenset((one.source,)))
                told = terms.content or terms.told
                taken[span.iri] = replace(span, text=cut_to(span.text, told, max(1, room - cost + len(span.text))))
            break
        taken[span.iri] = span
        room -= cost
    return sorted(taken.values(), key=lambda span: (span.start, span.iri))


def runs(spans: Iterable[Span]) -> list[list[Span]]:
    """Units in order, those that follow one another without a hole together."""
    found: list[list[Span]] = []
    for span in spans:
        if found and found[-1][-1].end == span.start:
            found[-1].append(span)
        else:
            found.append([span])
    return found


def _in_range(held: Held, stock: Inventory, one: Fetch, spans: Sequence[Span]) -> Sequence[Span] | None:
    """The units of a stated range; None where none is stated, nothing stands there, or it holds too many to be looked through."""
    if one.start is None:
        return None
    start, end = one.start, one.end
    file = stock.sources[one.source]
    attribute = stock.attributes.get((file.base, file.attribute))
    if end is None and attribute is not None and attribute.unit and Decimal(attribute.window):
        start, end = start - Decimal(attribute.window), start + Decimal(attribute.window)
    if end is None:
        unit = held.at(one.source, start)
        return [unit] if unit else None
    if bisect_left(spans, end, key=_start) - bisect_left(spans, start, key=_start) > LOOKED_THROUGH:
        return None
    return held.window(one.source, start, end) or None


def _start(span: Span) -> Decimal:
    return span.start


def _fits(stock: Inventory, spans: Sequence[Span], cap: int) -> bool:
    for cost in _costs(stock, spans):
        cap -= cost
        if cap < 0:
            return False
    return True


def _costs(stock: Inventory, spans: Iterable[Span]) -> Iterator[int]:
    """Of units in order, with the headings of their runs."""
    last = None
    for span in spans:
        yield _cost(stock, span, follows=last is not None and last.end == span.start)
        last = span


def _cost(stock: Inventory, span: Span, *, follows: bool) -> int:
    """Characters that a unit takes of a block, about; with a heading where it `follows` no other."""
    file = stock.sources[span.source]
    heading = 0 if follows else len(file.title) + len(file.name) + HEADING
    return len(span.text) + len(span.label) + len(file.name) + BESIDE + heading


def _searched(held: Held, stock: Inventory, ask: Ask, source: Iri) -> Iterator[tuple[Span, ...]]:
    """Units of a file that hold telling words of the question, the best first, each with those that follow it."""
    terms = terms_for(held, stock, ask, frozenset((source,)))
    limits = Limits(frozenset(), frozenset(), passage=True)
    for wanted in dict.fromkeys((terms.content, terms.told, terms.every)):
        found = [one for one in searched(held, wanted, limits, frozenset((source,))) if one.span is not None] if wanted else []
        if found:
            yield from ((one.span, *one.after) for one in found if one.span is not None)
            return


def _rows(held: Held, stock: Inventory, ask: Ask, source: Iri, cap: int) -> Iterator[StatedRow]:
    """The rows of a table from its first while they fit; of a larger one, those that hold telling words before them."""
    table = held.table(source)
    terms = terms_for(held, stock, ask, frozenset((source,)))
    limits = Limits(frozenset(), frozenset())
    found = [one.row for one in searched(held, terms.told or terms.every, limits, frozenset((source,))) if one.row is not None]
    told: set[int] = set()
    for row in (row for rows in (found, table) for row in rows):
        if row.row not in told:
            told.add(row.row)
            cap -= _size(row)
            if cap < 0 and len(told) > 1:
                return
            yield row


def _size(row: StatedRow) -> int:
    return sum(map(len, row.cells)) + len(row.cells)


def _readings(held: Held, one: Fetch) -> list[Reading]:
    """The rows of a series at a point, of each of its metrics and of each thing that it tells of."""
    found: list[Reading] = []
    if one.start is None or one.end is not None:
        return found
    for metric in sorted({fact.metric for fact in held.facts(one.source)}):
        told = held.marks.entities(one.source, metric)
        for entity in told if len(told) > 1 else (None,):
            found += there(held, one.source, metric, entity, one.start)
    return found


def _windows(held: Held, stock: Inventory, one: Fetch) -> Iterator[Window]:
    """The rows of a series within a range, of each of its metrics and of each thing that it tells of."""
    if one.start is None or one.end is None:
        return
    file = stock.sources[one.source]
    asked = Position(file.base, file.attribute, one.start, one.end)
    for metric in held.marks.metrics(one.source):
        told = held.marks.entities(one.source, metric)
        for entity in told if len(told) > 1 else (None,):
            if found := window(held, stock, one.source, metric, entity, asked):
                yield found


def cut_to(text: str, terms: Sequence[str], room: int) -> str:
    """A stretch of a text up to a size, whole words of it: from the line or sentence that holds the first of the terms on, where the
    text's beginning does not reach it."""
    folded = text.casefold()
    at = min((place for term in terms if (place := folded.find(term)) >= 0), default=0) if len(folded) == len(text) else 0
    start = 0
    if at > room // 2:
        start = max((found.end() for found in _SENTENCE.finditer(text, 0, at)), default=0)
    stretch = text[start : start + room]
    return stretch if start + room >= len(text) else stretch.rpartition(" ")[0] or stretch
