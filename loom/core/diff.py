"""What changed between two generations, concept by concept: one merge of two sequences of sealed records, sorted by IRI.

Sealed lines are canonical, so equal concepts have equal bytes and only lines that differ are decoded.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from loom.core.values import Iri, Json

PLACES = frozenset({"source"})
"""Members that say where a concept was read, not what it says; a difference in these alone is no change."""


@dataclass(frozen=True, slots=True)
class Change:
    """One concept that is not the same in both. `fields` names the members that differ; `was` and `now` hold their values."""

    kind: str
    iri: Iri
    title: str
    fields: tuple[str, ...] = ()
    was: dict[str, Json] = field(default_factory=dict)
    now: dict[str, Json] = field(default_factory=dict)

    @property
    def renamed(self) -> bool:
        return "title" in self.fields

    def as_json(self) -> dict[str, Json]:
        document: dict[str, Json] = {"change": self.kind, "iri": self.iri, "title": self.title}
        if self.kind == "changed":
            document |= {"fields": list(self.fields), "was": self.was, "now": self.now}
        return document


def changes(before: Iterable[tuple[Iri, bytes]], after: Iterable[tuple[Iri, bytes]]) -> Iterator[Change]:
    """Changes in order of IRI. Both sides give (IRI, sealed line) in ascending order of IRI."""
    old, new = iter(before), iter(after)
    left, right = next(old, None), next(new, None)
    while left is not None or right is not None:
        if right is None or (left is not None and left[0] < right[0]):
            assert left is not None
            yield Change("removed", left[0], json.loads(left[1])["title"])
            left = next(old, None)
        elif left is None or right[0] < left[0]:
            yield Change("added", right[0], json.loads(right[1])["title"])
            right = next(new, None)
        else:
            if left[1] != right[1] and (change := _compared(left[0], json.loads(left[1]), json.loads(right[1]))):
                yield change
            left, right = next(old, None), next(new, None)


def _compared(iri: Iri, was: dict[str, Json], now: dict[str, Json]) -> Change | None:
    fields = tuple(name for name in sorted({*was, *now} - PLACES) if was.get(name) != now.get(name))
    if not fields:
        return None
    return Change(
        "changed", iri, now["title"], fields, {name: was.get(name) for name in fields}, {name: now.get(name) for name in fields}
    )


@dataclass(slots=True)
class Summary:
    """How many concepts were added, removed and changed, and how often each member differs."""

    added: int = 0
    removed: int = 0
    changed: int = 0
    renamed: int = 0
    fields: dict[str, int] = field(default_factory=dict)

    def count(self, change: Change) -> None:
        setattr(self, change.kind, getattr(self, change.kind) + 1)
        self.renamed += change.renamed
        for name in change.fields:
            self.fields[name] = self.fields.get(name, 0) + 1

    @property
    def differs(self) -> bool:
        return bool(self.added or self.removed or self.changed)

    def as_json(self) -> dict[str, Json]:
        return {
            "added": self.added,
            "removed": self.removed,
            "changed": self.changed,
            "renamed": self.renamed,
            "fields": dict(sorted(self.fields.items())),
        }
