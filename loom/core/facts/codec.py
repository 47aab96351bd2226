"""Values of knowledge bases as canonical JSON and back: members that hold their default are left out, decimals are texts."""

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from decimal import Decimal
from typing import Any

from loom.core.concepts import canonical
from loom.core.facts.values import Attribute, Base, Entity, Fact, Metric, SourceFile, Span, StatedRow
from loom.core.values import Json, Where


def encoded(value: Any, *without: str) -> Json:
    """A value as JSON; `without` names members of it that are stated elsewhere."""
    if is_dataclass(value):
        members = ((one.name, one.default, getattr(value, one.name)) for one in fields(value))
        return {
            name: encoded(held)
            for name, default, held in members
            if name not in without and (default is MISSING or held != default)
        }
    if isinstance(value, tuple | list):
        return [encoded(one) for one in value]
    return str(value) if isinstance(value, Decimal) else value


def line(value: Any, *without: str) -> str:
    """One line of canonical JSON, with its end."""
    return canonical(encoded(value, *without)).encode("utf-8", "replace").decode() + "\n"


def base_of(record: Mapping[str, Json]) -> Base:
    return Base(
        **{
            **_plain(record),
            "attributes": tuple(Attribute(**_plain(one)) for one in record.get("attributes", ())),
            "sources": tuple(_source(one) for one in record.get("sources", ())),
            "entities": tuple(Entity(**_plain(one)) for one in record.get("entities", ())),
            "metrics": tuple(Metric(**_plain(one)) for one in record.get("metrics", ())),
        }
    )


def fact_of(record: Mapping[str, Json]) -> Fact:
    return Fact(**record)


def span_of(record: Mapping[str, Json]) -> Span:
    end = record.get("end")
    members = {**record, "start": Decimal(record["start"]), "end": None if end is None else Decimal(end)}
    return Span(**_placed(members))


def row_of(record: Mapping[str, Json]) -> StatedRow:
    return StatedRow(**_plain(record))


def _source(record: Mapping[str, Json]) -> SourceFile:
    return SourceFile(**_placed(_plain(record)))


def _placed(members: Mapping[str, Any]) -> dict[str, Any]:
    return {**members, "where": Where(**members["where"])} if "where" in members else dict(members)


def _plain(record: Mapping[str, Json]) -> dict[str, Any]:
    """Members with their lists as tuples, two levels down."""
    return {name: _tuple(value) if isinstance(value, list) else value for name, value in record.items()}


def _tuple(values: list[Any]) -> tuple[Any, ...]:
    return tuple(tuple(one) if isinstance(one, list) else one for one in values)
