"""A knowledge base as the generator makes it: its files as text, and the manifest that declares them."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

Aliases = Mapping[str, tuple[str, ...]]
"""Names by language."""
MANIFEST = "kb.toml"


@dataclass(frozen=True, slots=True)
class Attribute:
    name: str
    unit: str = ""
    words: Mapping[str, int] = field(default_factory=dict)
    clock: bool = False
    window: int = 30


@dataclass(frozen=True, slots=True)
class Entity:
    id: str
    name: str
    aliases: Aliases = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Metric:
    id: str
    name: str
    unit: str = ""
    words: Aliases = field(default_factory=dict)
    statistics: tuple[str, ...] = ("min", "max", "first", "last", "count")
    derived: tuple[str, ...] = ("difference",)


@dataclass(frozen=True, slots=True)
class File:
    """One file with its entry in the manifest. `values` are columns by metric id; members that are empty are not written."""

    path: str
    title: str
    kind: str
    text: str
    entities: tuple[str, ...] = ()
    attribute: str = ""
    position: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    entity_column: str = ""
    decimal: str = ""
    aliases: Aliases = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class KnowledgeBase:
    id: str
    title: str
    language: str
    files: tuple[File, ...]
    aliases: Aliases = field(default_factory=dict)
    attributes: tuple[Attribute, ...] = ()
    entities: tuple[Entity, ...] = ()
    metrics: tuple[Metric, ...] = ()

    def contents(self) -> dict[str, str]:
        """Texts by path inside of the base's folder, the manifest first."""
        return {MANIFEST: "\n".join(_manifest(self)) + "\n", **{file.path: file.text for file in self.files}}


def _manifest(base: KnowledgeBase) -> Iterator[str]:
    yield from _lines(id=base.id, title=base.title, language=base.language, aliases=base.aliases)
    for attribute in base.attributes:
        yield "\n[[attribute]]"
        yield from _lines(
            name=attribute.name,
            unit=attribute.unit,
            words=attribute.words,
            clock=attribute.clock,
            window=attribute.window,
        )
    for entity in base.entities:
        yield "\n[[entity]]"
        yield from _lines(id=entity.id, name=entity.name, aliases=entity.aliases)
    for metric in base.metrics:
        yield "\n[[metric]]"
        yield from _lines(
            id=metric.id,
            name=metric.name,
            unit=metric.unit,
            words=metric.words,
            statistics=metric.statistics,
            derived=metric.derived,
        )
    for file in base.files:
        yield "\n[[file]]"
        one = len(file.entities) == 1
        yield from _lines(
            path=file.path,
            title=file.title,
            kind=file.kind,
            entity=file.entities[0] if one else "",
            entities=() if one else file.entities,
            entity_column=file.entity_column,
            attribute=file.attribute,
            position=file.position,
            values=file.values,
            decimal=file.decimal,
            aliases=file.aliases,
        )


def _lines(**members: object) -> Iterator[str]:
    return (f"{name} = {_toml(value)}" for name, value in members.items() if value)


def _toml(value: object) -> str:
    """A value as TOML writes it; texts of the corpus hold nothing that TOML and JSON write otherwise."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{name} = {_toml(one)}" for name, one in value.items()) + " }"
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
