"""What people did in a workspace and how long it took them: the human term of the ledger (seed 001 §10.4; specs/claims.md §13).

An action ends when it is asked for; it began so many seconds before as the person says. Actions without seconds count at the median of
those that were timed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median

from loom.claims.asks import seconds_of
from loom.core.claims.stored import Queued
from loom.core.values import Json

ASKED = {"claim": "enter", "domain": "describe", "dimension": "review", "withdraw": "withdraw", "restore": "withdraw"}
"""What an ask of each kind is to a person."""
ACTS = {
    "accept": "accept", "readmit": "accept", "reject": "reject", "supersede": "supersede", "unsupersede": "supersede",
    "spurious": "resolve", "conflict": "resolve", "yield": "resolve",
}  # fmt: skip
"""The same of what may be done to a claim."""
KINDS = ("act", *ASKED)


@dataclass(frozen=True, slots=True)
class Timed:
    """How often people did something, and the minutes of those times that were measured."""

    done: int
    minutes: tuple[float, ...]

    @property
    def median(self) -> float | None:
        return median(self.minutes) if self.minutes else None

    @property
    def spent(self) -> float | None:
        """Minutes of all of them at the median; None where none was measured."""
        return None if self.median is None else self.done * self.median

    def as_json(self) -> dict[str, Json]:
        return {"done": self.done, "timed": len(self.minutes), "median_minutes": self.median, "minutes": self.spent}


def timed(asks: Iterable[Queued]) -> Mapping[str, Timed]:
    """The actions among asks that were done, by their names; what was refused is none."""
    found: dict[str, list[float | None]] = {}
    for each in asks:
        name = action_of(each)
        if name:
            seconds = seconds_of(each.ask)
            found.setdefault(name, []).append(None if seconds is None else seconds / 60)
    return {name: Timed(len(times), tuple(each for each in times if each is not None)) for name, times in sorted(found.items())}


TIMED = {"accept": ("accept",), "resolve": ("resolve", "reject"), "describe": ("describe",), "review": ("review",)}
"""The actions that the ledger counts by how often a replay leaves them to people, each with those that it may be done by: a conflict
also ends where one of its sides is rejected."""


def minutes(people: Mapping[str, Timed]) -> dict[str, list[float]]:
    """Timings of what the ledger counts, where there are any."""
    found = {
        action: [each for name in names if name in people for each in people[name].minutes] for action, names in TIMED.items()
    }
    return {action: times for action, times in found.items() if times}


def action_of(done: Queued) -> str:
    """What a person did with an ask; "" where it was refused, or none asked for it."""
    if isinstance(done.outcome, dict) and done.outcome.get("refused"):
        return ""
    if done.ask.kind != "act":
        return ASKED.get(done.ask.kind, "")
    act = done.ask.body.get("act") if isinstance(done.ask.body, dict) else None
    return ACTS.get(str(act), "")
