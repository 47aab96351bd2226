"""What a store of claims takes and gives, as values. A store has one version at a time; every commit makes the next one.

A writer holds the lease and the `Network`; it hands over one `Commit`, which becomes visible whole. Readers look at one version.
What the fast path writes (`Notes`, asks in the queue) belongs to no version: it is there at once, and needs no lease.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from loom.core.claims.keeping import Delta
from loom.core.claims.records import Claim, Domain, Signal
from loom.core.claims.standing import Standing
from loom.core.values import Json

LEASE = "lease"
"""The `param` of the error that an old holder of the lease is refused with: its network is to be opened again."""


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to commit. Numbers only grow, so that what a former holder still sends is told from what the present one does."""

    number: int
    holder: str
    until: float
    """Seconds of the clock that the holders state; past it another may take the lease."""


@dataclass(frozen=True, slots=True)
class DimensionRow:
    """One version of a dimension. `body` is its contract; `state` and `pinned` may change without a new version."""

    id: str
    version: int
    domain: str
    state: str
    pinned: bool = False
    body: Json = None


@dataclass(frozen=True, slots=True)
class ProjectionRow:
    """Where a claim lies on one version of a dimension, by one projector."""

    claim: str
    dimension: str
    version: int
    projector: str
    value: Json
    relevance: float
    at: str = ""


@dataclass(frozen=True, slots=True)
class Vector:
    """The vector of something: `kind` is "node" for signals and claims, whatever else the writer names otherwise. f32, length 1."""

    kind: str
    id: str
    values: np.ndarray


@dataclass(frozen=True, slots=True)
class CallRow:
    """One call of a model, as it is paid for. `of` says for which arm, run or request."""

    component: str
    model: str
    tier: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    price: float = 0.0
    cached: bool = False
    key: str = ""
    at: str = ""
    of: Json = None


@dataclass(frozen=True, slots=True)
class Ask:
    """Something a web worker wants done by the slow path. The same `key` again is the same ask."""

    key: str
    kind: str
    body: Json = None
    at: str = ""


@dataclass(frozen=True, slots=True)
class Queued:
    """An ask in the queue. `version` is that which it came to, 0 while it waits; `outcome` is what the writer said of it."""

    number: int
    ask: Ask
    version: int = 0
    outcome: Json = None


@dataclass(frozen=True, slots=True)
class Done:
    """An ask that a commit answers."""

    number: int
    outcome: Json = None


@dataclass(frozen=True, slots=True)
class Commit:
    """All that becomes visible with one version. `after` is the version it was decided on: a store of another one refuses it. `asks` and
    `escalated` are what follows from the version: what is to be derived anew, and verdicts that wait for a person."""

    after: int
    at: str = ""
    delta: Delta | None = None
    domains: Sequence[Domain] = ()
    dimensions: Sequence[DimensionRow] = ()
    projections: Sequence[ProjectionRow] = ()
    vectors: Sequence[Vector] = ()
    calls: Sequence[CallRow] = ()
    done: Sequence[Done] = ()
    asks: Sequence[Ask] = ()
    escalated: Sequence[Json] = ()


@dataclass(frozen=True, slots=True)
class Notes:
    """What the fast path writes down: claims that it showed, (claim, dimension) pairs to project again, requests that it passed
    on to a slower path, calls that it made."""

    at: str = ""
    shown: Sequence[str] = ()
    stale: Sequence[tuple[str, str]] = ()
    escalated: Sequence[Json] = ()
    calls: Sequence[CallRow] = ()


@dataclass(frozen=True, slots=True)
class StoredSignal:
    """A signal as one version has it. `replaced_by` are later signals of its source; `version` the last that changed anything here."""

    signal: Signal
    source: str
    supported: bool
    replaced_by: tuple[str, ...] = ()
    version: int = 0


@dataclass(frozen=True, slots=True)
class StoredClaim:
    """A claim as one version has it, with its open preconditions, justifications and their migrations in `claim`. `lifted` is the
    signal that it restates, "" for an ordinary claim."""

    claim: Claim
    standing: Standing
    supported: bool
    home: frozenset[str]
    rejected: bool = False
    superseded_by: tuple[str, ...] = ()
    lifted: str = ""
    at: str = ""
    since: int = 0
    version: int = 0


@dataclass(frozen=True, slots=True)
class StoredConflict:
    """A conflict as one of its two claims has it. `live` is false where a person found it spurious."""

    partner: str
    standing: Standing
    branches: tuple[str, ...]
    live: bool
    at: str = ""
    by: str = ""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which signals or claims to list, in the order in which they were written, behind the one with the id `after`. `text` is
    looked for anywhere in a proposition, whatever its case. Without `standings`, claims of every standing are listed."""

    standings: frozenset[Standing] = frozenset()
    domain: str = ""
    text: str = ""
    entry: str = ""
    lifted: bool = False
    after: str = ""
    limit: int = 50


@dataclass(frozen=True, slots=True)
class Changes:
    """What moved after a version and up to another: the ids of whatever changed in any of its columns."""

    since: int
    version: int
    entries: tuple[str, ...] = ()
    signals: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    dimensions: tuple[str, ...] = ()
    projected: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Shown:
    """How often a claim was shown, and when last."""

    claim: str
    count: int
    at: str


@dataclass(frozen=True, slots=True)
class Stale:
    """A claim to project again on a dimension, and how often a reader met it."""

    claim: str
    dimension: str
    count: int
    at: str


@dataclass(frozen=True, slots=True)
class Entered:
    """One write of a batch in the journal, with its agent, and with the reason where it was refused."""

    version: int
    kind: str
    subject: str
    object: str = ""
    agent: str = ""
    by: str = ""
    reason: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """Something that a search found, with its score: a cosine, or BM25."""

    id: str
    score: float


@dataclass(frozen=True, slots=True)
class LabelColumns:
    """The labels that a version has, by node in the order of writing: what a full relabel is compared with."""

    names: tuple[str, ...]
    supported: np.ndarray
    standing: np.ndarray


Step = Callable[[str], None]
"""Called between every two steps of a commit, with the name of the one that is done."""


def no_step(name: str) -> None:
    """The step of a store that nobody watches."""
