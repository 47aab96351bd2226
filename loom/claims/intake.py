"""Intake: entries into signals, each held against its span, filed, and set in the place of what its source said before (§1, §4)."""

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from loom.claims.asks import TakeIn
from loom.claims.drafting import NODE, Draft, NewSignal, storable
from loom.claims.judges import Judges
from loom.core.claims.candidates import K
from loom.core.claims.intake.ids import signal_id
from loom.core.claims.judging.asked import Inference, Known, Pair
from loom.core.claims.judging.extracting import EXTRACTOR
from loom.core.claims.judging.given import Drawn, Filed
from loom.core.claims.judging.replacing import of_one_subject, opening, replaceable
from loom.core.claims.moments import earlier
from loom.core.claims.parts import Parts
from loom.core.claims.reach import GENERAL, filed
from loom.core.claims.records import Domain, Entry, Signal
from loom.core.claims.stored import Wanted
from loom.core.claims.view import ClaimView
from loom.core.claims.writes import AddEntry, AddSignal, FileSignal, ReplaceSignal
from loom.ports import ClaimStore

PAGE = 500


async def take_in(
    draft: Draft,
    asked: Sequence[tuple[int, TakeIn]],
    store: ClaimStore,
    judges: Judges,
    parts: Parts,
    domains: Sequence[Domain],
) -> None:
    """Adds entries and their signals to a draft; those that are known already change nothing."""
    ids = [wish.entry.id for _, wish in asked]
    known = await store.look(lambda view: dict(view.entries(ids)))
    fresh: dict[str, tuple[int, TakeIn]] = {}
    for number, wish in asked:
        held = known.get(wish.entry.id) or (fresh[wish.entry.id][1].entry if wish.entry.id in fresh else None)
        if held is not None and (held.source, held.text) != (wish.entry.source, wish.entry.text):
            draft.refuse(number, f"There is an entry {wish.entry.id} that says something else; send this one under another id.")
        elif held is not None:
            draft.say(number, entry=wish.entry.id, known=True, withdrawn=bool(held.withdrawn_at))
        else:
            fresh[wish.entry.id] = number, wish
    if not fresh:
        return
    entries = [replace(wish.entry, ingested_at=draft.at) for _, wish in fresh.values()]
    extracts = draft.take(await judges.extraction.extract(entries), "ingest")
    drawn = [
        (entry, replace(each, proposition=storable(each.proposition)))
        for entry, extract in zip(entries, extracts, strict=True)
        for each in extract.drawn
    ]
    checked = await _checked(draft, drawn, judges, parts)
    kept = [(entry, each, tested) for (entry, each), (holds, tested) in zip(drawn, checked, strict=True) if holds]
    texts = [each.proposition for _, each, _ in kept]
    homes = await file_texts(draft, texts, judges, domains, "ingest")
    vectors = await judges.vectors(texts)
    for entry in entries:
        number = fresh[entry.id][0]
        draft.write(AddEntry(entry), number)
        draft.say(number, entry=entry.id, signals=[])
    for (entry, each, tested), home, vector in zip(kept, homes, vectors, strict=True):
        made = _signal(entry, each, home, tested)
        if made.id in draft.signals:
            continue
        number = fresh[entry.id][0]
        draft.write(AddSignal(made), number)
        draft.keep(made.id, vector)
        draft.signals[made.id] = NewSignal(made, entry.source, vector)
        draft.say(number, signals=[made.id])
    for (entry, each), (holds, _) in zip(drawn, checked, strict=True):
        if not holds:
            draft.say(fresh[entry.id][0], left_out=[entry.text[each.start : each.end]])
    await _replace(draft, fresh, store, judges, parts)


async def file_texts(
    draft: Draft, texts: Sequence[str], judges: Judges, domains: Sequence[Domain], line: str
) -> list[frozenset[str]]:
    """The domains of texts, one at least for each."""
    described = [each for each in domains if each.id != GENERAL]
    homes = [filed(())] * len(texts)
    if described and texts:
        judged: Sequence[Filed] = draft.take(await judges.filing.file(texts, described), line)
        homes = [filed(each.domains) for each in judged]
    has_general(draft, homes, domains)
    return homes


def has_general(draft: Draft, homes: Sequence[frozenset[str]], domains: Sequence[Domain]) -> None:
    """Adds the general domain to a draft that files something under it, where it is not there yet."""
    if any(GENERAL in home for home in homes) and all(each.id != GENERAL for each in domains):
        draft.domains.setdefault(GENERAL, Domain(GENERAL, "General"))


async def refile(draft: Draft, store: ClaimStore, judges: Judges, domains: Sequence[Domain]) -> int:
    """Files every signal anew, after a domain came or changed its description; gives how many moved."""
    moved, after = 0, ""
    while True:
        page = await store.look(lambda view, after=after: view.list_signals(Wanted(after=after, limit=PAGE)))  # type: ignore[misc]
        if not page:
            return moved
        texts = [each.signal.proposition for each in page]
        homes = await file_texts(draft, texts, judges, domains, "upkeep")
        for each, home in zip(page, homes, strict=True):
            if home != each.signal.domains:
                draft.write(FileSignal(each.signal.id, home))
                moved += 1
        after = page[-1].signal.id


