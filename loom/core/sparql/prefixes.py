"""Prefixes that hold in every query without being declared: well-known ones, and those of the corpus, which win."""

import json
from collections.abc import Mapping

WELL_KNOWN = {
    "dc": "http://purl.org/dc/elements/1.1/",
    "dcterms": "http://purl.org/dc/terms/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "loom": "urn:loom:ns#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "prov": "http://www.w3.org/ns/prov#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "sd": "http://www.w3.org/ns/sparql-service-description#",
    "sh": "http://www.w3.org/ns/shacl#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}


def known(corpus: bytes | memoryview) -> dict[str, str]:
    """The prefixes in force for a corpus whose own are `corpus`, a JSON object; what is no pair of texts is passed over."""
    try:
        given = json.loads(bytes(corpus))
    except ValueError:
        given = {}
    own: Mapping[object, object] = given if isinstance(given, dict) else {}
    return WELL_KNOWN | {name: iri for name, iri in own.items() if isinstance(name, str) and isinstance(iri, str) and iri}
