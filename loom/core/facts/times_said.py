"""Times that a question states: dates, years, clock times. Where no axis of what is named reads one, values of other times are no
answer to it."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from loom.core.facts.asked import Position
from loom.core.facts.dates import dates_in
from loom.core.facts.values import Base, Held
from loom.core.values import Iri

FIRST_YEAR, LAST_YEAR = 1500, 2100
"""What positions of a series lie between that is counted in years."""
FARTHEST = Decimal(10) ** 30

_CLOCK = re.compile(r"(?<![\w:.,/])\d{1,2}(?:[:h]\d{2}){1,2}(?![\w:/]|[.,]\d)")
_YEAR = re.compile(
    r"(?<!\w)(?:in|during|since|before|after|im jahre?|im|seit|nel|nell'anno|durante il|dal|en|depuis|desde)\s+"
    r"(?P<year>(?:1[6-9]|20)\d\d)(?!\w|[.,:/%-]\d|\s?%)",
    re.IGNORECASE,
)
_DAYTIME = re.compile(
    r"(?<!\w)(?:at|since|until|before|after)\s+(?P<time>noon|midnight)(?!\w)|(?<!\w)a\s+(?P<ora>mezzogiorno|mezzanotte)(?!\w)",
    re.IGNORECASE,
)


def times_said(text: str) -> Iterator[tuple[int, int]]:
    """The places of dates, years, clock times and times of day. Two numbers with a stroke may be anything, and are left out."""
    for date in dates_in(text):
        if not date.numbers:
            yield date.start, date.end
    for match in _CLOCK.finditer(text):
        yield match.span()
    for match in _YEAR.finditer(text):
        yield match.span("year")
    for match in _DAYTIME.finditer(text):
        yield match.span("time" if match["time"] else "ora")


def years_of(
    held: Held, bases: Sequence[Base], times: Sequence[str], metrics: Sequence[Iri], addressed: frozenset[Iri]
) -> Iterator[Position]:
    """Years among the times, as positions of the addressed series that are counted in them: those that begin and end with one."""
    years = [said for said in times if said.isdecimal()]
    files = [
        file for base in bases for file in base.sources if file.iri in addressed or not addressed.isdisjoint(file.entities)
    ]
    for base, attribute in dict.fromkeys((file.base, file.attribute) for file in files) if years else ():
        mine = [file.iri for file in files if (file.base, file.attribute) == (base, attribute)]
        if any(_counts_years(held, source, metric) for source in mine for metric in metrics):
            for said in years:
                yield Position(base, attribute, Decimal(said), None, False, said)


def _counts_years(held: Held, source: Iri, metric: Iri) -> bool:
    ends = held.stretch(source, metric, None, -FARTHEST, FARTHEST, 2).readings
    return bool(ends) and all(FIRST_YEAR <= Decimal(one.at or one.position) <= LAST_YEAR for one in ends)


def unplaced(text: str, positions: Sequence[Position], named: Sequence[tuple[int, int]]) -> tuple[str, ...]:
    """The times that a text says and that are none of `positions`; one inside of a name is of that name."""
    found: dict[str, None] = {}
    for start, end in sorted(times_said(text)):
        said = text[start:end]
        if any(said in one.text for one in positions) or any(first < end and start < last for first, last in named):
            continue
        if not any(said in other for other in found):
            found[said] = None
    return tuple(found)
