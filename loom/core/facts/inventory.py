"""What the bases of a generation declare, by IRI: one look-up for whatever has to be named in a context."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from loom.core.facts.same import Same
from loom.core.facts.values import Attribute, Base, Entity, Metric, SourceFile
from loom.core.values import Iri


@dataclass(frozen=True, slots=True)
class Inventory:
    """Declarations by IRI; attributes by base and name; `linked` are entities that are concepts of the ontology, too. The order in which they were declared leaves no trace."""

    bases: dict[Iri, Base]
    sources: dict[Iri, SourceFile]
    entities: dict[Iri, Entity]
    metrics: dict[Iri, Metric]
    attributes: dict[tuple[Iri, str], Attribute]
    by_entity: dict[Iri, frozenset[Iri]]
    by_base: dict[Iri, tuple[SourceFile, ...]]
    iris_by_base: dict[Iri, frozenset[Iri]]
    linked: frozenset[Iri]

    def owner(self, source: Iri) -> Iri:
        """The base of a source, "" where nobody declares it."""
        found = self.sources.get(source)
        return found.base if found else ""

    def of_entity(self, entity: Iri) -> frozenset[Iri]:
        """The files that are about an entity, whichever side declares it."""
        return self.by_entity.get(entity, frozenset())

    def of_base(self, base: Iri) -> tuple[SourceFile, ...]:
        """The files of a base, by IRI."""
        return self.by_base.get(base, ())

    def files_of(self, base: Iri) -> frozenset[Iri]:
        """The IRIs of a base's files; the same object each time."""
        return self.iris_by_base.get(base, frozenset())

    def about(self, source: Iri, entity: Iri = "") -> str:
        """What a line about a source calls its subject: the entity, the only one of the file, or the file's title."""
        file = self.sources.get(source)
        if not entity and file and len(file.entities) == 1:
            entity = file.entities[0]
        found = self.entities.get(entity)
        return found.name if found else (file.title or file.name) if file else ""


def inventory(bases: Iterable[Base]) -> Inventory:
    """The declarations of bases in any order."""
    found = sorted(bases, key=lambda base: base.iri)
    sources = {one.iri: one for one in sorted((one for base in found for one in base.sources), key=lambda one: one.iri)}
    entities = {one.iri: one for base in found for one in base.entities}
    about: dict[Iri, set[Iri]] = {one.iri: set(one.sources) for one in entities.values()}
    own: dict[Iri, list[SourceFile]] = {}
    for source in sources.values():
        own.setdefault(source.base, []).append(source)
        for entity in source.entities:
            about.setdefault(entity, set()).add(source.iri)
    return Inventory(
        {base.iri: base for base in found},
        sources,
        entities,
        {one.iri: one for base in found for one in base.metrics},
        {(base.iri, one.name): one for base in found for one in base.attributes},
        {entity: frozenset(files) for entity, files in about.items()},
        {base: tuple(files) for base, files in own.items()},
        {base: frozenset(file.iri for file in files) for base, files in own.items()},
        frozenset(one.iri for one in entities.values() if one.titled),
    )


@lru_cache(maxsize=8)
def _kept(same: Same) -> Inventory:
    return inventory(same.bases)


def inventory_of(bases: Sequence[Base]) -> Inventory:
    """The declarations of these bases; kept for those last asked for."""
    return _kept(Same(bases))
