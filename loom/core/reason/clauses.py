"""Axioms as clauses over numbered nodes: the form in which completion reads them.

A node is a class, an individual, an unknown class, or a sub-expression; equal sub-expressions are one node, so naming them
needs no axiom. Clauses and what they say, with n, m, k nodes and r a role:

    link   n ⊑ m            has    n ⊑ ∃r.m         left   ∃r.n ⊑ m  (n may be TOP)
    both   n ⊓ m ⊑ k        group  no two members share an instance       range  whatever r leads to is an n

Every clause keeps its source: the position of its axiom, NO_SOURCE where it holds by the form of an expression alone, and below
that the negative index of a set of positions.
"""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from loom.core.reason.axioms import (
    BOTTOM_ROLE,
    NOTHING,
    THING,
    TOP,
    TOP_ROLE,
    And,
    Axiom,
    Declared,
    Disjoint,
    Domain,
    Equivalent,
    Expression,
    Named,
    Not,
    One,
    Opaque,
    Or,
    Range,
    Self,
    Some,
    SubClassOf,
    expression_text,
)
from loom.core.reason.roles import NO_ROLES, Premises, RoleAxiom, Roles, joined, roles_of
from loom.core.values import Iri

NO_SOURCE = -1
TOP_NODE, BOTTOM_NODE, CLASH_NODE = 0, 1, 2
"""owl:Thing; owl:Nothing; and owl:Nothing as far as no *other* empty class is the reason (see core.reason.repair)."""


def _numbers() -> "array[int]":
    return array("q")


@dataclass(slots=True)
class Clauses:
    """The clauses of some axioms, as parallel columns of numbers; nodes and roles are counted from 0."""

    roles: Roles = NO_ROLES
    classes: dict[Iri, int] = field(default_factory=lambda: {THING: TOP_NODE, NOTHING: BOTTOM_NODE})
    individuals: dict[Iri, int] = field(default_factory=dict)
    nodes: int = 3
    link: tuple["array[int]", ...] = field(default_factory=lambda: (_numbers(), _numbers(), _numbers()))
    has: tuple["array[int]", ...] = field(default_factory=lambda: (_numbers(), _numbers(), _numbers(), _numbers()))
    left: tuple["array[int]", ...] = field(default_factory=lambda: (_numbers(), _numbers(), _numbers(), _numbers()))
    both: tuple["array[int]", ...] = field(default_factory=lambda: (_numbers(), _numbers(), _numbers(), _numbers()))
    groups: list[tuple[tuple[int, ...], int]] = field(default_factory=list)
    ranges: dict[int, list[tuple[int, int]]] = field(default_factory=dict)
    sets: list[Premises] = field(default_factory=list)
    unread: dict[tuple[str, str], None] = field(default_factory=dict)
    """Kinds and texts of expressions that are read as an unknown class, in order of first sight."""

    def premises(self, source: int) -> Premises:
        """The positions of the axioms behind a source."""
        if source >= 0:
            return (source,)
        return () if source == NO_SOURCE else self.sets[-2 - source]

    def without(self, positions: Iterable[int]) -> "Clauses":
        """The clauses that do not rest on the axioms at these positions, which must not be axioms about roles."""
        gone = set(positions)
        for at, premises in enumerate(self.sets):
            if not gone.isdisjoint(premises):
                gone.add(-2 - at)

        def kept(columns: tuple["array[int]", ...]) -> tuple["array[int]", ...]:
            rows = [at for at, source in enumerate(columns[-1]) if source not in gone]
            return tuple(array("q", map(column.__getitem__, rows)) for column in columns)

        ranges = {role: [one for one in rows if one[1] not in gone] for role, rows in self.ranges.items()}
        return replace(
            self,
            link=kept(self.link),
            has=kept(self.has),
            left=kept(self.left),
            both=kept(self.both),
            groups=[group for group in self.groups if group[1] not in gone],
            ranges={role: rows for role, rows in ranges.items() if rows},
            sets=list(self.sets),
        )


def clauses_of(axioms: Sequence[Axiom], chosen: Iterable[int] | None = None) -> Clauses:
    """The clauses of the axioms, or of those at the chosen positions. Sources are positions in `axioms`."""
    writer = _Writer()
    about_roles: list[tuple[int, Axiom]] = []
    for position in range(len(axioms)) if chosen is None else chosen:
        axiom = axioms[position]
        if isinstance(axiom, RoleAxiom):
            about_roles.append((position, axiom))
        else:
            writer.axiom(axiom, position)
    return writer.finish(roles_of(about_roles, writer.roles))


