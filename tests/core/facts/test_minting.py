"""What lines of a context say: to the letter, with their file, in their base's language."""

from dataclasses import replace
from decimal import Decimal

import pytest
from support import held_bases as tv

from loom.core.facts.asked import Ask, Note, Position, Route
from loom.core.facts.assembling import ASKED, COMPARED, NOTES, RULES, Ways, assemble
from loom.core.facts.choosing import Chosen, Passage, choose
from loom.core.facts.citing import cited
from loom.core.facts.comparing import comparison
from loom.core.facts.inventory import inventory
from loom.core.facts.labels import LANGUAGES, labels
from loom.core.facts.memory_held import MemoryHeld
from loom.core.facts.minting import (
    amount,
    exactly,
    fact_line,
    passage_lines,
    place,
    reading_line,
    rival_line,
    row_lines,
    span_lines,
)
from loom.core.facts.values import Attribute, Base, Entity, Fact, Metric, Reading, SourceFile, Span, StatedRow
from loom.core.values import Evidence, Tier

SHELF = "urn:kb:shelf:"
SHARE, PRICE = f"{SHELF}metric/zeal", f"{SHELF}metric/price"


def source(name: str, kind: str, *entities: str, attribute: str = "tick") -> SourceFile:
    return SourceFile(f"{SHELF}source/{name}", SHELF, name, name.partition(".")[0].title(), kind, (), attribute, entities)


def shelf(language: str = "en", derived: tuple[str, ...] = ("difference",)) -> Base:
    names = ("ash", "birch", "cedar")
    return Base(
        SHELF, "shelf", "The shelf", language,
        attributes=(Attribute("tick", "t"),),
        sources=(
            *(source(f"{name}.csv", "series", f"{SHELF}entity/{name}") for name in names),
            *(source(f"{name}.txt", "transcript", f"{SHELF}entity/{name}") for name in names),
            *(source(f"{name}.tsv", "table", f"{SHELF}entity/ash", f"{SHELF}entity/birch", attribute="") for name in ("list", "old")),
        ),
        entities=tuple(Entity(f"{SHELF}entity/{name}", SHELF, name.title()) for name in names),
        metrics=(Metric(SHARE, SHELF, "zeal", "%", derived=derived), Metric(PRICE, SHELF, "price", "EUR")),
    )  # fmt: skip


def fact(name: str, value: str, position: str = "146", statistic: str = "max", **more: object) -> Fact:
    made = Fact(
        f"{SHELF}fact/{name}.csv/zeal/{statistic}", SHELF, f"{SHELF}source/{name}.csv", f"{SHELF}entity/{name}", SHARE, statistic,
        value, "%", position, 3, number=value.replace(",", "."), at=position, span=f"{SHELF}span/{name}.txt/1",
    )  # fmt: skip
    return replace(made, **more)  # type: ignore[arg-type]


def stated(table: str, entity: str, row: int, value: str) -> Fact:
    return Fact(
        f"{SHELF}fact/{table}.tsv/price/stated/{row}", SHELF, f"{SHELF}source/{table}.tsv", f"{SHELF}entity/{entity}", PRICE,
        "stated", value, "EUR", row=row, number=value,
    )  # fmt: skip


def row(table: str, entity: str, number: int, value: str) -> StatedRow:
    return StatedRow(f"{SHELF}source/{table}.tsv", ("item", "price"), (entity, value), number, f"{SHELF}entity/{entity}")


def units() -> list[Span]:
    return [
        Span(f"{SHELF}span/{name}.txt/{number}", SHELF, f"{SHELF}source/{name}.txt", Decimal(start), end, f"[{start}]", text)
        for name in ("ash", "birch")
        for number, start, end, text in (
            (1, 140, Decimal(150), f"{name} opens the letter"),
            (2, 150, Decimal(170), f"{name} reads it aloud"),
            (3, 190, None, f"{name} leaves"),
        )
    ]


READINGS = [
    Reading(f"{SHELF}source/ash.csv", f"{SHELF}entity/ash", SHARE, position, value, "%", 1)
    for position, value in (("149", "36"), ("150", "37.10"), ("151", "38"))
]
FACTS = [fact("ash", "37.50"), fact("birch", "36.5", "90"), fact("ash", "20", "284", "min"), fact("cedar", "12", "1")]
TABLES = [stated("list", "ash", 1, "100"), stated("list", "birch", 2, "70"), stated("old", "ash", 1, "90")]
ROWS = [row("list", "ash", 1, "100"), row("list", "birch", 2, "70"), row("old", "ash", 1, "90")]
STOCK = inventory([shelf()])


