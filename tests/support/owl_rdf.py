"""OWL in RDF, read into axioms with rdflib: just what the W3C cases in OWL 2 EL use."""

from typing import Any

from rdflib import OWL, RDF, RDFS, BNode, Graph, Literal, URIRef
from rdflib.collection import Collection

from loom.core.reason import axioms as ax

BUILT_IN = (str(OWL), str(RDF), str(RDFS), "http://www.w3.org/2001/XMLSchema#")
ROLE_PAIRS = (RDFS.subPropertyOf, OWL.equivalentProperty)


class Graphed:
    """The axioms of a graph; what cannot be read becomes Ignored."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.axioms: list[ax.Axiom] = []
        self.data = {
            *graph.subjects(RDF.type, OWL.DatatypeProperty),
            *(s for s, _, o in graph if isinstance(o, Literal)),
        }
        self.annotations = {*graph.subjects(RDF.type, OWL.AnnotationProperty), RDFS.comment, RDFS.label}
        self.classes = {*graph.subjects(RDF.type, OWL.Class), OWL.Thing, OWL.Nothing}
        for s, p, o in sorted(graph, key=str):
            self._triple(s, p, o)

    def _list(self, node: Any) -> list[Any]:
        return list(Collection(self.graph, node))

    def cls(self, node: Any) -> ax.Expression:
        value = self.graph.value
        if isinstance(node, URIRef):
            return ax.Named(str(node))
        if isinstance(node, Literal):
            return ax.Opaque("Literal", node.n3())
        if (parts := value(node, OWL.intersectionOf)) is not None:
            return ax.And(tuple(map(self.cls, self._list(parts))))
        if (parts := value(node, OWL.unionOf)) is not None:
            return ax.Or(tuple(map(self.cls, self._list(parts))))
        if (part := value(node, OWL.complementOf)) is not None:
            return ax.Not(self.cls(part))
        if (parts := value(node, OWL.oneOf)) is not None:
            members = self._list(parts)
            if all(not isinstance(one, Literal) for one in members):
                each = tuple(ax.One(str(one)) for one in members)
                return each[0] if len(each) == 1 else ax.Or(each)
        role = value(node, OWL.onProperty)
        if isinstance(role, URIRef):
            if (filler := value(node, OWL.someValuesFrom)) is not None:
                return ax.Some(str(role), self.cls(filler))
            if value(node, OWL.hasSelf) is not None:
                return ax.Self(str(role))
            if (filler := value(node, OWL.hasValue)) is not None:
                return ax.Some(str(role), self.cls(filler) if isinstance(filler, Literal) else ax.One(str(filler)))
        described = sorted(f"{p} {o}" for p, o in self.graph.predicate_objects(node))
        return ax.Opaque("Restriction", "; ".join(described))

    def _sub(self, sub: ax.Expression, sup: ax.Expression) -> None:
        self.axioms.append(ax.SubClassOf(sub, sup))

    def _triple(self, s: Any, p: Any, o: Any) -> None:
        add = self.axioms.append
        if p == RDFS.subClassOf:
            self._sub(self.cls(s), self.cls(o))
        elif p == OWL.equivalentClass:
            add(ax.Equivalent((self.cls(s), self.cls(o))))
        elif p == OWL.disjointWith:
            add(ax.Disjoint((self.cls(s), self.cls(o))))
        elif p == OWL.disjointUnionOf:
            parts = tuple(map(self.cls, self._list(o)))
            add(ax.Equivalent((self.cls(s), ax.Or(parts))))
            add(ax.Disjoint(parts))
        elif p == OWL.members and (s, RDF.type, OWL.AllDisjointClasses) in self.graph:
            add(ax.Disjoint(tuple(map(self.cls, self._list(o)))))
        elif p in (OWL.members, OWL.distinctMembers) and (s, RDF.type, OWL.AllDifferent) in self.graph:
            add(ax.Disjoint(tuple(ax.One(str(one)) for one in self._list(o))))
        elif p == RDFS.domain:
            add(ax.Domain(str(s), self.cls(o)))
        elif p == RDFS.range:
            add(ax.Range(str(s), self.cls(o)))
        elif p in ROLE_PAIRS and isinstance(s, URIRef) and isinstance(o, URIRef):
            add(ax.SubRole(str(s), str(o)))
            if p == OWL.equivalentProperty:
                add(ax.SubRole(str(o), str(s)))
        elif p == OWL.propertyChainAxiom:
            add(ax.RoleChain(tuple(map(str, self._list(o))), str(s)))
        elif p == OWL.sameAs:
            add(ax.Equivalent((ax.One(str(s)), ax.One(str(o)))))
        elif p == OWL.differentFrom:
            add(ax.Disjoint((ax.One(str(s)), ax.One(str(o)))))
        elif p == OWL.targetIndividual:
            one, role = self.graph.value(s, OWL.sourceIndividual), self.graph.value(s, OWL.assertionProperty)
            self._sub(ax.And((ax.One(str(one)), ax.Some(str(role), ax.One(str(o))))), ax.BOTTOM)
        elif p == OWL.targetValue:
            one, role = self.graph.value(s, OWL.sourceIndividual), self.graph.value(s, OWL.assertionProperty)
            self._sub(ax.And((ax.One(str(one)), ax.Some(str(role), self.cls(o)))), ax.BOTTOM)
        elif p == OWL.inverseOf or p == OWL.hasKey or p == OWL.propertyDisjointWith:
            add(ax.Ignored(str(p).rpartition("#")[2], f"{s} {o}"))
        elif p == RDF.type:
            self._type(s, o)
        elif not str(p).startswith(BUILT_IN) and p not in self.annotations:
            self._sub(ax.One(str(s)), ax.Some(str(p), self.cls(o) if isinstance(o, Literal) else ax.One(str(o))))
        elif p in (OWL.intersectionOf, OWL.unionOf, OWL.oneOf, OWL.complementOf) and isinstance(s, URIRef):
            inner = Graph()
            node = BNode()
            inner.add((node, p, o))
            for triple in self.graph:
                inner.add(triple)
            whole, self.graph = self.graph, inner
            add(ax.Equivalent((ax.Named(str(s)), self.cls(node))))
            self.graph = whole

    def _type(self, s: Any, o: Any) -> None:
        if o == OWL.TransitiveProperty:
            self.axioms.append(ax.Transitive(str(s)))
        elif o == OWL.ReflexiveProperty:
            self.axioms.append(ax.Reflexive(str(s)))
        elif o in (OWL.Class, RDFS.Class) and isinstance(s, URIRef):
            self.axioms.append(ax.Declared(ax.Named(str(s))))
        elif o in (OWL.Thing, OWL.NamedIndividual):
            self._sub(ax.One(str(s)), ax.TOP)
        elif o == OWL.Nothing or isinstance(o, BNode) or not str(o).startswith(BUILT_IN):
            self._sub(ax.One(str(s)), self.cls(o))
        elif (
            str(o).startswith(str(OWL))
            and str(o).endswith("Property")
            and o
            not in (
                OWL.ObjectProperty,
                OWL.DatatypeProperty,
                OWL.AnnotationProperty,
            )
        ):
            self.axioms.append(ax.Ignored(str(o).rpartition("#")[2], str(s)))


def read(text: str) -> list[ax.Axiom]:
    """The axioms of a document in RDF/XML."""
    graph = Graph()
    graph.parse(data=text, format="xml")
    return Graphed(graph).axioms
