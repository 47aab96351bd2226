"""Ontologies in OWL functional syntax, read into axioms: just what the test suites use."""

import re
from collections.abc import Iterator
from typing import Any

from loom.core.reason import axioms as ax

TOKEN = re.compile(
    r'\s*(?:#[^\n]*\n\s*)*(<[^>]*>|"(?:[^"\\]|\\.)*"(?:@[\w-]+|\^\^(?:<[^>]*>|[\w-]*:[\w.-]*))?|\^\^|[()=]|[^\s()=<>"]+)', re.S
)
STANDARD = {
    "owl": ax.OWL,
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}

Tree = list[Any]


def _tokens(text: str) -> Iterator[str]:
    position = 0
    while match := TOKEN.match(text, position):
        position = match.end()
        yield match.group(1)
    rest = re.sub(r"(#[^\n]*)?\s*", "", text[position:])
    if rest:
        raise ValueError(f"cannot read functional syntax at {text[position : position + 60]!r}")


def _trees(text: str) -> list[Any]:
    stack: list[Tree] = [[]]
    for token in _tokens(text):
        if token == "(":
            head = stack[-1].pop()
            stack.append([head])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    return stack[0]


class _Reader:
    def __init__(self) -> None:
        self.prefixes = dict(STANDARD)
        self.axioms: list[ax.Axiom] = []

    def iri(self, token: str) -> str:
        if token.startswith("<"):
            return token[1:-1]
        prefix, _, local = token.partition(":")
        return self.prefixes[prefix] + local if prefix in self.prefixes else token

    def words(self, tree: Any) -> str:
        """The tree as text with IRIs written out."""
        if isinstance(tree, str):
            return f"<{self.iri(tree)}>" if not tree.startswith('"') else tree
        return f"{tree[0]}({' '.join(self.words(one) for one in tree[1:])})"

    def cls(self, tree: Any) -> ax.Expression:
        if isinstance(tree, str):
            return ax.Named(self.iri(tree))
        match tree:
            case ["ObjectSomeValuesFrom", str(role), filler]:
                return ax.Some(self.iri(role), self.cls(filler))
            case ["ObjectHasValue", str(role), str(individual)]:
                return ax.Some(self.iri(role), ax.One(self.iri(individual)))
            case ["ObjectHasSelf", str(role)]:
                return ax.Self(self.iri(role))
            case ["ObjectIntersectionOf", *parts]:
                return ax.And(tuple(map(self.cls, parts)))
            case ["ObjectUnionOf", *parts]:
                return ax.Or(tuple(map(self.cls, parts)))
            case ["ObjectComplementOf", part]:
                return ax.Not(self.cls(part))
            case ["ObjectOneOf", str(one)]:
                return ax.One(self.iri(one))
            case ["ObjectOneOf", *several]:
                return ax.Or(tuple(ax.One(self.iri(one)) for one in several))
            case [("DataSomeValuesFrom" | "DataHasValue"), str(role), value]:
                return ax.Some(self.iri(role), ax.Opaque(tree[0], self.words(value)))
        return ax.Opaque(tree[0], self.words(tree))

    def sub(self, left: ax.Expression, right: ax.Expression) -> None:
        self.axioms.append(ax.SubClassOf(left, right))

    def axiom(self, tree: Tree) -> None:
        tree = [tree[0], *(one for one in tree[1:] if not (isinstance(one, list) and one[0] == "Annotation"))]
        match tree:
            case ["Declaration", ["Class", str(name)]]:
                self.axioms.append(ax.Declared(ax.Named(self.iri(name))))
            case ["Declaration", ["NamedIndividual", str(name)]]:
                self.sub(ax.One(self.iri(name)), ax.TOP)
            case ["SubClassOf", left, right]:
                self.sub(self.cls(left), self.cls(right))
            case ["EquivalentClasses", *classes]:
                self.axioms.append(ax.Equivalent(tuple(map(self.cls, classes))))
            case ["DisjointClasses", *classes]:
                self.axioms.append(ax.Disjoint(tuple(map(self.cls, classes))))
            case ["DisjointUnion", whole, *parts]:
                self.axioms.append(ax.Equivalent((self.cls(whole), ax.Or(tuple(map(self.cls, parts))))))
                self.axioms.append(ax.Disjoint(tuple(map(self.cls, parts))))
            case ["SubObjectPropertyOf", ["ObjectPropertyChain", *roles], str(whole)] if all(isinstance(r, str) for r in roles):
                self.axioms.append(ax.RoleChain(tuple(map(self.iri, roles)), self.iri(whole)))
            case [("SubObjectPropertyOf" | "SubDataPropertyOf"), str(lower), str(upper)]:
                self.axioms.append(ax.SubRole(self.iri(lower), self.iri(upper)))
            case [("EquivalentObjectProperties" | "EquivalentDataProperties"), *roles] if all(
                isinstance(r, str) for r in roles
            ):
                for lower in roles:
                    self.axioms.extend(ax.SubRole(self.iri(lower), self.iri(upper)) for upper in roles if upper != lower)
            case ["TransitiveObjectProperty", str(role)]:
                self.axioms.append(ax.Transitive(self.iri(role)))
            case ["ReflexiveObjectProperty", str(role)]:
                self.axioms.append(ax.Reflexive(self.iri(role)))
            case [("ObjectPropertyDomain" | "DataPropertyDomain"), str(role), what]:
                self.axioms.append(ax.Domain(self.iri(role), self.cls(what)))
            case ["ObjectPropertyRange", str(role), what]:
                self.axioms.append(ax.Range(self.iri(role), self.cls(what)))
            case ["ClassAssertion", what, str(one)]:
                self.sub(ax.One(self.iri(one)), self.cls(what))
            case ["ObjectPropertyAssertion", str(role), str(one), str(other)]:
                self.sub(ax.One(self.iri(one)), ax.Some(self.iri(role), ax.One(self.iri(other))))
            case ["NegativeObjectPropertyAssertion", str(role), str(one), str(other)]:
                self.sub(ax.And((ax.One(self.iri(one)), ax.Some(self.iri(role), ax.One(self.iri(other))))), ax.BOTTOM)
            case ["SameIndividual", *several]:
                self.axioms.append(ax.Equivalent(tuple(ax.One(self.iri(one)) for one in several)))
            case ["DifferentIndividuals", *several]:
                self.axioms.append(ax.Disjoint(tuple(ax.One(self.iri(one)) for one in several)))
            case [("Declaration" | "Annotation" | "AnnotationAssertion"), *_]:
                pass
            case _:
                self.axioms.append(ax.Ignored(tree[0], self.words(tree)))


def read(text: str) -> list[ax.Axiom]:
    """The axioms of a document, in its order."""
    reader = _Reader()
    trees = _trees(text)
    for tree in trees:
        if isinstance(tree, list) and tree[0] == "Prefix":
            reader.prefixes[tree[1].rstrip(":=") if tree[1] != ":" else ""] = tree[-1][1:-1]
    for tree in trees:
        if isinstance(tree, list) and tree[0] == "Ontology":
            for one in tree[1:]:
                if isinstance(one, list):
                    reader.axiom(one)
    return reader.axioms
