"""What an answer to a chain is worth: recall over the bounded targets, and precision over the names that were to be had."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from loom.core.errors import BadInput
from loom.core.exposure import READERS
from loom.core.exposure.names import Text
from loom.core.values import Json
from loom.lab.row import ANSWERED, EMPTY, Row

ENOUGH = 0.5
"""The precision below which an answer enumerates: of what it names, more is wrong than right."""


@dataclass(frozen=True, slots=True)
class ChainScore:
    """One answered row. `recall` is over the gold of the arm, `precision` the share of right names among those that it names of
    the page (None where it names none), `old` the recall of what the answer was before the manipulation (None where there was
    none). `answered` is False for an empty answer, which scores 0 where it counts."""

    model: str
    arm: str
    chain: str
    domain: str
    answered: bool
    recall: float
    precision: float | None
    named: int
    old: float | None

    @property
    def bounded(self) -> float:
        """Recall, of an answer that does not enumerate; 0 of one that does."""
        return self.recall if self.precision is not None and self.precision >= ENOUGH else 0.0

    def as_json(self) -> dict[str, Json]:
        return {
            "model": self.model,
            "arm": self.arm,
            "chain": self.chain,
            "domain": self.domain,
            "answered": self.answered,
            "recall": self.recall,
            "precision": self.precision,
            "bounded": self.bounded,
            "named": self.named,
            "old": self.old,
        }


def score(row: Row, matcher: str) -> ChainScore | None:
    """The score of a row of a chain; None where nothing was asked, or the call failed. Raises BadInput for any other row."""
    notes = row.showing.get("notes")
    if not isinstance(notes, Mapping) or not all(isinstance(notes.get(name), list) for name in ("candidates", "route")):
        raise BadInput(
            f"Expected rows of chains, as `loom lab chains show` plans them, but {row.question.id!r} in arm {row.arm!r} is none.",
            param="rows",
        )
    if row.status not in (ANSWERED, EMPTY):
        return None
    gold = row.question.titles
    if not gold:
        raise BadInput(f"Expected gold in the chain {row.question.id!r}, but it has none.", param="rows")
    said = READERS[matcher](row.answer)
    hits = sum(map(said.names, gold))
    wrong = _wrong(row, _titles(notes["candidates"]), _titles(notes["route"]), matcher)
    old = _titles(notes.get("old") or [])
    named = hits + len(wrong)
    return ChainScore(
        row.model,
        row.arm,
        row.question.id,
        row.question.domain,
        row.status == ANSWERED,
        hits / len(gold),
        hits / named if named else None,
        named,
        sum(map(said.names, old)) / len(old) if old else None,
    )


def _titles(stated: Sequence[Json]) -> tuple[str, ...]:
    return tuple(str(each) for each in stated)


def _wrong(row: Row, candidates: tuple[str, ...], route: Sequence[str], matcher: str) -> list[str]:
    """The names of the page that an answer gives and that are not right.

    A and B are on the route, and to say the route is no enumeration; a name that the right ones hold together, or a longer wrong
    one, was not given for itself.
    """
    lacking = frozenset(READERS[matcher](row.answer).lacks(candidates))
    beside = READERS[matcher]("\n".join([*row.question.titles, *route]))
    named = beside.lacks(tuple(name for name in candidates if name not in lacking))
    inner = {other: frozenset(named).difference(_reading(matcher, other).lacks(named)) for other in named}
    return [name for name in named if not any(name in inner[other] and len(other) > len(name) for other in named)]


@lru_cache(maxsize=16_384)
def _reading(matcher: str, name: str) -> Text:
    return READERS[matcher](name)
