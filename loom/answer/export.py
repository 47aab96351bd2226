"""A generation written out in the formats of version 1: `scaffold-index.json` and `prose-index.json` (reference §2.1, §2.2).

Concepts are keyed by the local name of their IRI, and references are written as keys. Readers of the format reduce a
reference to `[a-z0-9-]`, so a local name with other characters is reduced in the same way, and where two concepts would have
one key, the later in order of IRI gets a number: `Keys.changed` names them. Output is compact JSON in pieces, in order of IRI,
and holds no time but the `generated` it is given.
"""

import json
from collections.abc import Iterable, Iterator

from loom.core.concepts import Concepts, relation_order
from loom.core.text import ref_to_slug, slug_of
from loom.core.values import Iri, Json

DEFINITION_MOST = 400
BACKLINKS_MOST = 20
VERSION = 1
BASE = "urn:ngm:class:"


class Keys:
    """The key of each IRI in the exported file. `changed` holds the keys that are not the local name of their IRI."""

    def __init__(self, concepts: Concepts) -> None:
        self.changed: dict[Iri, str] = {}
        iris = [concepts.iri(row) for row in range(concepts.count)]
        wanted = {iri: _key(iri) for iri in iris}
        taken = set(wanted.values())
        given: set[str] = set()
        for iri in iris:
            key, number = wanted[iri], 1
            while key in given or (number > 1 and key in taken):
                number += 1
                key = f"{wanted[iri]}-{number}"
            given.add(key)
            if key != slug_of(iri):
                self.changed[iri] = key

    def of(self, iri: Iri) -> str:
        return self.changed.get(iri) or _key(iri)


def _key(iri: Iri) -> str:
    """The local name as a reader of the format sees it. What came from such an index keeps the name that it had there."""
    slug = slug_of(iri)
    return slug if iri.startswith(BASE) else ref_to_slug(slug) or "concept"


def scaffold_index_v1(concepts: Concepts, generated: str) -> Iterator[str]:
    """The pieces of a `scaffold-index.json`, one a concept."""
    keys = Keys(concepts)
    head = f'{{"version":{VERSION},"generated":{_json(generated)},"counts":{{"classes":{concepts.count}}},"classes":{{'
    return _joined(head, ((keys.of(record["iri"]), _class(record, keys)) for record in _records(concepts)))


def prose_index_v1(concepts: Concepts, generated: str) -> Iterator[str]:
    """The pieces of a `prose-index.json`: only concepts that have a longer definition or prose."""
    keys = Keys(concepts)
    pages = [(keys.of(record["iri"]), page) for record in _records(concepts) if (page := _page(record))]
    head = f'{{"version":{VERSION},"generated":{_json(generated)},"counts":{{"pages":{len(pages)}}},"pages":{{'
    return _joined(head, pages)


def _records(concepts: Concepts) -> Iterator[dict[str, Json]]:
    return (concepts.record(row) for row in range(concepts.count))


def _joined(head: str, members: Iterable[tuple[str, Json]]) -> Iterator[str]:
    yield head
    for at, (key, value) in enumerate(members):
        yield f"{',' if at else ''}{_json(key)}:{_json(value)}"
    yield "}}\n"


def _class(record: dict[str, Json], keys: Keys) -> dict[str, Json]:
    relations: dict[str, list[str]] = {}
    for name, targets in record.get("relations", {}).items():
        relations.setdefault(name, []).extend(keys.of(iri) for iri in targets)
    return {
        "t": record["title"],
        "d": record.get("definition", "")[:DEFINITION_MOST],
        "dom": record.get("domain", ""),
        "q": record.get("quality"),
        "m": record.get("maturity", ""),
        "sup": [keys.of(iri) for iri in record.get("parents", ())],
        "isup": [keys.of(iri) for iri in record.get("ancestors", ())],
        "rel": {name: relations[name] for name in sorted(relations, key=relation_order) if relations[name]},
        "bl": [keys.of(iri) for iri in record.get("backlinks", ())][:BACKLINKS_MOST],
    }


def _page(record: dict[str, Json]) -> dict[str, str]:
    definition = record.get("definition", "")
    full = record.get("full", "") or (definition if len(definition) > DEFINITION_MOST else "")
    return {key: text for key, text in (("dfull", full), ("cl", record.get("prose", ""))) if text}


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
