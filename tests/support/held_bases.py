"""A small knowledge base of two programmes, as the values that a `Held` is made from."""

from decimal import Decimal

from loom.core.facts.values import Attribute, Base, Entity, Fact, Metric, Reading, SourceFile, Span, StatedRow
from loom.core.values import Iri

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
    low = Fact(
        f"{BASE}fact/a-ratings.csv/share/min",
        BASE,
        RATINGS,
        MAPLE,
        SHARE,
        "min",
        "19.20",
        "%",
        "12",
        2,
        1,
        f"{BASE}span/a-talk.txt/2",
    )
    peak = Fact(PEAK, BASE, RATINGS, MAPLE, SHARE, "max", "37.50", "%", "30.0", 4, 0, f"{BASE}span/a-talk.txt/4", 2)
    count = Fact(f"{BASE}fact/a-ratings.csv/share/count", BASE, RATINGS, MAPLE, SHARE, "count", "4")
    stated = Fact(STATED, BASE, PACKAGES, "", BASE + "metric/price", "stated", "1,200", "EUR", row=1)
    return [peak, low, count, stated]


def readings() -> list[Reading]:
    rows = (("0", "20"), ("12", "19.20"), ("12.0", "19.2"), ("30.0", "37.50"), ("22", "33"))
    return [Reading(RATINGS, MAPLE, SHARE, position, value, "%", row) for row, (position, value) in enumerate(rows, 1)]


def rows() -> list[StatedRow]:
    return [
        StatedRow(PACKAGES, ("package", "price"), ("Gold", "1,200"), 1),
        StatedRow(PACKAGES, ("package", "price"), ("Silver", "800"), 2),
    ]
