"""A generation written out in the formats of version 1: `scaffold-index.json` and `prose-index.json` (reference §2.1, §2.2).

Concepts are keyed by the local name of their IRI, so the format cannot tell apart two concepts whose IRIs end alike: the
first keeps the short key, each later one is keyed by its whole IRI, and `shared_slugs` counts them. References are written as
keys. Output is compact JSON in pieces, in order of IRI, and holds no time but the `generated` it is given.
"""

import json
import re
from collections.abc import Iterable, Iterator

from loom.core.concepts import Concepts, relation_order
from loom.core.text import slug_of
from loom.core.values import Iri, Json

DEFINITION_MOST = 400
BACKLINKS_MOST = 20
VERSION = 1


class Keys:
    """The key of each IRI in the exported file."""

    def __init__(self, concepts: Concepts) -> None:
        self._own: dict[Iri, str] = {}
        taken: set[str] = set()
        for row in range(concepts.count):
            iri = concepts.iri(row)
            slug = slug_of(iri)
            if slug in taken:
                self._own[iri] = iri
            taken.add(slug)

    @property
    def shared_slugs(self) -> tuple[Iri, ...]:
        return tuple(self._own)

    def of(self, iri: Iri) -> str:
        return self._own.get(iri) or slug_of(iri)


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
        relations.setdefault(camel(name), []).extend(keys.of(iri) for iri in targets)
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


def camel(name: str) -> str:
    """A relation name in camel case: `has-part`, `has part` and `hasPart` are one relation."""
    first, *rest = [piece for piece in re.split(r"[-_\s]+", name) if piece] or [name]
    return first + "".join(piece[:1].upper() + piece[1:] for piece in rest)


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
