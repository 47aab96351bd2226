"""Derivation: what a question's evidence says together and none of it alone, with what it assumes (§1, §3.2 of the seed)."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from loom.claims.asks import Derive, State
from loom.claims.drafting import Draft, NewClaim, NewSignal, storable, with_context
from loom.claims.intake import PAGE, file_texts, has_general
from loom.claims.judges import Judges
from loom.core.claims.applying import LIFTED
from loom.core.claims.intake.ids import content_id, entry, signal_id
from loom.core.claims.judging.asked import Inference, Inquiry, Known
from loom.core.claims.judging.given import Inferred
from loom.core.claims.parts import Parts
from loom.core.claims.reach import GENERAL, reach
from loom.core.claims.records import Agent, Claim, Derivation, Domain, Justification, Precondition, Signal
from loom.core.claims.standing import Standing, readable
from loom.core.claims.stored import StoredClaim, Wanted
from loom.core.claims.view import ClaimView
from loom.core.claims.writes import AddClaim, AddEntry, AddSignal, Contradict, Justify, Migrate, Supersede, TakeOver
from loom.ports import ClaimStore

EVIDENCE = 12
"""Pieces of evidence that a question is answered from, of signals and of claims each."""
SEARCHED = 5
"""Pieces that are held against a precondition."""
RRF = 60


@dataclass(frozen=True, slots=True)
class Source:
    """Something that a claim may rest on, of the version or of this batch."""

    known: Known
    home: frozenset[str]


async def derive(draft: Draft, number: int, wish: Derive, store: ClaimStore, judges: Judges, parts: Parts) -> None:
    """Answers a question from its evidence, and keeps what follows. Raises BadInput where the claim to derive anew is unknown."""
    line = "upkeep" if wish.again else "writes"
    vector = (await judges.vectors([wish.question]))[0]
    evidence = await store.look(lambda view: _evidence(view, draft, wish.question, vector, wish.domains))
    evidence = [each for each in evidence if each.known.id != wish.again]
    inquiry = Inquiry(wish.question, tuple(each.known for each in evidence))
    derived = draft.take(await judges.derivation.derive(inquiry), line, request=wish.request) if evidence else ()
    by_id = {each.known.id: each for each in evidence}
    draft.say(number, claims=[], cited=[])
    for inferred in derived:
        each = Inferred(
            storable(inferred.proposition), inferred.antecedents, tuple(storable(text) for text in inferred.preconditions)
        )
        if not each.proposition.strip():
            continue
        antecedents = [by_id[id] for id in dict.fromkeys(each.antecedents) if id in by_id]
        if not antecedents:
            continue
        if restated := await _restated(draft, each, antecedents, judges, parts, line):
            draft.say(number, cited=[restated])
            continue
        derivation = Derivation("derived", at=draft.at, request=wish.request or wish.question, run=draft.run)
        made = await _written(draft, number, each, antecedents, derivation, store, judges, line)
        draft.say(number, claims=[made])
        if wish.again and made != wish.again and made in draft.claims:
            draft.write(Supersede(made, wish.again), number)


async def enter(draft: Draft, number: int, wish: State, store: ClaimStore, judges: Judges, domains: Sequence[Domain]) -> None:
    """A person's claim: what they said becomes an entry and a signal, and the claim rests on it and on whatever they cite."""
    # First, since what is refused leaves nothing behind.
    cited = await store.look(lambda view: _sources(view, draft, wish.cites))
    if missing := [id for id in wish.cites if id not in cited]:
        draft.refuse(number, f"Expected ids of signals or claims, but {missing[0]} is neither; give ids of what is kept.")
        return
    if unknown := [id for id in wish.domains if id not in {GENERAL, *(each.id for each in domains)}]:
        draft.refuse(number, f"There is no domain {unknown[0]}; describe it first, or leave it to the words.")
        return
    text = wish.proposition.strip()
    said = replace(
        entry(f"person:{wish.by}", text, kind="statement", author=wish.by, observed_at=draft.at), ingested_at=draft.at
    )
    signal_name = signal_id(said.id, 0, len(text), text)
    home = frozenset(wish.domains) or (await file_texts(draft, [text], judges, domains, "writes"))[0]
    has_general(draft, [home], domains)
    signal = Signal(signal_name, said.id, text, (0, len(text)), draft.at, "person", home, True)
    vector = (await judges.vectors([text]))[0]
    known = await store.look(lambda view: frozenset(view.entries([said.id])))
    if said.id not in known and signal_name not in draft.signals:
        draft.write(AddEntry(said), number)
        draft.write(AddSignal(signal), number)
        draft.keep(signal_name, vector)
        draft.signals[signal_name] = NewSignal(signal, said.source, vector)
    antecedents = [Source(Known(signal_name, text, draft.at), home), *cited.values()]
    inferred = Inferred(text, tuple(each.known.id for each in antecedents), wish.preconditions)
    derivation = Derivation("user", Agent("person", wish.by), draft.at, run=draft.run)
    made = await _written(draft, number, inferred, antecedents, derivation, store, judges, "writes")
    draft.say(number, claims=[made])


