"""What claims rest on, as W3C PROV: entries, signals and claims are entities, justifications are activities (specs/claims.md §13).

PROV-JSON (W3C Member Submission, 2013) as a document; `prov_triples` says the same as PROV-O. Ids become addresses, `urn:loom:` and the
id with every odd character escaped, so that the same thing has the same address in chat, in SPARQL and here. An entry whose id is its
sender's own stands below `entry/`, so that nobody can send one that takes the address of a claim.

What no longer counts is invalidated by an activity that names the cause: an entry that was withdrawn, its signals, a signal that a
later one replaced, a claim that is retracted or superseded.
"""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from loom.core.claims.applying import LIFTED
from loom.core.claims.intake.ids import content_id
from loom.core.claims.minting import PREFIX
from loom.core.claims.records import Agent, Entry
from loom.core.claims.standing import Standing, readable
from loom.core.claims.stored import StoredClaim, StoredSignal, Wanted
from loom.core.claims.view import ClaimView, tree
from loom.core.memory.calendar import day_of
from loom.core.represent import LOOM
from loom.core.sparql.part import CLAIMS as GRAPH

PROV_JSON, NTRIPLES = "application/json", "application/n-triples"
PROV, XSD = "http://www.w3.org/ns/prov#", "http://www.w3.org/2001/XMLSchema#"
PREFIXES = {"prov": PROV, "xsd": XSD, "loom": LOOM, "at": PREFIX}
SECTIONS = (
    "entity", "activity", "agent", "used", "wasGeneratedBy", "wasDerivedFrom", "wasAttributedTo", "wasAssociatedWith", "wasInvalidatedBy",
)  # fmt: skip
DEPTH, NODES = 16, 2000
PAGE, ENTRIES = 500, 50
"""Signals or claims, and entries with their texts, that are in memory at once."""
OWN = "entry:"
"""What the ids begin with that follow from an entry's content."""

Document = dict[str, Any]


def document(view: ClaimView, *, claim: str = "", after: str = "", limit: int = 100) -> tuple[Document, str]:
    """The document of one claim with all below it, or of a page of claims with what they rest on directly; and the id that the next
    page begins after, "" where there is none. Raises NotFound."""
    if claim:
        made = tree(view, claim, depth=DEPTH, nodes=NODES)
        return _document(view, made.claims, made.signals, made.entries, _withdrawn(made.entries)), ""
    page = view.list_claims(Wanted(after=after, limit=limit + 1))
    claims = {each.claim.id: each for each in page[:limit]}
    below = sorted({name for each in claims.values() for just in each.claim.justifications for name in just.antecedents})
    signals = view.signals(below)
    entries = view.entries(sorted({each.signal.entry for each in signals.values()}))
    told = _document(view, claims, signals, entries, _withdrawn(entries))
    return told, page[limit - 1].claim.id if len(page) > limit else ""


def whole(view: ClaimView) -> Iterator[Document]:
    """All of a version, a page a document: entries, signals and claims, each once, however large the store is. Only agents and
    withdrawals are in several documents."""
    told: Document = {name: {} for name in SECTIONS}
    _entity(told, GRAPH.removeprefix(PREFIX), "Claims", version=view.version, at=view.at)
    yield told
    withdrawn: dict[str, str] = {}
    after = ""
    while entries := view.list_entries(after=after, limit=ENTRIES):
        held = {each.id: each for each in entries}
        withdrawn |= _withdrawn(held)
        yield _document(view, {}, {}, held, withdrawn)
        after = entries[-1].id
    after = ""
    while signals := view.list_signals(Wanted(after=after, limit=PAGE)):
        yield _document(view, {}, {each.signal.id: each for each in signals}, {}, withdrawn)
        after = signals[-1].signal.id
    after = ""
    while claims := view.list_claims(Wanted(after=after, limit=PAGE)):
        yield _document(view, {each.claim.id: each for each in claims}, {}, {}, withdrawn)
        after = claims[-1].claim.id


def _withdrawn(entries: Mapping[str, Entry]) -> dict[str, str]:
    """When entries were withdrawn that were."""
    return {id: each.withdrawn_at for id, each in entries.items() if each.withdrawn_at}


def _document(
    view: ClaimView,
    claims: Mapping[str, StoredClaim],
    signals: Mapping[str, StoredSignal],
    entries: Mapping[str, Entry],
    withdrawn: Mapping[str, str],
) -> Document:
    told: Document = {"prefix": PREFIXES} | {name: {} for name in SECTIONS}
    for id, entry in entries.items():
        _entry(told, id, entry)
    for id, signal in signals.items():
        _signal(told, id, signal, withdrawn)
    for id, claim in claims.items():
        _claim(told, id, claim)
        _lost(told, view, id, claim)
    return {name: members for name, members in told.items() if members or name == "entity"}


def _entry(told: Document, id: str, entry: Entry) -> None:
    name = _of_entry(id)
    _entity(told, id, "Entry", source=entry.source, kind=entry.kind, observed=entry.observed_at, taken=entry.ingested_at)
    if entry.author:
        _relate(told, "wasAttributedTo", entity=name, agent=_agent(told, Agent("person", entry.author)))
    if entry.withdrawn_at:
        _invalid(told, name, _withdrawal(id), "withdrawn", entry.withdrawn_at)


