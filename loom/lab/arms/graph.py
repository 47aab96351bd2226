"""The graph as its own query language gives it: a fixed SPARQL template for each shape of question, rows as lines.

First the rows that answer the shape, then what describes the subjects, then what describes their neighbours, ring after ring,
until the block is as large as the scaffold's. What is stated comes before what follows from it and what is near before what is far,
so that a small block holds the parent rather than the first ancestor of the alphabet; remarks about a record come last.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from loom.core.mint.make import make
from loom.core.mint.neutral import neutral_name, neutral_sentence
from loom.core.policy.packing import NOTHING
from loom.core.rdf.blank import AXIOM
from loom.core.rdf.terms import quoted
from loom.core.rdf.vocab import DEFINITIONS, SYNONYMS
from loom.core.represent import escape_iri
from loom.core.sparql.part import ASSERTED
from loom.core.text import home_of, slug_of
from loom.core.values import Block, Candidate, Evidence, Iri
from loom.lab.arms.asking import COMMON, PARENT, RELATION, AskedOfGraph
from loom.lab.arms.fitting import fitted

Rows = Callable[[str], Sequence[Mapping[str, str]]]
"""Asks a SELECT query of the generation's triples; a row maps the names of its variables to IRIs and texts."""

Called = Callable[[Iri], str]


def _label_only(iri: Iri) -> str:
    return ""


DESCRIBED = 64
"""Subjects and neighbours that one question may have described."""
PER_QUERY = 200

_LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"
_LABELS = f"{_LABEL}|<http://www.w3.org/2004/02/skos/core#prefLabel>"
_SUB = "http://www.w3.org/2000/01/rdf-schema#subClassOf"
_SKOS = "http://www.w3.org/2004/02/skos/core#"
_BROADER, _TRANSITIVE = _SKOS + "broader", _SKOS + "broaderTransitive"
_ABOVE = f"<{_SUB}> <{_BROADER}> <{_TRANSITIVE}>"
_DEFINITION = "|".join(f"<{iri}>" for iri in DEFINITIONS)
_GAPS = "[ _-]"
"""What the spellings of one relation differ in: `part_of`, `part of` and `partOf`."""
_CALLED_OTHERWISE = {"relatedto": "related"}
"""Relations that a generation calls by another name than their property has."""
_PASSED_OVER = frozenset("type label prefLabel source quality deprecated isReplacedBy domain maturity".split())
_BUILT_IN = "http://www.w3.org/2002/07/owl#"


def about(subject: Iri) -> str:
    """DESCRIBE, as rows: every property of a subject, with the label of what it leads to, and whether it is stated."""
    return (
        f"SELECT ?p ?o (MIN(STR(?l)) AS ?label) (MAX(?told) AS ?stated) {{ <{escape_iri(subject)}> ?p ?o . "
        f"{_told(subject)} OPTIONAL {{ ?o {_LABELS} ?l }} }} GROUP BY ?p ?o ORDER BY ?p ?label STR(?o) LIMIT {PER_QUERY}"
    )


def _told(subject: Iri) -> str:
    return f"OPTIONAL {{ GRAPH <{ASSERTED}> {{ <{escape_iri(subject)}> ?p ?o }} BIND(1 AS ?told) }}"


def related(subject: Iri, names: Sequence[str]) -> str:
    """What a subject leads to by relations of these names, be it the name or the label of the property."""
    spelled = dict.fromkeys(re.sub(_GAPS, "", name.lower()) for name in names)
    wanted = ", ".join(quoted(each) for name in spelled for each in (name, _CALLED_OTHERWISE.get(name)) if each)
    return (
        f"SELECT ?p ?o (MIN(STR(?l)) AS ?label) {{ <{escape_iri(subject)}> ?p ?o . FILTER(isIRI(?o)) "
        f"OPTIONAL {{ ?p {_LABEL} ?n }} OPTIONAL {{ ?o {_LABELS} ?l }} "
        f'FILTER(LCASE(REPLACE(REPLACE(STR(?p), "^.*[/#:]", ""), "{_GAPS}", "")) IN ({wanted}) '
        f'|| LCASE(REPLACE(STR(?n), "{_GAPS}", "")) IN ({wanted})) }} '
        f"GROUP BY ?p ?o ORDER BY ?p ?label ?o LIMIT {PER_QUERY}"
    )


