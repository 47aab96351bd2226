"""Values of series at one position of their source, as its file writes them: rows that no statistic tells of."""

from collections.abc import Iterator
from decimal import Decimal

from loom.answer.bases import fact_json, names_of
from loom.core.facts.minting import row_of
from loom.core.facts.series import there
from loom.core.facts.values import Fact, Held
from loom.core.values import Iri, Json

READING = "reading"
"""The statistic of a value that is read and not computed."""


def with_readings(held: Held, found: dict[str, Json]) -> dict[str, Json]:
    """What `spans_at` found, with the `readings` at a point of a source that holds series; where there are any, no note denies it."""
    asked = found["at"]
    if asked is None or "end" in asked:
        return found
    names = names_of(held.bases)
    readings = [fact_json(fact, names) for fact in _read(held, found["source"]["iri"], Decimal(asked["start"]))]
    if not readings:
        return found
    return {**{name: value for name, value in found.items() if name != "note"}, "readings": readings}


def _read(held: Held, source: Iri, position: Decimal) -> Iterator[Fact]:
    computed = [fact for fact in held.facts(source) if fact.statistic != "stated"]
    for metric in sorted({fact.metric for fact in computed}):
        told = sorted({fact.entity for fact in computed if fact.metric == metric})
        for entity in told if len(told) > 1 else [None]:
            for one in there(held, source, metric, entity, position):
                yield Fact(
                    iri=row_of(source, one.row),
                    base=computed[0].base,
                    source=one.source,
                    entity=one.entity,
                    metric=one.metric,
                    statistic=READING,
                    value=one.value,
                    unit=one.unit,
                    position=one.position,
                    row=one.row,
                    span=one.span,
                    at=one.at or one.position,
                )
