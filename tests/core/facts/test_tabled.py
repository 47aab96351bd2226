"""Stated rows and marks of sealed bases are those that memory gives, for any bases and questions."""

import random
from dataclasses import replace
from decimal import Decimal

import pytest
from support import held_bases as tv
from support.held_bases import sealed_held

from loom.core.facts.content import BaseContent
from loom.core.facts.memory_held import MemoryHeld
from loom.core.facts.values import Entity, Fact, SourceFile, StatedRow

TABLES = tuple(f"{tv.BASE}source/t{number}.csv" for number in range(3))
ENTITIES = tuple(f"{tv.BASE}entity/e{number}" for number in range(4))
METRICS = tuple(f"{tv.BASE}metric/m{number}" for number in range(3))
POSITIONS = ("", "", "0", "1", "1.0", "1.00000000000000000001", "2.5", "10", "-3", "1e2")


def made(seed: int) -> tuple[MemoryHeld, BaseContent]:
    draw = random.Random(f"tabled:{seed}")
    rows, facts = [], []
    for table in TABLES[: draw.randrange(4)]:
        for number in sorted(draw.sample(range(1, 40), draw.randrange(1, 30))):
            entity, at = draw.choice(("", *ENTITIES)), draw.choice(POSITIONS)
            rows.append(StatedRow(table, ("a", "b"), (str(number), draw.choice("xy")), number, entity))
            for metric in draw.sample(METRICS, draw.randrange(3)):
                value = draw.choice(("1", "1.0", "2", "n/a"))
                exact = f"{Decimal(at):f}" if at else ""
                facts.append(
                    Fact(
                        f"{tv.BASE}fact/{draw.random()}", tv.BASE, table, entity, metric, "stated", value, row=number,
                        number="" if value == "n/a" else value, position=at, at=exact,
                    )
                )  # fmt: skip
    for metric in METRICS:
        facts.append(
            Fact(f"{tv.BASE}fact/{draw.random()}", tv.BASE, tv.RATINGS, draw.choice(("", ENTITIES[0])), metric, "max", "1")
        )
    sources = tuple(
        SourceFile(table, tv.BASE, table[-6:], table, "table", entities=draw.choice(((), ENTITIES[:1]))) for table in TABLES
    )
    base = replace(tv.base(), sources=(*tv.base().sources, *sources))
    base = replace(base, entities=(*base.entities, *(Entity(iri, tv.BASE, iri) for iri in ENTITIES)))
    draw.shuffle(rows)
    draw.shuffle(facts)
    return MemoryHeld([base], facts, (), (), rows), BaseContent(base, facts, (), (), rows)


@pytest.mark.parametrize("seed", range(40))
def test_sealed_rows_are_those_of_memory(seed: int) -> None:
    memory, content = made(seed)
    sealed = sealed_held([content])
    draw = random.Random(f"asked:{seed}")
    for _ in range(40):
        source = draw.choice((*TABLES, tv.RATINGS, "urn:none"))
        metrics = draw.sample((*METRICS, "urn:none"), draw.randrange(4))
        entities = frozenset(draw.sample((*ENTITIES, "urn:none"), draw.randrange(3)))
        start = Decimal(draw.choice(POSITIONS[2:]))
        positions = draw.choice(
            ((), ((start, None),), ((start, start + draw.randrange(4)),), ((start, None), (Decimal(0), Decimal(2))))
        )
        found = list(memory.stated(source, metrics, entities, positions))
        assert list(sealed.stated(source, metrics, entities, positions)) == found
        numbers = [row.row for row in found] + [99]
        assert [sealed.row(source, number) for number in numbers] == [memory.row(source, number) for number in numbers]
        assert list(sealed.rivals(source, numbers)) == list(memory.rivals(source, numbers))
        metric, whom = draw.choice((*METRICS, "urn:none")), draw.choice((None, "urn:none", *ENTITIES))
        sources = draw.sample((*TABLES, tv.RATINGS, "urn:none"), draw.randrange(4))
        told = sealed.marks.statistics(metric, sources, whom)
        assert told == memory.marks.statistics(metric, sources, whom)
        ours = [one for one in memory.facts(metric=metric) if one.source in sources and (whom is None or not one.entity)]
        ours += [one for one in memory.facts(metric=metric) if whom is not None and one.entity == whom]
        assert told == {one.statistic for one in ours}
        assert sealed.marks.sources(metric) == {one.source for one in memory.facts(metric=metric)}
        assert sealed.marks.metrics(source) == tuple(sorted({one.metric for one in memory.facts(source)}))
        computed = {one.entity for one in memory.facts(source, metric) if one.statistic != "stated"}
        assert sealed.marks.entities(source, metric) == tuple(sorted(computed))


def test_values_at_one_position_that_differ_are_told_as_rivals() -> None:
    rows = [StatedRow(TABLES[0], ("who", "v"), ("a", value), number, ENTITIES[0]) for number, value in enumerate("121", 1)]
    facts = [
        Fact(f"{tv.BASE}f{row.row}", tv.BASE, row.source, row.entity, METRICS[0], "stated", row.cells[1], row=row.row, number=row.cells[1])
        for row in rows
    ]  # fmt: skip
    held = sealed_held([BaseContent(tv.base(), facts, (), (), rows)])
    assert [fact.row for fact in held.rivals(TABLES[0], [1, 2, 3])] == [1, 2, 3]
    assert [fact.row for fact in held.rivals(TABLES[0], [3])] == [3]
    about_one = replace(tv.base(), sources=(SourceFile(TABLES[0], tv.BASE, "t", "t", "table", entities=ENTITIES[:1]),))
    assert not sealed_held([BaseContent(about_one, facts, (), (), rows)]).rivals(TABLES[0], [1, 2, 3])