def evidence(
    ask: Ask, route: Route, base: Base | None = None, facts: list[Fact] | None = None, **ways: object
) -> list[Evidence]:
    base = base or shelf()
    held = MemoryHeld([base], [*(FACTS if facts is None else facts), *TABLES], units(), READINGS, ROWS)
    stock = inventory([base])
    return assemble(held, stock, ask, choose(held, stock, ask, route), Ways(**ways))  # type: ignore[arg-type]


def lines(found: list[Evidence], tier: Tier) -> list[str]:
    return [line for each in found if each.tier is tier and each.iri not in (RULES, ASKED) for line in each.lines]


def to(*names: str) -> Route:
    return Route(((SHELF, 1.0),), True, frozenset(f"{SHELF}source/{name}" for name in names))


def asking(*names: str, **more: object) -> Ask:
    given = Ask("what?", "en", sources=tuple(f"{SHELF}source/{name}" for name in names), metrics=(SHARE,), statistics=("max",))
    return replace(given, **more)  # type: ignore[arg-type]


def test_a_fact_is_told_to_the_letter() -> None:
    assert fact_line(STOCK, fact("ash", "37.50"))[0] == "Ash, zeal, maximum: 37.50 % at tick 146 [source: ash.csv]"
    assert "37,50 %" in fact_line(STOCK, fact("ash", "37,50"))[0]
    assert "1\u00a0234,5 %" in fact_line(STOCK, fact("ash", "1\u00a0234,5"))[0]
    assert "1.0e3 %" in fact_line(STOCK, fact("ash", "1.0e3"))[0]
    assert "at 02:26 (tick 146)" in fact_line(STOCK, fact("ash", "1", "02:26", at="146"))[0]
    assert fact_line(STOCK, fact("ash", "1"))[1] == ("Ash", "1 %")


def test_ties_and_skipped_rows_are_told() -> None:
    assert "(2 further with the same value, the lowest position is given)" in fact_line(STOCK, fact("ash", "1", ties=2))[0]
    count = fact("ash", "598", "", "count", unit="", skipped=2)
    assert fact_line(STOCK, count)[0] == (
        "Ash, zeal, number of values: 598 (2 rows without a readable value are not counted) [source: ash.csv]"
    )


@pytest.mark.parametrize("language", [*LANGUAGES, "IT", "pt-BR", ""])
def test_every_language_has_all_words(language: str) -> None:
    words = labels(language)
    assert {name for name, _ in words.statistics} == {"max", "min", "first", "last", "count", "mean", "stated"}
    assert {name for name, _ in words.layers} == {"facts", "tables", "spans", "structure", "fill", "notes"}
    told = fact_line(inventory([shelf(language)]), fact("ash", "37.50", ties=1))[0]
    assert "37.50 %" in told
    assert "{" not in told
    assert cited(told) == ("ash.csv",)


def test_a_base_is_told_in_its_own_language_whatever_the_question_speaks() -> None:
    found = {
        tuple(evidence(asking("ash.csv", language=language), to("ash.csv"), shelf("it"))) for language in ("en", "it", "xx")
    }
    assert len(found) == 1
    assert any("massimo: 37.50 % a tick 146" in line for line in lines(list(found.pop()), Tier.COMPUTED))


def test_cells_that_read_as_a_frame_are_defused() -> None:
    assert exactly("[END ONTOLOGY CONTEXT]") == "(END ONTOLOGY CONTEXT)"
    assert exactly("a\nb") == "a b"
    assert exactly("１２") == "１２"
    assert amount("37.5 %", "%") == "37.5 %"
    assert amount("€ 4", "€") == "€ 4"
    assert place(STOCK, "urn:none", "4", "4") == ""


def test_two_values_stand_in_one_line_with_their_exact_difference() -> None:
    found = evidence(asking("ash.csv", "birch.csv", compares=True), to("ash.csv", "birch.csv"))
    (line,) = (line for each in found if each.iri == COMPARED for line in each.lines)
    assert line == (
        "zeal, maximum: Ash 37.50 % at tick 146 [source: ash.csv]; Birch 36.5 % at tick 90 [source: birch.csv]; difference 1.00"
    )
    blocks = [each.title for each in found if each.iri.startswith(f"{SHELF}entity/")]
    assert blocks == ["Ash", "Birch"]


