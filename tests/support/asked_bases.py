"""Five knowledge bases in two languages, for reading and routing: two of programmes, a market, a clinic and a large general one."""

from collections.abc import Sequence
from decimal import Decimal

from loom.core.facts.iris import entity_iri, fact_iri, metric_iri, source_iri, span_iri
from loom.core.facts.memory_held import MemoryHeld
from loom.core.facts.values import Attribute, Base, Entity, Fact, Metric, Reading, SourceFile, Span
from loom.core.values import Iri

IT, UK, MARKET, CLINIC, GENERAL = (f"urn:kb:{name}:" for name in ("ascolti", "airtime", "market", "clinic", "atlas"))
SECOND = Attribute(
    "second",
    "s",
    (
        ("seconds", "1"),
        ("secondo", "1"),
        ("secondi", "1"),
        ("minute", "60"),
        ("minutes", "60"),
        ("minuto", "60"),
        ("minuti", "60"),
    ),
    clock=True,
)
SCENE = Attribute("scene", "", (("scenes", "1"), ("scena", "1")), window="1")
DAY = Attribute("day", "d", (("days", "1"), ("week", "7")), window="3")
BOTH = ("min", "max", "first", "last", "count")

Q = {
    "cuore": source_iri(IT, "ratings/cuore.csv"),
    "cuore-talk": source_iri(IT, "talk/cuore.txt"),
    "blu": source_iri(IT, "ratings/blu.csv"),
    "blu-talk": source_iri(IT, "talk/blu.txt"),
    "cast": source_iri(IT, "cast.md"),
    "lights": source_iri(UK, "ratings/lights.csv"),
    "lights-talk": source_iri(UK, "talk/lights.srt"),
    "maple": source_iri(UK, "ratings/maple.csv"),
    "segment": source_iri(MARKET, "ai-medicine-segment.md"),
    "deck": source_iri(MARKET, "quarterly.csv"),
    "ward": source_iri(CLINIC, "ward-ai.csv"),
    "atlas": source_iri(GENERAL, "atlas.md"),
}
CUORE, BLU, ELENA = (entity_iri(IT, name) for name in ("cuore", "blu", "marco"))
LIGHTS, MAPLE = (entity_iri(UK, name) for name in ("lights", "maple"))
SHARE, VIEWERS = metric_iri(IT, "share"), metric_iri(IT, "viewers")
REACH = metric_iri(UK, "share")
REVENUE = metric_iri(MARKET, "revenue")
POTASSIUM = metric_iri(CLINIC, "potassium")


def _file(base: Iri, key: str, title: str, kind: str, *entities: Iri, attribute: str = "", **aliases: str) -> SourceFile:
    iri = Q[key]
    name = iri.removeprefix(f"{base}source/")
    return SourceFile(iri, base, name, title, kind, tuple(aliases.items()), attribute, entities)