def above(subject: Iri) -> str:
    """Parents and ancestors of a subject: those stated first, then by how much is above them, the nearest first."""
    return (
        f"SELECT ?p ?o (MIN(STR(?l)) AS ?label) (MAX(?told) AS ?stated) (COUNT(DISTINCT ?up) AS ?height) "
        f"{{ VALUES ?p {{ {_ABOVE} }} <{escape_iri(subject)}> ?p ?o . FILTER(isIRI(?o)) {_told(subject)} "
        f"OPTIONAL {{ VALUES ?q {{ {_ABOVE} }} ?o ?q ?up }} OPTIONAL {{ ?o {_LABELS} ?l }} }} GROUP BY ?p ?o "
        f"ORDER BY DESC(?stated) (?p = <{_TRANSITIVE}>) DESC(?height) ?label ?o LIMIT {PER_QUERY}"
    )


def shared(first: Iri, second: Iri) -> str:
    """What is above both of two subjects, the nearest first."""
    return (
        f"SELECT ?o (MIN(STR(?l)) AS ?label) (COUNT(DISTINCT ?up) AS ?height) "
        f"{{ VALUES ?p {{ {_ABOVE} }} VALUES ?q {{ {_ABOVE} }} "
        f"<{escape_iri(first)}> ?p ?o . <{escape_iri(second)}> ?q ?o . FILTER(isIRI(?o)) "
        f"OPTIONAL {{ VALUES ?r {{ {_ABOVE} }} ?o ?r ?up }} OPTIONAL {{ ?o {_LABELS} ?l }} }} "
        f"GROUP BY ?o ORDER BY DESC(?height) ?label ?o LIMIT {PER_QUERY}"
    )


def holding(word: str, properties: str) -> str:
    """Subjects of which one of these properties holds a word, shortest labels first."""
    return (
        f"SELECT ?o (MIN(STR(?l)) AS ?label) {{ ?o {properties} ?text . FILTER(CONTAINS(LCASE(STR(?text)), {quoted(word)})) "
        f"FILTER(isIRI(?o)) ?o {_LABELS} ?l }} GROUP BY ?o ORDER BY STRLEN(MIN(STR(?l))) ?label ?o LIMIT 4"
    )


def named(subject: Iri) -> str:
    return f"SELECT (MIN(STR(?l)) AS ?label) {{ <{escape_iri(subject)}> {_LABELS} ?l }}"


def graph_block(rows: Rows, asked: AskedOfGraph, tokens: int, called: Called = _label_only) -> Block:
    """The rows for a question in so many tokens; `called` as in Querying."""
    return fitted(Querying(rows, called).pieces(asked), tokens) if tokens else NOTHING


