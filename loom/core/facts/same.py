"""Bases as a key of what is made of them once: told apart by identity, since to compare all their values costs more than a question."""

from collections.abc import Sequence

from loom.core.facts.values import Base


class Same:
    """The same objects in the same order."""

    __slots__ = ("_hash", "bases")

    def __init__(self, bases: Sequence[Base]) -> None:
        self.bases = tuple(bases)
        self._hash = hash(tuple(map(id, self.bases)))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Same)
            and len(self.bases) == len(other.bases)
            and all(mine is theirs for mine, theirs in zip(self.bases, other.bases, strict=True))
        )