class _Writer:
    """Writes axioms as clauses; each sub-expression gets its node, and its meaning once for each side on which it stands."""

    def __init__(self) -> None:
        self.out = Clauses()
        self.roles: dict[Iri, int] = {}
        self._known: dict[tuple[object, ...], int] = {}
        self._selves: dict[int, int] = {}
        self._said: set[tuple[str, int]] = set()

    def axiom(self, axiom: Axiom, source: int) -> None:
        if isinstance(axiom, SubClassOf):
            self._subclass(axiom.sub, axiom.sup, source)
            return
        match axiom:
            case Equivalent(classes):
                first = next((one for one in classes if isinstance(one, Named)), classes[0] if classes else TOP)
                for one in classes:
                    if one is not first:
                        self._subclass(one, first, source)
                        self._subclass(first, one, source)
            case Disjoint(classes):
                self._disjoint(classes, source)
            case Domain(role, cls):
                self._subclass(Some(role, TOP), cls, source)
            case Range(role, cls):
                node = self._right(cls)
                if node != TOP_NODE:
                    to = CLASH_NODE if node == BOTTOM_NODE else node
                    self.out.ranges.setdefault(self._role(role), []).append((to, source))
            case Declared(cls):
                self._named(cls.iri)
            case _:
                pass

    def finish(self, roles: Roles) -> Clauses:
        """The clauses, with what the two special roles and reflexive roles say."""
        out = self.out
        out.roles = roles
        if BOTTOM_ROLE in roles.number:
            self._write(out.left, roles.number[BOTTOM_ROLE], TOP_NODE, CLASH_NODE, NO_SOURCE)
        individuals = set(out.individuals.values())
        for holder, role, target, source in zip(*out.has, strict=True):
            if target in individuals and (holder == TOP_NODE or holder in individuals):
                for sup, premises in roles.above[role].items():
                    for node, origin in out.ranges.get(sup, ()):
                        self._link(target, node, self._source(out.premises(source), premises, out.premises(origin)))
        for number, node in self._selves.items():
            for sup, premises in roles.above[number].items():
                if sup in self._selves:
                    self._link(node, self._selves[sup], self._source(premises))
            if number in roles.reflexive:
                self._link(TOP_NODE, node, self._source(roles.reflexive[number]))
        if TOP_ROLE in roles.number:
            for node in out.individuals.values():
                self._write(out.has, TOP_NODE, roles.number[TOP_ROLE], node, NO_SOURCE)
        for role, filler, node, source in zip(*out.left, strict=True):
            if role in roles.reflexive:
                self._write(out.link, filler, node, self._source(out.premises(source), roles.reflexive[role]))
        for role, premises in roles.reflexive.items():
            for node, source in out.ranges.get(role, ()):
                self._write(out.link, TOP_NODE, node, self._source(out.premises(source), premises))
        return out

    def _source(self, *parts: Premises) -> int:
        premises = joined(*parts)
        if len(premises) < 2:
            return premises[0] if premises else NO_SOURCE
        self.out.sets.append(premises)
        return -1 - len(self.out.sets)

    @staticmethod
    def _write(columns: tuple["array[int]", ...], *row: int) -> None:
        for column, number in zip(columns, row, strict=True):
            column.append(number)

    def _new(self) -> int:
        self.out.nodes += 1
        return self.out.nodes - 1

    def _role(self, iri: Iri) -> int:
        return self.roles.setdefault(iri, len(self.roles))

    def _named(self, iri: Iri) -> int:
        node = self.out.classes.get(iri)
        if node is None:
            node = self.out.classes[iri] = self._new()
        return node

    def _plain(self, value: Expression) -> int | None:
        """The node of a class or an individual, None for anything that has parts."""
        if isinstance(value, Named):
            return self._named(value.iri)
        if isinstance(value, One):
            node = self.out.individuals.get(value.individual)
            if node is None:
                node = self.out.individuals[value.individual] = self._new()
            return node
        return None

    def _node(self, *key: object) -> int:
        node = self._known.get(key)
        if node is None:
            node = self._known[key] = self._new()
        return node

    def _first(self, side: str, node: int) -> bool:
        """Whether the meaning of this node has not been written for this side."""
        if (side, node) in self._said:
            return False
        self._said.add((side, node))
        return True

    def _shape(self, value: Expression) -> int:
        """The node of an expression, whichever side it stands on."""
        plain = self._plain(value)
        if plain is not None:
            return plain
        match value:
            case Some(role, filler):
                return self._node("some", self._role(role), self._shape(filler))
            case And(parts):
                nodes = sorted({self._shape(part) for part in parts} - {TOP_NODE})
                if not nodes:
                    return TOP_NODE
                node = nodes[0]
                for other in nodes[1:]:
                    node = self._node("and", node, other)
                return node
            case Or(parts):
                nodes = sorted({self._shape(part) for part in parts})
                return nodes[0] if len(nodes) == 1 else self._node("or", *nodes)
            case Not(part):
                return self._node("not", self._shape(part))
            case Self(role):
                number = self._role(role)
                if number not in self._selves:
                    self._selves[number] = self._new()
                return self._selves[number]
            case _:
                return self._node("opaque", expression_text(value))

    def _right(self, value: Expression) -> int:
        """The node of an expression whose meaning is written for the right of ⊑."""
        node = self._shape(value)
        if self._plain(value) is None and self._first("right", node):
            self._imply(node, value, NO_SOURCE)
        return node

    def _left(self, value: Expression) -> int:
        """The node of an expression whose meaning is written for the left of ⊑."""
        node = self._shape(value)
        if self._plain(value) is None and self._first("left", node):
            match value:
                case Some():
                    self._below(value, node, NO_SOURCE)
                case And(parts):
                    self._both([self._left(part) for part in parts], node, NO_SOURCE)
                case Or(parts):
                    for part in parts:
                        self._link(self._left(part), node, NO_SOURCE)
                case Not() | Self() | Opaque():
                    self._unread(value)
                case _:
                    pass
        return node

    def _unread(self, value: Expression) -> None:
        kind = value.kind if isinstance(value, Opaque) else expression_text(value).partition("(")[0]
        self.out.unread.setdefault((kind, expression_text(value)))

    def _link(self, sub: int, sup: int, source: int) -> None:
        if sub not in (sup, BOTTOM_NODE) and sup != TOP_NODE:
            self._write(self.out.link, sub, CLASH_NODE if sup == BOTTOM_NODE else sup, source)

    def _both(self, nodes: list[int], target: int, source: int) -> None:
        """All nodes together imply the target: two at a time, over the nodes that `_shape` gives the first ones together."""
        ordered = sorted(set(nodes) - {TOP_NODE})
        if BOTTOM_NODE in ordered:
            return
        if len(ordered) < 2:
            self._link(ordered[0] if ordered else TOP_NODE, target, source)
            return
        node = ordered[0]
        for other in ordered[1:-1]:
            pair = self._node("and", node, other)
            if self._first("left", pair):
                self._write(self.out.both, node, other, pair, NO_SOURCE)
            node = pair
        self._write(self.out.both, node, ordered[-1], CLASH_NODE if target == BOTTOM_NODE else target, source)

    def _subclass(self, sub: Expression, sup: Expression, source: int) -> None:
        target = self._plain(sup)
        if target is not None:
            if isinstance(sup, One):
                self.out.unread.setdefault(("ObjectOneOf", expression_text(sup)))
            self._below(sub, target, source)
            return
        if isinstance(sup, And):
            for part in sup.parts:
                self._subclass(sub, part, source)
            return
        node = self._plain(sub)
        self._imply(self._left(sub) if node is None else node, sup, source)

    def _below(self, sub: Expression, target: int, source: int) -> None:
        """`sub` implies the target node."""
        match sub:
            case Some(role, filler):
                node = self._left(filler)
                if node != BOTTOM_NODE and target != TOP_NODE:
                    to = CLASH_NODE if target == BOTTOM_NODE else target
                    self._write(self.out.left, self._role(role), node, to, source)
            case And(parts):
                self._both([self._left(part) for part in parts], target, source)
            case _:
                self._link(self._left(sub), target, source)

    def _imply(self, node: int, sup: Expression, source: int) -> None:
        """The node implies an expression, taken apart."""
        if node == BOTTOM_NODE:
            return
        match sup:
            case And(parts):
                for part in parts:
                    self._imply(node, part, source)
            case Some(role, filler):
                target = self._right(filler)
                if target == BOTTOM_NODE:
                    self._link(node, BOTTOM_NODE, source)
                else:
                    self._write(self.out.has, node, self._role(role), target, source)
                    if node == target and isinstance(filler, One):
                        self._link(node, self._shape(Self(role)), source)
            case Not(part):
                self._both([node, self._left(part)], BOTTOM_NODE, source)
                self._link(node, self._shape(sup), source)
            case Or() | Self() | Opaque():
                self._unread(sup)
                if isinstance(sup, Self):
                    self._write(self.out.has, node, self._role(sup.role), node, source)
                shape = self._shape(sup)
                self._link(node, shape, source)
            case _:
                if isinstance(sup, One):
                    self.out.unread.setdefault(("ObjectOneOf", expression_text(sup)))
                plain = self._shape(sup)
                self._link(node, plain, source)

    def _disjoint(self, classes: tuple[Expression, ...], source: int) -> None:
        nodes = [self._left(one) for one in classes]
        members = sorted(set(nodes) - {BOTTOM_NODE})
        for node in members:
            if nodes.count(node) > 1 or (TOP_NODE in nodes and node != TOP_NODE):
                self._link(node, BOTTOM_NODE, source)
        members = [node for node in members if node != TOP_NODE]
        if len(members) > 1:
            self.out.groups.append((tuple(members), source))
