"""Ontologies in OWL 2 EL for tests: random small ones, large synthetic ones, and the oracle's answer about them."""

import random
import re
from collections.abc import Iterable, Sequence

import pytest

from loom.core.reason import axioms as ax
from loom.core.reason.roles import roles_of

Pairs = frozenset[tuple[str, str]]


def random_ontology(seed: int) -> list[ax.Axiom]:
    """A handful of axioms of every kind over a few classes and roles, dense enough that much follows."""
    rng = random.Random(seed)
    classes = [ax.Named(f"urn:c{i}") for i in range(rng.randint(3, 9))]
    roles = [f"urn:r{i}" for i in range(rng.randint(1, 4))]

    def expression(depth: int, left: bool) -> ax.Expression:
        kind = rng.random()
        if depth == 0 or kind < 0.5:
            return rng.choice(classes) if rng.random() > 0.04 else (ax.TOP if left else rng.choice([ax.TOP, ax.BOTTOM]))
        if kind < 0.8:
            return ax.Some(rng.choice(roles), expression(depth - 1, left))
        parts = dict.fromkeys(expression(depth - 1, left) for _ in range(rng.randint(2, 3)))
        return ax.And(tuple(parts)) if len(parts) > 1 else next(iter(parts))

    def axiom() -> ax.Axiom:
        kind = rng.random()
        if kind < 0.55:
            return ax.SubClassOf(expression(2, True), expression(2, False))
        if kind < 0.65:
            one, other = rng.choice(classes), expression(2, True)
            return ax.Equivalent((one, other)) if one != other else ax.SubClassOf(one, ax.TOP)
        if kind < 0.72:
            return ax.Disjoint(tuple(rng.sample(classes, rng.randint(2, 3))))
        if kind < 0.78:
            return ax.SubRole(rng.choice(roles), rng.choice(roles))
        if kind < 0.84:
            return ax.RoleChain(tuple(rng.choice(roles) for _ in range(rng.randint(2, 3))), rng.choice(roles))
        if kind < 0.88:
            return ax.Transitive(rng.choice(roles))
        if kind < 0.90:
            return ax.Reflexive(rng.choice(roles))
        if kind < 0.95:
            return ax.Domain(rng.choice(roles), expression(1, False))
        return ax.Range(rng.choice(roles), expression(1, False))

    return [*map(ax.Declared, classes), *(axiom() for _ in range(rng.randint(3, 18)))]


