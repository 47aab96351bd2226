"""Stated tables stay verbatim, and values that contradict one another are told with all of their rows."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from loom.core.facts.batches import Batch
from loom.core.facts.layout import Layout
from loom.core.facts.stated import Stated, contradictions, stated
from loom.core.facts.values import Attribute, Base, Entity, Metric, SourceFile

IRI = "urn:kb:rights:"
CUP = f"{IRI}entity/cup"
PRICE = f"{IRI}metric/price"


def base(attribute: str = "", entities: tuple[str, ...] = ()) -> Base:
    return Base(
        IRI,
        "rights",
        "Rights",
        attributes=(Attribute("minute", clock=True),),
        sources=tuple(
            SourceFile(f"{IRI}source/{name}", IRI, name, name, "table", attribute=attribute, entities=entities) for name in "ab"
        ),
        entities=(Entity(CUP, IRI, "The Cup", (("it", "La Coppa"),)), Entity(f"{IRI}entity/league", IRI, "League")),
        metrics=(Metric(PRICE, IRI, "price", "€"),),
    )


def rows(
    header: str, *lines: str, path: str = "a", of: Base | None = None, position: str = "", entity: str = "", decimal: str = ","
) -> list[Stated]:
    cells = [line.split("|") for line in lines]
    columns = tuple(list(column) for column in zip(*cells, strict=True))
    batch = Batch(tuple(header.split("|")), range(1, len(cells) + 1), columns, range(2, len(cells) + 2))
    layout = Layout(f"{IRI}source/{path}", path, "table", position, ((PRICE, "price"),), entity_column=entity, decimal=decimal)
    return list(stated(of or base(), layout, [batch]))


def told(*tables: Sequence[Stated]) -> list[list[tuple[str, int, str, int]]]:
    """(source, row, value, line) of each rival."""
    found = contradictions(one for table in tables for one in table)
    return [
        [(fact.source[-1], fact.row, fact.value, line) for fact, line in zip(one.facts, one.lines, strict=True)]
        for one in found
    ]


def test_rows_are_verbatim_and_each_value_is_a_fact() -> None:
    first, second, third = rows("package|price|note", "A| € 12,50 |x", "B|on request| y", "C||", of=base(entities=(CUP,)))
    assert first.row.header == ("package", "price", "note")
    assert (first.row.cells, first.row.row, first.row.entity, first.line) == (("A", " € 12,50 ", "x"), 1, CUP, 2)
    (fact,) = first.facts
    assert (fact.iri, fact.statistic, fact.value, fact.number, fact.unit, fact.row) == (
        "urn:kb:rights:fact/a/price/stated/1",
        "stated",
        "€ 12,50",
        "12.50",
        "€",
        1,
    )
    assert [(fact.value, fact.number) for fact in second.facts] == [("on request", "")]
    assert third.facts == () and third.row.cells == ("C", "", "")


def test_rows_of_a_list_are_no_rivals_but_two_prices_of_one_package_are() -> None:
    of = base(entities=(CUP,))
    assert told(rows("package|price", "A|10", "B|20", "C|20", of=of)) == []
    assert told(rows("package|price", "A|10", "B|20", "a |12", of=of)) == [[("a", 1, "10", 2), ("a", 3, "12", 4)]]
    assert told(rows("package|price", "A|10", of=of), rows("package|price", "A|12", of=of, path="b")) == []


def test_one_entity_and_position_has_one_value_over_all_tables() -> None:
    of = base("minute", (CUP,))
    first = rows("at|price|note", "2:00|10|x", "3|5|", of=of, position="at")
    assert told(first, rows("at|price", "120|10,0", of=of, path="b", position="at")) == []
    assert told(first, rows("at|price", "120,0|10,1", "180|7", of=of, path="b", position="at")) == [
        [("a", 1, "10", 2), ("b", 1, "10,1", 2)]
    ]


def test_entities_are_named_by_cells() -> None:
    table = rows("who|price", "The Cup|10", "la coppa|11", "League|11", "Nobody|1", "nobody|2", entity="who")
    assert [one.row.entity for one in table] == [CUP, CUP, f"{IRI}entity/league", "", ""]
    assert [one.facts[0].entity for one in table][:2] == [CUP, CUP]
    assert told(table) == [[("a", 4, "1", 5), ("a", 5, "2", 6)], [("a", 1, "10", 2), ("a", 2, "11", 3)]]


def test_words_are_rivals_where_they_differ() -> None:
    assert told(rows("who|price", "League|on request", "League|on request", entity="who")) == []
    assert told(rows("who|price", "League|on request", "League|3", entity="who")) == [
        [("a", 1, "on request", 2), ("a", 2, "3", 3)]
    ]


@given(st.lists(st.tuples(st.sampled_from("PQ"), st.sampled_from(["1", "1,0", "2", ""])), max_size=8), st.randoms())
def test_contradictions_are_the_same_in_any_order_of_rows(cells: list[tuple[str, str]], chance: object) -> None:
    table = rows("package|price", *(f"{name}|{price}" for name, price in cells)) if cells else []
    expected = [
        [(row, price) for row, (name, price) in enumerate(cells, 1) if name == wanted and price]
        for wanted in "PQ"
        if len({price.replace(",0", "") for name, price in cells if name == wanted and price}) > 1
    ]
    chance.shuffle(table)  # type: ignore[attr-defined]
    assert [[(row, price) for _, row, price, _ in one] for one in told(table)] == expected
