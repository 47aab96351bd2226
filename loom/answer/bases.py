"""Facts and units of content of the served generation, listed by what is declared; nothing here is found by likeness."""

import csv
import io
import re
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from typing import TypeVar
from urllib.parse import unquote

from loom.core.errors import BadInput, NotFound
from loom.core.facts.numerals import plain, position_of
from loom.core.facts.sealed import held_of
from loom.core.facts.values import STATISTICS, Attribute, Base, Fact, Held, Names, SourceFile, Span
from loom.core.generation import Generation
from loom.core.names import fold_name
from loom.core.values import Iri, Json

One = TypeVar("One")

MOST = 10_000
LIMIT = 1_000
STATED = "stated"
FIELDS = (
    "iri", "source", "source_title", "entity", "entity_name", "metric", "metric_name", "statistic", "value", "unit", "number",
    "position", "at", "row", "ties", "skipped", "span", "base",
)  # fmt: skip
_PLACE = r"\d{4}-\d{2}-\d{2}|-?[0-9:]+(?:[.,][0-9]+)?"
AT = rf"\s*(?P<start>{_PLACE})\s*(?:(?:\.\.|-|–|,\s)\s*(?P<end>{_PLACE}))?\s*"
"""A point, or a range from a position up to one that is no longer in it."""


def bases_of(generation: Generation) -> Held:
    """The bases of a generation; raises NotFound where it has none."""
    held = held_of(generation)
    if held is None:
        raise NotFound("The generation has no knowledge bases; build it from a folder with a kb.toml to have facts and spans.")
    return held


def listed(
    held: Held, source: str | None, metric: str | None, statistic: str | None, limit: int = LIMIT, offset: int = 0
) -> dict[str, Json]:
    """Facts that fit all filters, by IRI: `total` of them, and those from `offset` on. Sources and metrics are given by IRI or by a
    declared name; what several share means all of them. Raises NotFound for a name that nobody has."""
    if statistic is not None and statistic not in (*STATISTICS, STATED):
        raise BadInput(
            f"Expected one of {', '.join((*STATISTICS, STATED))} as statistic, not {statistic!r}.", param="statistic"
        )
    if not 1 <= limit <= MOST:
        raise BadInput(f"Expected a limit from 1 to {MOST:,}, not {limit}.", param="limit")
    if offset < 0:
        raise BadInput(f"Expected an offset of 0 or more, not {offset}.", param="offset")
    sources: Sequence[Iri | None] = [None] if source is None else [one.iri for one in sources_named(held, source)]
    metrics: Sequence[Iri | None] = [None] if metric is None else metrics_named(held, metric)
    every: Sequence[Fact]
    if len(sources) == len(metrics) == 1:
        # They come by IRI, and of a million few are read.
        every = held.facts(sources[0], metrics[0], statistic)
    else:
        found = {fact.iri: fact for one in sources for other in metrics for fact in held.facts(one, other, statistic)}
        every = [found[iri] for iri in sorted(found)]
    names = names_of(held.bases)
    chosen = every[offset : offset + limit]
    return {"total": len(every), "offset": offset, "facts": [fact_json(fact, names) for fact in chosen]}


