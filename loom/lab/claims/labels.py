"""What people labelled in a real workspace, as JSON lines; each has a `kind`:

- query: id, text, session, grades (by id of a signal or claim, 0 to 3)
- request: id, text, session, label (retrieve, reason or author)
- signal: id, text, entry, label (the id of a domain)
- entailment: premise, proposition, of (span or derivation), label (true or false)
- contradiction: target (the id of a claim), contradicting, distractor (a sentence each)
- sound: claim, label (whether its evidence supports it)
- support: signal, claim, label (whether it does support it)
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from loom.core.claims.judging.asked import WAYS
from loom.core.errors import BadInput
from loom.lab.claims.worlds.planted import Boundary, Labelled, Query
from loom.lab.lines import lines

TOP = 3


@dataclass(slots=True)
class Labels:
    """The file, read. `contradictions` are (contradicting, distractor) by target; `unanswerable` counts queries that nothing answers."""

    queries: list[Query] = field(default_factory=list)
    grades: dict[str, dict[str, int]] = field(default_factory=dict)
    requests: list[Labelled] = field(default_factory=list)
    signals: list[Labelled] = field(default_factory=list)
    boundary: list[Boundary] = field(default_factory=list)
    contradictions: dict[str, tuple[str, str]] = field(default_factory=dict)
    sound: dict[str, bool] = field(default_factory=dict)
    support: dict[tuple[str, str], bool] = field(default_factory=dict)
    unanswerable: int = 0


def read_labels(path: Path) -> Labels:
    """Raises BadInput with the line that is wrong and how."""
    found = Labels()
    for number, row in lines(path, "labels"):
        kind = row.get("kind")
        if not isinstance(kind, str) or kind not in _READERS:
            raise BadInput(
                f"{path}, line {number}: expected a kind among {', '.join(_READERS)}, but got {kind!r:.40}.", param="labels"
            )
        _READERS[kind](found, _Row(row, f"{path}, line {number}"))
    return found


class _Row:
    def __init__(self, row: Mapping[str, Any], where: str) -> None:
        self._row, self.where = row, where

    def text(self, name: str) -> str:
        value = self._row.get(name)
        if not isinstance(value, str) or not value.strip():
            raise BadInput(f"{self.where}: expected {name} as a text, but got {value!r:.40}.", param=name)
        return value

    def yes(self, name: str) -> bool:
        value = self._row.get(name)
        if not isinstance(value, bool):
            raise BadInput(f"{self.where}: expected {name} as true or false, but got {value!r:.40}.", param=name)
        return value

    def among(self, name: str, names: tuple[str, ...]) -> str:
        value = self.text(name)
        if value not in names:
            raise BadInput(f"{self.where}: expected {name} among {', '.join(names)}, but got {value!r:.40}.", param=name)
        return value

    def grades(self) -> dict[str, int]:
        value = self._row.get("grades")
        if not isinstance(value, dict) or not all(type(one) is int and 0 <= one <= TOP for one in value.values()):
            raise BadInput(f"{self.where}: expected grades as an object of whole numbers from 0 to {TOP}.", param="grades")
        return value

    def once(self, known: bool, what: str) -> None:
        if known:
            raise BadInput(f"{self.where}: {what} was labelled before; label it once.", param="labels")


def _query(found: Labels, row: _Row) -> None:
    id, grades = row.text("id"), row.grades()
    row.once(id in found.grades, f"the query {id}")
    found.grades[id] = grades
    if any(grades.values()):
        found.queries.append(Query(id, row.text("text"), row.text("session"), "", 0, "", ""))
    else:
        found.unanswerable += 1


def _request(found: Labels, row: _Row) -> None:
    found.requests.append(Labelled(row.text("id"), row.text("text"), row.among("label", WAYS), row.text("session")))


def _signal(found: Labels, row: _Row) -> None:
    found.signals.append(Labelled(row.text("id"), row.text("text"), row.text("label"), row.text("entry")))


def _boundary(found: Labels, row: _Row) -> None:
    kind = row.among("of", ("span", "derivation"))
    found.boundary.append(Boundary(row.text("premise"), row.text("proposition"), kind, row.yes("label")))


def _contradiction(found: Labels, row: _Row) -> None:
    target = row.text("target")
    row.once(target in found.contradictions, f"the target {target}")
    found.contradictions[target] = row.text("contradicting"), row.text("distractor")


def _sound(found: Labels, row: _Row) -> None:
    found.sound[row.text("claim")] = row.yes("label")


def _support(found: Labels, row: _Row) -> None:
    found.support[row.text("signal"), row.text("claim")] = row.yes("label")


_READERS: Mapping[str, Callable[[Labels, _Row], None]] = {
    "query": _query,
    "request": _request,
    "signal": _signal,
    "entailment": _boundary,
    "contradiction": _contradiction,
    "sound": _sound,
    "support": _support,
}
