"""What a question names, as files: the address that names resolve to (R11).

A file is its own address, a base all of its files, and an entity that some file is about alone stands for its files. An entity that
only shares files with others anchors: its base is spoken of, and nothing is left out for its sake.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from loom.core.facts.asked import Ask
from loom.core.facts.same import Same
from loom.core.facts.values import Base, Held, SourceFile
from loom.core.values import Iri


@dataclass(frozen=True, slots=True)
class Subject:
    """One named thing. `binds` says that it is an address, not an anchor alone."""

    iri: Iri
    name: str
    kind: str
    base: Iri
    sources: tuple[SourceFile, ...]
    binds: bool


class Homes:
    """Whose everything is: the base of each base, file and entity, and the files about each entity, whichever side declares it."""

    def __init__(self, bases: Iterable[Base]) -> None:
        bases = sorted(bases, key=lambda base: base.iri)
        self.bases = {base.iri: base for base in bases}
        self.files = {source.iri: source for base in bases for source in base.sources}
        self.entities = {entity.iri: entity for base in bases for entity in base.entities}
        self.base_of = {base.iri: base.iri for base in bases}
        self.base_of |= {source.iri: base.iri for base in bases for source in base.sources}
        self.base_of |= {entity.iri: base.iri for base in bases for entity in base.entities}
        about: dict[Iri, set[Iri]] = {}
        for source in self.files.values():
            for iri in source.entities:
                about.setdefault(iri, set()).add(source.iri)
        for entity in self.entities.values():
            about.setdefault(entity.iri, set()).update(iri for iri in entity.sources if iri in self.files)
        self.about = {entity: tuple(self.files[iri] for iri in sorted(found)) for entity, found in about.items()}
        self.anchors_only = frozenset(iri for iri in self.entities if not self._stands(iri))

    def _stands(self, entity: Iri) -> bool:
        """Whether an entity stands for its files: one of them is about nothing else."""
        return any(set(file.entities) <= {entity} for file in self.about[entity])


@lru_cache(maxsize=8)
def _homes(same: Same) -> Homes:
    return Homes(same.bases)


def homes_of(bases: Sequence[Base]) -> Homes:
    """The homes in these bases; kept for those last asked for."""
    return _homes(Same(bases))


def subjects(held: Held, ask: Ask) -> tuple[Subject, ...]:
    """The named things, entities first, then files, then bases, each in the order of the question. A file that was named makes its
    entity's others no address, and what was named inside a base makes the base itself none."""
    homes = homes_of(held.bases)
    files = tuple(homes.files[iri] for iri in dict.fromkeys((*ask.sources, *ask.carried)) if iri in homes.files)
    found = [_entity(homes, iri, files) for iri in ask.entities if iri in homes.entities]
    found += [Subject(file.iri, file.title or file.name, "source", file.base, (file,), True) for file in files]
    inner = {subject.base for subject in found if subject.binds}
    for base in (homes.bases[iri] for iri in ask.bases if iri in homes.bases):
        found.append(Subject(base.iri, base.title or base.id, "base", base.iri, base.sources, base.iri not in inner))
    return tuple(found)


def _entity(homes: Homes, iri: Iri, named: tuple[SourceFile, ...]) -> Subject:
    files = homes.about[iri]
    narrower = tuple(file for file in files if file in named)
    binds = iri not in homes.anchors_only or bool(narrower)
    return Subject(iri, homes.entities[iri].name, "entity", homes.base_of[iri], narrower or files, binds)
