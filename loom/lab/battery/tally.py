"""What the contexts of all seeds come to, arm by arm, counted as they come."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from loom.core.values import Json
from loom.lab.battery.arm import ASKED, CORE_ONLY, FULL, HYDRATE, READOUT_OFF, SKELETON, UNADDRESSED, UNIFORM, Arm
from loom.lab.battery.checking import Checked
from loom.lab.battery.groups import COMPARATIVE, GROUPS, QUANTITATIVE, group_of

FAULTS = 40
"""Faults of an arm that are listed; all are counted."""

Sizes = Mapping[str, Checked]
"""The contexts of one question by arm."""


@dataclass(slots=True)
class ArmTally:
    """What one arm came to. `unmet` are questions that it has to pass and does not."""

    arm: Arm
    questions: int = 0
    passed: int = 0
    needles: int = 0
    forbidden: int = 0
    refused: int = 0
    unmet: int = 0
    starved: int = 0
    tokens: int = 0
    largest: int = 0
    linked: int = 0
    links: int = 0
    asked: int = 0
    ids: dict[str, Counter[str]] = field(default_factory=dict)
    faults: list[dict[str, Json]] = field(default_factory=list)
    digest: Any = field(default_factory=sha256)

    def add(self, seed: int, one: Checked) -> None:
        battery, context = one.score.battery, one.context
        self.questions += 1
        self.passed += one.passed
        self.needles += one.score.needle and not context.refused
        self.forbidden += len(one.score.found) + len(one.score.foreign)
        self.refused += bool(context.refused)
        self.starved += len(one.starved)
        self.tokens += context.tokens
        self.largest = max(self.largest, context.tokens)
        self.asked += bool(context.fetched)
        self.linked += one.bridged[0]
        self.links += one.bridged[1]
        counts = self.ids.setdefault(battery, Counter())
        counts["questions"] += 1
        counts["passed"] += one.passed
        must = self.arm.must(battery)
        self.unmet += must and not one.passed
        if not one.passed and must and len(self.faults) < FAULTS:
            self.faults.append(
                {"seed": seed, **one.score.as_json(), "wrong": list(one.wrong), "refused": context.refused or None}
            )
        self.digest.update(f"{seed}\0{one.score.id}\0{context.text}\0".encode())

    def as_json(self) -> dict[str, Json]:
        groups = {name: sum((self.ids[id] for id in self.ids if group_of(id) == name), Counter()) for name in GROUPS}
        return {
            "says": self.arm.says,
            "held": self.arm.held,
            "spared": sorted(self.arm.spared),
            "questions": self.questions,
            "passed": self.passed,
            "needles": self.needles,
            "forbidden": self.forbidden,
            "refused": self.refused,
            "unmet": self.unmet,
            "starved": self.starved,
            "directives": self.asked,
            "tokens": {"mean": round(self.tokens / self.questions, 1) if self.questions else None, "largest": self.largest},
            "bridges": [self.linked, self.links],
            "ids": {id: [counts["passed"], counts["questions"]] for id, counts in self.ids.items()},
            "groups": {name: [counts["passed"], counts["questions"]] for name, counts in groups.items() if counts},
            "sha256": self.digest.hexdigest(),
            "faults": self.faults,
        }


@dataclass(frozen=True, slots=True)
class Ratio:
    """Sizes of one arm beside those of another, over the questions that count: a mean of 0.7 is 30 % smaller."""

    name: str
    arm: str
    beside: str
    counts: Callable[[Checked], bool]


def _quantitative(one: Checked) -> bool:
    return one.score.battery in (*QUANTITATIVE, *COMPARATIVE)


def _several(one: Checked) -> bool:
    return len(one.routed) > 1


def _addressed(one: Checked) -> bool:
    return one.context.committed


RATIOS = (
    Ratio("skeleton, quantitative and comparative ids", SKELETON, FULL, _quantitative),
    Ratio("hydrate, quantitative and comparative ids", HYDRATE, FULL, _quantitative),
    Ratio("hydrate after a directive, all ids", ASKED, FULL, lambda one: True),
    Ratio("readout core-only, routes of several bases", CORE_ONLY, FULL, _several),
    Ratio("readout off, routes of several bases", READOUT_OFF, FULL, _several),
    Ratio("outlines by score beside a uniform cut, routes of several bases", FULL, UNIFORM, _several),
    Ratio("addressed beside addressing off, questions whose address binds the route", FULL, UNADDRESSED, _addressed),
)


class Sized:
    """Sums of sizes for each ratio: of blocks, of whole prompts, of outlines."""

    def __init__(self, ratios: Sequence[Ratio] = RATIOS) -> None:
        self._ratios = ratios
        self._sums: dict[str, list[int]] = {}

    def add(self, by_arm: Sizes) -> None:
        """The contexts of one question of one seed."""
        for ratio in self._ratios:
            one, other = by_arm.get(ratio.arm), by_arm.get(ratio.beside)
            base = by_arm.get(FULL)
            if one and other and base and ratio.counts(base) and one.context.plan and other.context.plan:
                sums = self._sums.setdefault(ratio.name, [0] * 7)
                pair = (one.context, other.context)
                sizes = (1, *(each.tokens for each in pair), *(each.prompt for each in pair), *(each.outlines for each in pair))
                self._sums[ratio.name] = [have + more for have, more in zip(sums, sizes, strict=True)]

    def as_json(self) -> list[dict[str, Json]]:
        return list(self._rows())

    def _rows(self) -> Iterator[dict[str, Json]]:
        for ratio in self._ratios:
            if ratio.name in self._sums:
                count, *sizes = self._sums[ratio.name]
                pairs = dict(zip(("block", "prompt", "outlines"), zip(sizes[::2], sizes[1::2], strict=True), strict=True))
                stated = {"name": ratio.name, "arm": ratio.arm, "beside": ratio.beside, "questions": count}
                yield {**stated, **{name: [one, other, _share(one, other)] for name, (one, other) in pairs.items()}}


def _share(one: int, other: int) -> float | None:
    return round(one / other, 4) if other else None


def by_question(rows: Sequence[Checked]) -> list[Sizes]:
    """The contexts of a seed by question, each by arm."""
    found: dict[str, dict[str, Checked]] = {}
    for one in rows:
        found.setdefault(one.score.id, {})[one.arm.name] = one
    return list(found.values())
