"""Axioms of a graph: OWL and RDFS statements as the reasoner reads them.

What lies outside EL keeps its name: an expression becomes `Opaque`, an axiom `Ignored`, each with its text in functional
syntax. A cardinality of at least one is read as `some` as well, since it implies it.
"""

from collections.abc import Iterator, Mapping, Sequence

from loom.core.rdf.graph import Graph
from loom.core.rdf.terms import Literal, Node, Term, is_blank, written
from loom.core.rdf.vocab import (
    BUILT_IN,
    CLASS_TYPES,
    INDIVIDUAL,
    OWL,
    PROPERTY_TYPES,
    RDF,
    RDFS,
    SUB_CLASS,
    SUB_PROPERTY,
    TYPE,
    XSD,
)
from loom.core.reason.axioms import (
    NOTHING,
    And,
    Axiom,
    Declared,
    Disjoint,
    Domain,
    Equivalent,
    Expression,
    Ignored,
    Named,
    Not,
    One,
    Opaque,
    Or,
    Range,
    Reflexive,
    RoleChain,
    Some,
    SubClassOf,
    SubRole,
    Transitive,
    expression_text,
)
from loom.core.values import Iri

LARGEST = 20_000
DEEPEST = 100
"""An expression of more parts, or nested more deeply, is not read: shared blank nodes can unfold without end."""

_CARDINALITIES = {
    OWL + name: (kind, least)
    for name, kind, least in (
        ("minCardinality", "ObjectMinCardinality", True), ("minQualifiedCardinality", "ObjectMinCardinality", True),
        ("cardinality", "ObjectExactCardinality", True), ("qualifiedCardinality", "ObjectExactCardinality", True),
        ("maxCardinality", "ObjectMaxCardinality", False), ("maxQualifiedCardinality", "ObjectMaxCardinality", False),
    )
}  # fmt: skip
_IGNORED_TYPES = {
    OWL + name: name.replace("Property", "ObjectProperty")
    for name in (
        "FunctionalProperty",
        "InverseFunctionalProperty",
        "SymmetricProperty",
        "AsymmetricProperty",
        "IrreflexiveProperty",
    )
}


