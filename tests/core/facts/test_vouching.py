"""What the bases declare for the evidence of a block: attributes of its positions, and what may be computed from its values."""

from dataclasses import replace
from decimal import Decimal

from loom.core.facts.derivable import Derivable
from loom.core.facts.memory_held import MemoryHeld
from loom.core.facts.values import Attribute, Base, Entity, Fact, Metric, SourceFile
from loom.core.facts.verifying import DERIVED, UNSUPPORTED, verify
from loom.core.facts.vouching import Vouched, vouched
from loom.core.mint.make import make
from loom.core.policy.packing import pack_lines
from loom.core.values import Block, Tier

HOME = "urn:kb:rink:"
SECONDS = Attribute("second", "s", (("minute", "60"),), clock=True)
PAGES = Attribute("page", "p")
SHARE = Metric(f"{HOME}metric/share", HOME, "share", "%", derived=("difference", "percent_change"))
COST = Metric(f"{HOME}metric/cost", HOME, "cost", "EUR")


def source(name: str) -> SourceFile:
    return SourceFile(f"{HOME}source/{name}", HOME, name, name, "series", entities=(f"{HOME}entity/{name}",))


def fact(name: str, metric: Metric, statistic: str, value: str) -> Fact:
    iri = f"{HOME}fact/{name}/{metric.iri[-5:]}/{statistic}"
    return Fact(iri, HOME, f"{HOME}source/{name}", f"{HOME}entity/{name}", metric.iri, statistic, value, number=value)


RINK = Base(
    HOME, "rink", "Rink", attributes=(SECONDS,), sources=(source("a"), source("b")), metrics=(SHARE, COST),
    entities=tuple(Entity(f"{HOME}entity/{name}", HOME, name, sources=(f"{HOME}source/{name}",)) for name in "ab"),
)  # fmt: skip
OTHER = Base("urn:kb:book:", "book", "Book", attributes=(PAGES,))
HELD = MemoryHeld(
    (RINK, OTHER),
    facts=[
        fact("a", SHARE, "max", "37.5"), fact("a", SHARE, "min", "20.5"), fact("a", SHARE, "count", "600"),
        fact("b", SHARE, "max", "36.5"), fact("a", COST, "max", "100"), fact("a", COST, "min", "50"),
    ],
)  # fmt: skip


def block(**lines: str) -> Block:
    made = [
        make(iri=f"{HOME}entity/{name}", title=name, lines=[(text, ())], tier=Tier.COMPUTED, must=True)
        for name, text in lines.items()
    ]
    return pack_lines(made, 500)


def test_attributes_are_those_of_the_bases_that_speak() -> None:
    assert vouched(HELD, block(a="37.5 %").served).attributes == (SECONDS,)
    assert set(vouched(HELD, ()).attributes) == {SECONDS, PAGES}
    assert vouched(None, block(a="37.5 %").served) == Vouched()


def test_values_are_computed_with_where_they_are_shown_and_declared() -> None:
    both = block(a="max 37.5 % of 600, cost 100 to 50", b="max 36.5 %")
    told = vouched(HELD, both.served)
    assert told.derived == (Derivable((Decimal("37.5"), Decimal("36.5")), ("difference", "percent_change")),)
    numbers = verify("1 more, or 2.74 %; in cost 50.5 more", both.text, derived=told.derived).numbers
    assert [each.found for each in numbers] == [DERIVED, DERIVED, UNSUPPORTED]
    assert vouched(HELD, block(a="max 37.5 %").served).derived == ()


def test_content_counts_for_its_source() -> None:
    span = make(iri=f"{HOME}span/a/1", title="a", lines=[("37.5 and 20.5", ())], tier=Tier.ADDRESSED, home=f"{HOME}source/a")
    told = vouched(HELD, pack_lines([span], 500).served)
    assert told.attributes == (SECONDS,) and told.derived[0].values == (Decimal("37.5"), Decimal("20.5"))
    nobody = replace(span, home="urn:else", iri="urn:else:1")
    assert vouched(HELD, pack_lines([nobody], 500).served).derived == ()
