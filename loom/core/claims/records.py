"""The records of the claims layer as values (specs/claims.md §1). Times are ISO texts that a caller states; nothing here reads a clock.

Vectors are kept beside the records, in a matrix by id, because no rule of standing reads them.
"""

from dataclasses import dataclass
from typing import Literal

from loom.core.errors import BadInput

AgentKind = Literal["person", "slow_path", "network"]
DerivationKind = Literal["derived", "user", "supports", "lifted"]
Branch = Literal["signal", "claim"]


def need(value: object, what: str, param: str) -> None:
    """Raises BadInput where something that every record of its kind has is empty."""
    if not value:
        raise BadInput(f"Expected {what}, but it is empty.", param=param)


@dataclass(frozen=True, slots=True)
class Agent:
    """Who writes. A person may accept, reject and take edges back; the slow path writes claims and supersedes edges and never
    accepts; the network moves standings (§2)."""

    kind: AgentKind
    name: str = ""


SLOW_PATH = Agent("slow_path")
NETWORK = Agent("network")


@dataclass(frozen=True, slots=True)
class Entry:
    """A source as it came in. Withdrawal is a time, never a deletion."""

    id: str
    source: str
    text: str = ""
    kind: str = ""
    author: str = ""
    observed_at: str = ""
    ingested_at: str = ""
    withdrawn_at: str = ""

    def __post_init__(self) -> None:
        need(self.id, "an id of an entry", "id")
        need(self.source, f"the source of the entry {self.id}", "source")


@dataclass(frozen=True, slots=True)
class Signal:
    """An atomic proposition, taken from the span [start, end) of one entry and entailed by it alone. `checked` says whether that
    entailment was looked at; `domains` are where it is filed."""

    id: str
    entry: str
    proposition: str = ""
    span: tuple[int, int] = (0, 0)
    observed_at: str = ""
    extractor: str = ""
    domains: frozenset[str] = frozenset()
    checked: bool = False

    def __post_init__(self) -> None:
        need(self.id, "an id of a signal", "id")
        need(self.entry, f"the entry of the signal {self.id}", "entry")


@dataclass(frozen=True, slots=True)
class Domain:
    """A topical boundary. A new description is a new version."""

    id: str
    name: str
    description: str = ""
    version: int = 1
    derived_from: str = ""
    created_by: str = ""

    def __post_init__(self) -> None:
        need(self.id, "an id of a domain", "id")


@dataclass(frozen=True, slots=True)
class Derivation:
    """How a justification came about: by whom, when, for which request, in which run."""

    kind: DerivationKind = "derived"
    agent: Agent = SLOW_PATH
    at: str = ""
    request: str = ""
    run: str = ""


@dataclass(frozen=True, slots=True)
class Migration:
    """A precondition that found evidence: `node` became an antecedent of a justification in this run, at this time."""

    precondition: str
    node: str
    run: str = ""
    at: str = ""


@dataclass(frozen=True, slots=True)
class Justification:
    """All antecedents together (ids of signals and claims) support a claim; several justifications are alternatives.

    `antecedents` are as they were written, without repeats, and those of `migrations` behind them. Raises BadInput where there
    is none: a claim that rests on nothing has no well-founded support."""

    antecedents: tuple[str, ...]
    derivation: Derivation = Derivation()
    migrations: tuple[Migration, ...] = ()

    def __post_init__(self) -> None:
        need(self.antecedents, "at least one antecedent of a justification", "antecedents")
        if len(set(self.antecedents)) != len(self.antecedents):
            raise BadInput(
                f"Expected antecedents that are named once, but got {', '.join(self.antecedents)}; name each once.",
                param="antecedents",
            )


@dataclass(frozen=True, slots=True)
class Precondition:
    """An assumption of a claim for which no evidence was found; it is printed wherever the claim is cited (§4)."""

    id: str
    text: str = ""

    def __post_init__(self) -> None:
        need(self.id, "an id of a precondition", "id")


@dataclass(frozen=True, slots=True)
class Claim:
    """An interpretation with what justifies it. `context` holds its preconditions without evidence. A lifted claim restates a
    signal that contradicts another claim, so that the two can conflict; it is never retrieved, projected or compared.

    Standing, override, home and history are not fields: the network decides the first three, the journal holds the last."""

    id: str
    justifications: tuple[Justification, ...]
    proposition: str = ""
    context: tuple[Precondition, ...] = ()
    lifted: bool = False

    def __post_init__(self) -> None:
        need(self.id, "an id of a claim", "id")
        need(self.justifications, f"at least one justification of the claim {self.id}", "justifications")
        names = [each.id for each in self.context]
        if len(set(names)) != len(names):
            raise BadInput(
                f"Expected preconditions of {self.id} with different ids, but got {', '.join(names)}.", param="context"
            )