async def migrate(draft: Draft, store: ClaimStore, judges: Judges) -> int:
    """Searches evidence for the open preconditions of claims that this batch touched; gives how many were found. Those of new claims
    were looked for when they were written. What it rests on already is no evidence: it is where the assumption was made."""
    found = 0
    touched = sorted(draft.touched)
    claims = await store.look(lambda view: view.claims(touched))
    for id, claim in claims.items():
        if not readable(claim.standing):
            continue
        besides = {id, *(name for just in claim.claim.justifications for name in just.antecedents)}
        for each in claim.claim.context:
            node = await _asserted(draft, each.text, claim.home, besides, store, judges, "upkeep")
            if node is not None:
                draft.write(Migrate(id, each.id, node.known.id, draft.run))
                found += 1
    return found


async def _restated(
    draft: Draft, each: Inferred, antecedents: Sequence[Source], judges: Judges, parts: Parts, line: str
) -> str | None:
    """The antecedent that alone says what was derived: it is to be cited, and nothing is written."""
    if not parts.entailment:
        return None
    asked = [Inference(one.known.text, each.proposition, (), one.known.at) for one in antecedents]
    holds = draft.take(await judges.entailment.entailed(asked), line)
    return next((one.known.id for one, yes in zip(antecedents, holds, strict=True) if yes), None)


async def _written(
    draft: Draft,
    number: int,
    each: Inferred,
    antecedents: Sequence[Source],
    derivation: Derivation,
    store: ClaimStore,
    judges: Judges,
    line: str,
) -> str:
    """The id of the claim with this proposition: a new one, or one that is there and was given another justification."""
    id = claim_id(each.proposition)
    just = Justification(tuple(one.known.id for one in antecedents), derivation)
    held = await store.look(lambda view: view.claims([id]))
    if id in held or id in draft.claims:
        if not _has(held.get(id), draft.claims.get(id), just):
            assumes = _preconditions(each.preconditions)
            draft.write(Justify(id, just, tuple(assumes)), number)
            draft.touched.add(id)
            home = frozenset().union(*(one.home for one in antecedents))
            for open_ in assumes:
                node = await _asserted(draft, open_.text, home, {id, *just.antecedents}, store, judges, line)
                if node is not None:
                    draft.write(Migrate(id, open_.id, node.known.id, draft.run))
        return id
    home = frozenset().union(*(one.home for one in antecedents))
    claim = Claim(id, (just,), each.proposition, tuple(_preconditions(each.preconditions)))
    for open_ in claim.context:
        node = await _asserted(draft, open_.text, home, {id, *just.antecedents}, store, judges, line)
        if node is not None:
            claim = with_context(claim, open_.id, node.known.id)
            home |= node.home
    vector = (await judges.vectors([each.proposition]))[0]
    draft.write(AddClaim(claim), number)
    draft.keep(id, vector)
    draft.claims[id] = NewClaim(claim, home, vector, number, derivation.request)
    for lifted in await store.look(lambda view: _lifted(view, each.proposition)):
        draft.write(TakeOver(id, lifted), number)
    for lifted in _lifted_now(draft, id):
        draft.write(TakeOver(id, lifted))
    return id