def bases() -> list[Base]:
    return [
        Base(
            IT,
            "ascolti",
            "Ascolti televisivi",
            "it",
            (("en", "Italian airtime"),),
            (SECOND, SCENE),
            (
                _file(IT, "cuore", "Cuore in Ghiaccio ratings", "series", CUORE, attribute="second"),
                _file(IT, "cuore-talk", "Cuore in Ghiaccio copione", "transcript", CUORE, ELENA, attribute="second"),
                _file(IT, "blu", "Orizzonte Blu ratings", "series", BLU, attribute="second"),
                _file(IT, "blu-talk", "Orizzonte Blu copione", "transcript", BLU, ELENA, attribute="second"),
                _file(IT, "cast", "AI cast list", "document", CUORE, BLU, attribute="scene"),
            ),
            (
                Entity(CUORE, IT, "Cuore in Ghiaccio", (("en", "Heart in Ice"),), (Q["cuore"], Q["cuore-talk"])),
                Entity(BLU, IT, "Orizzonte Blu", (("en", "Blue Horizon"),), (Q["blu"], Q["blu-talk"])),
                Entity(ELENA, IT, "Marcantonio", (), ()),
            ),
            (
                Metric(SHARE, IT, "audience share", "%", (("en", "share"), ("it", "quota"), ("it", "quota di ascolto")), BOTH),
                Metric(VIEWERS, IT, "viewers", "k", (("it", "spettatori"),), (*BOTH, "mean")),
            ),
            threshold=2.0,
        ),
        Base(
            UK,
            "airtime",
            "British airtime",
            "en",
            (),
            (SECOND,),
            (
                _file(UK, "lights", "Harbour Lights ratings", "series", LIGHTS, attribute="second"),
                _file(UK, "lights-talk", "Harbour Lights transcript", "transcript", LIGHTS, attribute="second"),
                _file(UK, "maple", "Maple Street AI ratings", "series", MAPLE, attribute="second"),
            ),
            (
                Entity(LIGHTS, UK, "Harbour Lights", (), (Q["lights"], Q["lights-talk"])),
                Entity(MAPLE, UK, "Maple Street", (("it", "Via degli Aceri"),), (Q["maple"],)),
            ),
            (Metric(REACH, UK, "audience share", "%", (("en", "share"),), BOTH),),
            threshold=2.0,
        ),
        Base(
            MARKET,
            "market",
            "Market decks",
            "en",
            (),
            (),
            (
                _file(MARKET, "segment", "AI medicine segment", "document"),
                _file(MARKET, "deck", "Quarterly deck", "table"),
            ),
            (),
            (Metric(REVENUE, MARKET, "revenue", "EUR", (("en", "turnover"),), ("min", "max")),),
            threshold=2.0,
        ),
        Base(
            CLINIC,
            "clinic",
            "Clinic laboratory",
            "en",
            (),
            (DAY,),
            (_file(CLINIC, "ward", "AI ward series", "series", attribute="day"),),
            (),
            (Metric(POTASSIUM, CLINIC, "potassium", "mmol/l", (("en", "K+"),), (*BOTH, "mean")),),
            threshold=2.0,
        ),
        Base(
            GENERAL,
            "atlas",
            "World atlas",
            "en",
            (),
            (),
            (_file(GENERAL, "atlas", "Atlas of everything", "document"),),
            threshold=2.0,
        ),
    ]


def fact(base: Iri, path: str, metric: str, statistic: str, value: str, position: str, entity: Iri = "") -> Fact:
    iri, source = fact_iri(base, path, metric, statistic), source_iri(base, path)
    return Fact(
        iri, base, source, entity, metric_iri(base, metric), statistic, value, "%", position, 1, number=value, at=position
    )


def facts() -> list[Fact]:
    found = []
    for path, entity, high, low in (("ratings/cuore.csv", CUORE, "37.5", "20.5"), ("ratings/blu.csv", BLU, "36.5", "18.0")):
        found += [fact(IT, path, "share", "max", high, "146", entity), fact(IT, path, "share", "min", low, "284", entity)]
    found.append(fact(IT, "ratings/cuore.csv", "viewers", "max", "900", "12", CUORE))
    found.append(fact(UK, "ratings/lights.csv", "share", "max", "31.0", "60", LIGHTS))
    found.append(fact(UK, "ratings/maple.csv", "share", "max", "29.0", "61", MAPLE))
    found.append(fact(CLINIC, "ward-ai.csv", "potassium", "max", "5.1", "3"))
    return found


def spans() -> list[Span]:
    found = []
    for base, key, path in (
        (IT, "cuore-talk", "talk/cuore.txt"),
        (IT, "blu-talk", "talk/blu.txt"),
        (UK, "lights-talk", "talk/lights.srt"),
    ):
        for number in range(1, 31):
            if number == 11:
                continue  # 100 to 110 is a gap
            start = Decimal(10 * (number - 1))
            found.append(
                Span(span_iri(base, path, number), base, Q[key], start, start + 10, f"[{start}]", f"Line {number} of {key}.")
            )
    for number in range(1, 51):
        text = "A glacier moves." if number == 7 else f"Chapter about topic{number}."
        found.append(
            Span(span_iri(GENERAL, "atlas.md", number), GENERAL, Q["atlas"], Decimal(number), None, f"section {number}", text)
        )
    return found


def readings() -> list[Reading]:
    return [Reading(Q["cuore"], CUORE, SHARE, str(at), f"{at / 10}", "%", at + 1) for at in range(300) if at != 150]


def held(given: Sequence[Base] | None = None) -> MemoryHeld:
    return MemoryHeld(bases() if given is None else given, facts(), spans(), readings())