def as_csv(facts: Iterable[dict[str, Json]]) -> bytes:
    """Facts as CSV (RFC 4180) with a header, values as their sources write them."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, FIELDS, lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(facts)
    return text.getvalue().encode("utf-8", "replace")


def spans_at(held: Held, source: str, at: str | None, limit: int = LIMIT) -> dict[str, Json]:
    """The units of a source at a point ("146", "2:26"), in a range ("2:00-3:00", its end not in it), or all. Where nothing is, the
    answer is empty and a note says so."""
    if not 1 <= limit <= MOST:
        raise BadInput(f"Expected a limit from 1 to {MOST:,}, not {limit}.", param="limit")
    found = sources_named(held, source)
    if len(found) > 1:
        listed = ", ".join(one.iri for one in found)
        raise BadInput(
            f"Expected the name of one source, but {source!r} is that of {len(found)}: {listed}; give an IRI.", param="source"
        )
    one = found[0]
    attribute = next(
        (a for base in held.bases if base.iri == one.base for a in base.attributes if a.name == one.attribute), None
    )
    spans, asked, note = _at(held, one, attribute, at)
    answer: dict[str, Json] = {
        "source": {"iri": one.iri, "name": one.name, "title": one.title, "kind": one.kind},
        "attribute": {"name": attribute.name, "unit": attribute.unit} if attribute else None,
        "at": asked,
        "spans": [_span(span) for span in spans[:limit]],
        "total": len(spans),
    }
    return {**answer, "note": note} if note else answer


def _at(
    held: Held, source: SourceFile, attribute: Attribute | None, at: str | None
) -> tuple[Sequence[Span], dict[str, str] | None, str]:
    """Spans, the position as it was read, and a note where there is none."""
    if at is None:
        spans = held.spans(source.iri)
        return spans, None, "" if spans else f"{source.title} ({source.name}) has no content by position."
    found = re.fullmatch(AT, at)
    start = position_in(found["start"], attribute) if found else None
    end = position_in(found["end"], attribute) if found and found["end"] else None
    if found is None or start is None or (found["end"] and (end is None or end <= start)):
        clock = ", 2:26 or 2:00-3:00" if attribute and attribute.clock else ""
        if attribute and attribute.dates:
            raise BadInput(
                f"Expected a day or a range such as 2026-03-12 or 2026-03-12..2026-03-20 as at, not {at!r}.", param="at"
            )
        raise BadInput(f"Expected a position or a range such as 146, 120-180{clock} as at, not {at!r}.", param="at")
    unit = attribute.name if attribute else "position"
    if end is None:
        span = held.at(source.iri, start)
        note = "" if span else f"{source.title} ({source.name}) has nothing at {unit} {plain(start)}."
        return [span] if span else [], {"start": plain(start)}, note
    spans = held.window(source.iri, start, end)
    note = "" if spans else f"{source.title} ({source.name}) has nothing from {unit} {plain(start)} to {plain(end)}."
    return spans, {"start": plain(start), "end": plain(end)}, note


def position_in(text: str, attribute: Attribute | None) -> Decimal | None:
    return position_of(
        text.replace(",", "."), clock=bool(attribute and attribute.clock), dates=bool(attribute and attribute.dates)
    )


def sources_named(held: Held, name: str) -> list[SourceFile]:
    """Sources with this IRI, else those with this path, title or alias, by IRI; raises NotFound where there is none."""
    sources = [source for base in held.bases for source in base.sources]
    return _named(sources, name, lambda one: one.iri, lambda one: (one.name, one.title, *_of(one.aliases)), "source")


def metrics_named(held: Held, name: str) -> list[Iri]:
    metrics = [metric for base in held.bases for metric in base.metrics]
    return [one.iri for one in _named(metrics, name, lambda one: one.iri, lambda one: (one.name, *_of(one.words)), "metric")]


def _named(
    ones: Sequence[One], name: str, iri: Callable[[One], Iri], names: Callable[[One], Iterable[str]], what: str
) -> list[One]:
    """Those with this IRI or its percent-decoded form, else those with this name."""
    for address in (name, unquote(name)):
        if found := [one for one in ones if address in (iri(one), unquote(iri(one)))]:
            return found
    wanted = fold_name(unquote(name))
    if wanted and (found := [one for one in ones if wanted in map(fold_name, names(one))]):
        return sorted(found, key=iri)
    known = ", ".join(next(iter(names(one))) for one in ones[:5])
    raise NotFound(
        f"No {what} of the knowledge bases is called {name!r}; there are {known or 'none'}{', …' if len(ones) > 5 else ''}.",
        param=what,
    )


def _of(names: Names) -> list[str]:
    return [name for _, name in names]


def names_of(bases: Sequence[Base]) -> dict[Iri, str]:
    found = {source.iri: source.title for base in bases for source in base.sources}
    found |= {entity.iri: entity.name for base in bases for entity in base.entities}
    return found | {metric.iri: metric.name for base in bases for metric in base.metrics}


def fact_json(fact: Fact, names: dict[Iri, str]) -> dict[str, Json]:
    known = {
        "source_title": names.get(fact.source, ""),
        "entity_name": names.get(fact.entity, ""),
        "metric_name": names.get(fact.metric, ""),
    }
    return {field: known[field] if field in known else getattr(fact, field) for field in FIELDS}


def _span(span: Span) -> dict[str, Json]:
    return {
        "iri": span.iri,
        "start": plain(span.start),
        "end": None if span.end is None else plain(span.end),
        "label": span.label,
        "text": span.text,
        "where": str(span.where),
    }
