"""Questions that excite as many bases as there are, without naming any: on their routes it shows what a readout and a cut are worth
(seed 003 §8.5). They have no needles and count for no id; only sizes are taken, and which bases are left without a line.

They are made of the words that tell each base from the others, by its own descriptor.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from loom.core.facts.values import Base
from loom.core.values import Json
from loom.lab.battery.arm import CORE_ONLY, FULL, READOUT_OFF, SKELETON, UNIFORM
from loom.lab.battery.checking import checked
from loom.lab.battery.contexts import Contexts
from loom.lab.battery.question import BatteryQuestion
from loom.lab.battery.questions_common import ask
from loom.lab.battery.tally import Ratio, Sized, by_question

WORDS = (3, 5)
"""Words of each base that a question holds."""
WIDE_ARMS = (FULL, SKELETON, CORE_ONLY, READOUT_OFF, UNIFORM)
RATIOS = tuple(
    Ratio(name, arm, beside, lambda one: True)
    for name, arm, beside in (
        ("skeleton", SKELETON, FULL),
        ("readout core-only", CORE_ONLY, FULL),
        ("readout off", READOUT_OFF, FULL),
        ("outlines by score beside a uniform cut", FULL, UNIFORM),
    )
)


def wide(bases: Sequence[Base]) -> Iterator[BatteryQuestion]:
    for count in WORDS:
        words = [word for base in bases for word, _ in sorted(base.descriptor, key=lambda one: (-one[1], one[0]))[:count]]
        yield ask(f"W1-{count}", "many bases, none named", "en", f"Give an overview of {', '.join(dict.fromkeys(words))}.")


@dataclass(slots=True)
class Wide:
    """What wide routes came to: `bases` that were routed, and of those without a line of outline, by arm."""

    sized: Sized = field(default_factory=lambda: Sized(RATIOS))
    questions: int = 0
    bases: int = 0
    least: int = 0
    unlisted: dict[str, int] = field(default_factory=dict)
    starved: dict[str, int] = field(default_factory=dict)

    async def add(self, arms: Sequence[Contexts]) -> None:
        """One corpus, over the arms that there are of WIDE_ARMS."""
        found = []
        for contexts in arms:
            name = contexts.arm.name
            for question in wide(contexts.bench.bases):
                one = checked(contexts, await contexts.of(question))
                found.append(one)
                missing = len(set(one.context.routed) - one.context.outlined)
                self.unlisted[name] = self.unlisted.get(name, 0) + missing
                self.starved[name] = self.starved.get(name, 0) + len(one.starved)
        for by_arm in by_question(found):
            self.sized.add(by_arm)
            if FULL in by_arm:
                routed = len(by_arm[FULL].routed)
                self.least = min(self.least or routed, routed)
                self.questions += 1
                self.bases += routed

    def as_json(self) -> dict[str, Json]:
        return {
            "questions": self.questions,
            "routed": {"mean": round(self.bases / self.questions, 2) if self.questions else None, "least": self.least},
            "without_a_line": self.unlisted,
            "starved": self.starved,
            "sizes": self.sized.as_json(),
        }
