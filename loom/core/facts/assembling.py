"""The evidence of a question in the order of its tiers, within a budget (seed 003 §7; R3, R18, R24, R25, H).

Computed evidence goes before all other and is never parted by a budget: what was asked for stays even where it exceeds the window
(packing then refuses), further facts that find no room become a note with their count, and the outline and what was searched for
get what is left.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from loom.core.facts.asked import Ask
from loom.core.facts.choosing import Chosen
from loom.core.facts.comparing import COMPARED, comparison
from loom.core.facts.filling import Found
from loom.core.facts.hydrating import PREFIX, contract_line
from loom.core.facts.inventory import Inventory
from loom.core.facts.labels import Labels
from loom.core.facts.minting import (
    Line,
    exactly,
    fact_line,
    key_of,
    passage_lines,
    reading_line,
    rival_line,
    row_lines,
    span_lines,
    subject,
    window_lines,
    words_of,
)
from loom.core.facts.roles import Roles, roles
from loom.core.facts.skeleton import allotted, concepts_of, outline
from loom.core.facts.values import Held, StatedRow
from loom.core.mint.make import make
from loom.core.mint.neutral import neutral_name
from loom.core.policy.packing import FOOTER, HEADER
from loom.core.values import CONTEXTS, Candidate, Evidence, Iri, Role, Stated, Tier

FULL, SKELETON, HYDRATE = CONTEXTS
SPARE = 60
"""Characters that the heading of a window may grow by where not all of its rows are given."""
OUTLINE = 1600
"""Characters that all outlines together may have."""
RULES, NOTES, CUT, CONTRACT, ASKED = (f"urn:loom:facts:{name}" for name in ("rules", "notes", "cut", "contract", "asked"))
"""Addresses of what is about a context and stands in no file."""
ONTOLOGY = "urn:loom:facts:ontology"
_FRAME = len(HEADER) + len(FOOTER)


@dataclass(frozen=True, slots=True)
class Ways:
    """How a context is assembled. `context` is one of CONTEXTS: a skeleton has no passage and nothing that was searched for (R25), one
    that is hydrated has the passages of an address alone; `flat` cuts the outlines uniformly (R21)."""

    budget: int = 1500
    context: str = FULL
    flat: bool = False
    outline: int = OUTLINE


AS_USUAL = Ways()


def size_of(evidence: Evidence) -> int:
    """Characters that a piece of evidence takes of a block."""
    return sum(map(len, evidence.lines)) + len(evidence.lines) + 1


def assemble(
    held: Held,
    stock: Inventory,
    ask: Ask,
    chosen: Chosen,
    ways: Ways = AS_USUAL,
    found: Mapping[Iri, Candidate] | None = None,
    *,
    offers: Sequence[Iri] = (),
    fetched: bool = False,
) -> list[Evidence]:
    """Evidence for what was chosen, in the order in which it is shown; [] where nothing was. `offers` are files whose passages the
    model is told that it may ask for; `fetched` says that it asked for the passages that are shown."""
    if not chosen.anything:
        return []
    found = found or {}
    first = min(chosen.bases, key=lambda one: (-one[1], one[0]))[0] if chosen.bases else ""
    words = words_of(stock, first)
    room = ways.budget * 4 - _FRAME

    def taken(evidence: Iterable[Evidence]) -> int:
        return sum(map(size_of, evidence))

    prose, told = ways.context != SKELETON, roles(held, stock, ask, chosen)
    asked, further = _asked(stock, ask, chosen, found, told), _further(stock, chosen, found, told)
    rules = _rules(words, words.layers, facts=True, final=fetched)
    contract = _fitted(_contract(stock, offers, words))(room - taken([*asked, rules]))
    room -= taken(contract)
    windows, over = _windows(stock, chosen, told, room - taken([*asked, rules]))
    computed = [*asked, *windows, *_fitting(words, further, room - taken([*asked, *windows]), chosen.unread + over)]
    ruled = taken([*computed, rules]) <= room
    left = room - taken([*computed, rules])
    mark = words.authoritative if fetched else ""
    passages = _passages(stock, chosen, found, told.passage, prose=prose, mark=mark)
    left -= taken(passages)
    outlines = _outlines(held, stock, ask, chosen, words, ways, min(ways.outline, left), found)
    left -= taken(outlines)
    fill = _fitted(_filled(stock, one, found, told.found) for one in (chosen.found if ways.context == FULL else ()))(left)
    left -= taken(fill)
    rest = [*contract, *passages, *outlines, *fill]
    if chosen.within:
        line = _sources(stock, chosen, words)
        rest += [line] if size_of(line) <= left else []
    if not ruled:
        return [*computed, *rest]
    layers = _layers(chosen, computed, passages, outlines, fill)
    present = tuple(layer for layer in words.layers if layer[0] in layers)
    facts, final = "facts" in layers or "tables" in layers, fetched and "spans" in layers
    return [_rules(words, present, facts=facts, final=final), *computed, *rest]


def _asked(stock: Inventory, ask: Ask, chosen: Chosen, found: Mapping[Iri, Candidate], told: Roles) -> list[Evidence]:
    """What is shown whatever room there is."""
    evidence = _blocks(stock, chosen, found, told, must=True)
    line = comparison(stock, chosen.facts or (chosen.more if ask.compares and not chosen.unread else ()), ask, told.row)
    if line:
        evidence.append(make(iri=COMPARED, title=line[0].partition(":")[0], lines=[line], tier=Tier.COMPUTED, must=True))
    evidence += _tables(stock, chosen.rows, found, told, must=True)
    if chosen.rivals:
        lines = [rival_line(stock, rivals, told.row) for rivals in chosen.rivals]
        evidence.append(
            make(iri=f"{COMPARED}:stated", title=lines[0][0].partition(":")[0], lines=lines, tier=Tier.COMPUTED, must=True)
        )
    if chosen.notes:
        notes = [(exactly(note.text), (), Stated(NOTES, Role.ABSENT)) for note in chosen.notes]
        evidence.append(make(iri=NOTES, title=chosen.notes[0].kind, lines=notes, tier=Tier.COMPUTED, must=True))
    return evidence


def _blocks(stock: Inventory, chosen: Chosen, found: Mapping[Iri, Candidate], told: Roles, *, must: bool) -> list[Evidence]:
    """One piece of evidence an entity, contiguous: readings at asked positions, then facts."""
    blocks: dict[Iri, list[tuple[Iri, str, Line]]] = {}
    for reading in chosen.readings if must else chosen.more_readings:
        line = reading_line(stock, reading, told.row)
        blocks.setdefault(key_of(stock, reading), []).append((reading.source, subject(stock, reading), line))
    for fact in chosen.facts if must else chosen.more:
        blocks.setdefault(key_of(stock, fact), []).append(
            (fact.iri, subject(stock, fact), fact_line(stock, fact, told.of(fact)))
        )
    return [
        _computed(iri, blocks[iri][0][1], [line for _, _, line in blocks[iri]], found.get(blocks[iri][0][0]), must=must)
        for iri in sorted(blocks)
    ]


def _windows(stock: Inventory, chosen: Chosen, told: Roles, room: int) -> tuple[list[Evidence], int]:
    """Rows within windows, those of one source together: an equal part of the room for each window, of which its rows fill what they
    can; and how many rows there are of windows that have no room for two."""
    lines: dict[Iri, list[Line]] = {}
    over = 0
    for number, window in enumerate(chosen.windows):
        share = max(0, room) // (len(chosen.windows) - number)
        made = window_lines(stock, window, told.row)
        widest = max(len(line) for line, _, _ in made[1:]) + 1
        fit = (share - len(made[0][0]) - SPARE) // widest
        if fit < min(2, len(window.readings)):
            over += window.count
            continue
        kept = window_lines(stock, window.thinned(fit), told.row)
        room -= sum(len(line) + 1 for line, _, _ in kept) + 1
        lines.setdefault(window.source, []).extend(kept)
    return [
        make(
            iri=f"{source}#readings",
            title=neutral_name(stock.about(source)),
            lines=those,
            tier=Tier.COMPUTED,
            lead=len(those),
        )
        for source, those in sorted(lines.items())
    ], over


def _tables(
    stock: Inventory, rows: Sequence[StatedRow], found: Mapping[Iri, Candidate], told: Roles, *, must: bool
) -> list[Evidence]:
    tables = []
    for source, group in groupby(sorted(rows, key=lambda row: (row.source, row.row)), key=lambda row: row.source):
        title = neutral_name(stock.about(source))
        tables.append(_computed(f"{source}#rows", title, row_lines(stock, list(group), told.row), found.get(source), must=must))
    return tables


def _computed(iri: Iri, title: str, lines: Sequence[Line], found: Candidate | None, *, must: bool) -> Evidence:
    return make(iri=iri, title=title, lines=lines, tier=Tier.COMPUTED, must=must, lead=len(lines), found=found)


def _further(stock: Inventory, chosen: Chosen, found: Mapping[Iri, Candidate], told: Roles) -> list[Evidence]:
    """What is shown of computed evidence while it fits."""
    return [*_blocks(stock, chosen, found, told, must=False), *_tables(stock, chosen.more_rows, found, told, must=False)]


def _fitting(words: Labels, further: Sequence[Evidence], room: int, unread: int) -> list[Evidence]:
    """The further facts that fit, whole lines of them, and a note that counts the others, those that were not read among them."""
    if not unread and sum(map(size_of, further)) <= room:
        return list(further)
    note = _cut(words, 10**6)
    room -= size_of(note)
    kept: list[Evidence] = []
    missing, full = unread, False
    for each in further:
        header = 1 if each.iri.endswith("#rows") else 0
        fits, spent = 0, 1
        while not full and fits < len(each.lines) and spent + len(each.lines[fits]) + 1 <= room:
            spent += len(each.lines[fits]) + 1
            fits += 1
        if fits > header:
            lines = list(zip(each.lines[:fits], each.names[:fits], each.stated[:fits], strict=True))
            kept.append(_computed(each.iri, each.title, lines, each.found, must=False))
            room -= spent
        missing += len(each.lines) - max(fits, header)
        full = full or fits < len(each.lines)
    return [*kept, _cut(words, missing)] if missing else kept


def _cut(words: Labels, count: int) -> Evidence:
    line = (words.cut.format(count=count), (), Stated(CUT))
    return make(iri=CUT, title=line[0], lines=[line], tier=Tier.COMPUTED, must=True)


def _contract(stock: Inventory, offers: Sequence[Iri], words: Labels) -> Iterator[Evidence]:
    """What the model may ask for (R25, R26)."""
    if line := contract_line(stock, offers, words):
        yield make(iri=CONTRACT, title=PREFIX, lines=[(line, (), Stated(CONTRACT, Role.GUIDE))], tier=Tier.COMPUTED)


def _passages(
    stock: Inventory, chosen: Chosen, found: Mapping[Iri, Candidate], role: Role, *, prose: bool, mark: str
) -> list[Evidence]:
    made = []
    for passage in chosen.passages:
        lines = passage_lines(stock, passage, role, prose=prose, mark=mark)
        iri = passage.spans[0].iri
        made.append(
            make(
                iri=iri,
                title=neutral_name(stock.about(passage.source)),
                lines=lines,
                tier=Tier.ADDRESSED,
                home=passage.source,
                lead=len(lines),
                source=passage.spans[0].where,
                found=found.get(iri),
            )
        )
    return made


def _outlines(
    held: Held, stock: Inventory, ask: Ask, chosen: Chosen, words: Labels, ways: Ways, cap: int, found: Mapping[Iri, Candidate]
) -> list[Evidence]:
    """The outline of each routed base, and of the ontology where a named thing is a concept of it and no address binds; what stands
    between two pieces in a block is part of the cap."""
    scores = dict(chosen.bases)
    lines = {base: outline(held, stock, base, chosen.bound, words) for base in sorted(scores) if base in stock.bases}
    linked = () if chosen.committed or not scores else concepts_of(stock, ask.entities)
    if linked:
        lines[ONTOLOGY], scores[ONTOLOGY] = linked, min(scores.values())
    shown = allotted(lines, scores, cap - len(lines), flat=ways.flat)
    return [
        make(
            iri=base,
            title=kept[0][1][0],
            lines=[(*line, Stated(base)) for line in kept],
            tier=Tier.STRUCTURE,
            home=base,
            found=found.get(base),
        )
        for base, kept in sorted(shown.items(), key=lambda one: (-scores[one[0]], one[0]))
        if kept
    ]


def _filled(stock: Inventory, one: Found, found: Mapping[Iri, Candidate], role: Role) -> Evidence:
    """A unit that was searched for, under its file's title; one from outside the address says so."""
    file = stock.sources[one.source]
    words, title = words_of(stock, file.base), neutral_name(file.title or file.name)
    if one.row is not None:
        lines = row_lines(stock, [one.row], role)
    else:
        spans = (one.span, *one.after) if one.span else ()
        heading = Stated(one.source, Role.HEADING, one.source, file.name)
        lines = [(title, (title,), heading), *(line for span in spans for line in span_lines(stock, span, role))]
    if one.outside:
        lines[0] = (f"({words.outside}) {lines[0][0]}", *lines[0][1:])
    return make(iri=one.iri, title=title, lines=lines, home=one.source, weight=one.score, found=found.get(one.iri))


