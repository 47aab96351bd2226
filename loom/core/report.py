"""The check report of a build: every fault of a source, counted by kind, with examples that name file and line."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from loom.core.values import Json, Where

SEVERITIES = ("error", "warning", "info")
EXAMPLES_KEPT = 12
NOWHERE = Where("")


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of remark: its severity, and a sentence that says what it means for the corpus and what to do."""

    name: str
    severity: str
    meaning: str


@dataclass(slots=True)
class Tally:
    count: int = 0
    examples: list[tuple[str, str]] = field(default_factory=list)


class Report:
    """Collects remarks. Adding the same remarks in another order gives the same report: examples are kept in sorted order."""

    def __init__(self, kinds: Mapping[str, Kind]) -> None:
        self._kinds = kinds
        self._tallies: dict[str, Tally] = {}

    def note(self, kind: str, message: str, where: Where = NOWHERE) -> None:
        """Record one remark of a declared kind; raises KeyError on an undeclared one."""
        self._kinds[kind]
        tally = self._tallies.setdefault(kind, Tally())
        tally.count += 1
        tally.examples.append((str(where), message))
        if len(tally.examples) > 8 * EXAMPLES_KEPT:
            tally.examples = sorted(tally.examples)[:EXAMPLES_KEPT]

    def count(self, kind: str) -> int:
        return self._tallies[kind].count if kind in self._tallies else 0

    def counts(self) -> dict[str, int]:
        return {kind: self._tallies[kind].count for kind in sorted(self._tallies)}

    def of(self, severity: str) -> dict[str, int]:
        return {kind: n for kind, n in self.counts().items() if self._kinds[kind].severity == severity}

    def as_json(self) -> dict[str, Json]:
        """The canonical form that is sealed into a generation: no clock, no absolute path."""
        return {
            kind: {
                "severity": self._kinds[kind].severity,
                "meaning": self._kinds[kind].meaning,
                "count": tally.count,
                "examples": [{"where": where, "message": message} for where, message in sorted(tally.examples)[:EXAMPLES_KEPT]],
            }
            for kind, tally in sorted(self._tallies.items())
        }
