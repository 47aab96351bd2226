"""Concepts of a graph: classes, individuals and SKOS concepts as the records that units are minted from."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from loom.core.pages.record import SHORT
from loom.core.rdf.graph import Graph
from loom.core.rdf.labels import best, clean, labels, name_of, others, rank, spoken, synonyms
from loom.core.rdf.owl import Ontology
from loom.core.rdf.terms import Literal, Node, is_blank
from loom.core.rdf.vocab import (
    BROADER,
    BUILT_IN,
    CONCEPT,
    DEFINITIONS,
    DEPRECATED,
    DOCUMENTING,
    DOMAINS,
    MAPPINGS,
    NARROWER,
    NO_RELATIONS,
    OWL,
    RELATED,
    REPLACED,
    STATUS,
    TYPE,
)
from loom.core.reason.axioms import And, Expression, Named, One, Opaque, Or, Some, expression_text
from loom.core.relations import known
from loom.core.text import slug_of
from loom.core.values import Concept, Iri, Ref, Where

Note = Callable[[str, str, Where], None]

LONGEST = 65_536
"""Code points of a text that are kept; an ontology that states more in one literal holds data, not a definition."""

_CURIE = re.compile(r"([A-Za-z][\w.-]*):([\w.-]+)")


class Describing:
    """Reads the concepts of one graph. `places` tells where a subject is stated, as far as that is known."""

    def __init__(self, ontology: Ontology, preferred: Sequence[str], places: Mapping[Node, Where], note: Note) -> None:
        self._ontology = ontology
        self._graph: Graph = ontology.graph
        self._preferred = tuple(preferred)
        self._places = places
        self._note = note
        graph = self._graph
        self.skos = {one for one in ontology.types.get(CONCEPT, ()) if not is_blank(one)} - ontology.classes
        for predicate in (BROADER, NARROWER, RELATED):
            for subject, objects in ((s, graph.nodes(s, predicate)) for s in graph.subjects() if predicate in graph.about(s)):
                self.skos.update(one for one in (subject, *objects) if not is_blank(one) and one in graph)
        self.skos -= ontology.classes
        self.individuals = ontology.individuals() - self.skos
        self.all = sorted(ontology.classes | self.skos | self.individuals)
        self._known = frozenset(self.all)
        self._narrower = self._reverse(NARROWER)
        self._related = self._reverse(RELATED)
        self.properties: dict[str, Iri] = {}
        self._names: dict[Iri, str] = {}
        self._called: dict[Iri, str] = {}
        self._led: dict[Iri, list[tuple[Iri, Iri]]] = {}

    def _reverse(self, predicate: Iri) -> dict[Node, list[Node]]:
        found: dict[Node, list[Node]] = {}
        for subject in sorted(self._graph.subjects()):
            for one in self._graph.nodes(subject, predicate):
                found.setdefault(one, []).append(subject)
        return found

    def concepts(self) -> Iterator[Concept]:
        """Every concept, in the order of IRIs."""
        return map(self._concept, self.all)

    def _concept(self, iri: Iri) -> Concept:
        graph, where = self._graph, self._places.get(iri, Where(""))
        stated = labels(graph, iri)
        chosen = best(stated, self._preferred)
        if chosen is None:
            self._note("missing-title", f"{iri} has no label", where)
        title = clean(chosen.text) if chosen else spoken(iri)
        more = [*stated, *synonyms(graph, iri)]
        if (
            chosen
            and rank(chosen.language, self._preferred) == 2 * len(self._preferred)
            and not any(map(str.isdigit, slug_of(iri)))
        ):
            more.append(Literal(spoken(iri)))
        definition = self._definition(iri, where)
        retired = self._deprecated(iri)
        return Concept(
            iri,
            title[:LONGEST],
            definition=definition[:SHORT],
            full=definition if len(definition) > SHORT else "",
            aliases=others(title, more),
            domain=next(filter(None, (self._worded(iri, one) for one in DOMAINS)), ""),
            maturity=next(filter(None, (self._worded(iri, one) for one in STATUS)), ""),
            parents=self._parents(iri, where),
            relations=self._relations(iri, where),
            where=where,
            deprecated=retired,
            replaced_by=self._replaced(iri) if retired else (),
        )

    def _definition(self, iri: Iri, where: Where) -> str:
        for predicate in DEFINITIONS:
            texts = [one for one in self._texts(iri, predicate) if one.text.strip()]
            if chosen := best(texts, self._preferred):
                if len(chosen.text) > LONGEST:
                    self._note("long-literal", f"{iri}: {len(chosen.text):,} code points in {slug_of(predicate)}", where)
                return chosen.text.strip()[:LONGEST]
        return ""

    def _texts(self, iri: Iri, predicate: Iri) -> list[Literal]:
        """Texts of a property, also where they are values of a node in between (SKOS notes as resources)."""
        found = self._graph.literals(iri, predicate)
        if not found:
            found = [one for node in self._graph.nodes(iri, predicate) for one in self._graph.literals(node, _VALUE)]
        return found

    def _worded(self, iri: Iri, predicate: Iri) -> str:
        """A property whose value is shown in words: a literal, or the name of what it leads to."""
        if texts := self._graph.literals(iri, predicate):
            chosen = best(texts, self._preferred)
            return clean(chosen.text) if chosen else ""
        nodes = self._graph.nodes(iri, predicate)
        return self._name(nodes[0]) if nodes and not is_blank(nodes[0]) else ""

    def _name(self, iri: Iri) -> str:
        if iri not in self._names:
            self._names[iri] = name_of(self._graph, iri, self._preferred) or spoken(iri)
        return self._names[iri]

    def _deprecated(self, iri: Iri) -> bool:
        if any(one.text.strip().lower() in ("true", "1") for one in self._graph.literals(iri, DEPRECATED)):
            return True
        return OWL + "DeprecatedClass" in self._graph.nodes(iri, TYPE)

    def _replaced(self, iri: Iri) -> tuple[Iri, ...]:
        """What stands in for a deprecated term; names like `SO:0000110` are read as IRIs of the same kind."""
        for predicate in REPLACED:
            found = dict.fromkeys(
                self._resolved(iri, one) if isinstance(one, Literal) else one for one in self._graph.of(iri, predicate)
            )
            if kept := tuple(one for one in found if one and not is_blank(one)):
                return kept
        return ()

    def _resolved(self, iri: Iri, value: Literal) -> Iri:
        text = value.text.strip()
        if text.startswith(("http://", "https://", "urn:")):
            return text
        namespace = iri[: len(iri) - len(slug_of(iri))]
        found = _CURIE.fullmatch(text)
        local = f"{found[1]}_{found[2]}" if found else text
        return namespace + local if namespace + local in self._known else ""

    def _parents(self, iri: Iri, where: Where) -> tuple[Ref, ...]:
        graph = self._graph
        if iri in self.skos:
            found: list[Node] = [*graph.nodes(iri, BROADER), *self._narrower.get(iri, ())]
        elif iri in self.individuals:
            found = graph.nodes(iri, TYPE)
        else:
            found = [one for expression in self._ontology.above(iri) for one in _named(expression)]
        refs = {one: self._ref(one) for one in found if not is_blank(one) and not one.startswith(BUILT_IN)}
        if iri in refs and iri not in self.individuals:
            self._note("parent-cycle", f"{iri} is stated below itself", where)
        refs.pop(iri, None)
        return tuple(refs.values())

    def _ref(self, iri: Iri) -> Ref:
        return Ref(iri) if iri in self._known else Ref(iri, self._name(iri))

    def _relations(self, iri: Iri, where: Where) -> tuple[tuple[str, tuple[Ref, ...]], ...]:
        found: dict[str, dict[Iri, Ref]] = {}
        self._led[iri] = [edge for edge in self._edges(iri, where) if not edge[1].startswith(BUILT_IN)]
        for role, target in self._led[iri]:
            found.setdefault(self._relation(role), {}).setdefault(target, self._ref(target))
        return tuple((name, tuple(refs.values())) for name, refs in found.items())

    def _relation(self, role: Iri) -> str:
        """What a property is called as a relation: a known name where its label spells one, else its label."""
        if role in self._called:
            return self._called[role]
        name = name_of(self._graph, role, self._preferred) or slug_of(role)
        name = "relatedTo" if role == RELATED else known(name) or known(slug_of(role)) or name
        self._called[role] = name
        first = self.properties.setdefault(name, role)
        if first != role:
            self._note("shared-relation-name", f"{role} and {first} are both called {name!r}", Where(""))
        return name

    def _edges(self, iri: Iri, where: Where) -> Iterator[tuple[Iri, Iri]]:
        """Properties and what they lead to: restrictions of a class, and what is stated between concepts directly."""
        if iri in self._ontology.classes:
            for expression in self._ontology.above(iri):
                yield from self._somes(expression, iri, where)
        for predicate, objects in self._graph.about(iri).items():
            if predicate == RELATED:
                yield from ((RELATED, one) for one in objects if isinstance(one, str) and not is_blank(one))
            elif predicate in NO_RELATIONS or (predicate.startswith(BUILT_IN) and predicate != OWL + "sameAs"):
                continue
            elif predicate in self._ontology.roles or predicate in MAPPINGS or self._links_individuals(predicate, iri):
                yield from ((predicate, one) for one in objects if isinstance(one, str) and not is_blank(one))
            else:
                yield from ((predicate, one) for one in objects if isinstance(one, str) and one in self._known)
        yield from ((RELATED, one) for one in self._related.get(iri, ()) if not is_blank(one))

    def _links_individuals(self, predicate: Iri, iri: Iri) -> bool:
        """Whether a property that nobody declares (its ontology is not here) can only be one between individuals."""
        return iri in self.individuals and predicate not in self._graph and not predicate.startswith(DOCUMENTING)

    def edges(self) -> Iterator[tuple[Iri, Iri, Iri]]:
        """Every relation of the concepts that have been read, as a statement of its own."""
        return ((iri, role, target) for iri, led in self._led.items() for role, target in led)

    def _somes(self, expression: Expression, iri: Iri, where: Where) -> Iterator[tuple[Iri, Iri]]:
        match expression:
            case And(parts):
                for part in parts:
                    yield from self._somes(part, iri, where)
            case Some(role, filler):
                targets = list(_named(filler))
                yield from ((role, target) for target in targets)
                if not targets:
                    self._note("restriction-left-out", f"{iri}: {_short(expression)}", where)
            case Named() | One():
                return
            case Opaque() | Or() | _:
                self._note("restriction-left-out", f"{iri}: {_short(expression)}", where)


_VALUE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#value"


def _named(expression: Expression) -> Iterator[Iri]:
    """Named classes and individuals that everything in an expression is below."""
    match expression:
        case Named(iri):
            yield iri
        case One(individual):
            yield individual
        case And(parts):
            for part in parts:
                yield from _named(part)
        case _:
            return


def _short(expression: Expression) -> str:
    text = expression_text(expression)
    return text if len(text) <= 200 else text[:199] + "…"