def _fitted(evidence: Iterable[Evidence]) -> Callable[[int], list[Evidence]]:
    """Those pieces that fit whole, in order, up to the first that does not."""

    def within(room: int) -> list[Evidence]:
        kept = []
        for each in evidence:
            room -= size_of(each)
            if room < 0:
                break
            kept.append(each)
        return kept

    return within


def _rules(words: Labels, layers: Iterable[tuple[str, str]], *, facts: bool, final: bool) -> Evidence:
    """What the context holds, and how it is to be read (R14, R24)."""
    told = ", ".join(name for _, name in layers)
    sentences = [words.shown.format(layers=told), words.provenance, *([words.selection] if facts else []), words.addressed]
    sentences += [words.final] if final else []
    lines = [(" ".join(sentences), (), Stated(RULES, Role.GUIDE))]
    return make(iri=RULES, title=sentences[0], lines=lines, tier=Tier.COMPUTED, must=True)


def _layers(
    chosen: Chosen,
    computed: Sequence[Evidence],
    passages: Sequence[Evidence],
    outlines: Sequence[Evidence],
    fill: Sequence[Evidence],
) -> set[str]:
    """The names of the layers that are there."""
    tables = any(each.iri.endswith("#rows") for each in computed)
    plain = any(each.iri not in (NOTES, CUT) and not each.iri.endswith("#rows") for each in computed)
    there = {"facts": plain, "tables": tables, "spans": passages, "structure": outlines, "fill": fill, "notes": chosen.notes}
    return {name for name, present in there.items() if present}


def _sources(stock: Inventory, chosen: Chosen, words: Labels) -> Evidence:
    """The last line: which sources were asked for."""
    sources = sorted(chosen.within)
    names = tuple(dict.fromkeys(neutral_name(stock.sources[source].name) for source in sources))
    line = (words.sources.format(names=", ".join(names)), (), Stated(ASKED, Role.GUIDE))
    return make(iri=ASKED, title=line[0].partition(":")[0], lines=[line], home=sources[0])