def _signal(told: Document, id: str, stored: StoredSignal, withdrawn: Mapping[str, str]) -> None:
    signal, name = stored.signal, _name(id)
    start, end = signal.span
    _entity(
        told, id, "Signal", value=signal.proposition, span=f"{start}-{end}", extractor=signal.extractor,
        supported=stored.supported, checked=signal.checked, domain=sorted(signal.domains),
    )  # fmt: skip
    _relate(told, "wasDerivedFrom", generatedEntity=name, usedEntity=_of_entry(signal.entry), type="prov:Quotation")
    if at := withdrawn.get(signal.entry):
        _invalid(told, name, _withdrawal(signal.entry), "withdrawn", at)
    for later in stored.replaced_by:
        _relate(told, "wasDerivedFrom", generatedEntity=_name(later), usedEntity=name, type="prov:Revision")
        _invalid(told, name, _name(content_id("replacement", later, id)), "replaced")


def _claim(told: Document, id: str, stored: StoredClaim) -> None:
    claim, name = stored.claim, _name(id)
    _entity(
        told, id, "Claim", value=claim.proposition, standing=stored.standing.word, written=stored.at, domain=sorted(stored.home),
        assumes=[each.text for each in claim.context],
    )  # fmt: skip
    for just in claim.justifications:
        made = _name(content_id("justification", id, *just.antecedents))
        activity: dict[str, Any] = {"prov:type": _qualified("loom:Justification"), "loom:kind": just.derivation.kind}
        if just.derivation.request:
            activity["loom:request"] = just.derivation.request
        if when := _time(just.derivation.at):
            activity["prov:endTime"] = when
        told["activity"][made] = activity
        _relate(told, "wasAssociatedWith", activity=made, agent=_agent(told, just.derivation.agent))
        _relate(told, "wasGeneratedBy", entity=name, activity=made)
        for antecedent in just.antecedents:
            _relate(told, "used", activity=made, entity=_name(antecedent))
            _relate(told, "wasDerivedFrom", generatedEntity=name, usedEntity=_name(antecedent), activity=made)
    for later in stored.superseded_by:
        _relate(told, "wasDerivedFrom", generatedEntity=_name(later), usedEntity=name, type="prov:Revision")


def _lost(told: Document, view: ClaimView, id: str, stored: StoredClaim) -> None:
    """Why a claim no longer counts, or what disputes it."""
    if stored.standing is Standing.CONTESTED:
        against = [each.partner for each in view.conflicts(id) if each.live and readable(each.standing)]
        told["entity"][_name(id)]["loom:disputedBy"] = [_qualified(_name(each.removeprefix(LIFTED))) for each in against]
    if not readable(stored.standing):
        moves = [each for each in view.history(id) if each.after is stored.standing]
        last, batch = (moves[-1], str(moves[-1].batch)) if moves else (None, "")
        name = _name(content_id("fall", id, batch))
        _invalid(told, _name(id), name, last.cause if last else stored.standing.word, last.at if last else "")


def _entity(told: Document, id: str, kind: str, /, **said: object) -> None:
    members: dict[str, Any] = {"prov:type": _qualified(f"loom:{kind}"), "loom:id": id}
    for name, value in said.items():
        if value not in ("", []):
            members["prov:value" if name == "value" else f"loom:{name}"] = value
    told["entity"][_of_entry(id) if kind == "Entry" else _name(id)] = members


def _invalid(told: Document, entity: str, activity: str, cause: str, at: str = "") -> None:
    """Says that something no longer counts, by an activity of this cause."""
    when = _time(at)
    members: dict[str, Any] = {"prov:type": _qualified("loom:Invalidation"), "loom:cause": cause}
    told["activity"][activity] = members | ({"prov:endTime": when} if when else {})
    _relate(told, "wasInvalidatedBy", entity=entity, activity=activity, time=when)


def _agent(told: Document, agent: Agent) -> str:
    kind = {"person": "prov:Person"}.get(agent.kind, "prov:SoftwareAgent")
    name = _name(f"agent:{agent.kind}:{agent.name}" if agent.name else f"agent:{agent.kind}")
    told["agent"][name] = {"prov:type": _qualified(kind), "loom:name": agent.name or agent.kind}
    return name


def _relate(told: Document, relation: str, **ends: str) -> None:
    members: dict[str, Any] = {f"prov:{name}": end for name, end in ends.items() if end and name != "type"}
    if "type" in ends:
        members["prov:type"] = _qualified(ends["type"])
    told[relation][f"_:{content_id(relation, *ends.values()).replace(':', '-')}"] = members


def _name(id: str) -> str:
    return "at:" + quote(id, safe=":-_~")


def _of_entry(id: str) -> str:
    return _name(id) if id.startswith(OWN) else "at:entry/" + quote(id, safe=":-_~")


def _withdrawal(entry: str) -> str:
    return _name(content_id("withdrawal", entry))


def _qualified(name: str) -> dict[str, str]:
    return {"$": name, "type": "prov:QUALIFIED_NAME"}


def _time(at: str) -> str:
    """A time as xsd:dateTime; "" where there is none."""
    if not day_of(at):
        return ""
    return at if "T" in at else f"{at[:10]}T00:00:00Z"
