"""What a question names, as files: the address that names resolve to (R11).

A file is its own address, a base all of its files, and an entity that some file is about alone stands for its files. An entity that
only shares files with others anchors: its base is spoken of, and nothing is left out for its sake.
"""

from dataclasses import dataclass

from loom.core.facts.asked import Ask
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


def subjects(held: Held, ask: Ask) -> tuple[Subject, ...]:
    """The named things, entities first, then files, then bases, each in the order of the question. A file that was named makes its
    entity's others no address, and what was named inside a base makes the base itself none."""
    bases = {base.iri: base for base in held.bases}
    home = {source.iri: base for base in held.bases for source in base.sources}
    home |= {entity.iri: base for base in held.bases for entity in base.entities}
    named = [iri for iri in (*ask.sources, *ask.carried) if iri in home]
    files = tuple(_file(home[iri], iri) for iri in dict.fromkeys(named))
    found = [_entity(home[iri], iri, files) for iri in ask.entities if iri in home]
    found += [Subject(file.iri, file.title or file.name, "source", file.base, (file,), True) for file in files]
    inner = {subject.base for subject in found if subject.binds}
    found += [
        Subject(iri, bases[iri].title or bases[iri].id, "base", iri, bases[iri].sources, iri not in inner)
        for iri in ask.bases
        if iri in bases
    ]
    return tuple(found)


def files_of(base: Base, entity: Iri) -> tuple[SourceFile, ...]:
    """All files about an entity, by IRI, whichever side declares it."""
    listed = next((set(one.sources) for one in base.entities if one.iri == entity), set())
    about = (source for source in base.sources if entity in source.entities or source.iri in listed)
    return tuple(sorted(about, key=lambda source: source.iri))


def stands(files: tuple[SourceFile, ...], entity: Iri) -> bool:
    """Whether an entity stands for its files: one of them is about nothing else."""
    return any(set(file.entities) <= {entity} for file in files)


def _file(base: Base, iri: Iri) -> SourceFile:
    return next(source for source in base.sources if source.iri == iri)


def _entity(base: Base, iri: Iri, named: tuple[SourceFile, ...]) -> Subject:
    entity = next(one for one in base.entities if one.iri == iri)
    files = files_of(base, iri)
    narrower = tuple(file for file in files if file in named)
    return Subject(iri, entity.name, "entity", base.iri, narrower or files, stands(files, iri) or bool(narrower))
