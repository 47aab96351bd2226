"""Which of several texts, in several languages, is shown, and what becomes of the others."""

import re
from collections.abc import Iterable, Sequence

from loom.core.rdf.graph import Graph
from loom.core.rdf.terms import Literal, Node
from loom.core.rdf.vocab import NAMES, NAMES_ELSE, SKOSXL, SYNONYMS
from loom.core.text import slug_of
from loom.core.values import Iri

DEFAULT_LANGUAGES = ("en", "")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[_\s]+")


def rank(language: str, preferred: Sequence[str]) -> int:
    """How far a language is from what is preferred: `en` before `en-gb`; any other language comes last."""
    language = language.lower()
    for at, wanted in enumerate(preferred):
        if language == wanted:
            return 2 * at
        if wanted and language.startswith(wanted + "-"):
            return 2 * at + 1
    return 2 * len(preferred)


def best(texts: Sequence[Literal], preferred: Sequence[str]) -> Literal | None:
    """The text in the most preferred language; the first of several."""
    return min(texts, key=lambda one: rank(one.language, preferred), default=None)


def clean(text: str) -> str:
    return " ".join(text.split())


def spoken(iri: Iri) -> str:
    """A name made of the local name of an IRI: words that are run together are taken apart."""
    local = slug_of(iri)
    return " ".join(filter(None, _CAMEL.split(local))) or local or iri


def labels(graph: Graph, node: Node) -> list[Literal]:
    """Proper labels of a node in their order; titles and names of other vocabularies only where it has none."""
    found = [one for predicate in NAMES for one in graph.literals(node, predicate)]
    found += _extended(graph, node, "prefLabel")
    found = found or [one for predicate in NAMES_ELSE for one in graph.literals(node, predicate)]
    return [one for one in found if clean(one.text)]


def synonyms(graph: Graph, node: Node) -> list[Literal]:
    stated = [one for predicate in SYNONYMS for one in graph.literals(node, predicate)]
    return [*stated, *_extended(graph, node, "altLabel"), *_extended(graph, node, "hiddenLabel")]


def _extended(graph: Graph, node: Node, name: str) -> list[Literal]:
    """Labels that are resources of their own (SKOS-XL)."""
    return [one for label in graph.nodes(node, SKOSXL + name) for one in graph.literals(label, SKOSXL + "literalForm")]


def name_of(graph: Graph, node: Node, preferred: Sequence[str]) -> str:
    """What a node is called, "" where nothing says."""
    found = best(labels(graph, node), preferred)
    return clean(found.text) if found else ""


def others(title: str, texts: Iterable[Literal], most: int = 200) -> tuple[str, ...]:
    """Further names, each once, without the title; case matters no more than it does to a matcher."""
    kept: dict[str, str] = {}
    for one in texts:
        name = clean(one.text)
        if name and name.casefold() != title.casefold() and len(name) <= most:
            kept.setdefault(name.casefold(), name)
    return tuple(kept.values())