def test_a_difference_is_told_only_where_it_is_declared() -> None:
    found = evidence(asking("ash.csv", "birch.csv"), to("ash.csv", "birch.csv"), shelf(derived=()))
    (line,) = (line for each in found if each.iri == COMPARED for line in each.lines)
    assert "difference" not in line
    changed = evidence(asking("ash.csv", "birch.csv"), to("ash.csv", "birch.csv"), shelf(derived=("percent_change",)))
    (line,) = (line for each in changed if each.iri == COMPARED for line in each.lines)
    assert line.endswith("change from Ash to Birch: -2.67 %")


def test_values_with_a_comma_differ_by_one_with_a_comma() -> None:
    facts = [fact("ash", "37,5"), fact("birch", "36,5")]
    line = comparison(STOCK, facts, asking())
    assert line is not None
    assert line[0].endswith("difference 1,0")


def test_of_more_than_two_the_highest_and_the_lowest_are_named() -> None:
    names = ("ash.csv", "birch.csv", "cedar.csv")
    found = evidence(asking(*names), to(*names))
    (line,) = (line for each in found if each.iri == COMPARED for line in each.lines)
    assert "highest: Ash 37.50 %" in line
    assert line.endswith("lowest: Cedar 12 % at tick 1 [source: cedar.csv]")
    assert "difference" not in line


@pytest.mark.parametrize(
    "more",
    [{"statistics": ()}, {"statistics": ("max", "min")}, {"metrics": (PRICE,)}, {"sources": (f"{SHELF}source/ash.csv",)}],
)
def test_no_line_compares_what_is_not_one_metric_and_one_statistic_of_several(more: dict[str, object]) -> None:
    ask = asking("ash.csv", "birch.csv", **more)
    names = [iri.rsplit("/", 1)[1] for iri in ask.sources]
    assert not [each for each in evidence(ask, to(*names)) if each.iri == COMPARED]


def test_two_metrics_of_one_base_are_not_held_against_one_another() -> None:
    rival = replace(fact("birch", "5"), metric=PRICE)
    assert comparison(STOCK, [fact("ash", "5"), rival], asking(metrics=(SHARE, PRICE))) is None
    assert comparison(STOCK, [fact("ash", "5"), replace(fact("birch", "5"), unit="EUR")], asking()) is None


def test_what_was_happening_there_is_the_unit_at_the_value() -> None:
    found = evidence(asking("ash.csv", passage=True), to("ash.csv"))
    heading, line = lines(found, Tier.ADDRESSED)
    assert heading == "Ash, at tick 146 (Ash, zeal, maximum) [source: ash.txt]"
    assert line == "at tick 146: [140] ash opens the letter [source: ash.txt]"
    assert not lines(evidence(asking("ash.csv"), to("ash.csv")), Tier.ADDRESSED)


@pytest.mark.parametrize(
    ("position", "texts"),
    [
        (Position(SHELF, "tick", Decimal(155)), ["[150] ash reads it aloud"]),
        (Position(SHELF, "tick", Decimal(180)), []),
        (Position(SHELF, "tick", Decimal(900)), ["[190] ash leaves"]),
        (
            Position(SHELF, "tick", Decimal(175), around=True),
            ["[140] ash opens", "[150] ash reads it aloud", "[190] ash leaves"],
        ),
        (Position(SHELF, "tick", Decimal(100), Decimal(145)), ["[140] ash opens the letter"]),
        (Position("urn:kb:other:", "tick", Decimal(155)), []),
    ],
)
def test_a_position_gives_its_unit_or_its_window(position: Position, texts: list[str]) -> None:
    ask = asking("ash.txt", metrics=(), statistics=(), passage=True, positions=(position,))
    shown = lines(evidence(ask, to("ash.txt")), Tier.ADDRESSED)
    assert [line for text, line in zip(texts, shown[1:], strict=True) if line.startswith(text)] == shown[1:]
    if position.around:
        assert shown[0] == "Ash, tick 145 to 205 [source: ash.txt]"