class Querying:
    """The rows of one question, as evidence a subject at a time, made as they are wanted; no row comes twice.

    `called` gives what the generation calls a concept: of labels in several languages the one that it was built to show.
    """

    def __init__(self, rows: Rows, called: Called = _label_only) -> None:
        self._rows = rows
        self._called = called
        self._titles: dict[Iri, str] = {}
        self._seen: set[str] = set()
        self._next: dict[Iri, None] = {}

    def pieces(self, asked: AskedOfGraph) -> Iterator[Evidence]:
        subjects = asked.subjects or self._searched(asked.words)
        if not subjects:
            return
        self._next.update(dict.fromkeys(subjects))
        if asked.shape == COMMON and len(subjects) > 1:
            first, second = subjects[:2]
            both = f"{self._title(first)} and {self._title(second)}"
            yield from self._piece(
                first, [self._line(both, "common ancestor", row) for row in self._asked(shared(first, second))]
            )
        elif asked.shape == PARENT:
            yield from self._piece(subjects[0], self._lines(subjects[0], above(subjects[0])))
        elif asked.shape == RELATION:
            answers = ((subject, self._lines(subject, related(subject, asked.relations))) for subject in subjects)
            yield from self._piece(*next((found for found in answers if found[1]), (subjects[0], [])))
        described = 0
        while described < min(DESCRIBED, len(self._next)):
            subject = tuple(self._next)[described]
            described += 1
            yield from self._piece(subject, self._description(subject))

    def _searched(self, words: Sequence[str]) -> tuple[Iri, ...]:
        """Where no subject is named: those whose labels hold a word of the question, else those whose definitions do."""
        for properties in (_LABELS, _DEFINITION):
            found = [row["o"] for word in words for row in self._asked(holding(word, properties))]
            if found:
                return tuple(dict.fromkeys(found))
        return ()

    def _asked(self, query: str) -> list[Mapping[str, str]]:
        found = list(self._rows(query))
        for row in found:
            if row.get("label") and "o" in row:
                self._titles[row["o"]] = neutral_name(self._called(row["o"]) or row["label"])
        return [row for row in found if "o" in row and not row["o"].startswith(AXIOM)]

    def _title(self, iri: Iri) -> str:
        if iri not in self._titles:
            title = self._called(iri) or next((row["label"] for row in self._rows(named(iri)) if row.get("label")), "")
            self._titles[iri] = neutral_name(title) or neutral_name(slug_of(iri))
        return self._titles[iri]

    def _lines(self, subject: Iri, query: str) -> list[tuple[str, tuple[str, ...]]]:
        return [self._line(self._title(subject), _local(row["p"]), row) for row in _once(self._asked(query))]

    def _description(self, subject: Iri) -> list[tuple[str, tuple[str, ...]]]:
        """Definitions, links that are stated, further names, links that follow, and whatever else is remarked; what says nothing
        to a reader is passed over."""
        rows = [
            row
            for row in _once(self._asked(about(subject)))
            if _local(row["p"]) not in _PASSED_OVER and not row["o"].startswith(_BUILT_IN)
        ]
        first = min((DEFINITIONS.index(row["p"]) for row in rows if row["p"] in DEFINITIONS), default=0)
        rows.sort(key=lambda row: _telling(row, DEFINITIONS[first]))
        return [self._line(self._title(subject), _local(row["p"]), row) for row in rows]

    def _line(self, subject: str, relation: str, row: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
        value = row["o"]
        if row.get("label") or value.startswith(("urn:", "http:", "https:")):
            self._next.setdefault(value)
            title = self._title(value)
            return f"{subject} | {relation} | {title}", (subject, title)
        return f"{subject} | {relation} | {neutral_sentence(value)}", (subject,)

    def _piece(self, subject: Iri, lines: Sequence[tuple[str, tuple[str, ...]]]) -> Iterator[Evidence]:
        fresh = []
        for line in lines:
            if line[0] not in self._seen:
                self._seen.add(line[0])
                fresh.append(line)
        if fresh:
            found = Candidate(subject, 1.0, "graph-query", "query", home_of(subject))
            yield make(iri=subject, title=self._title(subject), lines=fresh, home=found.home, found=found)


def _once(rows: Sequence[Mapping[str, str]]) -> list[Mapping[str, str]]:
    """Without what `broaderTransitive` only repeats."""
    broader = {row["o"] for row in rows if row["p"] == _BROADER}
    return [row for row in rows if row["p"] != _TRANSITIVE or row["o"] not in broader]


def _telling(row: Mapping[str, str], definition: Iri) -> int:
    if row["p"] == definition:
        return 0
    if row["p"].startswith(_BUILT_IN):
        return 5
    if row.get("label"):
        return 1 if row.get("stated") else 3
    return 2 if row["p"] in SYNONYMS else 4


def _local(predicate: Iri) -> str:
    return slug_of(predicate) if "#" not in predicate else predicate.rsplit("#", 1)[-1]
