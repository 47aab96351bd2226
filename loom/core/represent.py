"""One concept in four formats: JSON, Markdown (the unit a person reviews), Turtle and JSON-LD.

RDF vocabulary: `owl:Class`, `rdfs:label`, `rdfs:subClassOf` (direct parents), `skos:altLabel`, `skos:definition` (the fullest
one), `skos:note` (prose), `dcterms:source` (place in the source); relations and what has no standard term are properties in
`urn:loom:ns#`: `urn:loom:ns#hasPart` for the relation `hasPart`, and `ancestor`, `domain`, `maturity`, `quality`, `summary`
(the short definition where a full one exists) and `generation`. A deprecated concept says so with `owl:deprecated` and
`dcterms:isReplacedBy`. Written by hand because a serving process imports no RDF library.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping

from loom.core.concepts import relation_order
from loom.core.text import slug_of
from loom.core.values import Iri, Json

LOOM = "urn:loom:ns#"
PREFIXES = {
    "dcterms": "http://purl.org/dc/terms/",
    "loom": LOOM,
    "owl": "http://www.w3.org/2002/07/owl#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
_PLAIN = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~")
_OWN = frozenset("ancestor domain maturity quality summary generation".split())

Record = Mapping[str, Json]
TitleOf = Callable[[Iri], str]


def as_json(record: Record, title_of: TitleOf, generation: str) -> dict[str, Json]:
    """The whole record, with a title beside every IRI. Every key is always there; what a concept does not state is empty."""

    def named(iris: Iterable[Iri]) -> list[dict[str, str]]:
        return [{"iri": iri, "title": title_of(iri)} for iri in iris]

    return {
        "iri": record["iri"],
        "slug": slug_of(record["iri"]),
        "title": record["title"],
        "definition": record.get("definition", ""),
        "full": record.get("full", ""),
        "prose": record.get("prose", ""),
        "aliases": list(record.get("aliases", ())),
        "domain": record.get("domain", ""),
        "maturity": record.get("maturity", ""),
        "quality": record.get("quality"),
        "parents": named(record.get("parents", ())),
        "ancestors": named(record.get("ancestors", ())),
        "relations": {name: named(targets) for name, targets in _relations(record)},
        "backlinks": named(record.get("backlinks", ())),
        "source": record.get("source", ""),
        "deprecated": record.get("deprecated", False),
        "replaced_by": named(record.get("replaced_by", ())),
        "generation": generation,
    }


def as_markdown(record: Record, title_of: TitleOf, generation: str) -> str:
    """The unit as a person reviews it."""
    facts = [record.get("domain", ""), f"maturity: {record['maturity']}" if "maturity" in record else ""]
    facts += [f"quality: {record['quality']:g}"] if record.get("quality") is not None else []
    sections = [f"# {_line(record['title'])}"]
    if record.get("deprecated"):
        by = record.get("replaced_by", ())
        instead = ", ".join(f"[{_label(title_of(iri))}](<{escape_iri(iri)}>)" for iri in by)
        sections.append("**Deprecated.**" + (f" Replaced by {instead}." if instead else ""))
    if any(facts):
        sections.append("*" + " · ".join(_line(fact) for fact in facts if fact) + "*")
    if "aliases" in record:
        sections.append("Also called: " + ", ".join(map(_line, record["aliases"])))
    short, full = record.get("definition", "").strip(), record.get("full", "").strip()
    sections += [text for text in ("" if full.startswith(short.rstrip("…")) else short, full) if text]
    taxonomy = [("Is a", record.get("parents", ())), ("Ancestors", record.get("ancestors", ()))]
    sections += [f"## {heading}\n\n{_links(iris, title_of)}" for heading, iris in taxonomy if iris]
    if relations := _relations(record):
        sections.append("## Relations\n\n" + "\n".join(_relation(name, targets, title_of) for name, targets in relations))
    if record.get("prose"):
        sections += ["## Prose", record["prose"].strip()]
    if record.get("backlinks"):
        sections.append(f"## Referred to by\n\n{_links(record['backlinks'], title_of)}")
    origin = f"Source: {_line(record['source'])} · " if record.get("source") else ""
    sections.append(f"---\n\nIRI: <{escape_iri(record['iri'])}>  \n{origin}Generation: {generation}")
    return "\n\n".join(sections) + "\n"


def _relation(name: str, targets: Iterable[Iri], title_of: TitleOf) -> str:
    return f"- **{_line(name)}**: " + ", ".join(f"[{_label(title_of(iri))}](<{escape_iri(iri)}>)" for iri in targets)


def _links(iris: Iterable[Iri], title_of: TitleOf) -> str:
    return "\n".join(f"- [{_label(title_of(iri))}](<{escape_iri(iri)}>)" for iri in iris)


def _line(text: str) -> str:
    return " ".join(text.split())


def _label(text: str) -> str:
    return re.sub(r"([\[\]\\])", r"\\\1", _line(text))


def as_turtle(record: Record, title_of: TitleOf, generation: str) -> str:
    """One Turtle document: the concept, and the labels of what it refers to."""
    subject = f"<{escape_iri(record['iri'])}>"
    statements = [("a", ["owl:Class"])]
    for predicate, texts in _literals(record, generation):
        statements.append((_curie(predicate), [_literal(text) for text in texts]))
    if record.get("quality") is not None:
        statements.append(("loom:quality", [f"{_literal(repr(float(record['quality'])))}^^xsd:double"]))
    if record.get("deprecated"):
        statements.append(("owl:deprecated", ["true"]))
    references = _references(record)
    for predicate, iris in references:
        statements.append((_curie(predicate), [f"<{escape_iri(iri)}>" for iri in iris]))
    body = " ;\n    ".join(f"{predicate} {', '.join(objects)}" for predicate, objects in statements)
    lines = [f"@prefix {prefix}: <{namespace}> ." for prefix, namespace in PREFIXES.items()]
    lines += ["", f"{subject} {body} ."]
    lines += [f"<{escape_iri(iri)}> rdfs:label {_literal(title_of(iri))} ." for iri in _others(record, references)]
    return "\n".join(lines) + "\n"


def as_jsonld(record: Record, title_of: TitleOf, generation: str) -> dict[str, Json]:
    """The same statements as the Turtle form, in JSON-LD with the prefixes as its context."""
    document: dict[str, Json] = {"@context": dict(PREFIXES), "@id": escape_iri(record["iri"]), "@type": "owl:Class"}
    for predicate, texts in _literals(record, generation):
        document[_compact(predicate)] = list(texts)
    if record.get("quality") is not None:
        document["loom:quality"] = {"@value": repr(float(record["quality"])), "@type": "xsd:double"}
    if record.get("deprecated"):
        document["owl:deprecated"] = True
    references = _references(record)
    labelled = set(_others(record, references))
    for predicate, iris in references:
        document[_compact(predicate)] = [_node(iri, title_of, labelled) for iri in iris]
    return document


def _node(iri: Iri, title_of: TitleOf, unlabelled: set[Iri]) -> dict[str, Json]:
    """A reference; its label is stated at its first mention."""
    if iri not in unlabelled:
        return {"@id": escape_iri(iri)}
    unlabelled.discard(iri)
    return {"@id": escape_iri(iri), "rdfs:label": title_of(iri)}


def _literals(record: Record, generation: str) -> list[tuple[Iri, list[str]]]:
    """(predicate, plain strings) in a fixed order; empty ones are left out."""
    full, short = record.get("full", ""), record.get("definition", "")
    stated = [
        (PREFIXES["rdfs"] + "label", [record["title"]]),
        (PREFIXES["skos"] + "altLabel", list(record.get("aliases", ()))),
        (PREFIXES["skos"] + "definition", [full or short]),
        (LOOM + "summary", [short if full else ""]),
        (PREFIXES["skos"] + "note", [record.get("prose", "")]),
        (LOOM + "domain", [record.get("domain", "")]),
        (LOOM + "maturity", [record.get("maturity", "")]),
        (PREFIXES["dcterms"] + "source", [record.get("source", "")]),
        (LOOM + "generation", [generation]),
    ]
    return [(predicate, kept) for predicate, texts in stated if (kept := [text for text in texts if text])]


def _references(record: Record) -> list[tuple[Iri, list[Iri]]]:
    stated = [
        (PREFIXES["rdfs"] + "subClassOf", list(record.get("parents", ()))),
        (LOOM + "ancestor", list(record.get("ancestors", ()))),
        (PREFIXES["dcterms"] + "isReplacedBy", list(record.get("replaced_by", ()))),
        *((predicate_iri(name), list(targets)) for name, targets in _relations(record)),
    ]
    return [(predicate, iris) for predicate, iris in stated if iris]


def _others(record: Record, references: Iterable[tuple[Iri, list[Iri]]]) -> list[Iri]:
    return [iri for iri in dict.fromkeys(iri for _, iris in references for iri in iris) if iri != record["iri"]]


def _relations(record: Record) -> list[tuple[str, list[Iri]]]:
    return sorted(record.get("relations", {}).items(), key=lambda item: relation_order(item[0]))


def predicate_iri(name: str) -> Iri:
    """The property of a relation name; a name that a fixed property already has gets `relation-` in front."""
    octets = _writable(f"relation-{name}" if name in _OWN else name).encode()
    return LOOM + "".join(chr(octet) if chr(octet) in _PLAIN else f"%{octet:02X}" for octet in octets)


_ILLEGAL = re.compile(r"[\x00-\x20<>\"{}|^`\\]")


def escape_iri(iri: Iri) -> Iri:
    """Characters that no IRI may hold, percent-encoded, so that a faulty IRI cannot break out of its brackets."""
    return _ILLEGAL.sub(lambda found: f"%{ord(found[0]):02X}", _writable(iri))


_SIMPLE = re.compile(r"[A-Za-z_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?")


def _curie(predicate: Iri) -> str:
    compact = _compact(predicate)
    return compact if compact != predicate else f"<{predicate}>"


def _compact(predicate: Iri) -> str:
    for prefix, namespace in PREFIXES.items():
        local = predicate.removeprefix(namespace)
        if local != predicate and _SIMPLE.fullmatch(local):
            return f"{prefix}:{local}"
    return predicate


_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
_TO_ESCAPE = re.compile(r"[\x00-\x1f\x7f\"\\]")


def _literal(text: str) -> str:
    escaped = _TO_ESCAPE.sub(lambda found: _ESCAPES.get(found[0]) or f"\\u{ord(found[0]):04X}", _writable(text))
    return f'"{escaped}"'


def _writable(text: str) -> str:
    """Lone surrogates, which UTF-8 cannot carry, become question marks."""
    return text.encode("utf-8", "replace").decode()


def dumped(document: Json) -> bytes:
    """JSON for people and machines alike: two spaces, characters as themselves."""
    return _writable(json.dumps(document, ensure_ascii=False, indent=2)).encode() + b"\n"