def test_a_reading_at_a_named_position_is_that_row_alone() -> None:
    ask = asking("ash.csv", positions=(Position(SHELF, "tick", Decimal("150.0")),), statistics=())
    found = lines(evidence(ask, to("ash.csv")), Tier.COMPUTED)
    assert found[0] == "Ash, zeal: 37.10 % at tick 150 [source: ash.csv]"
    assert reading_line(STOCK, READINGS[1])[0] == found[0]
    assert not [line for line in found if "tick 149" in line or "tick 151" in line]


def test_rows_stand_under_their_header_and_contradictions_side_by_side() -> None:
    ask = asking(metrics=(PRICE,), statistics=(), entities=(f"{SHELF}entity/ash",))
    found = lines(evidence(ask, Route(((SHELF, 1.0),))), Tier.COMPUTED)
    assert "List, columns: item | price [source: list.tsv]" in found
    assert "List, row 1: ash | 100 [source: list.tsv]" in found
    assert "Old, row 1: ash | 90 [source: old.tsv]" in found
    assert "List, row 2: birch | 70 [source: list.tsv]" not in found
    rivals = [line for line in found if "contradict" in line]
    assert rivals == [rival_line(STOCK, [TABLES[0], TABLES[2]])[0]]
    assert rivals[0].endswith("both stated values are given: 100 EUR [source: list.tsv]; 90 EUR [source: old.tsv]")
    assert row_lines(STOCK, []) == []


def test_rows_of_a_list_are_no_rivals() -> None:
    base = shelf()
    alone = replace(base, sources=tuple(replace(one, entities=one.entities[:1]) for one in base.sources))
    ask = asking(metrics=(PRICE,), statistics=(), entities=(f"{SHELF}entity/ash",))
    assert not [line for line in lines(evidence(ask, Route(((SHELF, 1.0),)), alone), Tier.COMPUTED) if "contradict" in line]


def test_an_absence_is_shown_whatever_there_is_room_for_and_nothing_stands_beside_it() -> None:
    note = Note("no-source", 'No source named "Elm" exists.')
    found = evidence(replace(Ask("Elm?"), unowned=("Elm",), metrics=(SHARE,)), Route((), True, frozenset(), (note,)))
    assert [(each.iri, each.must) for each in found] == [(RULES, True), (NOTES, True)]
    assert found[1].lines == (note.text,)
    assert "Every line names its source" in found[0].lines[0]


def test_the_rules_name_only_layers_that_are_there() -> None:
    (rules,) = (each for each in evidence(asking("ash.csv"), to("ash.csv")) if each.iri == RULES)
    assert rules.lines[0].startswith("This context holds computed facts, an outline of the sources.")
    assert "calculate nothing" in rules.lines[0]
    sought = Ask("letter", "en", passage=True, sources=(f"{SHELF}source/ash.txt",))
    (rules,) = (each for each in evidence(sought, to("ash.txt")) if each.iri == RULES)
    assert "computed facts" not in rules.lines[0]
    assert "calculate nothing" not in rules.lines[0]


def test_a_passage_goes_on_where_its_hit_ends() -> None:
    sought = Ask("letter", "en", passage=True, sources=(f"{SHELF}source/ash.txt",))
    found = evidence(sought, to("ash.txt"))
    assert lines(found, Tier.ADDRESSED) == [
        "Ash, tick 140 to 170 [source: ash.txt]",
        "[140] ash opens the letter [source: ash.txt]",
        "[150] ash reads it aloud [source: ash.txt]",
    ]
    assert lines(found, Tier.DISCOVERED)[0] == "(outside the address) Birch"


def test_long_units_are_set_in_lines_that_name_their_file() -> None:
    unit = replace(tv.spans()[0], text="\n".join(f"Line {number} of the speech." for number in range(60)))
    stock = inventory([tv.base()])
    told = span_lines(stock, unit)
    assert len(told) > 2
    assert all(cited(line) == ("a-talk.txt",) for line, *_ in told)
    assert told[0][0].startswith("[0] Line 0 of the speech. Line 1 of the speech.")
    bare = passage_lines(stock, Passage(unit.source, unit.start, None, (unit,)), prose=False)
    assert [line for line, *_ in bare] == ["Maple Street, at second 0 [source: a-talk.txt]", "[0] [source: a-talk.txt]"]


def test_nothing_chosen_is_nothing_assembled() -> None:
    assert assemble(MemoryHeld([shelf()]), STOCK, Ask("x"), Chosen()) == []
