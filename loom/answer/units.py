"""A unit by its address: one concept of the pinned generation, in the format the caller asked for."""

from collections.abc import Callable
from urllib.parse import unquote

from loom.answer.plan import Pin
from loom.answer.search import near
from loom.core.concepts import Concepts
from loom.core.errors import BadInput, NotFound
from loom.core.names import Names, fold_name
from loom.core.represent import as_json, as_jsonld, as_markdown, as_turtle, dumped
from loom.core.values import Iri, Row

MEDIA = {
    "json": "application/json",
    "markdown": "text/markdown; charset=utf-8",
    "turtle": "text/turtle; charset=utf-8",
    "jsonld": "application/ld+json",
}
_ACCEPTED = {
    "application/json": "json",
    "text/markdown": "markdown",
    "text/plain": "markdown",
    "text/turtle": "turtle",
    "application/x-turtle": "turtle",
    "application/ld+json": "jsonld",
    "application/*": "json",
    "text/*": "markdown",
    "*/*": "json",
}
_SHORT = {"md": "markdown", "ttl": "turtle", "json-ld": "jsonld"}


def format_for(accept: str | None, asked: str | None = None) -> str:
    """The format of a response: `asked` (a name, `md`, `ttl`, or a media type) wins over the Accept header; default JSON.

    Raises BadInput for a format that is named and unknown. An Accept header that names none of ours falls back to JSON.
    """
    if asked is not None:
        name = _SHORT.get(asked.lower(), asked.lower())
        if found := name if name in MEDIA else _ACCEPTED.get(name):
            return found
        raise BadInput(f"Expected one of the formats {', '.join(MEDIA)}, not {asked!r}.", param="format")
    ranked = []
    for order, part in enumerate((accept or "").split(",")):
        media, *parameters = [piece.strip().lower() for piece in part.split(";")]
        weight = _weight(parameters)
        if media in _ACCEPTED and weight > 0:
            ranked.append((-weight, media.count("*"), order, _ACCEPTED[media]))
    return min(ranked)[3] if ranked else "json"


def _weight(parameters: list[str]) -> float:
    for parameter in parameters:
        if parameter.startswith("q="):
            try:
                return float(parameter[2:])
            except ValueError:
                return 0.0
    return 1.0


def find(pin: Pin, name: str) -> Iri:
    """The IRI that an address means: itself, its percent-decoded form, or a concept with exactly this title, alias or slug.

    Titles come before aliases before slugs; where one name belongs to several concepts, the first by IRI. Raises NotFound with
    the nearest titles.
    """
    concepts = _concepts(pin)
    for address in dict.fromkeys((name, unquote(name))):
        if concepts.row(address) is not None:
            return address
    names = pin.generation.part(Names)
    found = names.exactly(fold_name(unquote(name))) if names else []
    if found:
        rows = [row for _, row in found]
        return concepts.iri(next((row for row in rows if concepts.title(row) in (name, unquote(name))), rows[0]))
    nearest = [f"{concepts.title(concepts.row(iri) or 0)} <{iri}>" for iri in near(pin, unquote(name))]
    hint = f" Nearest titles: {', '.join(nearest)}." if nearest else " No title comes near it; POST /loom/search finds names."
    raise NotFound(f"The generation has no concept {unquote(name)[:200]!r}.{hint}", param="iri")


def represent(pin: Pin, name: str, format: str = "json") -> tuple[bytes, str]:
    """(body, media type) of one concept; `name` as `find` takes it, `format` one of `MEDIA`."""
    concepts = _concepts(pin)
    row = concepts.row(find(pin, name))
    assert row is not None
    record, title_of, generation = concepts.record(row), _titles(concepts, row), pin.generation.id
    if format == "markdown":
        return as_markdown(record, title_of, generation).encode(), MEDIA[format]
    if format == "turtle":
        return as_turtle(record, title_of, generation).encode(), MEDIA[format]
    if format == "jsonld":
        return dumped(as_jsonld(record, title_of, generation)), MEDIA[format]
    return dumped(as_json(record, title_of, generation)), MEDIA["json"]


def _titles(concepts: Concepts, row: Row) -> Callable[[Iri], str]:
    """Titles of everything that a row refers to: the links know strangers by label, too."""
    links = concepts.links(row)
    targets = (*links.parents, *links.ancestors, *(target for _, group in links.relations for target in group))
    known = {concepts.iri(target): concepts.title(target) for target in targets}

    def title_of(iri: Iri) -> str:
        if iri not in known:
            other = concepts.row(iri)
            known[iri] = concepts.title(other) if other is not None else iri
        return known[iri]

    return title_of


def _concepts(pin: Pin) -> Concepts:
    concepts = pin.generation.part(Concepts)
    if concepts is None:
        raise NotFound("The generation holds no concepts, so it has no units.")
    return concepts
