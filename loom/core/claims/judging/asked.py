"""What judges are asked: the values that go into the ports of judgement."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from loom.core.errors import BadInput

Space = Literal["ordinal", "scalar", "binary", "category"]
Value = str | float | bool


@dataclass(frozen=True, slots=True)
class Stated:
    """A proposition, and the ISO day on which it was observed: what "yesterday" means in it; "" where that is not known."""

    text: str
    at: str = ""


@dataclass(frozen=True, slots=True)
class Inference:
    """Does `premise` alone say what `proposition` says? `given` are the names that its pronouns were resolved to."""

    premise: str
    proposition: str
    given: tuple[str, ...] = ()
    at: str = ""


@dataclass(frozen=True, slots=True)
class Pair:
    """A new signal or claim, and an existing claim that it may bear on."""

    new: Stated
    candidate: Stated


@dataclass(frozen=True, slots=True)
class Known:
    """A signal or claim that an interpretation may rest on, or an artifact cite."""

    id: str
    text: str
    at: str = ""


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A question, and the evidence that was found for it."""

    question: str
    evidence: tuple[Known, ...]


@dataclass(frozen=True, slots=True)
class Axis:
    """A dimension as a projector reads it. `values` are in order for an ordinal axis, `low` and `high` bound a scalar one, a binary
    one has "false" and "true". `prototypes` are (value, example), `cues` words or regular expressions (between slashes) by value."""

    name: str
    definition: str
    space: Space
    values: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 1.0
    prototypes: tuple[tuple[str, str], ...] = ()
    cues: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """The values by name; none of a scalar axis."""
        return ("false", "true") if self.space == "binary" else self.values


@dataclass(frozen=True, slots=True)
class Placing:
    """Where does a proposition lie on an axis, and does it concern it at all?"""

    axis: Axis
    proposition: str


WAYS = ("retrieve", "reason", "author")
"""What a request wants, from fast to slow (§8)."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request to the node: its text, the last turns, and the artifact that is open, where there is one."""

    text: str
    before: tuple[str, ...] = ()
    artifact: str = ""


@dataclass(frozen=True, slots=True)
class Sample:
    """What dimensions are proposed from: a domain, propositions in it, the axes that it has, and pairs of propositions that these do not
    explain: close in words, and ranked far apart for what people asked."""

    domain: str
    description: str
    propositions: tuple[str, ...]
    axes: tuple[str, ...] = ()
    unexplained: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Cited:
    """A claim or signal as an artifact may cite it: `preconditions` without evidence, and the texts of live `conflicts` by id."""

    id: str
    text: str
    standing: str = ""
    preconditions: tuple[str, ...] = ()
    conflicts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Brief:
    """What to write for whom. `register` is one of REGISTERS. Raises BadInput for any other, for an id that comes twice, and for a
    source that is retracted or superseded: those are never shown."""

    request: str
    audience: str
    cited: tuple[Cited, ...]
    register: str = "report"

    def __post_init__(self) -> None:
        if self.register not in REGISTERS:
            raise BadInput(f"Expected a register among {', '.join(REGISTERS)}, but got {self.register!r}.", param="register")
        gone = [each.id for each in self.cited if each.standing in ("retracted", "superseded")]
        if gone:
            raise BadInput(f"Expected sources that still stand, but {gone[0]} does not; leave it out.", param="cited")
        ids = [each.id for each in self.cited]
        if len(set(ids)) != len(ids):
            raise BadInput(f"Expected sources that are named once, but got {', '.join(ids)}.", param="cited")


REGISTERS = ("report", "specification", "summary", "message")
"""Ways of writing for an audience. What is assumed and what is disputed is printed in each."""
