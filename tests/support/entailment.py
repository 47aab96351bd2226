"""Whether an axiom follows, asked of the reasoner through classes made for the question."""

from collections.abc import Sequence
from itertools import product

from loom.core.reason import axioms as ax
from loom.core.reason.closure import Closure
from loom.core.reason.reasoner import ElReasoner

ASKED, FOUND, WITNESS = (ax.Named(f"urn:question:{name}") for name in ("asked", "found", "witness"))


def _cases(value: ax.Expression) -> list[ax.Expression]:
    """The expressions whose union is the given one."""
    match value:
        case ax.Or(parts):
            return [case for part in parts for case in _cases(part)]
        case ax.Some(role, filler):
            return [ax.Some(role, case) for case in _cases(filler)]
        case ax.And(parts):
            return [ax.And(chosen) for chosen in product(*map(_cases, parts))]
        case _:
            return [value]


def _as_question(axiom: ax.Axiom) -> list[list[ax.Axiom]]:
    """Lists of axioms; the axiom follows when each, added by itself, puts ASKED below FOUND."""
    some = ax.Some
    match axiom:
        case ax.SubClassOf(sub, sup):
            return [[ax.SubClassOf(ASKED, one), ax.SubClassOf(sup, FOUND)] for one in _cases(sub)]
        case ax.Equivalent(classes):
            return [question for one in classes for other in classes for question in _as_question(ax.SubClassOf(one, other))]
        case ax.Disjoint(classes):
            pairs = [(one, other) for at, one in enumerate(classes) for other in classes[at + 1 :]]
            return [question for pair in pairs for question in _as_question(ax.SubClassOf(ax.And(pair), ax.BOTTOM))]
        case ax.Domain(role, cls):
            return _as_question(ax.SubClassOf(some(role, ax.TOP), cls))
        case ax.Range(role, cls):
            ends = [ax.SubClassOf(cls, WITNESS), ax.SubClassOf(some(role, WITNESS), FOUND)]
            return [[ax.SubClassOf(ASKED, some(role, ax.TOP)), *ends]]
        case ax.SubRole(sub, sup):
            return _as_question(ax.RoleChain((sub,), sup))
        case ax.Transitive(role):
            return _as_question(ax.RoleChain((role, role), role))
        case ax.RoleChain(roles, sup):
            way: ax.Expression = WITNESS
            for role in reversed(roles):
                way = some(role, way)
            return [[ax.SubClassOf(ASKED, way), ax.SubClassOf(some(sup, WITNESS), FOUND)]]
        case ax.Reflexive(role):
            return [[ax.SubClassOf(some(role, ASKED), FOUND)]]
        case ax.Declared():
            return []
    raise ValueError(f"no question for {axiom}")


def below(closure: Closure, sub: str, sup: str) -> bool:
    """Whether a closure says that one class is below another; empty classes are below everything."""
    return sup in (sub, ax.THING) or sub in closure.unsatisfiable or sup in closure.ancestors.get(sub, ())


def follows(axioms: Sequence[ax.Axiom], axiom: ax.Axiom) -> bool:
    """Whether the axiom follows from the axioms."""
    for question in _as_question(axiom):
        closure = ElReasoner().classify([*axioms, *question])
        in_top = any(FOUND.iri in group and ax.THING in group for group in closure.equivalents)
        if not (in_top or below(closure, ASKED.iri, FOUND.iri)):
            return False
    return True