async def _asserted(
    draft: Draft, text: str, home: Collection[str], besides: Collection[str], store: ClaimStore, judges: Judges, line: str
) -> Source | None:
    """The nearest signal or claim that asserts a precondition, None where none does."""
    vector = (await judges.vectors([text]))[0]
    found = await store.look(lambda view: _evidence(view, draft, text, vector, reach(home), SEARCHED))
    found = [each for each in found if each.known.id not in besides]
    if not found:
        return None
    asked = [Inference(each.known.text, text, (), each.known.at) for each in found]
    holds = draft.take(await judges.entailment.entailed(asked), line)
    return next((each for each, yes in zip(found, holds, strict=True) if yes), None)


def claim_id(proposition: str) -> str:
    """A claim is what it says: the same words are the same claim, whoever derives it."""
    return content_id("claim", " ".join(proposition.split()).casefold().rstrip("."))


def _preconditions(texts: Sequence[str]) -> list[Precondition]:
    found = {content_id("precondition", text.strip()): text.strip() for text in texts if text.strip()}
    return [Precondition(id, text) for id, text in found.items()]


def _has(stored: StoredClaim | None, drafted: NewClaim | None, just: Justification) -> bool:
    """Whether a claim has a justification of these antecedents, or of fewer."""
    held = stored.claim if stored else drafted.claim if drafted else None
    return held is not None and any(set(one.antecedents) <= set(just.antecedents) for one in held.justifications)


def _sources(view: ClaimView, draft: Draft, ids: Collection[str]) -> dict[str, Source]:
    """Signals and claims by id, of the version and of the batch."""
    found: dict[str, Source] = {}
    signals, claims = view.signals(ids), view.claims(ids)
    for id in ids:
        if id in draft.signals:
            signal = draft.signals[id].signal
            found[id] = Source(Known(id, signal.proposition, signal.observed_at), signal.domains)
        elif id in draft.claims:
            found[id] = Source(Known(id, draft.claims[id].claim.proposition), draft.claims[id].home)
        elif id in signals:
            signal = signals[id].signal
            found[id] = Source(Known(id, signal.proposition, signal.observed_at), signal.domains)
        elif id in claims and not claims[id].lifted:
            found[id] = Source(Known(id, claims[id].claim.proposition, claims[id].at), claims[id].home)
    return found


def _evidence(
    view: ClaimView, draft: Draft, text: str, vector: np.ndarray, domains: Collection[str], k: int = EVIDENCE
) -> list[Source]:
    """What bears on a text, by words and by vectors, of the version and of this batch; best first."""
    sums: dict[str, float] = {}
    for kind in ("signal", "claim"):
        for found in (view.words(kind, text, k, domains), view.near(kind, vector, k, domains)):
            for rank, each in enumerate(found):
                sums[each.id] = sums.get(each.id, 0.0) + 1.0 / (RRF + rank)
    own = [
        (float(_vector(draft, id) @ vector), id)
        for id in (*draft.signals, *draft.claims)
        if not domains or not _home(draft, id).isdisjoint(domains)
    ]
    for rank, (_, id) in enumerate(sorted(own, key=lambda each: (-each[0], each[1]))[:k]):
        sums[id] = sums.get(id, 0.0) + 1.0 / (RRF + rank)
    best = sorted(sums, key=lambda id: (-sums[id], id))[: 2 * k]
    return list(_sources(view, draft, best).values())


def _vector(draft: Draft, id: str) -> np.ndarray:
    return draft.signals[id].vector if id in draft.signals else draft.claims[id].vector


def _home(draft: Draft, id: str) -> frozenset[str]:
    return draft.signals[id].signal.domains if id in draft.signals else draft.claims[id].home


def _lifted(view: ClaimView, proposition: str) -> list[str]:
    """Lifted claims in force whose signal says the same."""
    key = claim_id(proposition)
    text, after, said = proposition.strip().rstrip("."), "", list[str]()
    while page := view.list_signals(Wanted(text=text, after=after, limit=PAGE)):
        said += [LIFTED + each.signal.id for each in page if claim_id(each.signal.proposition) == key]
        after = page[-1].signal.id
    return [id for id, each in view.claims(said).items() if each.standing is not Standing.SUPERSEDED]


def _lifted_now(draft: Draft, claim: str) -> list[str]:
    """Those that this batch lifts."""
    new = [each.new for each in draft.writes if isinstance(each, Contradict) and each.new in draft.signals]
    return [LIFTED + id for id in dict.fromkeys(new) if claim_id(draft.signals[id].signal.proposition) == claim]
