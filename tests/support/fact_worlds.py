"""Small random knowledge bases with questions about them, for what must hold of any context."""

import random
from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TypeVar

from loom.core.facts.asked import Ask, Note, Position, Route
from loom.core.facts.inventory import Inventory, inventory
from loom.core.facts.memory_held import MemoryHeld
from loom.core.facts.values import STATISTICS, Attribute, Base, Entity, Fact, Metric, Reading, SourceFile, Span, StatedRow
from loom.core.policy.packing import pack_lines, pack_whole
from loom.core.values import Block, Evidence, Iri

WORDS = "amber basin cedar delta ember fjord grove heron inlet jetty knoll ledge".split()
T = TypeVar("T")
LANGUAGES = ("en", "it", "de", "fr", "es", "", "pl")


@dataclass(frozen=True, slots=True)
class World:
    """Everything that a context is made of."""

    bases: tuple[Base, ...]
    facts: tuple[Fact, ...]
    spans: tuple[Span, ...]
    readings: tuple[Reading, ...]
    rows: tuple[StatedRow, ...]
    ask: Ask
    route: Route

    @property
    def held(self) -> MemoryHeld:
        return MemoryHeld(self.bases, self.facts, self.spans, self.readings, self.rows)

    @property
    def stock(self) -> Inventory:
        return inventory(self.bases)

    def shuffled(self, seed: int) -> "World":
        """The same, declared and given in another order."""
        draw = random.Random(seed)

        def mixed(things: Iterable[T]) -> tuple[T, ...]:
            listed = list(things)
            return tuple(draw.sample(listed, len(listed)))

        bases = [
            replace(
                base,
                sources=mixed(replace(one, aliases=mixed(one.aliases)) for one in base.sources),
                entities=mixed(replace(one, sources=mixed(one.sources)) for one in base.entities),
                metrics=mixed(base.metrics),
                attributes=mixed(base.attributes),
            )
            for base in self.bases
        ]
        return replace(
            self,
            bases=mixed(bases),
            facts=mixed(self.facts),
            spans=self.spans,
            readings=mixed(self.readings),
            rows=mixed(self.rows),
        )


def world(seed: int) -> World:
    """One to three bases of one or two programmes, each with a series, a transcript and perhaps a table."""
    draw = random.Random(f"{seed}:world")
    bases: list[Base] = []
    facts: list[Fact] = []
    spans: list[Span] = []
    readings: list[Reading] = []
    rows: list[StatedRow] = []
    for number in range(draw.randint(1, 3)):
        base = f"urn:kb:{number}:"
        metrics = tuple(
            Metric(
                f"{base}metric/{name}", base, name, draw.choice(("%", "EUR", "")),
                derived=tuple(draw.sample(("difference", "percent_change"), draw.randint(0, 2))),
            )
            for name in ("zeal", "yield")[: draw.randint(1, 2)]
        )  # fmt: skip
        sources: list[SourceFile] = []
        entities: list[Entity] = []
        for which in range(draw.randint(1, 2)):
            entity = f"{base}entity/{which}"
            series, talk, table = (f"{base}source/{which}.{end}" for end in ("csv", "txt", "tsv"))
            name = f"{draw.choice(WORDS)} {number}{which}".title()
            title = f"{draw.choice(WORDS)} file"
            sources.append(SourceFile(series, base, f"{number}-{which}.csv", title, "series", (), "tick", (entity,)))
            sources.append(SourceFile(talk, base, f"{number}-{which}.txt", name, "transcript", (), "tick", (entity,)))
            entities.append(Entity(entity, base, name, (), (series, talk)))
            at = Decimal(0)
            for place in range(draw.randint(0, 3)):
                end = at + draw.randint(5, 20)
                text = " ".join(draw.choices(WORDS, k=draw.choice((3, 8, 30))))
                spans.append(Span(f"{base}span/{which}.txt/{place + 1}", base, talk, at, end, f"[{at}]", f"{text}."))
                at = end + draw.choice((0, 0, 7))
            mine = [span for span in spans if span.source == talk]
            for metric in metrics:
                for statistic in draw.sample(STATISTICS, draw.randint(1, len(STATISTICS))):
                    number_text = f"{draw.randint(1, 999)}.{draw.randint(0, 99)}"
                    where = draw.choice(mine) if mine and statistic != "count" else None
                    facts.append(
                        Fact(
                            f"{base}fact/{which}.csv/{metric.name}/{statistic}", base, series, entity, metric.iri, statistic,
                            draw.choice((number_text, number_text.replace(".", ","))), metric.unit,
                            str(where.start) if where else "", 1, draw.choice((0, 0, 3)), where.iri if where else "",
                            draw.choice((0, 2)), number_text, str(where.start) if where else "",
                        )
                    )  # fmt: skip
                for row in range(draw.randint(0, 3)):
                    value = str(draw.randint(100, 999))
                    readings.append(Reading(series, entity, metric.iri, str(row * 5), value, metric.unit, row + 1))
            if draw.random() < 0.4:
                sources.append(SourceFile(table, base, f"{number}-{which}.tsv", f"{name} table", "table", (), "", (entity,)))
                for row in range(1, draw.randint(2, 5)):
                    value = str(draw.randint(1000, 9999))
                    rows.append(StatedRow(table, ("item", "zeal"), (draw.choice(WORDS), value), row, entity))
                    stated = f"{base}fact/{which}.tsv/zeal/stated/{row}"
                    facts.append(Fact(stated, base, table, entity, metrics[0].iri, "stated", value, "", row=row, number=value))
        attribute = Attribute("tick", "t", window=draw.choice(("0", "8", "30")))
        bases.append(
            Base(
                base, str(number), f"Shelf {number}", draw.choice(LANGUAGES), (), (attribute,), tuple(sources), tuple(entities),
                metrics,
            )
        )  # fmt: skip
    ask, route = _asked(draw, bases)
    return World(tuple(bases), tuple(facts), tuple(spans), tuple(readings), tuple(rows), ask, route)


