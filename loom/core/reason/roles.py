"""What follows about roles alone: the hierarchy, which roles are reflexive, chains of two; each with the axioms it rests on.

A reflexive role inside a chain makes the rest of the chain imply the whole: with r reflexive, r∘s ⊑ t gives s ⊑ t. Longer
chains are cut into chains of two over helper roles, so that completion joins two edges at a time.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from loom.core.reason.axioms import BOTTOM_ROLE, TOP_ROLE, Axiom, Reflexive, RoleChain, SubRole, Transitive
from loom.core.values import Iri

Premises = tuple[int, ...]
"""Positions of axioms, ascending."""


def joined(*parts: Premises) -> Premises:
    """The union of premises."""
    return tuple(sorted({number for part in parts for number in part}))


@dataclass(frozen=True, slots=True)
class Chain:
    """first∘second ⊑ sup. `transitive` marks the chain that says that one role is transitive."""

    first: int
    second: int
    sup: int
    premises: Premises

    @property
    def transitive(self) -> bool:
        return self.first == self.second == self.sup


@dataclass(frozen=True, slots=True)
class Roles:
    """Roles as numbers. `above[r]` holds every role that r implies, itself included, with premises; helpers have no name."""

    number: Mapping[Iri, int]
    above: tuple[Mapping[int, Premises], ...]
    reflexive: Mapping[int, Premises]
    chains: tuple[Chain, ...]

    @property
    def count(self) -> int:
        return len(self.above)


RoleAxiom = SubRole | RoleChain | Transitive | Reflexive

NO_ROLES = Roles({}, (), {}, ())


def roles_of(axioms: Iterable[tuple[int, Axiom]], known: Mapping[Iri, int]) -> Roles:
    """The roles of axioms, each with its position, and those that other axioms use, already numbered from 0."""
    number = dict(known)

    def of(name: Iri) -> int:
        return number.setdefault(name, len(number))

    told: list[tuple[int, int, Premises]] = []
    reflexive: dict[int, Premises] = {}
    long: list[tuple[tuple[int, ...], int, int]] = []
    for position, axiom in axioms:
        match axiom:
            case SubRole(sub, sup):
                told.append((of(sub), of(sup), (position,)))
            case Reflexive(role):
                reflexive.setdefault(of(role), (position,))
            case Transitive(role):
                long.append(((of(role), of(role)), of(role), position))
            case RoleChain(roles, sup) if len(roles) == 1:
                told.append((of(roles[0]), of(sup), (position,)))
            case RoleChain(roles, sup) if roles:
                long.append((tuple(map(of, roles)), of(sup), position))
            case _:
                pass
    if TOP_ROLE in number:
        top = number[TOP_ROLE]
        reflexive[top] = ()
        told.extend((role, top, ()) for role in range(len(number)) if role != top)
    if BOTTOM_ROLE in number:
        bottom = number[BOTTOM_ROLE]
        told.extend((bottom, role, ()) for role in range(len(number)) if role != bottom)
    count = len(number)
    chains: list[Chain] = []
    halves: dict[tuple[int, int], int] = {}
    for parts, whole, position in long:
        first = parts[0]
        for second in parts[1:-1]:
            if (first, second) not in halves:
                halves[first, second] = count
                chains.append(Chain(first, second, count, ()))
                count += 1
            first = halves[first, second]
        chains.append(Chain(first, parts[-1], whole, (position,)))
    direct: list[dict[int, Premises]] = [{} for _ in range(count)]
    for lower, upper, premises in told:
        direct[lower].setdefault(upper, premises)
    _spread_reflexive(direct, reflexive, chains)
    return Roles(number, tuple(_above(direct, role) for role in range(count)), reflexive, tuple(chains))


def _spread_reflexive(direct: list[dict[int, Premises]], reflexive: dict[int, Premises], chains: list[Chain]) -> None:
    """Add what reflexive roles imply, until nothing is new: reflexive super-roles, and chains that they shorten."""
    changed = bool(reflexive)
    while changed:
        changed = False
        for chain in chains:
            for there, other in ((chain.first, chain.second), (chain.second, chain.first)):
                if there in reflexive and other != chain.sup and chain.sup not in direct[other]:
                    direct[other][chain.sup] = joined(chain.premises, reflexive[there])
                    changed = True
        for role in list(reflexive):
            for sup, premises in direct[role].items():
                if sup not in reflexive:
                    reflexive[sup] = joined(reflexive[role], premises)
                    changed = True


def _above(direct: list[dict[int, Premises]], role: int) -> dict[int, Premises]:
    """Every role that this one implies, nearest first, each with the premises of one shortest way there."""
    found: dict[int, Premises] = {role: ()}
    queue = [role]
    for current in queue:
        for sup, premises in direct[current].items():
            if sup not in found:
                found[sup] = joined(found[current], premises)
                queue.append(sup)
    return found
