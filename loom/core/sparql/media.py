"""Formats of results, and which of them an Accept header asks for (RFC 9110)."""

from collections.abc import Mapping
from dataclasses import dataclass

from loom.core.errors import BadInput
from loom.core.sparql.errors import NotAcceptable


@dataclass(frozen=True, slots=True)
class Format:
    """One format: its name, the media type it is sent as, and the media types that ask for it."""

    name: str
    media: str
    asked_by: tuple[str, ...]


RESULTS = (
    Format("json", "application/sparql-results+json", ("application/sparql-results+json", "application/json")),
    Format("xml", "application/sparql-results+xml", ("application/sparql-results+xml", "application/xml", "text/xml")),
    Format("csv", "text/csv; charset=utf-8", ("text/csv",)),
    Format("tsv", "text/tab-separated-values; charset=utf-8", ("text/tab-separated-values",)),
)
"""For SELECT and ASK; the first is sent where anything will do."""

GRAPHS = (
    Format("turtle", "text/turtle; charset=utf-8", ("text/turtle", "application/x-turtle")),
    Format("ntriples", "application/n-triples", ("application/n-triples", "text/plain")),
    Format("rdfxml", "application/rdf+xml", ("application/rdf+xml", "application/xml", "text/xml")),
    Format("jsonld", "application/ld+json", ("application/ld+json", "application/json")),
)
"""For CONSTRUCT, DESCRIBE and the service description."""

SHORT = {"ttl": "turtle", "nt": "ntriples", "n-triples": "ntriples", "rdf": "rdfxml", "rdf+xml": "rdfxml", "json-ld": "jsonld"}
NAMES = tuple(each.name for each in (*RESULTS, *GRAPHS))


def chosen(offered: tuple[Format, ...], accept: str | None, named: str | None = None) -> Format:
    """The format to send. `named` (a name or a media type) wins over `accept`; a name of the other kind of result falls back.

    Raises BadInput for a name that is unknown, NotAcceptable where the header leaves none.
    """
    if named is not None:
        return _named(offered, named)
    if accept is None or not accept.strip():
        return offered[0]
    ranges = _ranges(accept)
    best, found = 0.0, None
    for each in offered:
        weight = max(_weight(media, ranges) for media in each.asked_by)
        if weight > best:
            best, found = weight, each
    if found is None:
        raise NotAcceptable(
            f"None of {', '.join(each.asked_by[0] for each in offered)} is acceptable; this result can be sent as those."
        )
    return found


def _named(offered: tuple[Format, ...], named: str) -> Format:
    plain = named.strip().lower()
    name = SHORT.get(plain, plain)
    for each in offered:
        if name == each.name or name in each.asked_by:
            return each
    if name in NAMES or any(name in each.asked_by for each in (*RESULTS, *GRAPHS)):
        return offered[0]
    raise BadInput(f"Expected one of the formats {', '.join(NAMES)}, not {named!r}.", param="format")


def _ranges(accept: str) -> Mapping[str, float]:
    """Media ranges with their weights; a malformed weight counts as 0."""
    found: dict[str, float] = {}
    for part in accept.split(","):
        media, *parameters = [piece.strip().lower() for piece in part.split(";")]
        weight = 1.0
        for parameter in parameters:
            name, _, value = parameter.partition("=")
            if name.strip() == "q":
                try:
                    weight = min(1.0, max(0.0, float(value)))
                except ValueError:
                    weight = 0.0
        found[media] = max(found.get(media, 0.0), weight) if weight == weight else 0.0
    return found


def _weight(media: str, ranges: Mapping[str, float]) -> float:
    """The weight of the most specific range that matches."""
    for each in (media, media.split("/")[0] + "/*", "*/*", "*"):
        if each in ranges:
            return ranges[each]
    return 0.0
