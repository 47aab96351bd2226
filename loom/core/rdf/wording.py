"""Axioms in the words of their concepts, for the people who have to mend them."""

from collections.abc import Callable

from loom.core.reason.axioms import (
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
from loom.core.text import slug_of
from loom.core.values import Iri

NameOf = Callable[[Iri], str]
MOST = 6


def said(axiom: Axiom, name: NameOf) -> str:
    """One axiom as a short sentence. `name` gives what a concept is called; roles go by their local names."""
    match axiom:
        case SubClassOf(sub, sup):
            return f"{_one(sub, name)} is-a {_one(sup, name)}"
        case Equivalent(classes):
            return " is the same as ".join(_one(each, name) for each in classes)
        case Disjoint(classes):
            shown = [_one(each, name) for each in classes[:MOST]]
            more = f" and {len(classes) - MOST} more" if len(classes) > MOST else ""
            return f"nothing is more than one of {', '.join(shown)}{more}"
        case SubRole(sub, sup):
            return f"what {slug_of(sub)} leads to, {slug_of(sup)} leads to"
        case RoleChain(roles, sup):
            return f"{' then '.join(map(slug_of, roles))} is {slug_of(sup)}"
        case Transitive(role):
            return f"{slug_of(role)} is transitive"
        case Reflexive(role):
            return f"everything {slug_of(role)} itself"
        case Domain(role, cls):
            return f"whatever {slug_of(role)} something is-a {_one(cls, name)}"
        case Range(role, cls):
            return f"what {slug_of(role)} leads to is-a {_one(cls, name)}"
        case Declared(cls):
            return f"{_one(cls, name)} is a class"
        case Ignored(_, example):
            return example


def _one(expression: Expression, name: NameOf) -> str:
    match expression:
        case Named(iri) | One(iri):
            return name(iri)
        case Some(role, filler):
            return f"something that {slug_of(role)} {_inner(filler, name)}"
        case And(parts):
            return " and ".join(_inner(part, name) for part in parts)
        case Or(parts):
            return " or ".join(_inner(part, name) for part in parts)
        case Not(part):
            return f"not {_inner(part, name)}"
        case Opaque(kind, _):
            return f"({kind})"
    return expression_text(expression)


def _inner(expression: Expression, name: NameOf) -> str:
    text = _one(expression, name)
    return f"({text})" if isinstance(expression, And | Or | Some) else text