async def _checked(draft: Draft, drawn: Sequence[tuple[Entry, Drawn]], judges: Judges, parts: Parts) -> list[tuple[bool, bool]]:
    """Of each extract whether it is kept, and whether that was looked at."""
    if not parts.entailment:
        return [(True, False)] * len(drawn)
    asked = [
        Inference(entry.text[each.start : each.end], each.proposition, each.given, entry.observed_at) for entry, each in drawn
    ]
    return [(holds, True) for holds in draft.take(await judges.entailment.entailed(asked), "ingest")]


def _signal(entry: Entry, drawn: Drawn, home: frozenset[str], checked: bool) -> Signal:
    return Signal(
        id=signal_id(entry.id, drawn.start, drawn.end, drawn.proposition),
        entry=entry.id,
        proposition=drawn.proposition,
        span=(drawn.start, drawn.end),
        observed_at=entry.observed_at,
        extractor=EXTRACTOR,
        domains=home,
        checked=checked,
    )


async def _replace(draft: Draft, fresh: dict[str, tuple[int, TakeIn]], store: ClaimStore, judges: Judges, parts: Parts) -> None:
    """A later signal of a source in the place of an earlier one: where its entry says so, and where the two contradict."""
    pairs: list[tuple[str, str, Pair]] = []
    unsaid: dict[str, list[str]] = {}
    for id, new in draft.signals.items():
        number, wish = fresh[new.signal.entry]
        for old in wish.replaces:
            draft.write(ReplaceSignal(id, old), number)
        if not wish.replaces:
            unsaid.setdefault(new.source, []).append(id)
    for source in sorted(unsaid):
        pairs += await _replaceable(draft, source, unsaid[source], store)
    if not pairs:
        return
    opinions = draft.take(await judges.verdicts.verdicts([pair for _, _, pair in pairs]), "ingest")
    gone: set[tuple[str, str]] = set()
    for (new_id, old, _), opinion in zip(pairs, opinions, strict=True):
        if opinion.verdict != "contradicts" or (old, new_id) in gone:
            continue
        gone.add((new_id, old))
        if parts.conflicts == "write":
            draft.write(ReplaceSignal(new_id, old))
        else:
            draft.logged.append({"verdict": "replaces", "new": new_id, "old": old, "why": opinion.why})


async def _replaceable(draft: Draft, source: str, ids: Sequence[str], store: ClaimStore) -> list[tuple[str, str, Pair]]:
    """New signals of a source, each with the earlier ones of its subject, and the later ones that were there before it: whichever came
    in first. Those that do not count at present are among them, since what stands in their place may be withdrawn. Of many, the
    nearest: a source may speak of one thing all its life, and each pair is a verdict."""
    held, counts = await store.look(lambda view: _of_source(view, source))
    own = {id: new.signal for id, new in draft.signals.items() if new.source == source}
    counts = counts | own.keys()
    by_opening: dict[str, list[Known]] = {}
    for each in (*held, *(Known(id, signal.proposition, signal.observed_at) for id, signal in own.items())):
        by_opening.setdefault(opening(each.text), []).append(each)
    pairs: list[tuple[str, str, Pair]] = []
    for id in ids:
        signal = own[id]
        new, vector = Known(id, signal.proposition, signal.observed_at), draft.signals[id].vector
        others = [
            each
            for each in by_opening[opening(signal.proposition)]
            if of_one_subject(new.text, each.text) and not (each.id in own and own[each.id].entry == signal.entry)
        ]
        former = [each for each in others if (new.at or not each.at) and not earlier(new.at, each.at)]
        later = [each for each in others if each.id not in own and earlier(new.at, each.at)]
        pairs += [(id, old, pair) for old, pair in replaceable(new, await _some(draft, vector, former, counts, store))]
        for each in await _some(draft, vector, later, counts, store):
            pairs += [(each.id, old, pair) for old, pair in replaceable(each, [new])]
    return pairs


async def _some(
    draft: Draft, vector: np.ndarray, among: Sequence[Known], counts: Collection[str], store: ClaimStore
) -> Sequence[Known]:
    """The nearest of some signals: of those that count, and of the others where there are fewer than are compared."""
    if len(among) <= K:
        return among
    first = [each for each in among if each.id in counts]
    if len(first) >= K:
        return await _nearest(draft, vector, first, store, K)
    rest = [each for each in among if each.id not in counts]
    return [*first, *await _nearest(draft, vector, rest, store, K - len(first))]


async def _nearest(draft: Draft, vector: np.ndarray, among: Sequence[Known], store: ClaimStore, k: int) -> list[Known]:
    """The nearest of some signals, in the order in which they came."""
    ids = [each.id for each in among if each.id not in draft.signals]
    vectors = dict(await store.look(lambda view: view.vectors(NODE, ids)))
    vectors |= {each.id: draft.signals[each.id].vector for each in among if each.id in draft.signals}
    known = [each for each in among if each.id in vectors]
    order = np.argsort(-np.array([float(vectors[each.id] @ vector) for each in known]), kind="stable")[:k]
    return [known[at] for at in sorted(order.tolist())]


def _of_source(view: ClaimView, source: str) -> tuple[list[Known], frozenset[str]]:
    """The signals of a source, oldest first, and which of them count."""
    found: list[Known] = []
    counts: set[str] = set()
    after = ""
    while page := view.list_entries(source, after, PAGE):
        for entry in page:
            behind = ""
            while signals := view.list_signals(Wanted(entry=entry.id, after=behind, limit=PAGE)):
                found += [Known(each.signal.id, each.signal.proposition, each.signal.observed_at) for each in signals]
                counts.update(each.signal.id for each in signals if each.supported)
                behind = signals[-1].signal.id
        after = page[-1].id
    return found, frozenset(counts)
