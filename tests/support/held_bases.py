"""A small knowledge base of two programmes, as the values that a `Held` is made from."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

import numpy as np

from loom.core.facts.content import BaseContent, HeldSeries
from loom.core.facts.gathering import ColumnsBuilder
from loom.core.facts.sealed import held_of, joined, press
from loom.core.facts.values import Attribute, Base, Entity, Fact, Held, Metric, Reading, SourceFile, Span, StatedRow
from loom.core.values import Iri
from loom_adapters.generation_memory import FakeGenerations

BASE = "urn:kb:tv:"
SHARE = BASE + "metric/share"
RATINGS, TALK, SHORT, PACKAGES = (
    f"{BASE}source/{name}" for name in ("a-ratings.csv", "a-talk.txt", "b-talk.srt", "packages.csv")
)
PEAK = f"{BASE}fact/a-ratings.csv/share/max"
STATED = f"{BASE}fact/packages.csv/price/stated/1"
MAPLE = BASE + "entity/maple"


def span(number: int, start: str, end: str | None, text: str, source: Iri = TALK) -> Span:
    name = source.removeprefix(f"{BASE}source/")
    return Span(f"{BASE}span/{name}/{number}", BASE, source, Decimal(start), Decimal(end) if end else None, f"[{start}]", text)


def base() -> Base:
    return Base(
        iri=BASE,
        id="tv",
        title="Television",
        language="en",
        aliases=(("it", "Televisione"),),
        attributes=(Attribute("second", "s", (("minute", "60"),), clock=True),),
        sources=(
            SourceFile(RATINGS, BASE, "a-ratings.csv", "Maple Street ratings", "series", (), "second", (MAPLE,)),
            SourceFile(
                TALK, BASE, "a-talk.txt", "Maple Street", "transcript", (("it", "Via degli Aceri"),), "second", (MAPLE,)
            ),
            SourceFile(SHORT, BASE, "b-talk.srt", "Harbour Lights", "transcript", (), "second"),
            SourceFile(PACKAGES, BASE, "packages.csv", "Packages", "table"),
        ),
        entities=(Entity(MAPLE, BASE, "Maple Street", (("it", "Via degli Aceri"),), (RATINGS, TALK)),),
        metrics=(Metric(SHARE, BASE, "audience share", "%", (("en", "share"), ("it", "quota"))),),
    )


def spans() -> list[Span]:
    return [
        span(1, "0", "10.5", "The lamps are lit along the quay."),
        span(2, "10.5", "20", "Rosa finds the ledger."),
        span(3, "25", "40", "A storm closes the harbour; the ledger is gone."),
        span(4, "30", "35", "Overlapping: bells."),
        span(5, "40", None, "Credits."),
        span(1, "5", "9", "Boats in the harbour.", SHORT),
    ]


def facts() -> list[Fact]:
    def fact(
        statistic: str, value: str, position: str, at: str, row: int, number: int, ties: int = 0, skipped: int = 0
    ) -> Fact:
        iri, there = f"{BASE}fact/a-ratings.csv/share/{statistic}", f"{BASE}span/a-talk.txt/{number}"
        return Fact(
            iri, BASE, RATINGS, MAPLE, SHARE, statistic, value, "%", position, row, ties, there, skipped, number=value, at=at
        )  # fmt: skip

    low, peak = fact("min", "19.20", "12", "12", 2, 2, ties=1), fact("max", "37.50", "30.0", "30.0", 4, 4, skipped=2)
    count = Fact(f"{BASE}fact/a-ratings.csv/share/count", BASE, RATINGS, MAPLE, SHARE, "count", "4", number="4")
    stated = Fact(STATED, BASE, PACKAGES, "", BASE + "metric/price", "stated", "1,200", "EUR", row=1, number="1200")
    return [peak, low, count, stated]


def readings() -> list[Reading]:
    rows = (
        *(("0", "20", "0.0", 1), ("12", "19.20", "12.0", 2), ("12.0", "19.2", "12.0", 2)),
        *(("30.0", "37.50", "30.0", 4), ("22", "33", "22.0", 0)),
    )
    return [
        Reading(RATINGS, MAPLE, SHARE, position, value, "%", row, f"{BASE}span/a-talk.txt/{number}" if number else "", at)
        for row, (position, value, at, number) in enumerate(rows, 1)
    ]


def rows() -> list[StatedRow]:
    return [
        StatedRow(PACKAGES, ("package", "price"), ("Gold", "1,200"), 1),
        StatedRow(PACKAGES, ("package", "price"), ("Silver", "800"), 2),
    ]


def series() -> HeldSeries:
    """The readings as columns, without what was there."""
    builder = ColumnsBuilder()
    given = readings()
    keys = np.array([int(Decimal(one.position) * 10) for one in given], np.int64)
    numbers = np.array([float(one.value) for one in given])
    rows = np.array([one.row for one in given])
    builder.add(keys, 1, [one.position for one in given], rows, [one.value for one in given], numbers)
    return HeldSeries(RATINGS, MAPLE, SHARE, "%", builder.finish())


def content() -> BaseContent:
    """The base as a reader gives it: what was there at each fact and reading is still to be found."""
    unplaced = [replace(fact, span="") for fact in facts()]
    return BaseContent(base(), unplaced, spans(), [series()], rows())


def sealed_held(contents: Sequence[BaseContent]) -> Held:
    """Bases pressed into parts, sealed, opened."""
    store = FakeGenerations()
    ordered, found = joined(contents)
    with store.draft() as draft:
        for part, files in press(contents, ordered, found):
            for name, data in files.items():
                draft.put(part, name, data)
        held = held_of(store.open(store.seal(draft)))
    assert held is not None
    return held