class Ontology:
    """What a graph states as axioms. `names` gives blank nodes their names, for texts of what cannot be read."""

    def __init__(self, graph: Graph, names: Mapping[Node, str]) -> None:
        self.graph = graph
        self._names = names
        self._known: dict[Node, Expression] = {}
        self._sizes: dict[Node, int] = {}
        self._depths: dict[Node, int] = {}
        types: dict[Iri, set[Node]] = {}
        for subject in graph.subjects():
            for kind in graph.nodes(subject, TYPE):
                types.setdefault(kind, set()).add(subject)
        self.types = types
        self._data = types.get(OWL + "DatatypeProperty", set()) - types.get(OWL + "ObjectProperty", set())
        self._annotations = types.get(OWL + "AnnotationProperty", set()) - types.get(OWL + "ObjectProperty", set())
        self.roles = types.get(OWL + "ObjectProperty", set()).union(
            *(types.get(OWL + name, set()) for name in ("TransitiveProperty", "SymmetricProperty", "ReflexiveProperty"))
        )
        self.classes = self._find_classes()

    def _find_classes(self) -> set[Iri]:
        """IRIs that are declared as classes, or stand where only a class can."""
        found = set().union(*(self.types.get(kind, set()) for kind in CLASS_TYPES))
        placed = (SUB_CLASS, OWL + "equivalentClass", OWL + "disjointWith")
        for subject in self.graph.subjects():
            about = self.graph.about(subject)
            for predicate in placed:
                if predicate in about:
                    found.add(subject)
                    found.update(one for one in about[predicate] if isinstance(one, str) and one in self.graph)
        return {one for one in found if not is_blank(one) and not one.startswith(BUILT_IN)}

    def individuals(self) -> set[Iri]:
        """IRIs that are stated to be individuals, or to be members of a class that the graph declares."""
        return {one for one in self._members() if not is_blank(one)}

    def _members(self) -> set[Node]:
        """Individuals, those without a name included."""
        found = set(self.types.get(INDIVIDUAL, ()))
        for kind, members in self.types.items():
            if kind in self.classes or kind in (OWL + "Thing", NOTHING) or (is_blank(kind) and self._is_expression(kind)):
                found |= members
        found |= {one for one in self.graph.subjects() if not self.roles.isdisjoint(self.graph.about(one))}
        return {one for one in found if not one.startswith(BUILT_IN)} - self.classes - self._properties()

    def _is_expression(self, node: Node) -> bool:
        return any(kind in (OWL + "Restriction", *CLASS_TYPES) for kind in self.graph.nodes(node, TYPE))

    def _properties(self) -> set[Node]:
        return set().union(*(self.types.get(kind, set()) for kind in PROPERTY_TYPES))

    def expression(self, node: Term) -> Expression:
        """A class expression. Circles and expressions that unfold beyond `LARGEST` parts are opaque."""
        if isinstance(node, Literal):
            return Opaque("Literal", written(node))
        pending, opened = [node], set()
        while pending:
            top = pending[-1]
            inner = [] if top in self._known or top in opened else [one for one in self._inner(top) if one not in self._known]
            opened.add(top)
            for one in inner:
                if one in opened:
                    self._keep(one, Opaque("Circle", self._name(one)), 1, 1)
            pending += [one for one in inner if one not in opened]
            if pending[-1] is not top:
                continue
            pending.pop()
            if top not in self._known:
                parts = self._inner(top)
                size = 1 + sum(self._sizes[one] for one in parts)
                depth = 1 + max((self._depths[one] for one in parts), default=0)
                if size > LARGEST or depth > DEEPEST:
                    self._keep(top, Opaque("TooLarge", self._name(top)), 1, 1)
                else:
                    self._keep(top, self._made(top), size, depth)
        return self._known[node]

    def _keep(self, node: Node, expression: Expression, size: int, depth: int) -> None:
        self._known[node], self._sizes[node], self._depths[node] = expression, size, depth

    def _inner(self, node: Node) -> list[Node]:
        """The nodes that an expression is made of directly."""
        about = self.graph.about(node)
        if not is_blank(node) and OWL + "onProperty" not in about:
            return []
        for predicate in (OWL + "intersectionOf", OWL + "unionOf"):
            if predicate in about:
                return [
                    one
                    for head in self.graph.nodes(node, predicate)[:1]
                    for one in self.graph.members(head)
                    if isinstance(one, str)
                ]
        names = ("complementOf", "someValuesFrom", "allValuesFrom", "onClass")
        return [one for name in names for one in self.graph.nodes(node, OWL + name)[:1]]

    def _made(self, node: Node) -> Expression:
        """An expression of which every inner one is known."""
        graph, about = self.graph, self.graph.about(node)
        if OWL + "onProperty" in about:
            return self._restriction(node)
        if not is_blank(node):
            return Named(node)
        for predicate, kind in ((OWL + "intersectionOf", And), (OWL + "unionOf", Or)):
            if predicate in about:
                parts = tuple(dict.fromkeys(self._known[one] for one in self._inner(node)))
                return parts[0] if len(parts) == 1 else kind(parts) if parts else Opaque("EmptyList", self._name(node))
        if inner := graph.nodes(node, OWL + "complementOf"):
            return Not(self._known[inner[0]])
        if heads := graph.nodes(node, OWL + "oneOf"):
            members = [one for one in graph.members(heads[0])]
            ones = tuple(One(one) for one in members if isinstance(one, str) and not is_blank(one))
            if ones and len(ones) == len(members):
                return ones[0] if len(ones) == 1 else Or(ones)
            return Opaque("DataOneOf", f"DataOneOf({' '.join(sorted(map(self._shown, members)))})")
        return Opaque("Unknown", self._name(node))

    def _restriction(self, node: Node) -> Expression:
        graph, about = self.graph, self.graph.about(node)
        role = next(iter(graph.nodes(node, OWL + "onProperty")), "")
        inner = self._inner(node)
        filler = self._known[inner[0]] if inner else Named(OWL + "Thing")
        values = graph.of(node, OWL + "hasValue")
        data = role in self._data or any(isinstance(one, Literal) for one in values) or _is_data(filler)
        prefix = "Data" if data else "Object"
        plain = bool(role) and not is_blank(role) and not data

        def opaque(kind: str, *more: str) -> Opaque:
            return Opaque(prefix + kind, f"{prefix}{kind}({' '.join((*more, self._shown(role), self._text(filler)))})")

        if OWL + "someValuesFrom" in about:
            return Some(role, filler) if plain else opaque("SomeValuesFrom" if not is_blank(role) else "InverseOf")
        if values:
            one = values[0]
            if plain and isinstance(one, str) and not is_blank(one):
                return Some(role, One(one))
            return opaque("HasValue", self._shown(one))
        if OWL + "allValuesFrom" in about:
            return opaque("AllValuesFrom")
        if OWL + "hasSelf" in about:
            return opaque("HasSelf")
        for predicate, (kind, least) in _CARDINALITIES.items():
            for number in graph.literals(node, predicate)[:1]:
                unread = opaque(kind.removeprefix("Object"), number.text)
                if not (least and plain and number.text.strip().isdigit() and int(number.text) > 0):
                    return unread
                some = Some(role, filler)
                exactly_some = kind == "ObjectMinCardinality" and int(number.text) == 1
                return some if exactly_some else And((some, unread))
        return opaque("Restriction")

    def _text(self, filler: Expression) -> str:
        return expression_text(filler)

    def _name(self, node: Node) -> str:
        return f"<{self._names.get(node, node)}>"

    def _shown(self, term: Term) -> str:
        return self._name(term) if isinstance(term, str) else written(term)

    def axioms(self) -> list[Axiom]:
        """Every axiom once, in no particular order."""
        found: dict[Axiom, None] = {}
        for iri in sorted(self.classes):
            found[Declared(Named(iri))] = None
        for subject in self.graph.subjects():
            found.update(dict.fromkeys(self._axioms_of(subject)))
        for node in sorted(self._members()):
            found.update(dict.fromkeys(self._facts_of(node)))
        return list(found)

    def above(self, iri: Iri) -> Iterator[Expression]:
        """Expressions that a class is stated to be below or the same as."""
        for predicate in (SUB_CLASS, OWL + "equivalentClass", OWL + "intersectionOf"):
            if predicate == OWL + "intersectionOf":
                for head in self.graph.nodes(iri, predicate):
                    yield from (self.expression(one) for one in self.graph.members(head))
            else:
                yield from (self.expression(one) for one in self.graph.nodes(iri, predicate))

    def _axioms_of(self, subject: Node) -> Iterator[Axiom]:
        for predicate, objects in self.graph.about(subject).items():
            nodes = [one for one in objects if isinstance(one, str)]
            if predicate == SUB_CLASS:
                yield from (SubClassOf(self.expression(subject), self.expression(one)) for one in nodes)
            elif predicate == OWL + "equivalentClass":
                yield from (Equivalent(self._pair(subject, one)) for one in nodes)
            elif predicate == OWL + "disjointWith":
                yield from (Disjoint(self._pair(subject, one)) for one in nodes)
            elif predicate in (OWL + "intersectionOf", OWL + "unionOf", OWL + "oneOf", OWL + "complementOf"):
                yield from self._defined(subject, predicate, nodes)
            elif predicate == OWL + "disjointUnionOf":
                for head in nodes:
                    yield from self._union(subject, self.graph.members(head))
            elif predicate == OWL + "hasKey":
                yield Ignored("HasKey", f"HasKey({self._shown(subject)})")
            elif predicate == OWL + "sourceIndividual":
                yield from self._denied(subject)
            elif predicate == OWL + "members":
                yield from self._listed(subject, nodes)
            else:
                yield from self._about_property(subject, predicate, nodes)

    def _pair(self, one: Node, other: Node) -> tuple[Expression, ...]:
        return tuple(sorted((self.expression(one), self.expression(other)), key=expression_text))

    def _defined(self, subject: Node, predicate: Iri, nodes: Sequence[Node]) -> Iterator[Axiom]:
        """A class that is defined in place, without owl:equivalentClass."""
        if is_blank(subject) or (OWL + "Datatype" in self.types and subject in self.types.get(RDFS + "Datatype", ())):
            return
        for node in nodes:
            if predicate == OWL + "complementOf":
                yield Equivalent((Named(subject), Not(self.expression(node))))
                continue
            members = self.graph.members(node)
            if predicate == OWL + "oneOf":
                parts: tuple[Expression, ...] = tuple(One(one) for one in members if isinstance(one, str) and not is_blank(one))
            else:
                parts = tuple(self.expression(one) for one in members if isinstance(one, str))
            if len(parts) == len(members) and parts:
                kind = And if predicate == OWL + "intersectionOf" else Or
                yield Equivalent((Named(subject), kind(parts) if len(parts) > 1 else parts[0]))

    def _union(self, subject: Node, members: Sequence[Term]) -> Iterator[Axiom]:
        parts = tuple(self.expression(one) for one in members if isinstance(one, str))
        if len(parts) > 1:
            yield Equivalent((self.expression(subject), Or(parts)))
            yield Disjoint(tuple(sorted(parts, key=expression_text)))

    def _listed(self, subject: Node, heads: Sequence[Node]) -> Iterator[Axiom]:
        kinds = self.graph.nodes(subject, TYPE)
        members = [one for head in heads for one in self.graph.members(head) if isinstance(one, str)]
        if OWL + "AllDisjointClasses" in kinds and len(members) > 1:
            yield Disjoint(tuple(sorted(map(self.expression, members), key=expression_text)))
        elif OWL + "AllDifferent" in kinds:
            yield from self._different(members)
        elif OWL + "AllDisjointProperties" in kinds:
            yield Ignored(
                "DisjointObjectProperties", f"DisjointObjectProperties({' '.join(sorted(map(self._shown, members)))})"
            )

    def _different(self, members: Sequence[Node]) -> Iterator[Axiom]:
        ones = tuple(map(self._individual, sorted(set(members))))
        if len(ones) > 1:
            yield Disjoint(ones)

    def _about_property(self, subject: Node, predicate: Iri, nodes: Sequence[Node]) -> Iterator[Axiom]:
        if predicate == OWL + "distinctMembers":
            yield from self._different([one for head in nodes for one in self.graph.members(head) if isinstance(one, str)])
            return
        if is_blank(subject) or subject in self._data or subject in self._annotations or subject.startswith(BUILT_IN):
            return
        shown = self._shown(subject)
        if predicate == TYPE:
            for kind in nodes:
                if kind == OWL + "TransitiveProperty":
                    yield Transitive(subject)
                elif kind == OWL + "ReflexiveProperty":
                    yield Reflexive(subject)
                elif kind in _IGNORED_TYPES:
                    yield Ignored(_IGNORED_TYPES[kind], f"{_IGNORED_TYPES[kind]}({shown})")
        elif predicate == OWL + "propertyChainAxiom":
            for head in nodes:
                chain = [one for one in self.graph.members(head) if isinstance(one, str)]
                if chain and not any(map(is_blank, chain)):
                    yield RoleChain(tuple(chain), subject) if len(chain) > 1 else SubRole(chain[0], subject)
                else:
                    yield Ignored(
                        "ObjectPropertyChain",
                        f"SubObjectPropertyOf(ObjectPropertyChain({' '.join(map(self._shown, chain))}) {shown})",
                    )
        elif predicate in (SUB_PROPERTY, OWL + "equivalentProperty", RDFS + "domain", RDFS + "range"):
            yield from self._simple(subject, predicate, nodes)
        elif predicate in (OWL + "inverseOf", OWL + "propertyDisjointWith"):
            kind = "InverseObjectProperties" if predicate.endswith("inverseOf") else "DisjointObjectProperties"
            yield from (Ignored(kind, f"{kind}({' '.join(sorted((shown, self._shown(one))))})") for one in nodes)

    def _simple(self, subject: Iri, predicate: Iri, nodes: Sequence[Node]) -> Iterator[Axiom]:
        for one in nodes:
            if predicate in (RDFS + "domain", RDFS + "range"):
                cls = self.expression(one)
                if subject in self.roles and not _is_data(cls):
                    yield Domain(subject, cls) if predicate.endswith("domain") else Range(subject, cls)
            elif is_blank(one):
                yield Ignored("ObjectInverseOf", f"SubObjectPropertyOf({self._shown(subject)} {self._shown(one)})")
            elif not one.startswith(BUILT_IN):
                yield SubRole(subject, one)
                if predicate == OWL + "equivalentProperty":
                    yield SubRole(one, subject)

    def _facts_of(self, node: Node) -> Iterator[Axiom]:
        me = self._individual(node)
        for predicate, objects in self.graph.about(node).items():
            nodes = [one for one in objects if isinstance(one, str)]
            if predicate == TYPE:
                kinds = [one for one in nodes if is_blank(one) or one == NOTHING or not one.startswith(BUILT_IN)]
                yield from (SubClassOf(me, self.expression(one)) for one in kinds)
            elif predicate == OWL + "sameAs":
                yield from (Equivalent((me, self._individual(one))) for one in nodes)
            elif predicate == OWL + "differentFrom":
                yield from (axiom for one in nodes for axiom in self._different([node, one]))
            elif predicate in self.roles:
                yield from (SubClassOf(me, Some(predicate, self._individual(one))) for one in nodes)

    def _individual(self, node: Node) -> One:
        return One(self._names.get(node, node))

    def _denied(self, subject: Node) -> Iterator[Axiom]:
        """That a property does not hold between two individuals."""
        sources, roles, targets = (
            self.graph.nodes(subject, OWL + name) for name in ("sourceIndividual", "assertionProperty", "targetIndividual")
        )
        if sources and roles and targets:
            yield SubClassOf(self._individual(sources[0]), Not(Some(roles[0], self._individual(targets[0]))))
        else:
            yield Ignored("NegativeDataPropertyAssertion", f"NegativeDataPropertyAssertion({self._name(subject)})")


def _is_data(filler: Expression) -> bool:
    return (isinstance(filler, Named) and (filler.iri.startswith((XSD, RDF)) or filler.iri == RDFS + "Literal")) or (
        isinstance(filler, Opaque) and filler.kind in ("DataOneOf", "Literal")
    )