def _asked(draw: random.Random, bases: list[Base]) -> tuple[Ask, Route]:
    """A question as a reader would give it, and where it is answered from: by sources, entities, activation, or nowhere."""
    way = draw.choice(("source", "source", "entity", "active", "nowhere", "absent"))
    text = " ".join(draw.choices(WORDS, k=4))
    some = draw.sample(bases, draw.randint(1, len(bases)))
    metrics = tuple(sorted(metric.iri for base in some for metric in draw.sample(base.metrics, draw.randint(0, 1))))
    statistics = tuple(draw.sample(("max", "min"), draw.choice((0, 1, 1, 2))))
    positions = tuple(
        Position(base.iri, "tick", Decimal(draw.randint(0, 40)), draw.choice((None, None, Decimal(50))), draw.random() < 0.5)
        for base in some
        if draw.random() < 0.4
    )
    sources = tuple(sorted(one.iri for base in some for one in draw.sample(base.sources, draw.randint(1, len(base.sources)))))
    entities = tuple(sorted(draw.choice(base.entities).iri for base in some))
    ask = Ask(text, "en", (), (), (), metrics, statistics, positions, draw.random() < 0.3, draw.random() < 0.5)
    scores = {base.iri: round(draw.uniform(0.1, 3.0), 3) for base in some}
    routed = tuple(sorted(scores.items(), key=lambda one: (-one[1], one[0])))
    notes = (Note("position", "No position 999 exists."),) if draw.random() < 0.15 else ()
    if way == "source":
        return replace(ask, sources=sources), Route(routed, True, frozenset(sources), notes)
    if way == "entity":
        return replace(ask, entities=entities), Route(routed, False, frozenset(), notes)
    if way == "active":
        return replace(ask, positions=()), Route(routed)
    if way == "absent":
        return replace(ask, unowned=("Nobody's",)), Route((), True, frozenset(), (Note("absent", "No such thing."),))
    return replace(ask, metrics=(), positions=()), Route()


def packed(evidence: list[Evidence], budget: int, *, whole: bool = False) -> Block:
    """The evidence as a policy of the node packs it."""
    return (pack_whole if whole else pack_lines)(evidence, budget)


def source_of(found: Evidence, world: World) -> Iri:
    """The file that a piece of evidence is of, by its address; "" where it is of none."""
    for base in world.bases:
        for source in base.sources:
            if found.home == source.iri or found.iri.removesuffix("#rows") == source.iri:
                return source.iri
    return ""