def large_ontology(classes: int, *, easy: bool = False, seed: int = 1) -> list[ax.Axiom]:
    """A synthetic ontology with the features of real ones: eight disjoint categories, a directed acyclic graph of classes inside
    each, six existentials a class, domains and ranges on 48 roles, sub-roles, a transitive part-of, role chains (eight, or one
    where `easy`), one class in twenty defined, ten classes that cannot have members.
    """
    rng = random.Random(seed)
    category = [ax.Named(f"urn:category{i}") for i in range(8)]
    named = [ax.Named(f"urn:class{i}") for i in range(classes)]
    of = [i % 8 for i in range(classes)]
    by_category: list[list[int]] = [list(range(k, classes - 10, 8)) for k in range(8)]
    part_of = "urn:part-of"
    roles = [f"urn:role{i}" for i in range(48)]
    out: list[ax.Axiom] = [ax.Disjoint(tuple(category)), ax.Transitive(part_of)]
    from_to = [(rng.randrange(8), rng.randrange(8)) for _ in roles]
    for role, (start, end) in zip(roles, from_to, strict=True):
        out += [ax.Domain(role, category[start]), ax.Range(role, category[end])]
    by_start: list[list[int]] = [[i for i in range(48) if from_to[i][0] == k] or [] for k in range(8)]
    for i in range(0, 48, 3):
        same = [j for j in range(48) if j != i and from_to[j] == from_to[i] and j > i]
        if same:
            out.append(ax.SubRole(roles[i], roles[same[0]]))
    for i in range(1 if easy else 8):
        out.append(ax.RoleChain((roles[i * 5], part_of), roles[i * 5]))
    for i, one in enumerate(named):
        own = by_category[of[i]]
        place = min(i // 8, len(own))
        out.append(ax.SubClassOf(one, category[of[i]]))
        for _ in range(rng.choice((1, 1, 2))):
            if place:
                out.append(
                    ax.SubClassOf(
                        one, named[own[rng.randrange(max(0, place - 1000), place) if place < 50 else rng.randrange(place // 2)]]
                    )
                )
        usable = by_start[of[i]]
        wanted = 6
        if place and (not easy or rng.random() < 0.2):
            wanted -= 1
            out.append(ax.SubClassOf(one, ax.Some(part_of, named[own[rng.randrange(place)]])))
        for _ in range(wanted if usable else 0):
            role = rng.choice(usable)
            filler = named[rng.choice(by_category[from_to[role][1]])]
            out.append(ax.SubClassOf(one, ax.Some(roles[role], filler)))
        if rng.random() < 0.05 and usable:
            role = rng.choice(usable)
            filler = named[rng.choice(by_category[from_to[role][1]])]
            out.append(ax.Equivalent((ax.Named(f"urn:defined{i}"), ax.And((category[of[i]], ax.Some(roles[role], filler))))))
    for i in range(10):
        out.append(ax.SubClassOf(named[-1 - i], category[(of[-1 - i] + 1) % 8]))
    return out


def functional(axioms: Iterable[ax.Axiom]) -> bytes:
    """The axioms as a document in functional syntax."""
    lines = [ax.text(axiom) for axiom in axioms if not isinstance(axiom, ax.Ignored)]
    return ("Ontology(<urn:test>\n" + "\n".join(lines) + "\n)").encode()


def oracle(axioms: Sequence[ax.Axiom]) -> Pairs:
    """Every pair of different classes, the first below the second, as pyelk says; skips where it is not installed.

    owl:Nothing as a class above means that the class below is empty; pairs that hold in every ontology are left out.
    """
    owl = pytest.importorskip("pyowl_core", reason="needs pyelk-reasoner, the oracle")
    pyelk = pytest.importorskip("pyelk", reason="needs pyelk-reasoner, the oracle")
    options = owl.LoadOptions(format=owl.DocumentFormat.FUNCTIONAL, imports=owl.ImportPolicy.IGNORE)
    with pyelk.Reasoner(functional(axioms), load_options=options) as reasoner:
        taxonomy = reasoner.classify().require_complete()
    above: dict[str, set[str]] = {}
    members = {node.canonical_member: [one.iri.value for one in node.members] for node in taxonomy.nodes}
    for node in members.values():
        for one in node:
            above.setdefault(one, set()).update(node)
    for lower, upper in taxonomy.direct_edges:
        for one in members[lower.canonical_member]:
            above[one].update(members[upper.canonical_member])
    work = list(above)
    while work:
        found = above[work.pop()]
        size = len(found)
        for one in list(found):
            found |= above[one]
        if len(found) > size:
            work = list(above)
    del above[ax.NOTHING]
    empty = {one for one, found in above.items() if ax.NOTHING in found}
    below = {(a, b) for a, found in above.items() if a not in empty for b in found if b not in (a, ax.THING)}
    return frozenset(below | {(a, ax.NOTHING) for a in empty})


def without_ranges(axioms: Sequence[ax.Axiom]) -> list[ax.Axiom]:
    """The same ontology with every range said inside the existentials on the right instead.

    The oracle draws wrong conclusions from ranges: of `Thing ⊑ ∃r.C` and `range(r) = D` it makes `C ⊑ D`, although only the
    members of C that something leads to need be in D. Said this way, it is right.
    """
    roles = roles_of(enumerate(axioms), {role: at for at, role in enumerate(_used_roles(axioms))})
    name = {number: iri for iri, number in roles.number.items()}

    def target(role: str) -> ax.Named:
        return ax.Named(f"urn:range-of:{role}")

    def right(value: ax.Expression) -> ax.Expression:
        match value:
            case ax.Some(role, filler):
                return ax.Some(role, ax.And((right(filler), target(role))))
            case ax.And(parts):
                return ax.And(tuple(map(right, parts)))
        return value

    out: list[ax.Axiom] = []
    for role, number in roles.number.items():
        out += [ax.SubClassOf(target(role), target(name[sup])) for sup in roles.above[number] if sup != number and sup in name]
        if number in roles.reflexive:
            out.append(ax.SubClassOf(ax.TOP, target(role)))
    for axiom in axioms:
        match axiom:
            case ax.SubClassOf(sub, sup):
                out.append(ax.SubClassOf(sub, right(sup)))
            case ax.Equivalent(classes):
                out += [ax.SubClassOf(one, right(other)) for one in classes for other in classes if one != other]
            case ax.Domain(role, cls):
                out.append(ax.Domain(role, right(cls)))
            case ax.Range(role, cls):
                out.append(ax.SubClassOf(target(role), right(cls)))
            case _:
                out.append(axiom)
    return out


def _used_roles(axioms: Sequence[ax.Axiom]) -> list[str]:
    return sorted(set(re.findall(r"<(urn:r\d+)>", " ".join(map(ax.text, axioms)))))
