"""A world as values: everything that an experiment may do to a workspace, and what is true of it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from loom.core.claims.records import Domain, Entry


@dataclass(frozen=True, slots=True)
class Fact:
    """An entry of one sentence, which is one signal."""

    entry: Entry
    signal: str
    text: str
    domain: str
    aspect: int
    entity: int


@dataclass(frozen=True, slots=True)
class Injection:
    """What is said of a target: a sentence, the id of its signal, and whether it contradicts."""

    fact: Fact
    target: str
    contradicts: bool


@dataclass(frozen=True, slots=True)
class Opposing:
    """A claim that opposes a target, the signal that it rests on, and the request that derives it."""

    fact: Fact
    request: str
    text: str
    target: str
    contradicts: bool


@dataclass(frozen=True, slots=True)
class Meant:
    """A claim as it is meant to be derived. `places` are its values by axis; `disputed` says that people see a conflict in it."""

    id: str
    text: str
    domain: str
    entity: int
    aspect: int
    antecedents: tuple[str, ...]
    request: str
    session: str
    held: bool
    places: Mapping[str, str]
    sound: bool
    supported: bool = False
    disputed: str = ""
    preconditions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Query:
    """A read: what it asks for, and of which session it is."""

    id: str
    text: str
    session: str
    domain: str
    aspect: int
    axis: str
    value: str


@dataclass(frozen=True, slots=True)
class Labelled:
    """A text with the label that people gave it."""

    id: str
    text: str
    label: str
    group: str


@dataclass(frozen=True, slots=True)
class Boundary:
    """Does the premise alone say the proposition? `kind` is span or derivation."""

    premise: str
    proposition: str
    kind: str
    label: bool


@dataclass(slots=True)
class World:
    """`facts` are there from the start; `supporting` come once claims are there, each with the claim that it is thought to support and
    whether it does. `grades` are by query and id."""

    domains: list[Domain] = field(default_factory=list)
    dimensions: dict[str, tuple[str, dict[str, object]]] = field(default_factory=dict)
    facts: list[Fact] = field(default_factory=list)
    claims: list[Meant] = field(default_factory=list)
    supporting: list[tuple[Fact, str, bool]] = field(default_factory=list)
    queries: list[Query] = field(default_factory=list)
    injected: dict[str, tuple[Injection, Injection]] = field(default_factory=dict)
    late: dict[str, Injection] = field(default_factory=dict)
    opposing: dict[str, tuple[Opposing, Opposing]] = field(default_factory=dict)
    requests: list[Labelled] = field(default_factory=list)
    filings: list[Labelled] = field(default_factory=list)
    boundary: list[Boundary] = field(default_factory=list)
    grades: dict[str, dict[str, int]] = field(default_factory=dict)
    reads: dict[str, int] = field(default_factory=dict)
    """Read queries of the log, by session."""
    writes: dict[str, int] = field(default_factory=dict)
    """Slow-path requests of the log, by session."""
    minutes: dict[str, list[float]] = field(default_factory=dict)
    """Timings of what people do, by action."""

    def held_out(self, sessions: Collection[str] = ()) -> frozenset[str]:
        """Requests of held-out sessions: those that are so from the start, and these."""
        return frozenset(each.request for each in self.claims if each.held or each.session in sessions)

    def claim(self, id: str) -> Meant:
        return next(each for each in self.claims if each.id == id)
