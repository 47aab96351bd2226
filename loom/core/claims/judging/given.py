"""What judges give: the values that come out of the ports of judgement."""

from dataclasses import dataclass
from typing import Literal

from loom.core.claims.judging.asked import Axis, Value

Verdict = Literal["supports", "contradicts", "unrelated"]
VERDICTS: tuple[Verdict, ...] = ("supports", "contradicts", "unrelated")


@dataclass(frozen=True, slots=True)
class Drawn:
    """A proposition taken from the span [start, end) of an entry's text. `given` are the names that its pronouns were resolved to;
    nothing else of it comes from outside the span."""

    start: int
    end: int
    proposition: str
    given: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Passed:
    """A sentence that became no signal, and why: one of PASSED."""

    start: int
    end: int
    why: str


PASSED = ("asks", "unresolved", "fragment", "quoted", "misquoted")
"""It asks; a pronoun in it means nobody who is known; it is no sentence; it is a sentence within what somebody else is quoted to say; a
model's quote of it is not in the entry."""


@dataclass(frozen=True, slots=True)
class Extract:
    """What one entry gave, in the order of its text."""

    drawn: tuple[Drawn, ...]
    passed: tuple[Passed, ...] = ()


@dataclass(frozen=True, slots=True)
class Opinion:
    """A verdict on a pair, and why in a word: the rule that gave it, or what a model said. `sure` is from 0 to 1."""

    verdict: Verdict
    why: str = ""
    sure: float = 1.0


@dataclass(frozen=True, slots=True)
class Inferred:
    """A derived proposition: the ids of its antecedents, and what it assumes."""

    proposition: str
    antecedents: tuple[str, ...]
    preconditions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Placed:
    """A value on an axis, None where the proposition does not concern it; `relevance` is from 0 to 1."""

    value: Value | None
    relevance: float


@dataclass(frozen=True, slots=True)
class Filed:
    """The domains of a text, best first, and every domain's probability. `calibrated` says whether these are probabilities."""

    domains: tuple[str, ...]
    probabilities: tuple[tuple[str, float], ...]
    calibrated: bool = False


@dataclass(frozen=True, slots=True)
class Way:
    """What a request wants: one of WAYS, the probability of each, and whether an unsure choice gave way to a slower one."""

    way: str
    probabilities: tuple[tuple[str, float], ...]
    escalated: bool = False
    calibrated: bool = False


@dataclass(frozen=True, slots=True)
class Decided:
    """What a request wants, and the domains that it falls under, judged at once."""

    way: Way
    filed: Filed


@dataclass(frozen=True, slots=True)
class Proposal:
    """An axis that somebody may want, and why."""

    axis: Axis
    why: str = ""


@dataclass(frozen=True, slots=True)
class Artifact:
    """A written text, and the ids that it cites in the order of their marks."""

    text: str
    citations: tuple[str, ...]
