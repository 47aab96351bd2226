"""PROV-O in N-Triples, of a PROV-JSON document: one canonical line a statement, without blank nodes."""

from collections.abc import Iterator

from loom.claims.prov import PREFIXES, PROV, XSD, Document
from loom.core.rdf.terms import Literal, Term, line
from loom.core.rdf.vocab import TYPE
from loom.core.values import Iri

_LITERAL = {"prov:value": PROV + "value", "prov:endTime": PROV + "endedAtTime"}
_ENDS = {
    "used": ("activity", "entity", "used"),
    "wasGeneratedBy": ("entity", "activity", "wasGeneratedBy"),
    "wasDerivedFrom": ("generatedEntity", "usedEntity", "wasDerivedFrom"),
    "wasAttributedTo": ("entity", "agent", "wasAttributedTo"),
    "wasAssociatedWith": ("activity", "agent", "wasAssociatedWith"),
    "wasInvalidatedBy": ("entity", "activity", "wasInvalidatedBy"),
}
_SPECIAL = {"prov:Quotation": "wasQuotedFrom", "prov:Revision": "wasRevisionOf"}
_KINDS = {"entity": "Entity", "activity": "Activity", "agent": "Agent"}


def triples(document: Document) -> str:
    """A document as PROV-O, one statement a line, each once, in order."""
    return "".join(f"{each}\n" for each in sorted(set(statements(document))))


def statements(document: Document) -> Iterator[str]:
    """Every statement of a document as a line without its end; an agent's perhaps more than once."""
    for group, kind in _KINDS.items():
        for name, members in document.get(group, {}).items():
            subject = address(name)
            yield line(subject, TYPE, PROV + kind)
            for member, value in members.items():
                predicate = TYPE if member == "prov:type" else _LITERAL.get(member) or address(member)
                for one in value if isinstance(value, list) else [value]:
                    yield line(subject, predicate, _term(member, one))
    for relation, (subject_, object_, predicate) in _ENDS.items():
        for members in document.get(relation, {}).values():
            special = _SPECIAL.get((members.get("prov:type") or {}).get("$", ""), predicate)
            for each in sorted({predicate, special}):
                yield line(address(members[f"prov:{subject_}"]), PROV + each, address(members[f"prov:{object_}"]))
    for members in document.get("wasInvalidatedBy", {}).values():
        if at := members.get("prov:time"):
            yield line(address(members["prov:entity"]), PROV + "invalidatedAtTime", Literal(at, datatype=XSD + "dateTime"))


def _term(member: str, value: object) -> Term:
    if isinstance(value, dict):
        return address(value["$"])
    if isinstance(value, bool):
        return Literal(str(value).lower(), datatype=XSD + "boolean")
    if isinstance(value, int):
        return Literal(str(value), datatype=XSD + "integer")
    return Literal(str(value), datatype=XSD + "dateTime" if member == "prov:endTime" else "")


def address(name: str) -> Iri:
    """The address that a qualified name of a document stands for."""
    prefix, _, local = name.partition(":")
    return PREFIXES[prefix] + local
