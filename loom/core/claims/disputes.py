"""Conflicts between claims, and the two overrides: rejection and supersession (§§2, 4)."""

from collections.abc import Iterator

from loom.core.claims.records import Branch


class Disputes:
    """Edges by node number. A pair has one conflict at most; it keeps every branch that found it."""

    __slots__ = ("_conflicts", "rejected", "spurious", "superseders", "supersedes")

    def __init__(self) -> None:
        self._conflicts: dict[int, dict[int, frozenset[Branch]]] = {}
        self.spurious: set[tuple[int, int]] = set()
        """Pairs whose conflict a person took back, the lower number first."""
        self.rejected: set[int] = set()
        self.superseders: dict[int, set[int]] = {}
        self.supersedes: dict[int, set[int]] = {}

    def oppose(self, one: int, other: int, branch: Branch) -> bool:
        """Write a conflict, or add a branch to it; whether there was none."""
        branches = self._conflicts.get(one, {}).get(other, frozenset())
        self._conflicts.setdefault(one, {})[other] = branches | {branch}
        self._conflicts.setdefault(other, {})[one] = branches | {branch}
        self.spurious.discard((min(one, other), max(one, other)))
        return not branches

    def drop(self, one: int, other: int) -> None:
        for claim, partner in ((one, other), (other, one)):
            del self._conflicts[claim][partner]
            if not self._conflicts[claim]:
                del self._conflicts[claim]

    def partners(self, claim: int) -> tuple[int, ...]:
        return tuple(self._conflicts.get(claim, ()))

    def branches(self, one: int, other: int) -> frozenset[Branch]:
        """The branches that found a conflict; none where there is no conflict."""
        return self._conflicts.get(one, {}).get(other, frozenset())

    def conflicts(self) -> Iterator[tuple[int, int]]:
        """Every conflict once, the lower number first."""
        for claim in sorted(self._conflicts):
            yield from ((claim, other) for other in sorted(self._conflicts[claim]) if claim < other)

    def supersede(self, new: int, old: int) -> None:
        self.superseders.setdefault(old, set()).add(new)
        self.supersedes.setdefault(new, set()).add(old)

    def unsupersede(self, new: int, old: int) -> None:
        for held, key, value in ((self.superseders, old, new), (self.supersedes, new, old)):
            held[key].discard(value)
            if not held[key]:
                del held[key]

    def succeeds(self, new: int, old: int) -> bool:
        """Whether `new` supersedes `old`, directly or along others."""
        waiting, met = [new], {new}
        while waiting:
            for each in self.supersedes.get(waiting.pop(), ()):
                if each == old:
                    return True
                if each not in met:
                    met.add(each)
                    waiting.append(each)
        return False

    def superseded(self, claim: int) -> bool:
        return claim in self.superseders

    def overridden(self, claim: int) -> bool:
        return claim in self.rejected or claim in self.superseders
