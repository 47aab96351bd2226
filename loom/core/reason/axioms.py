"""Axioms as the reasoner reads them: frozen values for OWL 2 EL, and a named place for what lies outside it.

Roles are plain IRIs. `Or` (on the left) and `Not` (on the right) go slightly beyond EL and are understood there; anywhere else
they are read as an unknown class, which keeps every conclusion right but not every right conclusion drawn. Facts about
individuals are axioms over `One`: `SubClassOf(One(a), C)` says that a is a C, `SubClassOf(One(a), Some(r, One(b)))` that r holds
from a to b, `Equivalent` and `Disjoint` over several `One` that they are the same or different.
"""

import hashlib
from dataclasses import dataclass

from loom.core.values import Iri

OWL = "http://www.w3.org/2002/07/owl#"
THING = OWL + "Thing"
NOTHING = OWL + "Nothing"
TOP_ROLE = OWL + "topObjectProperty"
BOTTOM_ROLE = OWL + "bottomObjectProperty"


@dataclass(frozen=True, slots=True)
class Named:
    """A class by its IRI; owl:Thing and owl:Nothing are named like any other."""

    iri: Iri


@dataclass(frozen=True, slots=True)
class One:
    """The class whose only member is this individual. It is read as a class of its own that cannot be empty."""

    individual: Iri


@dataclass(frozen=True, slots=True)
class Some:
    """Everything that has this role to at least one member of the filler."""

    role: Iri
    filler: "Expression"


@dataclass(frozen=True, slots=True)
class Self:
    """Everything that has this role to itself. Understood as far as the member itself goes, not for classes below."""

    role: Iri


@dataclass(frozen=True, slots=True)
class And:
    parts: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class Or:
    parts: tuple["Expression", ...]


@dataclass(frozen=True, slots=True)
class Not:
    part: "Expression"


@dataclass(frozen=True, slots=True)
class Opaque:
    """An expression outside EL, read as an unknown class: equal texts are the same class, nothing else is known of it."""

    kind: str
    text: str


Expression = Named | One | Some | Self | And | Or | Not | Opaque

TOP = Named(THING)
BOTTOM = Named(NOTHING)


@dataclass(frozen=True, slots=True)
class SubClassOf:
    sub: Expression
    sup: Expression


@dataclass(frozen=True, slots=True)
class Equivalent:
    classes: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Disjoint:
    """No two of these classes share a member; a class that is listed twice is empty."""

    classes: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class SubRole:
    sub: Iri
    sup: Iri


@dataclass(frozen=True, slots=True)
class RoleChain:
    """The roles one after the other imply `sup`."""

    roles: tuple[Iri, ...]
    sup: Iri


@dataclass(frozen=True, slots=True)
class Transitive:
    role: Iri


@dataclass(frozen=True, slots=True)
class Reflexive:
    role: Iri


@dataclass(frozen=True, slots=True)
class Domain:
    role: Iri
    cls: Expression


@dataclass(frozen=True, slots=True)
class Range:
    role: Iri
    cls: Expression


@dataclass(frozen=True, slots=True)
class Declared:
    """The class exists, whether or not an axiom speaks of it."""

    cls: Named


@dataclass(frozen=True, slots=True)
class Ignored:
    """An axiom that the reasoner does not read: its kind (as OWL names it) and its text."""

    kind: str
    example: str


Axiom = SubClassOf | Equivalent | Disjoint | SubRole | RoleChain | Transitive | Reflexive | Domain | Range | Declared | Ignored

_NAMES = {
    And: "ObjectIntersectionOf",
    Or: "ObjectUnionOf",
    Equivalent: "EquivalentClasses",
    Disjoint: "DisjointClasses",
    Transitive: "TransitiveObjectProperty",
    Reflexive: "ReflexiveObjectProperty",
    Domain: "ObjectPropertyDomain",
    Range: "ObjectPropertyRange",
}


def _sorted(texts: list[str]) -> str:
    return " ".join(sorted(texts))


def _iri(iri: Iri) -> str:
    return f"<{iri}>"


def expression_text(value: Expression) -> str:
    """The expression in functional syntax, operands of intersection and union sorted: one text for one meaning of its form."""
    match value:
        case Named(iri):
            return _iri(iri)
        case One(individual):
            return f"ObjectOneOf({_iri(individual)})"
        case Some(role, filler):
            return f"ObjectSomeValuesFrom({_iri(role)} {expression_text(filler)})"
        case Self(role):
            return f"ObjectHasSelf({_iri(role)})"
        case And(parts) | Or(parts):
            return f"{_NAMES[type(value)]}({_sorted([expression_text(part) for part in parts])})"
        case Not(part):
            return f"ObjectComplementOf({expression_text(part)})"
        case Opaque(_, text):
            return text


def text(axiom: Axiom) -> str:
    """The axiom in functional syntax; the order in which equivalent or disjoint classes are listed does not matter."""
    match axiom:
        case SubClassOf(sub, sup):
            return f"SubClassOf({expression_text(sub)} {expression_text(sup)})"
        case Equivalent(classes) | Disjoint(classes):
            return f"{_NAMES[type(axiom)]}({_sorted([expression_text(one) for one in classes])})"
        case SubRole(sub, sup):
            return f"SubObjectPropertyOf({_iri(sub)} {_iri(sup)})"
        case RoleChain(roles, sup):
            return f"SubObjectPropertyOf(ObjectPropertyChain({' '.join(map(_iri, roles))}) {_iri(sup)})"
        case Transitive(role) | Reflexive(role):
            return f"{_NAMES[type(axiom)]}({_iri(role)})"
        case Domain(role, cls) | Range(role, cls):
            return f"{_NAMES[type(axiom)]}({_iri(role)} {expression_text(cls)})"
        case Declared(cls):
            return f"Declaration(Class({expression_text(cls)}))"
        case Ignored(_, example):
            return example


def axiom_id(axiom: Axiom) -> str:
    """A name for the axiom that depends on its content only: 32 hexadecimal digits."""
    return hashlib.sha256(text(axiom).encode()).hexdigest()[:32]
