"""What claims rest on, as W3C PROV: entries, signals and claims are entities, justifications are activities (specs/claims.md §13).

PROV-JSON (W3C Member Submission, 2013) as a document, and the same as PROV-O in N-Triples. Ids become addresses, `urn:loom:` and the
id with every odd character escaped, so that the same thing has the same address in chat, in SPARQL and here.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import quote

from loom.core.claims.intake.ids import content_id
from loom.core.claims.minting import PREFIX
from loom.core.claims.records import Agent, Entry
from loom.core.claims.stored import StoredClaim, StoredSignal, Wanted
from loom.core.claims.view import ClaimView, tree
from loom.core.memory.calendar import day_of

PROV_JSON, NTRIPLES = "application/json", "application/n-triples"
PROV, XSD, LOOM = "http://www.w3.org/ns/prov#", "http://www.w3.org/2001/XMLSchema#", "urn:loom:terms:"
PREFIXES = {"prov": PROV, "xsd": XSD, "loom": LOOM, "at": PREFIX}
RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
DEPTH, NODES = 16, 2000

Document = dict[str, Any]


def document(view: ClaimView, *, claim: str = "", after: str = "", limit: int = 100) -> tuple[Document, str]:
    """The document of one claim with all below it, or of a page of claims with what they rest on directly; and the id that the next
    page begins after, "" where there is none. Raises NotFound."""
    if claim:
        made = tree(view, claim, depth=DEPTH, nodes=NODES)
        return _document(made.claims, made.signals, made.entries), ""
    page = view.list_claims(Wanted(after=after, limit=limit + 1))
    claims = {each.claim.id: each for each in page[:limit]}
    below = sorted({name for each in claims.values() for just in each.claim.justifications for name in just.antecedents})
    signals = view.signals(below)
    entries = view.entries(sorted({each.signal.entry for each in signals.values()}))
    return _document(claims, signals, entries), page[limit - 1].claim.id if len(page) > limit else ""


def _document(claims: Mapping[str, StoredClaim], signals: Mapping[str, StoredSignal], entries: Mapping[str, Entry]) -> Document:
    told: Document = {"prefix": PREFIXES} | {
        name: {} for name in ("entity", "activity", "agent", "used", "wasGeneratedBy", "wasDerivedFrom")
    } | {name: {} for name in ("wasAttributedTo", "wasAssociatedWith", "wasInvalidatedBy")}  # fmt: skip
    for id, entry in entries.items():
        _entry(told, id, entry)
    for id, signal in signals.items():
        _signal(told, id, signal)
    for id, claim in claims.items():
        _claim(told, id, claim)
    return {name: members for name, members in told.items() if members or name == "entity"}


def _entry(told: Document, id: str, entry: Entry) -> None:
    _entity(told, id, "Entry", source=entry.source, kind=entry.kind, observed=entry.observed_at, taken=entry.ingested_at)
    if entry.author:
        _relate(told, "wasAttributedTo", entity=_name(id), agent=_agent(told, Agent("person", entry.author)))
    if entry.withdrawn_at:
        _relate(told, "wasInvalidatedBy", entity=_name(id), time=_time(entry.withdrawn_at))


def _signal(told: Document, id: str, stored: StoredSignal) -> None:
    signal = stored.signal
    start, end = signal.span
    _entity(
        told, id, "Signal", value=signal.proposition, span=f"{start}-{end}", extractor=signal.extractor,
        supported=stored.supported, checked=signal.checked,
    )  # fmt: skip
    _relate(told, "wasDerivedFrom", generatedEntity=_name(id), usedEntity=_name(signal.entry), type="prov:Quotation")
    for later in stored.replaced_by:
        _relate(told, "wasDerivedFrom", generatedEntity=_name(later), usedEntity=_name(id), type="prov:Revision")


def _claim(told: Document, id: str, stored: StoredClaim) -> None:
    claim = stored.claim
    _entity(told, id, "Claim", value=claim.proposition, standing=stored.standing.word, written=stored.at)
    assumed = [each.text for each in claim.context]
    if assumed:
        told["entity"][_name(id)]["loom:assumes"] = assumed
    for just in claim.justifications:
        made = _name(content_id("justification", id, *just.antecedents))
        activity: dict[str, Any] = {"prov:type": _qualified("loom:Justification"), "loom:kind": just.derivation.kind}
        if just.derivation.request:
            activity["loom:request"] = just.derivation.request
        if when := _time(just.derivation.at):
            activity["prov:endTime"] = when
        told["activity"][made] = activity
        _relate(told, "wasAssociatedWith", activity=made, agent=_agent(told, just.derivation.agent))
        _relate(told, "wasGeneratedBy", entity=_name(id), activity=made)
        for name in just.antecedents:
            _relate(told, "used", activity=made, entity=_name(name))
            _relate(told, "wasDerivedFrom", generatedEntity=_name(id), usedEntity=_name(name), activity=made)
    for later in stored.superseded_by:
        _relate(told, "wasDerivedFrom", generatedEntity=_name(later), usedEntity=_name(id), type="prov:Revision")


def _entity(told: Document, id: str, kind: str, /, **said: object) -> None:
    members: dict[str, Any] = {"prov:type": _qualified(f"loom:{kind}"), "loom:id": id}
    for name, value in said.items():
        if value != "":
            members["prov:value" if name == "value" else f"loom:{name}"] = value
    told["entity"][_name(id)] = members


def _agent(told: Document, agent: Agent) -> str:
    kind = {"person": "prov:Person"}.get(agent.kind, "prov:SoftwareAgent")
    name = _name(f"agent:{agent.kind}:{agent.name}" if agent.name else f"agent:{agent.kind}")
    told["agent"][name] = {"prov:type": _qualified(kind), "loom:name": agent.name or agent.kind}
    return name


def _relate(told: Document, relation: str, **ends: str) -> None:
    members = {f"prov:{name}": end for name, end in ends.items() if end and name != "type"}
    if "type" in ends:
        members["prov:type"] = _qualified(ends["type"])  # type: ignore[assignment]
    told[relation][f"_:{content_id(relation, *map(str, ends.values())).replace(':', '-')}"] = members


def _name(id: str) -> str:
    return "at:" + quote(id, safe=":-_~")


def _qualified(name: str) -> dict[str, str]:
    return {"$": name, "type": "prov:QUALIFIED_NAME"}


def _time(at: str) -> str:
    """A time as xsd:dateTime; "" where there is none."""
    if not day_of(at):
        return ""
    return at if "T" in at else f"{at[:10]}T00:00:00Z"


_LITERAL = {"prov:value": PROV + "value", "prov:endTime": PROV + "endedAtTime"}
_ENDS = {
    "used": ("activity", "entity", "used"),
    "wasGeneratedBy": ("entity", "activity", "wasGeneratedBy"),
    "wasDerivedFrom": ("generatedEntity", "usedEntity", "wasDerivedFrom"),
    "wasAttributedTo": ("entity", "agent", "wasAttributedTo"),
    "wasAssociatedWith": ("activity", "agent", "wasAssociatedWith"),
}
_SPECIAL = {"prov:Quotation": "wasQuotedFrom", "prov:Revision": "wasRevisionOf"}
_KINDS = {"entity": "Entity", "activity": "Activity", "agent": "Agent"}


def triples(document: Document) -> str:
    """A document as PROV-O, one statement a line, each once, in order."""
    return "".join(f"{line}\n" for line in sorted(set(_statements(document))))


def _statements(document: Document) -> Iterator[str]:
    for group, kind in _KINDS.items():
        for name, members in document.get(group, {}).items():
            yield _line(name, RDF_TYPE, f"<{PROV}{kind}>")
            for member, value in members.items():
                for one in value if isinstance(value, list) else [value]:
                    yield _said(name, member, one)
    for relation, (subject, object_, predicate) in _ENDS.items():
        for members in document.get(relation, {}).values():
            made = _SPECIAL.get((members.get("prov:type") or {}).get("$", ""), predicate)
            for each in sorted({predicate, made}):
                yield _line(members[f"prov:{subject}"], PROV + each, f"<{_address(members[f'prov:{object_}'])}>")
    for members in document.get("wasInvalidatedBy", {}).values():
        yield _line(members["prov:entity"], PROV + "invalidatedAtTime", f'"{members["prov:time"]}"^^<{XSD}dateTime>')


def _said(name: str, member: str, value: object) -> str:
    if isinstance(value, dict):
        return _line(name, RDF_TYPE, f"<{_address(value['$'])}>")
    predicate = _LITERAL.get(member) or _address(member)
    if isinstance(value, bool):
        return _line(name, predicate, f'"{str(value).lower()}"^^<{XSD}boolean>')
    typed = f"^^<{XSD}dateTime>" if member == "prov:endTime" else ""
    return _line(name, predicate, json.dumps(str(value)) + typed)


def _line(name: str, predicate: str, object_: str) -> str:
    return f"<{_address(name)}> <{predicate}> {object_} ."


def _address(name: str) -> str:
    prefix, _, local = name.partition(":")
    return PREFIXES[prefix] + local
