"""What people labelled in a real workspace, as JSON lines; each has a `kind`:

- query: id, text, session, grades (by id of a signal or claim, 0 to 3)
- request: id, text, session, label (retrieve, reason or author); audience, where it asks for a text for somebody
- signal: id, text, entry, label (the id of a domain)
- entailment: premise, proposition, of (span or derivation), label (true or false)
- contradiction: target (the id of a claim), contradicting, distractor (a sentence each); claim and beside, the claims that these two
  bear out; facts (ids of signals that the contradicting sentence makes false as well)
- sound: claim, label (whether its evidence supports it)
- support: signal, claim, label (whether it does support it)
- use: session, reads, requests (how many of either a session of the log has)
- action: action (accept, resolve, describe or review), minutes (one timed performance)
- preference: request (its id), against (signals, reasoned or nothing), preferred (first, second or tie, of the two texts that were rated)
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
MOST = 1_000_000
ACTIONS = ("accept", "resolve", "describe", "review")
RATED = ("signals", "reasoned", "nothing")
"""The arms whose artifacts are rated beside others (real/rendering.py)."""
CHOICES = ("first", "second", "tie")


@dataclass(slots=True)
class Labels:
    """The file, read. `contradictions` are by target; `unanswerable` counts queries that nothing answers; `reads` and `writes` are by
    session of the log, `minutes` by action, `preferred` by request and the arm that was beside."""

    queries: list[Query] = field(default_factory=list)
    grades: dict[str, dict[str, int]] = field(default_factory=dict)
    requests: list[Labelled] = field(default_factory=list)
    signals: list[Labelled] = field(default_factory=list)
    boundary: list[Boundary] = field(default_factory=list)
    audiences: dict[str, str] = field(default_factory=dict)
    contradictions: dict[str, "Contradicted"] = field(default_factory=dict)
    sound: dict[str, bool] = field(default_factory=dict)
    support: dict[tuple[str, str], bool] = field(default_factory=dict)
    reads: dict[str, int] = field(default_factory=dict)
    writes: dict[str, int] = field(default_factory=dict)
    minutes: dict[str, list[float]] = field(default_factory=dict)
    preferred: dict[tuple[str, str], str] = field(default_factory=dict)
    unanswerable: int = 0
    seen: set[tuple[str, ...]] = field(default_factory=set, compare=False, repr=False)
    """What was labelled, of the kinds that are kept as lists."""


@dataclass(frozen=True, slots=True)
class Contradicted:
    """What is said against a claim and beside it: a sentence each, and a claim each where the claim branch is to be measured."""

    against: str
    beside: str
    claim: str = ""
    other: str = ""
    facts: tuple[str, ...] = ()


def read_labels(path: Path) -> Labels:
    """Raises BadInput with the line that is wrong and how."""
    found = Labels()
    for number, row in lines(path, "labels"):
        kind = row.get("kind")
        if not isinstance(kind, str) or kind not in _READERS:
            raise BadInput(
                f"{path}, line {number}: expected a kind among {', '.join(_READERS)}, but {_came(kind)}.", param="labels"
            )
        _READERS[kind](found, _Row(row, f"{path}, line {number}"))
    return found


def _came(value: object) -> str:
    """What came in the place of a member, and what to do."""
    return "it is missing; add it" if value is None else f"got {value!r:.40}; correct it"


class _Row:
    def __init__(self, row: Mapping[str, Any], where: str) -> None:
        self._row, self.where = row, where

    def text(self, name: str) -> str:
        value = self._row.get(name)
        if not isinstance(value, str) or not value.strip():
            raise BadInput(f"{self.where}: expected {name} as a text, but {_came(value)}.", param=name)
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        value = self._row.get(name) or []
        if not isinstance(value, list) or not all(isinstance(one, str) and one.strip() for one in value):
            raise BadInput(f"{self.where}: expected {name} as a list of texts, but {_came(value)}.", param=name)
        return tuple(value)

    def maybe(self, name: str) -> str:
        return self.text(name) if self._row.get(name) is not None else ""

    def count(self, name: str) -> int:
        value = self._row.get(name)
        if type(value) is not int or not 0 <= value <= MOST:
            raise BadInput(
                f"{self.where}: expected {name} as a whole number from 0 to {MOST:,}, but {_came(value)}.", param=name
            )
        return value

    def number(self, name: str) -> float:
        value = self._row.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < MOST:
            raise BadInput(f"{self.where}: expected {name} as a number above 0, but {_came(value)}.", param=name)
        return float(value)

    def yes(self, name: str) -> bool:
        value = self._row.get(name)
        if not isinstance(value, bool):
            raise BadInput(f"{self.where}: expected {name} as true or false, but {_came(value)}.", param=name)
        return value

    def among(self, name: str, names: tuple[str, ...]) -> str:
        value = self.text(name)
        if value not in names:
            raise BadInput(f"{self.where}: expected {name} among {', '.join(names)}, but {_came(value)}.", param=name)
        return value

    def grades(self) -> dict[str, int]:
        value = self._row.get("grades")
        if not isinstance(value, dict) or not all(type(one) is int and 0 <= one <= TOP for one in value.values()):
            raise BadInput(
                f"{self.where}: expected grades as an object of whole numbers from 0 to {TOP}, but {_came(value)}.",
                param="grades",
            )
        return value

    def once(self, known: bool, what: str) -> None:
        if known:
            raise BadInput(f"{self.where}: {what} was labelled before; label it once.", param="labels")

    def first(self, found: Labels, *named: str) -> None:
        self.once(named in found.seen, f"the {named[0]} {named[-1]:.60}")
        found.seen.add(named)


def _query(found: Labels, row: _Row) -> None:
    id, grades = row.text("id"), row.grades()
    row.once(id in found.grades, f"the query {id}")
    found.grades[id] = grades
    if any(grades.values()):
        found.queries.append(Query(id, row.text("text"), row.text("session"), "", 0, "", ""))
    else:
        found.unanswerable += 1


def _request(found: Labels, row: _Row) -> None:
    id = row.text("id")
    row.once(id in found.audiences, f"the request {id}")
    found.requests.append(Labelled(id, row.text("text"), row.among("label", WAYS), row.text("session")))
    found.audiences[id] = row.maybe("audience")


def _signal(found: Labels, row: _Row) -> None:
    id = row.text("id")
    row.first(found, "signal", id)
    found.signals.append(Labelled(id, row.text("text"), row.text("label"), row.text("entry")))


def _boundary(found: Labels, row: _Row) -> None:
    kind = row.among("of", ("span", "derivation"))
    made = Boundary(row.text("premise"), row.text("proposition"), kind, row.yes("label"))
    row.first(found, "entailment", kind, made.premise, made.proposition)
    found.boundary.append(made)


def _contradiction(found: Labels, row: _Row) -> None:
    target = row.text("target")
    row.once(target in found.contradictions, f"the target {target}")
    claim, other = row.maybe("claim"), row.maybe("beside")
    if bool(claim) != bool(other):
        raise BadInput(
            f"{row.where}: expected claim and beside together, but got one of them; give both, or neither.", param="claim"
        )
    found.contradictions[target] = Contradicted(
        row.text("contradicting"), row.text("distractor"), claim, other, row.texts("facts")
    )


def _sound(found: Labels, row: _Row) -> None:
    claim = row.text("claim")
    row.once(claim in found.sound, f"the claim {claim}")
    found.sound[claim] = row.yes("label")


def _support(found: Labels, row: _Row) -> None:
    pair = row.text("signal"), row.text("claim")
    row.once(pair in found.support, f"the pair {pair[0]}, {pair[1]}")
    found.support[pair] = row.yes("label")


def _use(found: Labels, row: _Row) -> None:
    session = row.text("session")
    row.once(session in found.reads, f"the session {session}")
    found.reads[session], found.writes[session] = row.count("reads"), row.count("requests")


def _action(found: Labels, row: _Row) -> None:
    found.minutes.setdefault(row.among("action", ACTIONS), []).append(row.number("minutes"))


def _preference(found: Labels, row: _Row) -> None:
    pair = row.text("request"), row.among("against", RATED)
    row.once(pair in found.preferred, f"the pair {pair[0]}, {pair[1]}")
    found.preferred[pair] = row.among("preferred", CHOICES)


_READERS: Mapping[str, Callable[[Labels, _Row], None]] = {
    "query": _query,
    "request": _request,
    "signal": _signal,
    "entailment": _boundary,
    "contradiction": _contradiction,
    "sound": _sound,
    "support": _support,
    "use": _use,
    "action": _action,
    "preference": _preference,
}
